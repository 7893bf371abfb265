"""The publishers of many tables in one process, each with its own socket and its own connection to the broker.

    python -m tests.hall.publisher_pool FOLDER

Prints how many are connected, whenever that changes, and when, by a clock that all processes share.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

import msgspec

from companion.publisher.broker import Publisher
from companion.publisher.link import TableLink
from companion.table.publisher_process import SOCKET
from tests.hall.table_group import GroupPlan

LOOK = 0.1
"""Seconds between two looks at the connections."""


async def serve(folder: Path) -> None:
    group = msgspec.json.decode((folder / "group.json").read_bytes(), type=GroupPlan)
    os.chdir(folder)  # a Unix address is short, and a path may be long
    links = [TableLink(f"{name}/{SOCKET}") for name in group.tables]
    async with asyncio.TaskGroup() as tasks:
        for link in links:
            tasks.create_task(link.keep_connected())
            tasks.create_task(Publisher(link).run())
        tasks.create_task(_tell(links))


async def _tell(links: list[TableLink]) -> None:
    told = -1
    while True:
        connected = sum(link.broker.connected for link in links)
        if connected != told:
            told = connected
            print(time.monotonic(), connected, flush=True)
        await asyncio.sleep(LOOK)


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))

"""Run the publisher: `python -m companion.publisher [--child] SOCKET`."""

import argparse
import asyncio
import signal
import sys
from contextlib import suppress

from companion.publisher.broker import WITHIN, Publisher
from companion.publisher.link import TableLink

ALONE = 60.0
"""Seconds after which a table whose app is gone is offline."""

EAGER = 0.05


def main() -> int:
    """Tell the hall what happens at this table until the process is ended."""
    parser = argparse.ArgumentParser(prog="companion.publisher", description=__doc__)
    parser.add_argument("socket", help="the app's Unix socket")
    parser.add_argument("--child", action="store_true", help="end when the app has been gone for a minute")
    parser.add_argument(
        "--eager", action="store_true", help="with hardly a pause between attempts: for one table"
    )
    given = parser.parse_args()
    return asyncio.run(serve(given.socket, given.child, given.eager))


async def serve(path: str, child: bool, eager: bool = False) -> int:
    """Publish until a signal, or, as a child, until the app is gone for good; then say that we are offline."""
    link, ended = TableLink(path), asyncio.Event()
    for told in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(told, ended.set)
    publishing = asyncio.create_task((Publisher(link, lambda: EAGER) if eager else Publisher(link)).run())
    tasks = (asyncio.create_task(link.keep_connected()), asyncio.create_task(_mind(link, child, ended)))
    await asyncio.wait([asyncio.create_task(ended.wait()), publishing], return_when=asyncio.FIRST_COMPLETED)
    was_connected = link.broker.connected
    link.use(None)
    if was_connected:
        with suppress(TimeoutError):
            await asyncio.wait_for(_gone(link), WITHIN)
    for task in (*tasks, publishing):
        task.cancel()
    if publishing.done():
        publishing.result()  # a bug: the process ends with its traceback
    return 0


async def _gone(link: TableLink) -> None:
    while link.broker.connected:
        await asyncio.sleep(0.05)


async def _mind(link: TableLink, child: bool, ended: asyncio.Event) -> None:
    """If the app does not come back in time, the table is offline."""
    while True:
        try:
            await asyncio.wait_for(link.connected.wait(), ALONE)
        except TimeoutError:
            link.use(None)
            if child:
                ended.set()
        while link.connected.is_set():
            await asyncio.sleep(1.0)


if __name__ == "__main__":
    sys.exit(main())

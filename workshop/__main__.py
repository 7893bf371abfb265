"""The developers' command line: `./dev COMMAND`, or `python -m workshop COMMAND`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from companion import cli

TOOLS = cli.Tools("workshop.commands", ("bots", "faults", "replay-log", "shots", "watch"), "workshop")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one tool; returns its exit code, with the same meaning as the companion's."""
    return cli.main(arguments, TOOLS)


if __name__ == "__main__":
    sys.exit(main())

"""Run the porter: `python -m companion.porter [--child] [--port N] SOCKET`."""

import argparse
import asyncio
import sys

from companion.porter.server import serve


def main() -> int:
    """Serve phones until the process is ended."""
    parser = argparse.ArgumentParser(prog="companion.porter", description=__doc__)
    parser.add_argument("socket", help="the app's Unix socket")
    parser.add_argument("--port", type=int, default=8411)
    parser.add_argument("--host", default="0.0.0.0")
    parser.add_argument("--child", action="store_true", help="end when the app has been gone for a minute")
    unlimited = "without limits for one address: to try many phones on one machine"
    parser.add_argument("--unlimited", action="store_true", help=unlimited)
    given = parser.parse_args()
    return asyncio.run(
        serve(given.socket, given.host, given.port, limited=not given.unlimited, child=given.child)
    )


if __name__ == "__main__":
    sys.exit(main())

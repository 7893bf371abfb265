"""The real program, with a window that hangs at SIGUSR1 and a clerk that hangs at SIGUSR2."""

import signal
import sys
import threading

from companion import cli
from companion.ui import start

prepare = start.prepare


def prepared(*how, **more):
    """Kivy must be prepared before the app is imported."""
    prepare(*how, **more)
    from companion.app import CompanionApp

    show = CompanionApp.show

    def shown(app, *first, **language):
        for_ever = threading.Event()
        signal.signal(signal.SIGUSR1, lambda *_: for_ever.wait())
        signal.signal(signal.SIGUSR2, lambda *_: app.desk.clerk.do(lambda *_: for_ever.wait(), print, print))
        show(app, *first, **language)

    CompanionApp.show = shown


start.prepare = prepared
sys.exit(cli.main([]))

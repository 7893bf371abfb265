"""Light play: a game made of a flow file, which says who acts when, what is counted, and when it ends.

A flow knows no rules and no cards. `file.py` reads one, `steps.py` plays it, `game.py` makes a `Game` of it.
"""

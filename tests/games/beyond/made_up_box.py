"""The sample box, for tests: a play with it asks for no printed facts."""

from companion.games.beyond.sample_box import made_up_box

__all__ = ["made_up_box"]

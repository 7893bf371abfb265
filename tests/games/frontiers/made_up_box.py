"""The sample box, for tests: a play with it asks for no printed facts."""

from companion.games.frontiers.sample_box import FACTS, HALF, POWERS, TERMS

__all__ = ["FACTS", "HALF", "POWERS", "TERMS"]

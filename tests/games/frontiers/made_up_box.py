"""The sample box, for tests: a play with it asks nothing about what is printed."""

from companion.games.frontiers.sample_box import FACTS, HALF, POWERS, TERMS

__all__ = ["FACTS", "HALF", "POWERS", "TERMS"]

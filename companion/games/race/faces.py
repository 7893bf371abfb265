"""What the cards look like: a face out of their facts, and the colours of it all."""

from __future__ import annotations

from companion.core.faces import Tints

PAPER, POINTS, RED = "#E8EDF5", "#F3B94D", "#FF8177"

TINTS: Tints = {
    "novelty": ("#57C7EA", "#A6E4F7", "#175A72"),
    "rare": ("#C98F5E", "#E6BF99", "#6A4526"),
    "genes": ("#86CF6B", "#BEE8AC", "#2F5E2A"),
    "alien": ("#F0DC4E", "#FAF0A2", "#5E5110"),
    "any": ("#B4C0D4", "#DCE3EE", "#46566F"),
    "plain": ("#B4C0D4", "#DCE3EE", "#46566F"),
    "development": (PAPER, "#FFFFFF", "#5A4A93"),
    "cost": (PAPER, "#FFFFFF", "#46566F"),
    "card": (PAPER, "#FFFFFF", "#46566F"),
    "points": (POINTS, "#FFD98A", "#8F5000"),
    "chips": (POINTS, "#FFD98A", "#8F5000"),
    "pool": (POINTS, "#FFD98A", "#8F5000"),
    "star": (POINTS, "#FFD98A", "#8F5000"),
    "defence": (RED, "#FFE3DF", "#1B1014"),
    "military": (RED, "#FFE3DF", "#A8281F"),
}
"""A good is told by its letter, too; the dark side is the rail of its worlds."""

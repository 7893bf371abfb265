"""A table that was played without us."""

"""Every input of the companion, fed with arbitrary data."""

"""Every door of the companion, knocked at with whatever anybody could hand it."""

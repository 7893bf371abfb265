"""Plays recorded entry by entry, with the digest of the table after each, to detect changed results."""

"""Plays kept entry by entry with the digest of the table after each: what was true once stays true."""

"""Transgalactica: outposts, tracks, missions and the senate, in five rounds."""

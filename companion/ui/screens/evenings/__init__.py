"""Evenings that are over: the list of plays, one play, its steps, statistics, people."""

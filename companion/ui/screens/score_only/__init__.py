"""Scoring a table that was played without the app."""

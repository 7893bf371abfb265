"""Positions of finished tables, and score sheets as text and files."""

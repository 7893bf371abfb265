"""Positions of finished tables, and sheets as text and files."""

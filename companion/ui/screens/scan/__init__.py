"""Scanning."""

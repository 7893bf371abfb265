"""Timeouts for tests that wait for another thread or program."""

PATIENCE = 600.0
"""Seconds after which what was waited for is taken to never come. A test that passes waits only until it comes, so
this is longer than the busiest machine needs."""

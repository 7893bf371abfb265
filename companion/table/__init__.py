"""What every user interface (window, terminal, test) builds on: the open play, deeds, camera, seats, settings."""

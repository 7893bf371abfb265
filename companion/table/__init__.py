"""What every surface (window, terminal, test) stands on: the play that is on, deeds, camera, seats, settings."""

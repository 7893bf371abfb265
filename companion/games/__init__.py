"""One folder per game; whatever stands here is found."""

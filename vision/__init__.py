"""Pictures to sightings of labels, and labels on paper. Knows no game."""

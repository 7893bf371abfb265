"""Made-up cards with art, and scenes of them on a table, to measure how well faces are recognised."""

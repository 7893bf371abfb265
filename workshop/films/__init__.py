"""Drawn films of evenings at a table, frame by frame, with the ground truth for every label."""

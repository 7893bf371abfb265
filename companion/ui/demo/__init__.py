"""The demonstration: bots play a whole game in the window."""

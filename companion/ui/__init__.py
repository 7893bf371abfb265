"""The touchscreen: shows the state of the core and passes on touches. It has no rules and knows no particular
game."""

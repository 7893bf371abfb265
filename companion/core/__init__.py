"""The heart: pure values and functions every game is built on."""

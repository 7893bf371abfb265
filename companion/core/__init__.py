"""The core: pure values and functions that every game is built on."""

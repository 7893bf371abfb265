"""For all tests: commands stay in the terminal, whatever display this machine has."""

import os

os.environ["COMPANION_SCREEN"] = "none"

"""One module per command: what may be said after its name (`arguments`) and what it does (`run`)."""

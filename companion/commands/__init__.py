"""One module per command: its command line (`arguments`) and what it does (`run`)."""

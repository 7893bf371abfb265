"""One module per tool: `arguments` (its parser) and `run`."""

"""What can go wrong at a table, done on purpose and judged: `companion torture`."""

"""Fault injection: everything that can go wrong at a table, caused on purpose and judged (`./dev faults`)."""

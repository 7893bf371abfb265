"""A hall of tables: what an organiser's machine knows and shows."""

"""The table as text, for machines without a display and for people who like it that way."""

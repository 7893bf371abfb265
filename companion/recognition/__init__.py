"""From pictures to pieces of a game, and from pieces to labels."""

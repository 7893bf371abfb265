"""From pictures to the pieces of a game, and from pieces to labels."""

"""The window without people: pictures of every screen, checks of them, demonstrations."""

"""The window without people: pictures of every screen and strict checks of them."""

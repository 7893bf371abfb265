"""Tools for developers: fault injection, films, pictures and checks of screens, bots. The product imports
none of it."""

from importlib.resources import files

from companion import texts

texts.read_also(files("workshop").joinpath("words"))

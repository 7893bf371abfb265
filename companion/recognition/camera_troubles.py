"""Camera problems as translated sentences: `vision` knows no languages, only slugs and arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import files
from companion.core.words import Argument, Text, plain, say
from companion.errors import DEVICE, DataTrouble, Trouble
from vision.troubles import WORDS, CameraTrouble

if TYPE_CHECKING:
    from vision.camera_health import Health


class NoPictures(Trouble):
    """A camera that exists gave no picture."""

    exit_code = DEVICE


def trouble_text(trouble: CameraTrouble | Health) -> Text:
    """The sentence about this trouble; without a translation it stays as it is."""
    if trouble.told is None:
        return plain(trouble.trouble)
    if trouble.told.slug not in WORDS:
        return plain(str(trouble.told))
    args: dict[str, Argument] = dict(trouble.told.args)
    if isinstance(why := args.get("why"), str):
        args["why"] = files.in_words(why)
    return Text(f"camera.{trouble.told.slug}", args)


def disturbance(what: str) -> Text:
    """Why a working camera cannot tell what is shown: it is dark, or the view has changed."""
    return say("see.disturbed-dark" if what == "dark" else "see.disturbed-moved")


def no_pictures(health: Health) -> Trouble:
    """Why there was no picture: an empty recording is bad input, a silent camera a broken device."""
    if health.what == "over":
        return DataTrouble(trouble_text(health))
    why = say("see.slow-camera") if health.ok else trouble_text(health)
    return NoPictures(say("see.no-pictures", why=why))

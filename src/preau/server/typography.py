"""Apostrophes and spaces in texts that the server shows itself."""

from __future__ import annotations

import re


def typeset(text: str, language: str) -> str:
    """Return a text with typographic apostrophes and, in French, narrow spaces before `!?:;…»`."""
    said = text.replace("'", "’")
    return re.sub(" ([!?:;…»])", "\u202f\\1", said) if language == "fr" else said

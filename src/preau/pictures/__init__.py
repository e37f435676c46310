"""Pictures of moments of recorded games, drawn by the page's own components.

`made/picture.js` is built with the page (web/src/picture): it knows no document, and runs in an engine that is embedded
here. What it draws is SVG and nothing else, without fonts or style sheets; `png` turns that into pixels. Both need the
extra `preau[picture]` (decision 11).
"""

from __future__ import annotations

from .drawing import SCALE, picture, png

__all__ = ["SCALE", "picture", "png"]

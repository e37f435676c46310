"""Pictures of figures, drawn by Matplotlib as SVG that stands in a page: its colours are the page's, light or dark, its
text is text, and the same figures give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from io import StringIO
from typing import Any

from .needs import need

INK, SOFT, ONE, TWO = "#010101", "#020202", "#030303", "#040404"
"""Stand for colours of the page while a picture is drawn."""
COLOURS = {INK: "var(--ink)", SOFT: "var(--line)", ONE: "var(--one)", TWO: "var(--two)"}
WIDTH = 4.6
"""Inches, of 100 units each: what a phone shows without making letters small."""
DPI = 100
STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "preau",
    "figure.dpi": DPI,
    "savefig.dpi": DPI,
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": SOFT,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "none",
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "grid.color": SOFT,
    "hatch.color": SOFT,
}

Figure = Sequence[Sequence[float] | None]
"""Estimates as they stand in files: value, low, high."""


class Pictures:
    """Draws the pictures of one report; each gets names of its own."""

    def __init__(self) -> None:
        self._matplotlib = need("matplotlib")
        self._figure = need("matplotlib.figure").Figure
        self._count = 0

    def points(
        self, labels: Sequence[str], series: Sequence[Figure], *, title: str, fair: float | None = None, per_cent: bool
    ) -> str:
        """For every label a point for each series, with its interval; a dashed line where it would be fair."""
        factor = 100 if per_cent else 1
        with self._matplotlib.rc_context(STYLE):
            figure = self._figure(figsize=(WIDTH, 0.75 + 0.3 * len(labels) * (1 if len(series) == 1 else 1.3)))
            axes = figure.add_subplot()
            step = 0.0 if len(series) == 1 else 0.3
            for at, (some, colour, mark) in enumerate(zip(series, (ONE, TWO), ("o", "s"), strict=False)):
                rows = [(row, one) for row, one in enumerate(some) if one is not None]
                heights = [row + (at - (len(series) - 1) / 2) * step for row, _ in rows]
                values = [factor * one[0] for _, one in rows]
                lows = [factor * max(0.0, one[0] - one[1]) for _, one in rows]
                highs = [factor * max(0.0, one[2] - one[0]) for _, one in rows]
                axes.errorbar(
                    values,
                    heights,
                    xerr=[lows, highs],
                    fmt=mark,
                    color=colour,
                    markersize=5,
                    capsize=2.5,
                    linewidth=1.4,
                )
            if fair is not None:
                axes.axvline(factor * fair, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
            axes.set_yticks(range(len(labels)), labels)
            axes.set_ylim(len(labels) - 0.4, -0.6)
            axes.grid(axis="x", linewidth=0.6)
            axes.tick_params(length=0)
            if per_cent:
                axes.xaxis.set_major_formatter("{x:g}\u202f%")
            return self._drawn(figure, title)

    def bars(self, bars: Sequence[Sequence[int]], series: Sequence[Figure], *, title: str, label: str) -> str:
        """A distribution: a bar for each of its parts and each series, with intervals."""
        with self._matplotlib.rc_context(STYLE):
            figure = self._figure(figsize=(WIDTH, 2.6))
            axes = figure.add_subplot()
            whole = bars[0][1] - bars[0][0] + 1
            wide = 0.86 * whole / len(series)
            for at, (some, colour) in enumerate(zip(series, (ONE, TWO), strict=False)):
                middles = [(low + high) / 2 + (at - (len(series) - 1) / 2) * wide for low, high in bars]
                values = [100 * one[0] if one else 0.0 for one in some]
                lows = [100 * max(0.0, one[0] - one[1]) if one else 0.0 for one in some]
                highs = [100 * max(0.0, one[2] - one[0]) if one else 0.0 for one in some]
                axes.bar(middles, values, wide, color=colour, linewidth=0)
                axes.errorbar(middles, values, yerr=[lows, highs], fmt="none", ecolor=INK, elinewidth=0.8)
            axes.set_xlabel(label)
            axes.yaxis.set_major_formatter("{x:g}\u202f%")
            axes.xaxis.get_major_locator().set_params(integer=True)
            axes.set_axisbelow(True)
            axes.grid(axis="y", linewidth=0.6)
            axes.tick_params(length=0)
            axes.set_ylim(bottom=0)
            return self._drawn(figure, title)

    def map(
        self,
        cells: Sequence[str],
        width: int,
        values: Figure,
        blank: Sequence[str],
        *,
        title: str,
        most: float,
        two: bool,
    ) -> str:
        """A board, each cell the darker the more happens there; `most` is the darkest."""
        rectangle = need("matplotlib.patches").Rectangle
        rows = len(cells) // width
        with self._matplotlib.rc_context(STYLE):
            figure = self._figure(figsize=(WIDTH * 0.75, WIDTH * 0.75 * rows / width))
            axes = figure.add_subplot()
            for at, (cell, one) in enumerate(zip(cells, values, strict=True)):
                corner = (at % width, at // width)
                if cell in blank:
                    axes.add_patch(
                        rectangle(corner, 1, 1, facecolor="none", edgecolor=SOFT, hatch="////", linewidth=0.5)
                    )
                    continue
                share = one[0] / most if one is not None and most > 0 else 0.0
                axes.add_patch(
                    rectangle(corner, 1, 1, facecolor=TWO if two else ONE, alpha=round(min(1.0, share), 3), linewidth=0)
                )
                axes.add_patch(rectangle(corner, 1, 1, facecolor="none", edgecolor=SOFT, linewidth=0.5))
            axes.set_xlim(0, width)
            axes.set_ylim(0, rows)
            axes.set_aspect("equal")
            axes.set_xticks([x + 0.5 for x in range(width)], [re.sub(r"\d", "", cells[x]) for x in range(width)])
            axes.set_yticks([y + 0.5 for y in range(rows)], [re.sub(r"\D", "", cells[y * width]) for y in range(rows)])
            axes.tick_params(length=0)
            for side in axes.spines.values():
                side.set_visible(False)
            return self._drawn(figure, title)

    def _drawn(self, figure: Any, title: str) -> str:
        """The picture as an element of a page."""
        text = StringIO()
        figure.savefig(
            text, format="svg", bbox_inches="tight", pad_inches=0.04, metadata={"Date": None, "Creator": None}
        )
        self._count += 1
        return in_page(text.getvalue(), f"p{self._count}", title)


def in_page(svg: str, name: str, title: str) -> str:
    """A drawing of Matplotlib as it can stand in a page beside others: with names of its own and the page's colours.

    >>> drawn = '<?xml?><svg width="9pt"><metadata>m</metadata><g id="a" style="fill: #010101"/></svg>'
    >>> in_page(drawn, "p1", "Seats").startswith('<svg role="img" aria-labelledby="p1-title"><title')
    True
    >>> in_page(drawn, "p1", "Seats").endswith('<g id="p1-a" style="fill: var(--ink)"/></svg>')
    True
    """
    svg = svg[svg.index("<svg") :].strip()
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'id="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', svg)
    svg = re.sub(r"font: ([0-9.]+px) [^;\"]+", r"font-size: \1", svg)  # the page's own letters
    svg = re.sub(r"font-family: [^;\"]+;? ?", "", svg)
    for colour, meant in COLOURS.items():
        svg = svg.replace(colour, meant)
    head = f'<svg role="img" aria-labelledby="{name}-title"'
    svg = re.sub(r'^<svg( width="[^"]*"| height="[^"]*"| xmlns(:xlink)?="[^"]*"| version="[^"]*")*', head, svg)
    svg = re.sub(r"^(<svg[^>]*?) (?:height|width)=\"[^\"]*\"", r"\1", svg)
    return svg.replace(">", f'><title id="{name}-title">{escape(title)}</title>', 1)

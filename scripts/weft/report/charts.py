"""The figures of a build as SVG, in the page's own colours and letters."""

from __future__ import annotations

import collections
import dataclasses
import io
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from weft.concepts import LEVELS
from weft.mutation.kinds import FATES
from weft.report.gallery import Sample

_COLOURS = {"#010203": "--ink", "#010204": "--muted", "#010205": "--accent", "#010206": "--second"}
"""What matplotlib draws with, and the variable of the style sheet that stands there in the page."""
_INK, _MUTED, _ACCENT, _SECOND = _COLOURS
_STYLE: Any = {
    "svg.fonttype": "none",
    "text.color": _INK,
    "axes.labelcolor": _MUTED,
    "xtick.color": _MUTED,
    "ytick.color": _MUTED,
    "axes.edgecolor": _MUTED,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.size": 9,
    "legend.frameon": False,
}
_WIDTH, _HEIGHT = 5.6, 2.9
_ERRORS = (
    (0, "0: same bits"),
    (1, "1"),
    (10, "2 to 10"),
    (100, "11 to 100"),
    (1000, "101 to 1,000"),
    (math.inf, "over 1,000"),
)
"""The largest distance of each class, and its name."""
_LISTED = 18
"""Builtins, the most frequent ones, that have a bar."""


@dataclasses.dataclass(frozen=True)
class Chart:
    """A figure: `svg` is its element."""

    title: str
    caption: str
    svg: str


def charts(
    samples: Sequence[Sample],
    summary: Mapping[str, Any],
    coverage: Mapping[str, Mapping[str, Mapping[str, int]]],
    judged: Iterable[Mapping[str, Any]],
    seconds: Mapping[str, float],
    speeds: Mapping[str, Mapping[int, float]],
) -> list[Chart]:
    """Every figure for which there is data. `judged` are the entries of `runs`, `seconds` is the time of each
    stage's jobs, `speeds` are the nanoseconds per element on each device, by size.
    """
    difficulty = {level: row for level in LEVELS if (row := summary["difficulty"][level])["made"]}
    mistakes = (summary["mutation"] or {"operators": {}})["operators"]
    builtins = collections.Counter(
        {name: sum(row.values()) for name, row in coverage.get("builtin", {}).items()}
    )
    errors = _error_classes([one["max_ulp"] for one in judged if one["verdict"] == "verified"])
    used = collections.Counter(
        name.replace("_", " ") for sample in samples for name in sample.entry["concepts"]
    )
    figures = [
        (
            samples,
            "Length",
            "Lines per kernel in the gallery, in Python and as a whole CUDA program.",
            lambda axes: _lengths(axes, samples),
        ),
        (
            difficulty,
            "Difficulty",
            "Generated kernels of each level, and how many are verified.",
            lambda axes: _difficulty(axes, difficulty),
        ),
        (
            mistakes,
            "Mistakes",
            "Mistakes that were planted in some programs, by kind, and whether they were found.",
            lambda axes: _mistakes(axes, mistakes),
        ),
        (
            errors,
            "Rounding",
            "How many floating-point numbers lie between a result and Warp's: the largest distance in each "
            "verified kernel. Only sums in a free order may differ; if one is close to zero, a tiny error "
            "spans many numbers.",
            lambda axes: _bars(axes, errors, "kernels"),
        ),
        (
            used,
            "Concepts",
            "Kernels in the gallery that use each concept of GPU programming.",
            lambda axes: _bars(axes, dict(used.most_common()), "kernels"),
        ),
        (
            builtins,
            "Builtins",
            f"Generated kernels that call each of Warp's builtins: the most frequent of {len(builtins)}.",
            lambda axes: _bars(axes, dict(builtins.most_common(_LISTED)), "kernels"),
        ),
        (
            seconds,
            "Time",
            "Seconds that the jobs of each stage took in total.",
            lambda axes: _bars(axes, seconds, "seconds"),
        ),
        (
            speeds,
            "Speed",
            "Nanoseconds that a verified program takes per element (median over kernels).",
            lambda axes: _speeds(axes, speeds),
        ),
    ]
    return [Chart(title, caption, _svg(title, draw)) for data, title, caption, draw in figures if data]


def _error_classes(ulps: Iterable[int | None]) -> dict[str, int]:
    """How many distances there are of each order of magnitude; those that nobody measured are left out."""
    found: collections.Counter[str] = collections.Counter()
    for ulp in ulps:
        if ulp is not None:
            found[next(name for most, name in _ERRORS if ulp <= most)] += 1
    return {name: found[name] for _, name in _ERRORS} if found else {}


def _lengths(axes: Axes, samples: Iterable[Sample]) -> None:
    lines = [sample.entry["lines"] for sample in samples]
    widest = max(one["cuda"] for one in lines)
    edges = range(0, widest + 11, max(5, widest // 40))
    for language, colour, label in (("python", _ACCENT, "Python"), ("cuda", _SECOND, "CUDA")):
        axes.hist([one[language] for one in lines], bins=edges, color=colour, alpha=0.75, label=label)
    axes.set(xlabel="lines", ylabel="kernels")
    _legend(axes)


def _difficulty(axes: Axes, levels: Mapping[str, Mapping[str, int]]) -> None:
    for column, colour, label in (("made", _SECOND, "made"), ("verified", _ACCENT, "verified")):
        shift = -0.2 if column == "made" else 0.2
        places = [place + shift for place in range(len(levels))]
        bars = axes.bar(places, [row[column] for row in levels.values()], 0.38, color=colour, label=label)
        axes.bar_label(bars, fontsize=8, color=_MUTED)
    axes.set_xticks(range(len(levels)), list(levels))
    axes.set(ylabel="kernels")
    _legend(axes)


def _mistakes(axes: Axes, operators: Mapping[str, Mapping[str, int]]) -> None:
    names = list(operators)[::-1]
    start = [0] * len(names)
    shades = ((_ACCENT, 1), (_SECOND, 1), (_MUTED, 0.6), (_MUTED, 0.3))
    for (fate, label), (colour, alpha) in zip(FATES.items(), shades, strict=True):
        counts = [operators[name][fate] for name in names]
        if any(counts):
            axes.barh(names, counts, left=start, color=colour, alpha=alpha, label=label)
        start = [one + count for one, count in zip(start, counts, strict=True)]
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(xlabel="mistakes")
    _legend(axes)


def _bars(axes: Axes, values: Mapping[str, float], unit: str) -> None:
    bars = axes.barh(list(values)[::-1], list(values.values())[::-1], color=_ACCENT)
    axes.bar_label(bars, fmt="{:,.0f}", fontsize=8, color=_MUTED, padding=2)
    axes.margins(x=0.08, y=0.02)
    axes.set(xlabel=unit)


def _speeds(axes: Axes, devices: Mapping[str, Mapping[int, float]]) -> None:
    for (device, times), colour in zip(devices.items(), (_ACCENT, _SECOND), strict=False):
        axes.loglog(list(times), list(times.values()), marker="o", markersize=3, color=colour, label=device)
    axes.set(xlabel="size", ylabel="ns per element")
    _legend(axes)


def _legend(axes: Axes) -> None:
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(FATES), borderaxespad=0.2)


def _svg(title: str, draw: Callable[[Axes], None]) -> str:
    """The element that `draw` fills: the same bytes each time, tall enough for the names of bars."""
    with mpl.rc_context({**_STYLE, "svg.hashsalt": title}):
        figure = Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
        axes = figure.add_subplot()
        draw(axes)
        figure.set_figheight(max(_HEIGHT, 0.19 * len(axes.get_yticklabels()) + 0.6))
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = element(file.getvalue())
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"([^>]*?) width="[^"]*"', r"\1\2", svg)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    for colour, variable in _COLOURS.items():
        svg = svg.replace(colour, f"var({variable})")
    return svg.replace("<svg ", f'<svg role="img" aria-label="{title}" ', 1)


def element(svg: str) -> str:
    """What a page takes of the text of an SVG file."""
    return svg[svg.index("<svg") :]

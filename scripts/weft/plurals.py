"""What one of several is called, and several together: names of arrays, and of their elements."""

from __future__ import annotations

from collections.abc import Sequence

IRREGULAR = {
    "axis": "axes",
    "bias": "biases",
    "cache": "caches",
    "child": "children",
    "echo": "echoes",
    "half": "halves",
    "index": "indices",
    "matrix": "matrices",
    "maximum": "maxima",
    "minimum": "minima",
    "momentum": "momenta",
    "vertex": "vertices",
}
"""Plurals by their singular, where `singular` does not find it by its end."""

_SINGULAR = {several: one for one, several in IRREGULAR.items()} | {"radii": "radius"}
_NO_PLURALS = frozenset(
    """
    abs alias atlas bias canvas cos eps gas lens lhs pos rhs rms series species
    """.split()
)
_ENDINGS = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", ""))


def singular(name: str) -> str:
    """What one of several is called, by the last word of a name; the name itself if that is no plural."""
    before, joint, last = name.rpartition("_")
    if last in _SINGULAR:
        return f"{before}{joint}{_SINGULAR[last]}"
    if last in _NO_PLURALS or last.endswith(("us", "is", "ss")):
        return name
    for ending, single in _ENDINGS:
        if last.endswith(ending) and len(last) > len(ending):
            return name.removesuffix(ending) + single
    return name


def listed(words: Sequence[str], joint: str = "and") -> str:
    """Words as a sentence lists them: `a`, `a and b`, `a, b and c`."""
    return f" {joint} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))

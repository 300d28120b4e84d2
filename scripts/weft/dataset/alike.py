"""Which samples must not stand in different splits: those whose texts are near-duplicates, or that share
a tree, an idiom core or a chain of formulas.
"""

from __future__ import annotations

import ast
import dataclasses
import itertools
import re
from collections.abc import Hashable, Iterable, Sequence

from weft.diversity.canonical import digest, renamed_tokens, renamed_tree, skeleton, tokens
from weft.diversity.collect import drop_docstrings
from weft.diversity.near import Shingles, near_pairs, shingles
from weft.files import sha256
from weft.recursion import deep_recursion

_TOKEN = re.compile(r"\w+|[^\w\s]")

CORE_NODES = 30
"""A smaller statement is in kernels that have nothing else in common."""


@dataclasses.dataclass(frozen=True)
class Digests:
    """Of a Python source: of its text, of its renamed tree, of its idiom core, and of the formulas that it
    was made of, None where nobody says.
    """

    text: str
    tree: str
    core: str
    chain: str | None


@dataclasses.dataclass(frozen=True)
class Form:
    """What a sample is compared by: digests and shingles of its Python, as written and renamed, and shingles
    of its other texts.
    """

    digests: Digests
    written: Shingles
    renamed: Shingles
    others: tuple[Shingles, ...]


@deep_recursion()
def form(python_source: str, formulas: Iterable[str] = (), others: Iterable[str] = ()) -> Form:
    """The form of a Python source, which was made of these formulas, and of other texts about the sample."""
    chain = ",".join(sorted(formulas))
    module = ast.parse(python_source)
    drop_docstrings(module)
    definitions = [one for one in module.body if not isinstance(one, ast.Import | ast.ImportFrom)]
    return Form(
        Digests(
            text=sha256(python_source.encode()),
            tree=digest(renamed_tree(definitions)),
            core=digest(_core(definitions)),
            chain=digest(chain) if chain else None,
        ),
        written=shingles(tokens(definitions)),
        renamed=shingles(renamed_tokens(definitions)),
        others=tuple(shingles(_TOKEN.findall(text)) for text in others),
    )


def _core(definitions: Sequence[ast.stmt]) -> str:
    """The idiom core: the largest statement within a function (a loop, a branch, the longest formula) without
    names and constants; of a source whose statements are all small, everything.
    """
    functions = [one for one in definitions if isinstance(one, ast.FunctionDef)]
    inner = [
        node for one in functions for node in ast.walk(one) if isinstance(node, ast.stmt) and node is not one
    ]
    sizes = [sum(1 for _ in ast.walk(node)) for node in inner]
    largest = max(sizes, default=0)
    return skeleton([inner[sizes.index(largest)]] if largest >= CORE_NODES else definitions)


def group(forms: Sequence[Form], held_out: Sequence[bool]) -> tuple[list[int], list[int | None]]:
    """For each form the first of its cluster, and of its component.

    A cluster is what chains of near-duplicates of the Python, as written or renamed, connect. A component,
    which must be in one split, is what chains of near-duplicates of any text, equal trees, idiom cores and
    sets of formulas connect. A form that has one of these in common with a form that is held out has no
    component: it can be in no split, and connects nothing.
    """
    near = [*near_pairs(one.written for one in forms), *near_pairs(one.renamed for one in forms)]
    clusters = _connected(len(forms), near)
    for texts in zip(*(one.others for one in forms), strict=True):
        near += near_pairs(texts)
    digests = [one.digests for one in forms]
    kinds: list[list[Hashable]] = [
        [*_connected(len(forms), near)],
        *([getattr(one, of) for one in digests] for of in ("tree", "core", "chain")),
    ]
    taken = [{key for key, held in zip(kind, held_out, strict=True) if held} - {None} for kind in kinds]
    nowhere = [
        not held and any(key in of_kind for key, of_kind in zip(keys, taken, strict=True))
        for held, *keys in zip(held_out, *kinds, strict=True)
    ]
    same = (_same(None if out else key for key, out in zip(kind, nowhere, strict=True)) for kind in kinds)
    components = _connected(len(forms), itertools.chain(*same))
    return clusters, [None if out else first for first, out in zip(components, nowhere, strict=True)]


def _same(keys: Iterable[Hashable]) -> list[tuple[int, int]]:
    """Each position with the first that has the same key; none that has no key."""
    first: dict[Hashable, int] = {}
    return [(first.setdefault(key, at), at) for at, key in enumerate(keys) if key is not None]


def _connected(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """For each position the least that it is connected with."""
    parents = list(range(count))

    def root(at: int) -> int:
        while parents[at] != at:
            parents[at] = parents[parents[at]]
            at = parents[at]
        return at

    for left, right in pairs:
        low, high = sorted((root(left), root(right)))
        parents[high] = low
    return [root(at) for at in range(count)]

"""Names that nothing has yet."""

from __future__ import annotations

from collections.abc import Collection, Iterable


def fresh(name: str, taken: Iterable[str]) -> str:
    """`name`, with underscores behind it until it is none of `taken`."""
    others = set(taken)
    while name in others:
        name += "_"
    return name


def take(name: str, taken: set[str]) -> str:
    """The same; it is taken then."""
    taken.add(name := fresh(name, taken))
    return name


def together(names: Collection[str]) -> str:
    """Names as one: letters side by side."""
    return ("" if all(len(name) == 1 for name in names) else "_").join(names)


def take_numbered(stem: str, taken: set[str]) -> str:
    """`stem`, `stem_2`, `stem_3` and so on, whichever is none of `taken` yet; it is taken then."""
    name, number = stem, 2
    while name in taken:
        name, number = f"{stem}_{number}", number + 1
    taken.add(name)
    return name

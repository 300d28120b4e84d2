"""Parts of a description that somebody has written: what messages call them, and what is wrong there."""

from __future__ import annotations

import dataclasses
import keyword
import reprlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from weft.errors import did_you_mean
from weft.sizes import Size, parse_size, size_names

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 80


class WrittenError(ValueError):
    """A mistake in a part of a description. `keys` lead to the part. With `at_key`, the last key itself is
    wrong, not its value.
    """

    def __init__(self, message: str, keys: tuple[Any, ...], at_key: bool) -> None:
        super().__init__(message)
        self.keys = keys
        self.at_key = at_key


@dataclasses.dataclass(frozen=True)
class Where:
    """A part of a description: `LAUNCH['scale'].parameters.x.shape[0]`."""

    whole: str
    keys: tuple[Any, ...] = ()

    def __truediv__(self, key: Any) -> Where:
        return Where(self.whole, (*self.keys, key))

    def __str__(self) -> str:
        steps = [f".{key}" if isinstance(key, str) else f"[{key!r}]" for key in self.keys]
        return "".join([self.whole, *steps])

    def error(self, message: str, at_key: bool = False) -> WrittenError:
        """What is wrong here."""
        return WrittenError(f"{self}: {message}", self.keys, at_key)

    def _at_key(self, key: Any, message: str) -> WrittenError:
        return WrittenError(f"{self}: {message}", (*self.keys, key), at_key=True)

    def mapping(self, value: Any, allowed: Collection[str] | None = None) -> Mapping[str, Any]:
        """A mapping from names, `allowed` ones if they are given."""
        if not isinstance(value, Mapping):
            raise self.error(f"expected a mapping, got {shown(value)}")
        for key in value:
            if not isinstance(key, str):
                raise self._at_key(key, f"a key is a name in quotes, got {shown(key)}")
            if allowed is not None and key not in allowed:
                known = f"{did_you_mean(key, allowed)} (allowed: {', '.join(allowed)})"
                raise self._at_key(key, f"unknown key {key!r}{known}")
        return value

    def sequence(self, value: Any, expected: str, least: int = 0, most: int | None = None) -> list[Any]:
        """A list of `least` to `most` elements."""
        if not isinstance(value, list | tuple) or len(value) < least or (most and len(value) > most):
            raise self.error(f"expected {expected}, got {shown(value)}")
        return list(value)

    def word(self, value: Any, allowed: Iterable[str]) -> str:
        """One of some words."""
        known = list(allowed)
        if not isinstance(value, str) or value not in known:
            hint = did_you_mean(value, known) if isinstance(value, str) else ""
            raise self.error(f"{shown(value)}{hint} (allowed: {', '.join(known)})")
        return value

    def truth(self, value: Any) -> bool:
        """True or False."""
        if not isinstance(value, bool):
            raise self.error(f"expected True or False, got {shown(value)}")
        return value

    def name(self, value: Any) -> str:
        """A name as Python has them."""
        if not isinstance(value, str) or not value.isidentifier() or keyword.iskeyword(value):
            raise self.error(f"expected a name, got {shown(value)}")
        return value

    def size(self, value: Any, known: Collection[str]) -> Size:
        """A size expression of `known` names."""
        try:
            parse_size(value)
            names = size_names(value)
        except ValueError as error:
            raise self.error(str(error)) from error
        for name in sorted(names):
            if name not in known:
                raise self.error(
                    f"{shown(value)} uses {name!r}, which is not a size{did_you_mean(name, known)} "
                    f"(known: {', '.join(known)}; others are defined in sizes)"
                )
        assert isinstance(value, int | str)
        return value

    def sizes(self, values: Any, known: Collection[str], expected: str, *count: int) -> tuple[Size, ...]:
        """A list of size expressions; `count` is the least and the greatest length."""
        given = self.sequence(values, expected, *count)
        return tuple([(self / number).size(one, known) for number, one in enumerate(given)])


def shown(value: Any) -> str:
    """A given value, in few words."""
    return _SHORT.repr(value)

"""Arrays whose elements may come in any order: which lie together, and which atomic hands out their places.

A *group* has the arrays that a kernel stores at one place, or `slot`, that an atomic gave it. What is stored
at a slot in all of them, its row, stays together in every order (docs/formats/launch.md, Slots).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from typing import Any

from weft.sizes import Size
from weft.written import Where


@dataclasses.dataclass(frozen=True)
class SlotArray:
    """How slots lie in an array: `stride` elements of `axis` belong to each, and all that other axes have.

    `apart` are the axes whose indices are those of the counter: rows that differ there are never exchanged.
    With `length`, lists of so many slots follow each other along the axis, and are apart. Where `axis` is
    None, each element is a row, and nothing is known of its place.
    """

    axis: int | None = None
    stride: Size = 1
    apart: tuple[int, ...] = ()
    length: Size | None = None

    def to_json(self) -> dict[str, Any]:
        written = {"axis": self.axis, "stride": self.stride, "apart": list(self.apart), "length": self.length}
        return {key: value for key, value in written.items() if key == "axis" or value != _LOOSE[key]}


@dataclasses.dataclass(frozen=True)
class SlotGroup:
    """Arrays by name. `counter` is the array whose old values are the slots, None where it does not tell how
    many were handed out; `element` has its index, None in place of what is no number. Slots are counted from
    the elements of the array `base` with the counter's index, if there is one.
    """

    arrays: Mapping[str, SlotArray]
    counter: str | None = None
    element: tuple[int | None, ...] = ()
    base: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "arrays": {name: one.to_json() for name, one in self.arrays.items()},
            **({"counter": self.counter, "element": list(self.element)} if self.counter else {}),
            **({"base": self.base} if self.base else {}),
        }


_LOOSE: Mapping[str, Any] = {"axis": None, "stride": 1, "apart": [], "length": None}


def alone(name: str) -> SlotGroup:
    """The group of an array of whose order nothing is known."""
    return SlotGroup({name: SlotArray()})


def parse_slots(
    given: Any, here: Where, parameters: Collection[str], sizes: Collection[str]
) -> tuple[SlotGroup, ...]:
    """Groups from their written form. Raises WrittenError."""
    groups = here.sequence(given, "a list of groups")
    return tuple(_group(one, here / number, parameters, sizes) for number, one in enumerate(groups))


def _group(given: Any, here: Where, parameters: Collection[str], sizes: Collection[str]) -> SlotGroup:
    written = here.mapping(given, ("arrays", "counter", "element", "base"))
    arrays = (here / "arrays").mapping(written.get("arrays"))
    counter, base = (
        (here / key).word(written[key], parameters) if key in written else None for key in ("counter", "base")
    )
    return SlotGroup(
        {
            (here / "arrays").word(name, parameters): _array(one, here / "arrays" / name, sizes)
            for name, one in arrays.items()
        },
        counter,
        tuple((here / "element").sequence(written.get("element", []), "a list of indices")),
        base,
    )


def _array(given: Any, here: Where, sizes: Collection[str]) -> SlotArray:
    written = {**_LOOSE, **here.mapping(given, tuple(_LOOSE))}
    return SlotArray(
        written["axis"],
        (here / "stride").size(written["stride"], sizes),
        tuple((here / "apart").sequence(written["apart"], "a list of axes")),
        None if written["length"] is None else (here / "length").size(written["length"], sizes),
    )

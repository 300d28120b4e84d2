"""One description for several launches of a kernel: sizes that differ have a name that stands for each."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence

from weft.cuda.device_code import Axis
from weft.cuda.fresh_names import fresh
from weft.cuda.passes.extent_parameters import extent_name
from weft.cuda.sizes import canonical_size
from weft.launch import Launch, Parameter, Recipe
from weft.sizes import Size, size_names

_ANY = "n * 1"
"""A size that is as large or as small as any, and no other's."""


@dataclasses.dataclass(frozen=True)
class GeneralLaunch:
    """The description, and where a launch has each of the sizes that differ."""

    launch: Launch
    places: Mapping[str, Axis]


def general_launch(described: Sequence[Launch]) -> GeneralLaunch:
    """What the descriptions of all launches of a kernel say. Nothing is known of a parameter that is no array
    and differs, and of arrays that differ in more than their shapes and contents.
    """
    sizes = _Sizes(described)
    dims = sizes.of([one.dims for one in described], None)
    parameters: dict[str, Parameter] = {}
    unknown: set[str] = set()
    for name, first in described[0].parameters.items():
        several = [one.parameters[name] for one in described]
        if not all(_alike(first, other) for other in several):
            unknown.add(name)
            parameters[name] = dataclasses.replace(first, shape=(1,) * len(first.shape), values=None)
            continue
        values = functools.reduce(_both, (one.values for one in several))
        roles = {one.role for one in several}
        shape = sizes.of([one.shape for one in several], name)
        role = first.role if len(roles) == 1 else "inout"
        parameters[name] = dataclasses.replace(first, role=role, shape=shape, values=values)
    launch = dataclasses.replace(
        described[0],
        sizes={**described[0].sizes, **dict.fromkeys(sizes.places, _ANY)},
        dims=dims,
        parameters=parameters,
        inferred=frozenset(unknown).union(*(one.inferred for one in described)),
    )
    return GeneralLaunch(launch, sizes.places)


def _both(one: Recipe | None, other: Recipe | None) -> Recipe | None:
    """What arrays hold that hold what either says."""
    match one, other:
        case Recipe("integers", (int(low), int(end))), Recipe("integers", (int(least), int(last))):
            return Recipe("integers", (min(low, least), max(end, last)))
        case _:
            return one if one == other else None


def _alike(first: Parameter, other: Parameter) -> bool:
    """Whether parameters differ in shapes and contents of arrays alone."""
    if first.shape and len(first.shape) == len(other.shape):
        return dataclasses.replace(first, role=other.role, shape=other.shape, values=other.values) == other
    return first == other


class _Sizes:
    """The sizes of several launches, the same in all or with a name that stands for each. `places` are where
    launches have those with names.
    """

    def __init__(self, described: Sequence[Launch]) -> None:
        self.sizes = described[0].sizes
        self.names: dict[tuple[Size, ...], str] = {}
        self.places: dict[str, Axis] = {}
        parameters = described[0].parameters.items()
        same = [
            size
            for several in [
                *zip(*(one.dims for one in described), strict=True),
                *(
                    extents
                    for name, _ in parameters
                    for extents in zip(*(one.parameters[name].shape for one in described), strict=False)
                ),
            ]
            if len(set(map(self._known, several))) == 1
            for size in several
        ]
        same += [one.size for _, one in parameters if one.size is not None]
        self.taken = {*dict(parameters), "n"} | self._used(same)

    def _known(self, size: Size) -> Size:
        return canonical_size(size, self.sizes)

    def _used(self, sizes: Sequence[Size]) -> set[str]:
        """The names that sizes are computed from."""
        found: set[str] = set()
        left = [*sizes]
        while left:
            names = set(size_names(left.pop())) - found
            found |= names
            left += [self.sizes[name] for name in names if name in self.sizes]
        return found

    def of(self, several: Sequence[Sequence[Size]], leaf: str | None) -> tuple[Size, ...]:
        """The dimensions of all launches, or the shapes of one of their arrays, as one."""
        rank = len(several[0])
        return tuple(
            self._general(extents, leaf, rank, axis)
            for axis, extents in enumerate(zip(*several, strict=True))
        )

    def _general(self, extents: Sequence[Size], leaf: str | None, rank: int, axis: int) -> Size:
        known = tuple(map(self._known, extents))
        if len(set(known)) == 1:
            return extents[0]
        if known not in self.names:
            words = [one for one in extents if isinstance(one, str) and one.isidentifier()]
            words.append(extent_name(leaf or "", rank, axis, False).strip("_"))
            name = next((word for word in words if word not in self.taken), fresh(words[-1], self.taken))
            self.taken.add(name)
            self.names[known] = name
            self.places[name] = Axis(leaf, axis)
        return self.names[known]

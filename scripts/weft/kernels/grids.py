"""How a launch covers the elements: ranks, sizes, padding, masks, indirection, and other walks."""

from __future__ import annotations

from weft.kernels import walks
from weft.kernels.builder import Builder
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.kernels.words import plural

GRIDS: dict[int, list[tuple[tuple[str, str, str], ...]]] = {
    2: [
        (("i", "rows", "(n + 15) // 16"), ("j", "cols", "16")),
        (("y", "height", "(n + 7) // 8"), ("x", "width", "8")),
        (("row", "rows", "12"), ("col", "cols", "(n + 11) // 12")),
        (("j", "ny", "max(n // 10, 1)"), ("i", "nx", "10")),
    ],
    3: [
        (("i", "nx", "(n + 31) // 32"), ("j", "ny", "4"), ("k", "nz", "8")),
        (("z", "depth", "3"), ("y", "height", "(n + 14) // 15"), ("x", "width", "5")),
        (("b", "batch", "(n + 23) // 24"), ("i", "rows", "6"), ("j", "cols", "4")),
        (("frame", "frames", "4"), ("y", "height", "(n + 19) // 20"), ("x", "width", "5")),
    ],
    4: [
        (("b", "batch", "2"), ("c", "channels", "3"), ("y", "height", "(n + 29) // 30"), ("x", "width", "5")),
        (("t", "steps", "3"), ("z", "depth", "2"), ("y", "height", "4"), ("x", "width", "(n + 23) // 24")),
        (("w", "worlds", "(n + 23) // 24"), ("i", "rows", "3"), ("j", "cols", "4"), ("c", "channels", "2")),
    ],
}


def threads(
    k: Builder,
    *dimensions: int,
    name: str = "i",
    plain: bool = False,
    indirect: bool = True,
    every: bool = False,
) -> tuple[Expr, ...]:
    """One thread for each element of a grid of one of these ranks (drawn from 1 to 4 if none is given).

    `plain` keeps the indices as they are; otherwise the launch may be padded, masked, walk over the elements
    in another way (`walks`) or, where `indirect` allows it, go through a permutation. With `every`, each
    element is visited: no mask, no permutation.
    """
    allowed = dimensions or (1, 2, 3, 4)
    ranks = {one: weight for one, weight in k.policy.dimensions.items() if one in allowed}
    rank = k.rng.weighted(ranks) if ranks else k.rng.pick(*allowed)
    prologue = "plain" if plain else k.rng.weighted(k.policy.prologue)
    if every and prologue in ("masked", "indirect"):
        prologue = "padded"
    if prologue == "indirect" and not indirect:
        prologue = "masked"
    masked = prologue == "walk" and not every
    if prologue == "walk":
        walks.choose(k, rank)
    if rank == 1:
        k.axes = (name,)
        return _line(k, name, prologue, masked)
    grid = k.rng.pick(*GRIDS[rank])
    for _, size, value in grid:
        k.sizes[size] = value
    shape = [size for _, size, _ in grid]
    names = [index for index, _, _ in grid]
    k.axes = tuple(names)
    if prologue != "padded":
        index = k.threads(shape, names)
        if prologue == "masked" or (masked and k.rng.chance(k.policy.masked_walk)):
            _mask(k, index, shape)
        return index
    k.threads([f"{size} + {k.rng.pick(1, 2, 3)}" for size in shape], names)
    index = k.index
    outside = [one >= k.size(size, size) for one, size in zip(index, shape, strict=True)]
    condition = outside[0]
    for one in outside[1:]:
        condition = condition | one
    with k.when(condition):
        k.jump("return")
    k.shape = tuple(shape)
    return index


def _line(k: Builder, name: str, prologue: str, masked: bool) -> tuple[Expr, ...]:
    if prologue == "padded":
        block = k.rng.pick(32, 64, 128)
        index = k.threads([f"(n + {block - 1}) // {block} * {block}"], [name])
        count = k.size(k.rng.pick("count", "n", f"num_{plural(name)}" if len(name) > 2 else "num_items"), "n")
        with k.when(index[0] >= count):
            k.jump("return")
        k.shape = ("n",)
        return index
    if prologue == "indirect":
        order = k.array(
            k.rng.pick("order", "permutation", "sorted_indices"), I32, ["n"], {"permutation": "n"}
        )
        (thread,) = k.threads(["n"], ["tid"])
        there = k.let(name, order[thread])
        if k.rng.chance(0.5):
            k.index, k.target = (there,), (thread,)
            k.notes.append(f"{order.parameter.name} says which element each thread works on")
        else:
            k.index, k.target = (thread,), (there,)
            k.notes.append(f"{order.parameter.name} says where each thread stores its result")
        return k.index
    index = k.threads(["n"], [name])
    if prologue == "masked" or (masked and k.rng.chance(k.policy.masked_walk)):
        _mask(k, index, ["n"])
    return index


def _mask(k: Builder, index: tuple[Expr, ...], shape: list[str]) -> None:
    """Threads whose flag is not set leave their outputs alone."""
    name, note = k.rng.pick(
        ("active", "Elements that are not active are skipped"),
        ("mask", "Elements outside the mask are skipped"),
        ("enabled", "Elements that are not enabled are skipped"),
    )
    flags = k.array(name, I32, shape, {"integers": [0, 2]})
    with k.when(flags[index].equals(0)):
        k.jump("return")
    k.notes.append(note)

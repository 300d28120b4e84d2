"""How threads walk over the elements: one each, several each, or with indices that are taken apart.

An idiom is written as if one thread worked on each element. As no element depends on another, any other walk
that visits each of them once computes the same; `apply` rewrites the finished body to the one that was drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weft.kernels.builder import Builder
from weft.kernels.expressions import lift, ops
from weft.kernels.program import Assign, Expr, For, If, Jump, Name, Stmt, ThreadIndex, While, jumps
from weft.kernels.types import I32

Axes = tuple[Name, ...]
LINE = ("reversed", "blocks", "stride", "run", "rounds", "while")
GRID = ("reversed", "flat", "swapped", "lines", "stride")
LOOPS = ("stride", "run", "rounds", "while", "lines")


def choose(k: Builder, rank: int) -> None:
    """Draw a walk for elements of this rank; `apply` carries it out when the body is there."""
    allowed = LINE if rank == 1 else (*GRID, "tiles") if rank == 2 else GRID
    weights = {kind: weight for kind, weight in k.policy.walk.items() if kind in allowed}
    k.walk = k.rng.weighted(weights) if weights else "reversed"


def apply(k: Builder) -> None:
    """Rewrite the body from one thread an element to the walk that was drawn, if one was."""
    kind, k.walk = k.walk, None
    if kind is None:
        return
    head = k.body[0]
    assert isinstance(head, ThreadIndex)
    returns = [(one, depth) for one, depth in jumps(k.body) if one.kind == "return"]
    if kind in LOOPS and (any(depth for _, depth in returns) or (kind == "while" and returns)):
        kind = "reversed"
    if kind in LOOPS:
        for one, _ in returns:
            one.kind = "continue"
    k.body[:] = _WALKS[kind](k, head.names, k.body[1:])


def _tid(k: Builder, dims: Sequence[str], *names: str) -> tuple[ThreadIndex, Axes]:
    """Launch over `dims`; the statement that names the thread's indices."""
    k.dims = list(dims)
    axes = tuple(k.axis(name, dim) for name, dim in zip(names, dims, strict=True))
    return ThreadIndex(axes), axes


def _fresh(k: Builder, name: str, value: Expr) -> tuple[Assign, Name]:
    variable = Name(value.type, value.interval, k.fresh(name))
    return Assign(variable, value), variable


def _size(k: Builder, size: str) -> Expr:
    """An extent of the elements as a parameter."""
    return k.size(k.rng.pick("count", "n", "num_items", "length") if size == "n" else size, size)


def _leave(condition: Expr) -> If:
    return If(condition, [Jump("return")], [])


def _threads(k: Builder, elements: str) -> Expr:
    """A number of threads below the number of elements, as a parameter; it becomes the launch."""
    share = k.rng.pick(2, 3, 4, 8)
    k.sizes["threads"] = k.rng.pick(f"({elements} + {share - 1}) // {share}", f"min({elements}, 512)")
    return k.size(k.rng.pick("num_threads", "stride", "total_threads"), "threads")


def _reversed(k: Builder, axes: Axes, body: list[Stmt]) -> list[Stmt]:
    mirrored = k.rng.below(len(axes))
    names = [f"thread_{one.name}" if at == mirrored else one.name for at, one in enumerate(axes)]
    k.names -= {one.name for at, one in enumerate(axes) if at != mirrored}
    names[mirrored] = "tid" if len(axes) == 1 else names[mirrored]
    tid, threads = _tid(k, k.shape, *names)
    return [tid, Assign(axes[mirrored], _size(k, k.shape[mirrored]) - 1 - threads[mirrored]), *body]


def _blocks(k: Builder, axes: Axes, body: list[Stmt]) -> list[Stmt]:
    width = k.rng.pick(32, 64, 128)
    names = k.rng.pick(("block", "lane"), ("group", "member"), ("chunk", "offset"))
    size = _size(k, "n")
    tid, (block, lane) = _tid(k, [f"(n + {width - 1}) // {width}", str(width)], *names)
    place = Assign(axes[0], block * width + lane)
    return [tid, place, _leave(_known(axes[0]) >= size), *body]


def _known(name: Name) -> Name:
    """The variable with no bounds in terms of a size, as it is not yet compared with one."""
    return Name(I32, lift(0, I32).interval.hull(name.interval), name.name)


def _stride(k: Builder, axes: Axes, body: list[Stmt]) -> list[Stmt]:
    if len(axes) == 1:
        step = _threads(k, "n")
        tid, (thread,) = _tid(k, ["threads"], "tid")
        return [tid, For(axes[0], thread, _size(k, "n"), step, body)]
    total = " * ".join(k.shape)
    step = _threads(k, total)
    tid, (thread,) = _tid(k, ["threads"], "tid")
    cell = k.axis(k.rng.pick("cell", "item", "linear"), total)
    return [tid, For(cell, thread, _product(k, k.shape), step, [*_apart(k, cell, axes, k.shape), *body])]


def _run(k: Builder, axes: Axes, body: list[Stmt]) -> list[Stmt]:
    share = k.rng.pick(2, 3, 4, 8)
    size = _size(k, "n")
    tid, (thread,) = _tid(k, [f"(n + {share - 1}) // {share}"], "tid")
    first, start = _fresh(k, k.rng.pick("first", "start", "begin"), thread * share)
    return [tid, first, For(axes[0], start, ops.min(start + share, size), 1, body)]


def _rounds(k: Builder, axes: Axes, body: list[Stmt]) -> list[Stmt]:
    share = k.rng.pick(2, 3, 4)
    size = _size(k, "n")
    counter = k.axis(k.rng.pick("turn", "e", "part"), str(share))
    if k.rng.chance(0.5):
        tid, (thread,) = _tid(k, [f"(n + {share - 1}) // {share}"], "tid")
        place = Assign(axes[0], thread * share + counter)
    else:
        k.sizes["threads"] = f"(n + {share - 1}) // {share}"
        tid, (thread,) = _tid(k, ["threads"], "tid")
        place = Assign(axes[0], counter * k.size("num_threads", "threads") + thread)
    inside = If(_known(axes[0]) < size, body, [])
    return [tid, For(counter, lift(0, I32), lift(share, I32), 1, [place, inside])]


def _while(k: Builder, axes: Axes, body: list[Stmt]) -> list[Stmt]:
    size = _size(k, "n")
    step = _threads(k, "n")
    k.dims = ["threads"]
    forward = Assign(axes[0], step, "+")
    return [ThreadIndex(axes), While(_known(axes[0]) < size, [*body, forward])]


def _product(k: Builder, shape: Sequence[str]) -> Expr:
    total = _size(k, shape[0])
    for size in shape[1:]:
        total = total * _size(k, size)
    return total


def _apart(k: Builder, cell: Name, axes: Axes, shape: Sequence[str]) -> list[Stmt]:
    """Statements that take a flat index apart into all axes: the last is the fastest, or the first."""
    if k.rng.chance(0.3):
        axes, shape = axes[::-1], shape[::-1]
    statements: list[Stmt] = []
    if len(axes) == 2 or k.rng.chance(0.5):
        below: Expr = cell
        for position in range(len(axes) - 1, 0, -1):
            size = _size(k, shape[position])
            statements.append(Assign(axes[position], below % size))
            below = below // size
            if position > 1:
                rest, below = _fresh(k, "rest", below)
                statements.append(rest)
        return [*statements, Assign(axes[0], below)][:: 1 if len(axes) > 2 else -1]
    rest_of: Expr = cell
    for position in range(len(axes) - 1):
        size = _product(k, shape[position + 1 :])
        statements.append(Assign(axes[position], rest_of // size))
        last = position == len(axes) - 2
        if last:
            statements.append(Assign(axes[-1], rest_of % size))
        else:
            rest, rest_of = _fresh(k, "rest", rest_of % size)
            statements.append(rest)
    return statements


def _flat(k: Builder, axes: Axes, body: list[Stmt]) -> list[Stmt]:
    if len(axes) > 2 and k.rng.chance(0.4):
        at = k.rng.below(len(axes) - 1)
        merged = axes[at : at + 2]
        rest = [*k.shape[:at], f"{k.shape[at]} * {k.shape[at + 1]}", *k.shape[at + 2 :]]
        kept = [one.name for one in (*axes[:at], *axes[at + 2 :])]
        k.names -= set(kept)
        names = [*kept[:at], k.rng.pick("pair", "line", "slot"), *kept[at:]]
        tid, threads = _tid(k, rest, *names)
        return [tid, *_apart(k, threads[at], merged, k.shape[at : at + 2]), *body]
    total = " * ".join(k.shape)
    block = k.rng.pick(0, 0, 64, 128, 256)
    dims = f"({total} + {block - 1}) // {block} * {block}" if block else total
    tid, (thread,) = _tid(k, [dims], k.rng.pick("tid", "cell", "linear"))
    guard = [_leave(thread >= _product(k, k.shape))] if block else []
    return [tid, *guard, *_apart(k, thread, axes, k.shape), *body]


def _swapped(k: Builder, axes: Axes, body: list[Stmt]) -> list[Stmt]:
    pairs = list(zip(axes, k.shape, strict=True))
    turn = k.rng.integer(1, len(pairs) - 1)
    pairs = pairs[turn:] + pairs[:turn]
    k.dims = [size for _, size in pairs]
    return [ThreadIndex(tuple(one for one, _ in pairs)), *body]


def _lines(k: Builder, axes: Axes, body: list[Stmt]) -> list[Stmt]:
    """One thread for each line along an axis."""
    along = k.rng.pick(0, *range(len(axes)), len(axes) - 1)
    size = k.size(k.shape[along], k.shape[along])
    rest = [at for at in range(len(axes)) if at != along]
    k.dims = [k.shape[at] for at in rest]
    return [ThreadIndex(tuple(axes[at] for at in rest)), For(axes[along], lift(0, I32), size, 1, body)]


def _tiles(k: Builder, axes: Axes, body: list[Stmt]) -> list[Stmt]:
    """A four-dimensional launch: tiles, and the places in each."""
    height, width = k.rng.pick((4, 8), (8, 8), (2, 16), (8, 4))
    (first, second), (rows, cols) = axes, k.shape
    dims = [f"({rows} + {height - 1}) // {height}", f"({cols} + {width - 1}) // {width}"]
    names = (f"tile_{first.name}", f"tile_{second.name}", f"d{first.name}", f"d{second.name}")
    tid, threads = _tid(k, [*dims, str(height), str(width)], *names)
    places = [
        Assign(first, threads[0] * height + threads[2]),
        Assign(second, threads[1] * width + threads[3]),
    ]
    outside = (_known(first) >= _size(k, rows)) | (_known(second) >= _size(k, cols))
    return [tid, *places, _leave(outside), *body]


_WALKS: dict[str, Callable[[Builder, Axes, list[Stmt]], list[Stmt]]] = {
    "reversed": _reversed,
    "blocks": _blocks,
    "stride": _stride,
    "run": _run,
    "rounds": _rounds,
    "while": _while,
    "flat": _flat,
    "swapped": _swapped,
    "lines": _lines,
    "tiles": _tiles,
}

"""Codes of cells on grids: Morton and Hilbert orders, octrees, bricks, packed coordinates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.domains.bitmaps import WORD, as_int, as_word, mask, word_var, words
from weft.kernels.expressions import bounded, conditional, construct, convert, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, vector, whole
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.types import I32, U32
from weft.types import Type, Vector

CELL = Vector(3, I32)


def whole_vector(_: Builder) -> Type:
    """Three ints, one an axis."""
    return CELL


grid_point = Domain("point", index=("i", "idx", "tid"), things=False)

place = Quantity("place", -1.0, 1.0, vector(3))
flat_place = Quantity("flat_place", 0.0, 1.0, vector(2))
cell = Quantity("cell", 0, 1023, whole_vector, least=0, most=1023)
other_cell = Quantity("other_cell", 0, 1023, whole_vector, least=0, most=1023)
stored_code = words("stored_code", most=2**30 - 1)
packed_word = words("packed_word", most=2**30 - 1)
normal_code = words("normal_code")
morton = words("morton_code", most=2**30 - 1)
next_morton = words("next_morton_code", most=2**30 - 1)
flat_morton = words("flat_morton_code", most=2**20 - 1)
hilbert = words("hilbert_index", "hilbert_indices", most=2**20 - 1)
gray = words("gray_code")
counter = words("counter")
level = Quantity("common_level", 0, 10, whole, least=0, most=32)
prefix = Quantity("prefix_length", 0, 32, whole, least=0, most=32)
child = Quantity("child_number", 0, 7, whole, least=0, most=7)
parent = words("parent_code", most=2**27 - 1)
neighbor_code = words("neighbor_code", most=2**30 - 1)
code_range = words("last_code", most=2**30 - 1)
flat_index = Quantity("flat_index", 0, 10**6, whole, least=0, most=2**30, plural="flat_indices")
brick = Quantity("brick_number", 0, 2**20, whole, least=0, most=2**30)
distance = Quantity("cell_distance", 0, 3000, whole, least=0, most=4000, extremal=True)
center = Quantity("cell_center", -1.0, 1.0, vector(3))
normal = Quantity("normal", -1.0, 1.0, vector(3))
is_before = Quantity("order_flag", 0, 1, whole)

Place = Annotated[Expr, place]
Cell = Annotated[Expr, cell]
Origin = Annotated[Expr, Setting(-1.2, -0.6, kind=vector(3))]
Morton = Annotated[Expr, morton]
NextMorton = Annotated[Expr, next_morton]
FlatMorton = Annotated[Expr, flat_morton]
Hilbert = Annotated[Expr, hilbert]
Gray = Annotated[Expr, gray]
Counter = Annotated[Expr, counter]
Level = Annotated[Expr, level]
Prefix = Annotated[Expr, prefix]
Child = Annotated[Expr, child]
FlatIndex = Annotated[Expr, flat_index]
MORTON, KARRAS = "Morton 1966", "Karras 2012"
SPREADS = {
    2: ((8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555)),
    3: ((16, 0x030000FF), (8, 0x0300F00F), (4, 0x030C30C3), (2, 0x09249249)),
}
"""How the bits of a coordinate are moved apart in so many dimensions: shifts, and what is kept."""


def spread(k: Builder, value: Expr, dimensions: int, *, loop: bool) -> Expr:
    """The ten lowest bits of a coordinate, so many places apart."""

    def by_loop(b: Builder, value: Expr) -> Expr:
        result = word_var(b, "result", 0)
        with b.loop("bit", 0, 10) as bit:
            b.add(result, ((value >> as_word(bit)) & 1) << as_word(dimensions * bit), "|")
        return bounded(result, 0, 2**28)

    def by_masks(b: Builder, value: Expr) -> Expr:
        result = word_var(b, "result", value)
        for step, keep in SPREADS[dimensions]:
            b.set(result, (result | (result << step)) & mask(keep))
        return bounded(result, 0, 2**28)

    def define() -> Callable[..., Expr]:
        doc = f"Ten bits of a number, {dimensions} places apart."
        limits = {"value": (U32, Interval(0, 1023, integral=True))}
        return k.function(f"spread_by_{dimensions}", doc, limits, by_loop if loop else by_masks)

    return k.once(f"bits {dimensions} apart {loop}", define)(value)


def gathered(k: Builder, code: Expr, dimensions: int) -> Expr:
    """Every so many bits of a code, side by side."""
    steps = SPREADS[dimensions]

    def body(b: Builder, code: Expr) -> Expr:
        result = word_var(b, "result", code & mask(steps[-1][1]))
        for n in reversed(range(len(steps))):
            keep = steps[n - 1][1] if n else 1023
            b.set(result, (result | (result >> steps[n][0])) & mask(keep))
        return bounded(result, 0, 1023)

    def define() -> Callable[..., Expr]:
        doc = f"Every bit of a code at a multiple of {dimensions}, side by side."
        return k.function(
            f"gather_by_{dimensions}", doc, {"code": (U32, Interval(0, WORD, integral=True))}, body
        )

    return k.once(f"bits of {dimensions} gathered", define)(code)


def interleaved(k: Builder, *cells: Expr, loop: bool = False) -> Expr:
    """The bits of two or three coordinates in turn, x lowest."""
    parts = [spread(k, as_word(one), len(cells), loop=loop) for one in cells]
    code = parts[0]
    for shift, part in enumerate(parts[1:], 1):
        code = code | (part << shift)
    return bounded(code, 0, 2 ** (10 * len(cells)) - 1)


@grid_point.formula()
def quantised_cell(k: Builder, place: Place) -> Cell:
    """Quantize a point to a 1024-cell grid."""
    parts = [convert(I32, ops.clamp(512.0 * (place[axis] + 1.0), 0.0, 1023.0)) for axis in range(3)]
    return bounded(construct(CELL, *parts), 0, 1023)


@grid_point.formula(teaches=("loop",))
def floored_cell(
    k: Builder, place: Place, origin: Origin, spacing: Annotated[Expr, Setting(0.02, 0.2)]
) -> Cell:
    """Grid cell that contains a point."""
    parts = []
    for axis, letter in enumerate("xyz"):
        steps = k.let(f"steps_{letter}", (place[axis] - origin[axis]) / spacing)
        parts.append(convert(I32, ops.clamp(ops.floor(bounded(steps, -1e3, 1e3)), 0.0, 1023.0)))
    return bounded(construct(CELL, *parts), 0, 1023)


@grid_point.formula(source=MORTON, undoes=("looped_morton", "masked_morton", "tabulated_morton"))
def decoded_cell(k: Builder, stored_code: Annotated[Expr, stored_code]) -> Cell:
    """Cell coordinates decoded from a Morton code."""
    parts = [as_int(gathered(k, stored_code >> axis if axis else stored_code, 3), 1023) for axis in range(3)]
    return bounded(construct(CELL, *parts), 0, 1023)


@grid_point.formula(undoes=("packed_cell",))
def unpacked_cell(k: Builder, packed_word: Annotated[Expr, packed_word]) -> Cell:
    """Unpack cell coordinates, ten bits an axis."""
    parts = [as_int((packed_word >> shift if shift else packed_word) & 1023, 1023) for shift in (0, 10, 20)]
    return bounded(construct(CELL, *parts), 0, 1023)


@grid_point.formula(source=MORTON)
def masked_morton(k: Builder, cell: Cell) -> Morton:
    """3D Morton code by magic masks."""
    return interleaved(k, cell[0], cell[1], cell[2])


@grid_point.formula(source=MORTON, teaches=("loop",))
def looped_morton(k: Builder, cell: Cell) -> Morton:
    """3D Morton code, bit by bit."""
    return interleaved(k, cell[0], cell[1], cell[2], loop=True)


@grid_point.formula(source="Raman and Wise 2008", teaches=("table",))
def tabulated_morton(k: Builder, cell: Cell) -> Morton:
    """3D Morton code by a lookup table."""
    spreads = [sum(((n >> bit) & 1) << (3 * bit) for bit in range(5)) for n in range(32)]
    table = k.input("spread_bits", I32, ["32"], {"list": spreads}, "constant")

    def spread_of(cell: Expr) -> Expr:
        return as_word(bounded(table[cell & 31] | (table[cell >> 5] << 15), 0, 2**28 - 1))

    code = spread_of(cell[0]) | (spread_of(cell[1]) << 1) | (spread_of(cell[2]) << 2)
    return bounded(code, 0, 2**30 - 1)


@grid_point.formula(source=MORTON)
def plane_morton(k: Builder, cell: Cell) -> FlatMorton:
    """2D Morton code by magic masks."""
    return interleaved(k, cell[0], cell[1])


@grid_point.formula(source=MORTON, teaches=("loop",))
def looped_plane_morton(k: Builder, cell: Cell) -> FlatMorton:
    """2D Morton code, bit by bit."""
    return interleaved(k, cell[0], cell[1], loop=True)


@grid_point.formula(source="Hilbert 1891", teaches=("loop", "branch"))
def hilbert_of_cell(k: Builder, cell: Cell) -> Hilbert:
    """Hilbert index of a cell in the plane."""
    x, y = k.var("x", cell[0], bounds=(0, 1023)), k.var("y", cell[1], bounds=(0, 1023))
    index, side = (
        k.var("index", 0, type=I32, bounds=(0, 2**20 - 1)),
        k.var("side", 512, type=I32, bounds=(0, 512)),
    )
    with k.repeat(side > 0, 10):
        right = k.let("right", conditional((x & side) > 0, lift(1, I32), 0))
        upper = k.let("upper", conditional((y & side) > 0, lift(1, I32), 0))
        k.set(index, bounded(index + side * side * ((3 * right) ^ upper), 0, 2**20 - 1))
        with k.when(upper.equals(0)):
            with k.when(right.equals(1)):
                k.set(x, bounded(1023 - x, 0, 1023))
                k.set(y, bounded(1023 - y, 0, 1023))
            before = k.let("before", x)
            k.set(x, y)
            k.set(y, before)
        k.set(side, bounded(side // 2, 0, 512))
    return as_word(index)


@grid_point.formula(
    source="Lam and Shapiro 1994",
    teaches=(
        "table",
        "loop",
    ),
)
def hilbert_of_morton(k: Builder, flat_morton_code: FlatMorton) -> Hilbert:
    """Hilbert index from a Morton code, by a state table."""
    ranks = [0, 3, 1, 2, 0, 1, 3, 2, 2, 3, 1, 0, 2, 1, 3, 0]
    turns = [1, 2, 0, 0, 0, 1, 3, 1, 2, 2, 0, 3, 3, 1, 3, 2]
    rank_of = k.input("quadrant_ranks", I32, ["16"], {"list": ranks}, "constant")
    turn_of = k.input("quadrant_turns", I32, ["16"], {"list": turns}, "constant")
    index = k.var("index", 0, type=U32, bounds=(0, 2**20 - 1))
    state = k.var("state", 0, type=I32, bounds=(0, 3))
    with k.loop("step", 0, 10) as step:
        quadrant = k.let("quadrant", as_int((flat_morton_code >> as_word(18 - 2 * step)) & 3, 3))
        entry = k.let("entry", 4 * state + quadrant)
        k.set(index, bounded((index << 2) | as_word(rank_of[entry]), 0, 2**20 - 1))
        k.set(state, turn_of[entry])
    return index


@grid_point.formula(source="Gray 1953")
def gray_code(k: Builder, counter: Counter) -> Gray:
    """Gray code of a counter."""
    return counter ^ (counter >> 1)


@grid_point.formula(source="Faloutsos 1988")
def gray_order(k: Builder, morton_code: Morton) -> Gray:
    """Gray code of a Morton code."""
    return morton_code ^ (morton_code >> 1)


@grid_point.formula(source="Gray 1953", teaches=("loop",))
def gray_rank(k: Builder, gray_code: Gray) -> Annotated[Expr, words("gray_rank")]:
    """Gray-code rank by repeated shifts."""
    rank, rest = word_var(k, "rank", gray_code), word_var(k, "rest", gray_code >> 1)
    with k.repeat(rest.differs(0), 32):
        k.add(rank, rest, "^")
        k.set(rest, rest >> 1)
    return rank


@grid_point.formula(source="Warren 2013")
def folded_gray_rank(k: Builder, gray_code: Gray) -> Annotated[Expr, words("gray_rank")]:
    """Gray-code rank by doubling shifts."""
    rank = word_var(k, "rank", gray_code)
    for step in (1, 2, 4, 8, 16):
        k.add(rank, rank >> step, "^")
    return rank


@grid_point.formula(source=KARRAS, teaches=("loop",))
def common_prefix(k: Builder, morton_code: Morton, next_morton_code: NextMorton) -> Prefix:
    """Length of the common Morton prefix with the next point."""
    rest, length = (
        word_var(k, "rest", morton_code ^ next_morton_code),
        k.var("length", 32, type=I32, bounds=(0, 32)),
    )
    with k.repeat(rest.differs(0), 32):
        k.set(rest, rest >> 1)
        k.set(length, bounded(length - 1, 0, 32))
    return length


@grid_point.formula(source=KARRAS)
def prefix_level(k: Builder, prefix_length: Prefix) -> Level:
    """Deepest octree level shared with the next point."""
    return bounded(ops.max(prefix_length - 2, 0) // 3, 0, 10)


@grid_point.formula(source="Meagher 1982")
def octree_child(k: Builder, morton_code: Morton, common_level: Level) -> Child:
    """Octree child below a given level."""
    shift = bounded(27 - 3 * ops.min(common_level, 9), 0, 27)
    return as_int((morton_code >> as_word(shift)) & 7, 7)


@grid_point.formula(source="Meagher 1982", teaches=("branch",))
def compared_child(k: Builder, place: Place, cell_center: Annotated[Expr, center]) -> Child:
    """Octree child that contains a point."""
    number = k.var("number", 0, type=I32, bounds=(0, 7))
    for component, bit in enumerate((1, 2, 4)):
        with k.when(place[component] > cell_center[component]):
            k.set(number, bounded(number | bit, 0, 7))
    return number


@grid_point.formula(source="Gargantini 1982")
def parent_code(k: Builder, morton_code: Morton) -> Annotated[Expr, parent]:
    """Morton code of the parent octree node."""
    return morton_code >> 3


@grid_point.formula(source="Gargantini 1982")
def last_code(k: Builder, morton_code: Morton, common_level: Level) -> Annotated[Expr, code_range]:
    """Last Morton code within an octree node."""
    shift = as_word(bounded(30 - 3 * common_level, 0, 30))
    return bounded(morton_code | ((lift(1, U32) << shift) - 1), 0, 2**30 - 1)


for _axis, _first in (("x", 0x09249249), ("y", 0x12492492), ("z", 0x24924924)):

    def _stepped(k: Builder, morton_code: Expr, _first: int = _first) -> Expr:
        rest = 0x3FFFFFFF ^ _first
        along = (morton_code | mask(rest)) + mask(_first & -_first)
        return bounded((along & mask(_first)) | (morton_code & mask(rest)), 0, 2**30 - 1)

    _stepped.__annotations__ = {"morton_code": Morton, "return": Annotated[Expr, neighbor_code]}
    grid_point.formula(
        name=f"morton_neighbor_{_axis}",
        doc=f"Morton code of the next cell along {_axis}, without decoding.",
        source="Schrack 1992",
    )(_stepped)


@grid_point.formula(source="Chan 2002", teaches=("branch",))
def morton_order(
    k: Builder,
    cell: Cell,
    other_cell: Annotated[Expr, other_cell],
) -> Annotated[Expr, is_before]:
    """Compare two cells in Morton order."""
    x_change, y_change = (
        k.let("x_change", cell[0] ^ other_cell[0]),
        k.let("y_change", cell[1] ^ other_cell[1]),
    )
    found = k.var("larger", 0, type=I32, bounds=(0, 1))
    with k.when((y_change < x_change) & (y_change < (x_change ^ y_change))):
        k.set(found, conditional(cell[0] < other_cell[0], lift(1, I32), 0))
    with k.otherwise():
        k.set(found, conditional(cell[1] < other_cell[1], lift(1, I32), 0))
    return found


@grid_point.formula()
def row_major_index(
    k: Builder, cell: Cell, pitch: Annotated[Expr, Setting(1024, 2048, kind=whole)]
) -> FlatIndex:
    """Row-major index of a cell."""
    return cell[1] * pitch + cell[0]


for _side in (4, 8, 16):

    def _tiled(k: Builder, cell: Expr, _side: int = _side) -> Expr:
        tile = k.let("tile", cell[1] // _side * (1024 // _side) + cell[0] // _side)
        inside = k.let("inside", cell[1] % _side * _side + cell[0] % _side)
        return tile * (_side * _side) + inside

    _tiled.__annotations__ = {"cell": Cell, "return": FlatIndex}
    grid_point.formula(
        name=f"tiled_index_{_side}",
        doc=f"Cell index in a layout of {_side} x {_side} tiles.",
    )(_tiled)


@grid_point.formula(source="Bridson 2015")
def brick_number(k: Builder, cell: Cell) -> Annotated[Expr, brick]:
    """Brick index for bricks of 8 cells a side."""
    return (cell[2] // 8 * 128 + cell[1] // 8) * 128 + cell[0] // 8


@grid_point.formula(source="Museth 2013")
def brick_offset(
    k: Builder, cell: Cell
) -> Annotated[Expr, Quantity("brick_offset", 0, 511, whole, least=0, most=511)]:
    """Offset within a brick of 8 cells a side."""
    return bounded(((cell[2] & 7) << 6) | ((cell[1] & 7) << 3) | (cell[0] & 7), 0, 511)


@grid_point.formula()
def packed_cell(k: Builder, cell: Cell) -> Annotated[Expr, words("packed_cell", most=2**30 - 1)]:
    """Pack cell coordinates, ten bits an axis."""
    x, y, z = (as_word(one) for one in (cell[0], cell[1], cell[2]))
    return bounded((z << 20) | (y << 10) | x, 0, 2**30 - 1)


@grid_point.formula()
def manhattan_distance(
    k: Builder,
    cell: Cell,
    center_cell: Annotated[Expr, Setting(400, 600, kind=whole)],
) -> Annotated[Expr, distance]:
    """Manhattan distance between two cells."""
    return ops.abs(cell[0] - center_cell) + ops.abs(cell[1] - center_cell) + ops.abs(cell[2] - center_cell)


@grid_point.formula()
def chessboard_distance(
    k: Builder, cell: Cell, center_cell: Annotated[Expr, Setting(400, 600, kind=whole)]
) -> Annotated[Expr, distance]:
    """Chebyshev distance between two cells."""
    return ops.max(ops.abs(cell[0] - center_cell), ops.abs(cell[1] - center_cell))


@grid_point.formula()
def cell_center(k: Builder, cell: Cell) -> Annotated[Expr, center]:
    """Center of a grid cell."""
    parts = [(convert(k.real, one) + 0.5) / 512.0 - 1.0 for one in (cell[0], cell[1], cell[2])]
    return bounded(construct(Vector(3, k.real), *parts), -1.0, 1.0)


@grid_point.formula(source="Cigolle et al. 2014", teaches=("branch",))
def octahedral_normal(k: Builder, normal_code: Annotated[Expr, normal_code]) -> Annotated[Expr, normal]:
    """Decode an octahedral normal."""
    u = k.var(
        "u",
        bounded(convert(k.real, bounded(normal_code & 0xFFFF, 0, 65535)) / 32767.5 - 1.0, -1.0, 1.0),
        bounds=(-1.0, 1.0),
    )
    v = k.var(
        "v",
        bounded(convert(k.real, bounded(normal_code >> 16, 0, 65535)) / 32767.5 - 1.0, -1.0, 1.0),
        bounds=(-1.0, 1.0),
    )
    w = k.let("w", bounded(1.0 - ops.abs(u) - ops.abs(v), -1.0, 1.0))
    with k.when(w < 0.0):
        folded = k.let("folded", bounded((1.0 - ops.abs(v)) * ops.sign(u), -1.0, 1.0))
        k.set(v, bounded((1.0 - ops.abs(u)) * ops.sign(v), -1.0, 1.0))
        k.set(u, folded)
    return bounded(ops.normalize(construct(Vector(3, k.real), u, v, w)), -1.0, 1.0)

"""Products of matrices, a tile of the result a block, and what is fused with them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from weft.kernels import tiles
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform, whole
from weft.kernels.composition import Composition, array_name
from weft.kernels.constants import PI
from weft.kernels.domains.neural import unit
from weft.kernels.expressions import bounded, ops
from weft.kernels.formulas import Quantity
from weft.kernels.formulas import whole as wholes
from weft.kernels.idioms.blocks import exact
from weft.kernels.idioms.epilogues import fused, planned
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Name, Redraw, Undefined
from weft.kernels.types import F16, F32, I32, scalar_of
from weft.kernels.words import plural, singular
from weft.types import Scalar

SHAPES = ((16, 16, 16), (32, 32, 16), (32, 32, 16), (32, 32, 32), (64, 32, 16), (32, 64, 16), (64, 64, 16))
"""Rows and columns of a block's tile, and how far it goes along the inner dimension in one step."""
EXTENTS = (("rows", "columns", "depth"), ("m", "n_out", "depth"), ("rows", "cols", "inner"))
LAYERS = (("tokens", "outputs", "inputs"), ("batch", "outputs", "inputs"), ("samples", "units", "features"))
REACH = 16.0
"""What a product's elements are within: second factors are small."""


class Product:
    """A grid of blocks, each with a tile of a product; of each matrix of a `batch`, if there is one."""

    def __init__(
        self, k: Builder, names: tuple[str, str, str], *, square: bool = False, batch: str = ""
    ) -> None:
        self.k, (self.down, self.across, self.inner) = k, names
        k.equality = "bounded"
        fitting = [one for one in SHAPES if k.real == F32 or one[0] * one[1] <= 1024]
        self.m, self.n, self.depth = k.rng.pick(*(one for one in fitting if not square or one[0] == one[1]))
        ragged = k.rng.chance(0.5)
        self.terms = k.rng.pick(48, 64, 72, 96, 100) if ragged else self.depth * k.rng.pick(2, 3, 4)
        rows = "(n + 63) // 64" if ragged else exact(self.m)
        columns = str(k.rng.pick(40, 72, 100) if ragged else self.n * k.rng.pick(1, 2, 3))
        if square:
            rows = columns = f"min(n // 4 + 9, {k.rng.pick(100, 128, 150)})"
        self.ragged = ragged
        terms = f"min(n // 2 + {self.depth}, {self.terms})" if ragged else str(self.terms)
        k.sizes |= {self.inner: terms, self.down: rows, self.across: columns}
        axes = k.rng.pick(("i", "j"), ("row", "col"), ("by", "bx"))
        self.leading, place = ([batch], [k.rng.pick(singular(batch), "b", "group")]) if batch else ([], [])
        k.sizes |= {batch: k.rng.pick("2", "3", "4")} if batch else {}
        tiled = ((self.down, self.m), (self.across, self.n))
        dims = [*self.leading, *(f"({size} + {step - 1}) // {step}" for size, step in tiled)]
        *self.row, i, j = k.blocks(dims, [*place, *axes], k.rng.pick(64, 128, 128, 256))
        self.corner = (i * self.m, j * self.n)

    def array(
        self, name: str, *shape: str, low: float = -1.0, high: float = 1.0, role: str = "in"
    ) -> ArrayHandle:
        """An array, of every matrix of a batch its own."""
        return self.k.array(name, self.k.real, [*self.leading, *shape], uniform(low, high), role)

    def tile(self, array: ArrayHandle, shape: tuple[int, ...], place: tuple[Expr | int, ...]) -> Name:
        """A tile of an array, named after it."""
        name = f"{singular(array.parameter.name)}_tile"
        return self.k.let(name, tiles.load(array, shape, place, row=self.row))

    def factor(self, name: str, *, left: bool, turned: bool = False, half: bool = False) -> ArrayHandle:
        """One of the matrices; `turned` ones are stored with the inner dimension the other way."""
        shape = [self.down, self.inner] if left else [self.inner, self.across]
        reach = 1.0 if left else REACH / self.terms
        shape = [*self.leading, *(shape[::-1] if turned else shape)]
        return self.k.array(name, F16 if half else self.k.real, shape, uniform(-reach, reach))

    def part(self, array: ArrayHandle, along: Expr, *, left: bool, turned: bool = False) -> Expr:
        """The tile of a factor that a step takes."""
        rows, columns = (self.m, self.depth) if left else (self.depth, self.n)
        y, x = (self.corner[0], along) if left else (along, self.corner[1])
        if turned:
            return tiles.transposed(self.tile(array, (columns, rows), (x, y)))
        return self.tile(array, (rows, columns), (y, x))

    def steps(self) -> AbstractContextManager[Name]:
        """The loop along the inner dimension, a step at a time."""
        k = self.k
        name = self.inner if self.inner in ("depth", "inner") else f"num_{self.inner}"
        extent = k.size(name, self.inner) if self.ragged else self.terms
        return k.loop(k.rng.pick("k", "k", "start", "k_start"), 0, extent, self.depth)

    def zero(self, name: str) -> Name:
        """The tile that products are added to."""
        return self.k.var(name, tiles.filled("zeros", (self.m, self.n), self.k.real))

    def add(self, total: Name, left: Expr, right: Expr) -> None:
        """Add the product of two tiles."""
        self.k.evaluate(tiles.product(left, right, total, -(-self.terms // self.depth)))

    def read(
        self, name: str, low: float, high: float, *, by: str = "", element: Scalar | None = None
    ) -> Expr:
        """The block's tile of another matrix, or of numbers for each `column` or `row`."""
        k, kind = self.k, element or self.k.real
        recipe = whole(int(low), int(high)) if kind == I32 else uniform(low, high)
        several = f"{name}es" if name.endswith("s") else plural(name)
        shape, (y, x) = [self.down, self.across], self.corner
        if not by:
            return self.tile(
                k.input(several, kind, [*self.leading, *shape], recipe), (self.m, self.n), (y, x)
            )
        size, length, place = (self.across, self.n, x) if by == "column" else (self.down, self.m, y)
        line: Expr = self.tile(k.input(several, kind, [*self.leading, size], recipe), (length,), (place,))
        line = line if by == "column" else tiles.reshaped(line, (length, 1))
        return tiles.broadcast(line, (self.m, self.n))

    def write(self, name: str, tile: Expr) -> None:
        """Store the block's tile of the result."""
        k, label = self.k, name if name not in self.k.names else f"{name}_out"
        out = k.array(label, scalar_of(tile.type), [*self.leading, self.down, self.across], None, "out")
        tiles.store(k, out, tile, self.corner, row=self.row)

    def change(self, name: str, change: Callable[[Expr], Expr]) -> None:
        """Store what becomes of an array's tile in place of it."""
        array = self.array(name, self.down, self.across, role="inout")
        changed = change(self.tile(array, (self.m, self.n), self.corner))
        tiles.store(self.k, array, changed, self.corner, row=self.row)

    @property
    def told(self) -> str:
        return f"Each block makes a tile of {self.m} by {self.n}"


def _multiplied(p: Product, left: ArrayHandle, turned: bool, *rights: tuple[ArrayHandle, bool, Name]) -> None:
    """Add the products of one matrix with others, step by step."""
    with p.steps() as along:
        tile = p.part(left, along, left=True, turned=turned)
        for array, flag, total in rights:
            p.add(total, tile, p.part(array, along, left=False, turned=flag))
    for _, _, total in rights:
        total.interval = Interval(-REACH, REACH)


def layer_product(k: Builder) -> None:
    """A layer of a network: inputs times weights, and what a unit makes of the product."""
    plan = planned(k)
    products, goal = plan.products(), plan.formula
    prefix = k.rng.pick("linear", "dense", "matmul")
    k.name, *k.other_names = k.rng.shuffled(
        [f"{prefix}_{goal.name}", f"fused_{goal.name}", f"{goal.name}_layer"]
    )
    batch = k.rng.pick("", "", "experts", "heads")
    p = Product(k, k.rng.pick(*LAYERS), batch=batch)
    half, turned = k.real == F32 and k.rng.chance(0.25), k.rng.chance(0.5)
    backward = "upstream_gradient" in products
    x = p.factor("next_gradients" if backward else k.rng.pick("x", "inputs"), left=True, half=half)
    names = [f"{one.removesuffix('_projection')}_weights" for one in products]
    names = ["weights"] if len(products) == 1 else names
    weights = [p.factor(one, left=False, turned=turned, half=half) for one in names]
    totals = [p.zero(one) for one in products]
    _multiplied(p, x, False, *((one, turned, total) for one, total in zip(weights, totals, strict=True)))

    def read(name: str, of: Quantity) -> Expr:
        element = I32 if of.kind is wholes else k.real
        return p.read(name, of.low, of.high, by="column" if of.load else "", element=element)

    result = fused(k, plan, dict(zip(products, totals, strict=True)), read)
    p.write(array_name(goal.result.name, goal.result), result)
    by = "a matrix of weights" if len(products) == 1 else "two matrices of weights"
    what = "gradients of the next layer" if backward else "inputs"
    each = f" for each of the {batch}" if batch else ""
    stored = ", stored transposed," if turned else ""
    k.doc = f"Multiply {what} by {by}{stored}{each} and {plan.said}{plan.steps()}. {p.told}."


def thread_product(k: Builder) -> None:
    """A layer whose blocks load tiles together, and whose threads add up one element each."""
    plan = planned(k)
    (name,), goal = plan.products()[:1], plan.formula
    if len(plan.products()) > 1:
        raise Redraw("a thread adds up one product")
    k.name, *k.other_names = k.rng.shuffled(
        [f"shared_{goal.name}", f"{goal.name}_by_threads", f"blocked_{goal.name}"]
    )
    k.equality = "bounded"
    down, across, inner = k.rng.pick(*LAYERS)
    side, terms = 16, k.rng.pick(48, 64, 72, 96, 100)
    k.sizes |= {down: "(n + 63) // 64", inner: f"min(n // 2 + 20, {terms})"}
    k.sizes[across] = f"min(n // 2 + 8, {k.rng.pick(40, 72, 100)})"
    axes = k.rng.pick(("block_y", "block_x"), ("by", "bx"), ("block_row", "block_col"))
    blocks = k.blocks([f"({one} + 15) // 16" for one in (down, across)], axes, side * side)
    y, x = k.in_square(side, k.rng.pick(("y", "x"), ("ty", "tx"), ("tile_row", "tile_col")))
    row, column = (
        k.let(one, block * side + part)
        for one, block, part in zip(k.rng.pick(("row", "col"), ("i", "j")), blocks, (y, x), strict=True)
    )
    inputs = k.array("inputs", k.real, [down, inner], uniform(-1.0, 1.0))
    weights = k.array("weights", k.real, [inner, across], uniform(-REACH / terms, REACH / terms))
    total = k.var(name, 0.0)
    with k.loop("start", 0, k.size(f"num_{inner}", inner), side) as start:
        names = k.rng.pick(("input_tile", "weight_tile"), ("left_tile", "right_tile"), ("x_tile", "w_tile"))
        places = (inputs, (blocks[0] * side, start)), (weights, (start, blocks[1] * side))
        left, right = (
            k.let(label, tiles.load(array, (side, side), place, shared=True))
            for label, (array, place) in zip(names, places, strict=True)
        )
        with k.loop(k.rng.pick("t", "inner", "m"), 0, side) as j:
            k.add(total, left[y, j] * right[j, x])
    total.interval = bounded(total, -REACH, REACH).interval
    for one in (row, column):
        one.interval = Interval(0, one.interval.hi, True)
    with k.when((row < k.size(f"num_{down}", down)) & (column < k.size(f"num_{across}", across))):
        k.index = k.target = (row, column)
        k.shape = (down, across)
        made = Composition(k, unit)
        given: dict[str, Expr] = {}
        for label, leaf in plan.leaves().items():
            value = total if label == name else made.supply(leaf, 0, True)
            assert isinstance(value, Expr)
            given[label] = value
        try:
            result = plan.value(k, given)
        except Undefined as error:
            raise Redraw(str(error)) from error
        label = array_name(goal.result.name, goal.result)
        k.store(k.array(label, result.type, [down, across], None, "out"), (row, column), result)
    k.doc = (
        f"Multiply inputs by a matrix of weights and {plan.said}{plan.steps()}. "
        f"Each thread adds up one element, from tiles of {side} by {side} that the block loads."
    )


def scaled_product(k: Builder) -> None:
    """Products as libraries of linear algebra have them, added to what is there."""
    name, sentence, body = k.rng.pick(*PRODUCTS)
    batch = k.rng.pick("", "", "batch")
    k.name, *k.other_names = k.rng.shuffled([f"batched_{one}" for one in name] if batch else name)
    p = Product(k, k.rng.pick(*EXTENTS), batch=batch)
    turned = k.rng.pick((False, False), (True, False), (False, True))
    a, b = (p.factor(one, left=at == 0, turned=turned[at]) for at, one in enumerate("ab"))
    product = p.zero(k.rng.pick("product", "acc", "total"))
    _multiplied(p, a, turned[0], (b, turned[1], product))
    factors = [f"{'the transpose of ' * flag}{one}" for flag, one in zip(turned, "ab", strict=True)]
    body(k, p, product)
    each = ", for each pair of a batch" if batch else ""
    k.doc = f"{sentence.format(' times '.join(factors))}{each}. {p.told}."


def _gemm(k: Builder, p: Product, product: Name) -> None:
    alpha, beta = (coefficient(k, one, 0.3, 2.0, kinds="p") for one in ("alpha", "beta"))
    p.change("c", lambda old: alpha * product + beta * old)


def _descent(k: Builder, p: Product, product: Name) -> None:
    rate = coefficient(k, "learning_rate", 0.01, 0.1, kinds="lp")
    p.change("weights", lambda old: old - rate * product)


def _low_rank(k: Builder, p: Product, product: Name) -> None:
    k.sizes["rank"] = "16"
    scale = coefficient(k, "adapter_scale", 0.2, 1.0, kinds="p")
    left = p.tile(p.array("projected", p.down, "rank"), (p.m, 16), (p.corner[0], 0))
    right = p.tile(p.array("up_weights", "rank", p.across, low=-0.2, high=0.2), (16, p.n), (0, p.corner[1]))
    p.write("outputs", product + scale * k.let("update", tiles.product(left, right)))


Update = Callable[[Builder, Product, Name], None]
PRODUCTS: tuple[tuple[tuple[str, ...], str, Update], ...] = (
    (("matmul", "tiled_matmul", "matrix_product"), "Compute {}", lambda k, p, product: p.write("c", product)),
    (("gemm", "scaled_gemm", "general_matmul"),
     "Compute alpha times {}, plus beta times c, in place of c", _gemm),
    (("schur_update", "trailing_update"),
     "Subtract {} from c, as a blocked factorisation does behind a panel",
     lambda k, p, product: p.change("c", lambda old: old - product)),
    (("accumulate_product", "add_product"), "Add {} to c",
     lambda k, p, product: p.change("c", lambda old: old + product)),
    (("masked_product", "sampled_product"), "Compute {}, each element weighted by a mask",
     lambda k, p, product: p.write("c", product * p.read("mask", 0.0, 1.0))),
    (("weight_descent", "linear_layer_update"),
     "Take a step of gradient descent: subtract the learning rate times {} from the weights", _descent),
    (("low_rank_adapter", "lora_product"), "Compute {}, and add an adapter of low rank to it", _low_rank),
)  # fmt: skip


def kernel_matrix(k: Builder) -> None:
    """A matrix of what each pair of points has in common, from the products of their coordinates."""
    name, how, takes_norms, body = k.rng.pick(*KERNELS)
    k.name, *k.other_names = k.rng.shuffled((f"{name}_matrix", f"pairwise_{name}"))
    p = Product(k, ("num_queries", "num_references", k.rng.pick("features", "coordinates")))
    queries, references = p.factor("queries", left=True), p.factor("references", left=False, turned=True)
    product = p.zero("product")
    _multiplied(p, queries, False, (references, True, product))
    operands: dict[str, Expr] = {"product": product}
    if takes_norms:
        operands["query_square"] = p.read("query_square", 8.0, 32.0, by="row")
        operands["reference_square"] = p.read("reference_square", 8.0, 16.0, by="column")
    if "width" in body.__code__.co_varnames:
        operands["width"] = coefficient(k, "width", 2.0, 6.0, kinds="p")
    values = tiles.applied(k, name, f"Return {how}.", operands, body)
    p.write(plural(name), values)
    norms = " and their squared norms" if takes_norms else ""
    given = f"from the matrix of their products{norms}"
    k.doc = f"Compute {how} of every query and every reference {given}. {p.told}."


def _apart(product: Expr, query: Expr, reference: Expr) -> Expr:
    return ops.max(query + reference - 2.0 * product, 0.0)


Kernel = Callable[..., Expr]
KERNELS: tuple[tuple[str, str, bool, Kernel], ...] = (
    ("squared_distance", "the squared distance", True, lambda b, x, q, r: _apart(x, q, r)),
    ("distance", "the Euclidean distance", True, lambda b, x, q, r: ops.sqrt(_apart(x, q, r))),
    ("gaussian_kernel", "the Gaussian kernel", True,
     lambda b, x, q, r, width: ops.exp(-_apart(x, q, r) / (width * width))),
    ("laplacian_kernel", "the Laplacian kernel", True,
     lambda b, x, q, r, width: ops.exp(-ops.sqrt(_apart(x, q, r)) / width)),
    ("rational_quadratic", "the rational quadratic kernel", True,
     lambda b, x, q, r, width: 1.0 / (1.0 + _apart(x, q, r) / (width * width))),
    ("inverse_multiquadric", "the inverse multiquadric", True,
     lambda b, x, q, r, width: 1.0 / ops.sqrt(_apart(x, q, r) + width * width)),
    ("student_affinity", "the unnormalized affinity of Student's distribution, as t-SNE has it,", True,
     lambda b, x, q, r: 1.0 / (1.0 + _apart(x, q, r))),
    ("cosine_similarity", "the cosine similarity", True, lambda b, x, q, r: x / ops.sqrt(q * r)),
    ("polynomial_kernel", "the cubic polynomial kernel", False,
     lambda b, x: (x + 1.0) * (x + 1.0) * (x + 1.0)),
    ("sigmoid_kernel", "the sigmoid kernel", False, lambda b, x, width: ops.tanh(x / width)),
    ("angular_kernel", "the arc-cosine kernel of order 0, 1 - angle / pi,", True,
     lambda b, x, q, r: 1.0 - ops.acos(ops.clamp(x / ops.sqrt(q * r), -1.0, 1.0)) / PI),
)  # fmt: skip


def gram_matrix(k: Builder) -> None:
    """The columns of a matrix times each other, perhaps with a weight for each row."""
    weighted = k.rng.chance(0.5)
    names = ("weighted_normal_matrix", "weighted_gram") if weighted else ("gram_matrix", "normal_matrix")
    k.name, *k.other_names = k.rng.shuffled(names)
    features = k.rng.pick("features", "variables")
    p = Product(k, (features, features, "samples"), square=True)
    x = p.array(k.rng.pick("data", "design", "x"), p.inner, p.down)
    weights = p.array("weights", p.inner, low=0.2) if weighted else None
    total = p.zero("total")
    with p.steps() as along:
        left = k.let("left_tile", tiles.load(x, (p.depth, p.m), (along, p.corner[0])))
        right = k.let("right_tile", tiles.load(x, (p.depth, p.n), (along, p.corner[1])))
        if weights is not None:
            weight = tiles.reshaped(p.tile(weights, (p.depth,), (along,)), (p.depth, 1))
            right = k.let("weighted_tile", right * tiles.broadcast(weight, (p.depth, p.n)))
        p.add(total, tiles.transposed(left), right)
    p.write("gram", total)
    what = "normal matrix of weighted least squares" if weighted else "Gram matrix of the columns of the data"
    k.doc = f"Compute the {what}{', with a weight for each sample' * weighted}. {p.told}."

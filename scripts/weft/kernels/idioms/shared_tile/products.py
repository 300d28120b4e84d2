"""Products of matrices, a tile of the result a block, and what is fused with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weft.kernels import tiles
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform, whole
from weft.kernels.composition import Composition, array_name
from weft.kernels.domains.neural import unit
from weft.kernels.expressions import bounded, lift, ops
from weft.kernels.formulas import Quantity
from weft.kernels.formulas import whole as wholes
from weft.kernels.idioms.epilogues import fused, planned
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Name, Redraw
from weft.kernels.types import F16, F32, I32
from weft.kernels.words import plural, singular

SHAPES = ((16, 16, 16), (32, 32, 16), (32, 32, 16), (32, 32, 32), (64, 32, 16), (32, 64, 16), (64, 64, 16))
"""Rows and columns of a block's tile, and how far it goes along the inner dimension in one step."""
EXTENTS = (("rows", "columns", "depth"), ("m", "n_out", "depth"), ("rows", "cols", "inner"))
LAYERS = (("tokens", "outputs", "inputs"), ("batch", "outputs", "inputs"), ("samples", "units", "features"))
REACH = 16.0
"""What a product's elements are within: second factors are small."""


class Product:
    """A grid of blocks, each with a tile of a product."""

    def __init__(
        self, k: Builder, names: tuple[str, str, str], *, square: bool = False, batch: str = ""
    ) -> None:
        self.k, (self.down, self.across, self.inner) = k, names
        k.equality = "bounded"
        self.m, self.n, self.depth = k.rng.pick(*(one for one in SHAPES if not square or one[0] == one[1]))
        ragged = k.rng.chance(0.5)
        k.sizes[self.down] = "(n + 63) // 64" if ragged else f"{self.m} * ((n + 2047) // 2048)"
        self.terms = k.rng.pick(48, 64, 72, 96, 100) if ragged else self.depth * k.rng.pick(2, 3, 4)
        k.sizes[self.inner] = str(self.terms)
        if square:
            k.sizes[self.down] = f"min(n // 4 + 9, {k.rng.pick(64, 72, 100, 128)})"
            self.across = self.down
        else:
            k.sizes[self.across] = str(k.rng.pick(40, 72, 100) if ragged else self.n * k.rng.pick(1, 2, 3))
        down, across = (_blocks(size, step) for size, step in ((self.down, self.m), (self.across, self.n)))
        threads = k.rng.pick(64, 128, 128, 256)
        axes = k.rng.pick(("i", "j"), ("row", "col"), ("by", "bx"))
        if batch:
            k.sizes[batch] = k.rng.pick("2", "3", "4")
        leading, place = ([batch], [k.rng.pick(singular(batch), "b", "group")]) if batch else ([], [])
        *self.row, self.i, self.j = k.blocks([*leading, down, across], [*place, *axes], threads)
        self.leading = leading
        self.corner = (self.i * self.m, self.j * self.n)

    def factor(self, name: str, *, left: bool, turned: bool = False, half: bool = False) -> ArrayHandle:
        """One of the matrices; `turned` ones are stored with the inner dimension the other way."""
        k = self.k
        shape = [self.down, self.inner] if left else [self.inner, self.across]
        reach = 1.0 if left else REACH / self.terms
        shape = [*self.leading, *(shape[::-1] if turned else shape)]
        return k.array(name, F16 if half else k.real, shape, uniform(-reach, reach))

    def part(self, array: ArrayHandle, along: Expr, *, left: bool, turned: bool = False) -> Expr:
        """The tile of a factor that a step takes."""
        shape, place = (
            ((self.m, self.depth), (self.corner[0], along))
            if left
            else ((self.depth, self.n), (along, self.corner[1]))
        )
        if turned:
            shape, place = (shape[1], shape[0]), (place[1], place[0])
        name = f"{array.parameter.name}_tile"
        tile = self.k.let(name, tiles.load(array, shape, place, row=self.row))
        return tiles.transposed(tile) if turned else tile

    def steps(self) -> object:
        """The loop along the inner dimension, a step at a time."""
        k = self.k
        literal = k.rng.chance(0.3)
        name = self.inner if self.inner in ("depth", "inner") else f"num_{self.inner}"
        extent = self.terms if literal else k.size(name, self.inner)
        return k.loop(k.rng.pick("k", "k", "start", "step"), 0, extent, self.depth)

    def zero(self, name: str) -> Name:
        """The tile that products are added to."""
        return self.k.var(name, tiles.filled("zeros", (self.m, self.n), self.k.real))

    def add(self, total: Name, left: Expr, right: Expr) -> None:
        """Add the product of two tiles."""
        self.k.evaluate(tiles.product(left, right, total, -(-self.terms // self.depth)))

    def added(self, *totals: Name, reach: float = REACH) -> None:
        """Say what totals are within when all products have been added."""
        for one in totals:
            one.interval = Interval(-reach, reach)

    def read(self, name: str, element: object, low: float, high: float, *, by: str = "") -> Expr:
        """The block's tile of another matrix, or of numbers for each `column` or `row`."""
        k = self.k
        kind = I32 if element == I32 else k.real
        recipe = whole(int(low), int(high)) if kind == I32 else uniform(low, high)
        several = f"{name}es" if name.endswith("s") else plural(name)
        if by:
            size, length, place = (
                (self.across, self.n, self.corner[1])
                if by == "column"
                else (self.down, self.m, self.corner[0])
            )
            line = k.let(
                f"{name}_tile",
                tiles.load(
                    k.input(several, kind, [*self.leading, size], recipe), (length,), (place,), row=self.row
                ),
            )
            line = line if by == "column" else tiles.reshaped(line, (length, 1))
            return tiles.broadcast(line, (self.m, self.n))
        array = k.input(several, kind, [*self.leading, self.down, self.across], recipe)
        return k.let(f"{name}_tile", tiles.load(array, (self.m, self.n), self.corner, row=self.row))

    def write(self, name: str, tile: Expr) -> None:
        """Store the block's tile of the result."""
        k = self.k
        kind = tile.type.element  # type: ignore[union-attr]
        out = k.array(
            name if name not in k.names else f"{name}_out",
            kind,
            [*self.leading, self.down, self.across],
            None,
            "out",
        )
        tiles.store(k, out, tile, self.corner, row=self.row)

    @property
    def told(self) -> str:
        return f"Each block makes a tile of {self.m} by {self.n}"


def _blocks(size: str, step: int) -> str:
    return f"({size} + {step - 1}) // {step}"


def _multiplied(
    p: Product, left: ArrayHandle, turned_left: bool, *rights: tuple[ArrayHandle, bool, Name]
) -> None:
    """Add the products of one matrix with others, step by step."""
    with p.steps() as along:
        tile = p.part(left, along, left=True, turned=turned_left)
        for array, turned, total in rights:
            p.add(total, tile, p.part(array, along, left=False, turned=turned))
    p.added(*(total for _, _, total in rights))


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
    names = (
        ["weights"]
        if len(products) == 1
        else [f"{one.removesuffix('_projection')}_weights" for one in products]
    )
    weights = [p.factor(one, left=False, turned=turned, half=half) for one in names]
    totals = [p.zero(one) for one in products]
    _multiplied(p, x, False, *((one, turned, total) for one, total in zip(weights, totals, strict=True)))

    def read(name: str, of: Quantity) -> Expr:
        return p.read(
            name, I32 if of.kind is wholes else k.real, of.low, of.high, by="column" if of.load else ""
        )

    result = fused(k, plan, dict(zip(products, totals, strict=True)), read)
    p.write(array_name(goal.result.name, goal.result), result)
    by = "a matrix of weights" if len(products) == 1 else "two matrices of weights"
    what = "gradients of the next layer" if backward else "inputs"
    each = f" for each of the {batch}" if batch else ""
    k.doc = f"Multiply {what} by {by}{', stored transposed,' * turned}{each} and {plan.said}.{plan.steps()} {p.told}."


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
    k.sizes |= {down: "(n + 63) // 64", across: str(k.rng.pick(40, 72, 100)), inner: str(terms)}
    blocks = k.blocks(
        [f"({one} + 15) // 16" for one in (down, across)],
        [*k.rng.pick(("block_y", "block_x"), ("by", "bx"), ("block_row", "block_col"))],
        side * side,
    )
    y, x = k.in_square(side, k.rng.pick(("y", "x"), ("ty", "tx"), ("tile_row", "tile_col")))
    row, column = (
        k.let(one, block * side + part)
        for one, block, part in zip(k.rng.pick(("row", "col"), ("i", "j")), blocks, (y, x), strict=True)
    )
    inputs = k.array(
        k.rng.pick("x", "inputs") if "x" not in k.names else "inputs",
        k.real,
        [down, inner],
        uniform(-1.0, 1.0),
    )
    weights = k.array("weights", k.real, [inner, across], uniform(-REACH / terms, REACH / terms))
    total = k.var(name, 0.0)
    with k.loop("start", 0, k.size(f"num_{inner}", inner), side) as start:
        left = k.let(
            k.rng.pick("input_tile", "left_tile", "x_tile"),
            tiles.load(inputs, (side, side), (blocks[0] * side, start), shared=True),
        )
        right = k.let(
            k.rng.pick("weight_tile", "right_tile", "w_tile"),
            tiles.load(weights, (side, side), (start, blocks[1] * side), shared=True),
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
        given = {one: made.supply(leaf, 0, True) for one, leaf in plan.leaves().items() if one != name}
        value = plan.value(
            k, {name: total, **{one: each for one, each in given.items() if isinstance(each, Expr)}}
        )
        k.store(
            k.array(array_name(goal.result.name, goal.result), value.type, [down, across], None, "out"),
            (row, column),
            value,
        )
    k.doc = (
        f"Multiply inputs by a matrix of weights and {plan.said}.{plan.steps()} Each thread adds up one element, "
        f"from tiles of {side} by {side} that the block loads."
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


def _in_place(
    k: Builder, p: Product, product: Name, scale: Expr | float, keep: Expr | float | None = None
) -> None:
    """c = scale * product + keep * c."""
    c = k.array("c", k.real, [*p.leading, p.down, p.across], uniform(-1.0, 1.0), "inout")
    old = k.let("c_tile", tiles.load(c, (p.m, p.n), p.corner, row=p.row))
    if scale == -1.0:
        result = old - product
    else:
        result = scale * product + (old if keep is None else keep * old)
    tiles.store(k, c, result, p.corner, row=p.row)


def _gemm(k: Builder, p: Product, product: Name) -> None:
    alpha, beta = (coefficient(k, one, 0.3, 2.0, kinds="p") for one in ("alpha", "beta"))
    _in_place(k, p, product, alpha, beta)


def _masked(k: Builder, p: Product, product: Name) -> None:
    mask = p.read("mask", k.real, 0.0, 1.0)
    p.write("c", product * mask)


def _descent(k: Builder, p: Product, product: Name) -> None:
    rate = coefficient(k, "learning_rate", 0.01, 0.1, kinds="lp")
    weights = k.array("weights", k.real, [*p.leading, p.down, p.across], uniform(-1.0, 1.0), "inout")
    old = k.let("weights_tile", tiles.load(weights, (p.m, p.n), p.corner, row=p.row))
    tiles.store(k, weights, old - rate * product, p.corner, row=p.row)


def _low_rank(k: Builder, p: Product, product: Name) -> None:
    k.sizes["rank"] = "16"
    scale = coefficient(k, "lora_scale", 0.2, 1.0, kinds="p")
    down = k.array("projected", k.real, [*p.leading, p.down, "rank"], uniform(-1.0, 1.0))
    up = k.array("up_weights", k.real, [*p.leading, "rank", p.across], uniform(-0.2, 0.2))
    left = k.let("projected_tile", tiles.load(down, (p.m, 16), (p.corner[0], 0), row=p.row))
    right = k.let("up_tile", tiles.load(up, (16, p.n), (0, p.corner[1]), row=p.row))
    p.write("outputs", product + scale * k.let("update", tiles.product(left, right)))


Update = Callable[[Builder, Product, Name], None]
PRODUCTS: tuple[tuple[tuple[str, ...], str, Update], ...] = (
    (("matmul", "tiled_matmul", "matrix_product"), "Compute {}", lambda k, p, product: p.write("c", product)),
    (("gemm", "scaled_gemm", "general_matmul"), "Compute alpha times {}, plus beta times c, in place of c", _gemm),
    (("schur_update", "trailing_update"), "Subtract {} from c, as a blocked factorisation does behind a panel",
     lambda k, p, product: _in_place(k, p, product, -1.0)),
    (("accumulate_product", "add_product"), "Add {} to c", lambda k, p, product: _in_place(k, p, product, 1.0)),
    (("masked_product", "sampled_product"), "Compute {}, each element weighted by a mask", _masked),
    (("weight_descent", "linear_layer_update"), "Take a step of gradient descent: subtract the learning rate times {} "
     "from the weights", _descent),
    (("low_rank_adapter", "lora_product"), "Compute {}, and add an adapter of low rank to it", _low_rank),
)  # fmt: skip


def complex_product(k: Builder) -> None:
    """Complex matrices, whose parts are matrices of their own."""
    k.name, *k.other_names = k.rng.shuffled(("complex_matmul", "complex_gemm", "complex_product"))
    p = Product(k, k.rng.pick(*EXTENTS))
    conjugated = k.rng.chance(0.4)
    arrays = [p.factor(f"{one}_{part}", left=one == "a") for one in "ab" for part in ("real", "imag")]
    real, imag = p.zero("real_sum"), p.zero("imag_sum")
    with p.steps() as along:
        ar, ai, br, bi = (p.part(one, along, left=at < 2) for at, one in enumerate(arrays))
        p.add(real, ar, br)
        p.add(imag, ar, bi)
        cross, mixed = tiles.product(ai, bi), tiles.product(ai, br)
        k.add(real, bounded(cross, -REACH, REACH), "+" if conjugated else "-")
        k.add(imag, bounded(mixed, -REACH, REACH), "-" if conjugated else "+")
    p.added(real, imag, reach=2.0 * REACH)
    p.write("c_real", real)
    p.write("c_imag", imag)
    first = "the conjugate of a" if conjugated else "a"
    k.doc = f"Multiply {first} by b, both complex with real and imaginary parts of their own. {p.told}."


def kernel_matrix(k: Builder) -> None:
    """A matrix of what each pair of points has in common, from the products of their coordinates."""
    name, how, takes_norms, body = k.rng.pick(*KERNELS)
    k.name, *k.other_names = k.rng.shuffled((f"{name}_matrix", f"pairwise_{name}"))
    p = Product(k, ("queries", "references", k.rng.pick("features", "coordinates")))
    queries, references = (
        p.factor("query_points", left=True),
        p.factor("reference_points", left=False, turned=True),
    )
    product = p.zero("product")
    _multiplied(p, queries, False, (references, True, product))
    operands: dict[str, Expr] = {"product": product}
    if takes_norms:
        operands["query_norm"] = p.read("query_norm", k.real, 4.0, 32.0, by="row")
        operands["reference_norm"] = p.read("reference_norm", k.real, 0.5, 16.0, by="column")
    if "width" in body.__code__.co_varnames:
        operands["width"] = coefficient(k, "width", 2.0, 6.0, kinds="p")
    values = tiles.applied(k, name, f"{how[0].upper()}{how[1:]}.", operands, body)
    p.write(plural(name), values)
    norms = " Squared norms of both are given." if takes_norms else ""
    k.doc = f"Compute {how} for every query point and every reference point, by way of their products.{norms} {p.told}."


def _apart(product: Expr, query: Expr, reference: Expr) -> Expr:
    return ops.max(query + reference - 2.0 * product, 0.0)


Kernel = Callable[..., Expr]
KERNELS: tuple[tuple[str, str, bool, Kernel], ...] = (
    ("squared_distance", "the squared distance", True, lambda b, x, q, r: _apart(x, q, r)),
    ("distance", "the Euclidean distance", True, lambda b, x, q, r: ops.sqrt(_apart(x, q, r))),
    ("gaussian_kernel", "the Gaussian kernel", True, lambda b, x, q, r, width: ops.exp(-_apart(x, q, r) / (width * width))),
    ("laplacian_kernel", "the Laplacian kernel", True, lambda b, x, q, r, width: ops.exp(-ops.sqrt(_apart(x, q, r)) / width)),
    ("rational_quadratic", "the rational quadratic kernel", True,
     lambda b, x, q, r, width: 1.0 / (1.0 + _apart(x, q, r) / (width * width))),
    ("inverse_multiquadric", "the inverse multiquadric", True,
     lambda b, x, q, r, width: 1.0 / ops.sqrt(_apart(x, q, r) + width * width)),
    ("student_affinity", "the unnormalised affinity of Student's distribution, as t-SNE has it,", True,
     lambda b, x, q, r: 1.0 / (1.0 + _apart(x, q, r))),
    ("cosine_similarity", "the cosine similarity", True, lambda b, x, q, r: x / ops.sqrt(q * r)),
    ("polynomial_kernel", "the cubic polynomial kernel", False,
     lambda b, x: (x + 1.0) * (x + 1.0) * (x + 1.0)),
    ("sigmoid_kernel", "the sigmoid kernel", False, lambda b, x, width: ops.tanh(x / width)),
    ("angular_kernel", "the arc-cosine kernel of order 0", True,
     lambda b, x, q, r: 1.0 - ops.acos(ops.clamp(x / ops.sqrt(q * r), -1.0, 1.0)) / 3.1415927),
)  # fmt: skip


def gram_matrix(k: Builder) -> None:
    """A matrix times its own transpose, in the forms that statistics has."""
    kind, names, sentence = k.rng.pick(*GRAMS)
    k.name, *k.other_names = k.rng.shuffled(names)
    p = Product(k, (k.rng.pick("features", "variables"), "", "samples"), square=True)
    x = k.array(k.rng.pick("data", "design", "x"), k.real, [p.inner, p.down], uniform(-1.0, 1.0))
    total = p.zero("total")
    wide = [k.array("means", k.real, [p.down], uniform(-0.3, 0.3))] if kind == "covariance" else []
    offset = [
        [
            k.let(f"{side}_means", tiles.load(wide[0], (length,), (place,)))
            for side, length, place in (("row", p.m, p.corner[0]), ("column", p.n, p.corner[1]))
        ]
        for _ in wide
    ]
    weights = k.array("weights", k.real, [p.inner], uniform(0.2, 1.0)) if kind == "weighted" else None
    with p.steps() as along:
        left: Expr = k.let("left_tile", tiles.load(x, (p.depth, p.m), (along, p.corner[0])))
        right: Expr = k.let("right_tile", tiles.load(x, (p.depth, p.n), (along, p.corner[1])))
        for row_means, column_means in offset:
            left = k.let("left_gap", left - tiles.broadcast(row_means, (p.depth, p.m)))
            right = k.let("right_gap", right - tiles.broadcast(column_means, (p.depth, p.n)))
        if weights is not None:
            weight = k.let("weight_tile", tiles.load(weights, (p.depth,), (along,)))
            wider = tiles.broadcast(tiles.reshaped(weight, (p.depth, 1)), (p.depth, p.n))
            right = k.let("weighted_tile", right * wider)
        p.add(total, tiles.transposed(left), right)
    p.added(total, reach=2.0 * p.terms)
    scale = 1.0 / (p.terms - 1) if kind == "covariance" else 1.0 / p.terms if kind == "second" else None
    p.write(
        {"covariance": "covariance", "second": "moments"}.get(kind, "gram"),
        total if scale is None else round(scale, 7) * total,
    )
    k.doc = f"{sentence}. {p.told}."


GRAMS = (
    ("plain", ("gram_matrix", "normal_matrix", "inner_products"), "Compute the Gram matrix of the columns of the data"),
    ("second", ("second_moments", "uncentered_covariance"), "Compute the second moments of all pairs of columns"),
    ("covariance", ("covariance_matrix", "sample_covariance"),
     "Compute the covariance of all pairs of columns, whose means are given"),
    ("weighted", ("weighted_normal_matrix", "weighted_gram"),
     "Compute the normal matrix of weighted least squares, with a weight for each sample"),
)  # fmt: skip

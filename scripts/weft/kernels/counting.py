"""Endings that count: into bins of all threads, of a block or of a thread, and what is made of the counts."""

from __future__ import annotations

import re
from collections.abc import Callable

from weft.kernels import launches, tiles
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.composition import Composition, elements
from weft.kernels.endings import Style, asked, on_line
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.formulas import Domain, Formula, whole
from weft.kernels.intervals import Interval
from weft.kernels.launched import Step, Zeroed
from weft.kernels.program import Expr, Name, Parameter, Redraw
from weft.kernels.telling import begun, is_asked, models, noted, with_models
from weft.kernels.types import I32
from weft.kernels.words import lowered, plural

BINS = "num_bins"
BLOCK, PASSES = 256, 16
"""The threads of a block that counts by itself, and how many elements each of them takes."""
FEWEST = 4
"""How many values a whole number has at least that is counted by."""
MOST = 70_000
COUNTS = {"integers": [0, MOST]}
"""What is known of the counts of a kernel before."""


def _whole(domain: Domain, goal: Formula) -> bool:
    least, most = goal.result.limits
    tight = most <= min(3 * goal.result.high + 2, 255)
    several = tight and goal.result.high >= FEWEST
    fits = goal.result.kind is whole and least >= 0 and (several or _binned(domain, goal))
    return fits and goal.result.updates is None and not goal.begins


def _binned(domain: Domain, goal: Formula) -> bool:
    return goal.result.name == "bin_index"


def _ordered(domain: Domain, goal: Formula) -> bool:
    return _binned(domain, goal) and "ordered" in goal.teaches


def _place(k: Builder, domain: Domain, goal: Formula) -> tuple[Composition, Expr]:
    """The bin of the thread's element."""
    made = Composition(k, domain)
    elements(k, domain, goal.ranks)
    return made, _bin(k, goal, made.named(goal.result.name, made.evaluate(goal)))


def _bin(k: Builder, goal: Formula, place: Expr) -> Expr:
    """What a formula gives as a bin: that of the domain of bins, or a small whole number."""
    if goal.result.name != "bin_index":
        if place.interval.hi > 255:
            raise Redraw("too many bins")
        k.sizes[BINS] = str(int(place.interval.hi) + 1)
    return place


def _has_bins(k: Builder) -> bool:
    """Whether an array has an element for each bin."""
    return any(BINS in one.shape for one in k.parameters if one.shape)


def _what(domain: Domain, goal: Formula, of: str = "") -> str:
    """The elements that are counted, and by what."""
    title = lowered(goal.title).removeprefix("histogram bin of the ")
    single = re.fullmatch(r"(.+?) of an? (?!few )(\w+(?: \w+)??)((?: (?:in|with) .+)?)", title)
    if goal.result.name == "bin_index" and single:
        by, thing, where = single.groups()
        return f"{plural(thing)}{of}{where} by {by.replace(' of the ', ' of their ')}"
    theirs = re.sub(r" of an? ", " of their ", title)
    whose = "the" if " of " in theirs else "their"
    by = f"{whose} {theirs}" if goal.result.name == "bin_index" else f"their {goal.words}"
    return f"{plural(domain.element)}{of} by {by}"


def _named(k: Builder, goal: Formula, *forms: str) -> None:
    """Name the kernel after what it counts by."""
    short = goal.name.removesuffix("_bin")
    k.name, *k.other_names = k.rng.shuffled([one.format(short) for one in forms])


def _tell(
    made: Composition, goal: Formula, what: str, table: ArrayHandle, how: str = "{} must start at zero"
) -> None:
    """A sentence for what is counted, what it is counted by, and `how` that comes to the table."""
    made.independent()
    k = made.k
    sentence = f"Count the {what}"
    is_named = goal.result.name != "bin_index" and is_asked(goal, made.domain.giving(goal.result))
    k.doc = with_models(sentence, models([*made.told, *[(goal, 0)] * is_named], most=1)) + noted("", goal)
    k.doc += f" {how.format(f'`{table.name}`')}."


def _table(k: Builder, *leading: str, bins: str = BINS) -> ArrayHandle:
    """Counts that begin at zero."""
    name = k.rng.pick("counts", "histogram", "bin_counts")
    return k.array(name, I32, [*leading, bins], {"constant": 0}, "inout")


@asked(_whole)
def counted(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """Every element adds one to its bin, by an atomic."""
    _named(k, goal, "count_by_{}", "{}_histogram", "{}_counts", "histogram_by_{}", "tally_{}")
    made, place = _place(k, domain, goal)
    table = _table(k)
    k.atomic("add", table, place, 1)
    _tell(made, goal, _what(domain, goal), table)


@asked(_whole)
def counted_in_groups(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """Each group has bins of its own."""
    group, ids = k.rng.pick(("group", "group_ids"), ("source", "source_ids"), ("class", "class_ids"))
    _named(k, goal, f"{{}}_histogram_by_{group}", f"{group}_{{}}_histograms", f"count_by_{group}_and_{{}}")
    made, place = _place(k, domain, goal)
    k.sizes[plural(group)] = f"min(n // 32 + 2, {k.rng.pick(3, 4, 10, 16)})"
    which = k.array(ids, I32, k.shape, {"integers": [0, plural(group)]})[k.index]
    bins = k.sizes.pop(BINS) if "number of bins" in k.drawn and not _has_bins(k) else BINS
    table = _table(k, plural(group), bins=bins)
    k.atomic("add", table, (k.let(f"{group}_id", which), place), 1)
    how = f"{{}}, with a row for each {group}, must start at zero"
    _tell(made, goal, _what(domain, goal, f" of each {group}"), table, how)


@asked(_binned)
def weighted(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """Every element adds its weight to its bin, by an atomic."""
    _named(k, goal, "weighted_{}_histogram", "weighted_{}_counts", "weigh_by_{}")
    made, place = _place(k, domain, goal)
    word = k.rng.pick("weight", "amount", "mass", "importance")
    k.equality = "bounded"
    amount = k.array(plural(word), k.real, k.shape, uniform(0.1, 2.0))[k.index]
    sums = k.array(f"bin_{plural(word)}", k.real, [BINS], {"constant": 0.0}, "inout")
    k.atomic("add", sums, place, k.let(word, amount))
    k.doc = f"Sum the {plural(word)} of the {_what(domain, goal)}.{noted('', goal)}"
    k.doc += f" `{sums.name}` must start at zero."
    made.independent()


@asked(lambda domain, goal: _whole(domain, goal) and on_line(domain, goal), 1.5)
def counted_by_blocks(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """The threads of a block count in shared memory first, and add what they have to the counts of all.

    They pass over several elements each: a block adds all of its bins to the counts, which would be as much
    as to add its elements if these were few.
    """
    _named(
        k, goal, "block_{}_histogram", "shared_{}_histogram", "{}_counts_by_blocks", "{}_histogram_by_blocks"
    )
    many = BLOCK * PASSES
    (block,) = k.blocks([f"(n + {many - 1}) // {many}"], ["block"], BLOCK, "thread")
    width, passes = k.constant("block_size", I32, BLOCK), k.constant("passes", I32, PASSES)
    assert k.lane is not None
    made, count = Composition(k, domain), k.size("count", "n")
    with k.loop("step", 0, passes) as step:
        offset = (block * passes + step) * width
        index = k.let(k.rng.pick(*domain.index), offset + k.lane)
        index.interval = Interval(0, index.interval.hi, True)
        inside = index < count
        place = k.var(goal.result.name, 0, type=I32, bounds=(0, 255))
        with k.when(inside):
            k.shape, k.axes, k.index = ("n",), (index.name,), (index,)
            found = _bin(k, goal, made.evaluate(goal))
            bins = int(k.sizes[BINS])
            if bins > 256:
                raise Redraw("too many bins for shared memory")
            k.set(place, bounded(found, 0, bins - 1))
        local = k.ahead("block_counts", tiles.filled("zeros", (bins,), I32, storage="shared"))
        tiles.scatter_add(k, local, bounded(place, 0, bins - 1), lift(1, I32), inside)
    # A tile spans the bins, so that their number is no caller's to choose.
    table = _table(k, bins=str(bins))
    tiles.atomic_add(k, table, local)
    if not _has_bins(k):
        del k.sizes[BINS]
    how = "Each block counts in shared memory first, then adds its counts to {}, which must start at zero"
    _tell(made, goal, _what(domain, goal), table, how)


def _count_step(k: Builder, domain: Domain, goal: Formula, counts: Parameter) -> Step:
    """A kernel that counts into an array of the program."""

    def write(part: launches.Part) -> None:
        b = part.k
        made, place = _place(b, domain, goal)
        b.atomic("add", part.use(counts.name, counts, "inout", {"constant": 0}), place, 1)
        made.independent()
        b.doc = f"Count the {_what(domain, goal)}.{noted('', goal)}"

    short = goal.name.removesuffix("_bin")
    name = k.rng.pick(f"count_{short}_bins", f"fill_{short}_bins", f"count_by_{goal.name}")
    return launches.kernel(k, name, write)()


def _scan_step(k: Builder, counts: Parameter, sums: Parameter, *, exclusive: bool) -> Step:
    """A kernel that adds up the counts of the bins before each bin: of one thread, or of one for each bin."""
    serial = int(k.sizes[BINS]) <= 64 and k.rng.chance(0.6)

    def write(part: launches.Part) -> None:
        b = part.k
        before = "before" if exclusive else "up to"
        b.doc = f"Sum the counts of all bins {before} each bin."
        here: Expr
        if serial:
            b.dims = ["1"]
        else:
            (here,) = b.threads([BINS], ["b"])
        given, out = part.use(counts.name, counts, "in", COUNTS), part.use(sums.name, sums, "out")
        total = b.var("total", 0, type=I32)
        if serial:
            with b.loop("b", 0, b.size(BINS, BINS)) as here:
                if exclusive:
                    b.store(out, here, total)
                b.add(total, given[here])
                if not exclusive:
                    b.store(out, here, total)
            return
        with b.loop("j", 0, here if exclusive else here + 1) as j:
            b.add(total, given[j])
        b.store(out, here, total)

    return launches.kernel(k, k.rng.pick("scan_counts", "scan_bins"), write)()


@asked(_whole, 0.25)
def placed(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """A counting sort: counts, the place where each bin begins, and each element to the next free place."""
    _named(k, goal, "counting_sort_by_{}", "sort_by_{}", "{}_order", "bucket_by_{}")
    k.equality, k.sizes[BINS] = "permutation", "8"
    counts, starts = (launches.shared(k, name, I32, [BINS], None, "out") for name in ("counts", "cursors"))
    order = launches.shared(k, k.rng.pick("order", "sorted_ids"), I32, ["n"], None, "out")
    first = _count_step(k, domain, goal, counts)

    def place(part: launches.Part) -> None:
        b = part.k
        _, here = _place(b, domain, goal)
        cursors = part.use(starts.name, starts, "inout", {"constant": 0})
        slot = b.append("slot", cursors, "n", here)
        b.store(part.use(order.name, order, "out"), slot, b.index[0])
        b.doc = f"Store each {domain.element} at the next free place of the bin that it falls into."

    second = _scan_step(k, counts, starts, exclusive=True)
    name = k.rng.pick(f"place_{plural(domain.element)}", "scatter_to_bins", "sort_by_bin")
    steps = [Zeroed(counts.name), first, second, launches.kernel(k, name, place)()]
    if any(one.memory == "constant" for one in k.parameters):
        raise Redraw("programs of several launches have no constant memory")
    launches.finish(
        k, f"Sort the {_what(domain, goal)}, by counting. The order within a bin is left open", *steps
    )


@asked(_ordered, 0.3)
def ranked(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """Counts, their running sums, and for each element the share of all that lie up to its bin."""
    _named(k, goal, "rank_by_{}", "equalize_by_{}", "cumulative_{}_share", "{}_percentiles")
    k.sizes[BINS] = "8"
    counts, sums = (launches.shared(k, name, I32, [BINS], None, "out") for name in ("counts", "cumulative"))
    word = k.rng.pick("percentile_rank", "equalized_value", "cumulative_share")
    shares = launches.shared(k, plural(word), k.real, ["n"], None, "out")
    first = _count_step(k, domain, goal, counts)

    def look_up(part: launches.Part) -> None:
        b = part.k
        _, here = _place(b, domain, goal)
        below = part.use(sums.name, sums, "in", COUNTS)[here]
        b.store(
            part.use(shares.name, shares, "out"),
            b.index[0],
            convert(b.real, below) / convert(b.real, b.size("count", "n")),
        )
        things = plural(domain.element)
        b.doc = (
            f"Look up the share of all {things} that lie in the bin of each {domain.element} or before it."
        )

    second = _scan_step(k, counts, sums, exclusive=False)
    name = k.rng.pick("look_up_ranks", "apply_cumulative", f"rank_{plural(domain.element)}")
    steps = [Zeroed(counts.name), first, second, launches.kernel(k, name, look_up)()]
    told = word.replace("_", " ")
    launches.finish(
        k,
        f"Compute the {told} of each {domain.element} in the histogram of the {_what(domain, goal)}",
        *steps,
    )


def _share(b: Builder, count: Expr) -> Name:
    """The share of all elements that a bin has."""
    return b.let("share", convert(b.real, count) / convert(b.real, b.size("count", "n")))


def _surprise(b: Builder, count: Expr) -> Expr:
    share = _share(b, count)
    return bounded(-share * ops.log2(ops.max(share, 1e-6)), 0.0, 1.0)


def _squared(b: Builder, count: Expr) -> Expr:
    share = _share(b, count)
    return share * share


def _reference(b: Builder) -> Expr:
    return b.let("expected", b.array("expected_shares", b.real, [BINS], uniform(0.001, 0.1))[b.index])


def _chi_squared(b: Builder, count: Expr) -> Expr:
    expected = _reference(b)
    gap = b.let("gap", _share(b, count) - expected)
    return bounded(gap * gap / expected, 0.0, 1e3)


def _clipped(b: Builder, count: Expr) -> Expr:
    return ops.min(count, b.scalar("clip_limit", I32, {"integers": [3, 40]}))


def _otsu(b: Builder, counts: ArrayHandle, bins: Expr | int) -> Expr:
    """The bin that divides the counts into two classes as far apart as possible."""
    total, moment = b.var("total", 0.0), b.var("moment", 0.0)
    with b.loop("b", 0, bins) as j:
        count = b.let("count", convert(b.real, counts[j]))
        b.add(total, count)
        b.add(moment, convert(b.real, j) * count)
    weight, partial = b.var("weight", 0.0), b.var("partial", 0.0)
    best, most = b.var("best", 0, type=I32), b.var("most", -1.0, bounds=(-1.0, 1e30))
    with b.loop("b", 0, bins) as j:
        count = b.let("count", convert(b.real, counts[j]))
        b.add(weight, count)
        b.add(partial, convert(b.real, j) * count)
        rest = b.let("rest", bounded(total - weight, 0.0, 1e6))
        inside = bounded(weight, 0.0, 1e6)
        with b.when((inside > 0.0) & (rest > 0.0)):
            lower = bounded(partial, 0.0, 1e8) / ops.max(inside, 1.0)
            upper = bounded(moment - partial, 0.0, 1e8) / ops.max(rest, 1.0)
            gap = b.let("gap", lower - upper)
            spread = b.let("spread", bounded(inside * rest * bounded(gap * gap, 0.0, 1e6), 0.0, 1e20))
            with b.when(spread > most):
                b.set(most, spread)
                b.set(best, j)
    return best


def _percentile(b: Builder, counts: ArrayHandle, bins: Expr | int) -> Expr:
    """The first bin at which a share of all elements is reached."""
    wanted = b.scalar("wanted", I32, {"size": "n // 2"})
    below, found = b.var("below", 0, type=I32, bounds=(0, 2 * MOST)), b.var("found", 0, type=I32)
    with b.loop("b", 0, bins) as j:
        b.set(below, bounded(below + counts[j], 0, MOST))
        with b.when(below > wanted):
            b.set(found, j)
            b.jump("break")
    return found


def _longest_gap(b: Builder, counts: ArrayHandle, bins: Expr | int) -> Expr:
    """The largest number of empty bins in a row."""
    run, longest = (b.var(name, 0, type=I32, bounds=(0, 4096)) for name in ("run", "longest"))
    with b.loop("b", 0, bins) as j:
        b.set(run, conditional(counts[j] > 0, 0, bounded(run + 1, 0, 4096)))
        b.set(longest, ops.max(longest, run))
    return longest


Reading = tuple[str, str, Callable[..., Expr]]
"""The array that a result goes to, what it is, and how it is made of a bin's count, or of all counts."""

OF_EACH: tuple[Reading, ...] = (
    ("bin_shares", "Compute the share of all {0} in each bin", _share),
    ("clipped_counts", "Clip the count of each bin", _clipped),
    ("surprises", "Compute what each bin adds to the entropy of the histogram", _surprise),
)
"""What a thread makes of the count of each bin."""
ADDED: tuple[Reading, ...] = (
    ("entropy", "Compute the entropy of the histogram", _surprise),
    ("chi_squared", "Compare the histogram with expected shares by the chi-squared statistic", _chi_squared),
    (
        "concentration",
        "Compute Simpson's index of the histogram, the sum of the squared shares of its bins",
        _squared,
    ),
    (
        "overlap",
        "Compute the intersection of the histogram with expected shares",
        lambda b, count: ops.min(_share(b, count), _reference(b)),
    ),
)
"""What is added up over all bins."""
IN_ORDER: tuple[Reading, ...] = (
    ("otsu_bin", "Find the bin that divides the {0} by Otsu's method", _otsu),
    ("median_bin", "Find the bin of the median of the {0}", _percentile),
    ("longest_gap", "Find the largest number of empty bins in a row", _longest_gap),
)
"""What one thread finds on the way along the bins."""


@asked(_binned, 0.4)
def read_off(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """Counts, and a kernel that reads something off them."""
    k.sizes[BINS] = "8"
    table = k.rng.pick(OF_EACH, ADDED, *([IN_ORDER] * 3 if "ordered" in goal.teaches else []))
    name, doc, made_of = k.rng.pick(*table)
    _named(k, goal, f"{name}_by_{{}}", f"{{}}_{name}", f"{name}_of_{{}}_histogram")
    doc = doc.format(plural(domain.element))
    counts = launches.shared(k, "counts", I32, [BINS], None, "out")
    first = _count_step(k, domain, goal, counts)

    def write(part: launches.Part) -> None:
        b = part.k
        taken = part.use(counts.name, counts, "in", COUNTS)
        shape, at = ["1"], lift(0, I32)
        if table is IN_ORDER:
            b.dims = ["1"]
            value = made_of(b, taken, b.size(BINS, BINS))
        else:
            (at,) = b.threads([BINS], ["b"])
            b.equality = k.equality = "bounded" if table is ADDED else "bits"
            value = made_of(b, b.let("bin_count", taken[at]))
            shape = [BINS] if table is OF_EACH else shape
        out = launches.shared(k, name, value.type, shape, None, "out")
        if table is ADDED:
            b.atomic("add", part.use(name, out, "inout", {"constant": 0.0}), 0, value)
        else:
            b.store(part.use(name, out, "out"), at, value)
        b.doc = f"{doc}."

    second = launches.kernel(k, f"find_{name}" if table is IN_ORDER else f"compute_{name}", write)()
    cleared = [Zeroed(name)] if table is ADDED else []
    launches.finish(
        k,
        f"Count the {_what(domain, goal)}, then {begun(doc)}",
        Zeroed(counts.name),
        first,
        *cleared,
        second,
    )

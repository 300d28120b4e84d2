"""What the arguments of a kernel must be: of arrays in sentences, of whole numbers as what a launcher tests.

The proofs need that no index is negative: Warp would wrap those. That indices stay below an extent is what
the launch description says of them; as in Warp, nothing checks it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence

from weft.cuda.contents import Contents, contents
from weft.cuda.device_code import KernelParameter
from weft.cuda.host_sizes import known_sizes, print_size
from weft.cuda.launch_assumptions import LARGEST_INDEX, extent_of, has_int_offsets
from weft.cuda.sizes import canonical_size
from weft.cuda.traverse import children
from weft.cuda.tree import (
    Assign,
    Binary,
    Call,
    Component,
    Conditional,
    Declare,
    Element,
    Expression,
    For,
    Function,
    Member,
    Name,
    Pointee,
)
from weft.launch import Launch, Recipe
from weft.plurals import listed
from weft.sizes import Size
from weft.types import Scalar, Vector

_NAMED = 2
"""Arrays that a sentence names for an extent that has no name."""


Axes = Mapping[str, Sequence[tuple[str, int]]]
"""The axes, by leaf and number, that the elements of some arrays are indices along."""


def says_zero(docstring: str, name: str, launch: Launch) -> bool:
    """Whether a kernel's docstring already says of an array what its description does: that it starts at
    zero.
    """
    if launch.parameters[name].values != Recipe("constant", 0):
        return False
    told = [one for one in re.split(r"\.\s", docstring) if re.search(rf"\b{name}\b", one)]
    return any(re.search(r"\bstarts? at zero\b", one) for one in told)


def sentences(
    arrays: Mapping[str, str],
    parameters: Sequence[KernelParameter],
    launch: Launch,
    kernel: Contents,
    indexed: Axes,
    fixed: Mapping[str, str],
) -> tuple[str, ...]:
    """Those of the arrays, by leaf with their C++ names, whose described values the kernel relies on. Of what
    is no more than an index, the kernel needs no more than the extents of what it has `indexed`, which have
    the names of constants if they are `fixed`.
    """
    indices = _indices(kernel)
    found: dict[str, list[str]] = {}
    for leaf, c_name in arrays.items():
        axes = indexed.get(leaf, ())
        text = _of_extents(axes, parameters, launch, fixed)
        if not text:
            held = delimited(c_name, kernel)
            text = _sentence(leaf, parameters, launch, c_name in indices, held, fixed, axes)
        found.setdefault(text, []).append(c_name)
    joints = {text: "or" if text.startswith("no ") else "and" for text in found}
    return tuple(
        f"Precondition: {_of_number(text, len(names)).format(listed(names, joints[text]))}."
        for text, names in found.items()
    )


def _of_number(text: str, count: int) -> str:
    """The sentence about one or several."""
    return text if count == 1 else text.replace("{} lies", "{} lie").replace("{} is not", "{} are not")


def least_values(
    names: Container[str], parameters: Sequence[KernelParameter], launch: Launch
) -> dict[str, int]:
    """The least value of each of these that is an integer passed by value: 1, if its range starts above 0."""
    found = {}
    for one in parameters:
        if one.kind == "value" and one.name in names and isinstance(one.type, Scalar) and one.type.is_integer:
            match launch.parameters[one.name].values:
                case Recipe("integers", (low, _)) | Recipe("constant", low):
                    found[one.name] = min(low, 1) if isinstance(low, int) else 1
    return found


def only_indices(kernel: Function) -> Axes:
    """The arrays whose elements a kernel uses as indices and for nothing else, each with the axes that they
    are indices along.
    """
    found = contents(kernel)
    declared = [one for one in found.statements if isinstance(one, Declare)]
    often = Counter(one.name for one in declared)
    own = {one.name: one for one in declared if often[one.name] == 1 and one.name not in found.changed}
    arrays = {name for name, _ in kernel.parameters}
    uses: dict[str, dict[tuple[str, int], None]] = {}
    expected = Counter[str]()

    def root(node: Expression | None) -> str:
        """The array, or the variable, that is all that a value is read from."""
        match node:
            case Component(value=value) | Call(helper=("component", _), arguments=[value, _]):
                return root(value)
            case Member(value=Expression(type=Vector()) as value):
                return root(value)
            case Element(array=Name(name=name)) | Name(name=name):
                return name
            case _:
                return ""

    def array_of(name: str) -> str:
        while name in own:
            name = root(own[name].value)
        return name if name in arrays else ""

    for node in found.nodes:
        match node:
            case Element(array=Name(name=target), indices=indices):
                for axis, index in enumerate(indices):
                    if array := array_of(name := root(index)):
                        uses.setdefault(array, {})[target, axis] = None
                        expected[name] += 1
    # A variable that holds an element is another use of its array, and none of its own.
    holders = {name: array for name in own if (array := array_of(name))}
    for name in holders:
        expected[root(own[name].value)] += 1
    mentions = Counter(node.name for node in found.nodes if isinstance(node, Name))
    other = {array for name, array in holders.items() if mentions[name] != expected[name]}
    return {
        array: tuple(axes)
        for array, axes in uses.items()
        if mentions[array] == expected[array] and array not in other
    }


def _of_extents(
    axes: Sequence[tuple[str, int]],
    parameters: Sequence[KernelParameter],
    launch: Launch,
    fixed: Mapping[str, str],
) -> str:
    """What is said of an array whose elements are indices along these axes; '' if nobody described them."""
    names = {one.name: one.c_name for one in parameters if one.kind == "array"}
    extents = [extent_of(launch, array, axis) for array, axis in axes if array in names]
    sizes = {canonical_size(one, launch.sizes) for one in extents if one is not None}
    if len(extents) < len(axes) or None in extents or not sizes:
        return ""
    limit = fixed.get(str(extents[0])) or fixed.get(str(min(sizes, key=str)))
    limit = limit or _limit(extents[0] or 0, parameters, launch)
    if len(sizes) == 1 and limit is not None and not limit.isdigit():
        return f"elements of {{}} lie in [0, {limit})"
    # Offsets that are ints allow for as many rows as are described, and no more.
    wide = [array for array, axis in axes if len(launch.parameters[array].shape) > 1]
    if not any(axis for _, axis in axes) and not any(has_int_offsets(launch, array) for array in wide):
        indexed = {array for array, _ in axes}
        return f"elements of {{}} are indices of {listed([names[one] for one in names if one in indexed])}"
    numbers = [one for one in sizes if isinstance(one, int)]
    return f"elements of {{}} lie in [0, {min(numbers)})" if len(numbers) == len(sizes) else ""


def _indices(kernel: Contents) -> set[str]:
    """The arrays that offsets, and indices into shared memory, are computed from, unless by an operation that
    bounds them from above.
    """
    values: dict[str, list[Expression]] = {}
    for one in kernel.statements:
        match one:
            case Declare(name=name, value=Expression() as value):
                values.setdefault(name, []).append(value)
            case Assign(target=Name(name=name), value=value):
                values.setdefault(name, []).append(value)
            case For(name=name, start=start, stop=stop):
                values.setdefault(name, []).extend((start, stop))
    found: set[str] = set()
    left = [node.offset for node in kernel.nodes if isinstance(node, Pointee)]
    left += [index for node in kernel.nodes if isinstance(node, Component) for index in node.indices]
    while left:
        match left.pop():
            case Binary(operator="%" | "&") | Call(function="min"):
                pass
            case Pointee(base=Name(name=name)):
                found.add(name)
            case Name(name=name):
                left += values.pop(name, [])
            case Conditional(then=then, otherwise=otherwise):
                left += [then, otherwise]
            case node:
                left += children(node)
    return found


def delimited(offsets: str, kernel: Contents) -> list[str]:
    """The arrays over whose elements loops go from one offset to the next, by their C++ names."""
    loops, arrays = set(), []
    for one in kernel.statements:
        match one:
            case For(name=name, start=Pointee(base=Name(name=base))) if base == offsets:
                loops.add(name)
    for node in kernel.nodes:
        match node:
            case Pointee(base=Name(name=array), offset=Name(name=name)) if name in loops:
                arrays.append(array)
    return arrays


def _sentence(
    leaf: str,
    parameters: Sequence[KernelParameter],
    launch: Launch,
    is_index: bool,
    held: Sequence[str],
    fixed: Mapping[str, str],
    axes: Sequence[tuple[str, int]],
) -> str:
    """What is said of an array, with {} for its name. As offsets, it is `held` to delimit other arrays; as no
    more than an index, it is one along `axes`.
    """
    recipe = launch.parameters[leaf].values
    by_value = any(one.name == leaf and one.kind == "value" for one in parameters)
    match recipe:
        case Recipe("integers", (low, int(size))) if is_index and size <= LARGEST_INDEX:
            return f"elements of {{}} lie in [{low}, {size})"
        case Recipe("integers", (low, str(size))):
            pass
        case Recipe("uniform", (int(low) | float(low), int(high) | float(high))) if by_value or low < 0:
            return f"{'{} lies' if by_value else 'elements of {} lie'} in [{low:g}, {high:g}]"
        case Recipe("offsets", (int(stride), int(size))) if is_index and size <= stride + 1:
            if not held:
                return "elements of {} are sorted, and none is negative"
            return f"elements of {{}} are sorted, and lie in [0, length of {held[0]}]"
        case Recipe("permutation", size):
            low = 0
        case _:
            return f"{'{} is not' if by_value else 'no element of {} is'} {_lowest(recipe)}"
    canonical = canonical_size(size, launch.sizes)
    limit = fixed.get(str(size)) or fixed.get(str(canonical)) or _limit(size, parameters, launch)
    if limit is not None:
        last = limit.removesuffix(" + 1")
        return (
            f"elements of {{}} lie in [{low}, {limit})"
            if last == limit
            else f"elements of {{}} lie in [{low}, {last}]"
        )
    if low in (0, "0") and (indexed := _with_extent(size, leaf, parameters, launch, axes)):
        return f"elements of {{}} are indices of {listed(indexed)}"
    return f"no element of {{}} is {_lowest(recipe)}"


def _limit(size: Size, parameters: Sequence[KernelParameter], launch: Launch) -> str | None:
    """A size in terms of the kernel's own parameters, if they say what it is."""
    canonical = canonical_size(size, launch.sizes)
    known = known_sizes([one for one in parameters if not one.launches_only], launch)
    for text in (size, canonical):
        try:
            return print_size(text, known).text
        except KeyError:
            continue
    return None


def _with_extent(
    size: Size,
    leaf: str,
    parameters: Sequence[KernelParameter],
    launch: Launch,
    axes: Sequence[tuple[str, int]],
) -> list[str]:
    """Arrays whose first extent is the size: those that are indexed along it, if the index is no more."""
    canonical = canonical_size(size, launch.sizes)
    arrays = [one for one in parameters if one.kind == "array" and one.name not in (leaf, *launch.inferred)]
    found = {
        one.name: one.c_name
        for one in arrays
        if canonical_size(launch.parameters[one.name].shape[0], launch.sizes) == canonical
    }
    indexed = [found[name] for name in found if (name, 0) in axes]
    return indexed or [*found.values()][:_NAMED]


def _lowest(recipe: Recipe | None) -> str:
    """What no component that a recipe draws is, in words."""
    match recipe:
        case Recipe("uniform", (int(low) | float(low), _)) if low != 0:
            return f"below {low:g}"
        case Recipe("integers", (low, _)) if low not in (0, "0"):
            return f"below {min(low, 1) if isinstance(low, int) else low}"
        case Recipe("members", members):
            bounds = {_lowest(member) for member in members.values()} - {"negative"}
            return " or ".join(sorted(bounds)) or "negative"
        case _:
            return "negative"

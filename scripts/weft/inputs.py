"""Drawn inputs: the same bits in NumPy, in the generated programs, and on a GPU.

Components come from the 32-bit PCG hash (Jarzynski and Olano, "Hash Functions for GPU Rendering", JCGT 9(3),
2020), counted, so that any element can be drawn alone. docs/formats/inputs.md has the definition.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from weft import bfloat16
from weft.edges import Edges, Kept, edges_of, is_drawn_anew, kept_of, other_constant, restarted
from weft.launch import Launch, Recipe
from weft.recipes import component_recipes
from weft.sizes import evaluate_size
from weft.types import Array, Scalar, Structs, Type, component_scalars, packed_bytes

Bits = npt.NDArray[np.uint32]

FILL_BYTE = 0xCB

_OTHER_BITS = np.uint32(0x9E3779B9)
"""Tells the bits that choose edges from those that numbers are drawn from."""


def pcg(x: Bits) -> Bits:
    """The PCG output permutation of one LCG step, on uint32 arrays of any shape."""
    state = x * np.uint32(747796405)
    state += np.uint32(2891336453)
    word: Bits = state >> np.uint32(28)
    word += np.uint32(4)
    np.right_shift(state, word, out=word)
    word ^= state
    word *= np.uint32(277803737)
    np.right_shift(word, np.uint32(22), out=state)
    word ^= state
    return word


def draw_bits(seed: int, parameter: int, counter: npt.NDArray[np.uint64]) -> Bits:
    """32 bits for each component number in `counter`, under an input seed, for a parameter position."""
    low = counter.astype(np.uint32)
    high = (counter >> np.uint64(32)).astype(np.uint32)
    if not high.any():
        high = high[:1]
    low += pcg(high + _key(seed, parameter))
    return pcg(low)


def _key(seed: int, parameter: int) -> Bits:
    return pcg(pcg(np.array([seed], dtype=np.uint32)) + np.uint32(parameter))


def array_seed(seed: int, parameter: int) -> int:
    """The number that a program has for an input seed and a parameter: component i, if it is below 2^32, has
    the bits pcg(array_seed + i).
    """
    return int(pcg(_key(seed, parameter))[0])


def leading_bits(seed: int, parameter: int, count: int) -> Bits:
    """The bits of components 0 … count - 1. They don't depend on the kernel, so a whole shard shares them."""
    if count > 2**20:
        return _first_bits(seed, parameter, count)
    exponent = max(count - 1, 1023).bit_length()
    kept = _few_bits if exponent <= 14 else _many_bits
    return kept(seed, parameter, exponent)[:count]


def _first_bits(seed: int, parameter: int, count: int) -> Bits:
    counter = np.arange(count, dtype=np.uint32)
    counter += np.uint32(array_seed(seed, parameter))
    return pcg(counter)


def _bits_of_power_of_two(seed: int, parameter: int, exponent: int) -> Bits:
    bits = _first_bits(seed, parameter, 2**exponent)
    bits.flags.writeable = False
    return bits


# A kernel's cases have some dozen seeds in small sizes, each with as many keys as the kernel has inputs, and
# what comes round once a kernel must be kept for longer than that. Large sizes have one seed.
_few_bits = functools.lru_cache(maxsize=1024)(_bits_of_power_of_two)
_many_bits = functools.lru_cache(maxsize=32)(_bits_of_power_of_two)


def numpy_scalar(scalar: Scalar) -> np.dtype[Any]:
    """The little-endian NumPy type of a scalar; weft.bfloat16.BITS for the one that NumPy lacks."""
    if scalar.name == "bfloat16":
        return bfloat16.BITS
    return np.dtype(np.bool_ if scalar.name == "bool" else scalar.name).newbyteorder("<")


def packed_dtype(element: Type, structs: Structs) -> np.dtype[Any]:
    """A structured NumPy type of one packed element: fields c0, c1, … are its scalar components."""
    return _dtype_of(tuple(component_scalars(element, structs)))


@functools.lru_cache(maxsize=256)
def _dtype_of(scalars: tuple[Scalar, ...]) -> np.dtype[Any]:
    return np.dtype([(f"c{i}", numpy_scalar(scalar)) for i, scalar in enumerate(scalars)])


def draw(
    element: Type,
    count: int,
    recipe: Recipe,
    *,
    seed: int,
    parameter: int,
    sizes: Mapping[str, int],
    structs: Structs,
    edges: Edges | None = None,
) -> npt.NDArray[Any]:
    """`count` packed elements (a structured array, see packed_dtype) drawn by `recipe`.

    `seed` is the input seed, `parameter` the position in the kernel's signature, `sizes` the named sizes.
    `edges` are put among the numbers.
    """
    recipes = component_recipes(element, recipe, structs)
    scalars = list(component_scalars(element, structs))
    if recipe.kind in ("permutation", "offsets", "list") and len(scalars) != 1:
        raise ValueError(f"recipe {recipe.kind!r} describes integers, not {element}")
    drawn = evaluate_size(recipe.arguments, sizes) if recipe.kind == "permutation" else count
    if drawn < count:
        raise ValueError(f"recipe 'permutation' has {drawn} different indices, the array {count} elements")
    bits = leading_bits(seed, parameter, drawn * len(scalars))
    hashes = None if edges is None else pcg(bits ^ _OTHER_BITS)

    def component(of: slice, scalar: Scalar, one: Recipe) -> npt.NDArray[Any]:
        values = _numbers(bits[of], scalar, one, sizes)
        if edges is not None and hashes is not None:
            groups = np.repeat(hashes[:: len(scalars)], len(values) // drawn)
            values = edges.planted(values, one, hashes[of], groups, sizes)
        return _stored(values, scalar)

    is_one = len(set(scalars)) == 1 and all(one is recipes[0] for one in recipes)
    if is_one and recipe.kind != "unit":
        return component(slice(None), scalars[0], recipes[0]).view(packed_dtype(element, structs))[:count]
    result = np.zeros(count, dtype=packed_dtype(element, structs))
    for number, (scalar, one) in enumerate(zip(scalars, recipes, strict=True)):
        result[f"c{number}"] = component(slice(number, None, len(scalars)), scalar, one)
    for _, group in itertools.groupby(range(len(recipes)), key=lambda number: id(recipes[number])):
        together = list(group)
        if recipes[together[0]].kind == "unit":
            _scale_to_unit_length(result, [f"c{number}" for number in together])
    return result


def _scale_to_unit_length(elements: npt.NDArray[Any], components: Sequence[str]) -> None:
    """Divide components by the length of the vector that they are, in float64."""
    vectors = [elements[one].astype(np.float64) for one in components]
    length = np.sqrt(functools.reduce(np.add, [one * one for one in vectors]))
    for name, vector in zip(components, vectors, strict=True):
        elements[name] = vector / length


def _stored(values: npt.NDArray[Any], scalar: Scalar) -> npt.NDArray[Any]:
    """Numbers as a parameter holds them."""
    dtype = numpy_scalar(scalar)
    return bfloat16.to_bits(values) if bfloat16.is_bfloat16(dtype) else values.astype(dtype)


def _numbers(bits: Bits, scalar: Scalar, recipe: Recipe, sizes: Mapping[str, int]) -> npt.NDArray[Any]:
    """What a recipe makes of bits, not rounded yet."""
    values: npt.NDArray[Any]
    match recipe.kind:
        case "uniform" | "unit":
            low, high = recipe.arguments
            values = (bits >> np.uint32(8)).astype(np.float64)
            values *= 2.0**-24
            if scalar.name == "float64":
                values += (pcg(bits) >> np.uint32(3)) * 2.0**-53
            values *= high - low
            values += low
        case "integers":
            low, high = (evaluate_size(bound, sizes) for bound in recipe.arguments)
            if not 0 < high - low <= 2**32:
                raise ValueError(f"recipe 'integers' has the empty or too large range [{low}, {high})")
            below = bits if high - low == 2**32 else bits % np.uint32(high - low)
            values = below.astype(np.int64)
            values += low
        case "permutation":
            values = np.argsort(bits, kind="stable")
        case "offsets":
            stride, width = (evaluate_size(one, sizes) for one in recipe.arguments)
            values = np.arange(len(bits)) * stride + bits % np.uint32(width)
        case "constant":
            values = np.full(bits.shape, recipe.arguments)
        case "size":
            values = np.full(bits.shape, evaluate_size(recipe.arguments, sizes))
        case "list":
            values = np.array([evaluate_size(one, sizes) for one in recipe.arguments])
            if values.shape != bits.shape:
                raise ValueError(f"recipe 'list' has {len(values)} elements, the array {len(bits)}")
        case _:
            raise ValueError(f"recipe {recipe.kind!r} does not describe a scalar")
    return values


def draw_parameter(
    launch: Launch, name: str, type: Type, position: int, *, size: int, seed: int, structs: Structs
) -> npt.NDArray[Any]:
    """The packed elements of one kernel parameter before the launch, flat.

    `out` arrays hold the fill byte. By-value parameters have one element, null arrays none, and arrays with
    strides all that they reach.
    """
    parameter = launch.parameters[name]
    sizes = launch.named_sizes(size)
    element = type.element if isinstance(type, Array) else type
    count = math.prod(launch.storage_shape(name, size)) if isinstance(type, Array) else 1
    if parameter.null:
        return np.empty(0, dtype=packed_dtype(element, structs))
    if parameter.role == "out":
        filled = np.full(count * packed_bytes(element, structs), FILL_BYTE, dtype=np.uint8)
        return filled.view(packed_dtype(element, structs))
    if parameter.values is None:
        raise ValueError(f"parameter {name!r} has no recipe")
    kept = kept_of(launch, name, seed)
    seed -= kept is Kept.ALL
    recipe = (
        restarted(launch, name, seed, position, element)
        or other_constant(launch, name, seed)
        or parameter.values
    )
    drawn = functools.partial(draw, element, recipe=recipe, parameter=position, sizes=sizes, structs=structs)
    result = drawn(count, seed=seed, edges=edges_of(launch, seed, position))
    if kept is Kept.MOST and count and _is_drawn_alone(element, recipe, structs):
        components = len(list(component_scalars(element, structs)))
        hashes = pcg(leading_bits(seed, position, count * components)[::components] ^ _OTHER_BITS)
        result = np.where(is_drawn_anew(hashes), result, drawn(count, seed=seed - 1))
    return result


def _is_drawn_alone(element: Type, recipe: Recipe, structs: Structs) -> bool:
    """Whether a recipe draws each element by itself."""
    return {one.kind for one in component_recipes(element, recipe, structs)} <= {
        "uniform",
        "unit",
        "integers",
        "constant",
    }

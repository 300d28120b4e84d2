"""Whether a recipe gives values of a parameter's type."""

from __future__ import annotations

import math
from collections.abc import Mapping

from weft.errors import did_you_mean
from weft.ir.launch_plan import CHECKED_SIZES
from weft.launch import Launch, Recipe
from weft.sizes import Size, evaluate_size
from weft.types import (
    Array,
    Quaternion,
    Scalar,
    Struct,
    Structs,
    Transform,
    Type,
    Vector,
    component_scalars,
)
from weft.written import Where

_LISTS = ("permutation", "offsets", "list")
_GREATEST = {"float16": 65504.0, "bfloat16": 3.3895313892515355e38, "float32": 3.4028234663852886e38}
MOST_VALUES = 2**32


def value_of(launch: Launch, size: Size, n: int, where: Where) -> int:
    """The value of a size expression of a launch. Raises WrittenError where it has none."""
    try:
        return evaluate_size(size, launch.named_sizes(n))
    except ValueError as error:
        raise where.error(f"{error}, for n = {n}") from error


def check_recipe(launch: Launch, name: str, type: Type, structs: Structs, where: Where) -> None:
    """Raise WrittenError unless the recipe of a parameter, if it has one, draws values of this type."""
    recipe = launch.parameters[name].values
    if recipe is None:
        return
    here = where / recipe.kind
    if recipe.kind not in _LISTS:
        element = type.element if isinstance(type, Array) else type
        _check_element(launch, element, recipe, structs, where)
        return
    scalar = type.element if isinstance(type, Array) and type.ndim == 1 else None
    if not isinstance(scalar, Scalar) or not scalar.is_integer:
        what = "a list of integers (an array of one dimension)"
        raise here.error(f"{recipe.kind!r} describes {what}, not {type}", at_key=True)
    match recipe.kind:
        case "permutation":
            _check_permutation(launch, name, recipe.arguments, here)
        case "offsets":
            _check_offsets(launch, recipe.arguments, here)
        case _:
            _check_list(launch, name, recipe.arguments, scalar, here)


def _check_element(launch: Launch, type: Type, recipe: Recipe, structs: Structs, where: Where) -> None:
    """Raise WrittenError unless a recipe draws each component of an element."""
    here = where / recipe.kind
    if recipe.kind == "members":
        if not isinstance(type, Struct):
            raise here.error(f"'members' describes a struct, not {type}", at_key=True)
        _check_members(launch, type, recipe.arguments, structs, here)
        return
    if recipe.kind in _LISTS:
        raise here.error(f"{recipe.kind!r} describes a list of integers, not a part of {type}", at_key=True)
    if recipe.kind == "unit" and not (
        isinstance(type, Vector | Quaternion | Transform) and type.scalar.name in ("float32", "float64")
    ):
        raise here.error(
            f"'unit' describes vectors, quaternions and transforms of floats, not {type}", at_key=True
        )
    for scalar in dict.fromkeys(component_scalars(type, structs)):
        _check_scalar(launch, scalar, recipe, here)


def _check_members(
    launch: Launch, struct: Struct, recipes: Mapping[str, Recipe], structs: Structs, here: Where
) -> None:
    fields = dict(structs[struct.name])
    for member, recipe in recipes.items():
        if member not in fields:
            known = f"{did_you_mean(member, fields)} (it has {', '.join(fields)})"
            raise (here / member).error(f"{struct} has no member {member!r}{known}", at_key=True)
        _check_element(launch, fields[member], recipe, structs, here / member)
    missing = [member for member in fields if member not in recipes]
    if missing:
        raise here.error(f"a recipe for {struct} lacks {', '.join(missing)}", at_key=True)


def _check_scalar(launch: Launch, scalar: Scalar, recipe: Recipe, here: Where) -> None:
    match recipe.kind:
        case "uniform" | "unit":
            if not scalar.is_float:
                better = "use 'integers', as in {'integers': [0, 2]}"
                raise here.error(f"'uniform' draws floats, and this is {scalar}; {better}", at_key=True)
            for number, bound in enumerate(recipe.arguments):
                require_fits(bound, scalar, here / number)
        case "constant":
            require_fits(recipe.arguments, scalar, here)
        case "size":
            require_fits(value_of(launch, recipe.arguments, 1, here), scalar, here)
        case _:
            _check_integers(launch, recipe.arguments, scalar, here)


def _check_integers(launch: Launch, bounds: tuple[Size, Size], scalar: Scalar, here: Where) -> None:
    for n in CHECKED_SIZES:
        low, high = (value_of(launch, bound, n, here / number) for number, bound in enumerate(bounds))
        if low >= high:
            raise here.error(f"integers in [{low}, {high}) for n = {n}: an empty range")
        if n == 1 and high - low > MOST_VALUES:
            raise here.error(f"integers in [{low}, {high}): more than {MOST_VALUES} values")
        for number, bound in enumerate((low, high - 1)):
            require_fits(bound, scalar, here / number)


def require_fits(value: float, scalar: Scalar, where: Where) -> None:
    """Raise WrittenError for a number that a scalar does not hold."""
    if scalar.is_float:
        greatest = _GREATEST.get(scalar.name, math.inf)
        if abs(value) > greatest:
            raise where.error(f"{value} does not fit {scalar} (up to {greatest:g})")
        return
    low, high = scalar.limits
    if value != math.floor(value) or not low <= value <= high:
        raise where.error(f"{value} does not fit {scalar} (integers from {low} to {high})")


def _check_permutation(launch: Launch, name: str, total: Size, here: Where) -> None:
    """Raise WrittenError if an array has more elements than there are different indices."""
    for n in CHECKED_SIZES:
        count = math.prod(launch.storage_shape(name, n))
        if value_of(launch, total, n, here) < count:
            raise here.error(f"a permutation of {total!r} has no {count} elements for n = {n}")


def _check_offsets(launch: Launch, arguments: tuple[Size, Size], here: Where) -> None:
    """Raise WrittenError unless offsets do not decrease."""
    for n in CHECKED_SIZES:
        stride, below = (value_of(launch, one, n, here / number) for number, one in enumerate(arguments))
        if stride < 0 or not 1 <= below <= MOST_VALUES:
            raise here.error(f"offsets of stride {stride}, range {below} for n = {n}")


def _check_list(launch: Launch, name: str, elements: tuple[Size, ...], scalar: Scalar, here: Where) -> None:
    """Raise WrittenError unless a list has the elements of an array, one by one."""
    for n in CHECKED_SIZES:
        if launch.storage_shape(name, n) != (len(elements),):
            shape = list(launch.parameters[name].shape)
            raise here.error(f"a list of {len(elements)} elements for an array of shape {shape}")
    for number, element in enumerate(elements):
        for n in CHECKED_SIZES:
            value = value_of(launch, element, n, here / number)
            if n == 1:
                require_fits(value, scalar, here / number)

"""Helpers on vectors. Each computes in Warp's order of operations, so that results agree to the last bit."""

from __future__ import annotations

import functools
from collections.abc import Callable

from weft.cuda.c_types import HALVES, c_type
from weft.cuda.helpers.text import (
    Helper,
    construct,
    define,
    giving,
    math_call,
    math_function,
    narrow,
    number,
    parts,
    passed,
    scalar_of,
)
from weft.types import Matrix, Quaternion, Type, Vector


def elementwise(type: Type, head: str, pattern: str) -> Helper:
    """A helper whose result's components are `pattern`, where `{0}` stands for a component's path."""
    scalar = scalar_of(type)
    if (path := looped(type)) is not None:
        loops = in_loops(type, f"c{path} = {narrow(pattern.format(path), scalar)};")
        return define(f"{c_type(type)} {head}", loops)
    paths = [path.removeprefix("a") for path in parts("a", type)]
    return giving(type, head, [narrow(pattern.format(path), scalar) for path in paths])


def looped(type: Type) -> str | None:
    """The path of a component in loops over all components; None for types with few of them."""
    if isinstance(type, Matrix):
        return ".m[i][j]"
    return ".v[i]" if isinstance(type, Vector) and type.length > 4 else None


def in_loops(type: Type, statement: str, name: str = "c") -> list[str]:
    """A body that makes a value component by component."""
    assert isinstance(type, Matrix | Vector)
    sizes = (type.rows, type.columns) if isinstance(type, Matrix) else (type.length,)
    loops = [f"for (int {i} = 0; {i} < {size}; ++{i})" for i, size in zip("ij", sizes, strict=False)]
    inner = f"{' { '.join(loops)} {statement}{' }' * (len(loops) - 1)}"
    return [f"{c_type(type)} {name};", inner, f"return {name};"]


def componentwise(name: str, pattern: str) -> Callable[[Type, Type], Helper]:
    """A helper on two values of one type, component by component."""
    return lambda left, _: elementwise(left, f"{name}({passed(left)} a, {passed(left)} b)", pattern)


def unary(name: str, pattern: str) -> Callable[[Type], Helper]:
    """A helper on one value, component by component."""
    return lambda operand: elementwise(operand, f"{name}({passed(operand)} a)", pattern)


def _sum(type: Type, scalar: str, zero: str, pattern: str, start: str = "") -> list[str]:
    """A body that adds up what `pattern` makes of the components."""
    if isinstance(type, Vector) and type.length > 4:
        step = f"for (int i = 0; i < {type.length}; ++i) sum += {pattern.format('.v[i]')};"
        return [f"{scalar} sum = {zero};", step, "return sum;"]
    terms = [pattern.format(path.removeprefix("a")) for path in parts("a", type)]
    return [f"return {narrow(start + ' + '.join(terms), scalar_of(type))};"]


def dot(left: Type, right: Type) -> Helper:
    """Warp: dot. For two and three components plain; longer ones start at zero."""
    scalar, t = scalar_of(left), c_type(scalar_of(left))
    zero = number(0, scalar)
    from_zero = isinstance(left, Vector) and left.length in (1, 4) and scalar.is_float
    body = _sum(left, t, zero, "a{0} * b{0}", f"{zero} + " * from_zero)
    comment = "Starts at zero, so that the sum of negative zeros is zero." * from_zero
    return define(f"{t} dot({passed(left)} a, {passed(right)} b)", body, comment)


def sum_of_magnitudes(type: Type) -> Helper:
    """Warp: norm_l1, in float whatever the components are."""
    return define(f"float norm_l1({passed(type)} a)", _sum(type, "float", "0.0f", "fabsf(a{0})"))


def length_squared(type: Type) -> Helper:
    """Warp: length_sq."""
    head = f"{c_type(scalar_of(type))} length_squared({passed(type)} a)"
    return define(head, ["return dot(a, a);"], needs=(("dot", (type, type)),))


def length(type: Type) -> Helper:
    """Warp: length."""
    scalar = scalar_of(type)
    body = [f"return {math_call('sqrt', scalar, 'dot(a, a)')};"]
    return define(f"{c_type(scalar)} length({passed(type)} a)", body, needs=(("dot", (type, type)),))


def normalize(type: Type) -> Helper:
    """Warp: normalize; a zero vector stays zero, a zero quaternion becomes the identity."""
    scalar = scalar_of(type)
    zero, one = number(0, scalar), number(1, scalar)
    operator, scaled, other = "operator/", "a / l", [zero] * len(parts("a", type))
    comment = "a scaled to length one; zero stays zero."
    if isinstance(type, Quaternion):
        operator, scaled, other = "operator*", f"a * ({one} / l)", [zero, zero, zero, one]
        comment = "a scaled to length one; zero becomes the identity."
    body = [
        f"const {c_type(scalar)} l = length(a);",
        f"return l > {zero} ? {scaled} : {construct(type, other)};",
    ]
    needs = (("length", (type,)), (operator, (type, scalar)))
    return define(f"{c_type(type)} normalize({passed(type)} a)", body, comment, needs)


def cross(left: Type, right: Type) -> Helper:
    """Warp: cross."""
    axes = (("y", "z"), ("z", "x"), ("x", "y"))
    components = [narrow(f"a.{i} * b.{j} - a.{j} * b.{i}", scalar_of(left)) for i, j in axes]
    return giving(left, f"cross({passed(left)} a, {passed(right)} b)", components)


def vector_lerp(left: Type, right: Type, factor: Type) -> Helper:
    """Warp: lerp of vectors, matrices and quaternions."""
    return define(
        f"{c_type(left)} lerp({passed(left)} a, {passed(right)} b, {c_type(factor)} t)",
        [f"return a * ({number(1, scalar_of(left))} - t) + b * t;"],
        "From a at t = 0 to b at t = 1.",
        (("operator*", (left, factor)), ("operator+", (left, left))),
    )


def component_extreme(name: str) -> Callable[[Type, Type], Helper]:
    """Warp: min and max of two vectors."""

    def helper(left: Type, right: Type) -> Helper:
        call = math_function(f"f{name}", scalar_of(left))
        return componentwise(f"{name}_components", f"{call}(a{{0}}, b{{0}})")(left, right)

    return helper


def extreme_component(name: str) -> Callable[[Type], Helper]:
    """Warp: min and max over the components of one vector."""

    def helper(type: Type) -> Helper:
        scalar = scalar_of(type)
        value, *rest = parts("a", type)
        for component in rest:
            value = f"{math_function(f'f{name}', scalar)}({value}, {component})"
        return define(f"{c_type(scalar)} {name}_component({passed(type)} a)", [f"return {value};"])

    return helper


def index_of_extreme(name: str, comparison: str) -> Callable[[Type], Helper]:
    """Warp: argmin and argmax; the first of equals, NaN left out."""

    def helper(type: Type) -> Helper:
        scalar, values = scalar_of(type), parts("a", type)
        first, start, test, best = 0, 1, f"value[i] {comparison} value[best]", "best"
        if scalar.is_float:
            test = f"!{math_call('isnan', scalar, 'value[i]')} && (best < 0 || {test})"
            first, start, best = -1, 0, "best < 0 ? 0 : best"
        body = [
            f"const {c_type(scalar)} value[] = {{{', '.join(values)}}};",
            f"int best = {first};",
            f"for (int i = {start}; i < {len(values)}; ++i) {{",
            f"    if ({test}) best = i;",
            "}",
            f"return {best};",
        ]
        comment = "Index of the first " + ("smallest" if comparison == "<" else "largest") + " component."
        return define(f"uint32_t {name}({passed(type)} a)", body, comment)

    return helper


def absolute(type: Type) -> Helper:
    """Warp: abs of a vector."""
    scalar = scalar_of(type)
    pattern = "a{0}" if scalar.is_unsigned else f"{math_function('fabs', scalar)}(a{{0}})"
    return unary("abs_components", pattern)(type)


def sign_components(type: Type) -> Helper:
    """Warp: sign of a vector."""
    scalar = scalar_of(type)
    if scalar.is_unsigned:
        return elementwise(type, f"sign_components({passed(type)} /*a*/)", number(1, scalar))
    zero, minus, one = (number(value, scalar) for value in (0, -1, 1))
    return unary("sign_components", f"a{{0}} < {zero} ? {minus} : {one}")(type)


def predicate(name: str, test: str, joint: str) -> Callable[[Type], Helper]:
    """Warp: isfinite, isnan, isinf of a vector, matrix or quaternion."""

    def helper(type: Type) -> Helper:
        half = scalar_of(type).name in HALVES
        components = [f"float({one})" if half else one for one in parts("a", type)]
        value = f" {joint} ".join(f"{test}({component})" for component in components)
        return define(f"bool {name}({passed(type)} a)", [f"return {value};"])

    return helper


def component(type: Type, *, changed: bool = False) -> Helper:
    """A component by a number that is known at run time, perhaps to be changed."""
    *names, last = parts("a", type)
    value = "".join(f"i == {i} ? {name} : " for i, name in enumerate(names)) + last
    head = f"& component_ref({c_type(type)}& a" if changed else f" component({passed(type)} a"
    return define(f"{c_type(scalar_of(type))}{head}, int i)", [f"return {value};"])


def filled(type: Type) -> Helper:
    """A vector or matrix whose components are all one value."""
    head = f"fill_{c_type(type)}({c_type(scalar_of(type))} s)"
    if (path := looped(type)) is not None:
        return define(f"{c_type(type)} {head}", in_loops(type, f"a{path} = s;", "a"))
    return giving(type, head, ["s"] * len(parts("a", type)))


def converted(type: Type, source: Type) -> Helper:
    """Components converted from another scalar type."""
    values = [f"{c_type(scalar_of(type))}({part})" for part in parts("a", source)]
    return giving(type, f"to_{c_type(type)}({passed(source)} a)", values)


VECTOR_HELPERS: dict[str, Callable[..., Helper]] = {
    "dot": dot,
    "length": length,
    "length_squared": length_squared,
    "norm_l1": sum_of_magnitudes,
    "normalize": normalize,
    "cross": cross,
    "multiply_components": componentwise("multiply_components", "a{0} * b{0}"),
    "divide_components": componentwise("divide_components", "a{0} / b{0}"),
    "lerp_components": vector_lerp,
    "min_components": component_extreme("min"),
    "max_components": component_extreme("max"),
    "min_component": extreme_component("min"),
    "max_component": extreme_component("max"),
    "argmin": index_of_extreme("argmin", "<"),
    "argmax": index_of_extreme("argmax", ">"),
    "abs_components": absolute,
    "sign_components": sign_components,
    "all_finite": predicate("all_finite", "isfinite", "&&"),
    "any_nan": predicate("any_nan", "isnan", "||"),
    "any_infinite": predicate("any_infinite", "isinf", "||"),
    "component": component,
    "component_ref": functools.partial(component, changed=True),
    "fill": filled,
    "convert": converted,
}

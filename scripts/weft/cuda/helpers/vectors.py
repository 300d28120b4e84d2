"""Helpers on vectors. Each computes in Warp's order of operations, so that results agree to the last bit."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import HALVES, c_type
from weft.cuda.device_code import Section
from weft.cuda.helpers.text import (
    Helper,
    Request,
    construct,
    function,
    math_call,
    math_function,
    narrow,
    number,
    parts,
    passed,
    returned,
    scalar_of,
)
from weft.types import Matrix, Quaternion, Scalar, Type, Vector


def elementwise(type: Type, name: str, parameters: list[tuple[str, str]], pattern: str) -> Section:
    """A function whose result's components are `pattern`, where `{0}` stands for a component's path."""
    scalar = scalar_of(type)
    if isinstance(type, Vector) and type.length > 4:
        loop = f"for (int i = 0; i < {type.length}; ++i) c.v[i] = {narrow(pattern.format('.v[i]'), scalar)};"
        return function(c_type(type), name, parameters, [f"{c_type(type)} c;", loop, "return c;"])
    if isinstance(type, Matrix):
        body = [
            f"{c_type(type)} c;",
            f"for (int i = 0; i < {type.rows}; ++i) {{",
            f"    for (int j = 0; j < {type.columns}; ++j) c.m[i][j] = "
            f"{narrow(pattern.format('.m[i][j]'), scalar)};",
            "}",
            "return c;",
        ]
        return function(c_type(type), name, parameters, body)
    paths = [path.removeprefix("a") for path in parts("a", type)]
    components = [narrow(pattern.format(path), scalar) for path in paths]
    return function(c_type(type), name, parameters, returned(type, components))


def componentwise(name: str, pattern: str) -> Callable[[Type, Type], Helper]:
    """A helper on two values of one type, component by component."""

    def helper(type: Type, other: Type) -> Helper:
        return Helper(elementwise(type, name, [(passed(type), "a"), (passed(type), "b")], pattern))

    return helper


def unary(name: str, pattern: str) -> Callable[[Type], Helper]:
    """A helper on one value, component by component."""

    def helper(type: Type) -> Helper:
        return Helper(elementwise(type, name, [(passed(type), "a")], pattern))

    return helper


def dot(left: Type, right: Type) -> Helper:
    """Warp: dot. For two and three components plain; longer ones start at zero."""
    scalar = scalar_of(left)
    parameters = [(passed(left), "a"), (passed(right), "b")]
    t = c_type(scalar)
    if isinstance(left, Vector) and left.length > 4:
        body = [
            f"{t} sum = {number(0, scalar)};",
            f"for (int i = 0; i < {left.length}; ++i) sum += a.v[i] * b.v[i];",
            "return sum;",
        ]
        return Helper(function(t, "dot", parameters, body))
    products = [f"{a} * {b}" for a, b in zip(parts("a", left), parts("b", right), strict=True)]
    comment = ""
    if isinstance(left, Vector) and left.length in (1, 4) and scalar.is_float:
        products.insert(0, number(0, scalar))
        comment = "Starts at zero, so that the sum of negative zeros is zero."
    value = narrow(" + ".join(products), scalar)
    return Helper(function(t, "dot", parameters, [f"return {value};"], comment))


def sum_of_magnitudes(type: Type) -> Helper:
    """Warp: norm_l1, in float whatever the components are."""
    if isinstance(type, Vector) and type.length > 4:
        body = [
            "float sum = 0.0f;",
            f"for (int i = 0; i < {type.length}; ++i) sum += fabsf(a.v[i]);",
            "return sum;",
        ]
    else:
        body = [f"return {' + '.join(f'fabsf({part})' for part in parts('a', type))};"]
    return Helper(function("float", "norm_l1", [(passed(type), "a")], body))


def length_squared(type: Type) -> Helper:
    """Warp: length_sq."""
    t = c_type(scalar_of(type))
    text = function(t, "length_squared", [(passed(type), "a")], ["return dot(a, a);"])
    return Helper(text, (("dot", (type, type)),))


def length(type: Type) -> Helper:
    """Warp: length."""
    scalar = scalar_of(type)
    value = math_call("sqrt", scalar, "dot(a, a)")
    text = function(c_type(scalar), "length", [(passed(type), "a")], [f"return {value};"])
    return Helper(text, (("dot", (type, type)),))


def normalize(type: Type) -> Helper:
    """Warp: normalize; a zero vector stays zero, a zero quaternion becomes the identity."""
    scalar = scalar_of(type)
    zero = number(0, scalar)
    needs: tuple[Request, ...] = (("length", (type,)),)
    if isinstance(type, Quaternion):
        one = number(1, scalar)
        body = [
            f"const {c_type(scalar)} l = length(a);",
            f"return l > {zero} ? a * ({one} / l) : {construct(type, [zero, zero, zero, one])};",
        ]
        comment = "a scaled to length one; zero becomes the identity."
        needs = (*needs, ("operator*", (type, scalar)))
    else:
        body = [
            f"const {c_type(scalar)} l = length(a);",
            f"return l > {zero} ? a / l : {construct(type, [zero] * len(parts('a', type)))};",
        ]
        comment = "a scaled to length one; zero stays zero."
        needs = (*needs, ("operator/", (type, scalar)))
    return Helper(function(c_type(type), "normalize", [(passed(type), "a")], body, comment), needs)


def cross(left: Type, right: Type) -> Helper:
    """Warp: cross."""
    scalar = scalar_of(left)
    components = [
        narrow(f"a.{i} * b.{j} - a.{j} * b.{i}", scalar) for i, j in (("y", "z"), ("z", "x"), ("x", "y"))
    ]
    parameters = [(passed(left), "a"), (passed(right), "b")]
    return Helper(function(c_type(left), "cross", parameters, returned(left, components)))


def vector_lerp(left: Type, right: Type, factor: Type) -> Helper:
    """Warp: lerp of vectors, matrices and quaternions."""
    scalar = scalar_of(left)
    parameters = [(passed(left), "a"), (passed(right), "b"), (c_type(factor), "t")]
    text = function(
        c_type(left),
        "lerp",
        parameters,
        [f"return a * ({number(1, scalar)} - t) + b * t;"],
        "From a at t = 0 to b at t = 1.",
    )
    return Helper(text, (("operator*", (left, factor)), ("operator+", (left, left))))


def _extreme(scalar: Scalar, name: str) -> str:
    if scalar.is_float:
        return math_function(f"f{name}", scalar)
    return name


def component_extreme(name: str) -> Callable[[Type, Type], Helper]:
    """Warp: min and max of two vectors."""

    def helper(left: Type, right: Type) -> Helper:
        call = _extreme(scalar_of(left), name)
        parameters = [(passed(left), "a"), (passed(right), "b")]
        return Helper(elementwise(left, f"{name}_components", parameters, f"{call}(a{{0}}, b{{0}})"))

    return helper


def extreme_component(name: str) -> Callable[[Type], Helper]:
    """Warp: min and max over the components of one vector."""

    def helper(type: Type) -> Helper:
        scalar = scalar_of(type)
        call = _extreme(scalar, name)
        value, *rest = parts("a", type)
        for component in rest:
            value = f"{call}({value}, {component})"
        return Helper(
            function(c_type(scalar), f"{name}_component", [(passed(type), "a")], [f"return {value};"])
        )

    return helper


def index_of_extreme(name: str, comparison: str) -> Callable[[Type], Helper]:
    """Warp: argmin and argmax; the first of equals, NaN left out."""

    def helper(type: Type) -> Helper:
        scalar = scalar_of(type)
        values = parts("a", type)
        t = c_type(scalar)
        is_float = scalar.is_float
        body = [f"const {t} value[] = {{{', '.join(values)}}};", f"int best = {-1 if is_float else 0};"]
        test = f"value[i] {comparison} value[best]"
        if is_float:
            test = f"!{math_call('isnan', scalar, 'value[i]')} && (best < 0 || {test})"
        body += [
            f"for (int i = {0 if is_float else 1}; i < {len(values)}; ++i) {{",
            f"    if ({test}) best = i;",
            "}",
            f"return {'best < 0 ? 0 : best' if is_float else 'best'};",
        ]
        comment = "Index of the first " + ("smallest" if comparison == "<" else "largest") + " component."
        return Helper(
            function("uint32_t", name, [(passed(type), "a")], body, comment), includes=("<cstdint>",)
        )

    return helper


def absolute(type: Type) -> Helper:
    """Warp: abs of a vector."""
    scalar = scalar_of(type)
    call = math_function("fabs", scalar) if scalar.is_float else "abs"
    pattern = "a{0}" if scalar.is_unsigned else f"{call}(a{{0}})"
    return Helper(elementwise(type, "abs_components", [(passed(type), "a")], pattern))


def sign_components(type: Type) -> Helper:
    """Warp: sign of a vector."""
    scalar = scalar_of(type)
    if scalar.is_unsigned:
        return Helper(elementwise(type, "sign_components", [(passed(type), "/*a*/")], number(1, scalar)))
    pattern = f"a{{0}} < {number(0, scalar)} ? {number(-1, scalar)} : {number(1, scalar)}"
    return Helper(elementwise(type, "sign_components", [(passed(type), "a")], pattern))


def predicate(name: str, test: str, joint: str) -> Callable[[Type], Helper]:
    """Warp: isfinite, isnan, isinf of a vector, matrix or quaternion."""

    def helper(type: Type) -> Helper:
        half = scalar_of(type).name in HALVES
        components = [f"float({one})" if half else one for one in parts("a", type)]
        value = f" {joint} ".join(f"{test}({component})" for component in components)
        return Helper(function("bool", name, [(passed(type), "a")], [f"return {value};"]))

    return helper


def component(type: Type) -> Helper:
    """A component by a number that is known at run time."""
    names = parts("a", type)
    t = c_type(scalar_of(type))
    value = " : ".join([f"i == {i} ? {name}" for i, name in enumerate(names[:-1])] + [names[-1]])
    return Helper(function(t, "component", [(passed(type), "a"), ("int", "i")], [f"return {value};"]))


def component_reference(type: Type) -> Helper:
    """A component by a number that is known at run time, to be changed."""
    names = parts("a", type)
    t = c_type(scalar_of(type))
    value = " : ".join([f"i == {i} ? {name}" for i, name in enumerate(names[:-1])] + [names[-1]])
    return Helper(
        function(f"{t}&", "component_ref", [(f"{c_type(type)}&", "a"), ("int", "i")], [f"return {value};"])
    )


def filled(type: Type) -> Helper:
    """A vector or matrix whose components are all one value."""
    scalar = scalar_of(type)
    name = f"fill_{c_type(type)}"
    if isinstance(type, Matrix) or (isinstance(type, Vector) and type.length > 4):
        body = [f"{c_type(type)} a;"]
        if isinstance(type, Matrix):
            body += [
                f"for (int i = 0; i < {type.rows}; ++i) {{",
                f"    for (int j = 0; j < {type.columns}; ++j) a.m[i][j] = s;",
                "}",
            ]
        else:
            body.append(f"for (int i = 0; i < {type.length}; ++i) a.v[i] = s;")
        return Helper(function(c_type(type), name, [(c_type(scalar), "s")], [*body, "return a;"]))
    value = returned(type, ["s"] * len(parts("a", type)))
    return Helper(function(c_type(type), name, [(c_type(scalar), "s")], value))


def converted(type: Type, source: Type) -> Helper:
    """Components converted from another scalar type."""
    target = c_type(scalar_of(type))
    name = f"to_{c_type(type)}"
    values = [f"{target}({part})" for part in parts("a", source)]
    return Helper(function(c_type(type), name, [(passed(source), "a")], returned(type, values)))


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
    "component_ref": component_reference,
    "fill": filled,
    "convert": converted,
}

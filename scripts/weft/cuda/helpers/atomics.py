"""Helpers for atomic updates that CUDA lacks: of vectors and matrices, and the extremes of floats."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.device_functions import ATOMICS
from weft.cuda.helpers.text import Helper, construct, define, math_function, parts, passed, scalar_of
from weft.types import Matrix, Scalar, Type


def direct(operation: str, scalar: Scalar) -> str | None:
    """CUDA's own function for the operation on `scalar`, if it takes the type as it is."""
    one = ATOMICS[operation]
    return one.function if scalar.name in one.direct else None


def _one(operation: str, scalar: Scalar, address: str, value: str) -> str:
    return f"{direct(operation, scalar) or f'{operation}_atomically'}({address}, {value})"


def _compound(operation: str, type: Type, fetch: bool) -> Helper:
    """An update of every component on its own."""
    scalar = scalar_of(type)
    paths = [path.removeprefix("a") for path in parts("a", type)]
    calls = [_one(operation, scalar, f"&address->{path.lstrip('.')}", f"v{path}") for path in paths]
    needs = () if direct(operation, scalar) else ((f"{operation}_atomically", (scalar,)),)
    name = f"fetch_{operation}" if fetch else f"{operation}_atomically"
    comment = "Atomic for each component, not for the whole."
    if fetch:
        names = [f"old{i}" for i in range(len(calls))]
        t = c_type(scalar)
        body = [f"const {t} {name_} = {call};" for name_, call in zip(names, calls, strict=True)]
        body.append(f"return {construct(type, names)};")
        return define(
            f"{c_type(type)} {name}({c_type(type)}* address, {passed(type)} v)", body, comment, needs
        )
    if isinstance(type, Matrix):
        call = _one(operation, scalar, "&address->m[i][j]", "v.m[i][j]")
        body = [
            f"for (int i = 0; i < {type.rows}; ++i) {{",
            f"    for (int j = 0; j < {type.columns}; ++j) {call};",
            "}",
        ]
    else:
        body = [f"{call};" for call in calls]
    return define(f"void {name}({c_type(type)}* address, {passed(type)} v)", body, comment, needs)


_WORDS = {8: "unsigned long long", 4: "unsigned int", 2: "unsigned short"}
_TO_BITS = {
    "bfloat16": "__bfloat16_as_ushort",
    "float32": "__float_as_uint",
    "float64": "__double_as_longlong",
}
_FROM_BITS = {
    "bfloat16": "__ushort_as_bfloat16",
    "float32": "__uint_as_float",
    "float64": "__longlong_as_double",
}


def _extreme(operation: str, scalar: Scalar) -> Helper:
    """min and max of floats by compare and swap (CUDA C++ Programming Guide, Atomic Functions)."""
    t, word = c_type(scalar), _WORDS[scalar.bytes]
    to_bits, from_bits = _TO_BITS[scalar.name], _FROM_BITS[scalar.name]
    call = math_function(f"f{operation}", scalar)
    body = [
        f"{word}* const bits = reinterpret_cast<{word}*>(address);",
        f"{word} seen = *static_cast<volatile {word}*>(bits);",
        "while (true) {",
        f"    const {word} wanted = {to_bits}({call}({from_bits}(seen), v));",
        "    if (wanted == seen) break;",
        f"    const {word} found = atomicCAS(bits, seen, wanted);",
        "    if (found == seen) break;",
        "    seen = found;",
        "}",
        f"return {from_bits}(seen);",
    ]
    comment = f"CUDA has no atomic {operation} of floating-point numbers: compare and swap the bits."
    return define(f"{t} {operation}_atomically({t}* address, {t} v)", body, comment)


def _by_bits(operation: str) -> Callable[[Type], Helper]:
    """min and max of floats, none of which is NaN in memory, by those of integers."""

    def helper(type: Type) -> Helper:
        assert isinstance(type, Scalar)
        t, word = c_type(type), _WORDS[type.bytes]
        signed = {"unsigned int": "int"}.get(word, "long long")
        to_bits, as_signed = _TO_BITS[type.name], "__float_as_int" if t == "float" else "__double_as_longlong"
        positive, negative = ("Max", "Min") if operation == "max" else ("Min", "Max")
        unsigned = f"{to_bits}(v)" if t == "float" else f"static_cast<{word}>({to_bits}(v))"
        body = [
            f"const {t} seen = *static_cast<volatile {t}*>(address);",
            f"if (!(v {'>' if operation == 'max' else '<'} seen)) return;  // as most do not, and NaN",
            "if (signbit(v)) {",
            f"    atomic{negative}(reinterpret_cast<{word}*>(address), {unsigned});",
            "} else {",
            f"    atomic{positive}(reinterpret_cast<{signed}*>(address), {as_signed}(v));",
            "}",
        ]
        comment = (
            f"CUDA has no atomic {operation} of floating-point numbers. The bits of positive ones are in "
            "their order, as signed integers; those of negative ones in the opposite order, as unsigned ones."
        )
        return define(f"void {operation}_atomically({t}* address, {t} v)", body, comment)

    return helper


def _max_of_positive(type: Type) -> Helper:
    """max of floats where memory holds no NaN and nothing negative."""
    assert isinstance(type, Scalar)
    t, zero = c_type(type), "0.0f" if type.name == "float32" else "0.0"
    word, to_bits = ("int", "__float_as_int") if t == "float" else ("long long", "__double_as_longlong")
    return define(
        f"void max_atomically({t}* address, {t} v)",
        [f"if (v > {zero}) atomicMax(reinterpret_cast<{word}*>(address), {to_bits}(v));"],
        "CUDA has no atomic max of floating-point numbers, but the bits of those that are not negative are "
        "in their order, as integers.",
    )


def _by_word(operation: str, scalar: Scalar) -> Helper:
    """An operation on 64-bit integers, or on the bits of floats, through the type that CUDA takes."""
    t = c_type(scalar)
    word = _WORDS[scalar.bytes]
    if operation in ("min", "max") and scalar.is_signed:
        word = "long long"
    names = ["expected", "v"] if operation == "compare" else ["v"]
    to_bits, from_bits = (one.get(scalar.name, "") for one in (_TO_BITS, _FROM_BITS))
    arguments = ", ".join(f"{to_bits}({name})" if to_bits else name for name in names)
    call = f"{ATOMICS[operation].function}(reinterpret_cast<{word}*>(address), {arguments})"
    body = [f"return {from_bits}({call});" if from_bits else f"return {call};"]
    values = "".join(f", {t} {name}" for name in names)
    return define(f"{t} {operation}_atomically({t}* address{values})", body)


def atomic(operation: str, fetch: bool = False) -> Callable[[Type], Helper]:
    """The helper of one operation. `fetch` returns the old value of a vector or matrix."""

    def helper(type: Type) -> Helper:
        if not isinstance(type, Scalar):
            return _compound(operation, type, fetch)
        if operation in ("min", "max") and type.is_float:
            return _extreme(operation, type)
        return _by_word(operation, type)

    return helper


ATOMIC_HELPERS: dict[str, Callable[..., Helper]] = {
    **{f"{operation}_by_bits": _by_bits(operation) for operation in ("min", "max")},
    "max_of_positive": _max_of_positive,
    # Where no function subtracts, the negative is added.
    **{f"{operation}_atomically": atomic(operation) for operation in ATOMICS if operation != "sub"},
    **{f"fetch_{operation}": atomic(operation, True) for operation in ATOMICS if operation != "sub"},
}

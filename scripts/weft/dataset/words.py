"""What a kernel is to do, in English and equations, without code: from description, launch and source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from weft.dataset.computation import computation, last_words, size_words
from weft.dataset.numbers import constants, unnamed
from weft.launch import parse_launch
from weft.leaves import leaves, structs_of
from weft.plurals import listed
from weft.reference.compared import accumulators
from weft.types import Array, Matrix, Quaternion, Struct, Transform, Type, Vector, parse_type

_ROLES = {"in": "input", "out": "output", "inout": "input and output"}
_MEMORY = {
    "constant": "in constant memory on a GPU",
    "texture": "read as a texture on a GPU, without filtering",
}
_EQUALITIES = {
    "bits": "Floating-point operations must be made in the order given here.",
    "permutation": "The elements of the result may be in any order.",
    "bounded": "Floating-point numbers may be added in any order.",
}


def instruction(record: Mapping[str, Any]) -> str:
    """The task of a record: its request, how it is done, and the shapes and values of what it takes."""
    launch = record["launch"]
    structs = structs_of(record)
    signature = [(one["name"], parse_type(one["type"])) for one in record["signature"]]
    lines = [request(record), *_details(record), "", "Parameters:"]
    added_to = accumulators(record, parse_launch(launch, record["kernel_name"]))
    for name, type in leaves(signature, structs):
        told = _parameter(type, launch["parameters"].get(name), is_added_to=name in added_to)
        lines.append(f"- `{name}`: {told}")
    for name, fields in structs.items():
        shown = ", ".join(f"`{field}` ({_type(type)})" for field, type in fields)
        lines.append(f"- struct `{name}` has the fields {shown}")
    named = [f"{name} = {size_words(size)}" for name, size in launch["sizes"].items()]
    given = [f"Sizes: {', '.join(named)}; n is any positive number."] if named else []
    given += _numbers(record["python_source"])
    computed = computation(record)
    if not computed:
        computed = [*_unnamed(record["python_source"]), _launch(launch)]
    return "\n".join([*lines, *([""] * bool(given)), *given, "", *computed, *_order(record)])


def _numbers(source: str) -> Iterator[str]:
    """What no words say, and results depend on."""
    if named := constants(source):
        yield f"Constants: {', '.join(f'`{name}` = {value}' for name, value in named.items())}."
    if "rand_init" in source:
        yield "Random numbers come from Warp's generator, a 32-bit PCG hash."
    if "%" in source:
        yield "`a mod b` has the sign of a."


def _unnamed(source: str) -> Iterator[str]:
    if others := unnamed(source):
        yield f"The computation also uses the numbers {', '.join(others)}."


def _order(record: Mapping[str, Any]) -> Iterator[str]:
    """What there is to say of the order of operations, and of results."""
    fields = [field for one in record["structs"] for field in one["fields"]]
    floats = any("float" in one["type"] for one in (*record["signature"], *fields))
    if floats or record["launch"]["equality"] == "permutation":
        yield _EQUALITIES[record["launch"]["equality"]]


def request(record: Mapping[str, Any]) -> str:
    """What a person would ask for who does not know the program: from what is given, what is wanted."""
    given: list[str] = []
    numbers: list[str] = []
    results: list[str] = []
    described = record["launch"]["parameters"]
    signature = [(one["name"], parse_type(one["type"])) for one in record["signature"]]
    for name, _ in leaves(signature, structs_of(record)):
        one = described.get(name)
        if one is None or one["null"] or (one["role"] == "in" and "size" in (one["values"] or {})):
            continue
        if not one["shape"]:
            numbers.append(f"`{name}`")
            continue
        if one["role"] != "out" and "constant" not in (one["values"] or {}):
            given.append(f"`{name}`")
        if one["role"] != "in":
            results.append(f"`{name}`")
    several = "the values" if len(numbers) > 1 else "the value"
    taken = [listed(given)] * bool(given) + [f"{several} {listed(numbers)}"] * bool(numbers)
    what = record["description"].removesuffix(".")
    # A generated kernel is described by a sentence in the imperative.
    task = f", {what[0].lower()}{what[1:]}" if record.get("made_of") else f": {what}"
    asked = f"Given {', and '.join(taken)}{task}" if taken else what
    return f"{asked}. Write the {'results' if len(results) > 1 else 'result'} to {listed(results)}."


def docstrings(record: Mapping[str, Any]) -> list[str]:
    """What is computed, in the words of the docstrings: the kernel's, and those of what it is made of."""
    doc = "" if "kernels" in record else _joined(record["kernel"]["doc"])
    return [doc or record["description"], *_of_functions(record)]


def _details(record: Mapping[str, Any]) -> list[str]:
    """What the docstrings say beside the description."""
    doc = "" if "kernels" in record else _joined(record["kernel"]["doc"])
    more = doc.removeprefix(record["description"]).strip()
    return [*([more] if more else []), *_of_functions(record)]


def _of_functions(record: Mapping[str, Any]) -> list[str]:
    """The docstrings of functions, and of the kernels of a program, but for what the kernel's
    own says.
    """
    several = "kernels" in record
    parts = record.get("kernels", [record])
    functions = [
        one for part in parts for one in (*part["functions"], *([part["kernel"]] if several else []))
    ]
    own = "" if several else _joined(record["kernel"]["doc"])
    told = ((one["name"], _joined(one["doc"])) for one in functions)
    return [*dict.fromkeys(f"`{name}`: {doc}" for name, doc in told if doc not in ("", own))]


def _joined(doc: str) -> str:
    return " ".join(doc.split())


def _launch(launch: Mapping[str, Any]) -> str:
    if launch["steps"]:
        kernels = list(dict.fromkeys(re.findall(r"'kernel': '(\w+)'", repr(launch["steps"]))))
        return f"The result takes several launches: {listed([f'`{name}`' for name in kernels])}."
    dims = " x ".join(map(size_words, launch["dims"]))
    if launch["block_dim"] and launch["tiled"]:
        return f"There are {dims} tiles, each for a block of {launch['block_dim']} threads."
    return f"The launch has {dims} threads."


def _parameter(type: Type, described: Mapping[str, Any] | None, *, is_added_to: bool) -> str:
    if described is None or described["null"]:
        return f"{_type(type)}, always null" if described else _type(type)
    parts = [_type(type)]
    if isinstance(type, Array):
        parts.append(
            f"{_ROLES[described['role']]} of shape ({', '.join(map(size_words, described['shape']))})"
        )
        if described["memory"] in _MEMORY:
            parts.append(_MEMORY[described["memory"]])
        if described["strides"]:
            parts.append(f"strides ({', '.join(map(str, described['strides']))}) in elements")
    if is_added_to:
        parts.append("with any initial values: results are added to them, or compared with them")
    elif described["values"]:
        parts.append(_values(described["values"]))
    return ", ".join(parts)


def _values(recipe: Mapping[str, Any]) -> str:
    ((kind, given),) = recipe.items()
    match kind:
        case "uniform":
            return f"values from {given[0]} to {given[1]}"
        case "unit":
            return (
                f"directions, drawn with components from {given[0]} to {given[1]} and scaled to unit length"
            )
        case "integers":
            return f"integers from {size_words(given[0])} to {last_words(given[1])}"
        case "permutation":
            return f"distinct integers from 0 to {last_words(given)}"
        case "offsets":
            return f"increasing integers, about {size_words(given[0])} apart"
        case "constant":
            return f"always {given}"
        case "size":
            return f"equal to the size {size_words(given)}"
        case "list":
            return f"the numbers {', '.join(map(size_words, given))}"
        case _:
            return "; ".join(f"{name}: {_values(inner)}" for name, inner in given.items())


def _type(type: Type) -> str:
    match type:
        case Array(element=element, ndim=ndim):
            return f"{ndim}-dimensional array of {_type(element)}"
        case Vector():
            return f"vec{type.length} of {type.scalar}"
        case Matrix():
            return f"mat{type.rows}x{type.columns} of {type.scalar}"
        case Quaternion():
            return f"quaternion of {type.scalar}"
        case Transform():
            return f"rigid transform of {type.scalar}"
        case Struct(name=name):
            return f"struct `{name}`"
        case _:
            return str(type)

"""Pass: names of the user's that C++ or the program itself needs get an underscore (the rule is in `names`).

Before: Python's names. After: C++ names everywhere; the result says which parameter, struct, member, function
and constant got which.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping

from weft.cuda.c_types import c_type
from weft.cuda.helpers.results import INNER_STRUCTS, RESULT_STRUCTS
from weft.cuda.names import global_name, local_name
from weft.cuda.traverse import all_expressions, rewrite_block, statements
from weft.cuda.tree import Call, Declare, Expression, For, Function, Member, Name, Shared, Table, Unpack
from weft.types import Array, Struct, Structs, Type, strip_reference


@dataclasses.dataclass
class Names:
    """C++ names: of structs, of members by struct, of functions by key, of constants, of parameters by
    function.
    """

    structs: dict[str, str]
    members: dict[str, dict[str, str]]
    functions: dict[str, str]
    constants: dict[str, str]
    parameters: dict[str, dict[str, str]] = dataclasses.field(default_factory=dict)
    helpers: dict[str, str] = dataclasses.field(default_factory=dict)


def choose_names(
    functions: Iterable[Function], structs: Structs, constants: Iterable[str], helpers: set[str]
) -> Names:
    """C++ names for everything at namespace scope; `helpers` are the functions that the helpers define."""
    functions = list(functions)
    taken = {
        e.function
        for f in functions
        for e in all_expressions(f.body)
        if isinstance(e, Call) and not e.user and not e.helper
    }
    taken |= _result_structs() | {f"launch_{function.name}" for function in functions if function.kernel}
    names = Names({}, {}, {}, {})
    for struct, fields in structs.items():
        names.structs[struct] = global_name(struct.replace(".", "_"), taken)
        taken.add(names.structs[struct])
        members: dict[str, str] = {}
        types = {_type_name(kind, names) for _, kind in fields}
        for field, _ in fields:
            members[field] = local_name(field, types | set(members.values()))
        names.members[struct] = members
    signatures: set[tuple[str, tuple[str, ...]]] = set()
    for function in functions:
        signature = _signature(function)
        name = global_name(function.name, taken)
        number = 2
        while (name, signature) in signatures or (function.kernel and any(name == n for n, _ in signatures)):
            name = global_name(f"{function.name}_{number}", taken)
            number += 1
        signatures.add((name, signature))
        names.functions[function.key] = name
    taken |= set(names.functions.values())
    for constant in constants:
        names.constants[constant] = global_name(constant, taken)
        taken.add(names.constants[constant])
    users = {*names.structs.values(), *names.functions.values(), *names.constants.values()}
    for name in sorted(helpers & users):
        names.helpers[name] = global_name(f"{name}_impl", taken | users | helpers)
    return names


def _signature(function: Function) -> tuple[str, ...]:
    """What tells overloads apart: views of one and of two dimensions are the same pointer."""
    types = [strip_reference(kind) for _, kind in function.parameters]
    return tuple(str(kind.element) + "*" if isinstance(kind, Array) else str(kind) for kind in types)


def _result_structs() -> set[str]:
    return {stem + letter for stem in RESULT_STRUCTS.values() for letter in ("h", "bf", "f", "d")} | set(
        INNER_STRUCTS
    )


def rename(function: Function, names: Names, extents: list[str]) -> None:
    """Run the pass on one function; `extents` are names of its extent parameters."""
    own = {name for name, _ in function.parameters} | set(extents)
    for statement in statements(function.body):
        match statement:
            case Declare(name=name) | For(name=name) | Shared(name=name) | Table(name=name):
                own.add(name)
            case Unpack(names=several):
                own |= set(several)
            case _:
                pass
    called = [e for e in all_expressions(function.body) if isinstance(e, Call) and not e.user]
    used = {names.helpers.get(e.function, e.function) if e.helper else e.function for e in called}
    used |= {
        names.functions[e.user] for e in all_expressions(function.body) if isinstance(e, Call) and e.user
    }
    if function.kernel:
        used |= _launcher_names(names.functions[function.key])
    types = {_type_name(e.type, names) for e in all_expressions(function.body)}
    used |= types | {f"make_{name}" for name in types}
    read = {e.name for e in all_expressions(function.body) if isinstance(e, Name)} - own
    used |= {names.constants[name] for name in read if name in names.constants}
    chosen: dict[str, str] = {}
    for name in sorted(own, key=lambda n: (local_name(n, used) != n, n)):
        chosen[name] = local_name(name, used | set(chosen.values()))
    names.parameters[function.key] = chosen

    def change(expression: Expression) -> Expression:
        if isinstance(expression, Name):
            if expression.name in chosen:
                expression.name = chosen[expression.name]
            elif expression.name in names.constants:
                expression.name = names.constants[expression.name]
        elif isinstance(expression, Call) and expression.user:
            expression.function = names.functions[expression.user]
        elif isinstance(expression, Call) and expression.helper:
            expression.function = names.helpers.get(expression.function, expression.function)
        elif isinstance(expression, Member) and isinstance(expression.value.type, Struct):
            field = expression.path.removeprefix(".")
            expression.path = "." + names.members[expression.value.type.name].get(field, field)
        return expression

    _rename_statements(function, chosen)
    _rewrite_once(function, change)


def _launcher_names(kernel: str) -> set[str]:
    """What the launcher uses beside its parameters, which are the kernel's."""
    return {kernel, "dim3", "cudaStream_t", "cudaGetLastError", "check_cuda"}


def _rename_statements(function: Function, chosen: Mapping[str, str]) -> None:
    for statement in statements(function.body):
        match statement:
            case Declare(name=name) | For(name=name) | Shared(name=name) | Table(name=name):
                statement.name = chosen[name]
            case Unpack(names=several):
                statement.names = [chosen[name] for name in several]
            case _:
                pass


def _rewrite_once(function: Function, change: Callable[[Expression], Expression]) -> None:
    """Apply `change` to every node once, even where two places share one."""
    seen: set[int] = set()

    def once(expression: Expression) -> Expression:
        if id(expression) in seen:
            return expression
        seen.add(id(expression))
        return change(expression)

    rewrite_block(function.body, once)


def _type_name(type: Type, names: Names) -> str:
    if isinstance(type, Struct):
        return names.structs[type.name]
    try:
        return c_type(type).rstrip("*")
    except ValueError:
        return ""

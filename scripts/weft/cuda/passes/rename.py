"""Pass: names of the user's that C++ or the program itself needs get an underscore (the rule is in `names`).

Before: Python's names. After: C++ names everywhere; the result says which parameter, struct, member, function
and constant got which.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from weft.cuda.c_types import c_type
from weft.cuda.contents import Contents, declared_names
from weft.cuda.helpers.files import RESULT_STRUCTS
from weft.cuda.helpers.noise import NOISE_STRUCTS
from weft.cuda.names import global_name, local_name
from weft.cuda.tree import (
    Call,
    Declare,
    Expression,
    For,
    Function,
    Member,
    Name,
    Registers,
    Shared,
    Statement,
    Table,
    Unpack,
)
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
    functions: Sequence[Contents], structs: Structs, constants: Iterable[str], helpers: set[str]
) -> Names:
    """C++ names for everything at namespace scope; `helpers` are the functions that the helpers define."""
    taken = {
        node.function
        for contents in functions
        for node in contents.nodes
        if isinstance(node, Call) and not node.user and not node.helper
    }
    kernels = [contents.function.name for contents in functions if contents.function.kernel]
    taken |= RESULT_STRUCTS | NOISE_STRUCTS | {f"launch_{name}" for name in kernels}
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
    for function in (contents.function for contents in functions):
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


_NAMED = frozenset({Name, Call, Member})
"""The expressions that hold a name."""


def rename(contents: Contents, names: Names, extents: list[str]) -> None:
    """Run the pass on one function; `extents` are names of its extent parameters."""
    function = contents.function
    declared = {name for statement in contents.statements for name in declared_names(statement)}
    own = ({name for name, _ in function.parameters} | set(extents) | declared) - {""}
    used = {_called(node, names) for node in contents.nodes if isinstance(node, Call)}
    if function.kernel:
        used |= _launcher_names(names.functions[function.key])
    types = {_type_name(kind, names) for kind in contents.types}
    used |= types | {f"make_{name}" for name in types}
    read = contents.mentioned - own
    used |= {names.constants[name] for name in read if name in names.constants}
    chosen: dict[str, str] = {}
    taken = set(used)
    for name in sorted(own, key=lambda n: (local_name(n, used) != n, n)):
        chosen[name] = local_name(name, taken)
        taken.add(chosen[name])
    names.parameters[function.key] = chosen
    _rename_statements(contents.statements, chosen)
    # Two places may share a node: it is renamed once.
    for node in {id(node): node for node in contents.nodes if node.__class__ in _NAMED}.values():
        _rename_node(node, chosen, names)


def _called(call: Call, names: Names) -> str:
    """The C++ name of the function that is called."""
    if call.user:
        return names.functions[call.user]
    return names.helpers.get(call.function, call.function) if call.helper else call.function


def _rename_node(node: Expression, chosen: Mapping[str, str], names: Names) -> None:
    match node:
        case Name(name=name):
            node.name = chosen.get(name) or names.constants.get(name, name)
        case Call():
            node.function = _called(node, names)
        case Member(value=Expression(type=Struct(name=struct)), path=path):
            field = path.removeprefix(".")
            node.path = "." + names.members[struct].get(field, field)


def _launcher_names(kernel: str) -> set[str]:
    """What the launcher uses beside its parameters, which are the kernel's."""
    return {kernel, "dim3", "cudaStream_t", "cudaGetLastError", "check_cuda"}


def _rename_statements(statements: Iterable[Statement], chosen: Mapping[str, str]) -> None:
    for statement in statements:
        match statement:
            case Declare() | For() | Registers() | Shared() | Table():
                statement.name = chosen[statement.name]
            case Unpack(names=several):
                statement.names = [chosen.get(name, "") for name in several]


def _type_name(type: Type, names: Names) -> str:
    if isinstance(type, Struct):
        return names.structs[type.name]
    try:
        return c_type(type).rstrip("*")
    except ValueError:
        return ""

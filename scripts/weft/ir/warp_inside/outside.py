"""What the names in a function mean that come from outside of it: from closures, modules, Warp and Python."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import enum
import types
from collections.abc import Collection
from typing import Any

import warp
from warp._src import codegen, context
from warp._src import types as warp_types

from weft.ir.python_names import chain
from weft.ir.warp_inside.python_text import is_plain

MISSING = object()
"""In place of a value that there is not."""


def own_names(adjoint: Any) -> set[str]:
    """The names that are a function's own: its parameters, and what it assigns."""
    names = {parameter.label for parameter in adjoint.args}
    names |= {argument.arg for argument in adjoint.tree.body[0].args.args}
    for node in ast.walk(adjoint.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


@dataclasses.dataclass(frozen=True)
class Meaning:
    """What a chain of names from outside stands for: a value, and how many attributes are left of it.

    `name` would be a name for it, which is all that is written if `is_name`. What Warp holds has a `text`,
    which stands for all but the last `text_rest` attributes.
    """

    value: Any
    rest: int
    name: str
    is_name: bool
    text: str | None
    text_rest: int


def meaning_of(adjoint: Any, local: Collection[str], node: ast.expr) -> Meaning | None:
    """What a chain of names from outside stands for, in a function with these names of its own; None if it is
    local or no such chain.
    """
    root, names = chain(node)
    if not isinstance(root, ast.Name) or root.id in local:
        return None
    value = _outside(adjoint, root.id)
    if value is MISSING:
        return None
    attributes = list(names)
    name, is_name, behind_warp = root.id, True, None
    # Warp tells spatial_vector(a, b) from vec6(a, b) by the name, so what it holds keeps its name.
    if not isinstance(value, types.ModuleType) and getattr(warp, root.id, None) is value:
        return Meaning(value, len(attributes), root.id, True, "wp." + root.id, len(attributes))
    in_submodule = False
    while attributes and _is_holder(value):
        attribute = attributes[0]
        in_submodule |= isinstance(value, types.ModuleType) and value is not warp
        if value is warp:
            behind_warp = len(attributes)
        if value is warp and not hasattr(warp, attribute):
            value = context.builtin_functions.get(attribute, MISSING)
        else:
            name = f"{value.__name__}_{attribute}" if isinstance(value, type) else attribute
            value = getattr(value, attribute, MISSING)
        if value is MISSING:
            return None
        is_name = False
        attributes.pop(0)
    is_constant = is_plain(value) or hasattr(type(value), "_wp_scalar_type_")
    if in_submodule and is_constant and not is_type(value):
        # `import warp` alone may not bring the module that the constant is in.
        return Meaning(value, len(attributes), name, is_name, None, len(attributes))
    if behind_warp is not None or value is warp:
        rest = len(attributes) if behind_warp is None else behind_warp
        return Meaning(value, len(attributes), name, is_name, "wp", rest)
    return Meaning(value, len(attributes), name, is_name, None, len(attributes))


def _outside(adjoint: Any, name: str) -> Any:
    """What a name means in a function's closure, its module, Warp or Python's builtins, in this order."""
    closure = codegen.get_closure_vars(adjoint.func)
    if name in closure:
        return closure[name]
    if adjoint.func.__globals__.get(name) is not None:
        return adjoint.func.__globals__[name]
    # What Python knows as well, such as abs and float, Warp finds under its plain name in any module.
    if hasattr(builtins, name):
        return MISSING
    return getattr(warp, name, context.builtin_functions.get(name, MISSING))


def _is_holder(value: Any) -> bool:
    """Whether an attribute of a value is looked up in Python, not by the kernel."""
    if isinstance(value, types.ModuleType):
        return True
    if isinstance(value, context.Function | codegen.Struct | codegen.StructInstance) or is_type(value):
        return False
    if isinstance(value, enum.Enum):
        return True
    return not (is_plain(value) or hasattr(value, "_wp_scalar_type_"))


def is_type(value: Any) -> bool:
    """Whether a value is a type that kernels know."""
    if isinstance(value, codegen.Struct) or warp_types.is_array(value):
        return True
    if not isinstance(value, type):
        return False
    return (
        value in (int, float, bool)
        or value in warp_types.scalar_and_bool_types
        or hasattr(value, "_wp_scalar_type_")
    )

"""Which kernels of an imported module a source asks for: all, or what an expression names."""

from __future__ import annotations

import ast
import dataclasses
import difflib
import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from weft.errors import KernelError, NoKernelsError, Place, UserError
from weft.ir.user_module import Loaded, displayer, import_failure, place_in, place_of
from weft.ir.warp_inside import (
    definition_of,
    function_of,
    instances_of,
    is_kernel,
    kernels_of,
    kernels_within,
    named,
    noting_kernels,
    replaced_kernels,
)
from weft.source_files import parse_source, read_source
from weft.source_spec import SourceSpec, factories_in

KERNELS_SHOWN = 12


@dataclasses.dataclass(frozen=True)
class Replaced:
    """What stands for a kernel that another definition of its name, at the line `by`, has replaced."""

    name: str
    place: Place
    by: int

    def error(self) -> KernelError:
        """Why it is no sample."""
        message = f"line {self.by} defines another kernel {self.name!r}, which replaces this one; rename one"
        return KernelError("duplicate_name", message, self.place)


def select_kernels(
    spec: SourceSpec, loaded: Loaded, visible: list[ast.FunctionDef], described: Iterable[str]
) -> dict[str, Any]:
    """The kernels that a source asks for, by name. Those of the definitions `visible` come first, in their
    order.

    A generic kernel with several instances is one kernel for each, named after what tells them apart. A name
    that is visible and that the module holds no longer stands for None; a kernel that another of its name has
    replaced is a Replaced, under a name that no kernel can have. A kernel that the module has imported counts
    where LAUNCH describes it (`described`). Raises UserError if nothing is found.
    """
    found = kernels_of(loaded.module, loaded.made)
    if not spec.selection:
        held = {name: getattr(loaded.module, name, None) for name in described}
        found |= {name: value for name, value in held.items() if name not in found and is_kernel(value)}
        chosen = _in_order(spec, loaded, visible, found)
    elif spec.selection in found:
        chosen = {spec.selection: found[spec.selection]}
    elif (instances := _instances(found)) and spec.selection in instances:
        return {spec.selection: instances[spec.selection]}
    else:
        chosen = _evaluated(spec, loaded, found)
    if not chosen:
        raise NoKernelsError(f"{spec.text} {_no_kernel(spec)}")
    return _instances(chosen)


def _in_order(
    spec: SourceSpec, loaded: Loaded, visible: list[ast.FunctionDef], found: Mapping[str, Any]
) -> dict[str, Any]:
    """Every definition with what the module holds of it, then what shows only once it is imported."""
    gone: dict[tuple[str, int], Replaced] = {}
    for kernel, other in replaced_kernels(loaded.module, loaded.made):
        place = place_of(kernel, displayer(spec.source))
        name = function_of(kernel).__name__
        gone[name, place.line] = Replaced(name, place, definition_of(other).line)
    lines = dict.fromkeys((one.name, one.lineno) for one in visible)
    last = {name: line for name, line in lines if (name, line) not in gone}
    chosen: dict[str, Any] = {}
    for name, line in lines:
        replaced = gone.pop((name, line), None)
        if replaced is None and line < last[name]:
            place = place_in(str(spec.source.path.resolve()), line, 0, displayer(spec.source))
            replaced = Replaced(name, place, last[name])
        chosen[name if replaced is None else f"{name}@{line}"] = replaced or found.get(name)
    chosen |= {f"{name}@{line}": replaced for (name, line), replaced in gone.items()}
    return chosen | {name: kernel for name, kernel in found.items() if name not in chosen}


def _no_kernel(spec: SourceSpec) -> str:
    source = spec.source
    factories = factories_in(parse_source(source.path, read_source(source.path)))
    if factories:
        return (
            f"makes no kernel when it is imported; its factories are {', '.join(factories)}: "
            f"call one, as in {spec.text}:{factories[0]}(…)"
        )
    if source.named:
        return "has no kernel (expected functions decorated with @wp.kernel, or kernels made by factories)"
    return "defines no kernel (expected a function decorated with @wp.kernel)"


def _instances(kernels: Mapping[str, Any]) -> dict[str, Any]:
    expanded: list[tuple[str | None, Any]] = []
    for name, kernel in kernels.items():
        several = instances_of(kernel) if is_kernel(kernel) else {"": kernel}
        expanded += [(f"{name}_{suffix}" if suffix else name, one) for suffix, one in several.items()]
    return named(expanded)


def _evaluated(spec: SourceSpec, loaded: Loaded, found: Mapping[str, Any]) -> dict[str, Any]:
    """The kernels that the value of the selection is or holds."""
    tree = ast.parse(spec.selection, mode="eval").body
    with noting_kernels():
        value = _value(tree, spec, loaded, found)
    held = [value, *vars(value).values()] if hasattr(value, "__dict__") else [value]
    kernels = list({id(kernel): kernel for one in held for kernel in kernels_within(one)}.values())
    if not kernels:
        raise UserError(
            f"{spec.text}: {spec.selection} is {_described(value)}, no kernel; {_has(found)}"
            + ("; a function may be a factory: call it, as in make(3)" if inspect.isfunction(value) else "")
        )
    names = {id(kernel): name for name, kernel in found.items()}
    plain = tree.attr if isinstance(tree, ast.Attribute) else tree.id if isinstance(tree, ast.Name) else None
    return named([(names.get(id(k), plain if len(kernels) == 1 else None), k) for k in kernels])


def _value(node: ast.expr, spec: SourceSpec, loaded: Loaded, found: Mapping[str, Any]) -> Any:
    """The value of a name, an attribute, an item or a factory's call in the module."""
    match node:
        case ast.Name(name):
            if not hasattr(loaded.module, name):
                raise UserError(f"{spec.source.name} has no {name!r}{_near(name, found)} ({_has(found)})")
            return getattr(loaded.module, name)
        case ast.Attribute(inner, name):
            owner = _value(inner, spec, loaded, found)
            if isinstance(owner, Mapping) and name in owner:
                return owner[name]
            if not hasattr(owner, name):
                raise UserError(f"{spec.text}: {ast.unparse(inner)} has no {name!r}; {_has(found)}")
            return getattr(owner, name)
        case ast.Subscript(inner, key):
            owner = _value(inner, spec, loaded, found)
            try:
                return owner[_argument(key, spec, loaded, found)]
            except (LookupError, TypeError) as error:
                raise UserError(
                    f"{spec.text}: {ast.unparse(node)}: {type(error).__name__}: {error}"
                ) from error
        case ast.Call(inner, arguments, keywords):
            factory = _value(inner, spec, loaded, found)
            positional = [_argument(one, spec, loaded, found) for one in arguments]
            named_ones = {str(one.arg): _argument(one.value, spec, loaded, found) for one in keywords}
            try:
                return factory(*positional, **named_ones)
            except Exception as error:
                raise UserError(
                    f"{spec.text}: {import_failure(spec.source, error, 'the call failed')}"
                ) from error
    raise UserError(
        f"{spec.text}: {ast.unparse(node)!r} does not name a kernel; "
        'expected a name, NAME.attribute, NAME["key"] or factory(arguments)'
    )


def _argument(node: ast.expr, spec: SourceSpec, loaded: Loaded, found: Mapping[str, Any]) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        pass
    if isinstance(node, ast.Starred):
        raise UserError(
            f"{spec.text}: a factory takes literals and names of the module, not {ast.unparse(node)!r}"
        )
    return _value(node, spec, loaded, found)


def _described(value: Any) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"


def _near(name: str, found: Mapping[str, Any]) -> str:
    matches = difflib.get_close_matches(name, list(found), n=1, cutoff=0.6)
    return f", did you mean {matches[0]!r}?" if matches else ""


def _has(found: Mapping[str, Any]) -> str:
    shown = list(found)[:KERNELS_SHOWN]
    more = f" and {len(found) - len(shown)} more" if len(found) > len(shown) else ""
    return f"its kernels are {', '.join(shown)}{more}" if found else "it has no kernel"

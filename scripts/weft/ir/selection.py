"""Which kernels of an imported module a source asks for: all, or what an expression names."""

from __future__ import annotations

import ast
import difflib
import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from weft.errors import NoKernelsError, UserError
from weft.ir.user_module import Loaded, import_failure
from weft.ir.warp_inside import instances_of, is_kernel, kernels_of, kernels_within, named, noting_kernels
from weft.source_files import parse_source, read_source
from weft.source_spec import SourceSpec, factories_in

KERNELS_SHOWN = 12


def select_kernels(
    spec: SourceSpec, loaded: Loaded, visible: list[str], described: Iterable[str]
) -> dict[str, Any]:
    """The kernels that a source asks for, by name: those of `visible` first, in its order.

    A generic kernel with several instances is one kernel for each, named after what tells them apart. A name
    in `visible` that the module holds no longer stands for None. A kernel that the module has imported counts
    where LAUNCH describes it (`described`). Raises UserError if nothing is found.
    """
    found = kernels_of(loaded.module, loaded.made)
    if not spec.selection:
        held = {name: getattr(loaded.module, name, None) for name in described}
        found |= {name: value for name, value in held.items() if name not in found and is_kernel(value)}
        chosen: dict[str, Any] = {name: found.get(name) for name in (*visible, *found)}
    elif spec.selection in found:
        chosen = {spec.selection: found[spec.selection]}
    elif (instances := _instances(found)) and spec.selection in instances:
        return {spec.selection: instances[spec.selection]}
    else:
        chosen = _evaluated(spec, loaded, found)
    if not chosen:
        raise NoKernelsError(f"{spec.text} {_no_kernel(spec)}")
    return _instances(chosen)


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
        several = {"": kernel} if kernel is None else instances_of(kernel)
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
                raise UserError(f"{spec.source.name} has no {name!r}{_near(name, found)}; {_has(found)}")
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

"""Instances of generic kernels: those that were made, or one where none was."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import warp
from warp._src import types as warp_types

from weft.ir.warp_inside.names import Names


def instances(kernel: Any) -> dict[str, Any]:
    """The instances of a generic kernel by the types that tell them apart: `float32`, `vec3_float32`, …"""
    found: dict[str, Any] = {}
    generic = [
        name for name, declared in kernel.adj.arg_types.items() if warp_types.type_is_generic(declared)
    ]
    for instance in kernel.overloads.values():
        parts = [_short(instance.adj.arg_types[name]) for name in generic]
        suffix = "_".join(dict.fromkeys(parts))
        number = 1
        while (unique := suffix if number == 1 else f"{suffix}_{number}") in found:
            number += 1
        found[unique] = instance
    return found


def _short(warp_type: Any) -> str:
    names = Names()
    element = warp_type.dtype if warp_types.is_array(warp_type) else warp_type
    text = names.constructor(element)
    return "".join(character if character.isalnum() else "_" for character in text).strip("_")


@contextlib.contextmanager
def default_instance(kernel: Any, types: list[Any]) -> Iterator[Any]:
    """An instance of a generic kernel that is forgotten again."""
    before = dict(kernel.overloads)
    try:
        yield kernel.add_overload(types)
    finally:
        kernel.overloads.clear()
        kernel.overloads.update(before)


def default_types(kernel: Any) -> Iterator[list[Any]]:
    """Parameter types to try for a generic kernel without instance, the most usual first.

    What is any type becomes float32 throughout, an array of it where the kernel indexes the parameter; then
    integers for what is not an array; then vectors and matrices for what arrays hold, or for what is indexed;
    then other floats.
    """
    declared = dict(kernel.adj.arg_types)
    subscripts = _subscripts(kernel.adj.tree)
    tried: list[list[Any]] = []
    for scalar, element, indexed in (
        (warp.float32, warp.float32, None),
        (warp.int32, warp.float32, None),
        (warp.int32, warp.int32, None),
        (warp.float32, warp.vec3f, None),
        (warp.float32, warp.mat33f, None),
        (warp.float32, warp.float32, {1: warp.vec3f, 2: warp.mat33f}),
        (warp.float64, warp.float64, None),
        (warp.float16, warp.float16, None),
    ):
        types = [
            _concrete(template, scalar, element)
            if template is not Any or name not in subscripts
            else warp.array(dtype=element, ndim=subscripts[name])
            if indexed is None
            else indexed.get(subscripts[name])
            for name, template in declared.items()
        ]
        if None in types or types in tried:
            continue
        tried.append(types)
        yield types


def _concrete(template: Any, scalar: Any, element: Any) -> Any:
    """A generic parameter type with its open parts filled in; None where that is not known to be sensible."""
    if not warp_types.type_is_generic(template):
        return template
    if template is Any:
        return scalar
    if isinstance(template, TypeVar):
        allowed = template.__constraints__
        return next((t for t in (scalar, warp.float32, warp.int32) if not allowed or t in allowed), None)
    if warp_types.is_array(template):
        inner = element if template.dtype is Any else _concrete(template.dtype, element, element)
        if inner is None or warp_types.concrete_array_type(template) is not warp.array:
            return None
        return warp.array(dtype=inner, ndim=template.ndim)
    kind = getattr(template, "_wp_generic_type_str_", None)
    number = getattr(template, "_wp_scalar_type_", None)
    plain = scalar if scalar in warp_types.scalar_types else warp.float32
    filled = number if number in warp_types.scalar_types else _concrete(number or Any, plain, plain)
    builders: dict[str, Callable[[], Any]] = {
        "vec_t": lambda: warp_types.vector(_sized(template._length_), filled),
        "mat_t": lambda: warp_types.matrix(tuple(map(_sized, template._shape_)), filled),
        "quat_t": lambda: warp_types.quaternion(filled),
        "transform_t": lambda: warp_types.transformation(filled),
    }
    return builders[kind]() if kind in builders and filled is not None else None


def _sized(length: Any) -> int:
    return length if isinstance(length, int) and length > 0 else 3


def _subscripts(tree: ast.AST) -> dict[str, int]:
    """The names that are indexed, with the most indices that they are given at once."""
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(ast.Name(name), index):
                count = len(index.elts) if isinstance(index, ast.Tuple) else 1
                found[name] = max(found.get(name, 1), count)
            case ast.Attribute(ast.Name(name), "shape" | "ptr" | "strides"):
                found.setdefault(name, 1)
    return found

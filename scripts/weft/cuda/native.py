"""Functions that the user wrote in C++ (`wp.func_native`)."""

from __future__ import annotations

import re
import textwrap

from weft.cuda.names import local_name
from weft.cuda.source import FunctionSource
from weft.cuda.tree import Function, Native
from weft.types import Array, Reference, Scalar, Type

# What a snippet may say only where Warp's own headers are.
_WARP = re.compile(
    r"\bwp::|\b(?:array|vec|mat|quat|transform)_t\b|\b(?:vec\d|mat\d\d|quat|transform|spatial_vector)[fdh]?\b"
    r"|\b(?:u?int(?:8|16|32|64)|b?float(?:16|32|64))\b|\bbuiltin_\w+|\.(?:data|shape|strides|grad)\b"
)
_EFFECTS = re.compile(r"printf|atomic|asm\b|__trap|__sync|\bassert\b")


def native_function(source: FunctionSource, snippet: str) -> Function:
    """A device function with the snippet as its body.

    Refuses snippets that need Warp's headers: its types, functions and members of its arrays.
    """
    node = source.definition
    for name, kind in source.parameters:
        if not _is_plain(kind):
            unsupported = f"a native snippet with {name!r} of type {kind} is not supported"
            raise source.refusal(node, f"{unsupported}: pass scalars or arrays of them")
        if local_name(name, set()) != name:
            raise source.refusal(
                node, f"{name!r} is a name of C++ or CUDA: rename the parameter of this snippet"
            )
    for name, kind in source.parameters:
        if isinstance(kind, Array):
            # Arrays of a snippet are pointers here.
            snippet = re.sub(rf"\b{re.escape(name)}\.data\b", name, snippet)
    if (found := _WARP.search(snippet)) is not None:
        raise source.refusal(
            node, f"this native snippet uses `{found[0]}` of Warp's headers: write plain C++"
        )
    if re.search(r"^\s*#", snippet, re.MULTILINE):
        raise source.refusal(node, "a native snippet with preprocessor lines is not supported")
    result = source.result
    if result is not None and not isinstance(result, Scalar):
        raise source.refusal(
            node, f"a native snippet that returns {result} is not supported: return a scalar"
        )
    text = textwrap.dedent(snippet).strip("\n").rstrip()
    return Function(
        source.key, source.name, source.doc, list(source.parameters), result, [Native(text)], False
    )


def has_effects(function: Function) -> bool:
    """Whether a snippet may do more than give a value."""
    by_place = any(isinstance(kind, Array | Reference) for _, kind in function.parameters)
    texts = [statement.text for statement in function.body if isinstance(statement, Native)]
    return bool(texts) and (by_place or any(_EFFECTS.search(text) for text in texts))


def _is_plain(type: Type) -> bool:
    match type:
        case Scalar():
            return True
        case Reference(value=value):
            return isinstance(value, Scalar)
        case Array(element=element, ndim=1):
            return isinstance(element, Scalar)
        case _:
            return False

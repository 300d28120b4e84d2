"""Warp's generated text, cut so that the forward part stands alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from warp._src import codegen

from weft.ascii_names import ascii_texts


@dataclasses.dataclass(frozen=True)
class Texts:
    """Warp's generated text: `forward` compiles alone, `forward + backward` has the adjoint."""

    cuda_forward: str
    cuda_backward: str
    cpp_forward: str
    cpp_backward: str


def generate(builder: Any, kernel: Any) -> Texts:
    """The text of a built kernel for both devices."""
    with _remembered_types():
        forward, backward = ascii_texts(_forward_and_backward(builder, kernel, "cuda"))
        # Warp launches CPU kernels with blocks of one thread.
        builder.options = builder.options | {"block_dim": 1}
        return Texts(forward, backward, *_forward_and_backward(builder, kernel, "cpu"))


def _forward_and_backward(builder: Any, kernel: Any, device: str) -> tuple[str, str]:
    """Warp's text in two parts: that of ModuleBuilder.codegen, with the adjoints of functions moved back.

    Functions that call wp.grad need adjoints first; a kernel with such functions keeps Warp's order.
    """
    pieces: dict[str, str] = {}
    with _noting_pieces(builder, pieces):
        whole = builder.codegen(device)
    if not (builder.options | kernel.options)["enable_backward"]:
        return whole, ""
    adjoints = "" if any(f.adj.uses_grad_call for f in builder.functions) else pieces["adjoints"]
    name = kernel.get_mangled_name()
    entry, adjoint_entry = _cut(pieces["kernel"], f"{name}_{device}_kernel_backward(")
    wrapper, adjoint_wrapper = pieces["module"], ""
    if wrapper:
        wrapper, adjoint_wrapper = _cut(wrapper, f"{name}_cpu_backward_tasks(")
    before = whole.removesuffix(pieces["kernel"] + pieces["module"]).removesuffix(adjoints)
    if before + adjoints + pieces["kernel"] + pieces["module"] != whole:
        raise RuntimeError("Warp's generated text is not in the order that weft.ir knows")
    return before + entry + wrapper, adjoints + adjoint_entry + adjoint_wrapper


def _cut(text: str, signature: str) -> tuple[str, str]:
    """The text before and from the definition whose first line, after a blank one, leads to `signature`."""
    start = text.rindex("\n\n", 0, text.index(signature))
    return text[: start + 1], text[start + 1 :]


@contextmanager
def _noting_pieces(builder: Any, pieces: dict[str, str]) -> Iterator[None]:
    """Note the parts of the text as the builder puts them together."""
    original_functions = builder._codegen_functions
    original_kernel, original_module = codegen.codegen_kernel, codegen.codegen_module

    def functions(*args: Any, **options: Any) -> str:
        text: str = original_functions(*args, **options)
        if options.get("reverse_only"):
            pieces["adjoints"] = text
        return text

    def noted(name: str, original: Callable[..., str]) -> Callable[..., str]:
        def generate_piece(*args: Any, **options: Any) -> str:
            pieces[name] = original(*args, **options)
            return pieces[name]

        return generate_piece

    builder._codegen_functions = functions
    codegen.codegen_kernel = noted("kernel", original_kernel)
    codegen.codegen_module = noted("module", original_module)
    try:
        yield
    finally:
        codegen.codegen_kernel, codegen.codegen_module = original_kernel, original_module
        del builder._codegen_functions


@contextmanager
def _remembered_types() -> Iterator[None]:
    """Spell each type in C once: a kernel declares hundreds of variables of few types."""
    original = codegen.Var.type_to_ctype
    known: dict[tuple[int, bool], tuple[Any, str]] = {}

    def type_to_ctype(warp_type: Any, value_type: bool = False) -> str:
        key = (id(warp_type), value_type)
        if key not in known:
            # The type itself is kept, so that its id stays taken.
            known[key] = (warp_type, original(warp_type, value_type))
        return known[key][1]

    codegen.Var.type_to_ctype = staticmethod(type_to_ctype)
    try:
        yield
    finally:
        codegen.Var.type_to_ctype = staticmethod(original)

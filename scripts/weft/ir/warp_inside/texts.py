"""Warp's generated text, cut so that the forward part stands alone."""

from __future__ import annotations

import dataclasses
from typing import Any

from warp._src import codegen


@dataclasses.dataclass(frozen=True)
class Texts:
    """Warp's generated text: `forward` compiles alone, `forward + backward` has the adjoint."""

    cuda_forward: str
    cuda_backward: str
    cpp_forward: str
    cpp_backward: str


def generate(builder: Any, kernel: Any) -> Texts:
    """The text of a built kernel for both devices."""
    cuda = _forward_and_backward(builder, kernel, "cuda")
    # Warp launches CPU kernels with blocks of one thread.
    builder.options = builder.options | {"block_dim": 1}
    return Texts(*cuda, *_forward_and_backward(builder, kernel, "cpu"))


def _forward_and_backward(builder: Any, kernel: Any, device: str) -> tuple[str, str]:
    """Warp's text in two parts: that of ModuleBuilder.codegen, with the adjoints of functions moved back.

    Functions that call wp.grad need adjoints first; a kernel with such functions keeps Warp's order.
    """
    whole = builder.codegen(device)
    options = builder.options | kernel.options
    if not options["enable_backward"]:
        return whole, ""
    forward_only = options | {"enable_backward": False}
    saved = kernel.options
    kernel.options = saved | {"enable_backward": False}
    try:
        entry = codegen.codegen_kernel(kernel, device=device, options=forward_only)
        wrapper = codegen.codegen_module(kernel, device=device, options=forward_only)
    finally:
        kernel.options = saved
    whole_entry = codegen.codegen_kernel(kernel, device=device, options=builder.options)
    whole_wrapper = codegen.codegen_module(kernel, device=device, options=builder.options)
    before = whole.removesuffix(whole_entry + whole_wrapper)
    adjoints = ""
    if not any(function.adj.uses_grad_call for function in builder.functions):
        custom = {f.custom_grad_func for f in builder.functions if f.custom_grad_func is not None}
        ordered = sorted(builder.functions, key=lambda function: function not in custom)
        adjoints = builder._codegen_functions(ordered, device, reverse_only=True)
    forward = before.removesuffix(adjoints) + entry + wrapper
    backward = adjoints + whole_entry.removeprefix(entry) + whole_wrapper.removeprefix(wrapper)
    return forward, backward

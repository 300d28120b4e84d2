"""Grid-stride loops: fewer threads than elements, each of which visits every so many.

An idiom is written as if one thread worked on each element. As no element depends on another, a loop that
visits each of them once computes the same; `apply` rewrites the finished body.
"""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.program import For, ThreadIndex, jumps


def apply(k: Builder) -> None:
    """Rewrite the body of a launch over a line to a grid-stride loop, if one was drawn for it."""
    head = k.body[0]
    returns = [(one, depth) for one, depth in jumps(k.body) if one.kind == "return"]
    if not k.walks or k.dims != ["n"] or not isinstance(head, ThreadIndex) or any(d for _, d in returns):
        return
    for one, _ in returns:
        one.kind = "continue"
    (element,) = head.names
    k.sizes["threads"] = k.rng.pick("(n + 3) // 4", "(n + 7) // 8", "min(n, 4096)")
    count, stride = k.size("count", "n"), k.size("num_threads", "threads")
    k.dims = ["threads"]
    thread = k.axis("tid", "threads")
    k.body[:] = [ThreadIndex((thread,)), For(element, thread, count, stride, k.body[1:])]

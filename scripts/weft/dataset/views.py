"""What of a program is worth training on, and which concepts of CUDA it is made of."""

from __future__ import annotations

import re

from weft.cuda.shard import include_lines
from weft.errors import UserError

_CHECKS = re.compile(r"^#define CUDA_CHECK\(call\).*?^\}\n\n", re.MULTILINE | re.DOTALL)
_OF_MAIN = {"<cstdio>": "printf(", "<cstdlib>": "std::"}
"""Headers that `main` needs, and what needs them elsewhere."""

CONCEPTS = {
    "shared memory": r"\b__shared__\b",
    "barrier": r"\b__syncthreads\b",
    "warp operations": r"\b__(shfl|ballot|any|all|reduce|syncwarp|activemask)",
    "atomics": r"\batomic[A-Z]\w*\(",
    "memory fence": r"\b__threadfence",
    "constant memory": r"\b__constant__\b",
    "texture": r"\bcudaTextureObject_t\b",
    "read-only loads": r"\b__ldg\(",
    "grid-stride loop": r"\+= (blockDim|gridDim)\.[xyz] \* |\+= stride\b",
    "grid of two or three dimensions": r"\bblockIdx\.[yz]\b",
    "device functions": r"^__device__ ",
    "structs": r"^struct ",
    "half precision": r"\b__(half|nv_bfloat16)\b",
    "double precision": r"\bdouble\b",
    "streams": r"\bcudaStreamCreate",
    "loops": r"\b(for|while) \(",
}
"""Concepts of GPU code, and the CUDA that shows them."""


def kernel_view(program: str, includes: list[str], kernel: str) -> str:
    """A program without `main` and what only that needs: kernel, functions and launcher, with their includes.

    Raises UserError for a text that has no launcher.
    """
    launcher = re.compile(rf"^cudaError_t launch_{re.escape(kernel)}\(.*?^\}}\n", re.MULTILINE | re.DOTALL)
    found = launcher.search(program)
    if found is None:
        raise UserError(f"{kernel}: its program has no launch_{kernel}")
    code = program[: found.end()]
    without = _CHECKS.sub("", code, count=1)
    if "CUDA_CHECK" not in without:
        code = without
    needed = [one for one in includes if one not in _OF_MAIN or _OF_MAIN[one] in code]
    return f"{include_lines(needed)}\n{code}"


def launcher_declaration(view: str, kernel: str) -> str:
    """What a caller of the launcher declares, on one line."""
    found = re.search(
        rf"^cudaError_t launch_{re.escape(kernel)}\(.*?\)(?= \{{)", view, re.MULTILINE | re.DOTALL
    )
    if found is None:
        raise UserError(f"{kernel}: its program has no launch_{kernel}")
    return " ".join(found[0].split())


def concepts(view: str, several_launches: bool) -> list[str]:
    """The concepts that a kernel view shows, in the order of CONCEPTS."""
    found = [name for name, pattern in CONCEPTS.items() if re.search(pattern, view, re.MULTILINE)]
    return [*found, *(["several launches"] if several_launches else [])]

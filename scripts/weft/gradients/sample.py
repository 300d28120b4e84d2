"""One sample: what its record says about gradients, and what came of checking them."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator, Mapping
from typing import Any

from weft.gradients.differences import FLOAT32, FLOAT64, Precision
from weft.reference.job import Job, job
from weft.reference.twin import can_widen
from weft.reference.wide_types import wide_structs, wide_type
from weft.types import Array, component_scalars

VERDICTS = ("agrees", "disagrees", "custom", "not_smooth", "not_differentiable", "no_adjoint", "error")


@dataclasses.dataclass(frozen=True)
class Found:
    """What is known about a sample's gradients; `difference` is as in docs/formats/gradients.md."""

    verdict: str
    message: str = ""
    precision: str | None = None
    causes: tuple[str, ...] = ()
    outputs: int = 0
    kinks: int = 0
    difference: Mapping[str, Any] | None = None


@dataclasses.dataclass(frozen=True)
class Check:
    """A sample to check.

    `narrow` says that it has floats narrower than float64, `widened` that it is compiled with float64 in
    their place. `custom` says that the user wrote a gradient; `without_adjoint` names what it calls that Warp
    gives none; `loops` says that Warp leaves loops in it.
    """

    drawn: Job
    narrow: bool
    widened: bool
    custom: bool
    without_adjoint: tuple[str, ...]
    loops: bool

    @property
    def executed(self) -> Job:
        """The sample in the form that is compiled; `drawn` is the sample as described."""
        if not self.widened:
            return self.drawn
        signature = [(name, wide_type(kind)) for name, kind in self.drawn.signature]
        structs = wide_structs(self.drawn.structs)
        return dataclasses.replace(self.drawn, signature=signature, structs=structs)

    @property
    def precision(self) -> Precision:
        """That of the forward pass."""
        return FLOAT32 if self.narrow and not self.widened else FLOAT64


_WITHOUT_ADJOINT = frozenset(
    """
    atomic_cas atomic_exch frac mesh_eval_face_normal mesh_get_point mesh_get_velocity mesh_query_ray_anyhit
    mod tile_argmax tile_cholesky_inplace tile_cholesky_solve tile_cholesky_solve_inplace tile_diag_add
    tile_from_thread tile_lower_solve_inplace tile_max tile_min tile_reduce tile_scan_exclusive
    tile_scan_inclusive tile_scan_max_inclusive tile_scan_min_inclusive tile_sort tile_upper_solve
    tile_upper_solve_inplace volume_lookup volume_lookup_f volume_lookup_v
    """.split()
)
"""Builtins that have a derivative, and that Warp marks as not differentiable (warp/_src/builtins.py)."""


def known_before(record: Mapping[str, Any]) -> Found | None:
    """What the record alone says, without executing anything."""
    if record["launch_problem"] is not None:
        return Found("error", f"no_launch: {record['launch_problem']['message']}")
    drawn = job(record, generated=False)
    for roles, word in ((("in", "inout"), "input"), (("out", "inout"), "output")):
        if not any(_has_floats(drawn, name, roles) for name, _ in drawn.signature):
            return Found("not_differentiable", f"no array of floats is an {word}")
    parts = record.get("kernels") or [record]
    if any(not part["cuda_backward"] for part in parts):
        return Found("no_adjoint", "compiled with enable_backward=False")
    return None


def check_of(record: Mapping[str, Any]) -> Check:
    """How a record is checked."""
    drawn = job(record, generated=False)
    parts = record.get("kernels") or [record]
    functions = [function for part in parts for function in (*part["functions"], part["kernel"])]
    types = {kind for function in functions for kind in function["types"]}
    types |= {
        str(scalar)
        for _, kind in drawn.signature
        for scalar in component_scalars(_element(kind), drawn.structs)
    }
    narrow = any(width in kind for kind in types for width in ("float16", "float32"))
    decorators = list(_decorators(record["python_source"]))
    custom = any(name in ("func_grad", "func_replay") or _SNIPPETS & given for name, given in decorators)
    native = any(name == "func_native" and "adj_snippet" not in given for name, given in decorators)
    without = {name for function in functions for name in _calls_without_adjoint(function)}
    without |= {"a native snippet"} if native else set()
    native |= any("native_snippet" in function for function in functions)
    widened = narrow and not native and all(can_widen(part["cpp_forward"]) for part in parts)
    loops = any(_LOOP.search(part["cpp_backward"]) for part in parts)
    return Check(drawn, narrow, widened, custom, tuple(sorted(without)), loops)


_LOOP = re.compile(r"^\s*start_(?:for|while)_\d+:", re.MULTILINE)

_SNIPPETS = {"adj_snippet", "replay_snippet"}


def _calls_without_adjoint(function: Mapping[str, Any]) -> Iterator[str]:
    """The builtins of _WITHOUT_ADJOINT that a function calls, and `%` of floats."""
    for *_, callee in function["calls"]:
        if callee.get("builtin") in _WITHOUT_ADJOINT:
            yield callee["builtin"]
    kinds = {tuple(e[:4]): function["types"][e[4]] for e in function["expressions"] if e[4] is not None}
    for node in ast.walk(ast.parse(function["source"])):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            span = (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
            if "float" in kinds.get(span, ""):
                yield "mod"


def _element(kind: Any) -> Any:
    return kind.element if isinstance(kind, Array) else kind


def _has_floats(drawn: Job, name: str, roles: tuple[str, ...]) -> bool:
    kind = dict(drawn.signature)[name]
    described = drawn.launch.parameters[name]
    if not isinstance(kind, Array) or described.null or described.role not in roles:
        return False
    return any("float" in str(scalar) for scalar in component_scalars(kind.element, drawn.structs))


def _decorators(source: str) -> Iterator[tuple[str, set[str | None]]]:
    """Every decorator of a module that is a call: its last name, and the keywords that it is given."""
    for node in ast.walk(ast.parse(source)):
        for decorator in getattr(node, "decorator_list", ()):
            if isinstance(decorator, ast.Call):
                function = decorator.func
                name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
                yield name, {keyword.arg for keyword in decorator.keywords}

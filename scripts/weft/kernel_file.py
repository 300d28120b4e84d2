"""What a generated kernels file says beside its kernels: what each is made of, and which were not made."""

from __future__ import annotations

import ast
from typing import Any

from weft.errors import KernelError, reject
from weft.files import sample_id

STAGE = "kernels"
_KEYS = {"index", "kernel_name", "reason", "message"}


def rejects_in(tree: ast.Module, category: str, seed: int) -> list[dict[str, Any]]:
    """The rejects of the stage `kernels`, from the literal REJECTS; none in a user's own file."""
    found = []
    for entry in _literal(tree, "REJECTS", []):
        if not isinstance(entry, dict) or entry.keys() != _KEYS:
            return []
        identity = {
            "sample_id": sample_id(category, seed, entry["index"]),
            "category": category,
            "seed": seed,
            "index": entry["index"],
            "kernel_name": entry["kernel_name"],
        }
        found.append(reject(identity, STAGE, KernelError(entry["reason"], entry["message"])))
    return found


def indices(count: int, rejects: list[dict[str, Any]]) -> list[int]:
    """The numbers in the shard of `count` kernels that are there: those that the rejects leave."""
    taken = {one["index"] for one in rejects}
    return [index for index in range(count + len(taken)) if index not in taken][:count]


def difficulties_in(tree: ast.Module) -> dict[str, str]:
    """The difficulty that LAUNCH states, by kernel."""
    launch = _literal(tree, "LAUNCH", {})
    entries = launch.items() if isinstance(launch, dict) else ()
    return {name: one["difficulty"] for name, one in entries if isinstance(one, dict) and "difficulty" in one}


def made_of_in(tree: ast.Module) -> dict[str, dict[str, Any]]:
    """What the generator made each kernel of, by its name, from MADE_OF; nothing in a user's own file."""
    found = _literal(tree, "MADE_OF", {}).items()
    return {name: one for name, one in found if isinstance(one, dict) and {"goal", "formulas"} <= one.keys()}


def parts_in(tree: ast.Module) -> list[str]:
    """Kernels that are parts of programs of several launches and no samples of their own, from PARTS."""
    return [one for one in _literal(tree, "PARTS", []) if isinstance(one, str)]


def programs_in(tree: ast.Module) -> dict[str, set[str]]:
    """The programs of several launches that LAUNCH describes, and the kernels that each launches."""
    launch = _literal(tree, "LAUNCH", {})
    entries = launch.items() if isinstance(launch, dict) else ()
    return {
        name: _launched(one["steps"]) for name, one in entries if isinstance(one, dict) and "steps" in one
    }


def in_order(tree: ast.Module, names: list[str]) -> list[str]:
    """The kernels and programs of a file in the order in which they are numbered.

    A generated file's are as they were made, programs among kernels, which is the order of LAUNCH: so a
    sample keeps its number whatever follows it. In a user's file programs follow all kernels.
    """
    if not made_of_in(tree):
        return names
    launch = list(_literal(tree, "LAUNCH", {}))
    return sorted(names, key=lambda name: launch.index(name) if name in launch else len(launch))


def _launched(steps: Any) -> set[str]:
    match steps:
        case {"kernel": str(name)}:
            return {name}
        case {"steps": inner} | {"parallel": inner}:
            return _launched(inner)
        case list():
            return {name for step in steps for name in _launched(step)}
        case _:
            return set()


def _literal(tree: ast.Module, name: str, default: Any) -> Any:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(found)], value=value) if found == name:
                try:
                    literal = ast.literal_eval(value)
                except (ValueError, TypeError, MemoryError, RecursionError):  # `ir` says what is wrong
                    return default
                return literal if isinstance(literal, type(default)) else default
    return default

"""`a, b = x, y`: all values before all names, in single assignments."""

from __future__ import annotations

import ast

from weft.cuda.traverse import walk
from weft.cuda.tree import Assign, Call, Expression, Name, Statement


class Exchange:
    """Orders the assignments of tuples in one function; `kept` counts values that got an own name."""

    def __init__(self) -> None:
        self.kept = 0

    def assignments(self, node: ast.stmt, pending: list[tuple[str, Expression]]) -> list[Statement]:
        """Single assignments: a name is given its value when no other value still needs the old one.

        Where there is always one, the last value is kept in a name of its own. Values with side effects keep
        their order.
        """
        result: list[Statement] = []
        effects = any(isinstance(e, Call) and e.effect for _, value in pending for e in walk(value))
        while pending:
            free = next(
                (
                    i
                    for i, (name, _) in enumerate(pending)
                    if not _is_read(name, pending[:i] + pending[i + 1 :])
                ),
                None,
            )
            if free is None or (effects and free > 0):
                free = 0 if effects else len(pending) - 1
                name, value = pending[free]
                self.kept += 1
                kept = f"next_{name}" if self.kept == 1 else f"next_{name}_{self.kept}"
                result.append(Assign(Name(value.type, kept), "", value, node=node))
                pending[free] = (name, Name(value.type, kept))
                if effects:
                    pending.append(pending.pop(0))
                    effects = any(isinstance(e, Call) and e.effect for _, v in pending for e in walk(v))
                continue
            name, value = pending.pop(free)
            result.append(Assign(Name(value.type, name), "", value, node=node))
        return result


def _is_read(name: str, values: list[tuple[str, Expression]]) -> bool:
    return any(isinstance(e, Name) and e.name == name for _, value in values for e in walk(value))

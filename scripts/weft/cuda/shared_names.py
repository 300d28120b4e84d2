"""`a, b = c, d`: in Warp a is another name of c, no copy of it. That shows where one of the two changes and
the other does not.
"""

from __future__ import annotations

import ast

from weft.cuda.source import stored_names

_Loop = ast.For | ast.While


class SharedNames:
    """Which names of a function share a value, and where they came to."""

    def __init__(self, definition: ast.FunctionDef) -> None:
        self.definition = definition
        self.others: dict[str, set[str]] = {}
        self.statements: list[tuple[ast.stmt, set[str]]] = []

    def share(self, node: ast.stmt, name: str, source: str) -> bool:
        """Note that `name` is given the value of `source`; whether no loop makes the names differ.

        A loop changes values in place where names had them before it.
        """
        group = {source, *self.others.get(source, ())} - {name}
        for member in group:
            self.others.setdefault(member, set()).add(name)
        self.others.setdefault(name, set()).update(group)
        self.statements.append((node, {name, *group}))
        return not any(
            self._differ(node, one, other)
            for member in group
            for one, other in ((name, member), (member, name))
        )

    def _differ(self, node: ast.stmt, changed: str, read: str) -> bool:
        """Whether a loop after the statement changes one name, and the other is still read."""
        loops = [n for n in ast.walk(self.definition) if isinstance(n, _Loop)]
        again = any(loop.lineno < node.lineno <= (loop.end_lineno or 0) for loop in loops)
        later = [loop for loop in loops if loop.lineno > node.lineno and changed in stored_names([loop])]
        return any(again or line >= loop.lineno for loop in later for line in self._reads(read))

    def _reads(self, name: str) -> list[int]:
        """The lines that read a name."""
        found = []
        for node in ast.walk(self.definition):
            target = node.target if isinstance(node, ast.AugAssign) else node
            if not isinstance(target, ast.Name) or target.id != name:
                continue
            if target is not node or isinstance(target.ctx, ast.Load):
                found.append(target.lineno)
        return found

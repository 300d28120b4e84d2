"""Pass: an extent parameter to which the source gives a name has that name.

Before: `const int nx = nx_count;`, where `nx_count` is an extent parameter. After: the parameter is `nx`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from weft.cuda.contents import contents
from weft.cuda.passes.extent_parameters import ExtentParameter
from weft.cuda.passes.unused import drop_statement
from weft.cuda.traverse import rewrite_block
from weft.cuda.tree import INT, Declare, Expression, Function, Name


def use_own_names(function: Function, extents: Sequence[ExtentParameter]) -> None:
    """Run the pass on a function and its extent parameters."""
    often = Counter(one.name for one in contents(function).statements if isinstance(one, Declare))
    by_name = {one.name: one for one in extents}
    chosen: dict[str, str] = {}
    for position, statement in reversed(list(enumerate(function.body))):
        match statement:
            case Declare(type=kind, name=name, value=Name(name=extent), constant=True, trailing="") if (
                kind == INT and often[name] == 1 and extent in by_name and extent not in chosen
            ):
                by_name[extent].name = chosen[extent] = name
                drop_statement(function.body, position)
            case _:
                pass
    if chosen:
        rewrite_block(function.body, lambda node: _called(node, chosen))


def _called(node: Expression, chosen: Mapping[str, str]) -> Expression:
    if isinstance(node, Name) and node.name in chosen:
        return Name(INT, chosen[node.name])
    return node

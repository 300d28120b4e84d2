"""Pass: what is computed for one element of an array is stored there, under no name of its own.

Before: `const float energy = …;`, then `energies[i] = energy;`, and no other use of `energy`. After:
`energies[i] = …;`. Names that say more than the array's stay.
"""

from __future__ import annotations

from collections import Counter

from weft.cuda.passes.effects import has_effect
from weft.cuda.traverse import all_blocks, all_expressions
from weft.cuda.tree import Assign, Declare, Expression, Function, Name, Pointee, Statement


def store_directly(function: Function) -> None:
    """Run the pass on one function."""
    reads = Counter(node.name for node in all_expressions(function.body) if isinstance(node, Name))
    for block in all_blocks(function.body):
        for position in reversed(range(len(block) - 1)):
            if _is_for_store(block[position], block[position + 1], reads):
                _join(block, position)


def _is_for_store(named: Statement, store: Statement, reads: Counter[str]) -> bool:
    """Whether a statement names what only the next one needs, to store it."""
    match named, store:
        case (
            Declare(name=name, type=kind, value=Expression() as value, constant=True, trailing=""),
            Assign(target=Pointee(base=Name(name=array), type=element) as target, value=Name(name=stored)),
        ):
            same = stored == name and reads[name] == 1 and kind == element == value.type
            return same and _is_plural(array, name) and not has_effect(value) and not has_effect(target)
        case _:
            return False


def _is_plural(array: str, name: str) -> bool:
    return array in (f"{name}s", f"{name}es", f"{name[:-1]}ies")


def _join(block: list[Statement], position: int) -> None:
    named, store = block[position], block[position + 1]
    assert isinstance(named, Declare) and isinstance(store, Assign) and named.value is not None
    store.value = named.value
    del block[position]

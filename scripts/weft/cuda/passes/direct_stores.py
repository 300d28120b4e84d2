"""Passes on stores: what is computed for one element of an array is stored there, under no name of its own;
of a struct that was loaded, the members that changed are stored.

Before: `const float energy = …;`, then `energies[i] = energy;`, and no other use of `energy`. After:
`energies[i] = …;`. Names that say more than the array's stay.

Before: `Body body = bodies[i];`, then `body.velocity += …; bodies[i] = body;`. After:
`bodies[i].velocity = body.velocity;` instead of the store of all members.
"""

from __future__ import annotations

import dataclasses
from collections import Counter

from weft.cuda import launch_assumptions
from weft.cuda.analysis.linear import key_of, names_in
from weft.cuda.contents import Contents, contents
from weft.cuda.passes.effects import has_effect
from weft.cuda.traverse import all_blocks, all_expressions, clone, walk
from weft.cuda.tree import AddressOf, Assign, Declare, Expression, Function, Member, Name, Pointee, Statement
from weft.launch import Launch
from weft.types import Struct, Structs


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


def store_changed_members(kernel: Function, launch: Launch, structs: Structs) -> None:
    """Run the pass on a kernel whose arrays lie apart. An array that it mentions elsewhere stays as it is."""
    if not launch_assumptions.lie_apart(launch):
        return
    found = contents(kernel)
    for block in all_blocks(kernel.body):
        for position in reversed(range(len(block))):
            match block[position]:
                case Assign(
                    Pointee(Struct(name=name), Name(name=array)) as place, "", Name() as value
                ) as store:
                    members = _changed_members(value, found)
                    once = found.mentions[array] == 2 and _is_loaded(value, place, block[:position], found)
                    if once and 0 < len(members) < len(structs[name]):
                        block[position : position + 1] = [
                            dataclasses.replace(
                                store,
                                target=Member(one.type, clone(place), one.path),
                                value=Member(one.type, clone(value), one.path),
                            )
                            for one in members
                        ]


def _is_loaded(value: Name, element: Pointee, block: list[Statement], found: Contents) -> bool:
    """Whether a variable holds an element since a statement of a block, and the index keeps its value."""
    declared = [one for one in found.statements if isinstance(one, Declare) and one.name == value.name]
    loaded = any(
        one is declared[0] and one.value is not None and key_of(one.value) == key_of(element) for one in block
    )
    return loaded and len(declared) == 1 and found.changed.isdisjoint(names_in(element.offset))


def _changed_members(value: Name, found: Contents) -> list[Member]:
    """The members of a struct that change, each once; none if it is mentioned in other ways."""
    places = [one.target for one in found.statements if isinstance(one, Assign)]
    places += [node.place for node in found.nodes if isinstance(node, AddressOf)]
    of_value = [node for node in found.nodes if isinstance(node, Member) and node.value == value]
    if found.mentions[value.name] != len(of_value) + 1:
        return []
    inner = {id(node) for place in places if not isinstance(place, Pointee) for node in walk(place)}
    return [*{one.path: one for one in of_value if id(one) in inner}.values()]

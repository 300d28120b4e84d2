"""What is known of a builtin stands in one table, and rules keep to it."""

import ast
import dataclasses
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from weft.cuda import builtins, rules
from weft.cuda.device_functions import ATOMICS, DEVICE_FUNCTIONS
from weft.cuda.tiles import builder, operations, reductions, statements
from weft.cuda.traverse import walk
from weft.cuda.tree import FLOAT, INT, UINT, Call, Expression, Name
from weft.intrinsics import FAMILIES, INTRINSICS, Effect, Intrinsic
from weft.types import Array, Matrix, Quaternion, Transform, Type, Vector

WEFT = Path(builtins.__file__).parents[1]
ROOMS = ("cuda", "ir", "mutation")
ACTS = Effect.RANDOM | Effect.ATOMIC | Effect.PRINTS
"""What a rule says of its calls, too."""

OF_TILES = (operations.TABLE, reductions.TABLE, builder.STORING, statements.STATEMENTS)


def test_a_builtin_is_in_one_family() -> None:
    assert sum(len(names.split()) for names in FAMILIES) == len(INTRINSICS)


def test_every_builtin_states_its_effect_and_whether_it_is_uniform() -> None:
    stated = {field.name: field.default for field in dataclasses.fields(Intrinsic)}
    assert stated["effect"] is stated["uniform"] is dataclasses.MISSING
    for one in INTRINSICS.values():
        assert isinstance(one.effect, Effect) and isinstance(one.uniform, bool)
        assert set(one.changed) <= set(one.parameters)
        assert not one.changed or one.effect & Effect.CHANGES


def test_every_rule_is_that_of_a_builtin_in_the_table() -> None:
    of_tiles = [name for table in OF_TILES for name in table]
    assert {*builtins.TABLE, *builtins.CHANGING, *of_tiles} <= set(INTRINSICS)
    assert not {*builtins.TABLE} & {*of_tiles}
    assert len(of_tiles) == len(set(of_tiles))


VECTOR, MATRIX, NUMBERS = Vector(3, FLOAT), Matrix(3, 3, FLOAT), Array(INT, 1)
TUPLES: list[tuple[Type, ...]] = [
    *(
        (kind,) * count
        for kind in (FLOAT, INT, VECTOR, MATRIX, Matrix(4, 4, FLOAT), Quaternion(FLOAT), Transform(FLOAT))
        for count in range(6)
    ),
    (NUMBERS,),
    (NUMBERS, INT),
    (NUMBERS, INT, INT),
    (NUMBERS, INT, INT, INT),
    (UINT, VECTOR),
    (UINT, NUMBERS),
    (VECTOR, FLOAT),
    (Transform(FLOAT), VECTOR),
    (MATRIX, VECTOR),
    (Quaternion(FLOAT), VECTOR),
]


def made(name: str) -> Iterator[Expression]:
    """What the rule makes of arguments that it takes."""
    for kinds in TUPLES:
        given: list[Expression] = [Name(kind, f"x{place}") for place, kind in enumerate(kinds)]
        try:
            yield builtins.TABLE[name](rules.Use(name, given, (*kinds, FLOAT)[0]))
        except (rules.UnsupportedError, ValueError, IndexError, KeyError, AssertionError, AttributeError):
            continue


@pytest.mark.parametrize("name", sorted(builtins.TABLE))
def test_a_rule_has_the_effect_that_the_table_states(name: str) -> None:
    found = list(made(name))
    assert found
    effects = {
        effect
        for one in found
        for effect in [part.effect for part in walk(one) if isinstance(part, Call)] or [Effect.NONE]
        if effect or not INTRINSICS[name].effect & ACTS
    }
    assert effects == {INTRINSICS[name].effect & ACTS}


NO_TABLE = {"min", "max"}
"""Names of operations, too, of which code asks one by one."""

DISPATCH = "ir/index_builtins.py"
"""Here a `match` on builtins does what each of them asks for: nothing is told of several."""


def is_fact(node: ast.expr) -> bool:
    """Whether a value of a dictionary is data, `Effect.READS` or `ast.Add`, too; a rule is none."""
    match node:
        case ast.Attribute(attr=name):
            return name[0].isupper()
        case ast.Call() | ast.Lambda() | ast.Name():
            return False
        case _:
            return all(is_fact(part) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))


def named_together(node: ast.AST) -> set[str]:
    """The texts of which a literal or a pattern is a table, or that begin like a name that is asked for."""
    match node:
        case ast.Set(elts=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts):
            pass
        case ast.Dict(keys=keys, values=values) if all(map(is_fact, values)):
            parts = [key for key in keys if key is not None]
        case ast.MatchOr(patterns=patterns):
            parts = [one.value for one in patterns if isinstance(one, ast.MatchValue)]
        case ast.Call(func=ast.Attribute(attr="split", value=ast.Constant(value=str(text)))):
            return set(text.split())
        case ast.Call(func=ast.Attribute(attr="startswith"), args=[ast.Constant(value=str(start))]):
            # A tile builtin is refused, or looked at as one, by the beginning of its name.
            asked = len(start) > 2 and not start.startswith("tile")
            return {name for name in INTRINSICS if asked and name.startswith(start)}
        case _:
            return set()
    return {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def second_tables(text: str, file: str) -> Iterator[str]:
    """Where a text names several builtins, or several functions of CUDA, together."""
    functions = set(DEVICE_FUNCTIONS) | {one.function for one in ATOMICS.values()}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.MatchOr) and file == DISPATCH:
            continue
        names = named_together(node) - NO_TABLE
        if len(names & set(INTRINSICS)) > 1 or len(names & functions) > 2:
            yield f"{file}:{getattr(node, 'lineno', 0)}: {', '.join(sorted(names))[:60]}"


@pytest.mark.parametrize(
    "text",
    [
        "X = {'randf', 'randi'}",
        "X = 'sin cos'.split()",
        "X = {'tile_sum': 1, 'tile_max': 2}",
        "X = {'randf': Effect.RANDOM, 'len': Effect.READS}",
        "if name.startswith('atomic_'): pass",
        "match name:\n    case 'floorf' | 'ceilf' | 'truncf': pass",
    ],
)
def test_a_second_table_is_found(text: str) -> None:
    assert list(second_tables(text, "x.py"))


def test_no_second_table_of_facts_names_builtins() -> None:
    files = itertools.chain(*((WEFT / room).rglob("*.py") for room in ROOMS))
    found = [
        line
        for file in sorted(files)
        if file.parent.name != "helpers" and file.name != "device_functions.py"
        for line in second_tables(file.read_text(encoding="utf-8"), str(file.relative_to(WEFT)))
    ]
    assert found == []

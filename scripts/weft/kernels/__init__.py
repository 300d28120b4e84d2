"""Seeded generation of Warp kernels: a category, a seed and a count give the text of a module."""

from __future__ import annotations

import contextlib
import difflib
import functools
import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from types import ModuleType
from typing import Any

from weft.category_levels import levels_of, unmet
from weft.concepts import concepts_of, difficulty_of
from weft.errors import UserError
from weft.kernels import categories, emit, emit_module, launches, passes, rewrite, tidy
from weft.kernels.builder import Builder
from weft.kernels.goals import DomainIdiom, Idiom, rarer
from weft.kernels.policy import Policy, drawn_policy
from weft.kernels.program import (
    ConstantDef,
    FunctionDef,
    GeneratedProgram,
    Redraw,
    Rejected,
    StructDef,
    Undefined,
)
from weft.kernels.rng import Random
from weft.kernels.types import F32, F64
from weft.kernels.variants import Composed, composed, written
from weft.kernels.words import singular, without_verb
from weft.kernels.workloads import WrittenProgram, workloads_of
from weft.types import Array, Struct, Type

DRAWS = 48
"""How often a kernel is drawn, from another idiom each time, before it is given up."""
FRESH = 30
"""How often a kernel is drawn until it is unlike all composed ones before it in its shard."""
REDRAWS = 2000
"""How often a kernel is made anew until it has the difficulty that is asked for."""
AS_THEY_COME: Mapping[str, float] = {}
"""No difficulty is asked for."""


def category_names() -> list[str]:
    """All categories: one for each file in `categories/`, in alphabetical order."""
    return sorted(one.name for one in pkgutil.iter_modules(categories.__path__))


def load_category(name: str) -> ModuleType:
    """The module of a category, with its REVISION, TEACHES, IDIOMS and ALIASES."""
    return importlib.import_module(f"{categories.__name__}.{name}")


def resolve_category(name: str) -> str:
    """The category that `name`, a name or an alias, means. Raises UserError with the nearest match."""
    names = category_names()
    if name in names:
        return name
    aliases = {alias: one for one in names for alias in getattr(load_category(one), "ALIASES", ())}
    if name in aliases:
        return aliases[name]
    near = difflib.get_close_matches(name, [*names, *aliases], n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise UserError(f"unknown category {name!r}{hint} (allowed: {', '.join(names)})")


@functools.cache
def category_idioms(category: ModuleType) -> tuple[Idiom, ...]:
    """The idioms of a category: its IDIOMS, in their order. Goals that are at home in another category come
    rarely.
    """
    name = category.__name__.rpartition(".")[2]
    away = {goal for goal, home in _homes().items() if home != name}
    return rarer(category.IDIOMS, away)


@functools.cache
def _homes() -> dict[str, str]:
    """The category that each goal is at home in: of those that may draw it, that with the fewest so far."""
    having: dict[str, set[str]] = {}
    for name in category_names():
        for idiom in load_category(name).IDIOMS:
            if isinstance(idiom, DomainIdiom) and not idiom.style.needs:
                for one in idiom.goals:
                    having.setdefault(one.full_name, set()).add(name)
    found: dict[str, str] = {}
    taken: Counter[str] = Counter()
    for goal, names in sorted(having.items(), key=lambda one: (len(one[1]), one[0])):
        found[goal] = min(names, key=lambda name: (taken[name], name))
        taken[found[goal]] += 1
    return found


def generate_program(
    category: str, seed: int, index: int, difficulty: Mapping[str, float] = AS_THEY_COME
) -> GeneratedProgram | WrittenProgram:
    """Kernel `index` of a shard; the arguments and the category's files decide it alone.

    Raises Rejected where the idioms and their choices do not come to a kernel that means something, and
    UserError where the category has no kernels of the difficulty.
    """
    module = load_category(category)
    level = _level(category, seed, index, difficulty)
    if by_hand := _by_hand(category, module, seed, index, level):
        return by_hand
    weights = tuple(sorted(difficulty.items()))
    places = composed(workloads_of(category), category, module.REVISION, seed, weights)
    while (before := len(places.draws)) < index:
        with contextlib.suppress(Rejected):
            generate_program(category, seed, before, difficulty)
        places.draws[before:] = places.draws[before:] or [0]
    return _composed(category, seed, index, level, places)


def _level(category: str, seed: int, index: int, difficulty: Mapping[str, float]) -> str | None:
    """The difficulty that a kernel must have, of those that its category has; None for any."""
    if not any(difficulty.values()):
        return None
    if problem := unmet([category], difficulty):
        raise UserError(f"difficulty: {problem}")
    given = {one: weight for one in levels_of(category) if (weight := difficulty.get(one, 0.0))}
    return Random(f"difficulty of {category}", 1, seed, index).weighted(given)


def _by_hand(
    category: str, module: ModuleType, seed: int, index: int, level: str | None
) -> WrittenProgram | None:
    """The workload of a kernel; None where it is composed. Raises Rejected for a mistake in a template."""
    if not (those := workloads_of(category)):
        return None
    try:
        return written(those, category, module.REVISION, seed, level).at(index)
    except Undefined as error:
        raise Rejected("undefined", str(error), category) from error


def _composed(category: str, seed: int, index: int, level: str | None, places: Composed) -> GeneratedProgram:
    """A composed kernel unlike those before it in its shard, or the last of so many draws."""
    module = load_category(category)
    draws = range(FRESH if level is None else REDRAWS)
    known = index < len(places.draws)
    found: GeneratedProgram | None = None
    for draw in places.draws[index : index + 1] or draws:
        idiom, rng = _drawn(category, module, seed, index, draw)
        try:
            program = _made(idiom, category_idioms(module), rng)
        except Rejected as error:
            if level is None:
                error.idiom = idiom.__name__
                raise
            continue
        if level not in (None, program.difficulty):
            continue
        found, chosen = program, draw
        if known or places.is_new(_text(program)):
            break
    if found is None:
        raise Rejected("redrawn", f"no {level} kernel in {REDRAWS} draws", category)
    if not known:
        places.draws.append(chosen)
    return found


def _text(program: GeneratedProgram) -> str:
    """What a program is, but for names."""
    functions = [emit.function(one) for one in program.functions]
    own = [] if program.steps else [emit.kernel(program)]
    return "\n".join([*map(_text, program.parts), *functions, *own])


def _drawn(category: str, module: ModuleType, seed: int, index: int, draw: int = 0) -> tuple[Idiom, Random]:
    """The idiom of a composed kernel, and the stream of its other choices."""
    rng = Random(category, module.REVISION, seed, index, draw)
    return rng.pick(*category_idioms(module)), rng


def _made(idiom: Idiom, others: tuple[Idiom, ...], rng: Random) -> GeneratedProgram:
    """The program of an idiom. Raises Rejected where it makes none."""
    try:
        return _grown(idiom, others, rng)
    except Undefined as error:
        raise Rejected("undefined", str(error)) from error


def _grown(idiom: Idiom, others: tuple[Idiom, ...], rng: Random) -> GeneratedProgram:
    builder = _built(idiom, others, rng, drawn_policy(rng))
    if builder.steps:
        program = builder.program()
        program.concepts = launches.concepts(program)
        kernels = [one.facts for one in program.parts]
    else:
        tidy.apply(builder)
        rewrite.apply(builder)
        program = builder.program()
        program.facts = passes.check(program)
        program.concepts = concepts_of(program.facts)
        kernels = [program.facts]
    length = sum(kernel.statements for kernel in kernels if kernel)
    program.difficulty = difficulty_of(program.concepts, length)
    return program


def _built(idiom: Idiom, others: tuple[Idiom, ...], rng: Random, policy: Policy) -> Builder:
    """The kernel that an idiom writes; where its choices do not go together, all is drawn again."""
    for _ in range(DRAWS):
        builder = Builder(idiom.__name__, rng, policy)
        builder.real = F64 if rng.chance(policy.double) else F32
        try:
            idiom(builder)
        except (Redraw, Rejected):
            idiom = rng.pick(*others)
            continue
        builder.made_of = builder.made_of or {
            "goal": f"{idiom.__module__.rpartition('.')[2]}.{idiom.__name__}"
        }
        return builder
    raise Rejected("redrawn", f"nothing that goes together in {DRAWS} draws, {idiom.__name__} the last")


def generate(category: str, seed: int, count: int, difficulty: Mapping[str, float] = AS_THEY_COME) -> str:
    """The text of a shard's module: `count` kernels, their helpers, LAUNCH and MADE_OF.

    `difficulty` has the weights of levels; without any, kernels are as their category gives them. A kernel
    that is rejected leaves its place, and its reason in REJECTS; nothing comes instead of it. Raises
    UserError for an unknown category, a count below one, or difficulties that the category lacks.
    """
    category = resolve_category(category)
    if count < 1:
        raise UserError(f"count must be at least 1, got {count}")
    module = load_category(category)
    entries: list[str] = []
    made_of: dict[str, Any] = {}
    parts: list[str] = []
    rejects: list[dict[str, Any]] = []
    blocks: list[str] = []
    taken: dict[str, str] = {}
    for index in range(count):
        placed, named = len(blocks), len(taken)
        try:
            program = generate_program(category, seed, index, difficulty)
            if isinstance(program, WrittenProgram):
                place_written(program, blocks, taken)
                entry = program.entry
            else:
                _place(program, blocks, taken)
                entry = emit_module.launch(program)
        except Rejected as error:
            rejected = {"index": index, "kernel_name": error.idiom or program.name}
            rejects.append(rejected | {"reason": error.reason, "message": error.message})
            del blocks[placed:]
            for name in list(taken)[named:]:
                del taken[name]
        else:
            entries.append(entry)
            made_of[program.name] = program.made_of
            parts += [one.name for one in program.parts]
    title = f"Kernels of the category {category}, seed {seed}."
    doc = f"{title}\n\n{module.TEACHES[0].upper()}{module.TEACHES[1:]}."
    return emit_module.module(doc, entries, blocks, made_of, parts, rejects)


def _place(program: GeneratedProgram, blocks: list[str], taken: dict[str, str], whole: str = "") -> None:
    """Append a kernel's text, after that of what it uses, all under names that are free; `whole` is the
    program that it is a part of.

    Raises Rejected for a kernel of too many lines.
    """
    for part in program.parts:
        _place(part, blocks, taken, program.name)
    owner = program.made_of.get("goal", program.name).rpartition(".")[2].removesuffix("_kernel")
    constants: list[str] = []
    for constant in program.constants:
        _define(constant, emit.constant, taken, constants, program.name, owner)
    if constants:
        blocks.append("\n".join(constants))
    for struct in program.structs:
        before = struct.name
        _define(struct, emit.struct, taken, blocks, program.name, owner)
        if struct.name != before:
            rename_struct(program, before, struct.name)
    for function in program.functions:
        _define(function, emit.function, taken, blocks, program.name, owner)
    own = {one.name for one in program.parameters}
    names = [one for one in (program.name, *program.other_names) if one not in own] or [program.name]
    if all(one in taken for one in names):
        others = told_apart(names[0], "" if program.steps else emit.kernel(program), taken[names[0]], whole)
        names += [one for one in others if one not in own]
    program.name = free_name(names, taken)
    if program.steps:
        taken[program.name] = ""
        return
    text = emit.kernel(program)
    passes.check_text(text, program.doc)
    taken[program.name] = text
    blocks.append(text)


def place_written(program: WrittenProgram, blocks: list[str], taken: dict[str, str]) -> None:
    """Append what a workload defines, unless it is there already, under names that are free. Where a kernel
    of a program gets another name, all of them do.

    Raises Rejected for a kernel of too many lines.
    """
    here = {one.name: one.text for one in program.definitions}
    template = program.made_of["goal"].rpartition(".")[2]
    apart = told_apart(program.name, here.get(program.name, ""), taken.get(program.name, ""), template)
    apart = [name for name in apart if name not in here]
    whole = free_name((program.name, *program.other_names, *apart), taken)
    program.rename(program.name, whole)
    clash = any(taken.get(one.name, one.text) != one.text for one in program.parts)
    for one in program.definitions:
        is_part = any(one is part for part in program.parts)
        if taken.get(one.name, one.text) != one.text or (is_part and clash):
            other = one.text if is_part else taken[one.name]
            names = told_apart(one.name, one.text, other, whole)
            known = {name for name in taken if not one.is_constant or taken[name] != one.called(name)}
            fitting = [name for name in names if name not in here and name != whole]
            program.rename(one.name, free_name([*fitting, one.name], known))
            here[one.name] = one.text
    constants = [one for one in program.definitions if one.is_constant and one.name not in taken]
    if constants:
        blocks.append("\n".join(one.text for one in constants))
        taken |= {one.name: one.text for one in constants}
    for one in program.definitions:
        if one.name not in taken:
            passes.check_text(one.text, program.doc)
            blocks.append(one.text)
            taken[one.name] = one.text
    taken.setdefault(whole, "")


LONGEST_NAME = 40
"""How long a name may be that says whose it is."""
DIFFERENCES = {
    "float64": "f64",
    "float16": "f16",
    "bfloat16": "bf16",
    "_2D": "2d",
    "_3D": "3d",
}
"""What may be in one of two definitions alone, and what its name has then at its end."""


def told_apart(name: str, text: str, other: str, owner: str) -> list[str]:
    """Names that say how a definition differs from another one of its name: by its type, the kernel that it
    is for, or what it takes.
    """
    alone = [mark for mark in DIFFERENCES if mark in text and mark not in other]
    found = [f"{name}_{DIFFERENCES[one]}" for one in alone] if name.islower() else []
    found += [one for one in _owned(name, without_verb(owner)) if len(one) <= LONGEST_NAME]
    more = [one for one in _parameters(text) if one not in _parameters(other) and len(one) > 2]
    return found + [f"{name}_with_{one}" for one in more if name.islower()]


_JOINTS = ("and", "by", "for", "from", "in", "of", "on", "to", "with")
"""Words that names do not begin or end with."""


def _owned(name: str, what: str) -> list[str]:
    """A name behind what its owner does, in as many words as there is room for: `GAUSSIAN_BLUR_RADIUS`. Words
    that are in both come once, but in functions only where they meet: all of a program begin alike.
    """
    first = name.partition("_")[0]
    known = {*re.findall("[a-z0-9]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower())}
    if name.islower():
        known = {first} if singular(what.rpartition("_")[2]) == singular(first) else set()
    content = [one for one in what.split("_") if one and not one.isdigit()]
    words = [one for one in content if one in _JOINTS or not {one, singular(one)} & known]
    if what == name:
        words = []
    while words and (words[0] in _JOINTS or words[0][0].isdigit()):
        words.pop(0)
    ends = [count for count in range(len(words), 0, -1) if words[count - 1] not in (*_JOINTS, first)]
    before = [one for one in ("_".join(words[:count]) for count in ends) if one != name]
    if name.isupper() or name.islower():
        return [f"{one.upper() if name.isupper() else one}_{name}" for one in before]
    return ["".join(part.capitalize() for part in one.split("_")) + name for one in before]


def _parameters(text: str) -> list[str]:
    """What the function or kernel of a text takes."""
    found = re.search(r"^def \w+\(([^)]*(?:\([^)]*\)[^)]*)*)\)", text, re.MULTILINE)
    return re.findall(r"(\w+):", found[1]) if found else []


def free_name(names: Sequence[str], taken: Collection[str]) -> str:
    """The first of the names that is free, or the first of all with the first number that makes it new."""
    for name in names:
        if name not in taken:
            return name
    number = 2
    while f"{names[0]}_{number}" in taken:
        number += 1
    return f"{names[0]}_{number}"


def _define(
    definition: StructDef | FunctionDef | ConstantDef,
    print_one: Callable[[Any], str],
    taken: dict[str, str],
    blocks: list[str],
    *owners: str,
) -> None:
    """Append a struct, function or constant once; a different one of the same name gets another name.

    Names depend on the kernels before this one only, so a longer shard begins with the same text.
    """
    base, number = definition.name, 2
    text = print_one(definition)
    others = [name for owner in owners for name in told_apart(base, text, taken.get(base, ""), owner)]
    while any(taken.get(name, text) != text for name in _defined(definition, text)):
        joint = "" if isinstance(definition, StructDef) else "_"
        definition.name = others.pop(0) if others else f"{base}{joint}{number}"
        number += not others
        text = print_one(definition)
    if definition.name not in taken:
        taken |= dict.fromkeys(_defined(definition, text), text)
        blocks.append(text)


def _defined(definition: StructDef | FunctionDef | ConstantDef, text: str) -> set[str]:
    """The name of a definition, and those of its overloads and its adjoint."""
    return {definition.name, *re.findall(r"^def (\w+)", text, re.MULTILINE)}


def rename_struct(program: GeneratedProgram, before: str, after: str) -> None:
    """Let every signature that names the struct `before` name it `after`."""
    old, new = Struct(before), Struct(after)

    def renamed(type: Type) -> Type:
        if isinstance(type, Array) and type.element == old:
            return Array(new, type.ndim)
        return new if type == old else type

    for parameter in program.parameters:
        parameter.type = renamed(parameter.type)
    for struct in program.structs:
        struct.fields = [(name, renamed(of)) for name, of in struct.fields]
    for function in program.functions:
        function.parameters = [(name, renamed(of)) for name, of in function.parameters]

"""Helpers that are written in C++: the `.cuh` files of `cuh/`.

A helper begins with a header that no program gets: `// Helper KEY: what of Warp it stands for`, then
`// Needs: helper(types), …` for the helpers that it calls. Its text is that for float. For another type of
floats, every float, literal, function and vector of floats becomes that type's. Where that is not all of it,
`// Of double, …: this => that` says what changes then, by regular expressions in which S is the type's name.
In a text with `T`, that is the type of the first argument instead, and floats stay floats.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from weft.cuda.c_types import HALVES, c_type, value_type
from weft.cuda.helpers.text import Helper, construct, decimal, helper, math_call, passed, scalar_of
from weft.types import Matrix, Quaternion, Scalar, Transform, Type, Vector

_FLOAT = Scalar("float32")
_HEADER = re.compile(r"^// Helper (\S+): .*\n((?:// (?:Needs:| |Of ).*\n)*)", re.MULTILINE)
_NEED = re.compile(r"([^\s(,]+)\(([^)]*)\)")
_STRUCT = re.compile(r"struct (?P<stem>\w+)f \{(?P<members>[^}]*)\}")
_TOKEN = re.compile(
    r"//[^\n]*|(?<![\w.])(?P<number>-?\d+(?:\.\d+)?(?:e-?\d+)?)f\b|(?P<name>[A-Za-z_]\w*)(?P<call>\()?"
)
_FUNCTIONS = frozenset("acosf asinf atan2f cosf fabsf fmaxf fminf isnan sincosf sinf sqrtf truncf".split())


@dataclasses.dataclass(frozen=True)
class _Written:
    """A helper as it stands in its file. `changes` are for types that C++ calls so."""

    text: str
    needs: tuple[tuple[str, tuple[str, ...]], ...]
    changes: tuple[tuple[tuple[str, ...], str, str], ...]


def _read(path: Path) -> dict[str, _Written]:
    _, *pieces = _HEADER.split(path.read_text(encoding="utf-8"))
    return {
        key: _written(header, text.strip())
        for key, header, text in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True)
    }


def _written(header: str, text: str) -> _Written:
    needs, changes = [], []
    for line in header.replace("\n//  ", " ").splitlines():
        what, _, rest = line.removeprefix("// ").partition(": ")
        if what == "Needs":
            needs = [(name, _listed(types)) for name, types in _NEED.findall(rest)]
        else:
            this, _, that = rest.partition(" => ")
            changes.append((_listed(what.removeprefix("Of ")), this, that))
    return _Written(text, tuple(needs), tuple(changes))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in text.split(",") if one.strip())


_WRITTEN = {
    key: one
    for path in sorted((Path(__file__).parent / "cuh").glob("*.cuh"))
    for key, one in _read(path).items()
}

_STRUCTS = {key: found for key, one in _WRITTEN.items() if (found := _STRUCT.search(one.text))}
_STEMS = {found["stem"] for found in _STRUCTS.values()}

RESULTS = {key: tuple(re.findall(r"(\w+)[,;]", found["members"])) for key, found in _STRUCTS.items()}
"""The members of the structs that helpers return, in Warp's order."""

RESULT_STRUCTS = {stem + letter for stem in _STEMS for letter in ("h", "bf", "f", "d")}
"""The names of these structs in C++."""


@functools.cache
def _helper(key: str, *types: Type) -> Helper:
    """The helper for arguments of these types, for floats where it is asked for without any."""
    one, text = _WRITTEN[key], _WRITTEN[key].text
    scalar = scalar_of(types[0]) if types else _FLOAT
    if re.search(r"\bT\b", text):
        text = re.sub(r"\bT\b", c_type(types[0]), text.replace("const T&", passed(types[0])))
        scalar = _FLOAT
    elif types:
        text, called = _of_floats(text, scalar), c_type(scalar)
        for of, this, that in one.changes:
            if called in of or c_type(_with(types[0], _FLOAT)) in of:
                text = re.sub(re.sub(r"\bS\b", called, this), re.sub(r"\bS\b", called, that), text)

    def kind(name: str) -> Type:
        found = value_type(name)
        return types[0] if found is None else _of_scalar(found, scalar)

    code = re.sub(r"//.*", "", text)
    named = {value: None for name in re.findall(r"\w+", code) if (value := value_type(name)) is not None}
    return helper(text, [(name, tuple(map(kind, given))) for name, given in one.needs], [*named])


def _of_scalar(type: Type, scalar: Scalar) -> Type:
    """What a type becomes that is written for float."""
    return _with(type, scalar) if scalar_of(type) == _FLOAT else type


def _with(type: Type, scalar: Scalar) -> Type:
    """A type with other numbers."""
    assert isinstance(type, Scalar | Vector | Matrix | Quaternion | Transform)
    return scalar if isinstance(type, Scalar) else dataclasses.replace(type, scalar=scalar)


def _of_floats(text: str, scalar: Scalar) -> str:
    """C++ that is written for float, of another type of floats."""
    pieces, position = [], 0
    while (token := _TOKEN.search(text, position)) is not None:
        pieces.append(text[position : token.start()])
        position, name = token.end(), token["name"] or ""
        made = value_type(name.removeprefix("make_"))
        if token["number"]:
            pieces.append(decimal(token["number"], scalar))
        elif token["call"] and name == "sincosf" and scalar.name in HALVES:
            (angle, *results), position = _arguments(text, position)
            pieces.append(
                ", ".join(
                    f"{one.removeprefix('&')} = {math_call(function, scalar, _of_floats(angle, scalar))}"
                    for function, one in zip(("sin", "cos"), results, strict=True)
                )
            )
        elif token["call"] and name in _FUNCTIONS:
            arguments, position = _arguments(text, position)
            pieces.append(
                math_call(name.removesuffix("f"), scalar, *(_of_floats(one, scalar) for one in arguments))
            )
        elif token["call"] and made is not None and name.startswith("make_"):
            arguments, position = _arguments(text, position)
            pieces.append(construct(_of_scalar(made, scalar), [_of_floats(one, scalar) for one in arguments]))
        elif made is not None:
            pieces.append(c_type(_of_scalar(made, scalar)) + (token["call"] or "")[-1:])
        elif name.endswith("f") and name[:-1] in _STEMS:
            pieces.append(name[:-1] + c_type(Quaternion(scalar)).removeprefix("Quat"))
        else:
            pieces.append(token[0])
    return "".join([*pieces, text[position:]])


def _arguments(text: str, start: int) -> tuple[Sequence[str], int]:
    """The arguments of a call, which begin at `start`, and where it ends."""
    depth, begin, arguments = 0, start, []
    for position in range(start, len(text)):
        letter = text[position]
        if depth == 0 and letter in ",)":
            arguments.append(text[begin:position].strip())
            begin = position + 1
            if letter == ")":
                return arguments, begin
        depth += (letter in "([{") - (letter in ")]}")
    raise ValueError(f"a call in the text of a helper does not end: {text[start:]}")


FILE_HELPERS: dict[str, Callable[..., Helper]] = {key: functools.partial(_helper, key) for key in _WRITTEN}

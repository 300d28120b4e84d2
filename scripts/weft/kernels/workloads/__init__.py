"""Workloads: kernels of textbooks and libraries as a person would write them, with holes for what differs.

`workloads/<category>/<name>.py.j2` is a Warp file with a kernel, or a program of several, and its LAUNCH.
Lines that begin with `#%` draw what differs, `${…}` prints it: docs/workloads.md.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import io
import re
import tokenize
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeGuard

import jinja2

from weft.kernels.emit import WIDTH
from weft.kernels.program import Undefined
from weft.kernels.rng import Random

FOLDER = Path(__file__).parent
SUFFIX = ".py.j2"

NO_CODE = re.compile(r'"""[\s\S]*?"""|#.*')
"""Docstrings and comments."""
_DOC = re.compile(r'^    """[\s\S]*?"""', re.MULTILINE)
_COPY = re.compile(
    r"^(?P<indent> +)(?P<name>\w+) = (?P<value>.+)\n"
    r"(?P=indent)(?P<target>return |[^=\n]+ = |\w+ [-+*]= )(?P=name)$",
    re.MULTILINE,
)


@dataclasses.dataclass(slots=True, eq=False)
class Definition:
    """A constant, struct, function or kernel: its name and its text, with the comments above it."""

    name: str
    text: str
    is_constant: bool

    def called(self, name: str) -> str:
        """Its text under another name."""
        return _renamed(self.text, self.name, name)


@dataclasses.dataclass(slots=True, eq=False)
class WrittenProgram:
    """What a workload gives: definitions in their order, and the text of the entry in LAUNCH.

    `name` is the entry's: that of the kernel, or of a program whose kernels are `parts`.
    """

    name: str
    other_names: list[str]
    doc: str
    definitions: list[Definition]
    entry: str
    difficulty: str
    made_of: dict[str, Any]
    parts: list[Definition]

    def rename(self, before: str, after: str) -> None:
        """Let a definition, or the whole, have another name where it is called or launched, and in docstrings
        that speak of it: those of one word are left, since `unit` may be no name there.
        """
        word = rf"\b{before}\b"
        for one in self.definitions:
            one.name = after if one.name == before else one.name
            one.text = (
                re.sub(word, after, one.text) if before.isupper() else _renamed(one.text, before, after)
            )
            if "_" in before:
                one.text = _DOC.sub(lambda doc: re.sub(word, after, doc[0]), one.text)
        self.name = after if self.name == before else self.name
        self.entry = re.sub(rf'(^ *|"kernel": )"{before}"', rf'\1"{after}"', self.entry)


@dataclasses.dataclass(frozen=True)
class Workload:
    """A template: `made` gives the programs that it stands for."""

    category: str
    name: str

    @property
    def path(self) -> Path:
        """The template's file."""
        return FOLDER / self.category / f"{self.name}{SUFFIX}"

    def made(self, rng: Random) -> WrittenProgram:
        """A program, as `rng` draws it. Raises Undefined, with file and line, for a mistake."""
        others: dict[str, list[str]] = {}

        def names(*options: str) -> str:
            chosen, *others[chosen] = rng.shuffled(options)
            return chosen

        draws = {one.__name__: one for one in (rng.pick, rng.chance, rng.integer, rng.number, rng.shuffled)}
        try:
            text = _template(self.path).render(**draws, names=names, min=min, max=max)
        except jinja2.TemplateError as error:
            frames = traceback.extract_tb(error.__traceback__)
            line = next((one.lineno for one in reversed(frames) if one.filename == str(self.path)), None)
            raise Undefined(f"{self.path}:{line or getattr(error, 'lineno', 1)}: {error}") from error
        return self._read(re.sub(r"\n{4,}", "\n\n\n", text), others)

    def _read(self, text: str, others: dict[str, list[str]]) -> WrittenProgram:
        try:
            tree = ast.parse(text)
        except SyntaxError as error:
            raise Undefined(f"{self.path}: {error.msg}: {error.text!r}") from error
        *defined, launch = tree.body
        entries = _assigned(launch, "LAUNCH")
        if not isinstance(entries, ast.Dict) or len(entries.keys) != 1:
            raise Undefined(f"{self.path}: the last statement must be LAUNCH, with one entry")
        (key,), (value,) = entries.keys, entries.values
        entry = ast.literal_eval(value)
        assert isinstance(key, ast.Constant)
        name = str(key.value)
        definitions = _needed(list(_definitions(defined, text.splitlines())))
        kernels = {node.name: node for node in defined if _is_kernel(node)}
        if not kernels:
            raise Undefined(f"{self.path}: there is no kernel")
        main = kernels.get(name)
        lines = text.splitlines()[key.lineno - 1 : value.end_lineno]
        lines[-1] = lines[-1][: value.end_col_offset] + ","
        # A variant may have names of its own, and put a word before or behind the one that was chosen.
        chosen = max((one for one in others if one in name), key=len, default="")
        other_names = [name.replace(chosen, one) for one in others.get(chosen, ())]
        known = Counter([one.name for one in definitions] + other_names)
        if twice := [one for one, count in known.items() if count > 1]:
            raise Undefined(f"{self.path}: two definitions are, or may be, called {twice[0]!r}")
        return WrittenProgram(
            name,
            other_names,
            (main and ast.get_docstring(main)) or entry.get("description", ""),
            definitions,
            "\n".join(lines),
            entry.get("difficulty", ""),
            {"goal": f"{self.category}.{self.name}", "ending": "written", "formulas": []},
            [one for one in definitions if one.name in kernels and one.name != name],
        )


@functools.cache
def workloads_of(category: str) -> tuple[Workload, ...]:
    """The workloads of a category, by name."""
    files = sorted((FOLDER / category).glob(f"*{SUFFIX}"))
    return tuple(Workload(category, file.name.removesuffix(SUFFIX)) for file in files)


@functools.cache
def _template(path: Path) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(path.parent),
        undefined=jinja2.StrictUndefined,
        variable_start_string="${",
        variable_end_string="}",
        line_statement_prefix="#%",
        line_comment_prefix="##",
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters["of"] = _of_type
    return environment.get_template(path.name)


def _of_type(number: float, scalar: str) -> str:
    """A number as a literal of a Warp scalar: `0.5`, or `wp.float64(0.5)`."""
    return f"{number}" if scalar in ("float32", "int32") else f"wp.{scalar}({number})"


def _assigned(node: ast.stmt, name: str) -> ast.expr | None:
    match node:
        case ast.Assign(targets=[ast.Name(found)], value=value) if found == name:
            return value
    return None


def _is_kernel(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and "wp.kernel" in map(ast.unparse, node.decorator_list)


def _definitions(nodes: list[ast.stmt], lines: list[str]) -> Iterator[Definition]:
    """The statements of a module, each with the comments above it."""
    above = 0
    for node in nodes:
        text = "\n".join(lines[above : node.end_lineno]).strip("\n")
        above = node.end_lineno or 0
        match node:
            case ast.Import():
                continue
            case ast.Assign(targets=[ast.Name(name)]):
                yield Definition(name, text, True)
            case ast.ClassDef(name=name):
                yield Definition(name, text, False)
            case ast.FunctionDef(name=name):
                yield Definition(name, _without_copies(text), False)
            case _:
                raise Undefined(f"a workload cannot have {ast.unparse(node)}")


def _needed(definitions: list[Definition]) -> list[Definition]:
    """Definitions without the constants and functions that only other variants of a template use."""

    def is_used(one: Definition) -> bool:
        others = "\n".join(NO_CODE.sub("", other.text) for other in definitions if other is not one)
        return bool(re.search(rf"\b{one.name}\b", others))

    kept = [
        one for one in definitions if re.search(r"^@wp\.(kernel|func_grad)\b", one.text, re.M) or is_used(one)
    ]
    return kept if len(kept) == len(definitions) else _needed(kept)


def _without_copies(text: str) -> str:
    """The text of a function in which a value goes straight where it belongs, if a variant has nothing else
    to do with it: `out[i] = x + y` in place of `total = x + y` and `out[i] = total`.
    """

    def joined(found: re.Match[str]) -> str:
        line = f"{found['indent']}{found['target']}{found['value']}"
        is_last = len(re.findall(rf"\b{found['name']}\b", code)) == 2
        return line if is_last and len(line) <= WIDTH else found[0]

    code = NO_CODE.sub("", text)
    return _COPY.sub(joined, text)


def _renamed(text: str, before: str, after: str) -> str:
    """A Python text in which a name is another one, but for strings, comments and members."""
    lines = text.splitlines(keepends=True)
    found, last = [], ""
    for one in tokenize.generate_tokens(io.StringIO(text).readline):
        if one.type == tokenize.NAME and one.string == before and last != ".":
            found.append(one.start)
        last = one.string
    for row, column in reversed(found):
        line = lines[row - 1]
        lines[row - 1] = line[:column] + after + line[column + len(before) :]
    return "".join(lines)

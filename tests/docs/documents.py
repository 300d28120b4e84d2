"""What the documents hold: blocks, commands, inline code, links; and the examples of `--help` texts."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")),
    "results/README.md",
)
FORMATS = tuple(document for document in DOCUMENTS if document.startswith("docs/formats/"))
CMAKE = "examples/cpp/CMakeLists.txt"
SCRIPTS = sorted((ROOT / "scripts").glob("*.py"))
SUBCOMMANDS = sorted((ROOT / "scripts/weft/command").glob("[!_]*.py"))
"""Of `weft`."""

_FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
_COMMAND = re.compile(r"(?:snakemake|python3? -P|python|cmake|make) \S")


@dataclasses.dataclass(frozen=True)
class Block:
    """A fenced block of a document."""

    document: str
    language: str
    text: str
    line: int


@dataclasses.dataclass(frozen=True)
class Command:
    """A command that a document, or the help text of a script, tells people to type."""

    document: str
    text: str

    def __str__(self) -> str:
        return f"{self.document}: {self.text}"


def read(document: str) -> str:
    """The text of a document."""
    return (ROOT / document).read_text(encoding="utf-8")


def blocks(language: str) -> list[Block]:
    """The fenced blocks in a language, of all documents."""
    return [
        Block(document, language, match["text"], read(document).count("\n", 0, match.start()) + 1)
        for document in DOCUMENTS
        for match in _FENCE.finditer(read(document))
        if match["language"] == language
    ]


def inline_code(document: str) -> list[str]:
    """The code within a document's sentences and tables."""
    return _CODE.findall(_FENCE.sub("", read(document)))


def links(document: str) -> list[str]:
    """The targets of a document's links to files and headings."""
    targets = (match["target"] for match in _LINK.finditer(_FENCE.sub("", read(document))))
    return [target for target in targets if "://" not in target]


def anchors(document: str) -> set[str]:
    """What links can point at in a document: its headings, as GitHub names them."""
    headings = re.findall(r"^#+ (.*)$", _FENCE.sub("", read(document)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def commands() -> list[Command]:
    """Every command, each once for each document."""
    found = [
        *(Command(block.document, line) for block in blocks("sh") for line in command_lines(block.text)),
        *(
            Command(document, code)
            for document in DOCUMENTS
            for code in inline_code(document)
            if _COMMAND.match(code)
        ),
        *(Command(CMAKE, line) for line in re.findall(r"^# +(cmake .*)$", read(CMAKE), re.MULTILINE)),
        *(Command(f"scripts/{path.name} --help", line) for path in SCRIPTS for line in examples(path)),
        *(Command(f"weft {path.stem} --help", line) for path in SUBCOMMANDS for line in examples(path)),
    ]
    return list(dict.fromkeys(found))


def command_lines(text: str) -> list[str]:
    """The commands of a shell's text: lines that go on are one, comments are none."""
    lines = text.replace("\\\n", " ").split("\n")
    plain = (re.sub(r"(^|\s+)#.*", "", line) for line in lines)
    return [re.sub(r"\s+", " ", line).strip() for line in plain if line.strip()]


def epilog(script: Path) -> str:
    """What a script's `--help` ends with."""
    for node in ast.parse(script.read_text(encoding="utf-8")).body:
        match node:
            case ast.Assign(targets=[ast.Name("EPILOG")], value=ast.Constant(value=str(text))):
                return text
    return ""


def examples(script: Path) -> list[str]:
    """The commands of a script's help text."""
    match = re.match(r"examples?:\n(?P<lines>(?:  .*\n)+)", epilog(script))
    return command_lines(match["lines"]) if match else []


def make_targets() -> set[str]:
    """The targets of the Makefile that are for people."""
    return set(re.findall(r"^([a-z-]+):.*## ", read("Makefile"), re.MULTILINE))


IMAGE = "weft.sif"
"""The image of jobs in containers: a file, though its name looks like a module's."""


def modules(document: str) -> Iterator[str]:
    """The dotted names of Weft's modules, and of what is in them, in a document's code."""
    for code in inline_code(document):
        if re.fullmatch(r"weft(\.\w+)+", code) and code != IMAGE:
            yield code

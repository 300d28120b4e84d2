"""What the documents name exists: links, files, modules, stages; what they show is as it is."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from documents import (
    DOCUMENTS,
    FORMATS,
    ROOT,
    SCRIPTS,
    Block,
    anchors,
    blocks,
    epilog,
    examples,
    inline_code,
    links,
    modules,
    read,
)

from weft.cuda.index import translate_ir
from weft.launch import parse_launch
from weft.launch_sequence import parse_steps
from weft.written import Where

WEFT = ROOT / "scripts" / "weft"
NOT_IN_THE_TREE = {"benchmarks/measured"}
"""What documents name and people make."""


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_to_files_and_headings(document: str) -> None:
    for target in links(document):
        path, _, anchor = target.partition("#")
        file = ((ROOT / document).parent / path).resolve() if path else ROOT / document
        assert file.exists(), target
        assert not anchor or anchor in anchors(str(file.relative_to(ROOT))), target


def named_paths(document: str) -> list[str]:
    """Paths in a document's code that are no patterns, and not what builds make."""
    found = []
    for code in inline_code(document):
        is_file = re.fullmatch(r"[\w-][\w.-]*\.(py|smk|md|yaml|txt|cpp|h)", code)
        if is_file or re.fullmatch(r"[\w.-]+(/[\w.-]+)+/?", code):
            found.append(code.rstrip("/"))
    return found


@pytest.mark.parametrize(
    "document",
    [document for document in DOCUMENTS if document not in (*FORMATS, "results/README.md")],
)
def test_files_that_are_named_exist(document: str) -> None:
    """From the repository's folder, or from that of a room."""
    bases = [ROOT, ROOT / "scripts", ROOT / "tests", WEFT, *(one for one in WEFT.rglob("*") if one.is_dir())]
    made = re.compile(r"(results|logs|build|\.snakemake|\.venv|weft-site)(/|$)|/.*\.venv")
    shown = {block.text.partition("\n")[0] for block in blocks("python") if block.document == document}
    for path in named_paths(document):
        if (
            f"# {path}" not in shown
            and path not in NOT_IN_THE_TREE
            and not made.match(path)
            and not path.startswith(("/", "~"))
        ):
            assert any((base / path).exists() for base in bases), path


@pytest.mark.parametrize("document", DOCUMENTS)
def test_modules_that_are_named_exist(document: str) -> None:
    for name in modules(document):
        parts = name.split(".")[1:]
        file = WEFT.joinpath(*parts)
        if file.is_dir() or file.with_suffix(".py").is_file():
            continue
        package = WEFT.joinpath(*parts[:-1])
        file = package / "__init__.py" if package.is_dir() else package.with_suffix(".py")
        defined = file.read_text(encoding="utf-8")
        assert re.search(rf"^(def |class |from \S+ import )?{parts[-1]}\b", defined, re.MULTILINE), name


def test_every_stage_of_the_table_is_a_rule() -> None:
    stages = re.findall(r"^\| `(\w+)` \| `results", read("docs/stages.md"), re.MULTILINE)
    assert len(stages) > 10
    for stage in stages:
        assert re.search(rf"^rule {stage}:", read(f"rules/{stage}.smk"), re.MULTILINE)
    (graph,) = (block for block in blocks("mermaid") if block.document == "docs/stages.md")
    assert set(re.findall(r"\w+", graph.text)) - {"flowchart", "LR"} == set(stages) - {"speed"}


def test_the_architecture_has_every_room() -> None:
    rooms = {path.parent.name for path in WEFT.glob("*/__init__.py")}
    (picture,) = (block for block in blocks("mermaid") if block.document == "docs/architecture.md")
    assert rooms <= set(re.findall(r"\w+", picture.text))
    assert rooms <= set(re.findall(r"^\| (\w+) \|", read("docs/architecture.md"), re.MULTILINE))


def test_every_page_is_in_the_index_and_in_the_site() -> None:
    """The index of all pages, that of the formats, and what `make docs` lists."""
    listed = {
        *(link.partition("#")[0] for link in links("docs/index.md")),
        *(f"formats/{link.partition('#')[0]}" for link in links("docs/formats/index.md")),
    }
    navigation = re.findall(r"^ +- ([\w/]+\.md)$", read("mkdocs.yml"), re.MULTILINE)
    pages = {document.removeprefix("docs/") for document in DOCUMENTS if document.startswith("docs/")}
    assert pages - {"index.md"} <= listed
    assert pages == set(navigation)


def test_every_result_of_the_table_is_made() -> None:
    """Each row of results/README.md names what some rule writes."""
    rules = "".join(path.read_text(encoding="utf-8") for path in [*(ROOT / "rules").glob("*.smk"), *SCRIPTS])
    for folder in re.findall(r"^\| `([\w.]+)[/`{]", read("results/README.md"), re.MULTILINE):
        assert f"results/{folder}" in rules or folder == "versions", folder


LAUNCHES = [block for block in blocks("python") if block.text.startswith("LAUNCH")]
PARTS = [block for block in blocks("python") if block.text.startswith('"')]


def literal(text: str) -> Any:
    """The value of a literal, what is left out left out."""
    return ast.literal_eval(re.sub(r",? …,?", "", text))


@pytest.mark.parametrize("block", LAUNCHES, ids=lambda block: f"line {block.line}")
def test_a_launch_table_is_one(block: Block) -> None:
    table = literal(block.text.removeprefix("LAUNCH = "))
    for name, entry in table.items():
        if "…" not in block.text:
            launch = parse_launch(entry, name)
            assert launch.parameters.keys() == entry["parameters"].keys()
        if "steps" in entry:
            assert parse_steps(entry["steps"], Where(name), ["n", *entry.get("sizes", ())])


@pytest.mark.parametrize("block", PARTS, ids=lambda block: f"line {block.line}")
def test_parts_of_arrays_are_described_as_shown(block: Block) -> None:
    parameters = literal(f"{{{block.text}}}")
    launch = {"sizes": {"rows": "2 * n"}, "dims": ["n"], "parameters": parameters}
    assert parse_launch(launch, "kernel").parameters.keys() == parameters.keys()


def recipes() -> list[str]:
    """The recipes that the page of launch descriptions shows, with numbers for what stands for them."""
    shown = [code for code in inline_code("docs/formats/launch.md") if re.match(r'\{"\w+": [^}]*\}$', code)]
    kinds = ("uniform", "integers", "permutation", "offsets", "constant", "size", "list")
    numbers = {"lo": "0", "hi": "1", "stride": "4", "range": "3", "v": "2"}
    texts = [re.sub(r"\b(lo|hi|stride|range|v)\b(?!\")", lambda m: numbers[m[1]], one) for one in shown]
    return [text for text in texts if text.startswith(tuple(f'{{"{kind}"' for kind in kinds))]


@pytest.mark.parametrize("recipe", recipes())
def test_a_recipe_is_one(recipe: str) -> None:
    described = {"shape": ["n"], "values": literal(recipe)}
    launch = {"sizes": {"rows": "n"}, "dims": ["n"], "parameters": {"x": described}}
    parsed = parse_launch(launch, "kernel").parameters["x"].values
    assert parsed is not None and parsed.kind in recipe


def test_all_kinds_of_recipes_are_shown() -> None:
    assert len({re.match(r'\{"(\w+)', recipe)[1] for recipe in recipes()}) == 7  # type: ignore[index]


@pytest.mark.parametrize("block", blocks("yaml"), ids=lambda block: f"{block.document}:{block.line}")
def test_yaml_is_read(block: Block) -> None:
    assert isinstance(yaml.safe_load(block.text), dict)


def squeezed(text: str) -> str:
    """A text without layout, and its comments without their lines."""
    return re.sub(r"//|\s+", "", text)


def kernel_blocks() -> tuple[str, str]:
    """The kernel that README shows, in Python and in CUDA."""
    (python,) = (one.text for one in blocks("python") if one.document == "README.md")
    (cuda,) = (one.text for one in blocks("cuda") if one.document == "README.md")
    return python, cuda


def test_readme_is_short() -> None:
    assert len(read("README.md").splitlines()) < 120


def test_the_python_of_readme_is_the_examples() -> None:
    sources = [(ROOT / "examples" / name).read_text(encoding="utf-8") for name in ("gravity.py", "nbody.py")]
    real = {
        node.name: node
        for text in sources
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    }
    for shown in ast.parse(kernel_blocks()[0]).body:
        assert isinstance(shown, ast.FunctionDef)
        assert squeezed(ast.unparse(shown)) == squeezed(ast.unparse(real[shown.name]))


def test_the_cuda_of_readme_is_what_the_example_becomes(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "scripts/ir.py", "examples/nbody.py", "-o", str(tmp_path / "ir.json")]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, timeout=120)
    program = translate_ir(json.loads((tmp_path / "ir.json").read_text(encoding="utf-8"))).text
    for shown in re.split(r"\n\n(?=// )", kernel_blocks()[1]):
        assert squeezed(shown) in squeezed(program)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_help_has_one_form(script: Path) -> None:
    """What the script does, examples, and exit statuses."""
    text = script.read_text(encoding="utf-8")
    description = ast.get_docstring(ast.parse(text)) or ""
    assert re.match(r"[A-Z][^\n]+[.:]$", description.split("\n")[0])
    assert not re.search(r"(?i)example|exit status", description)
    assert re.search(r"description=__doc__, epilog=EPILOG,\s+formatter_class=argparse\.RawDescription", text)
    assert re.fullmatch(r"examples?:\n(  .*\n)+\n(?s:(.+\n\n)?)exit status: (.+\n)+", epilog(script))
    assert all(f"scripts/{script.name} " in command for command in examples(script))


def test_pages_that_code_names_exist() -> None:
    sources = [ROOT / name for name in ("Makefile", "config.yaml", "Snakefile")]
    for folder in ("scripts", "rules", "benchmarks", "profiles", "tests"):
        sources += [
            path
            for path in (ROOT / folder).rglob("*")
            if path.suffix in (".py", ".cpp", ".cu", ".yaml", ".smk")
        ]
    for source in sources:
        for page in re.findall(r"\bdocs/[\w/]+\.md\b", source.read_text(encoding="utf-8", errors="replace")):
            assert (ROOT / page).is_file(), f"{source.relative_to(ROOT)}: {page}"

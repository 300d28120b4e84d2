"""A wrong LAUNCH table costs one sample; the caret points at the wrong key or value."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from wrong_tables import FILES, HALF, PRELUDE, PROGRAM, PROGRAMS, SCALE, TABLES, scale

from weft.errors import UserError
from weft.ir.build import build_ir

HEADER = "import warp as wp\n"
MARK = "§"


def caret_of(text: str) -> tuple[str, int, int, str]:
    """A text without its mark, and the line, the column and the line's text where the mark was."""
    before, _, after = text.partition(MARK)
    line = before.count("\n")
    column = len(before) - before.rfind("\n")
    return before + after, line + 1, column, (before + after).split("\n")[line]


def rejects_of(folder: Path, kernels: str, entries: Mapping[str, str]) -> dict[str, tuple[Any, Any]]:
    """What becomes of each entry of a table: its reject, and where its mark is in the file."""
    text, places = HEADER + kernels + "\nLAUNCH = {\n", {}
    for name, entry in entries.items():
        text, *place = (
            caret_of(f"{text}    {name!r}: {entry},\n")
            if MARK in entry
            else (f"{text}    {name!r}: {entry},\n", None)
        )
        places[name] = place
    path = folder / "kernels.py"
    path.write_text(text + "}\n", encoding="utf-8")
    ir = build_ir(path, category="faults", seed=0, device="cuda")
    rejects = {one["kernel_name"]: one for one in ir["rejects"]}
    return {name: (rejects.get(name), place) for name, place in places.items()}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Any, Any]]:
    """What becomes of each of TABLES, all of one file."""
    names = {what: f"kernel_{number}" for number, what in enumerate(TABLES)}
    kernels = PRELUDE + "".join(
        kernel.replace("NAME", names[what]) for what, (kernel, _, _) in TABLES.items()
    )
    entries = {names[what]: entry for what, (_, entry, _) in TABLES.items()}
    good = SCALE.replace("NAME", "good")
    found = rejects_of(tmp_path_factory.mktemp("tables"), kernels + good, entries | {"good": scale()})
    return {what: found[name] for what, name in names.items()} | {"good": found["good"]}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Any, Any]]:
    """What becomes of each of PROGRAMS, all of one file."""
    names = {what: f"program_{number}" for number, what in enumerate(PROGRAMS)}
    entries = {names[what]: entry for what, (entry, _) in PROGRAMS.items()}
    found = rejects_of(tmp_path_factory.mktemp("programs"), HALF, entries | {"good": PROGRAM})
    return {what: found[name] for what, name in names.items()} | {"good": found["good"]}


def check(found: tuple[Any, Any], message: str) -> None:
    reject, (line, column, source_line) = found
    assert reject is not None
    assert reject["reason"] == "bad_launch"
    assert message in reject["message"]
    assert " object at 0x" not in reject["message"]
    assert (reject["line"], reject["column"], reject["source_line"]) == (line, column, source_line)
    assert Path(reject["file"]).name == "kernels.py"


@pytest.mark.parametrize("what", TABLES)
def test_a_wrong_table_costs_its_kernel(what: str, tables: dict[str, tuple[Any, Any]]) -> None:
    check(tables[what], TABLES[what][2])


@pytest.mark.parametrize("what", PROGRAMS)
def test_a_wrong_program_costs_itself(what: str, programs: dict[str, tuple[Any, Any]]) -> None:
    check(programs[what], PROGRAMS[what][1])


def test_what_is_right_among_them_goes_on(
    tables: dict[str, tuple[Any, Any]], programs: dict[str, tuple[Any, Any]]
) -> None:
    assert tables["good"][0] is None
    assert programs["good"][0] is None


@pytest.mark.parametrize("what", FILES)
def test_a_file_whose_table_cannot_be_read_is_an_error(what: str, tmp_path: Path) -> None:
    launch, message = FILES[what]
    text, line, column, source_line = caret_of(f"{HEADER}{HALF}\nN = 3\n{launch}")
    path = tmp_path / "kernels.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as caught:
        build_ir(path, category="faults", seed=0, device="cuda")
    said = str(caught.value)
    assert said.startswith(f"{path}:{line}:{column}\n    {source_line}\n    {' ' * (column - 1)}^\n")
    assert message in said
    assert " object at 0x" not in said


def test_of_two_descriptions_of_a_kernel_none_is_taken(tmp_path: Path) -> None:
    """Python would take the last."""
    entry = '{"dims": ["n"]}'
    found = rejects_of(tmp_path, HALF, {"half": f"{entry}, {MARK}'half': {entry}"})
    check(found["half"], "LAUNCH describes this kernel twice")

"""A program that its compiler warns of compiles; one that holds it up, or takes all memory, costs its own
sample a bounded time.
"""

from pathlib import Path

import pytest
from hand_written import cpu_device, with_main

from weft.runs.build import CpuToolchain, first_error


def messages(folder: Path, text: str) -> str:
    """What is said of a program that does not compile."""
    errors = CpuToolchain("g++", folder, cpu_device()).compile(text, folder / "program")
    assert errors is not None
    return first_error(errors)


def test_a_file_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weft.runs.build.COMPILER_BYTES", 1 << 29)
    assert "out of memory" in messages(tmp_path, '#include "/dev/zero"\nint main() {}')


def test_types_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weft.runs.build.COMPILE_SECONDS", 1)
    types = (
        "template <unsigned long n, int d> struct T { T<2 * n, d - 1> a; T<2 * n + 1, d - 1> b; };\n"
        "template <unsigned long n> struct T<n, 0> { int value; };\n"
    )
    assert messages(tmp_path, types + "int main() { return sizeof(T<1, 40>); }").endswith(
        "did not end within 1 s"
    )


WARNS = "int narrowed(long n) { int list[] = {n}; return list[0]; }\n"


def test_a_warning_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = with_main(f"{WARNS}int main() {{ return narrowed(0); }}\n")
    assert CpuToolchain("g++", tmp_path, cpu_device()).compile(text, tmp_path / "program") is None
    assert "[-Wnarrowing]" in capsys.readouterr().err


def test_a_warning_is_no_error(tmp_path: Path) -> None:
    assert messages(tmp_path, f"{WARNS}int main() {{ return unknown; }}\n").startswith("shard.cu:2: ")

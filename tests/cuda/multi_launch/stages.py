"""The stages of the build for the tests of this folder."""

import subprocess
import sys
from pathlib import Path

from weft.files import read_json

SCRIPTS = Path(__file__).parents[3] / "scripts"


def script(name: str, *arguments: object) -> None:
    """Run a script, which must end well."""
    subprocess.run([sys.executable, "-P", SCRIPTS / f"{name}.py", *map(str, arguments)], check=True)


def translate_into(folder: Path) -> None:
    """Translate `folder`/ir.json."""
    script("cuda", folder / "ir.json", "-o", folder / "p.cu", "--index", folder / "p.json")


def judged(source: Path, folder: Path, warp_headers: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """The kernel, the verdict and the equality of each sample that stands in `folder`, translated."""
    script("reference", source, folder / "ir.json", "-o", folder / "r.npz", "--sizes", 1, 33, 500,
           "--seeds", 0, 1, "--timeout", 60, *warp_headers)  # fmt: skip
    script("runs", folder / "p.cu", folder / "r.npz", "-o", folder / "runs.json", "--device", "cpu",
           "--compiler", "g++", "--timeout", 60)  # fmt: skip
    samples = read_json(folder / "runs.json")["samples"]
    return [(one["kernel_name"], one["verdict"], one["equality"]) for one in samples]

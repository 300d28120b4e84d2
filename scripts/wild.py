"""Survey the kernels of published packages, installed into a separate environment."""

from __future__ import annotations

import argparse
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import yaml

EPILOG = """\
example:
  python -P scripts/wild.py benchmarks/wild.yaml --environment .wild -- --output wild.json

Options after -- are passed to scripts/survey.py.

exit status: that of scripts/survey.py
"""


def make_environment(folder: Path, packages: list[str]) -> Path:
    """The interpreter of an environment that sees this one's packages and has `packages` besides."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=False)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    own = sysconfig.get_path("purelib")
    line = f"import site; site.addsitedir({own!r})\n"
    (folder / "lib" / version / "site-packages" / "weft_environment.pth").write_text(line, encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--python", str(python)]
    subprocess.run([*pip, "install", *packages], check=True)
    return python


def main() -> int:
    """Run the command line; the survey's exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("packages", type=Path, help="YAML: a list of {install, modules}")
    parser.add_argument("--environment", type=Path, default=Path(".wild"), help="its folder (default: .wild)")
    given = sys.argv[1:]
    own = given.index("--") if "--" in given else len(given)
    options = parser.parse_args(given[:own])
    entries = yaml.safe_load(options.packages.read_text(encoding="utf-8"))
    python = make_environment(options.environment.resolve(), [entry["install"] for entry in entries])
    modules = [module for entry in entries for module in entry["modules"]]
    survey = Path(__file__).with_name("survey.py")
    return subprocess.run([python, "-P", survey, *modules, *given[own + 1 :]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

"""Random kernels through Warp and through Weft: how many came how far, and whether they agree.

A run that was interrupted goes on where it was; what differs can be looked at in the folder.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

from random_kernels import module_text

from weft.files import read_json, sha256, write_atomically
from weft.survey.chain import SHARD, Outcome, Stages, follow, run_chain
from weft.survey.collect import Collected
from weft.survey.kept import ir_key, keep, read_kept
from weft.survey.table import print_reasons, print_summary, summary

SCRIPTS = Path(__file__).resolve().parents[3] / "scripts"

_EXAMPLE = """\
example:
  python tests/cuda/fuzz/fuzz.py --programs 2000 --folder results/fuzz
"""


def ir_of(number: int, folder: Path) -> Any:
    """The content of a module's IR file; the module is written beside it."""
    text = module_text(Random(number), [f"kernel_{number}_{place}" for place in range(SHARD)])
    source, kept = folder / f"module_{number:03d}.py", folder / f"module_{number:03d}.kept"
    key = f"{ir_key()} {sha256(text.encode())}"
    content = read_kept(kept, key)
    if content is None:
        write_atomically(source, text)
        made = source.with_suffix(".json")
        command = [sys.executable, "-P", SCRIPTS / "ir.py", source, "-c", "fuzz", "-o", made]
        subprocess.run(command, check=True, capture_output=True)
        content = read_json(made)
        made.unlink()
        keep(kept, key, content)
    return content


def main() -> int:
    """Run the command line; 1 if a translation is wrong, 130 if interrupted."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=_EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=2000, help="about so many (default: 2000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first module (default: 0)")
    parser.add_argument("--folder", type=Path, default=Path("results/fuzz"), help="(default: results/fuzz)")
    parser.add_argument("--compiler", default="g++", help="for the CPU (default: g++)")
    options = parser.parse_args()
    stages = Stages(SCRIPTS, None, options.compiler, sizes=(1, 70), seconds=20.0)
    collected, outcomes = Collected(), list[Outcome]()
    interrupted = False
    for number in range(options.first, options.first - (-options.programs // SHARD)):
        try:
            content = ir_of(number, options.folder)
        except KeyboardInterrupt:
            interrupted = True
        if interrupted:
            break
        shards = run_chain(content["records"], options.folder, stages, first=number)
        done, interrupted = follow(shards, len(content["records"]))
        outcomes += done
        collected.records += [one.record for one in done]
        collected.rejects += content["rejects"]
    print_summary(summary(collected, {}, outcomes, ["translated", "equal"]))
    print_reasons(outcomes, collected.rejects)
    if interrupted:
        print(f"interrupted after {len(outcomes)} of about {options.programs} programs")
        return 130
    return 1 if any(one.is_wrong for one in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())

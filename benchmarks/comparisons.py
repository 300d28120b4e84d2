"""How much of the kernels the fresh cases reach: outcomes of branches, and of comparisons.

    python -P benchmarks/comparisons.py results

The translations of a build's kernels run on their fresh cases of up to 4,000, compiled without optimisation,
with g++'s coverage of branches (gcov) and of comparisons. Clamps (`min`, `fmaxf` and their like) count as
branches. Only kernels and device functions count, not launchers. The figures go to
benchmarks/measured/comparisons.json, a sentence to docs/formats/candidates.md. It takes two CPU seconds a
sample, most of them in Warp.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weft.errors import UserError
from weft.files import read_text, write_json
from weft.options import COUNT
from weft.reference import store
from weft.runs.build import CpuToolchain
from weft.runs.candidate_stage import find_sample
from weft.runs.device_text import device_functions, kernel_names, without_words
from weft.runs.execute import run_batch
from weft.runs.fresh import REFERENCE_SCRIPT, choose_cases
from weft.runs.input_files import write_inputs
from weft.runs.shard import Shard
from weft.runs.stage import read_shard
from weft.runs.verdict import Execution, commands
from weft.scratch import scratch
from weft.stats.tree import read_plan, read_shards

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/formats/candidates.md"
SENTENCE = re.compile(r"On the fresh cases of .*? \(`benchmarks/comparisons\.py`\)\.", re.S)
SECONDS = 20.0
LARGEST = 4000
"""Base size: larger cases take longer, and hardly reach more."""
FLAGS = ("-O0", "-g1", "-DWEFT_CPU_UNWATCHED", "--coverage", "-fsanitize-coverage=trace-cmp")
CLAMPS = "".join(
    f"#define {name}(a, b) ({{ const auto l = (a); const auto r = (b); l {sign} r ? l : r; }})\n"
    for sign, names in (("<", ("min", "fminf", "fmin")), (">", ("max", "fmaxf", "fmax")))
    for name in names
)
"""Branches in place of functions; what NaN gives does not matter here."""
EACH = (1, 2, 4)
"""What comparisons.cpp says of a comparison that has found less, equal or greater."""
_SEEN = re.compile(r"^seen (0x\w+) (\d)$", re.M)
_FUNCTION = re.compile(r"(\w+)(?:<[^(]*>)?\(")


@dataclasses.dataclass(frozen=True)
class Reached:
    """Of a program's device code: how many outcomes its branches have, and how many were taken; and the
    outcomes that each comparison has found, by its place in the program.
    """

    outcomes: int
    taken: int
    comparisons: Mapping[str, frozenset[int]]

    @property
    def whole(self) -> int:
        """How many comparisons have found less, equal and greater."""
        return sum(found.issuperset(EACH) for found in self.comparisons.values())


def reached(shard: Shard, sample: store.Sample, folder: Path) -> Reached:
    """What the cases of a sample reach of its own program. Raises UserError if that does not run."""
    (part,) = (one for one in shard.samples if one.sample_id == sample.sample_id)
    toolchain = CpuToolchain("g++", folder, more=FLAGS)
    toolchain.prepare()
    recorder = folder / "comparisons.o"
    source = str(Path(__file__).with_suffix(".cpp"))
    subprocess.run(["g++", "-O2", "-c", source, "-o", str(recorder)], check=True)
    includes, mark, rest = shard.program([part]).partition("// sample ")
    program, compiled = folder / "program", folder / "shard.o"
    errors = toolchain.compile_object(f"{includes}{CLAMPS}{mark}{rest}", compiled)
    errors = errors or toolchain.link([compiled, recorder, Path("--coverage")], program)
    if errors is not None:
        raise UserError(errors)
    (folder / "guard").touch()
    inputs = write_inputs(sample, sample.cases, folder / "inputs")
    execution = Execution({"WEFT_THREAD_ORDER": "forward"}, lambda _: LARGEST)
    ended = run_batch(
        program,
        commands(sample, part, execution, inputs, "outputs"),
        folder / "run",
        files=[inputs.path],
        timeout=SECONDS,
        variables=execution.variables,
        limit_memory=False,
    )
    if ended.reason is not None:
        raise UserError(ended.message)
    text = without_words((folder / "shard.cu").read_text(encoding="utf-8"))
    names = kernel_names(text) | device_functions(text)
    taken = [count > 0 for count in _branches(folder, names)]
    printed = (folder / "run/stdout").read_text(encoding="utf-8")
    return Reached(len(taken), sum(taken), _comparisons(printed, program, names))


def _name(function: str) -> str:
    """The name alone of a function as tools write it."""
    found = _FUNCTION.search(function)
    return found[1] if found else function


def _branches(folder: Path, names: frozenset[str]) -> list[int]:
    """How often each outcome of a branch in these functions was taken."""
    said = subprocess.run(
        ["gcov", "-b", "-j", "-t", "shard.gcda"], cwd=folder, capture_output=True, text=True, check=True
    )
    counts = []
    for file in json.loads(said.stdout)["files"]:
        known = {one["name"] for one in file["functions"] if _name(one["demangled_name"]) in names}
        for line in file["lines"]:
            if line.get("function_name") in known:
                counts += [one["count"] for one in line["branches"] if not one["throw"]]
    return counts


def _comparisons(printed: str, program: Path, names: frozenset[str]) -> dict[str, frozenset[int]]:
    """The outcomes of each comparison in these functions, from what the program has printed."""
    found: dict[str, set[int]] = collections.defaultdict(set)
    for place, outcome in _SEEN.findall(printed):
        found[place].add(int(outcome))
    said = subprocess.run(
        ["addr2line", "-f", "-C", "-e", str(program), *found], capture_output=True, text=True, check=True
    )
    functions = said.stdout.splitlines()[::2]
    return {
        place: frozenset(outcomes)
        for (place, outcomes), function in zip(found.items(), functions, strict=True)
        if _name(function) in names
    }


def sentence(result: Mapping[str, Any]) -> str:
    """The figures as a sentence of PAGE."""
    branches, comparisons = result["branches"], result["comparisons"]
    taken = branches["taken"] / branches["outcomes"]
    whole = comparisons["whole"] / comparisons["all"]
    return (
        f"On the fresh cases of {result['samples']} samples, {taken:.1%} of the {branches['outcomes']:,} "
        f"outcomes of branches and clamps\nin their programs' device code are taken, and {whole:.0%} of the "
        f"{comparisons['all']:,} comparisons find less, equal\nand greater (`benchmarks/comparisons.py`)."
    )


def main() -> None:
    """Measure, and write the figures and the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, help="a build")
    parser.add_argument("--every", type=COUNT, default=1, help="of which one sample in so many is run (1)")
    parser.add_argument("--seed", type=COUNT, default=1, help="of the fresh cases (default 1)")
    options = parser.parse_args()
    plan = read_plan(options.results)
    known = [
        one for shard in read_shards(options.results, plan) for one in sorted(shard.verified(plan.devices))
    ]
    samples = {}
    for name in known[:: options.every]:
        with scratch("comparisons") as folder:
            files = find_sample(name, options.results, None, None)
            chosen = choose_cases(files, options.seed, REFERENCE_SCRIPT, SECONDS, folder, "g++")
            reference = store.read(chosen.files.reference)
            (sample,) = (one for one in reference.samples if one.sample_id == name)
            try:
                one = reached(read_shard(files.cuda), sample, folder)
            except UserError as error:
                print(f"{name}: {str(error).splitlines()[0]}", flush=True)
                continue
        samples[name] = {
            "branches": {"outcomes": one.outcomes, "taken": one.taken},
            "comparisons": {"all": len(one.comparisons), "whole": one.whole},
        }
        print(name, samples[name], flush=True)
    result = {
        "schema": 1,
        "seed": options.seed,
        "samples": len(samples),
        **{
            kind: {key: sum(one[kind][key] for one in samples.values()) for key in keys}
            for kind, keys in (("branches", ("outcomes", "taken")), ("comparisons", ("all", "whole")))
        },
        "of": samples,
    }
    write_json(ROOT / "benchmarks/measured/comparisons.json", result)
    PAGE.write_text(SENTENCE.sub(sentence(result), read_text(PAGE)), encoding="utf-8")


if __name__ == "__main__":
    main()

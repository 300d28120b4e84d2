"""The page of a build: what is shown, and the text of the file."""

from __future__ import annotations

import csv
import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from weft.errors import Place
from weft.files import read_json, read_text
from weft.mutation.kinds import OPERATORS
from weft.report.charts import charts, element
from weft.report.facts import DEVICES, mistakes_found
from weft.report.gallery import Sample, blocks, coloured, packed, samples_of, values_of
from weft.report.mutants import mutants
from weft.report.shards import read_shards
from weft.speed.table import DEVICES as TIMED
from weft.stats.coverage import read_coverage
from weft.stats.tree import Plan, read_plan

BLOCK = 40
"""Samples whose texts are compressed together: a block is unpacked when one of its samples is looked at."""
GALLERY = 3000
"""The gallery of a larger build has about this many samples, selected by id: browsers have limits."""
_FILTERS = {
    "category": "category",
    "difficulty": "difficulty",
    "origin": "origin",
    "verdict": "verdict",
    "builtins": "builtin",
    "concepts": "concept",
}
"""What the gallery is narrowed by: keys of its index, and what they are called."""


@dataclasses.dataclass(frozen=True)
class Step:
    """A step of the funnel; `kernels` is None where the build does not take it."""

    name: str
    what: str
    kernels: int | None
    of: int

    @property
    def percent(self) -> float:
        """Of all kernels that were made."""
        return 100 * (self.kernels or 0) / self.of if self.of else 0.0


@dataclasses.dataclass(frozen=True)
class Reason:
    """The rejects of a stage for one reason: how many, one of them, and the line that it blames with a caret,
    or where its kernel is defined if it blames none.
    """

    stage: str
    reason: str
    count: int
    example: Mapping[str, Any]
    place: str


def page(results: Path) -> str:
    """The page of the build in the folder `results`. Raises UserError if a file of it is missing."""
    plan = read_plan(results)
    summary = read_json(results / "stats/summary.json")
    total = summary["total"]
    share = min(1.0, GALLERY / max(1, total["made"]))
    samples: list[Sample] = []
    mutated: list[Mapping[str, Any]] = []
    judged: list[Mapping[str, Any]] = []
    definitions: dict[str, str] = {}
    lines = read_text(results / "stats/rejects.jsonl").split("\n")[:-1]
    rejects = [json.loads(line) for line in lines]
    for shard in read_shards(results, plan):
        samples += samples_of(shard, plan.sources, rejects, share)
        mutated += shard.mutation["samples"] if shard.mutation else []
        judged += [one for run in shard.runs for one in run["samples"]]
        definitions |= {one["sample_id"]: _definition(one) for one in shard.ir["records"]}
    diversity = read_json(results / "diversity/figures.json")
    seconds = dict(_seconds(results, plan))
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("weft.report", ""),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2").render(
        style=Markup(_beside("page.css")),
        scripts=[Markup(_beside(name)) for name in ("theme.js", *(["gallery.js"] if samples else []))],
        summary=summary,
        total=total,
        cases=sum(one["cases"] for one in judged),
        devices=" and ".join(DEVICES[one] for one in plan.devices),
        has_gpu="cuda" in plan.devices,
        shown=len(samples) if share < 1 else None,
        funnel=_funnel(summary, plan),
        lost=total["made"] > total["verified"],
        kinds=OPERATORS,
        reasons=list(_reasons(rejects, definitions)),
        samples=samples,
        first=samples[0].coloured() if samples else None,
        mistakes_found=mistakes_found,
        gallery={sample.entry["id"] for sample in samples},
        index=packed([sample.entry for sample in samples]),
        block=BLOCK,
        blocks=list(blocks(samples, BLOCK)),
        filters=[(key, name, values_of(samples, key)) for key, name in _FILTERS.items()],
        mutants=list(mutants(samples, mutated)),
        survivors=[(entry["sample_id"], one) for entry in mutated for one in entry["survivors"]],
        diversity=diversity,
        charts=charts(samples, summary, read_coverage(results), judged, seconds, _speeds(results)),
        dag=Markup(element(read_text(results / "dag/rules.svg"))),
        plan=read_text(results / "plan.json"),
        coloured=lambda text, language: Markup(coloured(text, language)),
    )


def _beside(name: str) -> str:
    return read_text(Path(__file__).with_name(name))


def _funnel(summary: Mapping[str, Any], plan: Plan) -> list[Step]:
    total = summary["total"]
    archs, devices = ", ".join(plan.archs), " and ".join(DEVICES[one] for one in plan.devices)
    steps = (
        ("Python", "kernels, generated or from source files", total["made"]),
        ("IR", "compiled by Warp, and read as a typed syntax tree", total["stages"]["ir"]["passed"]),
        ("CUDA", "translated into a program that needs no Warp", total["translated"]),
        ("compiled", f"PTX by nvcc for {archs}", total["compiled"]),
        ("run", f"by Warp, and as CUDA on {devices}", total["run"]),
        ("verified", "agrees with Warp on all inputs, and passes every check", total["verified"]),
    )
    return [Step(name, what, kernels, total["made"]) for name, what, kernels in steps]


def _definition(record: Mapping[str, Any]) -> str:
    """Where a kernel is defined, with a caret at its name; of several kernels the first."""
    function = record.get("kernel") or record["kernels"][0]["kernel"]
    lines = function["source"].split("\n")
    number = next(at for at, line in enumerate(lines) if line.startswith("def "))
    place = Place(
        function["file"],
        function["line"] + number,
        function["column"] + 5,
        " " * function["column"] + lines[number],
    )
    return str(place)


def _reasons(rejects: Sequence[Mapping[str, Any]], definitions: Mapping[str, str]) -> Iterator[Reason]:
    kinds: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for one in rejects:
        kinds.setdefault((one["stage"], one["reason"]), []).append(one)
    for (stage, reason), found in kinds.items():
        example = next((one for one in found if one["line"] is not None), found[0])
        place = definitions.get(example["sample_id"], "")
        if example["line"] is not None:
            place = str(Place(*(example[key] for key in ("file", "line", "column", "source_line"))))
        yield Reason(stage, reason, len(found), example, place)


def _speeds(results: Path) -> dict[str, dict[int, float]]:
    """Nanoseconds per element on each device that programs were timed on, by size."""
    path = results / "speed/table.json"
    speeds: dict[str, dict[int, float]] = {}
    for row in read_json(path)["sizes"] if path.is_file() else []:
        for device in TIMED:
            if device in row:
                speeds.setdefault(device, {})[row["size"]] = row[device]["nanoseconds_per_element"]
    return speeds


def _seconds(results: Path, plan: Plan) -> Iterator[tuple[str, float]]:
    """The time that the jobs of each stage took, added up; of stages that this build has timed."""
    for stage in (*plan.counted, "mutation", "gradients"):
        files = [results / f"timings/{stage}/{category}/{seed}.tsv" for category, seed in plan.shards]
        rows = [
            row
            for file in files
            if file.is_file()
            for row in csv.DictReader(read_text(file).splitlines(), delimiter="\t")
        ]
        if rows:
            yield stage, sum(float(row["s"]) for row in rows)

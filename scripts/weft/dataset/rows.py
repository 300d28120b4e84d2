"""The rows of the configs, from what the stages wrote about a shard."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from weft.concepts import in_program
from weft.cuda.shard import include_lines, split
from weft.dataset.answers import Answer
from weft.dataset.conversations import conversations, prompt
from weft.dataset.explanation import explanation
from weft.dataset.negatives import answered, mutants
from weft.dataset.origin import Origin
from weft.dataset.views import declarations, kernel_view, launcher_declaration
from weft.dataset.words import instruction, request
from weft.diversity.canonical import digest
from weft.diversity.opcodes import opcodes
from weft.errors import UserError
from weft.files import read_json, read_shard
from weft.ptx.cut import cut
from weft.stats.tree import Plan

if TYPE_CHECKING:
    from weft.dataset.alike import Digests

_IR = ("cuda_forward", "cuda_backward", "cpp_forward", "cpp_backward")
_FIGURES = ("registers", "spill_stores", "spill_loads", "shared_bytes", "stack_bytes")
_TIMES = ("size", "launches", "median", "least", "most", "per_element", "bytes")
_JUDGE = "python -P scripts/runs.py --candidate answer.cu --sample {} --compiler g++ -o verdict.json"


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a sample stands among all: its digests, the first of its cluster and its component, its split."""

    digests: Digests
    cluster: str
    component: str
    split: str


class ShardFiles:
    """What the stages wrote about one shard, by sample; with `timed`, what `speed` did. Raises UserError for
    what is missing or cut off.
    """

    def __init__(self, results: Path, plan: Plan, category: str, seed: int, *, timed: bool = False) -> None:
        self.plan = plan
        self.category = category
        name = f"{category}/{seed}"
        ir = read_json(results / f"ir/{name}.json")
        self.warp = ir["versions"]["warp"]
        self.records = {record["sample_id"]: record for record in ir["records"]}
        self.programs = {part.sample_id: part.text for part in split(read_shard(results / f"cuda/{name}.cu"))}
        self.index = _by_sample(read_json(results / f"cuda/{name}.json"))
        self.runs = {
            device: _by_sample(read_json(results / f"runs/{device}/{name}.json")) for device in plan.devices
        }
        self.ptx = {arch: read_shard(results / f"ptx/{arch}/{name}.ptx") for arch in plan.archs}
        reports = {arch: read_json(results / f"ptx/{arch}/{name}.json") for arch in plan.archs}
        self.nvcc = next((report["versions"]["nvcc"] for report in reports.values()), None)
        self.entries = {arch: _by_sample(report) for arch, report in reports.items()}
        self.mutation = _of_share(results / f"mutation/{name}.json", plan.mutation)
        self.gradients = _of_share(results / f"gradients/{name}.json", plan.gradients)
        self.speed = [read_json(results / f"speed/{device}/{name}.json") for device in plan.devices if timed]

    def devices(self, sample: str) -> list[str]:
        """The devices that verified a sample."""
        return [
            device
            for device, entries in self.runs.items()
            if sample in entries and entries[sample]["verdict"] == "verified"
        ]

    def mutation_score(self, sample: str) -> float | None:
        """The share of the mistakes in a sample's program that the judge found, if any were made."""
        score: float | None = self.mutation.get(sample, {}).get("score")
        return score

    def texts(self, sample: str) -> tuple[str, str, str]:
        """What a sample says: the task, the Python, the CUDA with its launcher."""
        record = self.records[sample]
        return instruction(record), record["python_source"], self.view(sample)

    def program(self, sample: str) -> str:
        """A sample's whole program."""
        return f"{include_lines(self.index[sample]['includes'])}\n{self.programs[sample]}"

    def view(self, sample: str) -> str:
        """A sample's CUDA without `main`. Raises UserError where the shard's program lacks the sample."""
        entry = self.index.get(sample)
        if entry is None or sample not in self.programs:
            raise UserError(f"{sample}: is in the IR, but not in the program and its index")
        return kernel_view(self.programs[sample], entry["includes"], entry["cuda_kernel_name"])


def rows(
    files: ShardFiles, sample: str, place: Place, origin: Origin, weft: str, answers: Sequence[Answer]
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The rows of a sample in each config."""
    record = files.records[sample]
    default = _default(files, record, place, origin, weft)
    entry = files.index[sample]
    yield "default", [default]
    kernel = entry["cuda_kernel_name"]
    yield "sft", conversations(default, explanation(record, default["cuda_kernel"], kernel))
    yield "ir", [_ir(record, part) for part in record.get("kernels", [record])]
    yield "rl", [_rl(default, entry)]
    if sample in files.mutation:
        yield "negatives", list(mutants(default, entry["includes"], kernel, files.mutation[sample]))
    yield "negatives", list(answered(default, kernel, answers))
    yield "runs", list(_runs(files, record))
    if origin.is_human:
        human = (
            "sample_id",
            "kernel_name",
            "origin",
            "license",
            "description",
            "python_source",
            "cuda_kernel",
        )
        yield "human", [{key: default[key] for key in human}]


def _default(
    files: ShardFiles,
    record: Mapping[str, Any],
    place: Place,
    origin: Origin,
    weft: str,
) -> dict[str, Any]:
    sample = record["sample_id"]
    view = files.view(sample)
    parts = record.get("kernels", [record])
    kernel = parts[0]["kernel"]
    file = PurePosixPath(kernel["file"])
    ptx = {arch: _ptx(files, arch, sample) for arch in files.plan.archs}
    return {
        **{
            key: record[key]
            for key in ("sample_id", "kernel_name", "category", "description", "python_source")
        },
        **{key: record[key] for key in ("signature", "seed", "index")},
        **{key: "\n".join(part[key] for part in parts) for key in _IR},
        "difficulty": record["launch"]["difficulty"],
        "concepts": [*record["concepts"], *in_program(view)],
        "made_of": record["made_of"],
        "request": request(record),
        "origin": origin.columns(file.name if file.is_absolute() else str(file), kernel["line"]),
        "license": origin.license,
        "instruction": instruction(record),
        "launch": _compact(record["launch"]),
        "cuda_kernel": view,
        "cuda_program": files.program(sample),
        "ptx": [{"arch": arch, "text": text} for arch, text in ptx.items()],
        "resources": [one for arch, text in ptx.items() for one in _resources(files, arch, sample, text)],
        "sizes": list(files.plan.sizes),
        "input_seeds": list(files.plan.input_seeds),
        "hashes": {
            **dataclasses.asdict(place.digests),
            "opcodes": digest(" ".join(opcodes(next(iter(ptx.values()))))) if ptx else None,
        },
        "levels": None if origin.is_human else files.plan.difficulty or None,
        "cluster": place.cluster,
        "component": place.component,
        "split": place.split,
        "versions": {"weft": weft, "warp": files.warp, "nvcc": files.nvcc},
        "verification": _verification(files, sample),
        "times": [
            {"machine": one["machine"], "size": one["size"], "seconds": one["median"]}
            for one in _runs(files, record)
            if one["device"] == "cuda"
        ],
    }


def _ptx(files: ShardFiles, arch: str, sample: str) -> str:
    """A sample's PTX for an architecture."""
    if sample not in files.entries[arch]:
        raise UserError(f"{sample}: has no PTX for {arch}")
    return cut(files.ptx[arch], [one["entry"] for one in files.entries[arch][sample]["entries"]])


def _resources(files: ShardFiles, arch: str, sample: str, ptx: str) -> Iterator[dict[str, Any]]:
    """What ptxas says of a sample's entries, by their names in its own PTX."""
    lines = (line for line in ptx.splitlines() if line.startswith(".visible .entry "))
    for line, one in zip(lines, files.entries[arch][sample]["entries"], strict=True):
        name = line.split()[2].partition("(")[0]
        yield {"arch": arch, "entry": name} | {key: one[key] for key in _FIGURES}


def _runs(files: ShardFiles, record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The times of a sample, by device and size."""
    for timed in files.speed:
        machine, sample = timed["machine"] or {}, _by_sample(timed).get(record["sample_id"], {"sizes": []})
        for one in sample["sizes"]:
            yield {
                **{key: record[key] for key in ("sample_id", "category")},
                "device": timed["device"],
                "machine": machine.get("name"),
                "compiler": timed["versions"]["compiler"],
                "flags": timed["flags"],
                **{key: one[key] for key in _TIMES},
                **{key: one.get(key) for key in ("bandwidth", "share_of_peak")},
            }


def _verification(files: ShardFiles, sample: str) -> dict[str, Any]:
    """What was found out about a sample; None for what nobody looked at."""
    mutation = files.mutation.get(sample, {})
    judged = mutation and mutation["reason"] is None
    return {
        "verdict": "verified" if files.devices(sample) else "not_run",
        "devices": [
            {"device": device}
            | {key: entries[sample][key] for key in ("verdict", "equality", "cases", "max_ulp", "checks")}
            for device, entries in files.runs.items()
            if sample in entries
        ],
        "mutants_killed": mutation["killed"] if judged else None,
        "mutants_survived": mutation["survived"] if judged else None,
        "mutation_score": files.mutation_score(sample),
        "gradients": files.gradients.get(sample, {}).get("verdict"),
    }


def _ir(record: Mapping[str, Any], part: Mapping[str, Any]) -> dict[str, Any]:
    shared = {key: record[key] for key in ("sample_id", "category", "python_source")}
    return shared | {key: part[key] for key in ("kernel_name", *_IR)}


def _rl(row: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    kernel = entry["cuda_kernel_name"]
    launcher = launcher_declaration(row["cuda_kernel"], kernel)
    told = ("sample_id", "split", "category", "difficulty", "launch", "sizes", "input_seeds", "python_source")
    return {
        "data_source": "weft",
        "prompt": prompt("python_to_cuda", row, declarations(row["cuda_kernel"], kernel)),
        "ability": "cuda",
        "reward_model": {"style": "rule", "ground_truth": row["cuda_kernel"]},
        "extra_info": {key: row[key] for key in told}
        | {
            "launcher": launcher,
            "equality": entry["equality"],
            "judge": _JUDGE.format(row["sample_id"]),
        },
    }


def _by_sample(content: Mapping[str, Any]) -> dict[str, Any]:
    return {entry["sample_id"]: entry for entry in content["samples"]}


def _of_share(path: Path, share: float) -> dict[str, Any]:
    """The entries of a stage that looks at a share of the samples; none of a file that another share left."""
    if not path.is_file() or (content := read_json(path))["share"] != share:
        return {}
    return _by_sample(content)


def _compact(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)

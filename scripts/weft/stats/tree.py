"""What a results folder says about each sample: where it came through, where it ended, and why."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.concepts import LEVELS
from weft.errors import UserError
from weft.files import check_whole, damaged, read_json, read_text, sample_id
from weft.kernel_file import difficulties_in, in_order, indices, parts_in, rejects_in
from weft.reference import store
from weft.sampling import chosen


@dataclasses.dataclass(frozen=True)
class Plan:
    """What a build was asked for (`plan.json`)."""

    shards: Mapping[tuple[str, int], int]
    """For each category and seed how many kernels were asked for."""
    sources: Mapping[str, str]
    sizes: tuple[int, ...]
    input_seeds: tuple[int, ...]
    devices: tuple[str, ...]
    archs: tuple[str, ...]
    ir_check: float
    """Of which share of the samples Warp's text is compiled."""
    mutation: float
    """Which share of the samples is mutated."""
    gradients: float
    """Of which share of the samples the gradients are checked."""
    difficulty: Mapping[str, float] = dataclasses.field(default_factory=dict)
    """How often each level was drawn for a generated kernel; empty: as each category has them."""

    def takes(self, stage: str, sample: str) -> bool:
        """Whether a stage is to look at a sample that comes to it: all but `ir_check` look at every one."""
        return stage != "ir_check" or chosen(sample, self.ir_check, stage)

    @property
    def counted(self) -> tuple[str, ...]:
        """All stages in the order of the data."""
        return ("kernels", *self.stages)

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages behind kernels in the order of the data, by the folder of their results."""
        ptx = (f"ptx/{arch}" for arch in self.archs)
        runs = (f"runs/{device}" for device in self.devices)
        return ("ir", "ir_check", "reference", "cuda", *ptx, *runs)


@dataclasses.dataclass(frozen=True)
class StageResult:
    """What one stage says of one shard; nothing where its file is missing. `passed` are sample ids."""

    passed: frozenset[str] = frozenset()
    rejects: tuple[Mapping[str, Any], ...] = ()


@dataclasses.dataclass(frozen=True)
class ShardResult:
    """One shard, through all stages. `made` are the ids of its kernels, in order, with their difficulty."""

    category: str
    seed: int
    made: Mapping[str, str | None]
    stages: Mapping[str, StageResult]

    def rejected(self) -> set[str]:
        """Samples that some stage rejected."""
        return {reject["sample_id"] for stage in self.stages.values() for reject in stage.rejects}

    def run(self, devices: Sequence[str]) -> set[str]:
        """Samples that ran on some device, whatever came out."""
        runs = [self.stages[f"runs/{device}"] for device in devices]
        return {
            sample
            for stage in runs
            for sample in [*stage.passed, *(reject["sample_id"] for reject in stage.rejects)]
        }

    def not_run(self, device: str) -> set[str]:
        """Samples that no stage rejected and that `device` did not run: no GPU there, or a failed job."""
        return set(self.made) - self.rejected() - self.stages[f"runs/{device}"].passed

    def verified(self, devices: Sequence[str]) -> set[str]:
        """Samples that some device verified and no stage rejected."""
        passed = {s for device in devices for s in self.stages[f"runs/{device}"].passed}
        return passed - self.rejected()


def read_plan(results: Path) -> Plan:
    """The plan of the last build. Raises UserError if there is none."""
    path = results / "plan.json"
    if not path.is_file():
        raise UserError(f"{path}: there is no such file; {results} is not a folder that a build wrote")
    data = read_json(path)
    return Plan(
        shards={(shard["category"], shard["seed"]): shard["kernels"] for shard in data["shards"]},
        sources=data["sources"],
        sizes=tuple(data["sizes"]),
        input_seeds=tuple(data["input_seeds"]),
        devices=tuple(data["devices"]),
        archs=tuple(data["archs"]),
        ir_check=data["ir_check"],
        mutation=data["mutation"],
        gradients=data["gradients"],
        difficulty={level: data["difficulty"][level] for level in LEVELS if level in data["difficulty"]},
    )


def read_shards(results: Path, plan: Plan) -> Iterator[ShardResult]:
    """Every shard of the plan. A missing file is a stage that nothing came through."""
    for category, seed in plan.shards:
        tree = read_tree(results / f"kernels/{category}/{seed}.py")
        rejects = rejects_in(tree, category, seed)
        names = sample_names(tree, category, seed)
        made = len(names)
        if made == 0 and category not in plan.sources:
            made = plan.shards[category, seed]
        if category in plan.sources:
            made = max(made, numbered(stage_file(results, "ir", category, seed)))
        difficulty = difficulties_in(tree)
        ids = [sample_id(category, seed, index) for index in range(made)]
        ended = {one["sample_id"] for one in rejects}
        passed = frozenset(ids) - ended if tree.body else frozenset()
        kernels = StageResult(passed, tuple(rejects))
        stages = {stage: _stage(results, stage, category, seed) for stage in plan.stages}
        yield ShardResult(
            category=category,
            seed=seed,
            made={sample: difficulty.get(names.get(sample, "")) for sample in ids},
            stages={"kernels": kernels, **stages},
        )


def numbered(ir: Path) -> int:
    """How many kernels a source turned out to have: factories and instances show only once it is imported."""
    if not ir.is_file():
        return 0
    content = read_json(ir)
    return len(content["records"]) + len(content["rejects"])


def is_manifest(path: Path) -> bool:
    """Whether a kernels file stands for a user's source."""
    return path.is_file() and "\nSOURCE = {" in path.read_text(encoding="utf-8")


def kernel_names(path: Path) -> list[str]:
    """The kernels of a kernels file or of a source's manifest, in order; none if the file is missing."""
    return _names(read_tree(path))


def sample_names(tree: ast.Module, category: str, seed: int) -> dict[str, str]:
    """The name of each kernel of a shard by its sample id, of rejected ones too."""
    rejects = rejects_in(tree, category, seed)
    names = _names(tree)
    numbered = dict(zip(indices(len(names), rejects), names, strict=True))
    numbered |= {one["index"]: one["kernel_name"] for one in rejects}
    return {sample_id(category, seed, index): numbered[index] for index in sorted(numbered)}


def read_tree(path: Path) -> ast.Module:
    """The syntax tree of a kernels file; an empty one if it is missing. Raises UserError if it is cut off."""
    if not path.is_file():
        return ast.parse("")
    text = read_text(path)
    check_whole(path, text)
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise damaged(path, f"it is not valid Python, from line {error.lineno}") from error


def _names(tree: ast.Module) -> list[str]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name("SOURCE")], value=value):
                return [str(name) for name in ast.literal_eval(value)["kernels"]]
    kernels = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and any(_is_kernel(item) for item in node.decorator_list)
    ]
    parts = set(parts_in(tree))
    return in_order(tree, [*(name for name in kernels if name not in parts), *_programs(tree)])


def _programs(tree: ast.Module) -> Iterator[str]:
    """The entries of LAUNCH that describe programs of several launches."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name("LAUNCH")], value=ast.Dict() as value):
                entries = ast.literal_eval(value)
                yield from (name for name, entry in entries.items() if "steps" in entry)


def stage_file(results: Path, stage: str, category: str, seed: int) -> Path:
    """The file of a shard in which a stage lists samples and rejects."""
    suffix = ".npz" if stage == "reference" else ".json"
    return results / stage / category / f"{seed}{suffix}"


def stage_files(results: Path, plan: Plan, shards: Collection[tuple[str, int]] | None = None) -> list[Path]:
    """Every file that the stages of the plan write, in the order of the data, there or not.

    Of all shards, or of those that are named by category and seed.
    """
    suffixes = {"reference": (".npz",), "cuda": (".cu", ".json")}
    suffixes |= {f"ptx/{arch}": (".ptx", ".json") for arch in plan.archs}
    return [
        results / stage / category / f"{seed}{suffix}"
        for stage in plan.counted
        for category, seed in (plan.shards if shards is None else shards)
        for suffix in suffixes.get(stage, (".py",) if stage == "kernels" else (".json",))
    ]


def read_manifest(path: Path) -> Any:
    """The JSON content of a stage's file, also of the one inside an npz. Raises UserError."""
    return store.read_manifest(path) if path.suffix == ".npz" else read_json(path)


def _stage(results: Path, stage: str, category: str, seed: int) -> StageResult:
    path = stage_file(results, stage, category, seed)
    if not path.is_file():
        return StageResult()
    data = read_manifest(path)
    samples = data["records" if stage == "ir" else "samples"]
    rejects = tuple(one for one in data["rejects"] if one["stage"] != "kernels")
    ended = {reject["sample_id"] for reject in rejects}
    not_run = {sample["sample_id"] for sample in samples if sample.get("verdict") == "not_run"}
    passed = {sample["sample_id"] for sample in samples} - ended - not_run
    return StageResult(frozenset(passed), rejects)


def _is_kernel(decorator: ast.expr) -> bool:
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(target, ast.Attribute) and target.attr == "kernel"

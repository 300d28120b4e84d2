"""The settings of a build: `config.yaml` and its overlays, checked and resolved.

The JSON Schema says what each setting may be; its descriptions are what error messages say is allowed.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import jsonschema

from weft.category_levels import unmet
from weft.errors import UserError, did_you_mean
from weft.files import sample_id
from weft.sampling import chosen
from weft.source_spec import ALLOWED, source_spec
from weft.workflow import machine

MAX_KERNELS = 10_000
"""Of one category and seed, whatever its weight."""
MAX_ALL_KERNELS = 10_000_000
MAX_CASES = 10_000
"""Of one kernel."""

ALIASES = {"nested": "nested_loop", "multi_cond": "multi_conditional"}


@dataclasses.dataclass(frozen=True, order=True)
class Shard:
    """All kernels of one category and seed: one file in every stage."""

    category: str
    seed: int


@dataclasses.dataclass(frozen=True)
class Settings:
    """A checked configuration, with every automatic value resolved."""

    shards: tuple[Shard, ...]
    sources: Mapping[str, str]
    kernels: Mapping[str, int]
    """How many kernels a seed has of each generated category."""
    difficulty: Mapping[str, float]
    sizes: tuple[int, ...]
    input_seeds: tuple[int, ...]
    devices: tuple[str, ...]
    archs: tuple[str, ...]
    container: str
    """The image of jobs that run in one: a file, or a URL."""
    nvcc: str
    """`pinned`, a name or a path."""
    host_compiler: str
    reference_timeout: float
    run_timeout: float
    ir_check: float
    """Of which share of the samples Warp's text is compiled."""
    mutation: float
    """Which share of the samples is mutated."""
    gradients: float
    """Of which share of the samples the gradients are checked."""
    sanitizer: float
    """At which share of the samples compute-sanitizer looks on a GPU."""
    speed_sizes: Mapping[str, tuple[int, ...]]
    """Of which base sizes times are taken, for each device."""
    dataset: Mapping[str, Any]
    """What is in the dataset, and in which split: as in config.yaml."""

    @property
    def generated_shards(self) -> list[Shard]:
        """The shards whose kernels Weft writes."""
        return [shard for shard in self.shards if shard.category not in self.sources]

    @property
    def mutated_shards(self) -> list[Shard]:
        """The shards that may have samples to mutate: how many kernels a source has shows later."""
        return self._shards_of(self.mutation, "mutation")

    @property
    def gradient_shards(self) -> list[Shard]:
        """The shards that may have samples whose gradients are checked."""
        return self._shards_of(self.gradients, "gradients")

    def _shards_of(self, share: float, stage: str) -> list[Shard]:
        return [
            shard
            for shard in self.shards
            if share > 0
            if shard.category in self.sources
            or any(
                chosen(sample_id(shard.category, shard.seed, index), share, stage)
                for index in range(self.kernels[shard.category])
            )
        ]

    def plan(self) -> dict[str, Any]:
        """What is to be built, as data: `results/plan.json`."""
        return {
            "schema": 5,
            "shards": [
                {"category": s.category, "seed": s.seed, "kernels": self.kernels.get(s.category, 0)}
                for s in self.shards
            ],
            "sources": dict(self.sources),
            "difficulty": dict(self.difficulty),
            "sizes": list(self.sizes),
            "input_seeds": list(self.input_seeds),
            "devices": list(self.devices),
            "archs": list(self.archs),
            "ir_check": self.ir_check,
            "mutation": self.mutation,
            "gradients": self.gradients,
        }

    def summary(self) -> str:
        """One line that says what a build is about to do."""
        generated = self.generated_shards
        own = len(self.shards) - len(generated)
        counts = sorted({self.kernels[shard.category] for shard in generated})
        each = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else "".join(map(str, counts))
        kernels = [f"{len(generated)} shards of {each} kernels"] if generated else []
        shards = " and ".join([*kernels, *([f"{own} of your sources"] if own else [])]) or "no shards"
        archs = ", ".join(self.archs) or "none"
        return f"{shards}; devices: {', '.join(self.devices)}; PTX for: {archs}"


def only_own_sources(config: Mapping[str, Any], command_line: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration with only the sources of the `command_line` (`--config`), if it names sources and no
    categories: whoever names kernels there means only these. Snakemake would add them to those of
    config.yaml.
    """
    sources = command_line.get("sources")
    if "categories" in command_line or not isinstance(sources, Mapping) or not sources:
        return dict(config)
    return {**config, "sources": dict(sources), "categories": list(sources)}


def load(
    config: Mapping[str, Any], schema: Path, categories: Iterable[str], cluster: bool = False
) -> Settings:
    """Check `config` and resolve its automatic values.

    `categories` are the generated ones that exist. `cluster` says that jobs run on other machines.
    Raises UserError that names every wrong key, what was given, and what is allowed.
    """
    categories = sorted(categories)
    rules = json.loads(schema.read_text(encoding="utf-8"))
    config = _typed(config)
    _require_none(_schema_problems(config, rules))
    _require_none(_source_problems(config["sources"], categories))
    known = [*categories, *config["sources"]]
    _require_none(_category_problems(config["categories"], known))
    dataset = config["dataset"]
    packages = {source_spec(path).package for path in config["sources"].values()} - {None}
    holdable = [*known, *sorted(map(str, packages))]
    _require_none(_category_problems(dataset["held_out"], holdable, "dataset: held_out"))
    _require_none(
        f"config: dataset: {key}: got {dataset[key]!r}, which is not a folder here; allowed: a folder or null"
        for key in ("answers", "decontaminate")
        if dataset[key] and not Path(dataset[key]).is_dir()
    )
    weights = _weights(config["categories"], known)
    chosen = list(weights)
    seeds = config["seeds"]
    seeds = list(range(seeds)) if isinstance(seeds, int) else sorted(seeds)
    kernels = {
        name: max(1, round(config["kernels_per_seed"] * weight))
        for name, weight in weights.items()
        if name not in config["sources"]
    }
    _require_none(_amount_problems(config, weights, kernels, len(seeds)))
    if lacking := unmet(sorted(kernels), config["difficulty"]):
        raise UserError(f"config: difficulty: got {config['difficulty']!r}, but {lacking}")
    shards = [
        Shard(category, seed)
        for category in chosen
        for seed in ([0] if category in config["sources"] else seeds)
    ]
    return Settings(
        shards=tuple(shards),
        sources={name: path for name, path in sorted(config["sources"].items()) if name in chosen},
        kernels=kernels,
        difficulty={level: float(weight) for level, weight in config["difficulty"].items()},
        sizes=tuple(config["sizes"]),
        input_seeds=tuple(config["input_seeds"]),
        devices=_devices(config["devices"], cluster),
        archs=tuple(dict.fromkeys(_arch(arch) for arch in config["archs"])),
        container=config["container"],
        nvcc=machine.program_path(config["nvcc"]),
        host_compiler=machine.program_path(config["host_compiler"]),
        reference_timeout=config["reference_timeout"],
        run_timeout=config["run_timeout"],
        ir_check=float(config["ir_check"]),
        mutation=float(config["mutation"]),
        gradients=float(config["gradients"]),
        sanitizer=float(config["sanitizer"]),
        speed_sizes=_speed_sizes(config["speed_sizes"]),
        dataset={**dataset, "held_out": [ALIASES.get(name, name) for name in dataset["held_out"]]},
    )


def generated_categories(root: Path) -> list[str]:
    """The categories that have a file; names with an underscore in front are not categories."""
    files = (root / "scripts/weft/kernels/categories").glob("[!_]*.py")
    return sorted(file.stem for file in files)


def _require_none(problems: Iterable[str]) -> None:
    if message := "\n".join(problems):
        raise UserError(message)


def _typed(config: Mapping[str, Any]) -> dict[str, Any]:
    """`config` with numbers where the command line gave their text (`--config sizes='[1, 31]'`), and where
    YAML takes them for text (`1e-3`); whole numbers are integers. Words of YAML within a mapping that the
    command line gave (`--config dataset='{times: true}'`) are what they mean.
    """

    def typed(value: Any) -> Any:
        if isinstance(value, list):
            return [typed(item) for item in value]
        if isinstance(value, dict):
            return {key: typed(item) for key, item in value.items()}
        if isinstance(value, str) and value in _WORDS:
            return _WORDS[value]
        if isinstance(value, str) and _NUMBER.fullmatch(value):
            return typed(int(value) if _INTEGER.fullmatch(value) else float(value))
        if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
            return int(value)
        return value

    result = {key: typed(value) for key, value in config.items()}
    if "sources" in result and result["sources"] is None:
        result["sources"] = {}
    return result


_WORDS = {"true": True, "false": False, "null": None}
_INTEGER = re.compile(r"[+-]?[0-9]{1,400}")
_NUMBER = re.compile(r"[+-]?([0-9]{1,400}\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def _is_finite(value: Any) -> bool:
    """Whether a setting has neither infinity nor NaN: YAML knows both, and JSON Schema does not."""
    if isinstance(value, list):
        return all(map(_is_finite, value))
    if isinstance(value, dict):
        return all(map(_is_finite, value.values()))
    return not isinstance(value, float) or math.isfinite(value)


def _shown(value: Any) -> str:
    """What was given, in a line that a terminal can show."""
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


_MOST_SHOWN = 200


def _schema_problems(config: Mapping[str, Any], rules: Mapping[str, Any]) -> list[str]:
    keys = rules["properties"]
    known = ", ".join(sorted(keys))
    problems = [
        f"config: unknown key {_shown(key)}{did_you_mean(str(key), keys)} (allowed: {known})"
        for key in config
        if key not in keys
    ]
    for key, rule in keys.items():
        if key not in config:
            problems.append(f"config: {key}: missing; allowed: {rule['description']}")
        elif not (_is_finite(config[key]) and jsonschema.Draft202012Validator(rule).is_valid(config[key])):
            problems.append(f"config: {key}: got {_shown(config[key])}; allowed: {rule['description']}")
    return problems


def _source_problems(sources: Mapping[str, str], categories: Iterable[str]) -> list[str]:
    problems = []
    for name, path in sources.items():
        if name in categories or name in ALIASES:
            problems.append(
                f"config: sources: got the name {name!r}, which is a generated category; allowed: any other"
            )
        try:
            spec = source_spec(path)
        except UserError as error:
            problems.append(f"config: sources: {name}: got {path!r}: {error}")
            continue
        if not spec.source.path.is_file():
            problems.append(
                f"config: sources: {name}: got {path!r}, which is not a file here; "
                f"allowed: {ALLOWED}; paths start at the folder of the build"
            )
    return problems


def _category_problems(given: Any, known: Iterable[str], key: str = "categories") -> list[str]:
    if given == "all":
        return []
    if isinstance(given, Mapping):
        given = [name for name in given if name != "all"]
    return [
        f"config: {key}: got {_shown(name)}{did_you_mean(str(name), known)} (allowed: {', '.join(known)})"
        for name in given
        if ALIASES.get(name, name) not in known
    ]


def _weights(given: Any, known: Iterable[str]) -> dict[str, float]:
    """The chosen categories with their weights; in a mapping `all` is the weight of those that it lacks."""
    if given == "all":
        given = {"all": 1.0}
    if not isinstance(given, Mapping):
        given = dict.fromkeys(given, 1.0)
    named = {ALIASES.get(name, name): float(weight) for name, weight in given.items() if name != "all"}
    if "all" in given:
        named = {name: named.get(name, float(given["all"])) for name in known}
    return {name: weight for name, weight in named.items() if weight > 0}


def _amount_problems(
    config: Mapping[str, Any], weights: Mapping[str, float], kernels: Mapping[str, int], seeds: int
) -> list[str]:
    """What a build would have none of, or more than any machine gets done."""
    if not weights:
        return [f"config: categories: got {config['categories']!r}, which leaves nothing to build"]
    problems = [
        f"config: categories: {name}: kernels_per_seed {config['kernels_per_seed']} times the weight "
        f"{weights[name]:g} is {count:.6g} kernels; allowed: at most {MAX_KERNELS}"
        for name, count in kernels.items()
        if count > MAX_KERNELS
    ]
    if not problems and (total := seeds * sum(kernels.values())) > MAX_ALL_KERNELS:
        problems.append(
            f"config: {sum(kernels.values())} kernels a seed in {len(kernels)} categories, times {seeds} "
            f"seeds, are {total} kernels; allowed: at most {MAX_ALL_KERNELS}"
        )
    sizes, inputs = len(config["sizes"]), len(config["input_seeds"])
    if sizes * inputs > MAX_CASES:
        problems.append(
            f"config: {sizes} sizes times {inputs} input_seeds are {sizes * inputs} cases of each kernel; "
            f"allowed: at most {MAX_CASES}"
        )
    return problems


def _devices(given: Any, cluster: bool) -> tuple[str, ...]:
    if given == "auto":
        return ("cpu", "cuda") if cluster or machine.has_gpu() else ("cpu",)
    return tuple(device for device in ("cpu", "cuda") if device in given)


def _speed_sizes(given: Any) -> dict[str, tuple[int, ...]]:
    sizes = given if isinstance(given, Mapping) else {"cpu": given, "cuda": given}
    return {device: tuple(of_device) for device, of_device in sizes.items()}


def _arch(given: str) -> str:
    if given != "native":
        return given
    arch = machine.native_arch()
    if arch is None:
        raise UserError(
            "config: archs: got 'native', but no GPU answers on this machine; "
            "allowed: a list of architectures such as sm_75"
        )
    return arch

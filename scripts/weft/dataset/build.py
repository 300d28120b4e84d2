"""From a finished build to a folder of Parquet files with a card."""

from __future__ import annotations

import collections
import dataclasses
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import track

from weft.dataset.alike import Form, form, group
from weft.dataset.answers import Answer, read_answers
from weft.dataset.card import citation, write_card
from weft.dataset.check import check_dataset
from weft.dataset.checksums import write_checksums
from weft.dataset.croissant import write_croissant
from weft.dataset.decontamination import Benchmark, overlaps, report
from weft.dataset.folder import replaced
from weft.dataset.origin import held_out, origin_of
from weft.dataset.rows import Place, ShardFiles, rows
from weft.dataset.splits import assign
from weft.dataset.writer import SplitWriter
from weft.errors import UserError
from weft.files import read_json, write_json
from weft.stats.tree import Plan, read_plan, read_shards

_Item = TypeVar("_Item")


@dataclasses.dataclass(frozen=True)
class Options:
    """What belongs to the dataset, and where. `shares` are the ratios of the splits; `held_out` are the
    categories, sources and packages of `test_ood`; a sample is left out
    that one of `devices` did not verify, or whose mutation score is known and lower than `mutation_score`.
    `licenses` are those of sources; `repository` holds LICENSE, NOTICE and CITATION.cff. `times` takes what
    `speed` measured; `answers` are wrong programs for the samples, `prompts` are those of benchmarks: samples
    that hold text of them are left out, or with `keep_contaminated` only listed.
    """

    shares: Mapping[str, float]
    held_out: tuple[str, ...]
    devices: tuple[str, ...]
    mutation_score: float
    licenses: Mapping[str, str]
    repository: Path
    times: bool = False
    answers: Path | None = None
    prompts: Path | None = None
    keep_contaminated: bool = False

    @classmethod
    def of(cls, settings: Mapping[str, Any], repository: Path) -> Options:
        """What the section `dataset` of config.yaml asks for."""
        return cls(
            shares=settings["splits"],
            held_out=tuple(settings["held_out"]),
            devices=tuple(settings["min_verification"]["devices"]),
            mutation_score=settings["min_verification"]["mutation_score"],
            licenses=settings["licenses"],
            repository=repository,
            times=settings["times"],
            answers=_folder(settings["answers"]),
            prompts=_folder(settings["decontaminate"]),
            keep_contaminated=settings["contaminated"] == "list",
        )


@dataclasses.dataclass
class _Chosen:
    """The samples of the dataset in their order, and how many were left out, by reason."""

    forms: dict[str, Form] = dataclasses.field(default_factory=dict)
    categories: dict[str, str] = dataclasses.field(default_factory=dict)
    left_out: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)


def build_dataset(results: Path, output: Path, options: Options) -> None:
    """Write the dataset of a build's verified samples; `output` is replaced once all of it is checked.

    Raises UserError for files that are missing, cut off or do not belong together, and where `check_dataset`
    finds something. Without a verified sample there are no Parquet files, and the card says so.
    """
    plan = read_plan(results)
    if unknown := [device for device in options.devices if device not in plan.devices]:
        raise UserError(f"min_verification: devices: {', '.join(unknown)}: the build ran no programs on it")
    # What is wrong with them is said at once, not after an hour.
    answers = read_answers(options.answers)
    benchmark = Benchmark(options.prompts) if options.prompts else None
    chosen = _choose(results, plan, options)
    places = _place(chosen, plan, options)
    contamination = _decontaminate(results, plan, places, chosen, benchmark, options) if benchmark else None
    with replaced(output) as folder:
        _write_rows(results, plan, places, answers, folder / "data", options)
        if contamination is not None:
            write_json(folder / "decontamination.json", contamination)
        summary = read_json(results / "stats/summary.json")
        write_card(folder, summary, chosen.left_out, plan, options.repository, contamination)
        write_croissant(folder, citation(options.repository))
        write_checksums(folder)
        check_dataset(folder)


def _choose(results: Path, plan: Plan, options: Options) -> _Chosen:
    """The verified samples that are as well verified as `options` ask for, and equal no earlier one."""
    chosen = _Chosen()
    trees: set[str] = set()
    for shard in _shown(read_shards(results, plan), "comparing", len(plan.shards)):
        verified = shard.verified(plan.devices)
        if not verified:
            continue
        files = ShardFiles(results, plan, shard.category, shard.seed)
        for sample in sorted(verified):
            score = files.mutation_score(sample)
            if not set(options.devices) <= set(files.devices(sample)):
                chosen.left_out["not verified on every device that is asked for"] += 1
            elif score is not None and score < options.mutation_score:
                chosen.left_out["mutation score too low"] += 1
            elif (found := _form(files, sample)).digests.tree in trees:
                chosen.left_out["equals an earlier one except for names"] += 1
            else:
                trees.add(found.digests.tree)
                chosen.forms[sample] = found
                chosen.categories[sample] = shard.category
    return chosen


def _form(files: ShardFiles, sample: str) -> Form:
    told, python, cuda = files.texts(sample)
    return form(python, (files.records[sample]["made_of"] or {}).get("formulas", ()), (told, cuda))


def _place(chosen: _Chosen, plan: Plan, options: Options) -> dict[str, Place]:
    """Cluster, component and split of each sample that has one. The forms, which are large, are given up."""
    samples = list(chosen.forms)
    outside = held_out(plan, options.held_out)
    held = [category in outside for category in chosen.categories.values()]
    clusters, components = group(list(chosen.forms.values()), held)
    names = [None if first is None else samples[first] for first in components]
    splits = assign(names, held, options.shares)
    places = {
        sample: Place(chosen.forms[sample].digests, samples[cluster], name, split)
        for sample, cluster, name, split in zip(samples, clusters, names, splits, strict=True)
        if name is not None and split is not None
    }
    chosen.forms.clear()
    if apart := len(samples) - len(places):
        chosen.left_out["like a sample of a held-out category"] = apart
    return places


def _decontaminate(
    results: Path,
    plan: Plan,
    places: dict[str, Place],
    chosen: _Chosen,
    benchmark: Benchmark,
    options: Options,
) -> dict[str, Any]:
    """The report of what the samples share with benchmarks; what is contaminated loses its place."""
    texts = (
        (sample, files.texts(sample))
        for files, of_shard in _by_shard(results, plan, places, "comparing with prompts")
        for sample in of_shard
    )
    found, common = overlaps(benchmark, texts, {sample: place.component for sample, place in places.items()})
    contaminated = {one.sample_id for one in found}
    if not options.keep_contaminated:
        for sample in contaminated:
            del places[sample]
        chosen.left_out["holds text of a benchmark's prompt"] += len(contaminated)
    return report(benchmark, found, common, dropped=not options.keep_contaminated)


def _by_shard(
    results: Path, plan: Plan, places: Mapping[str, Place], what: str, *, timed: bool = False
) -> Iterator[tuple[ShardFiles, list[str]]]:
    """The files of each shard, and its samples that have a place."""
    shards: dict[tuple[str, str], list[str]] = {}
    for sample in places:
        category, seed, _ = sample.rsplit("-", 2)
        shards.setdefault((category, seed), []).append(sample)
    for (category, seed), of_shard in _shown(shards.items(), what, len(shards)):
        yield ShardFiles(results, plan, category, int(seed), timed=timed), of_shard


def _write_rows(
    results: Path,
    plan: Plan,
    places: Mapping[str, Place],
    answers: Mapping[str, Sequence[Answer]],
    data: Path,
    options: Options,
) -> None:
    """Write the rows of all configs, sample by sample."""
    weft = citation(options.repository)["version"]
    writers: dict[tuple[str, str], SplitWriter] = {}
    for files, of_shard in _by_shard(results, plan, places, "writing", timed=options.times):
        origin = origin_of(plan, files.category, options.licenses)
        for sample in of_shard:
            told = answers.get(sample, [])
            for config, found in rows(files, sample, places[sample], origin, weft, told):
                key = config, places[sample].split
                if found and key not in writers:
                    writers[key] = SplitWriter(data, *key)
                if found:
                    writers[key].add(found)
    for writer in writers.values():
        writer.close()


def _folder(named: str | None) -> Path | None:
    return Path(named) if named else None


def _shown(items: Iterable[_Item], what: str, count: int) -> Iterator[_Item]:
    """The items, with a progress bar where somebody is watching."""
    yield from track(items, what, count, console=Console(stderr=True), disable=not sys.stderr.isatty())

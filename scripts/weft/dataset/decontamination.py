"""Which samples hold text of benchmark prompts: shared runs of 13 words, and near-duplicates of a prompt."""

from __future__ import annotations

import collections
import dataclasses
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from weft.diversity.near import THRESHOLD, NearIndex, jaccard, shingles
from weft.errors import UserError

WORDS = 13
"""In a run that counts, as is usual for the training data of language models."""
COMMON = 10
"""A run in more components of samples is a phrase that all such code has, such as the index of a thread."""


@dataclasses.dataclass(frozen=True)
class Overlap:
    """A sample that holds text of a prompt: the first shared run of words, and the Jaccard index of their
    shingles where they are near-duplicates.
    """

    sample_id: str
    prompt: str
    words: str | None
    jaccard: float | None


class Benchmark:
    """The prompts of a folder: the strings of a line of a `.jsonl` file, any other file as a whole."""

    def __init__(self, folder: Path) -> None:
        prompts = dict(_prompts(folder))
        if not prompts:
            raise UserError(f"{folder}: holds no prompts to compare the samples with")
        words = {name: _words(text) for name, text in prompts.items()}
        self.names = list(words)
        self.runs: dict[str, str] = {}
        for name, of_prompt in words.items():
            for run in _runs(of_prompt):
                self.runs.setdefault(run, name)
        self.index = NearIndex(shingles(of_prompt) for of_prompt in words.values())

    def shared(self, texts: Iterable[str]) -> tuple[list[str], dict[str, float]]:
        """The runs of words that texts have of any prompt; and the prompts that one of them is like."""
        runs: dict[str, None] = {}
        near: dict[str, float] = {}
        for text in texts:
            words = _words(text)
            runs |= dict.fromkeys(run for run in _runs(words) if run in self.runs)
            own = shingles(words)
            near |= {self.names[at]: jaccard(own, self.index.texts[at]) for at in self.index.like(own)}
        return list(runs), near


def overlaps(
    benchmark: Benchmark, samples: Iterable[tuple[str, Collection[str]]], components: Mapping[str, str]
) -> tuple[list[Overlap], int]:
    """What samples, given with their texts, have of a benchmark; and how many of its runs of words are too
    common to count.
    """
    shared = {}
    owners: dict[str, set[str]] = collections.defaultdict(set)
    for sample, texts in samples:
        runs, near = benchmark.shared(texts)
        for run in runs:
            owners[run].add(components[sample])
        if runs or near:
            shared[sample] = runs, near
    common = {run for run, of_run in owners.items() if len(of_run) > COMMON}
    found = []
    for sample, (runs, near) in shared.items():
        words: dict[str, str] = {}
        for run in runs:
            if run not in common:
                words.setdefault(benchmark.runs[run], run)
        found += [
            Overlap(sample, prompt, words.get(prompt), near.get(prompt)) for prompt in sorted({*words, *near})
        ]
    return found, len(common)


def report(benchmark: Benchmark, found: Iterable[Overlap], common: int, dropped: bool) -> dict[str, Any]:
    """The content of `decontamination.json`."""
    return {
        "prompts": len(benchmark.names),
        "words": WORDS,
        "jaccard": THRESHOLD,
        "common_runs": common,
        "dropped": dropped,
        "overlaps": [dataclasses.asdict(one) for one in found],
    }


def _prompts(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name, text = str(path.relative_to(folder)), path.read_text(encoding="utf-8", errors="replace")
        if path.suffix != ".jsonl":
            yield name, text
            continue
        for number, line in enumerate(text.splitlines(), 1):
            try:
                yield f"{name}:{number}", "\n".join(_strings(json.loads(line)))
            except json.JSONDecodeError as error:
                raise UserError(f"{path}:{number}: is not JSON ({error.msg})") from error


def _strings(value: Any) -> Iterator[str]:
    """The strings of a JSON value, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _runs(words: list[str]) -> Iterator[str]:
    return (" ".join(words[at : at + WORDS]) for at in range(len(words) - WORDS + 1))

"""From a file of answers to a file of verdicts; what has a verdict there is not judged again."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.errors import UserError
from weft.files import sha256
from weft.runs.build import CpuToolchain, CudaToolchain
from weft.runs.candidate_stage import find_sample, toolkit_for
from weft.runs.interface import read_interfaces
from weft.scoring.answers import Answer, read_answers, sample_of
from weft.scoring.extraction import program_in
from weft.scoring.gpu import Gpu, GpuJudges, gpu_judges
from weft.scoring.judges import Judges, Outcome, Settings, error_outcome, judges
from weft.scoring.verdicts import Again, Appended, error_of, moved, read_verdicts, verdict_of, write_verdicts

JUDGED_BY = ("runs", "reference", "inputs.py", "edges.py", "sampling.py", "scoring/worker.py")
"""The rooms and modules whose code says what a verdict is."""
TIMED_BY = ("speed", "scoring/gpu.py")
"""And on a GPU what a speed is."""
LIBRARY = Path(__file__).parents[1]


@dataclasses.dataclass(frozen=True)
class OnGpu:
    """That answers are judged and timed on a GPU, called `name`: those that have the verdict `verified` in
    the file `cpu`, which was made without.
    """

    gpu: Gpu
    name: str
    cpu: Path


@dataclasses.dataclass(frozen=True)
class Options:
    """How answers are judged: for the samples of which build, by what, and on which cases: those that follow
    from `seed`, or those of the build. If there is an `nvcc`, it must take what is verified.
    """

    results: Path
    jobs: int
    compiler: str = "g++"
    timeout: float = 20.0
    sandboxed: bool = True
    seed: int | None = None
    on_gpu: OnGpu | None = None
    nvcc: str | None = None

    @property
    def words(self) -> list[str]:
        """What to type for `weft judge` to judge in this way."""
        more = [] if self.sandboxed else ["--without-sandbox"]
        more += ["--compiler", self.compiler] if self.compiler != Options.compiler else []
        more += ["--timeout", f"{self.timeout:g}"] if self.timeout != Options.timeout else []
        more += ["--nvcc", self.nvcc] if self.nvcc is not None else []
        return ["--results", str(self.results), *more]

    def judging(self) -> contextlib.AbstractContextManager[Judges | GpuJudges]:
        """What judges."""
        if self.on_gpu is not None:
            settings = Settings(str(self.results), "", self.compiler, self.timeout, self.sandboxed, self.seed)
            return gpu_judges(settings, self.on_gpu.gpu, self.jobs)
        return judges(
            self.results,
            jobs=self.jobs,
            compiler=self.compiler,
            timeout=self.timeout,
            sandboxed=self.sandboxed,
            seed=self.seed,
            nvcc=self.nvcc,
        )


@dataclasses.dataclass(frozen=True)
class _Work:
    """A program for a sample, and the answers that have it."""

    key: str
    sample_id: str
    program: str
    answers: list[Answer]


def score(path: Path, output: Path, options: Options) -> list[dict[str, Any]]:
    """Judge the answers of a file into the file `output`: a verdict each, in their order, when it ends.

    Raises UserError for wrong files, a missing compiler or sandbox.
    """
    answers = list(read_answers(path))
    known = {one["key"]: one for one in read_verdicts(output) if one["key"] is not None}
    again = Again(path, options.words, options.seed)
    work, found = _sorted_out(answers, known, again, options)
    if options.on_gpu is not None:
        work, rest = _for_gpu(work, read_verdicts(options.on_gpu.cpu), again)
        found |= rest
    write_verdicts(output, found.values())
    if work:
        with (
            options.judging() as judging,
            Appended(output) as file,
            _progress(len(answers), len(found)) as advance,
        ):
            for number, outcome in judging.judge([(one.sample_id, one.program) for one in work]):
                one = work[number]
                new = [verdict_of(answer, one.program, one.key, outcome, again) for answer in one.answers]
                file.append(new)
                found |= {verdict["line"]: verdict for verdict in new}
                advance(new)
    verdicts = [found[answer.line] for answer in answers]
    write_verdicts(output, verdicts)
    return verdicts


def _sorted_out(
    answers: Sequence[Answer], known: Mapping[str, Mapping[str, Any]], again: Again, options: Options
) -> tuple[list[_Work], dict[int, dict[str, Any]]]:
    """What is to be judged, and the verdicts that are known, by the lines of their answers."""
    work: dict[str, _Work] = {}
    found: dict[int, dict[str, Any]] = {}
    digests = _Digests(options)
    for answer in answers:
        if answer.task_id is None:
            found[answer.line] = error_of(answer, "bad_line", str(answer.problem))
            continue
        sample_id = sample_of(answer.task_id)
        # Before the line's own problem: that counts for its task, which the build must have.
        try:
            digest = digests.of_sample(sample_id)
        except UserError as error:
            found[answer.line] = error_of(answer, "no_task", str(error))
            continue
        if answer.problem is not None:
            found[answer.line] = error_of(answer, "bad_line", answer.problem)
            continue
        program = program_in(answer.completion)
        key = sha256(json.dumps([digest, sample_id, program]).encode())
        if key in known:
            found[answer.line] = moved(known[key], answer, again)
        else:
            work.setdefault(key, _Work(key, sample_id, program, [])).answers.append(answer)
    return list(work.values()), found


def _for_gpu(
    work: Sequence[_Work], of_cpu: Sequence[Mapping[str, Any]], again: Again
) -> tuple[list[_Work], dict[int, dict[str, Any]]]:
    """What the CPU has verified, and the verdicts on the rest, which are the CPU's."""
    known = {(sample_of(one["task_id"]), one["sha256"]): one for one in of_cpu if one["sha256"] is not None}
    chosen: list[_Work] = []
    found: dict[int, dict[str, Any]] = {}
    for one in work:
        verdict = known.get((one.sample_id, sha256(one.program.encode())))
        if verdict is not None and verdict["verdict"] == "verified":
            chosen.append(one)
            continue
        outcome: Outcome
        if verdict is None:
            outcome = error_outcome("not_judged", "the CPU's verdicts have none on this program")
        else:
            outcome = {"entry": verdict}
        found |= {
            answer.line: verdict_of(answer, one.program, one.key, outcome, again) for answer in one.answers
        }
    return chosen, found


class _Digests:
    """What a verdict depends on beside the program: the judge, its compiler, and the files of a sample."""

    def __init__(self, options: Options) -> None:
        self._results = options.results
        self._has_seed = options.seed is not None
        judge: list[Any] = [CpuToolchain(options.compiler, Path()).version()]
        if (toolkit := toolkit_for(options.nvcc, options.compiler)) is not None:
            judge.append(toolkit.version())
        places = list(JUDGED_BY)
        if options.on_gpu is not None:
            gpu = options.on_gpu.gpu
            places += TIMED_BY
            version = CudaToolchain(gpu.nvcc, Path(), gpu.arch).version()
            headers = sha256((gpu.warp / "builtin.h").read_bytes()) if gpu.warp else None
            judge += [version, gpu.arch, gpu.sizes, options.on_gpu.name, headers]
        judge += [
            (file.relative_to(LIBRARY).as_posix(), sha256(file.read_bytes()))
            for place in places
            for file in _files(LIBRARY / place)
        ]
        self._judge = sha256(json.dumps([judge, options.timeout, options.sandboxed, options.seed]).encode())

    def of_sample(self, sample_id: str) -> str:
        """Raises UserError where the build has no such sample."""
        files = find_sample(sample_id, self._results, None, None)
        digest, samples = self._of_shard(files.cuda, files.reference)
        if self._has_seed:
            # Without them there are no cases, which the judge says.
            digest += "".join(self._of_file(path) for path in (files.kernels, files.ir) if path.is_file())
        if sample_id not in samples:
            raise UserError(f"{files.cuda}: has no sample {sample_id}")
        return self._judge + digest

    @functools.cache  # noqa: B019
    def _of_shard(self, cuda: Path, reference: Path) -> tuple[str, frozenset[str]]:
        try:
            digest = sha256(cuda.read_bytes()) + sha256(reference.read_bytes())
        except OSError as error:
            raise UserError(f"{error.filename}: {(error.strerror or str(error)).lower()}") from error
        return digest, frozenset(read_interfaces(cuda))

    @functools.cache  # noqa: B019
    def _of_file(self, path: Path) -> str:
        return sha256(path.read_bytes())


def _files(place: Path) -> list[Path]:
    """A file, or all of a folder but what Python keeps there."""
    if place.is_file():
        return [place]
    return [file for file in sorted(place.rglob("*")) if file.is_file() and file.suffix != ".pyc"]


@contextlib.contextmanager
def _progress(total: int, done: int) -> Iterator[Callable[[Sequence[Mapping[str, Any]]], None]]:
    """A bar on the terminal, if there is one and rich is here, which takes the verdicts as they come."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    except ImportError:
        yield lambda _: None
        return
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[verified]} verified"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=total, completed=done, verified=0)
        verified = 0

        def advance(verdicts: Sequence[Mapping[str, Any]]) -> None:
            nonlocal verified
            verified += sum(one["verdict"] == "verified" for one in verdicts)
            progress.update(task, advance=len(verdicts), verified=verified)

        yield advance

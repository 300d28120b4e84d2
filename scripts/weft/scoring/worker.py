"""A process that judges programs for its parent, which speaks with it in lines of JSON (weft.scoring.judges).

The first line that it gets has its settings. Each further one has a sample and programs for it, with their
numbers; for each program, in order, it answers a line with that number. The programs are judged in a process
of its own, whose end costs one.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from weft.child import Death, Send, die_with_parent, each_in_order, signal_name
from weft.errors import KilledError, UserError, internal_error
from weft.reference import store
from weft.runs.build import CpuToolchain
from weft.runs.candidate import Bench, judge_candidate, make_bench
from weft.runs.candidate_stage import find_sample, sandbox_for
from weft.runs.execute import WALL_CLOCK_FACTOR
from weft.runs.fresh import REFERENCE_SCRIPT, choose_cases
from weft.runs.shard import Shard
from weft.runs.stage import read_shard
from weft.runs.verdict import entry
from weft.scoring.judges import Outcome, Settings, error_outcome

JUDGE_SECONDS = 60.0
"""Of CPU time that the judge itself may take for a program: much more than any takes that means no harm."""
PATIENCE = 3600.0
"""Seconds for a verdict, without the program's executions: more than compilers and the sample's own program
may take, by their limits.
"""
EXECUTIONS = 8
"""Twice those of a program, which are made again if something kills them; each may last for WALL_CLOCK_FACTOR
limits.
"""
MOST_PATIENCE = 2e6
"""The system counts milliseconds, below 2³¹."""


class NoCasesError(UserError):
    """A sample of the build without cases that follow from a seed."""


def main() -> int:
    """Judge until there is no more to read."""
    die_with_parent()
    # What libraries print is no answer.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    settings = Settings(**json.loads(sys.stdin.readline()))
    own = Path(sys.argv[1])
    for number, line in enumerate(sys.stdin):
        unit = json.loads(line)
        folder = own / str(number)
        for place, outcome in _judged(settings, unit["sample_id"], unit["programs"], folder):
            answer = {"number": unit["numbers"][place], "outcome": outcome}
            answers.write(json.dumps(answer) + "\n")
            answers.flush()
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def patience(timeout: float) -> float:
    """Seconds in which a program must have its verdict: more than all its processes may take."""
    return min(PATIENCE + EXECUTIONS * WALL_CLOCK_FACTOR * timeout, MOST_PATIENCE)


def _judged(
    settings: Settings, sample_id: str, programs: Sequence[str], folder: Path
) -> Iterator[tuple[int, Outcome]]:
    """The place of each program, with its entry of a runs file, or why there is none."""
    rest = list(enumerate(programs))
    try:
        bench = _bench(settings, sample_id, folder)
    except UserError as error:
        failure = error_outcome(reason_of(error), str(error))
        yield from ((place, failure) for place, _ in rest)
        return
    seconds = patience(settings.timeout)
    while rest:
        try:
            for (place, _), outcome in each_in_order(
                _judge_each, rest, bench, folder, settings.timeout, patience=seconds
            ):
                rest = rest[1:]
                yield place, _of_death(bench, outcome, seconds) if isinstance(outcome, Death) else outcome
                shutil.rmtree(folder / str(place), ignore_errors=True)
        except KilledError as error:
            # A process may be killed behind its last message, too.
            if rest:
                (place, _), *rest = rest
                yield place, error_outcome("killed", str(error))


def reason_of(error: UserError) -> str:
    """Why no program for a sample can be judged."""
    match error:
        case KilledError():
            return "killed"
        case NoCasesError():
            return "no_cases"
        case _:
            return "no_task"


def sample_files(settings: Settings, sample_id: str, folder: Path) -> tuple[Shard, store.Reference]:
    """The shard of a sample, and a reference with the cases to judge by, which may be made in `folder`.

    Raises UserError where the build has no such sample, NoCasesError where no cases follow from the seed.
    """
    files = find_sample(sample_id, Path(settings.results), None, None)
    shard = read_shard(files.cuda)
    if all(one.sample_id != sample_id for one in shard.samples):
        raise UserError(f"{files.cuda}: has no sample {sample_id}")
    if settings.seed is not None:
        chosen = choose_cases(
            files, settings.seed, REFERENCE_SCRIPT, settings.timeout, folder, settings.compiler
        )
        if chosen.as_built is not None:
            problem = f"no cases of seed {settings.seed} (--as-built takes those of the build)"
            raise NoCasesError(f"the sample {sample_id} has {problem}: {chosen.as_built}")
        files = chosen.files
    return shard, store.read(files.reference)


def _bench(settings: Settings, sample_id: str, folder: Path) -> Bench:
    host = folder / "host"
    host.mkdir(parents=True, exist_ok=True)
    shard, reference = sample_files(settings, sample_id, folder)
    toolchain, sandbox = CpuToolchain(settings.compiler, host), sandbox_for(settings.sandboxed)
    return make_bench(
        shard, reference, sample_id, toolchain, sandbox, Path(settings.shared), nvcc=settings.nvcc
    )


def _judge_each(
    send: Send, programs: Sequence[tuple[int, str]], bench: Bench, folder: Path, timeout: float
) -> None:
    for number, program in programs:
        signal.setitimer(signal.ITIMER_PROF, JUDGE_SECONDS)
        try:
            send({"entry": judge_candidate(bench, program, folder / str(number), timeout)})
        except KilledError as error:
            send(error_outcome("killed", str(error)))
        except UserError as error:
            send(error_outcome("not_judged", str(error)))
        except Exception as error:
            problem = internal_error(error)
            send(error_outcome(problem.reason, problem.message))


def _of_death(bench: Bench, death: Death, seconds: float) -> Outcome:
    """What is said of a program on which its judge has ended, or said nothing for so many seconds."""
    if death.lost_patience:
        return error_outcome(
            "not_judged", f"no verdict after {seconds:g} s: the machine may be busy with other things"
        )
    if death.signal == signal.SIGPROF:
        message = "the judge came to no end with this text"
        return {"entry": entry(bench.sample, bench.device, "rejected", "timeout", message)}
    how = signal_name(death.signal) if death.signal else f"exit status {death.status}"
    message = f"this text ended its judge: {how}"
    return {"entry": entry(bench.sample, bench.device, "rejected", "crash", message)}


if __name__ == "__main__":
    sys.exit(main())

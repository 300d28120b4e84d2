"""A process that judges programs for its parent, which speaks with it in lines of JSON (weft.scoring.judges).

The first line that it gets has its settings. Each further one has a sample and programs for it; for each
program, in order, it answers a line. The programs are judged in a process of its own, whose end costs one.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from weft.child import Death, Send, die_with_parent, each_in_order, signal_name
from weft.errors import KilledError, UserError, internal_error
from weft.reference import store
from weft.runs.build import CpuToolchain
from weft.runs.candidate import Bench, judge_candidate, make_bench
from weft.runs.candidate_stage import find_sample, sandbox_for
from weft.runs.fresh import REFERENCE_SCRIPT, choose_cases
from weft.runs.stage import read_shard
from weft.runs.verdict import entry
from weft.scoring.judges import Settings

OWN_SECONDS = 60.0
"""Of CPU time that the judge itself may take for a program: much more than any takes that means no harm."""
PATIENCE = 900.0
"""Seconds in which a program must have its verdict: more than its compilers and executions may take."""


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
        for answer in _judged(settings, unit["sample_id"], unit["programs"], folder):
            answers.write(json.dumps(answer) + "\n")
            answers.flush()
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def _judged(
    settings: Settings, sample_id: str, programs: Sequence[str], folder: Path
) -> Iterator[dict[str, Any]]:
    """For each program its entry of a runs file, or why there is none."""
    try:
        bench = _bench(settings, sample_id, folder)
    except UserError as error:
        reason = "killed" if isinstance(error, KilledError) else "no_task"
        yield from [_error(reason, str(error))] * len(programs)
        return
    rest = list(enumerate(programs))
    while rest:
        try:
            for item, outcome in each_in_order(
                _judge_each, rest, bench, folder, settings.timeout, patience=PATIENCE
            ):
                rest = rest[1:]
                is_dead = isinstance(outcome, Death)
                yield {"entry": _of_death(bench, outcome)} if is_dead else outcome
                shutil.rmtree(folder / str(item[0]), ignore_errors=True)
        except KilledError as error:
            rest = rest[1:]
            yield _error("killed", str(error))


def _bench(settings: Settings, sample_id: str, folder: Path) -> Bench:
    files = find_sample(sample_id, Path(settings.results), None, None)
    host = folder / "host"
    host.mkdir(parents=True)
    if settings.seed is not None:
        chosen = choose_cases(files, settings.seed, REFERENCE_SCRIPT, settings.timeout, folder)
        if chosen.as_built is not None:
            raise UserError(f"{sample_id}: no cases follow from seed {settings.seed}: {chosen.as_built}")
        files = chosen.files
    shared = Path(settings.shared)
    return make_bench(
        read_shard(files.cuda),
        store.read(files.reference),
        sample_id,
        CpuToolchain(settings.compiler, host, shared),
        sandbox_for(settings.sandboxed),
        shared,
    )


def _judge_each(
    send: Send, programs: Sequence[tuple[int, str]], bench: Bench, folder: Path, timeout: float
) -> None:
    for number, program in programs:
        signal.setitimer(signal.ITIMER_PROF, OWN_SECONDS)
        try:
            send({"entry": judge_candidate(bench, program, folder / str(number), timeout)})
        except KilledError as error:
            send(_error("killed", str(error)))
        except UserError as error:
            send(_error("not_judged", str(error)))
        except Exception as error:
            problem = internal_error(error)
            send(_error(problem.reason, problem.message))


def _of_death(bench: Bench, death: Death) -> dict[str, Any]:
    """What is said of a program on which its judge has ended."""
    if death.signal == signal.SIGPROF:
        message = "the judge came to no end with this text"
        return entry(bench.sample, bench.device, "rejected", "timeout", message)
    how = signal_name(death.signal) if death.signal else f"exit status {death.status}"
    return entry(bench.sample, bench.device, "rejected", "crash", f"this text ended its judge: {how}")


def _error(reason: str, message: str) -> dict[str, Any]:
    return {"error": {"reason": reason, "message": message}}


if __name__ == "__main__":
    sys.exit(main())

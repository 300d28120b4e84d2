"""Samples that share a process: on a GPU, its start takes longer than their launches."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

from weft.reference.store import Sample
from weft.runs.execute import WORK, run_batch
from weft.runs.input_files import write_inputs
from weft.runs.shard import ShardSample
from weft.runs.verdict import INPUTS, PRINTED, Device, Finished, commands, is_main_judged, main_command


def run_together(
    samples: Sequence[tuple[Sample, ShardSample]],
    program: Path,
    device: Device,
    timeout: float,
    folder: Path,
) -> list[Finished]:
    """What some samples of one program leave, each execution of all of them in one process, and all of their
    own `main` in one more. `timeout` is for each sample, in seconds of CPU time; files stay in `folder`.

    Where a process does not end well, nobody knows which sample was at fault, and what it left is not used.
    """
    inputs = [
        write_inputs(sample, sample.cases, folder / f"{INPUTS}-{part.namespace}") for sample, part in samples
    ]

    def run(name: str, asked: Sequence[Sequence[str]], variables: dict[str, str], files: list[Path]) -> bool:
        ended = run_batch(
            program,
            asked,
            folder / name,
            files=files,
            timeout=timeout * len(samples),
            variables=variables,
            limit_memory=device.limit_memory,
        )
        return ended.reason is None

    outputs: list[dict[int, Path]] = [{} for _ in samples]
    for number, execution in enumerate(device.executions):
        if execution.strides:  # with variables of the sample's own
            continue
        files = [secrets.token_hex(8) for _ in samples]
        asked = [
            one
            for (sample, part), held, file in zip(samples, inputs, files, strict=True)
            for one in commands(sample, part, execution, held, file)
        ]
        if run(str(number), asked, dict(execution.variables), [held.path for held in inputs]):
            for left, file in zip(outputs, files, strict=True):
                left[number] = folder / str(number) / WORK / file
    mains = [part for sample, part in samples if is_main_judged(sample, part, device)]
    asked = [main_command(part, f"{PRINTED}-{part.namespace}") for part in mains]
    ended_well = bool(mains) and run("main", asked, {}, [])
    return [
        Finished(
            held,
            left,
            folder / "main" / WORK / f"{PRINTED}-{part.namespace}" if ended_well and part in mains else None,
        )
        for (_, part), held, left in zip(samples, inputs, outputs, strict=True)
    ]

"""Samples that share a process: on a GPU, its start takes longer than their launches."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
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

    Where a process does not end well, or does so before its last sample, nobody knows which was at fault, and
    what it left is not used.
    """
    inputs = [
        write_inputs(sample, sample.cases, folder / f"{INPUTS}-{part.namespace}") for sample, part in samples
    ]

    def run(
        name: str,
        asked: Sequence[Sequence[str]],
        variables: Mapping[str, str],
        files: Sequence[Path],
        written: Sequence[str],
    ) -> list[Path]:
        """The files that all of them have written; none unless all have."""
        ended = run_batch(
            program,
            asked,
            folder / name,
            files=files,
            timeout=timeout * len(samples),
            variables=variables,
            limit_memory=device.limit_memory,
        )
        paths = [folder / name / WORK / file for file in written]
        return paths if ended.reason is None and all(path.exists() for path in paths) else []

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
        left = run(str(number), asked, execution.variables, [held.path for held in inputs], files)
        for found, path in zip(outputs, left, strict=False):
            found[number] = path
    mains = [part.namespace for sample, part in samples if is_main_judged(sample, part, device)]
    written = [f"{PRINTED}-{namespace}" for namespace in mains]
    asked = [main_command(namespace, file) for namespace, file in zip(mains, written, strict=True)]
    printed = dict(zip(mains, run("main", asked, {}, [], written) if mains else [], strict=False))
    return [
        Finished(held, found, printed.get(part.namespace))
        for (_, part), held, found in zip(samples, inputs, outputs, strict=True)
    ]

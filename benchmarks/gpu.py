"""All programs of a build on a machine with a GPU that has nothing but Python, NumPy, nvcc and the driver.

    python -P benchmarks/gpu.py pack results weft-gpu.tar.gz --arch sm_90     # where the build is
    tar -xzf weft-gpu.tar.gz && python3 -P benchmarks/gpu.py run results      # where the GPU is

`pack` takes along what a GPU needs of a build, with machine code for the architecture that is named: the
toolkit there may be older than the PTX. `run` judges every shard, times what is verified, and writes a log to
benchmarks/measured/ after each shard, so that a run that is killed leaves what it found; `ended` says whether
it came to its end. What is there already is not done again. No shard is judged that would begin in the
second half of `--seconds`, which is for the times, and none is timed after: the log then says what is
missing. Exit status 1 if there is no GPU, 2 for wrong files.

`PYTHONPATH=scripts python3 -P -m weft score … --device cuda` scores answers there (docs/judging.md).
"""

from __future__ import annotations

import argparse
import concurrent.futures
import datetime
import functools
import importlib.metadata
import os
import platform
import re
import subprocess
import sys
import tarfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from weft.errors import UserError  # noqa: E402
from weft.files import read_json, write_json  # noqa: E402
from weft.options import COUNT, SECONDS, SHARE, SIZE, Different  # noqa: E402
from weft.ptx.nvcc import resolve_arch  # noqa: E402
from weft.runs.gpu import count_gpus  # noqa: E402
from weft.scratch import scratch  # noqa: E402
from weft.speed.measure import Plan  # noqa: E402
from weft.speed.stage import GPU_LAUNCHES, Built, build_for_gpu, time_built  # noqa: E402
from weft.speed.table import make_table  # noqa: E402

PACKED_BYTES = 64 * 2**20
MEASURED = ROOT / "benchmarks/measured"
TIMING_SECONDS = 60.0
"""For all sizes of a sample."""


def main() -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    packing = commands.add_parser("pack", help="one file with all that a GPU machine needs")
    packing.add_argument("results", type=Path, help="the folder of a build")
    packing.add_argument("archive", type=Path, help="the .tar.gz to write")
    packing.add_argument(
        "--arch", help="the GPU's architecture, such as sm_90; left out: ptxas there makes code"
    )
    packing.add_argument("--nvcc", default="pinned", help="of a toolkit that knows the PTX (pinned)")
    running = commands.add_parser("run", help="judge and time all shards")
    running.add_argument("results", type=Path, help="the folder that pack filled, or that of a build")
    running.add_argument("--nvcc", default="nvcc", help="nvcc by name or path (nvcc)")
    running.add_argument(
        "--jobs", type=COUNT, default=os.cpu_count(), help="shards judged at a time (all cores)"
    )
    running.add_argument(
        "--sanitizer", type=SHARE, default=0.0, help="share of samples for compute-sanitizer"
    )
    running.add_argument(
        "--sizes", type=SIZE, action=Different, nargs="+", default=[1000, 100000, 1000000, 16777216]
    )
    running.add_argument("--seconds", type=SECONDS, default=3600.0, help="half to judge, half to time (3600)")
    running.add_argument("--measured", type=Path, default=MEASURED, help="where the log goes")
    options = parser.parse_args()
    try:
        if options.command == "pack":
            size = pack(options.results, options.archive, options.arch, options.nvcc)
            print(f"{options.archive}: {size / 2**20:.1f} MiB")
            return 0
        if count_gpus() == 0:
            print("no CUDA device", file=sys.stderr)
            return 1
        print(run(options))
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def pack(results: Path, archive: Path, arch: str | None, nvcc: str) -> int:
    """Write the archive; its size in bytes. Raises UserError if it is too large or something is missing."""
    if arch is not None:
        make_cubins(results, arch, nvcc)
    folders = ("cuda", "reference", "ptx", "cubin", "kernels", "ir", "cases")
    files = [path for name in folders for path in sorted((results / name).rglob("*")) if path.is_file()]
    files += [path for path in (results / "plan.json",) if path.is_file()]
    code = [path for path in sorted((ROOT / "scripts").rglob("*")) if path.is_file()]
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(Path(__file__), "benchmarks/gpu.py")
        for path in code:
            if "__pycache__" not in path.parts:
                tar.add(path, str(path.relative_to(ROOT)))
        for path in files:
            tar.add(path, str(Path("results") / path.relative_to(results)))
    size = archive.stat().st_size
    if size > PACKED_BYTES:
        raise UserError(f"{archive}: {size / 2**20:.1f} MiB, more than {PACKED_BYTES / 2**20:.0f}")
    return size


def make_cubins(results: Path, arch: str, nvcc: str) -> None:
    """Machine code of each shard's PTX, made by the ptxas of the toolkit that made the PTX."""
    from weft.ptx.nvcc import find_toolkit

    toolkit = find_toolkit(nvcc, "g++", arch)
    for cuda in shards(results):
        ptx = ptx_of(results, cuda)
        if ptx is None:
            continue
        cubin = beside(results, "cubin", cuda, ".cubin")
        cubin.parent.mkdir(parents=True, exist_ok=True)
        command = [toolkit.ptxas, f"-arch={arch}", str(ptx), "-o", str(cubin)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise UserError(f"ptxas does not take {ptx}:\n{done.stderr}")


def run(options: argparse.Namespace) -> str:
    """Do what can be done within the time; a line that says what was, and where the log is."""
    begun = time.monotonic()
    nvcc = str(Path(options.nvcc).resolve()) if "/" in options.nvcc else options.nvcc
    found = shards(options.results)
    if not found:
        raise UserError(f"{options.results}/cuda: no shard with a reference")

    facts = machine(nvcc) | {"sanitizer": options.sanitizer}
    gpu = re.sub(r"[^a-z0-9]+", "-", facts["gpu"].lower()).strip("-")
    path = options.measured / f"{gpu}-{facts['date'][:10]}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    one_at_a_time = threading.Lock()

    def write_log(ended: bool = False) -> dict[str, Any]:
        with one_at_a_time:
            written = describe(options.results, found) | facts | {"ended": ended}
            write_json(path, written)
        return written

    def judge(cuda: Path) -> None:
        if time.monotonic() - begun < options.seconds / 2:
            share = ["--sanitizer", str(options.sanitizer)]
            call(options.results, "runs", cuda, ["--device", "cuda", "--compiler", nvcc, *share])
            write_log()

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(judge, found))
    time_all(options, found, nvcc, begun + options.seconds, write_log)
    log = write_log(ended=True)
    verdicts_text = ", ".join(f"{count} {verdict}" for verdict, count in log["verdicts"].items())
    return f"{log['gpu']}: {verdicts_text or 'nothing was run'}; {path}"


def time_all(
    options: argparse.Namespace,
    found: Sequence[Path],
    nvcc: str,
    end: float,
    then: Callable[[], object],
) -> None:
    """Time the shards that are judged and not timed: some are compiled side by side, then they run one after
    the other, with nothing else on the GPU. After each, do `then`.
    """
    waiting = [
        cuda
        for cuda in found
        if beside(options.results, "runs/cuda", cuda, ".json").exists()
        and not beside(options.results, "speed/cuda", cuda, ".json").exists()
    ]
    plan = Plan(options.sizes, *GPU_LAUNCHES, TIMING_SECONDS)
    for start in range(0, len(waiting), options.jobs):
        if time.monotonic() >= end:
            return
        batch = waiting[start : start + options.jobs]
        arch = resolve_arch("native")
        with scratch("build") as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            build = functools.partial(build_to_time, options.results, folder, nvcc, arch)
            for cuda, built in zip(batch, list(pool.map(build, batch)), strict=True):
                if built is not None and time.monotonic() < end:
                    output = beside(options.results, "speed/cuda", cuda, ".json")
                    write_json(output, time_built(built, plan, None))
                    then()


def build_to_time(results: Path, folder: Path, nvcc: str, arch: str, cuda: Path) -> Built | None:
    """Compile what is verified of a shard; why that fails goes to a file beside its times."""
    said = beside(results, "speed/cuda", cuda, ".txt")
    said.parent.mkdir(parents=True, exist_ok=True)
    here = folder / cuda.relative_to(results / "cuda").with_suffix("")
    here.mkdir(parents=True)
    ptx, cubin = ptx_of(results, cuda), beside(results, "cubin", cuda, ".cubin")
    try:
        return build_for_gpu(
            cuda,
            beside(results, "reference", cuda, ".npz"),
            read_json(beside(results, "runs/cuda", cuda, ".json")),
            here,
            compiler=nvcc,
            arch=arch,
            ptx=ptx,
            cubin=cubin if ptx and cubin.exists() else None,
        )
    except UserError as error:
        said.write_text(f"{error}\n")
        return None


def call(results: Path, stage: str, cuda: Path, options: Sequence[str]) -> None:
    """Run one stage on one shard, unless its result is there; what it says goes to a file beside it."""
    output = beside(results, f"{stage}/cuda", cuda, ".json")
    if output.exists():
        return
    output.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-P", str(ROOT / "scripts" / f"{stage}.py"), str(cuda)]
    command += [str(beside(results, "reference", cuda, ".npz")), *options, "--output", str(output)]
    ptx, cubin = ptx_of(results, cuda), beside(results, "cubin", cuda, ".cubin")
    command += ["--ptx", str(ptx)] if ptx else []
    command += ["--cubin", str(cubin)] if ptx and cubin.exists() else []
    environment = os.environ | {"PYTHONPATH": str(ROOT / "scripts")}
    with output.with_suffix(".txt").open("w") as log:
        subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, env=environment, check=False)


def shards(results: Path) -> list[Path]:
    """The programs of all shards that have a reference."""
    return [
        cuda
        for cuda in sorted((results / "cuda").rglob("*.cu"))
        if beside(results, "reference", cuda, ".npz").exists()
    ]


def beside(results: Path, stage: str, cuda: Path, suffix: str) -> Path:
    """The file of the same shard in another stage."""
    return (results / stage / cuda.relative_to(results / "cuda")).with_suffix(suffix)


def ptx_of(results: Path, cuda: Path) -> Path | None:
    """The shard's PTX, for the first architecture by name; None if the build makes none."""
    for folder in sorted((results / "ptx").glob("sm_*")):
        ptx = beside(results, f"ptx/{folder.name}", cuda, ".ptx")
        if ptx.exists():
            return ptx
    return None


def describe(results: Path, found: Iterable[Path]) -> dict[str, Any]:
    """What the verdicts and times of all shards say; of shards without verdicts, the last that they said."""
    samples: list[dict[str, Any]] = []
    missing: dict[str, str] = {}
    flags: set[str] = set()
    targets: Counter[str] = Counter()
    for cuda in found:
        path = beside(results, "runs/cuda", cuda, ".json")
        if not path.exists():
            said = path.with_suffix(".txt")
            lines = said.read_text().strip().splitlines() if said.exists() else []
            missing[str(cuda.relative_to(results / "cuda"))] = lines[-1] if lines else "not begun"
            continue
        shard = read_json(path)
        samples += shard["samples"]
        flags |= set(shard["flags"])
        targets[str(shard["embedded_ptx"])] += 1
    verified = [one for one in samples if one["verdict"] == "verified"]
    return {
        "schema": 1,
        "flags": sorted(flags),
        "embedded_ptx": dict(sorted(targets.items())),
        "samples": len(samples),
        "verdicts": dict(sorted(Counter(one["verdict"] for one in samples).items())),
        "reasons": dict(sorted(Counter(one["reason"] for one in samples if one["reason"]).items())),
        "checks": dict(sorted(Counter(check for one in verified for check in one["checks"]).items())),
        "bits_with_fmad_false": sum(bool(one.get("fmad_false_bits")) for one in verified),
        "not_verified": [
            {key: one[key] for key in ("sample_id", "kernel_name", "verdict", "reason", "message")}
            for one in samples
            if one["verdict"] != "verified"
        ],
        "missing_shards": missing,
        "untimed_shards": [
            str(cuda.relative_to(results / "cuda"))
            for cuda in found
            if not beside(results, "speed/cuda", cuda, ".json").exists()
        ],
        "speed": make_table(results),
    }


def machine(nvcc: str) -> dict[str, Any]:
    """The GPU, its driver, the compiler and the date, as the machine tells them."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"]
    name, driver, capability = (*(part.strip() for part in said(query).split(",")), "", "", "")[:3]
    return {
        "gpu": name or "unknown",
        "driver": driver,
        "compute_capability": capability,
        "nvcc": (said([nvcc, "--version"]).splitlines() or [""])[-1],
        "python": platform.python_version(),
        "numpy": importlib.metadata.version("numpy"),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }


def said(command: Sequence[str]) -> str:
    """What a command prints; nothing if it fails or is not there."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())

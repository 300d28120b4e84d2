"""Compile and run the programs of a shard, and judge their outputs against the reference."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.errors import described, exit_status
from weft.files import write_json
from weft.options import INPUT_SEED, SECONDS, SHARE
from weft.runs.candidate_stage import find_sample
from weft.runs.fresh import judge_on_fresh_cases, said_of_cases
from weft.runs.gpu import NoDeviceError, run_shard_cuda
from weft.runs.stage import run_shard_cpu
from weft.workflow.machine import nvcc_path

EPILOG = """\
examples:
  python -P scripts/runs.py results/cuda/vector/0.cu results/reference/vector/0.npz \\
      --device cpu --compiler g++ --timeout 20 --output verdicts.json
  python -P scripts/runs.py results/cuda/vector/0.cu results/reference/vector/0.npz \\
      --device cuda --compiler nvcc --ptx results/ptx/sm_75/vector/0.ptx --output verdicts.json
  python -P scripts/runs.py --candidate answer.cu --sample vector-0000-0003 --compiler g++ -o verdict.json

exit status: 0 if every program has a verdict, whatever it is, 1 if --device cuda finds no GPU, 2 for wrong
files or options
"""


def main() -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cuda", type=Path, nargs="?", help="the shard's program (.cu)")
    parser.add_argument("reference", type=Path, nargs="?", help="the shard's expected outputs (.npz)")
    parser.add_argument("-o", "--output", type=Path, required=True, help="file for the verdicts (.json)")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument(
        "--compiler", required=True, help="g++ for device cpu, nvcc (or pinned) for device cuda"
    )
    parser.add_argument("--arch", default="native", help="for device cuda: sm_90, …, or native (default)")
    parser.add_argument("--timeout", type=SECONDS, default=20.0, help="seconds for all cases of one sample")
    parser.add_argument(
        "--cpu-device", type=Path, metavar="FOLDER",
        help="for device cpu: output of scripts/cpu_device.py with the same compiler (default: compile it)",
    )  # fmt: skip
    gpu = parser.add_argument_group("on a GPU", "needs numpy, nvcc and the driver")
    gpu.add_argument("--ptx", type=Path, help="the shard's PTX, to embed in the program")
    gpu.add_argument("--cubin", type=Path, help="this GPU's machine code for it (default: ptxas makes it)")
    gpu.add_argument(
        "--sanitizer",
        type=SHARE,
        default=0.0,
        metavar="SHARE",
        help="share of the samples for compute-sanitizer (0)",
    )
    others = parser.add_argument_group(
        "candidates", "other people's programs, judged in a sandbox (bubblewrap) on the CPU"
    )
    others.add_argument(
        "--candidate", type=Path, nargs="+", metavar="FILE", help="programs for the sample (.cu)"
    )
    others.add_argument("--sample", metavar="ID", help="vector-0000-0003, or a folder of results/samples")
    cases = others.add_mutually_exclusive_group()
    cases.add_argument("--seed", type=INPUT_SEED, help="seed for the sizes and inputs (default: random)")
    cases.add_argument("--as-built", action="store_true", help="judge on the cases of the build")
    others.add_argument("--results", type=Path, help="folder of the build that has the sample (results)")
    others.add_argument(
        "--nvcc", help="what is verified must compile with this nvcc, too: pinned, a name or a path"
    )
    others.add_argument(
        "--without-sandbox", action="store_true", help="run the candidates with your own rights"
    )
    options = parser.parse_args()
    if options.candidate and (not options.sample or options.device != "cpu"):
        parser.error("--candidate needs --sample, and is judged on the device cpu")
    if options.nvcc and not options.candidate:
        parser.error("--nvcc is for candidates")
    if options.reference is not None and options.seed is not None:
        parser.error("--seed draws cases, and a reference has its own")
    if options.device != "cuda" and (options.ptx or options.cubin or options.sanitizer):
        parser.error("--ptx, --cubin and --sanitizer are for --device cuda")
    if not options.candidate and (options.sample or options.cuda is None or options.reference is None):
        parser.error("a shard's program and its reference are needed, or --candidate and --sample")
    try:
        if options.candidate:
            result = judge_on_fresh_cases(
                options.candidate,
                find_sample(options.sample, options.results, options.cuda, options.reference),
                seed=options.seed,
                as_built=options.as_built or options.reference is not None,
                compiler=options.compiler,
                timeout=options.timeout,
                sandboxed=not options.without_sandbox,
                nvcc=options.nvcc,
            )
        elif options.device == "cuda":
            result = run_shard_cuda(
                options.cuda,
                options.reference,
                compiler=nvcc_path(options.compiler),
                arch=options.arch,
                timeout=options.timeout,
                ptx=options.ptx,
                cubin=options.cubin,
                sanitizer_share=options.sanitizer,
            )
        else:
            result = run_shard_cpu(
                options.cuda,
                options.reference,
                compiler=options.compiler,
                timeout=options.timeout,
                cpu_device=options.cpu_device,
            )
    except NoDeviceError as error:
        print(error, file=sys.stderr)
        return 1
    write_json(options.output, result)
    if options.candidate:
        print(said_of_cases(result["cases"]))
    counts: dict[str, int] = {}
    for one in result["samples"]:
        counts[one["verdict"]] = counts.get(one["verdict"], 0) + 1
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())) or "no samples")
    for rejected in result["rejects"]:
        print(described(rejected))
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))

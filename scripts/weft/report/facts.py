"""What the page says of a sample around its texts, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

DEVICES = {"cpu": "the CPU", "cuda": "a GPU"}
_CHECKS = {
    "outputs_equal": "outputs match Warp's",
    "inputs_unchanged": "inputs unchanged",
    "guards_intact": "no write outside the arrays",
    "executions_agree": "same results in every order of threads",
    "no_race": "no race",
    "no_unwritten_read": "no read of uninitialized shared memory",
    "kernels_needed": "no outputs once its kernels are disabled",
    "null_programs_fail": "inputs that expose programs returning zeros or copies",
    "main_agrees": "main prints the same results",
}
_EQUALITIES = {
    "bits": "bit for bit",
    "bounded": "within a bound on rounding errors, because additions have no fixed order",
    "permutation": "the same elements, in any order",
}


def facts(entry: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """What stands above the texts of a sample: a name, a value, and a class of the style sheet."""
    for device, run in entry["runs"].items():
        verdict = run["verdict"].replace("_", " ") + (f": {run['reason']}" if run["reason"] else "")
        cases = f", {run['cases']} input sets" if run["cases"] else ""
        yield f"on {_device(device)}", verdict + cases, f"verdict {run['verdict']}"
    for stage, reason in entry["rejects"]:
        if stage != "runs":
            yield f"rejected by {stage}", reason, "verdict"
    yield "compared", _EQUALITIES.get(entry["equality"], entry["equality"]), ""
    if mistakes := mistakes_found(entry):
        yield "mistakes found", mistakes, ""
    if entry["gradients"]:
        yield "Warp's gradients", entry["gradients"].replace("_", " "), ""
    if entry["difficulty"]:
        yield "difficulty", entry["difficulty"], ""
    yield "origin", entry["origin"], ""


def details(entry: Mapping[str, Any], seed: int) -> Iterator[tuple[str, str, str]]:
    """What stands below the texts, in the same form: the checks, and how to write this program alone."""
    for device, run in entry["runs"].items():
        if run["checks"]:
            passed = sorted(run["checks"], key=lambda one: [*_CHECKS, one].index(one))
            words = ", ".join(_CHECKS.get(one, one.replace("_", " ")) for one in passed)
            yield f"checked on {_device(device)}", words, ""
    command = (
        f"python -P scripts/cuda.py results/ir/{entry['category']}/{seed}.json --sample {entry['id']} -o k.cu"
    )
    yield "to write only this program", command, "command"


def mistakes_found(entry: Mapping[str, Any]) -> str:
    """How many planted mistakes were found; empty if none was planted."""
    mutation = entry["mutation"]
    if mutation is None or mutation["score"] is None:
        return ""
    return f"{mutation['killed']} of {mutation['killed'] + mutation['survived']}"


def _device(name: str) -> str:
    return DEVICES.get(name, name)

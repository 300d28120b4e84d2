"""The text of a launch description, as it is pasted into a file of kernels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weft.launch import Launch
from weft.literal import literal, quoted

_DEFAULTS: Mapping[str, Any] = {
    "sizes": {},
    "equality": "bits",
    "block_dim": None,
    "tiled": True,
    "difficulty": None,
    "description": None,
    "steps": [],
    "role": "in",
    "shape": [],
    "strides": [],
    "null": False,
    "memory": "global",
    "values": None,
}
_NOTES = (
    "accumulators",
    "compared",
    "inferred",
    "inferred_dims",
    "inferred_equality",
    "plain",
    "slots",
    "varies",
)
"""What the stages note in a description, and no user writes."""
_FAULTS = (
    "constant_output",
    "crash",
    "insensitive",
    "no_output",
    "out_of_bounds",
    "race",
    "timeout",
    "too_large",
)
"""Reasons of rejects for which sizes and values of a launch may be to blame."""


def launch_source(name: str, description: Mapping[str, Any]) -> str:
    """A LAUNCH literal with one description, without what is a default; each line is indented."""
    parameters = {key: _without_defaults(one) for key, one in description["parameters"].items()}
    written = _without_defaults(description) | {"parameters": parameters}
    lines = ["LAUNCH = {", f"    {quoted(name)}: {{"]
    for key, value in written.items():
        if key != "parameters":
            lines.append(f"        {literal(key)}: {literal(value)},")
    lines.append('        "parameters": {')
    lines += [f"            {literal(key)}: {literal(one)}," for key, one in parameters.items()]
    lines += ["        },", "    },", "}"]
    return "\n".join(f"    {line}" for line in lines)


def advice(name: str, launch: Launch, reason: str) -> str:
    """The end of a reject's message where a default launch may be to blame: that launch as text."""
    if reason not in _FAULTS or not (launch.inferred or launch.inferred_dims):
        return ""
    what = sorted(launch.inferred) + (["dims"] if launch.inferred_dims else [])
    return (
        f"; nobody described {', '.join(what)}, so their sizes and values are defaults: to change them, paste"
        f" this into the file and edit it\n{launch_source(name, launch.to_json())}"
    )


def _without_defaults(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: value
        for key, value in entry.items()
        if key not in _NOTES and not (key in _DEFAULTS and value == _DEFAULTS[key])
    }

"""The columns of each config, as Arrow types."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from weft.concepts import LEVELS

_TEXT, _INT, _FLOAT = pa.string(), pa.int64(), pa.float64()


def _struct(**fields: pa.DataType) -> pa.DataType:
    return pa.struct([pa.field(name, type) for name, type in fields.items()])


_MESSAGES = pa.list_(_struct(role=_TEXT, content=_TEXT))
_ORIGIN = _struct(kind=_TEXT, source=_TEXT, package=_TEXT, version=_TEXT, file=_TEXT, line=_INT)
_RESOURCES = _struct(
    arch=_TEXT,
    entry=_TEXT,
    **dict.fromkeys(("registers", "spill_stores", "spill_loads", "shared_bytes", "stack_bytes"), _INT),
)
_TIME = _struct(machine=_TEXT, size=_INT, seconds=_FLOAT)
_IR = {
    "python_source": _TEXT,
    "cuda_forward": _TEXT,
    "cuda_backward": _TEXT,
    "cpp_forward": _TEXT,
    "cpp_backward": _TEXT,
}
_DEVICE = _struct(
    device=_TEXT, verdict=_TEXT, equality=_TEXT, cases=_INT, max_ulp=_INT, checks=pa.list_(_TEXT)
)

_COLUMNS: dict[str, dict[str, pa.DataType]] = {
    "default": {
        "sample_id": _TEXT,
        "kernel_name": _TEXT,
        "category": _TEXT,
        "difficulty": _TEXT,
        "concepts": pa.list_(_TEXT),
        "made_of": _struct(goal=_TEXT, ending=_TEXT, formulas=pa.list_(_TEXT)),
        "request": _TEXT,
        "origin": _ORIGIN,
        "license": _TEXT,
        "description": _TEXT,
        "instruction": _TEXT,
        "signature": pa.list_(_struct(name=_TEXT, type=_TEXT)),
        "launch": _TEXT,
        "cuda_kernel": _TEXT,
        "cuda_program": _TEXT,
        **_IR,
        "ptx": pa.list_(_struct(arch=_TEXT, text=_TEXT)),
        "resources": pa.list_(_RESOURCES),
        "sizes": pa.list_(_INT),
        "input_seeds": pa.list_(_INT),
        "hashes": _struct(text=_TEXT, tree=_TEXT, core=_TEXT, chain=_TEXT, opcodes=_TEXT),
        "cluster": _TEXT,
        "component": _TEXT,
        "split": _TEXT,
        "seed": _INT,
        "index": _INT,
        "levels": _struct(**dict.fromkeys(LEVELS, _FLOAT)),
        "versions": _struct(weft=_TEXT, warp=_TEXT, nvcc=_TEXT),
        "verification": _struct(
            verdict=_TEXT,
            devices=pa.list_(_DEVICE),
            mutants_killed=_INT,
            mutants_survived=_INT,
            mutation_score=_FLOAT,
            gradients=_TEXT,
        ),
        "times": pa.list_(_TIME),
    },
    "sft": {"sample_id": _TEXT, "task": _TEXT, "category": _TEXT, "difficulty": _TEXT, "messages": _MESSAGES},
    "ir": {"sample_id": _TEXT, "kernel_name": _TEXT, "category": _TEXT, **_IR},
    "rl": {
        "data_source": _TEXT,
        "prompt": _MESSAGES,
        "ability": _TEXT,
        "reward_model": _struct(style=_TEXT, ground_truth=_TEXT),
        "extra_info": _struct(
            sample_id=_TEXT,
            split=_TEXT,
            category=_TEXT,
            difficulty=_TEXT,
            launcher=_TEXT,
            equality=_TEXT,
            launch=_TEXT,
            sizes=pa.list_(_INT),
            input_seeds=pa.list_(_INT),
            python_source=_TEXT,
            judge=_TEXT,
        ),
    },
    "negatives": {
        "sample_id": _TEXT,
        "category": _TEXT,
        "difficulty": _TEXT,
        "made_by": _TEXT,
        "mistake": _TEXT,
        "explanation": _TEXT,
        "function": _TEXT,
        "line": _INT,
        "before": _TEXT,
        "after": _TEXT,
        "verdict": _TEXT,
        "message": _TEXT,
        "input": _struct(size=_INT, seed=_INT),
        "parameter": _TEXT,
        "element": _INT,
        "expected": _TEXT,
        "got": _TEXT,
        "python_source": _TEXT,
        "wrong": _TEXT,
        "right": _TEXT,
    },
    "human": {
        "sample_id": _TEXT,
        "kernel_name": _TEXT,
        "origin": _ORIGIN,
        "license": _TEXT,
        "description": _TEXT,
        "python_source": _TEXT,
        "cuda_kernel": _TEXT,
    },
    "runs": {
        "sample_id": _TEXT,
        "category": _TEXT,
        "device": _TEXT,
        "machine": _TEXT,
        "compiler": _TEXT,
        "flags": pa.list_(_TEXT),
        "size": _INT,
        "launches": _INT,
        **dict.fromkeys(("median", "least", "most", "per_element"), _FLOAT),
        "bytes": _INT,
        **dict.fromkeys(("bandwidth", "share_of_peak"), _FLOAT),
    },
}

CONFIGS = {
    "default": "a sample: Python, CUDA, Warp's text, PTX, and all other data",
    "sft": "a chat of one of five tasks about a sample",
    "ir": "a kernel in Python, with Warp's CUDA and C++ text, forward and adjoint",
    "rl": "a prompt, with data for the judge",
    "negatives": "a wrong program, its mistake, how it shows, and the right program",
    "human": "a kernel written by a person",
    "runs": "the time of a sample on one device at one size",
}
"""What a row of each config is."""

SCHEMAS = {
    config: pa.schema([pa.field(name, type) for name, type in columns.items()])
    for config, columns in _COLUMNS.items()
}


def features(schema: pa.Schema) -> list[dict[str, Any]]:
    """The columns as a card's `dataset_info` lists them."""
    return [{"name": field.name, **_feature(field.type)} for field in schema]


def _feature(type: pa.DataType) -> dict[str, Any]:
    if pa.types.is_struct(type):
        return {"struct": features(pa.schema(list(type)))}
    if pa.types.is_list(type):
        inner = _feature(type.value_type)
        return {"list": inner.get("dtype", inner.get("struct"))}
    return {"dtype": {"double": "float64"}.get(str(type), str(type))}

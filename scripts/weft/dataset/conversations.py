"""A sample as chats: five tasks, each asked in one of several phrasings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weft.sampling import draw

_PHRASINGS = {
    "python_to_cuda": (
        "Translate this NVIDIA Warp kernel to CUDA C++, with a function that launches it.\n\n{python}",
        "Write a CUDA kernel and launcher that compute the same as this Warp code.\n\n{python}",
        "I have this NVIDIA Warp kernel in Python, and need it in CUDA C++, without Warp.\n\n{python}",
        "{python}\n\nPort this to CUDA. The results must be the same.",
    ),
    "instruction_to_python": (
        "Write an NVIDIA Warp kernel in Python for this task.\n\n{instruction}",
        "{instruction}\n\nImplement it with NVIDIA Warp.",
        "How would you write this as a Warp kernel?\n\n{instruction}",
    ),
    "instruction_to_cuda": (
        "Write a CUDA kernel and its launcher for this task.\n\n{instruction}",
        "{instruction}\n\nImplement it in CUDA C++, with a function that launches it.",
        "I need GPU code in CUDA C++ for the following.\n\n{instruction}",
    ),
    "cuda_to_python": (
        "Rewrite this CUDA code as an NVIDIA Warp kernel in Python.\n\n{cuda}",
        "{cuda}\n\nExpress this with NVIDIA Warp.",
        "Which Warp kernel in Python computes the same as this CUDA code?\n\n{cuda}",
    ),
    "cuda_to_explanation": (
        "Explain what this CUDA code does.\n\n{cuda}",
        "{cuda}\n\nWhat does this kernel compute, and how is it launched?",
        "Describe this GPU code to someone who has to call it.\n\n{cuda}",
    ),
}
_ANSWERS = {
    "python_to_cuda": "{cuda}",
    "instruction_to_python": "{python}",
    "instruction_to_cuda": "{cuda}",
    "cuda_to_python": "{python}",
    "cuda_to_explanation": "{explanation}",
}
_JUDGED = (
    "Your answer will be compiled and run, and every element of its outputs will be compared with Warp's, "
    "for sizes and inputs that you do not know, in arrays of fewer than 2^31 elements. It must define\n\n"
    "```cuda\n{declared}\n```\n\n"
    "and do all of its work on `stream`, which does not wait for other streams (`cudaStreamNonBlocking`)."
    "\n\n{instruction}"
)
ASKED = {
    "python_to_cuda": f"Translate this NVIDIA Warp kernel to CUDA C++. {_JUDGED}\n\n{{python}}",
    "instruction_to_cuda": f"Write a CUDA kernel and its launcher for the task below. {_JUDGED}",
    "repair": f"This CUDA program for the task below has a mistake. Correct it.\n\n{{wrong}}\n\n{_JUDGED}",
}
"""Of each kind of task whose answer is judged, what is asked."""


def conversations(row: Mapping[str, Any], explanation: str) -> list[dict[str, Any]]:
    """The rows of `sft` for a row of `default`. Which phrasing is used follows from the sample's id."""
    texts = {**_texts(row), "explanation": explanation}
    rows = []
    for task, phrasings in _PHRASINGS.items():
        asked = phrasings[draw(f"{row['sample_id']} {task}") % len(phrasings)]
        messages = [
            _message("user", asked.format(**texts)),
            _message("assistant", _ANSWERS[task].format(**texts)),
        ]
        rows.append(
            {key: row[key] for key in ("sample_id", "category", "difficulty")}
            | {"task": task, "messages": messages}
        )
    return rows


def prompt(kind: str, row: Mapping[str, Any], declared: str, wrong: str = "") -> list[dict[str, str]]:
    """The messages that ask for a program to be judged, which defines what is `declared`."""
    wrong = f"```cuda\n{wrong.strip()}\n```"
    return [_message("user", ASKED[kind].format(declared=declared, wrong=wrong, **_texts(row)))]


def _texts(row: Mapping[str, Any]) -> dict[str, str]:
    return {
        "python": f"```python\n{row['python_source'].strip()}\n```",
        "cuda": f"```cuda\n{row['cuda_kernel'].strip()}\n```",
        "instruction": row["instruction"],
    }


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}

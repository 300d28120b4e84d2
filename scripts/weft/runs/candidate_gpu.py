"""A candidate as a program for a GPU, which nvcc compiles and the driver calls.

It is for candidates that are verified on the CPU: what they may hold is looked at there.
"""

from __future__ import annotations

import re

from weft.runs.candidate_host import driver_part, entry, own_launcher
from weft.runs.candidate_text import NAME
from weft.runs.device_text import without_words
from weft.runs.shard import Shard, ShardSample

FLAGS = ("--extended-lambda", "--expt-relaxed-constexpr")
"""What candidates may rely on."""

_MAIN = re.compile(r"\bmain(?=\s*\()")


def gpu_program(shard: Shard, part: ShardSample, text: str) -> str:
    """The text of a program: the candidate, the sample's own launcher if it has only kernels, and what the
    driver calls. Messages of a compiler name the candidate's own lines.
    """
    words = without_words(text)
    ours = entry(part) + driver_part(part)
    if not re.search(rf"\b{re.escape(part.interface.launcher)}\s*\(", words):
        ours = own_launcher(part.text, words) + ours
    # Its `main` is not used, and the driver has one.
    candidate = _MAIN.sub("weft_unused_main", text)
    return f'{shard.includes}#line 1 "{NAME}"\n{candidate}\n#line 1 "entry.cu"\n{ours}'

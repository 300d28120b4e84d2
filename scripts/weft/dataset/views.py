"""What of a program is worth training on."""

from __future__ import annotations

import re

from weft.cuda.shard import include_lines
from weft.errors import UserError
from weft.runs.candidate_host import definitions

_COMMENTS = re.compile(r"\A(?:\s*//[^\n]*\n)+")
_TABLE = re.compile(r"^__constant__ [^=;\n]+;$", re.MULTILINE)
_OF_MAIN = {"<cstdio>": "printf(", "<cstdlib>": "std::exit("}
"""Headers that `main` needs, and what needs them elsewhere."""


def kernel_view(program: str, includes: list[str], kernel: str) -> str:
    """A program without `main` and what only that needs: kernel, functions and launcher, with their includes.

    Raises UserError for a text that has no launcher.
    """
    launcher = re.compile(rf"^cudaError_t launch_{re.escape(kernel)}\(.*?^\}}\n", re.MULTILINE | re.DOTALL)
    found = launcher.search(program)
    if found is None:
        raise UserError(f"{kernel}: its program has no launch_{kernel}")
    code = program[: found.end()]
    needed = [one for one in includes if one not in _OF_MAIN or _OF_MAIN[one] in code]
    return f"{include_lines(needed)}\n{code}"


def declarations(view: str, kernel: str) -> str:
    """What a program must define for its callers: the launcher, and before it the types of its parameters and
    the tables in constant memory that callers fill.
    """
    launcher = launcher_declaration(view, kernel)
    found = [f"{launcher};"]
    for one in reversed(list(definitions(view))):
        text = _COMMENTS.sub("", view[one.start : one.end]).strip()
        is_type = re.match(r"(?:template\s*<[^>]*>\s*)?struct\b", text)
        if is_type and any(re.search(rf"\b{re.escape(one.name)}\b", other) for other in found):
            found.append(text)
    return "\n\n".join([*reversed(found[1:]), *_TABLE.findall(view), found[0]])


def launcher_declaration(view: str, kernel: str) -> str:
    """What a caller of the launcher declares, on one line."""
    found = re.search(
        rf"^cudaError_t launch_{re.escape(kernel)}\(.*?\)(?= \{{)", view, re.MULTILINE | re.DOTALL
    )
    if found is None:
        raise UserError(f"{kernel}: its program has no launch_{kernel}")
    return " ".join(found[0].split()).replace("( ", "(")

"""Helper functions of generated programs: inline device functions, emitted only where they are used.

A helper that depends on lengths, shapes or operations is written by Python. The others are files, written for
float. If the user has a function of the same name, the helper is renamed in its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from weft.cuda.helpers.atomics import ATOMIC_HELPERS
from weft.cuda.helpers.blocks import BLOCK_HELPERS
from weft.cuda.helpers.files import FILE_HELPERS
from weft.cuda.helpers.inverses import INVERSE_HELPERS
from weft.cuda.helpers.matrices import MATRIX_HELPERS
from weft.cuda.helpers.noise import NOISE_HELPERS
from weft.cuda.helpers.operators import OPERATOR_HELPERS
from weft.cuda.helpers.printing import PRINTING_HELPERS
from weft.cuda.helpers.read_only import READ_ONLY_HELPERS
from weft.cuda.helpers.scalars import SCALAR_HELPERS
from weft.cuda.helpers.text import Helper, Request
from weft.cuda.helpers.vectors import VECTOR_HELPERS

HELPERS: dict[str, Callable[..., Helper]] = {
    **FILE_HELPERS,
    **SCALAR_HELPERS,
    **OPERATOR_HELPERS,
    **VECTOR_HELPERS,
    **INVERSE_HELPERS,
    **MATRIX_HELPERS,
    **NOISE_HELPERS,
    **ATOMIC_HELPERS,
    **BLOCK_HELPERS,
    **PRINTING_HELPERS,
    **READ_ONLY_HELPERS,
}


def collect(requests: Iterable[Request]) -> dict[Request, Helper]:
    """The helpers for `requests` and what they need, each once and before its users, in order of use."""
    done: dict[Request, Helper] = {}

    def visit(request: Request) -> None:
        if request in done:
            return
        name, types = request
        helper = HELPERS[name](*types)
        for need in helper.needs:
            visit(need)
        done[request] = helper

    for request in requests:
        visit(request)
    return done

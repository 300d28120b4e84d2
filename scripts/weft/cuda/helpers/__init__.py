"""Helper functions of generated programs: inline device functions, emitted only where they are used."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from weft.cuda.helpers.atomics import ATOMIC_HELPERS
from weft.cuda.helpers.blocks import BLOCK_HELPERS
from weft.cuda.helpers.decompositions import DECOMPOSITION_HELPERS
from weft.cuda.helpers.fixed import FIXED_HELPERS
from weft.cuda.helpers.geometry import GEOMETRY_HELPERS
from weft.cuda.helpers.inverses import INVERSE_HELPERS
from weft.cuda.helpers.matrices import MATRIX_HELPERS
from weft.cuda.helpers.noise import NOISE_HELPERS
from weft.cuda.helpers.norms import NORM_HELPERS
from weft.cuda.helpers.operators import OPERATOR_HELPERS
from weft.cuda.helpers.printing import PRINTING_HELPERS
from weft.cuda.helpers.quaternions import QUATERNION_HELPERS
from weft.cuda.helpers.read_only import READ_ONLY_HELPERS
from weft.cuda.helpers.rotations import ROTATION_HELPERS
from weft.cuda.helpers.scalars import SCALAR_HELPERS
from weft.cuda.helpers.searches import SEARCH_HELPERS
from weft.cuda.helpers.spatial import SPATIAL_HELPERS
from weft.cuda.helpers.text import Helper, Request
from weft.cuda.helpers.vectors import VECTOR_HELPERS

HELPERS: dict[str, Callable[..., Helper]] = {
    **FIXED_HELPERS,
    **SCALAR_HELPERS,
    **OPERATOR_HELPERS,
    **VECTOR_HELPERS,
    **INVERSE_HELPERS,
    **MATRIX_HELPERS,
    **QUATERNION_HELPERS,
    **ROTATION_HELPERS,
    **SPATIAL_HELPERS,
    **NORM_HELPERS,
    **DECOMPOSITION_HELPERS,
    **GEOMETRY_HELPERS,
    **NOISE_HELPERS,
    **SEARCH_HELPERS,
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

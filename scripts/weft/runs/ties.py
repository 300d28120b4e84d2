"""Cases whose results a kernel's text does not determine, because elements are equal.

Warp leaves it open which of equal elements `tile_argmax` and `tile_argmin` find, and in which order
`tile_sort` puts equal keys. Our translations do as Warp does on the CPU. Others need not.
"""

from __future__ import annotations

from weft.edges import Kind, has_edges, kind_of
from weft.reference.cases import Case
from weft.reference.store import Sample
from weft.runs.interface import Interface


def without_ties(sample: Sample, interface: Interface) -> Sample:
    """The sample without the cases whose inputs have equal numbers on purpose, if its own program, whose
    interface is given, breaks ties.
    """
    if not interface.breaks_ties:
        return sample
    positions = range(len(sample.signature))
    kept = [
        number
        for number, case in enumerate(sample.cases)
        if not (has_edges(sample.launch, case.seed) and _has_ties(case, positions))
    ]
    return sample.only(kept)


def _has_ties(case: Case, positions: range) -> bool:
    """Whether any parameter has edges that may be equal: also small numbers, which lose digits."""
    return not {kind_of(case.seed, position) for position in positions} <= {None, Kind.BELOW_ZERO}

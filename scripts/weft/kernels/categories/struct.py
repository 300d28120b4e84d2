"""Structs: records of elements, updated in place, structs of arrays, and settings in one parameter."""

from weft.kernels.domains.everything import EVERYTHING
from weft.kernels.endings import Style, per_element
from weft.kernels.goals import idioms

REVISION = 6
TEACHES = "structs: arrays of records, records updated in place, structs of arrays, settings"

IDIOMS = idioms(
    *EVERYTHING,
    style=Style((per_element,), storage={"records": 3.0, "state": 1.5, "settings": 1.0}, needs=("structs",)),
)

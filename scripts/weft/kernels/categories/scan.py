"""Prefix sums and their relatives: what one thread carries along a line, and steps of parallel scans."""

from weft.kernels.domains.bitmaps import bitmap
from weft.kernels.endings import Style
from weft.kernels.goals import idioms
from weft.kernels.idioms.scan.recurrences import RECURRENCES
from weft.kernels.idioms.scan.steps import STEPS
from weft.kernels.scanning import offsets_in_blocks

REVISION = 6
TEACHES = "scans: running sums and extremes, recurrences, filters, the steps of parallel scans"

COUNTED = Style(endings=(offsets_in_blocks,))

IDIOMS = (*RECURRENCES, *STEPS, *idioms(bitmap, style=COUNTED))

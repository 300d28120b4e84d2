"""Prefix sums and their relatives: what one thread carries along a line, and steps of parallel scans."""

from weft.kernels.idioms.scan.recurrences import RECURRENCES
from weft.kernels.idioms.scan.steps import STEPS

REVISION = 5
TEACHES = "scans: running sums and extremes, recurrences, filters, the steps of parallel scans"

IDIOMS = (*RECURRENCES, *STEPS)

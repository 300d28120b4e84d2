"""scripts/reference.py, but no kernel has a float64 twin: bits are compared, and twins cost most of the time.

Types that have no wider form fail one after the other, and the whole module is compiled again for each.
"""

import runpy
import sys
from collections.abc import Collection
from pathlib import Path

from weft.reference import warp_twin
from weft.reference.twin import TwinText


def unchanged(text: str, without: Collection[str]) -> TwinText:
    """The text as it is."""
    return TwinText(text, {}, frozenset(), {})


warp_twin.with_twins = unchanged
sys.argv[0] = str(Path(__file__).parents[3] / "scripts/reference.py")
runpy.run_path(sys.argv[0], run_name="__main__")

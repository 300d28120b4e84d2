"""Bits of integers: bitmaps, hashes, checksums, and words sorted by their bits."""

from weft.kernels.counting import counted_by_blocks, placed
from weft.kernels.domains.bitmaps import bitmap
from weft.kernels.domains.hashing import key_domain
from weft.kernels.domains.messages import message
from weft.kernels.endings import Style
from weft.kernels.goals import idioms

REVISION = 7
TEACHES = "bits of words: sets, hashes and tables, checksums, sorting by counts"

IN_BINS = Style(endings=(placed, counted_by_blocks))

IDIOMS = (*idioms(bitmap, key_domain, message), *idioms(bitmap, key_domain, style=IN_BINS))

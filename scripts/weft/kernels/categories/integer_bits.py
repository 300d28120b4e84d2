"""Bits of integers: bitmaps, hashes, checksums."""

from weft.kernels.domains.bitmaps import bitmap
from weft.kernels.domains.hashing import key_domain
from weft.kernels.domains.messages import message
from weft.kernels.goals import idioms

REVISION = 6
TEACHES = "bits of words: sets, hashes and tables, checksums"

IDIOMS = idioms(bitmap, key_domain, message)

"""Bits of integers: bitmaps, hashes, codes of cells, checksums, error correction, packed words."""

from weft.kernels.domains.bitmaps import bitmap
from weft.kernels.domains.hashing import key_domain
from weft.kernels.domains.messages import message
from weft.kernels.goals import idioms

REVISION = 5
TEACHES = "bits of words: sets, hashes and tables, cell codes, checksums, error correction, packed fields"

IDIOMS = idioms(bitmap, key_domain, message)

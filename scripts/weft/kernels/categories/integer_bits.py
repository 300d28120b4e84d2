"""Bits of integers: hashes, counts, codes that interleave or pack, random streams, checksums."""

from weft.kernels.idioms.integer_bits.counting import (
    count_bits,
    find_bit,
    gray_code,
    reverse_bits,
    reversed_order,
)
from weft.kernels.idioms.integer_bits.hashes import checksum, hash_words, random_stream
from weft.kernels.idioms.integer_bits.packing import morton_cell, morton_code, pack_fields, unpack_fields

REVISION = 4
TEACHES = "bits of words: hashes, population counts, Gray and Morton codes, packed fields, streams, checksums"

IDIOMS = (
    hash_words,
    count_bits,
    find_bit,
    reverse_bits,
    reversed_order,
    gray_code,
    morton_code,
    morton_cell,
    pack_fields,
    unpack_fields,
    random_stream,
    checksum,
)

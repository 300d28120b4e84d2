"""Kernels of the category atomic, seed 0.

Atomic adds, extremes and bitwise joins into shared places.
"""

import warp as wp


FREE_SLOT = wp.constant(-1)
MAX_PROBES = wp.constant(32)


@wp.func
def hash_key(key: int, capacity: int):
    """Return the slot at which the search for a key begins, by multiplicative hashing."""
    h = wp.uint32(key) * wp.uint32(0x9E3779B9)
    return int((h >> wp.uint32(7)) % wp.uint32(capacity))


@wp.kernel
def build_hash_set(
    keys: wp.array(dtype=int), num_stored: wp.array(dtype=int), table: wp.array(dtype=int)
):
    """Insert keys into an open-addressing hash table by linear probing, and add the number of new
    ones to num_stored. Free slots of table hold -1, which no key may equal. Keys that find no slot
    within MAX_PROBES probes are dropped."""
    i = wp.tid()
    key = keys[i]
    capacity = table.shape[0]
    slot = hash_key(key, capacity)
    for _probe in range(MAX_PROBES):
        found = table[slot]
        if found == FREE_SLOT:
            found = wp.atomic_cas(table, slot, FREE_SLOT, key)
            if found == FREE_SLOT:
                wp.atomic_add(num_stored, 0, 1)
                return
        if found == key:
            return
        slot = wp.where(slot + 1 == capacity, 0, slot + 1)


LAUNCH = {
    "build_hash_set": {
        "sizes": {"capacity": "8 * n + 64"},
        "difficulty": "expert",
        "equality": "permutation",
        "dims": ["n"],
        "parameters": {
            "keys": {"role": "in", "shape": ["n"], "values": {"integers": [0, "16 * n"]}},
            "num_stored": {"role": "inout", "shape": ["1"], "values": {"constant": 0}},
            "table": {"role": "inout", "shape": ["capacity"], "values": {"constant": -1}},
        },
    },
}

MADE_OF = {
    "build_hash_set": {"goal": "atomic.hash_insert", "ending": "written", "formulas": []},
}

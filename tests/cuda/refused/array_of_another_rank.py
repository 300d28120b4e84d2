# refused: 'table' is an array of rank 2 and is given one of rank 1
# at 16:17
"""A row of numbers where a table is expected: Warp reads its second extent as zero."""

import warp as wp


@wp.func
def corner(table: wp.array2d(dtype=float)):
    return table[0, 0] + float(table.shape[1])


@wp.kernel
def read_corner(row: wp.array(dtype=float), result: wp.array(dtype=float)):
    i = wp.tid()
    result[i] = corner(row)

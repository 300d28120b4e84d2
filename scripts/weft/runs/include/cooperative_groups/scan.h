// Running totals of a tile's values (CUDA C++ Programming Guide, "Cooperative Groups", inclusive_scan, exclusive_scan).
#pragma once

#include "reduce.h"

#pragma GCC push_options
WEFT_CPU_OPTIMIZE

namespace cooperative_groups {

template <unsigned int Size, typename Parent, typename T, typename Combine>
T inclusive_scan(const thread_block_tile<Size, Parent>& tile, T value, Combine combine) {
    for (unsigned int delta = 1; delta < Size; delta *= 2) {
        const T before = tile.shfl_up(value, delta);
        if (tile.thread_rank() >= delta) value = combine(before, value);
    }
    return value;
}
template <unsigned int Size, typename Parent, typename T>
T inclusive_scan(const thread_block_tile<Size, Parent>& tile, T value) {
    return inclusive_scan(tile, value, plus<T>());
}

// The first thread gets T().
template <unsigned int Size, typename Parent, typename T, typename Combine>
T exclusive_scan(const thread_block_tile<Size, Parent>& tile, T value, Combine combine) {
    const T before = tile.shfl_up(inclusive_scan(tile, value, combine), 1);
    return tile.thread_rank() == 0 ? T() : before;
}
template <unsigned int Size, typename Parent, typename T>
T exclusive_scan(const thread_block_tile<Size, Parent>& tile, T value) {
    return exclusive_scan(tile, value, plus<T>());
}

}  // namespace cooperative_groups

#pragma GCC pop_options

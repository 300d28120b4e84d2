// Reductions of a tile's values (CUDA C++ Programming Guide, "Cooperative Groups", reduce): each thread gets the result.
#pragma once

#include "../cooperative_groups.h"

#pragma GCC push_options
WEFT_CPU_OPTIMIZE

namespace cooperative_groups {

#define WEFT_CPU_OPERATION(name, expression)                        \
    template <typename T>                                           \
    struct name {                                                   \
        T operator()(T a, T b) const { return expression; }         \
    };

WEFT_CPU_OPERATION(plus, a + b)
WEFT_CPU_OPERATION(less, b < a ? b : a)
WEFT_CPU_OPERATION(greater, a < b ? b : a)
WEFT_CPU_OPERATION(bit_and, a& b)
WEFT_CPU_OPERATION(bit_or, a | b)
WEFT_CPU_OPERATION(bit_xor, a ^ b)

#undef WEFT_CPU_OPERATION

template <unsigned int Size, typename Parent, typename T, typename Combine>
T reduce(const thread_block_tile<Size, Parent>& tile, T value, Combine combine) {
    for (unsigned int lanes = Size / 2; lanes > 0; lanes /= 2) value = combine(value, tile.shfl_xor(value, lanes));
    return value;
}

// Of any number of threads, in their order.
template <typename T, typename Combine>
T reduce(const coalesced_group& group, T value, Combine combine) {
    T all = group.shfl(value, 0);
    for (unsigned int rank = 1; rank < group.size(); ++rank) all = combine(all, group.shfl(value, static_cast<int>(rank)));
    return all;
}

}  // namespace cooperative_groups

#pragma GCC pop_options

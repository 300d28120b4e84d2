// Cooperative groups (CUDA C++ Programming Guide, "Cooperative Groups"): blocks, parts of warps, and grids.
#pragma once

#include "cuda_runtime.h"

#pragma GCC push_options
WEFT_CPU_OPTIMIZE

namespace cooperative_groups {

class thread_block {
public:
    static void sync(weft_cpu::Site site = WEFT_CPU_HERE) { __syncthreads(site); }
    static unsigned int thread_rank() {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    static unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned int num_threads() { return size(); }
    static dim3 group_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
    static dim3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
};

inline thread_block this_thread_block() { return {}; }

class grid_group {
public:
    static void sync() { weft_cpu::grid_barrier(); }
    static unsigned long long block_rank() {
        return blockIdx.x + static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    static unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static unsigned long long thread_rank() {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    static unsigned long long size() { return num_blocks() * thread_block::size(); }
    static unsigned long long num_threads() { return size(); }
    static dim3 group_dim() { return gridDim; }
};

inline grid_group this_grid() { return {}; }

// `Size` neighbouring lanes of a warp.
template <unsigned int Size, typename Parent = void>
class thread_block_tile {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

    static unsigned int first() { return weft_cpu::lane() / Size * Size; }
    static unsigned int mask() { return (Size == 32 ? ~0u : (1u << Size % 32) - 1u) << first(); }
    static unsigned int of_tile(unsigned int lanes) { return (lanes & mask()) >> first(); }

public:
    thread_block_tile() = default;
    template <typename Other>
    thread_block_tile(const thread_block_tile<Size, Other>&) {}

    static unsigned int lanes() { return mask(); }
    static void sync() { __syncwarp(mask()); }
    static unsigned int thread_rank() { return weft_cpu::lane() % Size; }
    static constexpr unsigned int size() { return Size; }
    static constexpr unsigned int num_threads() { return Size; }
    static unsigned int meta_group_rank() { return thread_block::thread_rank() / Size; }
    static unsigned int meta_group_size() { return (thread_block::size() + Size - 1) / Size; }

    template <typename T>
    T shfl(T value, int source) const {
        return __shfl_sync(mask(), value, source, Size);
    }
    template <typename T>
    T shfl_up(T value, unsigned int delta) const {
        return __shfl_up_sync(mask(), value, delta, Size);
    }
    template <typename T>
    T shfl_down(T value, unsigned int delta) const {
        return __shfl_down_sync(mask(), value, delta, Size);
    }
    template <typename T>
    T shfl_xor(T value, unsigned int lanes) const {
        return __shfl_xor_sync(mask(), value, static_cast<int>(lanes), Size);
    }
    int any(int predicate) const { return __any_sync(mask(), predicate); }
    int all(int predicate) const { return __all_sync(mask(), predicate); }
    unsigned int ballot(int predicate) const { return of_tile(__ballot_sync(mask(), predicate)); }
    template <typename T>
    unsigned int match_any(T value) const {
        return of_tile(__match_any_sync(mask(), value));
    }
    template <typename T>
    unsigned int match_all(T value, int& predicate) const {
        return of_tile(__match_all_sync(mask(), value, &predicate));
    }
};

template <unsigned int Size, typename Group>
thread_block_tile<Size, Group> tiled_partition(const Group&) {
    return {};
}

// The threads of a warp that have come to where it is made.
class coalesced_group {
public:
    explicit coalesced_group(unsigned int lanes) : lanes_(lanes) {}

    unsigned int lanes() const { return lanes_; }
    void sync() const { __syncwarp(lanes_); }
    unsigned int size() const { return __popc(lanes_); }
    unsigned int num_threads() const { return size(); }
    unsigned int thread_rank() const { return __popc(lanes_ & ((1u << weft_cpu::lane()) - 1u)); }
    template <typename T>
    T shfl(T value, int source) const {
        return __shfl_sync(lanes_, value, static_cast<int>(__fns(lanes_, 0, source + 1)));
    }
    template <typename T>
    T shfl_up(T value, unsigned int delta) const {
        const unsigned int rank = thread_rank();
        return shfl(value, static_cast<int>(rank < delta ? rank : rank - delta));
    }
    template <typename T>
    T shfl_down(T value, unsigned int delta) const {
        const unsigned int rank = thread_rank();
        return shfl(value, static_cast<int>(rank + delta < size() ? rank + delta : rank));
    }
    int any(int predicate) const { return __any_sync(lanes_, predicate); }
    int all(int predicate) const { return __all_sync(lanes_, predicate); }
    unsigned int ballot(int predicate) const { return of_group(__ballot_sync(lanes_, predicate)); }
    template <typename T>
    unsigned int match_any(T value) const {
        return of_group(__match_any_sync(lanes_, value));
    }
    template <typename T>
    coalesced_group of_equal(T value) const {
        return coalesced_group(__match_any_sync(lanes_, value));
    }

private:
    // Bit k for the lane of rank k.
    unsigned int of_group(unsigned int lanes) const {
        unsigned int result = 0, rank = 0;
        for (unsigned int lane = 0; lane < 32; ++lane) {
            if (lanes_ >> lane & 1u) result |= (lanes >> lane & 1u) << rank++;
        }
        return result;
    }

    unsigned int lanes_;
};

// Any of these groups.
class thread_group {
public:
    thread_group(const thread_block&) : lanes_(0) {}
    template <unsigned int Size, typename Parent>
    thread_group(const thread_block_tile<Size, Parent>& tile) : lanes_(tile.lanes()) {}
    thread_group(const coalesced_group& group) : lanes_(group.lanes()) {}

    void sync(weft_cpu::Site site = WEFT_CPU_HERE) const {
        if (lanes_) __syncwarp(lanes_);
        else __syncthreads(site);
    }
    unsigned int size() const { return lanes_ ? __popc(lanes_) : thread_block::size(); }
    unsigned int num_threads() const { return size(); }
    unsigned int thread_rank() const {
        return lanes_ ? __popc(lanes_ & ((1u << weft_cpu::lane()) - 1u)) : thread_block::thread_rank();
    }

private:
    unsigned int lanes_;  // of a warp; none of the block
};

inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// The threads of a group that have one label.
template <typename T>
coalesced_group labeled_partition(const coalesced_group& group, T label) {
    return group.of_equal(label);
}
template <unsigned int Size, typename Parent, typename T>
coalesced_group labeled_partition(const thread_block_tile<Size, Parent>& tile, T label) {
    return coalesced_group(tile.lanes()).of_equal(label);
}
template <typename Group>
coalesced_group binary_partition(const Group& group, bool predicate) {
    return labeled_partition(group, static_cast<int>(predicate));
}

// Runs `call` by one of the group's threads.
template <typename Group, typename Call, typename... Arguments>
void invoke_one(const Group& group, Call call, Arguments... arguments) {
    if (group.thread_rank() == 0) call(arguments...);
}

inline void sync(const thread_block&, weft_cpu::Site site = WEFT_CPU_HERE) { __syncthreads(site); }
template <typename Group>
void sync(const Group& group) {
    group.sync();
}

template <typename Group>
unsigned int thread_rank(const Group& group) {
    return group.thread_rank();
}

}  // namespace cooperative_groups

#pragma GCC pop_options

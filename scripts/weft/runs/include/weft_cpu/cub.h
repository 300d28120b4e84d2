// Of CUB what works within a block or a warp, and reductions, scans and selections of a whole device (CUB, "Block-wide",
// "Warp-wide" and "Device-wide Primitives"). Results that CUB leaves undefined, as those of all but thread 0 after a
// reduction, are what the thread put in. Temporary memory is used so that who forgets the barrier between two uses has
// a race.
#pragma once

#include "libcudacxx.h"

#pragma GCC push_options
WEFT_CPU_OPTIMIZE

namespace cub {
inline namespace weft_cpu {

struct Sum {
    template <typename A, typename B>
    auto operator()(A a, B b) const { return a + b; }
};
using Max = cuda::maximum<>;
using Min = cuda::minimum<>;

template <typename Key, typename Value>
struct KeyValuePair {
    Key key;
    Value value;
    KeyValuePair() = default;
    KeyValuePair(const Key& key, const Value& value) : key(key), value(value) {}
    bool operator!=(const KeyValuePair& other) const { return key != other.key || value != other.value; }
};
// Of equal values, that with the smallest key.
struct ArgMax {
    template <typename Pair>
    Pair operator()(const Pair& a, const Pair& b) const {
        return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <typename Pair>
    Pair operator()(const Pair& a, const Pair& b) const {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
};

inline int rank_in_block() {
    return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

// What the threads of a group share: a block, or `Lanes` of a warp.
template <typename T, int Threads>
struct Places {
    T value[Threads];
};

// And what comes before a block, for scans.
template <typename T, int Threads>
struct PlacesAndPrefix : Places<T, Threads> {
    T prefix;
};

template <int Threads, bool IsWarp>
struct Group {
    static int rank() { return rank_in_block() % Threads; }
    static int count() {
        const int block = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
        return min(Threads, block - rank_in_block() / Threads * Threads);
    }
    static void sync(::weft_cpu::Site site) {
        if constexpr (IsWarp) {
            const unsigned int lanes = Threads == 32 ? ~0u : (1u << Threads % 32) - 1u;
            __syncwarp(lanes << rank_in_block() % 32 / Threads * Threads);
        } else {
            __syncthreads(site);
        }
    }
};

template <typename T, int Threads, bool IsWarp>
class Reducer {
protected:
    using Of = Group<Threads, IsWarp>;

public:
    using TempStorage = Places<T, Threads>;
    explicit Reducer(TempStorage& storage) : storage_(storage) {}

    template <typename Combine>
    T Reduce(T input, Combine combine, int valid = Threads, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        storage_.value[Of::rank()] = input;
        Of::sync(site);
        const int count = min(valid, Of::count());
        if (Of::rank() == 0) {
            for (int i = 1; i < count; ++i) input = combine(input, storage_.value[i]);
        }
        return input;
    }
    template <int Items, typename Combine>
    T Reduce(T (&inputs)[Items], Combine combine, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        T all = inputs[0];
        for (int i = 1; i < Items; ++i) all = combine(all, inputs[i]);
        return Reduce(all, combine, Threads, site);
    }
    T Sum(T input, int valid = Threads, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        return Reduce(input, cub::Sum(), valid, site);
    }
    template <int Items>
    T Sum(T (&inputs)[Items], ::weft_cpu::Site site = WEFT_CPU_HERE) {
        return Reduce(inputs, cub::Sum(), site);
    }

protected:
    TempStorage& storage_;
};

template <typename T, int Threads, bool IsWarp>
class Scanner {
protected:
    using Of = Group<Threads, IsWarp>;

public:
    using TempStorage = std::conditional_t<IsWarp, Places<T, Threads>, PlacesAndPrefix<T, Threads>>;
    explicit Scanner(TempStorage& storage) : storage_(storage) {}

    template <typename Combine>
    void InclusiveScan(T input, T& output, Combine combine, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        T all;
        InclusiveScan(input, output, combine, all, site);
    }
    template <typename Combine>
    void InclusiveScan(T input, T& output, Combine combine, T& all, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        scan(input, combine, site);
        const int rank = Of::rank();
        output = rank == 0 ? input : combine(storage_.value[rank - 1], input);
        all = storage_.value[Of::count() - 1];
    }
    template <typename Combine>
    void ExclusiveScan(T input, T& output, T initial, Combine combine, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        T all;
        ExclusiveScan(input, output, initial, combine, all, site);
    }
    template <typename Combine>
    void ExclusiveScan(T input, T& output, T initial, Combine combine, T& all, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        scan(input, combine, site);
        const int rank = Of::rank();
        output = rank == 0 ? initial : combine(initial, storage_.value[rank - 1]);
        all = storage_.value[Of::count() - 1];
    }
    void InclusiveSum(T input, T& output, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        InclusiveScan(input, output, cub::Sum(), site);
    }
    void InclusiveSum(T input, T& output, T& all, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        InclusiveScan(input, output, cub::Sum(), all, site);
    }
    void ExclusiveSum(T input, T& output, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        ExclusiveScan(input, output, T(), cub::Sum(), site);
    }
    void ExclusiveSum(T input, T& output, T& all, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        ExclusiveScan(input, output, T(), cub::Sum(), all, site);
    }

    // Of several neighbouring elements a thread.
    template <int Items, typename Combine>
    void InclusiveScan(T (&inputs)[Items], T (&outputs)[Items], Combine combine,
                       ::weft_cpu::Site site = WEFT_CPU_HERE) {
        T all;
        InclusiveScan(inputs, outputs, combine, all, site);
    }
    template <int Items, typename Combine>
    void InclusiveScan(T (&inputs)[Items], T (&outputs)[Items], Combine combine, T& all,
                       ::weft_cpu::Site site = WEFT_CPU_HERE) {
        scan(total(inputs, combine), combine, site);
        const int rank = Of::rank();
        T running = rank == 0 ? inputs[0] : combine(storage_.value[rank - 1], inputs[0]);
        outputs[0] = running;
        for (int i = 1; i < Items; ++i) outputs[i] = running = combine(running, inputs[i]);
        all = storage_.value[Of::count() - 1];
    }
    template <int Items, typename Combine>
    void ExclusiveScan(T (&inputs)[Items], T (&outputs)[Items], T initial, Combine combine,
                       ::weft_cpu::Site site = WEFT_CPU_HERE) {
        T all;
        ExclusiveScan(inputs, outputs, initial, combine, all, site);
    }
    template <int Items, typename Combine>
    void ExclusiveScan(T (&inputs)[Items], T (&outputs)[Items], T initial, Combine combine, T& all,
                       ::weft_cpu::Site site = WEFT_CPU_HERE) {
        scan(total(inputs, combine), combine, site);
        const int rank = Of::rank();
        T running = rank == 0 ? initial : combine(initial, storage_.value[rank - 1]);
        for (int i = 0; i < Items; ++i) {
            const T input = inputs[i];
            outputs[i] = running;
            running = combine(running, input);
        }
        all = storage_.value[Of::count() - 1];
    }
    template <int Items>
    void InclusiveSum(T (&inputs)[Items], T (&outputs)[Items], ::weft_cpu::Site site = WEFT_CPU_HERE) {
        InclusiveScan(inputs, outputs, cub::Sum(), site);
    }
    template <int Items>
    void ExclusiveSum(T (&inputs)[Items], T (&outputs)[Items], ::weft_cpu::Site site = WEFT_CPU_HERE) {
        ExclusiveScan(inputs, outputs, T(), cub::Sum(), site);
    }
    template <int Items>
    void InclusiveSum(T (&inputs)[Items], T (&outputs)[Items], T& all, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        InclusiveScan(inputs, outputs, cub::Sum(), all, site);
    }
    template <int Items>
    void ExclusiveSum(T (&inputs)[Items], T (&outputs)[Items], T& all, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        ExclusiveScan(inputs, outputs, T(), cub::Sum(), all, site);
    }

protected:
    template <int Items, typename Combine>
    static T total(const T (&inputs)[Items], Combine combine) {
        T all = inputs[0];
        for (int i = 1; i < Items; ++i) all = combine(all, inputs[i]);
        return all;
    }

    // Leaves in each thread's place the total up to it. Thread 0 does it for all.
    template <typename Combine>
    void scan(T input, Combine combine, ::weft_cpu::Site site) {
        storage_.value[Of::rank()] = input;
        Of::sync(site);
        if (Of::rank() == 0) {
            for (int i = 1; i < Of::count(); ++i) storage_.value[i] = combine(storage_.value[i - 1], storage_.value[i]);
        }
        Of::sync(site);
    }

    TempStorage& storage_;
};

template <typename T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
struct BlockReduce : Reducer<T, X * Y * Z, false> {
    using Reducer<T, X * Y * Z, false>::Reducer;
};
template <typename T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan : public Scanner<T, X * Y * Z, false> {
    using Base = Scanner<T, X * Y * Z, false>;
    template <typename... Callables>
    using IfCallable = std::enable_if_t<(std::is_class_v<Callables> && ...), int>;

public:
    using Base::Base, Base::InclusiveScan, Base::ExclusiveScan, Base::InclusiveSum, Base::ExclusiveSum;

    // Behind what `prefix` returns in thread 0 for the total of the block; the first warp calls it.
    template <typename Combine, typename Prefix, IfCallable<Combine, Prefix> = 0>
    void InclusiveScan(T input, T& output, Combine combine, Prefix& prefix, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        T all;
        Base::InclusiveScan(input, output, combine, all, site);
        output = combine(before(all, prefix, site), output);
    }
    template <typename Combine, typename Prefix, IfCallable<Combine, Prefix> = 0>
    void ExclusiveScan(T input, T& output, Combine combine, Prefix& prefix, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        T inputs[1] = {input}, outputs[1];
        ExclusiveScan(inputs, outputs, combine, prefix, site);
        output = outputs[0];
    }
    template <int Items, typename Combine, typename Prefix, IfCallable<Combine, Prefix> = 0>
    void InclusiveScan(T (&inputs)[Items], T (&outputs)[Items], Combine combine, Prefix& prefix,
                       ::weft_cpu::Site site = WEFT_CPU_HERE) {
        T all;
        Base::InclusiveScan(inputs, outputs, combine, all, site);
        const T first = before(all, prefix, site);
        for (T& output : outputs) output = combine(first, output);
    }
    template <int Items, typename Combine, typename Prefix, IfCallable<Combine, Prefix> = 0>
    void ExclusiveScan(T (&inputs)[Items], T (&outputs)[Items], Combine combine, Prefix& prefix,
                       ::weft_cpu::Site site = WEFT_CPU_HERE) {
        this->scan(Base::total(inputs, combine), combine, site);
        const int rank = Base::Of::rank();
        const T first = before(this->storage_.value[Base::Of::count() - 1], prefix, site);
        T running = rank == 0 ? first : combine(first, this->storage_.value[rank - 1]);
        for (int i = 0; i < Items; ++i) {
            const T input = inputs[i];
            outputs[i] = running;
            running = combine(running, input);
        }
    }
    template <typename Prefix, IfCallable<Prefix> = 0>
    void InclusiveSum(T input, T& output, Prefix& prefix, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        InclusiveScan(input, output, cub::Sum(), prefix, site);
    }
    template <int Items, typename Prefix, IfCallable<Prefix> = 0>
    void InclusiveSum(T (&inputs)[Items], T (&outputs)[Items], Prefix& prefix, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        InclusiveScan(inputs, outputs, cub::Sum(), prefix, site);
    }
    template <typename Prefix, IfCallable<Prefix> = 0>
    void ExclusiveSum(T input, T& output, Prefix& prefix, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        ExclusiveScan(input, output, cub::Sum(), prefix, site);
    }
    template <int Items, typename Prefix, IfCallable<Prefix> = 0>
    void ExclusiveSum(T (&inputs)[Items], T (&outputs)[Items], Prefix& prefix, ::weft_cpu::Site site = WEFT_CPU_HERE) {
        ExclusiveScan(inputs, outputs, cub::Sum(), prefix, site);
    }

private:
    template <typename Prefix>
    T before(T all, Prefix& prefix, ::weft_cpu::Site site) {
        if (Base::Of::rank() < 32) {
            const T value = prefix(all);
            if (Base::Of::rank() == 0) this->storage_.prefix = value;
        }
        Base::Of::sync(site);
        return this->storage_.prefix;
    }
};
template <typename T, int Lanes = 32, int = 0>
struct WarpReduce : Reducer<T, Lanes, true> {
    using Reducer<T, Lanes, true>::Reducer;
};
template <typename T, int Lanes = 32, int = 0>
struct WarpScan : Scanner<T, Lanes, true> {
    using Scanner<T, Lanes, true>::Scanner;
};

template <int Threads, int Items>
int place_of_item(int item, bool striped) {
    return striped ? item * Threads + rank_in_block() : rank_in_block() * Items + item;
}

template <typename T, int X, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
struct BlockLoad {
    struct TempStorage {};
    BlockLoad() = default;
    explicit BlockLoad(TempStorage&) {}

    template <typename Iterator>
    void Load(Iterator from, T (&items)[Items]) {
        Load(from, items, X * Y * Z * Items);
    }
    template <typename Iterator>
    void Load(Iterator from, T (&items)[Items], int valid) {
        for (int i = 0; i < Items; ++i) {
            const int place = place_of_item<X * Y * Z, Items>(i, Algorithm == BLOCK_LOAD_STRIPED);
            if (place < valid) items[i] = from[place];
        }
    }
    template <typename Iterator, typename Default>
    void Load(Iterator from, T (&items)[Items], int valid, Default otherwise) {
        for (int i = 0; i < Items; ++i) items[i] = otherwise;
        Load(from, items, valid);
    }
};

template <typename T, int X, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1,
          int = 0>
struct BlockStore {
    struct TempStorage {};
    BlockStore() = default;
    explicit BlockStore(TempStorage&) {}

    template <typename Iterator>
    void Store(Iterator to, T (&items)[Items]) {
        Store(to, items, X * Y * Z * Items);
    }
    template <typename Iterator>
    void Store(Iterator to, T (&items)[Items], int valid) {
        for (int i = 0; i < Items; ++i) {
            const int place = place_of_item<X * Y * Z, Items>(i, Algorithm == BLOCK_STORE_STRIPED);
            if (place < valid) to[place] = items[i];
        }
    }
};

// One thread does the work of the device's.
template <typename In, typename Out, typename T, typename Combine>
void reduce_all(In in, Out out, long long count, Combine combine, T all) {
    for (long long i = 0; i < count; ++i) all = combine(all, in[i]);
    *out = all;
}
template <bool Inclusive, typename In, typename Out, typename T, typename Combine>
void scan_all(In in, Out out, long long count, Combine combine, T running) {
    for (long long i = 0; i < count; ++i) {
        const T item = in[i];
        if constexpr (!Inclusive) out[i] = running;
        running = i == 0 && Inclusive ? item : combine(running, item);
        if constexpr (Inclusive) out[i] = running;
    }
}
template <typename In, typename Flags, typename Out, typename Number>
void select_flagged(In in, Flags flags, Out out, Number number, long long count) {
    long long kept = 0;
    for (long long i = 0; i < count; ++i) {
        if (flags[i]) out[kept++] = in[i];
    }
    *number = kept;
}
template <typename In, typename Out, typename Number, typename Select>
void select_if(In in, Out out, Number number, long long count, Select select) {
    long long kept = 0;
    for (long long i = 0; i < count; ++i) {
        if (select(in[i])) out[kept++] = in[i];
    }
    *number = kept;
}

// The first call of two asks how much temporary memory is needed.
inline bool asks(void* temporary, size_t& bytes) {
    if (!temporary) bytes = 1;
    return !temporary;
}
template <typename T>
using element_of = std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<T>())>>;

struct DeviceReduce {
    template <typename In, typename Out, typename Combine, typename T>
    static cudaError_t Reduce(void* temporary, size_t& bytes, In in, Out out, long long count, Combine combine, T initial,
                              cudaStream_t stream = nullptr) {
        if (asks(temporary, bytes)) return cudaSuccess;
        ::weft_cpu::launch(reduce_all<In, Out, T, Combine>, 1, 1, 0, stream)(in, out, count, combine, initial);
        return cudaPeekAtLastError();
    }
    template <typename In, typename Out>
    static cudaError_t Sum(void* temporary, size_t& bytes, In in, Out out, long long count, cudaStream_t stream = nullptr) {
        return Reduce(temporary, bytes, in, out, count, cub::Sum(), element_of<Out>(), stream);
    }
    template <typename In, typename Out>
    static cudaError_t Max(void* temporary, size_t& bytes, In in, Out out, long long count, cudaStream_t stream = nullptr) {
        return Reduce(temporary, bytes, in, out, count, cub::Max(), std::numeric_limits<element_of<In>>::lowest(), stream);
    }
    template <typename In, typename Out>
    static cudaError_t Min(void* temporary, size_t& bytes, In in, Out out, long long count, cudaStream_t stream = nullptr) {
        return Reduce(temporary, bytes, in, out, count, cub::Min(), std::numeric_limits<element_of<In>>::max(), stream);
    }
};

// Segment i has the elements from begins[i] to ends[i].
template <typename In, typename Out, typename Begins, typename Ends, typename Combine, typename T>
void reduce_segments(In in, Out out, int count, Begins begins, Ends ends, Combine combine, T initial) {
    for (int segment = 0; segment < count; ++segment) {
        T all = initial;
        for (auto i = begins[segment]; i < ends[segment]; ++i) all = combine(all, in[i]);
        out[segment] = all;
    }
}

struct DeviceSegmentedReduce {
    template <typename In, typename Out, typename Begins, typename Ends, typename Combine, typename T>
    static cudaError_t Reduce(void* temporary, size_t& bytes, In in, Out out, int count, Begins begins, Ends ends,
                              Combine combine, T initial, cudaStream_t stream = nullptr) {
        if (asks(temporary, bytes)) return cudaSuccess;
        const auto kernel = reduce_segments<In, Out, Begins, Ends, Combine, T>;
        ::weft_cpu::launch(kernel, 1, 1, 0, stream)(in, out, count, begins, ends, combine, initial);
        return cudaPeekAtLastError();
    }
    template <typename In, typename Out, typename Begins, typename Ends>
    static cudaError_t Sum(void* temporary, size_t& bytes, In in, Out out, int count, Begins begins, Ends ends,
                           cudaStream_t stream = nullptr) {
        return Reduce(temporary, bytes, in, out, count, begins, ends, cub::Sum(), element_of<Out>(), stream);
    }
    template <typename In, typename Out, typename Begins, typename Ends>
    static cudaError_t Max(void* temporary, size_t& bytes, In in, Out out, int count, Begins begins, Ends ends,
                           cudaStream_t stream = nullptr) {
        const auto lowest = std::numeric_limits<element_of<In>>::lowest();
        return Reduce(temporary, bytes, in, out, count, begins, ends, cub::Max(), lowest, stream);
    }
    template <typename In, typename Out, typename Begins, typename Ends>
    static cudaError_t Min(void* temporary, size_t& bytes, In in, Out out, int count, Begins begins, Ends ends,
                           cudaStream_t stream = nullptr) {
        const auto largest = std::numeric_limits<element_of<In>>::max();
        return Reduce(temporary, bytes, in, out, count, begins, ends, cub::Min(), largest, stream);
    }
};

struct DeviceScan {
    template <typename In, typename Out, typename Combine>
    static cudaError_t InclusiveScan(void* temporary, size_t& bytes, In in, Out out, Combine combine, long long count,
                                     cudaStream_t stream = nullptr) {
        using T = element_of<In>;
        if (asks(temporary, bytes)) return cudaSuccess;
        ::weft_cpu::launch(scan_all<true, In, Out, T, Combine>, 1, 1, 0, stream)(in, out, count, combine, T());
        return cudaPeekAtLastError();
    }
    template <typename In, typename Out, typename Combine, typename T>
    static cudaError_t ExclusiveScan(void* temporary, size_t& bytes, In in, Out out, Combine combine, T initial,
                                     long long count, cudaStream_t stream = nullptr) {
        if (asks(temporary, bytes)) return cudaSuccess;
        ::weft_cpu::launch(scan_all<false, In, Out, T, Combine>, 1, 1, 0, stream)(in, out, count, combine, initial);
        return cudaPeekAtLastError();
    }
    template <typename In, typename Out>
    static cudaError_t InclusiveSum(void* temporary, size_t& bytes, In in, Out out, long long count,
                                    cudaStream_t stream = nullptr) {
        return InclusiveScan(temporary, bytes, in, out, cub::Sum(), count, stream);
    }
    template <typename In, typename Out>
    static cudaError_t ExclusiveSum(void* temporary, size_t& bytes, In in, Out out, long long count,
                                    cudaStream_t stream = nullptr) {
        return ExclusiveScan(temporary, bytes, in, out, cub::Sum(), element_of<In>(), count, stream);
    }
};

struct DeviceSelect {
    template <typename In, typename Flags, typename Out, typename Number>
    static cudaError_t Flagged(void* temporary, size_t& bytes, In in, Flags flags, Out out, Number number,
                               long long count, cudaStream_t stream = nullptr) {
        if (asks(temporary, bytes)) return cudaSuccess;
        ::weft_cpu::launch(select_flagged<In, Flags, Out, Number>, 1, 1, 0, stream)(in, flags, out, number, count);
        return cudaPeekAtLastError();
    }
    template <typename In, typename Out, typename Number, typename Select>
    static cudaError_t If(void* temporary, size_t& bytes, In in, Out out, Number number, long long count, Select select,
                          cudaStream_t stream = nullptr) {
        if (asks(temporary, bytes)) return cudaSuccess;
        ::weft_cpu::launch(select_if<In, Out, Number, Select>, 1, 1, 0, stream)(in, out, number, count, select);
        return cudaPeekAtLastError();
    }
};

}  // namespace weft_cpu
}  // namespace cub

#pragma GCC pop_options

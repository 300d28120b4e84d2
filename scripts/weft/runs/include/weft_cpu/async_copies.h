// Asynchronous copies to shared memory (CUDA C++ Programming Guide, "Asynchronous Data Copies"): the primitives of
// cuda_pipeline.h, those of groups, and libcu++'s pipelines and barriers whose threads are all of a block. Threads that
// have other parts than others in a pipeline, or arrive now and wait later, are more than there is here.
#pragma once

#include "../cooperative_groups.h"
#include "libcudacxx.h"

#pragma GCC push_options
WEFT_CPU_OPTIMIZE

namespace weft_cpu {

// The thread's part of a copy that a group makes.
template <typename Group>
void copy_late_together(const Group& group, void* to, const void* from, size_t bytes) {
    constexpr size_t kPiece = 4;
    for (size_t at = kPiece * group.thread_rank(); at < bytes; at += kPiece * group.size()) {
        copy_late(static_cast<unsigned char*>(to) + at, static_cast<const unsigned char*>(from) + at,
                  at + kPiece < bytes ? kPiece : bytes - at, 0);
    }
}

}  // namespace weft_cpu

inline void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
    weft_cpu::check_instruction(to, from, bytes);
    weft_cpu::copy_late(to, from, bytes - zeros, zeros);
}
inline void __pipeline_commit() { weft_cpu::close_late_copies(); }
inline void __pipeline_wait_prior(size_t open_batches) { weft_cpu::finish_late_copies(open_batches); }

namespace cuda {

// A number of bytes, and what addresses are aligned to.
template <size_t Alignment>
struct aligned_size_t {
    size_t value;
    explicit aligned_size_t(size_t bytes) : value(bytes) {}
    operator size_t() const { return value; }
};

template <thread_scope Scope, unsigned int Stages>
struct pipeline_shared_state {};
enum class pipeline_role { producer, consumer };

template <thread_scope Scope>
class pipeline {
public:
    explicit pipeline(unsigned int stages) : stages_(stages) {}

    void producer_acquire(::weft_cpu::Site site = WEFT_CPU_HERE) {
        if (Scope == thread_scope_block && ++acquired_ > stages_) __syncthreads(site);
    }
    void producer_commit() {
        ::weft_cpu::close_late_copies();
        ++committed_;
    }
    void consumer_wait(::weft_cpu::Site site = WEFT_CPU_HERE) {
        ++waited_;
        ::weft_cpu::finish_late_copies(committed_ > waited_ ? committed_ - waited_ : 0);
        if (Scope == thread_scope_block) __syncthreads(site);
    }
    void consumer_release() {}
    void quit() {}

private:
    unsigned int stages_, acquired_ = 0, committed_ = 0, waited_ = 0;
};

inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(0); }
template <unsigned int Stages>
pipeline<thread_scope_block> make_pipeline(const cooperative_groups::thread_block&,
                                           pipeline_shared_state<thread_scope_block, Stages>*) {
    return pipeline<thread_scope_block>(Stages);
}
template <typename Group, thread_scope Scope, unsigned int Stages, typename Part>
pipeline<Scope> make_pipeline(const Group&, pipeline_shared_state<Scope, Stages>*, Part) {
    ::weft_cpu::lacking("a pipeline of producers and consumers");
}

template <unsigned int OpenBatches>
void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>&) {
    ::weft_cpu::finish_late_copies(OpenBatches);
}

// Of threads of one block, as many as it is told: all.
template <thread_scope Scope, typename Completion = void>
class barrier {
    ptrdiff_t threads_;

public:
    using arrival_token = int;

    barrier() = default;
    friend void init(barrier* one, ptrdiff_t threads) { one->threads_ = threads; }

    void arrive_and_wait(::weft_cpu::Site site = WEFT_CPU_HERE) {
        if (threads_ != cooperative_groups::thread_block::size()) ::weft_cpu::lacking("a barrier of a part of a block");
        ::weft_cpu::finish_late_copies(0);
        __syncthreads(site);
    }
    arrival_token arrive(ptrdiff_t = 1) { ::weft_cpu::lacking("a barrier where threads arrive, and wait later"); }
    void wait(arrival_token) const { ::weft_cpu::lacking("a barrier where threads arrive, and wait later"); }
    void arrive_and_drop() { ::weft_cpu::lacking("a barrier that threads leave"); }
};

template <typename T, typename Size, thread_scope Scope>
void memcpy_async(T* to, const T* from, Size bytes, pipeline<Scope>&) {
    ::weft_cpu::copy_late(to, from, bytes, 0);
}
template <typename Group, typename T, typename Size, thread_scope Scope>
void memcpy_async(const Group& group, T* to, const T* from, Size bytes, pipeline<Scope>&) {
    ::weft_cpu::copy_late_together(group, to, from, bytes);
}
template <typename T, typename Size, thread_scope Scope>
void memcpy_async(T* to, const T* from, Size bytes, barrier<Scope>&) {
    ::weft_cpu::copy_late(to, from, bytes, 0);
    ::weft_cpu::close_late_copies();
}
template <typename Group, typename T, typename Size, thread_scope Scope>
void memcpy_async(const Group& group, T* to, const T* from, Size bytes, barrier<Scope>&) {
    ::weft_cpu::copy_late_together(group, to, from, bytes);
    ::weft_cpu::close_late_copies();
}

}  // namespace cuda

namespace cooperative_groups {

template <typename Group, typename T, typename Size>
void memcpy_async(const Group& group, T* to, const T* from, Size bytes) {
    ::weft_cpu::copy_late_together(group, to, from, bytes);
    ::weft_cpu::close_late_copies();
}
template <typename Group>
void wait(const Group& group) {
    ::weft_cpu::finish_late_copies(0);
    sync(group);
}
template <unsigned int OpenBatches, typename Group>
void wait_prior(const Group& group) {
    ::weft_cpu::finish_late_copies(OpenBatches);
    sync(group);
}

}  // namespace cooperative_groups

#pragma GCC pop_options

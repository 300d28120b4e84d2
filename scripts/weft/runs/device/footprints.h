// What kernels on several streams have touched: two that nothing orders may run at the same time on a GPU. They are
// kept where all of a program's processes see them, until nothing can be beside them any more.
#pragma once

#include <sys/mman.h>

#include "device.h"

namespace weft_cpu {

enum Way : unsigned char { kReads = 1, kWrites = 2, kAtomics = 4 };

// Bytes that a piece of work has touched in these ways (bits).
struct Footprint {
    const unsigned char* start;
    size_t bytes;
    unsigned char ways;
    size_t stream;
    unsigned long long number;

    bool meets(const unsigned char* first, size_t count) const { return first < start + bytes && start < first + count; }

    // Atomics may meet each other, and a read: shadow.cpp says what comes of that.
    bool clashes_with(const Footprint& other) const {
        return meets(other.start, other.bytes) && ((ways | other.ways) & kWrites) && stream != other.stream;
    }
};

class Footprints {
public:
    // Keeps what work that runs has touched, if there is room. True if it clashes with what is kept already.
    bool add(const Footprint& one) {
        for (const Footprint* other = begin(); other != end(); ++other) {
            if (other->clashes_with(one) && !has_ended_before(other->stream, other->number)) return true;
        }
        if (kept_->count < kMost) kept_->all[kept_->count++] = one;
        return false;
    }

    // False for a program without streams of its own: nothing is beside anything there.
    bool are_kept() const { return kept_; }

    void prepare() {
        if (kept_) return;
        void* shared = mmap(nullptr, sizeof(Kept), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (shared != MAP_FAILED) kept_ = static_cast<Kept*>(shared);
    }

    void forget() {
        if (kept_) kept_->count = 0;
    }

    void forget(const unsigned char* start, size_t bytes) {
        if (!kept_) return;
        size_t left = 0;
        for (const Footprint* one = begin(); one != end(); ++one) {
            if (!one->meets(start, bytes)) kept_->all[left++] = *one;
        }
        kept_->count = left;
    }

private:
    static constexpr size_t kMost = 8192;
    struct Kept {
        size_t count;
        Footprint all[kMost];
    };

    const Footprint* begin() const { return kept_->all; }
    const Footprint* end() const { return kept_->all + kept_->count; }

    Kept* kept_ = nullptr;
};

inline Footprints& footprints() {
    static auto* const all = new Footprints;
    return *all;
}

}  // namespace weft_cpu

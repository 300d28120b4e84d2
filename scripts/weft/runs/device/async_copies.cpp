// Copies from global to shared memory that a thread does not wait for at once (CUDA C++ Programming Guide,
// "Asynchronous Data Copies"). They are made as late as the program allows, when their thread waits for them; to shadow
// memory they are made at once, too, because on a GPU they may be.
#include "device.h"

extern "C" void* weft_cpu_memcpy(void* to, const void* from, size_t bytes);
extern "C" void* weft_cpu_memset(void* to, int value, size_t bytes);
extern "C" void __tsan_read_range(void* address, size_t bytes);
extern "C" void __tsan_write_range(void* address, size_t bytes);

namespace weft_cpu {

void copy_late(void* to, const void* from, size_t bytes, size_t zeros) {
    __tsan_read_range(const_cast<void*>(from), bytes);
    __tsan_write_range(to, bytes + zeros);
    LateCopies& late = late_copies();
    late.copies.push_back({to, from, bytes, zeros, late.batch});
}

void close_late_copies() { ++late_copies().batch; }

void finish_late_copies(size_t open_batches) {
    LateCopies& late = late_copies();
    size_t done = 0;
    for (const LateCopy& one : late.copies) {
        if (one.batch + open_batches >= late.batch) break;
        weft_cpu_memcpy(one.to, one.from, one.bytes);
        weft_cpu_memset(static_cast<unsigned char*>(one.to) + one.bytes, 0, one.zeros);
        ++done;
    }
    late.copies.erase(late.copies.begin(), late.copies.begin() + static_cast<ptrdiff_t>(done));
}

void check_instruction(const void* to, const void* from, size_t bytes) {
    if (bytes != 4 && bytes != 8 && bytes != 16) stop(kMisaligned, "__pipeline_memcpy_async of %zu bytes (allowed: 4, 8, 16)", bytes);
    if ((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) % bytes)
        stop(kMisaligned, "__pipeline_memcpy_async of %zu bytes at an address that is no multiple of that", bytes);
}

void lacking(const char* what) { stop(kUnsupported, "%s", what); }

}  // namespace weft_cpu

// Constant memory: kernels read it, the host changes it by copies, and nobody writes it otherwise. So its pages
// (device/constants.ld) cannot be written but while a copy is made.
#include <sys/mman.h>

#include "device.h"

// Absent in a program without `__constant__` variables, and where it is linked without the script.
extern "C" unsigned char weft_constants_begin[] __attribute__((weak));
extern "C" unsigned char weft_constants_end[] __attribute__((weak));

namespace weft_cpu {
namespace {

void set_constants(int access) {
    const Piece all = constant_memory();
    if (all.bytes && mprotect(all.start, all.bytes, access) != 0) {
        stop(kCudaError, "the pages of constant memory cannot be protected");
    }
}

}  // namespace

Piece constant_memory() {
    if (!weft_constants_begin) return {nullptr, 0};
    return {weft_constants_begin, static_cast<size_t>(weft_constants_end - weft_constants_begin)};
}

bool is_constant(const void* address) {
    const Piece all = constant_memory();
    const auto* p = static_cast<const unsigned char*>(address);
    return p >= all.start && p < all.start + all.bytes;
}

void open_constants() { set_constants(PROT_READ | PROT_WRITE); }

void close_constants() { set_constants(PROT_READ); }

}  // namespace weft_cpu

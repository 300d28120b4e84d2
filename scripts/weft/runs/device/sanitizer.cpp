// The functions that code compiled with `-fsanitize=alignment,bounds,return` calls where an access is not what its
// type allows or a function has no value to return (GCC's ABI, ubsan.cc), in place of the compiler's own library.
#include "device.h"

namespace {

struct SourcePlace {
    const char* file;
    unsigned int line, column;
};

}  // namespace

extern "C" {

[[noreturn]] void __ubsan_handle_type_mismatch_v1_abort(const SourcePlace* place, void*) {
    weft_cpu::stop(weft_cpu::kMisaligned, "%s:%u: access at an address that its type does not allow",
                   place->file, place->line);
}

[[noreturn]] void __ubsan_handle_out_of_bounds_abort(const SourcePlace* place, void*) {
    weft_cpu::stop(weft_cpu::kOutOfBounds, "%s:%u: an index beyond the array", place->file, place->line);
}

[[noreturn]] void __ubsan_handle_missing_return(const SourcePlace* place) {
    weft_cpu::stop(weft_cpu::kUndefined, "%s:%u: a function ends without the value that it should return",
                   place->file, place->line);
}
}

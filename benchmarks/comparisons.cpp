// What g++'s `-fsanitize-coverage=trace-cmp` calls before each comparison: says on standard output, the first time, which
// comparison has found less (1), equal (2), greater (4) or neither (8).
#include <cstdint>
#include <cstdio>
#include <unordered_map>

extern "C" const char __ehdr_start[];

namespace {

template <typename T>
void see(const void* from, T left, T right) {
    static auto& seen = *new std::unordered_map<const void*, unsigned int>;
    const unsigned int outcome = left < right ? 1 : left == right ? 2 : left > right ? 4 : 8;
    unsigned int& all = seen[from];
    if (all & outcome) return;
    all |= outcome;
    std::printf("seen 0x%zx %u\n", static_cast<size_t>(static_cast<const char*>(from) - __ehdr_start) - 1, outcome);
}

}  // namespace

#define COMPARISON(name, type) \
    void __sanitizer_cov_trace_##name(type left, type right) { see(__builtin_return_address(0), left, right); }
// A constant comes first, wherever the program has it.
#define CONSTANT_COMPARISON(name, type) \
    void __sanitizer_cov_trace_const_##name(type right, type left) { see(__builtin_return_address(0), left, right); }

extern "C" {

COMPARISON(cmp1, int8_t)
COMPARISON(cmp2, int16_t)
COMPARISON(cmp4, int32_t)
COMPARISON(cmp8, int64_t)
COMPARISON(cmpf, float)
COMPARISON(cmpd, double)
CONSTANT_COMPARISON(cmp1, int8_t)
CONSTANT_COMPARISON(cmp2, int16_t)
CONSTANT_COMPARISON(cmp4, int32_t)
CONSTANT_COMPARISON(cmp8, int64_t)
void __sanitizer_cov_trace_switch(uint64_t, const uint64_t*) {}
}

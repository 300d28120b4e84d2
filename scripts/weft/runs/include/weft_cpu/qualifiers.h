// CUDA's function and variable qualifiers (CUDA C++ Programming Guide, "C++ Language Extensions").
#pragma once

// Device code is optimised, host code is not: it runs once a case, and is most of what the compiler has to
// do. g++ inlines only where it optimises the whole program (`-O1`), and only functions with the very same list of
// options, so that is one for the headers and for programs. Full redundancy elimination is left out, because it gives a variable that was never set on one path the
// value that it has on another; motion out of loops, because it makes threads read and write what they never
// touch, which shadow memory would take for a race.
#ifdef WEFT_CPU_UNWATCHED  // where times are wanted, and no mistakes are looked for
#define WEFT_CPU_OPTIMIZE
#define WEFT_CPU_OPTIMIZED
#define WEFT_CPU_HOST
#else
#define WEFT_CPU_OPTIMIZE _Pragma("GCC optimize(\"O1\", \"no-tree-fre\", \"no-tree-loop-im\", \"reorder-functions\")")
#define WEFT_CPU_OPTIMIZED __attribute__((optimize("O1", "no-tree-fre", "no-tree-loop-im", "reorder-functions")))
#define WEFT_CPU_HOST _Pragma("GCC optimize(\"O0\")")
#endif
// What is not hidden is the host's alone: no device code may use it (weft.runs.device_reads). Functions of the device
// come to a section of their own, by their being hot, also where nobody outside can name them: no host code may call
// them, and they no others (weft.runs.device_calls).
#define __global__ WEFT_CPU_OPTIMIZED __attribute__((visibility("hidden"), hot))
#define __device__ WEFT_CPU_OPTIMIZED __attribute__((visibility("hidden"), hot))
#define __host__
#define __constant__ __attribute__((visibility("protected"), section(WEFT_CPU_CONSTANT(__COUNTER__))))
#define __managed__ __attribute__((visibility("hidden")))
#define __grid_constant__

// One block runs at a time, so its shared memory can be static. Thread-local storage, because it is one
// contiguous piece that the scheduler finds and poisons before each block, and because it works in templates.
#define __shared__ thread_local
// `__constant__` variables are known by their visibility (weft.runs.device_limits), and by sections that become one
// (device/constants.ld): g++ takes no two variables in one section of which one can be written.
#define WEFT_CPU_CONSTANT(number) WEFT_CPU_CONSTANT_SECTION(number)
#define WEFT_CPU_CONSTANT_SECTION(number) "weft_constant." #number

#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __maxnreg__(...)

// Empty, because the C++ library spells its own attribute so, where nothing is also allowed.
#define __noinline__

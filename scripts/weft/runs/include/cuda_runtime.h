// CUDA's runtime for programs that g++ compiles: the host calls on plain memory, and kernels whose threads
// run one after the other in one operating system thread. Only `<<<…>>>` and `extern __shared__` need
// rewriting (weft.runs.rewrite); everything else is C++.
//
// Names follow the CUDA Runtime API and the CUDA C++ Programming Guide. What CUDA would reject is rejected
// here where that costs nothing: atomics exist for CUDA's types only, and wrong launch configurations give
// CUDA's errors.
#pragma once

// C++17's special functions in <cmath> are templates that g++ instantiates in each program, whether or not it
// calls them, which takes a fifth of its time. No kernel may.
#include <bits/c++config.h>
#ifndef WEFT_CPU_SPECIAL_FUNCTIONS
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#endif
// <cmath> has these of them.
#include <bits/stl_algobase.h>
#include <limits>

// nvcc includes these before any source file.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <type_traits>
#include <utility>

#include "weft_cpu/qualifiers.h"

// What nvcc knows and g++ does not.
#define __builtin_assume(condition)
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000

#pragma GCC push_options
WEFT_CPU_OPTIMIZE
#include "weft_cpu/vectors.h"
#include "weft_cpu/api.h"
#include "weft_cpu/textures.h"
#include "weft_cpu/launch.h"
#include "weft_cpu/functions.h"
#include "weft_cpu/atomics.h"
#include "weft_cpu/device_math.h"
#include "weft_cpu/inverse_error.h"
#include "weft_cpu/intrinsics.h"
#include "weft_cpu/packed.h"
#include "weft_cpu/rounded.h"

#pragma GCC pop_options
WEFT_CPU_HOST

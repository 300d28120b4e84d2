// Part of cuda_runtime.h in CUDA; here all of it.
#pragma once

#include "cuda_runtime.h"

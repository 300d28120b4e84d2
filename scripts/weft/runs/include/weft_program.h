// What every program on the CPU device is compiled behind: the header that nvcc includes by itself, and the driver's
// types. make_device (weft.runs.build) precompiles it: it is most of what g++ would read.
#pragma once

#include "weft_cpu/memory.h"

#include "../device/driver.h"

// The CPU device, as one translation unit: system headers are most of the time that its parts take to
// compile.
#include "api.cpp"
#include "apart.cpp"
#include "constants.cpp"
#include "foreign.cpp"
#include "functions.cpp"
#include "memory.cpp"
#include "rounded.cpp"
#include "sanitizer.cpp"
#include "schedule.cpp"
#include "shadow.cpp"
#include "streams.cpp"
#include "textures.cpp"

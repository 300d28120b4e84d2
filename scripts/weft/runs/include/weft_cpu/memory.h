// Included before everything else: what a program copies, the CPU device hears of (device/instrumented.h).
#pragma once

extern "C" {
void* memcpy(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept __asm__("weft_cpu_memcpy");
void* memmove(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept __asm__("weft_cpu_memmove");
void* memset(void* to, int value, __SIZE_TYPE__ bytes) noexcept __asm__("weft_cpu_memset");
}

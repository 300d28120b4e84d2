// Memory that is not the device's: what shadow memory says of an access outside of all that it watches, and of one to
// the host's variables.
#include <link.h>

#include <vector>

#include "device.h"

namespace weft_cpu {
namespace {

struct Foreign {
    const unsigned char* image_start = nullptr;  // the program: its constants are everybody's
    const unsigned char* image_end = nullptr;
    std::vector<const void*> of_host;  // what the kernel's arguments point to among the host's variables
};

Foreign& foreign() {
    static auto* all = new Foreign;
    return *all;
}

int add_image(dl_phdr_info* program, size_t, void*) {
    Foreign& f = foreign();
    for (int i = 0; i < program->dlpi_phnum; ++i) {
        const auto& segment = program->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD) continue;
        const auto* start = reinterpret_cast<const unsigned char*>(program->dlpi_addr + segment.p_vaddr);
        if (!f.image_start || start < f.image_start) f.image_start = start;
        if (start + segment.p_memsz > f.image_end) f.image_end = start + segment.p_memsz;
    }
    return 1;  // the first object is the program itself
}

// The host's variables are a part of the program, as the device's are. What the host passes to a kernel is one of
// its own, unless it is known as the device's (cudaGetSymbolAddress).
int add_of_host(dl_phdr_info* program, size_t, void*) {
    Foreign& f = foreign();
    const Piece arguments = launched_arguments();
    for (size_t at = 0; at + sizeof(void*) <= arguments.bytes; at += sizeof(void*)) {
        const unsigned char* pointer;
        memcpy(&pointer, arguments.start + at, sizeof pointer);
        for (int i = 0; i < program->dlpi_phnum; ++i) {
            const auto& segment = program->dlpi_phdr[i];
            const auto* start = reinterpret_cast<const unsigned char*>(program->dlpi_addr + segment.p_vaddr);
            const bool inside = pointer >= start && pointer < start + segment.p_memsz;
            if (segment.p_type != PT_LOAD || !inside || is_device(pointer, 1)) continue;
            if (segment.p_flags & PF_X) {
                if (pointer == launched_kernel()) continue;
                stop(kCudaError, "a kernel's argument is the address of a function, as the host knows it");
            }
            f.of_host.push_back(pointer);
        }
    }
    return 1;  // the first object is the program itself
}

}  // namespace

bool watch_arguments() {
    foreign().of_host.clear();
    dl_iterate_phdr(add_of_host, nullptr);
    return !foreign().of_host.empty();
}

void check_arguments(const void* address, size_t bytes, const char* access, Instruction instruction) {
    for (const void* pointer : foreign().of_host) {
        if (pointer == address) stop(kOutOfBounds, "%s of %zu bytes of a variable of the host%s", access, bytes, code_place(instruction).text);
    }
}

// Ends the program if device code touches what is not the device's: memory of the host that a GPU does not
// reach. Allocations that are not watched to their end and pages without access tell of themselves.
void check_foreign(const void* address, size_t bytes, const char* access, Instruction instruction) {
    Foreign& f = foreign();
    const auto* first = static_cast<const unsigned char*>(address);
    if (first >= dynamic_shared && first < dynamic_shared + kDynamicSharedBytes) {
        stop(kOutOfBounds, "%s of %zu bytes of dynamic shared memory that the launch did not ask for%s",
             access, bytes, code_place(instruction).text);
    }
    if (!f.image_start) dl_iterate_phdr(add_image, nullptr);
    const Piece own = device_state();
    // Threads read their own numbers.
    if (first >= own.start && first < own.start + own.bytes && !strstr(access, "read")) {
        stop(kOutOfBounds, "%s of %zu bytes of memory that is not the device's%s", access, bytes, code_place(instruction).text);
    }
    if (address >= f.image_start && address < f.image_end) return;
    if (reinterpret_cast<uintptr_t>(address) < 4096) return;  // faults
    if (is_device(address, 1) || is_local(address)) return;
    char place[128];
    describe_address(address, place, sizeof place);
    if (place[0]) stop(kOutOfBounds, "%s %s%s", access, place, code_place(instruction).text);
    stop(kOutOfBounds, "%s of %zu bytes of memory that is not the device's%s", access, bytes, code_place(instruction).text);
}

}  // namespace weft_cpu

// Device memory: every allocation is a mapping of its own that ends at a page without access.
//
//     [no access][guard bytes … ][the allocation][slack][no access]
//
// Reading or writing past the end faults at once; where the size is no multiple of 16, up to 15 bytes of
// slack keep the start aligned as vector types need it (in random order up to 255). Slack and the bytes in front hold a pattern that is
// checked when the memory is freed and when the program ends. Freed memory stays without access; in reverse order its
// place is taken again, as on a GPU, so that no program takes an array for one of before by where it is.
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "device.h"
#include "footprints.h"

namespace weft_cpu {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kForbidden = 1 << 16;  // before and after an allocation: a stray index reaches no other
// What vector types need; in random order what a GPU gives, so that no program knows the CPU device by its pointers.
size_t alignment() { return order() == Order::kRandom ? 256 : 16; }
constexpr unsigned char kGuard = 0xE7;
// Enough that no ordinary program reuses an address; the oldest is given back beyond that.
constexpr size_t kKeptFreed = 8192;
// Of freed memory whose place is taken again: so many small mappings are kept for the next allocations.
constexpr size_t kKeptSpare = 64;
constexpr size_t kMostSpareBytes = 1 << 20;

struct Region {
    unsigned char* mapping;
    size_t mapped;
    unsigned char* start;
    size_t bytes;
    Owner owner;
    bool is_open;  // to the host
    bool is_given = true;

    unsigned char* body() const { return mapping + kForbidden; }
    unsigned char* body_end() const { return mapping + mapped - kForbidden; }
    bool contains(const void* p) const { return p >= start && p < start + bytes; }
    bool spans(const void* p) const { return p >= mapping && p < mapping + mapped; }
};

struct Symbol {
    const unsigned char* start;
    size_t bytes;
};

bool kept_open = false;

// These three outlive the program's exit handlers, which still look into them.
std::vector<Region>& live() {
    static auto* regions = new std::vector<Region>;
    return *regions;
}

std::vector<Region>& freed() {
    static auto* regions = new std::vector<Region>;
    return *regions;
}

// Freed mappings, without access, whose place the next allocation of their size takes.
std::vector<Region>& spare() {
    static auto* regions = new std::vector<Region>;
    return *regions;
}

// What cudaMallocHost gave.
std::vector<Piece>& pinned() {
    static auto* all = new std::vector<Piece>;
    return *all;
}

std::vector<Symbol>& symbols() {
    static auto* known = new std::vector<Symbol>;
    return *known;
}

Region* region_of(const void* pointer) {
    for (Region& region : live()) {
        if (region.contains(pointer)) return &region;
    }
    return nullptr;
}

bool is_host(const void* pointer) {
    if (!pointer) return false;
    const Region* region = region_of(pointer);
    return !region || region->owner == Owner::kBoth;
}

// Managed memory belongs to both.
void set_open(Region& region, bool open) {
    if (region.owner == Owner::kBoth || region.is_open == open || (open && !region.is_given)) return;
    mprotect(region.body(), region.mapped - 2 * kForbidden, open ? PROT_READ | PROT_WRITE : PROT_NONE);
    region.is_open = open;
}

void close_to_host(Region& region) {
    if (!kept_open) set_open(region, false);
}

// Opens the allocation, or the constant memory, that `pointer` is in to the host, for a copy.
class Opened {
public:
    explicit Opened(const void* pointer) : region_(region_of(pointer)), constant_(is_constant(pointer)) {
        if (region_) set_open(*region_, true);
        if (constant_) open_constants();
    }
    ~Opened() {
        if (region_) close_to_host(*region_);
        if (constant_) close_constants();
    }
    Opened(const Opened&) = delete;

private:
    Region* region_;
    const bool constant_;
};

// A mapping without access of so many bytes; null if there is none. The one that was given back first comes
// first, so that a case like the last one finds its arrays where they were: a candidate may have kept their
// addresses.
unsigned char* mapping_of(size_t bytes) {
    std::vector<Region>& kept = spare();
    for (size_t i = 0; i < kept.size(); ++i) {
        if (kept[i].mapped != bytes) continue;
        unsigned char* mapping = kept[i].mapping;
        kept.erase(kept.begin() + static_cast<ptrdiff_t>(i));
        return mapping;
    }
    const int sharing = kernels_run_apart() ? MAP_SHARED : MAP_PRIVATE;
    void* mapping = mmap(nullptr, bytes, PROT_NONE, sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return mapping == MAP_FAILED ? nullptr : static_cast<unsigned char*>(mapping);
}

void give_back(Region region) {
    if (region.mapped > kMostSpareBytes || spare().size() == kKeptSpare) {
        munmap(region.mapping, region.mapped);
        return;
    }
    if (region.is_open) mprotect(region.body(), region.mapped - 2 * kForbidden, PROT_NONE);
    spare().push_back(region);
}

void check(const Region& region) {
    if (!region.is_given) return;
    const Opened opened(region.start);
    for (const unsigned char* p = region.body(); p < region.start; ++p) {
        if (*p != kGuard) {
            stop(kOutOfBounds, "a write %zu bytes before an allocation of %zu bytes",
                 static_cast<size_t>(region.start - p), region.bytes);
        }
    }
    const unsigned char* end = region.start + region.bytes;
    for (const unsigned char* p = end; p < region.body_end(); ++p) {
        if (*p != kGuard) {
            stop(kOutOfBounds, "a write %zu bytes past the end of an allocation of %zu bytes",
                 static_cast<size_t>(p - end), region.bytes);
        }
    }
}

}  // namespace

cudaError_t allocate(void** pointer, size_t bytes, Owner owner) {
    if (!pointer) return fail(cudaErrorInvalidValue);
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (bytes > (size_t{1} << 40)) return fail(cudaErrorMemoryAllocation);
    const size_t room = (bytes + alignment() - 1) / alignment() * alignment();
    const size_t body = (room + kPage - 1) / kPage * kPage;
    unsigned char* mapping = mapping_of(body + 2 * kForbidden);
    if (!mapping) return fail(cudaErrorMemoryAllocation);
    Region region{mapping, body + 2 * kForbidden, nullptr, bytes, owner, true};
    if (mprotect(region.body(), body, PROT_READ | PROT_WRITE) != 0) {
        munmap(mapping, region.mapped);
        return fail(cudaErrorMemoryAllocation);
    }
    region.start = region.body_end() - room;
    memset(region.body(), kGuard, region.start - region.body());
    memset(region.start, poison(), bytes);
    memset(region.start + bytes, kGuard, room - bytes);
    close_to_host(region);
    live().push_back(region);
    *pointer = region.start;
    return cudaSuccess;
}

bool is_owned_by(Owner owner, const void* pointer) {
    const Region* region = region_of(pointer);
    return region && region->owner == owner;
}

bool open_managed(const void* address) {
    if (!is_owned_by(Owner::kCandidateManaged, address)) return false;
    end_strangers_turn();
    Region* region = region_of(address);
    if (!region->is_open) {
        count_to_host(region->bytes);
        set_open(*region, true);
    }
    begin_strangers_turn();
    return true;
}

void close_managed() {
    for (Region& region : live()) {
        if (region.owner == Owner::kCandidateManaged) close_to_host(region);
    }
}

bool is_device(const void* pointer, size_t bytes) {
    const auto* first = static_cast<const unsigned char*>(pointer);
    for (const Symbol& symbol : symbols()) {
        if (first >= symbol.start && first < symbol.start + symbol.bytes) {
            return bytes <= static_cast<size_t>(symbol.start + symbol.bytes - first);
        }
    }
    const Region* region = region_of(pointer);
    return region && bytes <= static_cast<size_t>(region->start + region->bytes - first);
}

bool is_pinned(const void* host) {
    for (const Piece& piece : pinned()) {
        if (host >= piece.start && host < piece.start + piece.bytes) return true;
    }
    return false;
}

void give_later(const void* start) {
    Region* region = region_of(start);
    set_open(*region, false);
    region->is_given = false;
}

void give_now(const void* start) {
    Region* region = region_of(start);
    if (region) region->is_given = true;
}

bool is_closed(const void* address) {
    const auto* p = static_cast<const unsigned char*>(address);
    for (const Region& region : live()) {
        if (region.owner != Owner::kBoth && p >= region.body() && p < region.body_end()) return true;
    }
    return false;
}

void open_allocations() {
    for (Region& region : live()) set_open(region, true);
}

void close_allocations() {
    for (Region& region : live()) close_to_host(region);
}

void keep_open(bool keep) {
    if (keep) end_strangers_turn();
    kept_open = keep;
    close_allocations();
    if (!keep) begin_strangers_turn();
}

void register_symbol(const void* address, size_t bytes) {
    for (const Symbol& symbol : symbols()) {
        if (symbol.start == address) return;
    }
    symbols().push_back({static_cast<const unsigned char*>(address), bytes});
}

void check_guards() {
    for (const Region& region : live()) check(region);
}

void for_each_allocation(void (*visit)(const void* start, size_t bytes)) {
    for (const Region& region : live()) visit(region.start, region.bytes);
}

void describe_address(const void* address, char* text, size_t size) {
    const auto* p = static_cast<const unsigned char*>(address);
    text[0] = '\0';
    for (const Region& region : live()) {
        if (!region.spans(p)) continue;
        if (p < region.start) {
            snprintf(text, size, "%zu bytes before an allocation of %zu bytes",
                     static_cast<size_t>(region.start - p), region.bytes);
        } else if (!region.is_given) {
            snprintf(text, size, "in an allocation of %zu bytes that its stream has not made yet (cudaMallocAsync)",
                     region.bytes);
        } else {
            snprintf(text, size, "%zu bytes past the end of an allocation of %zu bytes",
                     static_cast<size_t>(p - region.start - region.bytes), region.bytes);
        }
        return;
    }
    for (const Region& region : freed()) {
        if (region.spans(p)) {
            snprintf(text, size, "in an allocation of %zu bytes that was freed", region.bytes);
            return;
        }
    }
}

}  // namespace weft_cpu

using namespace weft_cpu;

cudaError_t cudaMalloc(void** pointer, size_t bytes) { return allocate(pointer, bytes, Owner::kDevice); }

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int) {
    return allocate(pointer, bytes, Owner::kBoth);
}

cudaError_t cudaFree(void* pointer) {
    if (!pointer) return cudaSuccess;
    finish_all_work();  // it waits for the device
    std::vector<Region>& regions = live();
    for (size_t i = 0; i < regions.size(); ++i) {
        if (regions[i].start != pointer) continue;
        check(regions[i]);
        const Region region = regions[i];
        footprints().forget(region.start, region.bytes);
        regions[i] = regions.back();
        regions.pop_back();
        if (order() == Order::kReverse) {
            give_back(region);
            return cudaSuccess;
        }
        mmap(region.mapping, region.mapped, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        std::vector<Region>& kept = freed();
        if (kept.size() == kKeptFreed) {
            munmap(kept.front().mapping, kept.front().mapped);
            kept.erase(kept.begin());
        }
        kept.push_back(region);
        return cudaSuccess;
    }
    return fail(cudaErrorInvalidValue);
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
    *pointer = bytes ? malloc(bytes) : nullptr;
    if (!*pointer) return bytes ? fail(cudaErrorMemoryAllocation) : cudaSuccess;
    pinned().push_back({static_cast<unsigned char*>(*pointer), bytes});
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void* pointer) {
    finish_all_work();  // it waits for the device
    std::vector<Piece>& all = pinned();
    for (size_t i = 0; i < all.size(); ++i) {
        if (all[i].start != pointer) continue;
        all[i] = all.back();
        all.pop_back();
        break;
    }
    free(pointer);
    return cudaSuccess;
}

cudaError_t weft_cpu::check_copy(const void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    if (bytes == 0) return cudaSuccess;
    bool valid;
    switch (kind) {
        case cudaMemcpyHostToHost:
            valid = is_host(to) && is_host(from);
            break;
        case cudaMemcpyHostToDevice:
            valid = is_device(to, bytes) && is_host(from);
            break;
        case cudaMemcpyDeviceToHost:
            valid = is_host(to) && is_device(from, bytes);
            break;
        case cudaMemcpyDeviceToDevice:
            valid = is_device(to, bytes) && is_device(from, bytes);
            break;
        case cudaMemcpyDefault:
            valid = (is_device(to, bytes) || is_host(to)) && (is_device(from, bytes) || is_host(from));
            break;
        default:
            return fail(cudaErrorInvalidMemcpyDirection);
    }
    return valid ? cudaSuccess : fail(cudaErrorInvalidValue);
}

namespace {

void require_given(const void* pointer) {
    const Region* region = region_of(pointer);
    if (region && !region->is_given)
        stop(kOutOfBounds, "a copy of what its stream has not made yet (cudaMallocAsync)");
}

}  // namespace

// Where the host's memory takes no part, the host does not wait either (CUDA Runtime API, "API synchronization
// behavior"): the copy is work of the default stream, for which streams that are cudaStreamNonBlocking do not wait.
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    const cudaError_t wrong = check_copy(to, from, bytes, kind);
    const bool within = kind == cudaMemcpyDeviceToDevice || (kind == cudaMemcpyDefault && !is_host(to) && !is_host(from));
    if (wrong == cudaSuccess && within && !is_working()) return cudaMemcpyAsync(to, from, bytes, kind, cudaStreamLegacy);
    finish_default_stream();  // also before an error: a fault of earlier work is told first
    if (wrong != cudaSuccess || bytes == 0) return wrong;
    if (kind == cudaMemcpyDeviceToDevice && !kernels_run()) return cudaSuccess;
    require_given(to);
    require_given(from);
    if (kept_open && !is_device(to, 1)) check_finished_work();
    const Opened to_opened(to), from_opened(from);
    forget_last_store(to, bytes);
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    memmove(to_device ? device_address(to) : to, from_device ? device_address(from) : from, bytes);
    return cudaSuccess;
}

// Work of the default stream, as such a copy is.
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
    if (bytes == 0) return cudaSuccess;
    const bool valid = is_device(pointer, bytes);
    if (valid && !is_working()) return cudaMemsetAsync(pointer, value, bytes, cudaStreamLegacy);
    finish_default_stream();
    if (!valid) return fail(cudaErrorInvalidValue);
    require_given(pointer);
    const Opened opened(pointer);
    forget_last_store(pointer, bytes);
    memset(device_address(pointer), value, bytes);
    return cudaSuccess;
}

// Shadow memory: which threads touched each byte of device and shared memory, and when. It finds what a run
// on one processor hides: races, and reads of shared memory that nobody wrote.
//
// Programs are compiled with g++'s `-fsanitize=thread`, which calls a function before every read and write;
// the functions are here, not in libtsan. They do nothing unless WEFT_SHADOW_MEMORY is "on".
//
// Two accesses to a byte race if they are of different threads of a launch, one at least is a write, they are
// not both atomic, and nothing orders them: `__syncthreads` orders the threads of a block, `__syncwarp` those
// that it names, `__threadfence` what a thread did before it and everything that others do after. A volatile
// read counts as atomic (PTX ISA, "Memory Consistency Model": volatile is relaxed), and so does a volatile write to
// global memory; to shared memory not, since code of old relies there on more than it gives. A plain read beside
// atomics is legitimate if the thread's next atomic is an atomicCAS of the same place, which knows whether the value
// was stale (CUDA C++ Programming Guide, "Atomic Functions"). Several threads may write
// one value to one place: which of them comes last is open, what is left there is not.
//
// Time counts the synchronisations of the program; a time of 0 is none.
#include <link.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "device.h"

namespace weft_cpu {
namespace {

// All of the first accesses of a launch are watched; to bound the time, of the others the first that a thread makes
// after each wait, and one in so many.
constexpr size_t kWatchedAccesses = 1 << 19;
constexpr size_t kWatchedOfThread = 64;
constexpr size_t kWatchedBeyond = 31;
constexpr size_t kWatchedBytes = 1 << 22;     // of an allocation
constexpr unsigned long long kMostBlocks = 1 << 18;
constexpr unsigned int kBlockThreads = 1024;

struct Access {
    unsigned int thread;  // position of the block among those that run × kBlockThreads + number in the block
    unsigned int time;
};

// Of reads and atomics, two of different threads are enough to find one that is not the writer's.
struct Cell {
    Access write, volatile_read, atomics[2], latest_atomic, reads[2];
};

// A cell for each word, while only whole words of it are accessed; for each of its bytes once it is mixed.
constexpr size_t kWord = 4;

struct Range {
    const unsigned char* start;
    size_t bytes;
    bool shared;
    size_t of;  // bytes of the allocation; 0 if it is none
    Cell *words, *cells;
    bool* mixed;  // [word]

    size_t word_count() const { return bytes / kWord; }
    size_t mapped() const { return bytes * (sizeof(Cell) + sizeof(bool)) + word_count() * sizeof(Cell); }
};

enum class Kind { kRead, kVolatileRead, kWrite, kVolatileWrite, kAtomic };

// A byte that two threads wrote: legitimate if the second leaves what the first wrote.
struct Rewritten {
    const unsigned char* address;
    unsigned char value;
};

// A plain read beside atomics, until the thread's atomicCAS, and what is wrong if none comes.
struct Guess {
    const unsigned char* address = nullptr;
    size_t bytes;
    char text[256];
};

struct Shadow {
    std::vector<Range> ranges;
    Range* latest;
    size_t left, beyond;
    unsigned int time = 0, block_start, barrier, first_thread, thread;
    std::vector<unsigned int> fences;  // [thread]: time of its last fence, as far as there were any
    std::vector<unsigned int> known;  // [thread][lane]: until when the lane's accesses are ordered before
    std::vector<Rewritten> rewritten;
    Guess guess;
    char rewriting[256];
    char unwritten[128];  // the first read of the block that found nothing written, and the thread that made it
    uint3 reader;
};

bool watching = false;

Shadow& shadow() {
    static auto* all = new Shadow;
    return *all;
}

bool read_setting() {
    const char* setting = getenv("WEFT_SHADOW_MEMORY");
    if (!setting || !strcmp(setting, "off")) return false;
    if (!strcmp(setting, "on")) return true;
    stop(kUnsupported, "WEFT_SHADOW_MEMORY is '%s' (allowed: on, off)", setting);
}

void add_range(const void* start, size_t bytes, bool shared, size_t of) {
    bytes = bytes < kWatchedBytes ? bytes : kWatchedBytes;
    if (bytes == 0) return;
    Range range{static_cast<const unsigned char*>(start), bytes, shared, of, nullptr, nullptr, nullptr};
    void* all = mmap(nullptr, range.mapped(), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) stop(kUnsupported, "no memory to watch %zu bytes", bytes);
    range.words = static_cast<Cell*>(all);
    range.cells = range.words + range.word_count();
    range.mixed = reinterpret_cast<bool*>(range.cells + bytes);
    shadow().ranges.push_back(range);
}

// What is accessed together: a cell, and how many bytes it stands for.
struct Watched {
    Cell* cell;
    size_t bytes;
};

// The first cell of an access to what lies from `at` to `end`, both counted from the start of the range.
Watched watched(const Range& range, size_t at, size_t end) {
    const size_t word = at / kWord;
    if (word >= range.word_count()) return {&range.cells[at], 1};
    if (!range.mixed[word]) {
        if (at % kWord == 0 && at + kWord <= end) return {&range.words[word], kWord};
        range.mixed[word] = true;
        for (size_t i = 0; i < kWord; ++i) range.cells[word * kWord + i] = range.words[word];
    }
    return {&range.cells[at], 1};
}

template <typename Visit>
void each_cell(const Range& range, const unsigned char* first, size_t bytes, Visit visit) {
    const size_t begin = first - range.start;
    const size_t end = begin + bytes < range.bytes ? begin + bytes : range.bytes;
    for (size_t at = begin; at < end;) {
        const Watched here = watched(range, at, end);
        visit(*here.cell);
        at += here.bytes;
    }
}

// The program's own variables, among them `__device__` ones, but not those of the CPU device.
int add_variables(dl_phdr_info* program, size_t, void*) {
    for (int i = 0; i < program->dlpi_phnum; ++i) {
        const auto& segment = program->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_W)) continue;
        const auto* start = reinterpret_cast<const unsigned char*>(program->dlpi_addr + segment.p_vaddr);
        const unsigned char* end = start + segment.p_memsz;
        const Piece own = device_state();
        const bool holds_own = own.start >= start && own.start < end;
        const unsigned char* middle = holds_own ? own.start : end;
        add_range(start, middle - start, false, 0);
        const unsigned char* rest = middle + own.bytes;
        if (holds_own) add_range(rest, end - rest, false, 0);
    }
    return 1;  // the first object is the program itself
}

Range* range_of(const unsigned char* address) {
    Shadow& s = shadow();
    if (s.latest && address >= s.latest->start && address < s.latest->start + s.latest->bytes) return s.latest;
    for (Range& range : s.ranges) {
        if (address >= range.start && address < range.start + range.bytes) return s.latest = &range;
    }
    return nullptr;
}

bool is_here(const Shadow& s, const Access& access, const Range& range) {
    return access.time > (range.shared ? s.block_start : 0);
}

bool races(const Shadow& s, const Access& access, const Range& range) {
    if (access.thread == s.thread || !is_here(s, access, range)) return false;
    if (access.thread / kBlockThreads == s.thread / kBlockThreads) {
        if (access.time <= s.barrier) return false;
        if (access.thread / 32 == s.thread / 32 &&
            access.time <= s.known[s.thread % kBlockThreads * 32 + access.thread % 32])
            return false;
    }
    return access.thread >= s.fences.size() || access.time > s.fences[access.thread];
}

// Atomics on one place come one after the other, each with what those before it left. So a block whose atomic was
// the latest comes after all of them, and may then write there plainly, as the last block of a reduction does that
// resets its counter. An atomic of any other block after that races with this write.
bool comes_after_atomics(const Shadow& s, const Cell& cell, const Range& range) {
    return cell.latest_atomic.thread / kBlockThreads == s.thread / kBlockThreads &&
           !races(s, cell.latest_atomic, range);
}

const Access* racing(const Shadow& s, const Access (&accesses)[2], const Range& range) {
    for (const Access& access : accesses) {
        if (races(s, access, range)) return &access;
    }
    return nullptr;
}

void remember(const Shadow& s, Access (&accesses)[2], const Range& range) {
    const bool first = accesses[0].thread == s.thread || !races(s, accesses[0], range);
    accesses[first ? 0 : 1] = {s.thread, s.time};
}

void describe_race(const Shadow& s, const Range& range, const unsigned char* byte, size_t bytes,
                   const char* access, const char* other_access, const Access& other, char (&text)[256]) {
    char place[96] = "a variable of the program", thread[64] = "a thread of another block";
    if (range.shared) snprintf(place, sizeof place, "shared memory");
    if (range.of) {
        snprintf(place, sizeof place, "byte %zu of an allocation of %zu bytes",
                 static_cast<size_t>(byte - range.start), range.of);
    }
    if (other.thread / kBlockThreads == s.thread / kBlockThreads) {
        const unsigned int number = other.thread % kBlockThreads;
        snprintf(thread, sizeof thread, "thread (%u, %u, %u)", number % blockDim.x,
                 number / blockDim.x % blockDim.y, number / blockDim.x / blockDim.y);
    }
    snprintf(text, sizeof text, "race: %s of %zu bytes at %s, after %s of %s that nothing orders", access,
             bytes, place, other_access, thread);
}

// Ends the program if the last write changed what another thread wrote.
void settle(Shadow& s) {
    for (const Rewritten& one : s.rewritten) {
        if (*one.address != one.value) stop(kRace, "%s", s.rewriting);
    }
    s.rewritten.clear();
}

// Ends the program if the thread has read what others change by atomics, and atomicCAS has not said whether it was stale.
void settle_guess(Shadow& s) {
    if (s.guess.address) stop(kRace, "%s", s.guess.text);
}

void guess(Shadow& s, const unsigned char* address, size_t bytes, const char (&text)[256]) {
    if (s.guess.address == address) return;
    settle_guess(s);
    s.guess.address = address;
    s.guess.bytes = bytes;
    memcpy(s.guess.text, text, sizeof text);
}

const char* name_of(Kind kind) {
    static const char* const names[] = {"a read", "a volatile read", "a write", "a volatile write", "an atomic"};
    return names[static_cast<int>(kind)];
}

// Counts an access of the launch; true if it is one that goes unwatched. What was not watched may have written
// anything, but two accesses that were watched race whatever came between them.
bool is_beyond_watch(Shadow& s) {
    if (s.left > 0) {
        --s.left;
        return false;
    }
    if (++s.beyond <= kWatchedOfThread) return false;
    return s.beyond % kWatchedBeyond != 0;
}

// `sets` says that what was there before does not matter. `in_block` says that an atomic is one for the block
// alone.
void touch(const void* address, size_t bytes, Kind kind, bool sets, bool in_block = false) {
    Shadow& s = shadow();
    settle(s);
    if (is_local(address)) return;
    check_arguments(address, bytes, name_of(kind));
    const auto* first = static_cast<const unsigned char*>(address);
    const Range* range = range_of(first);
    if (!range) {
        check_foreign(address, bytes, name_of(kind));
        return;
    }
    if (is_beyond_watch(s)) return;
    const char* name = name_of(kind);
    if (kind == Kind::kVolatileWrite) kind = range->shared ? Kind::kWrite : Kind::kAtomic;
    if (first + bytes > range->start + range->bytes && range->bytes == range->of) {
        stop(kOutOfBounds, "%s of %zu bytes that leaves an allocation of %zu bytes", name, bytes, range->of);
    }
    // g++ puts a byte of its own beside shared arrays of classes, which it reads first.
    bool written = !range->shared || sets || bytes == 1 || s.left == 0;
    const size_t begin = first - range->start;
    const size_t end = begin + bytes < range->bytes ? begin + bytes : range->bytes;
    for (size_t at = begin; at < end;) {
        const Watched here = watched(*range, at, end);
        Cell& cell = *here.cell;
        const unsigned char* byte = range->start + at;
        at += here.bytes;
        written = written || is_here(s, cell.write, *range) || is_here(s, cell.atomics[0], *range);
        const Access* other = races(s, cell.write, *range) ? &cell.write : nullptr;
        const char* other_name = "a write";
        if (other && kind == Kind::kWrite) {
            if (s.rewritten.empty())
                describe_race(s, *range, byte, bytes, name, other_name, *other, s.rewriting);
            for (size_t i = 0; i < here.bytes; ++i) s.rewritten.push_back({byte + i, byte[i]});
            other = nullptr;
        }
        if (!other && (kind == Kind::kRead || kind == Kind::kWrite || in_block)) {
            other = racing(s, cell.atomics, *range);
            other_name = "an atomic";
            const bool of_block = other && other->thread / kBlockThreads == s.thread / kBlockThreads;
            if (in_block && of_block) other = nullptr;
            if (other && kind == Kind::kWrite && comes_after_atomics(s, cell, *range)) other = nullptr;
        }
        if (!other && (kind == Kind::kAtomic || kind == Kind::kWrite)) {
            other = racing(s, cell.reads, *range);
            other_name = "a read";
        }
        if (!other && kind == Kind::kWrite && races(s, cell.volatile_read, *range)) {
            other = &cell.volatile_read;
            other_name = "a read";
        }
        if (other) {
            char text[256];
            describe_race(s, *range, byte, bytes, name, other_name, *other, text);
            if (kind != Kind::kRead || other == &cell.write) stop(kRace, "%s", text);
            guess(s, first, bytes, text);
        }
        switch (kind) {
            case Kind::kRead:
                remember(s, cell.reads, *range);
                break;
            case Kind::kVolatileRead:
                cell.volatile_read = {s.thread, s.time};
                break;
            case Kind::kWrite:
                cell.write = {s.thread, s.time};
                break;
            case Kind::kVolatileWrite:
            case Kind::kAtomic:
                remember(s, cell.atomics, *range);
                cell.latest_atomic = {s.thread, s.time};
                break;
        }
    }
    if (!written && !s.unwritten[0]) {
        snprintf(s.unwritten, sizeof s.unwritten, "%s of %zu bytes of shared memory that nobody wrote", name,
                 bytes);
        s.reader = threadIdx;
    }
}

// Ends the program if shared memory was read that nobody had written. It is known only when all threads have
// come to a barrier: a write before that is a race.
void check_unwritten(const Shadow& s) {
    if (!s.unwritten[0]) return;
    threadIdx = s.reader;
    stop(kUnwrittenRead, "%s", s.unwritten);
}

}  // namespace

bool is_watched() {
    static const bool on = read_setting();
    return on;
}

void watch_launch(unsigned long long blocks, size_t dynamic_shared_bytes) {
    if (!is_watched() || blocks > kMostBlocks) return;
    Shadow& s = shadow();
    s.latest = nullptr;
    s.left = kWatchedAccesses;
    s.barrier = s.block_start = ++s.time;
    s.fences.clear();
    s.known.assign(kBlockThreads * 32, 0);
    s.unwritten[0] = '\0';
    add_range(dynamic_shared, dynamic_shared_bytes, true, 0);
    const Piece shared = shared_memory();
    add_range(shared.start, shared.bytes, true, 0);
    for_each_allocation([](const void* start, size_t bytes) { add_range(start, bytes, false, bytes); });
    dl_iterate_phdr(add_variables, nullptr);
    watch_arguments();
    watching = true;
}

void watch_block(unsigned long long position) {
    if (!watching) return;
    Shadow& s = shadow();
    check_unwritten(s);
    s.first_thread = static_cast<unsigned int>(position) * kBlockThreads;
    s.barrier = s.block_start = s.time++;
}

void watch_thread(unsigned int number) {
    if (!watching) return;
    shadow().thread = shadow().first_thread + number;
    shadow().beyond = 0;
}

void watch_pause() {
    if (!watching) return;
    settle(shadow());
    settle_guess(shadow());
}

void watch_barrier() {
    if (!watching) return;
    Shadow& s = shadow();
    check_unwritten(s);
    s.barrier = s.time++;
}

void watch_warp(unsigned int first, unsigned int lanes) {
    if (!watching) return;
    Shadow& s = shadow();
    unsigned int known[32] = {};
    for (unsigned int lane = 0; lane < 32; ++lane) {
        if (!(lanes >> lane & 1)) continue;
        const unsigned int* of_lane = &s.known[(first + lane) * 32];
        for (unsigned int i = 0; i < 32; ++i) known[i] = of_lane[i] > known[i] ? of_lane[i] : known[i];
    }
    for (unsigned int lane = 0; lane < 32; ++lane) {
        if (lanes >> lane & 1) known[lane] = s.time;
    }
    for (unsigned int lane = 0; lane < 32; ++lane) {
        if (lanes >> lane & 1) memcpy(&s.known[(first + lane) * 32], known, sizeof known);
    }
    ++s.time;
}

void watch_fault() {
    if (watching) check_unwritten(shadow());
}

void watch_end() {
    Shadow& s = shadow();
    if (watching) check_unwritten(s);
    watching = false;
    for (const Range& range : s.ranges) munmap(range.words, range.mapped());
    s.ranges.clear();
}

void fence() {
    if (!watching) return;
    Shadow& s = shadow();
    if (s.thread >= s.fences.size()) s.fences.resize(s.thread + 1);
    s.fences[s.thread] = s.time++;
}

void check_guess(const void* address, size_t bytes) {
    if (!watching) return;
    Shadow& s = shadow();
    const auto* first = static_cast<const unsigned char*>(address);
    if (s.guess.address == first && s.guess.bytes == bytes) s.guess.address = nullptr;
    Range* range = range_of(first);
    if (!range) return;
    each_cell(*range, first, bytes, [&s](Cell& cell) {
        for (Access& read : cell.reads) {
            if (read.thread == s.thread) read.time = 0;
        }
    });
}

void touch_read_only(const void* address, size_t bytes) {
    if (!watching) return;
    const auto* first = static_cast<const unsigned char*>(address);
    const Range* range = range_of(first);
    if (!range) return;
    each_cell(*range, first, bytes, [bytes](const Cell& cell) {
        if (cell.write.time == 0 && cell.atomics[0].time == 0) return;
        stop(kRace, "race: a read of %zu bytes that takes them for constant (__ldg), after a write of the same launch", bytes);
    });
}

void touch_atomically(const void* address, size_t bytes, bool sets, bool in_block) {
    if (watching) touch(address, bytes, Kind::kAtomic, sets, in_block);
}

}  // namespace weft_cpu

#include "instrumented.h"

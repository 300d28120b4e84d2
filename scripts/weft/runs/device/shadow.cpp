// Shadow memory: which threads touched each byte of device and shared memory, and when. It finds what a run
// on one processor hides: races, and reads of shared memory that nobody wrote.
//
// Programs are compiled with g++'s `-fsanitize=thread`, which calls a function before every read and write;
// the functions are here, not in libtsan. They do nothing unless WEFT_SHADOW_MEMORY is "on".
//
// Two accesses to a byte race if they are of different threads of a launch, one at least is a write, they are
// not both atomic, and nothing orders them: `__syncthreads` orders the threads of a block, `__syncwarp` those
// that it names, and order.h says what fences and atomics order. A volatile read counts as atomic (PTX ISA, "Memory
// Consistency Model": volatile is relaxed), and so does a volatile write to global memory, but for another write or
// atomic: which of them comes last is open. To shared memory it is a plain write, since code of old relies there on
// more than it gives. A volatile read finds what was there before the latest volatile write a few times, unless something
// orders that write before. A plain read beside atomics is legitimate if the thread's next atomic is an atomicCAS of the same
// place, which knows whether the value was stale (CUDA C++ Programming Guide, "Atomic Functions"), or if it is a check
// that saves an atomic, or an atomicCAS (checked.h). Several threads may write one value to one place: which of them
// comes last is open, what is left there is not.
//
// All accesses of a launch are watched until there are too many, then those to half of all places, then to a quarter,
// and so on: places that are left have been watched from the start. Which places they are is another draw in each
// order of threads and launch. So it is with the pages of shadow memory.
//
// Time counts the synchronisations of the program; a time of 0 is none.
#include <link.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#include "checked.h"
#include "device.h"
#include "footprints.h"
#include "order.h"

namespace weft_cpu {
namespace {

constexpr size_t kWatchedAccesses = 1 << 19;  // of each part of the places
constexpr unsigned int kWatchedBlocks = 1 << 21;  // of more, a part is watched
constexpr size_t kArenaBytes = size_t{3} << 28;
constexpr size_t kHugePage = size_t{2} << 20;  // small launches do not need one
constexpr size_t kRecent = 16;
constexpr size_t kShadowPage = 4096, kWord = 4, kShadowWords = kShadowPage / kWord, kDrawnTogether = 16;

// Of reads and atomics, two of different threads are enough to find one that is not the writer's.
struct Cell {
    Access write, reads[2];
};
struct RareCell {
    Access volatile_write, volatile_read, atomics[2], latest_atomic;
};

// Cells for a page of what is watched: a cell for each word, while only whole words of it are accessed; for each of its
// bytes once it is mixed. Most pages have no volatile accesses and atomics, and take less than half of the room: the
// system needs longer to clear that than all else of a large launch.
struct Page {
    Cell words[kShadowWords];
    Cell* bytes;
    RareCell *rare_words, *rare_bytes;  // null before the first
    bool mixed[kShadowWords];
};

struct Range {
    const unsigned char* start;
    size_t bytes;
    bool shared;
    size_t of;  // bytes of the allocation; 0 if it is none
    unsigned int number;
    std::vector<Page*> pages;  // null before the first access, and where there is no room
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

// A place that holds an older value for the one read that follows.
struct Stale {
    unsigned char* address = nullptr;
    size_t bytes;
    unsigned long long value;  // what it holds else
};

// What a place of global memory held before the latest volatile write, and how often each thread will still find that.
struct Overwritten {
    Access write;
    size_t bytes;
    unsigned long long before;
    std::unordered_map<unsigned int, unsigned int> refusals;
};

// Bytes of which it is wanted where they are stored last. Kernels have processes of their own, so that the place is in
// memory that all share.
struct WatchedBytes {
    const unsigned char* start = nullptr;
    size_t bytes = 0;
    Instruction* stored_by;  // null inside: no kernel's

    bool meets(const unsigned char* first, size_t count) const {
        return first < start + bytes && start < first + count;
    }
};

struct Shadow {
    std::vector<Range> ranges;
    WatchedBytes last_store;
    Range* recent[kRecent];  // that have been accessed, by pages
    unsigned char* arena = nullptr;
    size_t arena_used = 0;
    size_t accesses;     // watched
    unsigned int parts;  // one in 2^parts of the places is watched
    unsigned long long seed = 0;
    unsigned int time = 0, block_start, barrier, first_thread, thread;
    unsigned int grid;  // until when all blocks have waited for each other
    bool resumed;       // the block has waited for the grid: who wrote its shared memory before is not known
    unsigned int blocks, of_blocks;  // watched so far; one in 2^of_blocks is
    bool of_host;  // arguments point to the host's variables
    std::vector<unsigned int> known;  // [thread][lane]: until when the lane's accesses are ordered before
    std::vector<Rewritten> rewritten;
    Orders orders;
    Checks checks;
    Guess guess;
    bool was_read;  // what the atomicCAS works on, by its thread
    Stale stale;
    std::unordered_map<const unsigned char*, Overwritten> overwritten;
    char rewriting[256];
    char unwritten[128];  // the first read of the block that found nothing written, and the thread that made it
    uint3 reader;
};

bool launch_watched = false, watching = false;
// Where the latest access that is watched returns to, and if a function of our headers makes it (weft_cpu/atomics.h),
// where that returns to.
const void *accessed_from = nullptr, *called_from = nullptr;

// The latest access that is watched: it is a call, of which a last byte is enough.
Instruction latest_access() {
    return {static_cast<const char*>(accessed_from) - 1,
            called_from ? static_cast<const char*>(called_from) - 1 : nullptr};
}

inline Shadow& shadow() {
    static auto* all = new Shadow;
    return *all;
}

bool read_setting() {
    const char* setting = getenv("WEFT_SHADOW_MEMORY");
    if (!setting || !strcmp(setting, "off")) return false;
    if (!strcmp(setting, "on")) return true;
    stop(kCudaError, "WEFT_SHADOW_MEMORY is '%s' (allowed: on, off)", setting);
}

inline unsigned int mixed_bits(unsigned long long number) {
    number = (number ^ number >> 31) * 0x9E3779B97F4A7C15ull;
    number = (number ^ number >> 29) * 0xBF58476D1CE4E5B9ull;
    return static_cast<unsigned int>(number >> 32);
}

// True for one number in 2^parts, of those that are drawn for one more part, too.
inline bool is_drawn(const Shadow& s, unsigned long long number, unsigned int parts) {
    return parts == 0 || (mixed_bits(number + s.seed) & ((1u << parts) - 1)) == 0;
}

// True if the place of a byte is among those that are watched.
inline bool is_drawn(const Shadow& s, const Range& range, size_t at) {
    return s.parts == 0 || is_drawn(s, range.number * 0x100000000ull + at / kDrawnTogether, s.parts);
}

void add_range(const void* start, size_t bytes, bool shared, size_t of) {
    if (bytes == 0) return;
    auto& ranges = shadow().ranges;
    const auto number = static_cast<unsigned int>(ranges.size());
    ranges.push_back({static_cast<const unsigned char*>(start), bytes, shared, of, number,
                      std::vector<Page*>((bytes + kShadowPage - 1) / kShadowPage)});
}

void* take(Shadow& s, size_t bytes) {
    if (!s.arena) {
        void* all = mmap(nullptr, kArenaBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all == MAP_FAILED) stop(kCudaError, "no memory to watch a launch");
        s.arena = static_cast<unsigned char*>(all);
        const size_t small = kHugePage + (-reinterpret_cast<uintptr_t>(all) & (kHugePage - 1));
        madvise(s.arena + small, kArenaBytes - small, MADV_HUGEPAGE);  // a fault for each page would take longer than the rest
    }
    if (bytes > kArenaBytes - s.arena_used) return nullptr;
    void* room = s.arena + s.arena_used;
    s.arena_used += (bytes + 15) / 16 * 16;
    return room;
}

// The page of a range that a byte is in; null if it is not watched.
Page* page_of(Shadow& s, Range& range, size_t at) {
    Page*& page = range.pages[at / kShadowPage];
    if (page) return page;
    // The more room is taken, the fewer pages get some.
    unsigned int parts = 0;
    for (size_t left = kArenaBytes; s.arena_used > kArenaBytes - left / 2 && parts < 16; left /= 2) ++parts;
    if (!range.shared && !is_drawn(s, range.number * 0x100000000ull + at / kShadowPage, parts)) return nullptr;
    return page = static_cast<Page*>(take(s, sizeof(Page)));
}

// What is accessed together: its cells, and how many bytes they stand for; no cell if they are not watched.
struct Watched {
    Cell* cell;
    RareCell* rare;  // not to be written unless it was asked for
    size_t bytes;
};

// Cells that are there now, if there is room.
template <typename Cells>
bool has_cells(Shadow& s, Cells*& cells, size_t count) {
    if (!cells) cells = static_cast<Cells*>(take(s, count * sizeof(Cells)));
    return cells;
}

// Gives each byte of a word a cell of its own, if there is room.
bool mix(Shadow& s, Page& page, size_t word) {
    if (!has_cells(s, page.bytes, kShadowPage)) return false;
    if (page.rare_words && !has_cells(s, page.rare_bytes, kShadowPage)) return false;
    page.mixed[word] = true;
    for (size_t i = word * kWord; i < (word + 1) * kWord; ++i) {
        page.bytes[i] = page.words[word];
        if (page.rare_words) page.rare_bytes[i] = page.rare_words[word];
    }
    return true;
}

// The first cell of an access to what lies from `at` to `end`, both counted from the start of the range.
Watched watched(Shadow& s, Range& range, size_t at, size_t end, bool is_rare) {
    static RareCell none;
    Page* page = page_of(s, range, at);
    const size_t word = at % kShadowPage / kWord, first = at / kWord * kWord;
    const bool whole = at == first && at + kWord <= end;
    if (!page) return {nullptr, nullptr, whole ? kWord : 1};
    if (whole && !page->mixed[word]) {
        if (is_rare && !has_cells(s, page->rare_words, kShadowWords)) return {nullptr, nullptr, kWord};
        return {&page->words[word], page->rare_words ? &page->rare_words[word] : &none, kWord};
    }
    if (!page->mixed[word] && !mix(s, *page, word)) return {nullptr, nullptr, 1};
    const size_t byte = at % kShadowPage;
    if (is_rare && !has_cells(s, page->rare_bytes, kShadowPage)) return {nullptr, nullptr, 1};
    return {&page->bytes[byte], page->rare_bytes ? &page->rare_bytes[byte] : &none, 1};
}

template <typename Visit>
void each_cell(Shadow& s, Range& range, const unsigned char* first, size_t bytes, Visit visit) {
    const size_t begin = first - range.start;
    const size_t end = begin + bytes < range.bytes ? begin + bytes : range.bytes;
    for (size_t at = begin; at < end;) {
        const Watched here = watched(s, range, at, end, false);
        if (here.cell) visit(*here.cell, *here.rare);
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

inline bool is_in(const Range* range, const unsigned char* address) {
    return range && static_cast<size_t>(address - range->start) < range->bytes;
}

inline Range*& recent(Shadow& s, const unsigned char* address) {
    return s.recent[reinterpret_cast<uintptr_t>(address) / kShadowPage % kRecent];
}

// The range that an address is in, if it is among those that have been accessed.
inline Range* recent_range(Shadow& s, const unsigned char* address) {
    Range* range = recent(s, address);
    return is_in(range, address) ? range : nullptr;
}

Range* range_of(const unsigned char* address) {
    Shadow& s = shadow();
    if (Range* range = recent_range(s, address)) return range;
    for (Range& range : s.ranges) {
        if (is_in(&range, address)) return recent(s, address) = &range;
    }
    return nullptr;
}

bool is_here(const Shadow& s, const Access& access, const Range& range) {
    return access.time > (range.shared ? s.block_start : 0);
}

Known now(const Shadow& s) {
    Known known{s.thread, s.time, s.barrier, {}};
    memcpy(known.lanes.data(), &s.known[s.thread % kBlockThreads * 32], sizeof known.lanes);
    return known;
}

bool races(const Shadow& s, const Access& access, const Range& range) {
    if (access.thread == s.thread || !is_here(s, access, range) || access.time <= s.grid) return false;
    if (block_of(access.thread) == block_of(s.thread)) {
        if (access.time <= s.barrier) return false;
        if (access.thread / 32 == s.thread / 32 &&
            access.time <= s.known[s.thread % kBlockThreads * 32 + access.thread % 32])
            return false;
    }
    return !s.orders.any() || !s.orders.ordered(access, now(s));
}

// Atomics on one place come one after the other, each with what those before it left. So a block whose atomic was
// the latest comes after all of them, and may then write there plainly, as the last block of a reduction does that
// resets its counter. An atomic of any other block after that races with this write.
bool comes_after_atomics(const Shadow& s, const RareCell& cell, const Range& range) {
    return block_of(cell.latest_atomic.thread) == block_of(s.thread) &&
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
    if (block_of(other.thread) == block_of(s.thread)) {
        const unsigned int number = other.thread % kBlockThreads;
        snprintf(thread, sizeof thread, "thread (%u, %u, %u)", number % blockDim.x,
                 number / blockDim.x % blockDim.y, number / blockDim.x / blockDim.y);
    }
    snprintf(text, sizeof text, "race: %s of %zu bytes at %s, after %s of %s that nothing orders%s", access,
             bytes, place, other_access, thread, code_place(latest_access()).text);
}

unsigned long long value_at(const void* address, size_t bytes) {
    unsigned long long value = 0;
    memcpy(&value, address, bytes < sizeof value ? bytes : sizeof value);
    return value;
}

// The read that comes next finds an older value.
void make_stale(Shadow& s, const unsigned char* address, size_t bytes, unsigned long long older) {
    if (bytes > sizeof older) return;
    s.stale = {const_cast<unsigned char*>(address), bytes, value_at(address, bytes)};
    memcpy(s.stale.address, &older, bytes);
}

// A volatile read in another order than the first may come before what another thread wrote. Later ones find what was
// written, as programs do that wait for it.
void read_late(Shadow& s, const unsigned char* address, size_t bytes, const Range& range) {
    const auto found = s.overwritten.find(address);
    if (order() == Order::kForward || found == s.overwritten.end()) return;
    Overwritten& last = found->second;
    if (last.bytes != bytes || !races(s, last.write, range)) return;
    unsigned int& refusals = last.refusals.insert({s.thread, 1 + mixed_bits(s.time + s.seed) % 3}).first->second;
    if (refusals == 0) return;
    --refusals;
    make_stale(s, address, bytes, last.before);
}

// Puts back what the last read found in an older state, and ends the program if the last write changed what another
// thread wrote.
void settle_now(Shadow& s) {
    if (s.stale.address) memcpy(s.stale.address, &s.stale.value, s.stale.bytes);
    s.stale.address = nullptr;
    for (const Rewritten& one : s.rewritten) {
        if (*one.address != one.value) stop(kRace, "%s", s.rewriting);
    }
    s.rewritten.clear();
}

inline void settle(Shadow& s) {
    if (s.stale.address || !s.rewritten.empty()) settle_now(s);
}

// Ends the program if the thread has read what others change by atomics, atomicCAS has not said whether it was stale, and
// no check saved the atomicCAS.
void settle_guess(Shadow& s) {
    if (s.guess.address && !s.checks.read(s.guess.address, s.thread, s.guess.text)) stop(kRace, "%s", s.guess.text);
    s.guess.address = nullptr;
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

// In which ways an atomic narrows its place; `left` is what it leaves there.
Ways ways_of(const void* address, size_t bytes, Atomic what, unsigned long long left) {
    if (what == Atomic::kNarrows) return kByItsKind;
    return what == Atomic::kSwaps ? ways_of_swap(value_at(address, bytes), left, bytes) : kNoWay;
}

// What shadow memory learns besides of atomics and volatile accesses: what they order. True if an atomic that would take a
// lock is refused for once.
bool synchronise(Shadow& s, const Range& range, const unsigned char* address, size_t bytes, Kind kind, Atomic what,
                 unsigned long long left) {
    const bool is_flag = kind == Kind::kVolatileRead && what != Atomic::kCompares;  // or an atomic that looks
    const bool is_lock = what == Atomic::kSets || what == Atomic::kSwaps;
    unsigned long long before = 0;
    if ((is_flag || is_lock) && s.orders.refuses(address, range.shared, now(s), mixed_bits(s.time + s.seed), is_flag, before)) {
        // What narrows would take its own value for another's, and go.
        const bool narrowed = what == Atomic::kSwaps && s.checks.narrows(address, ways_of(address, bytes, what, left));
        if (is_flag || narrowed) make_stale(s, address, bytes, before);
        else if (what == Atomic::kSwaps) make_stale(s, address, bytes, left);
        return true;
    }
    if (kind != Kind::kVolatileWrite) s.orders.acquire(address, range.shared, now(s), !is_flag && !is_lock);
    if (is_flag) return false;
    ++s.time;
    s.orders.change(address, range.shared, now(s), what != Atomic::kCompares, value_at(address, bytes));
    return false;
}

// A plain read beside atomics, and what is wrong with it unless it is a check, or the guess of an atomicCAS. True if
// it is known to be a check: of an atomicCAS, what comes next shows that.
bool is_check(Shadow& s, const unsigned char* first, size_t bytes, size_t at, const char (&text)[256]) {
    unsigned long long older;
    const bool late = order() == Order::kReverse || (order() == Order::kRandom && mixed_bits(s.time + at) % 2);
    if (late && !s.stale.address && s.checks.is_bounded(first, s.thread, older)) make_stale(s, first, bytes, older);
    if (s.checks.narrows(first, kByItsKind) && s.checks.read(first, s.thread, text)) return true;
    guess(s, first, bytes, text);
    return false;
}

bool lies_together(size_t begin, size_t bytes) { return begin / kDrawnTogether == (begin + bytes - 1) / kDrawnTogether; }

// True for a plain access to a place that is not watched, as most of a long launch are.
inline bool is_passed_over(const Shadow& s, const Range& range, size_t begin, size_t bytes) {
    return s.parts > 0 && lies_together(begin, bytes) && !is_drawn(s, range, begin);
}

// Does what `touch` does for a plain access, which is not passed over, to whole words that nobody else has accessed but in order, as most are: true if
// that is so.
inline bool touch_in_order(Shadow& s, Range& range, size_t begin, size_t bytes, Kind kind) {
    if (begin % kWord || bytes % kWord || begin + bytes > range.bytes || s.accesses == kWatchedAccesses ||
        (s.parts > 0 && !lies_together(begin, bytes)))
        return false;
    Page* page = range.pages[begin / kShadowPage];
    const size_t word = begin % kShadowPage / kWord, end = word + bytes / kWord;
    if (!page || page->rare_words || end > kShadowWords) return false;
    const unsigned int since = range.shared ? s.block_start : 0;
    const auto in_order = [&](const Access& access) {
        return access.thread == s.thread || access.time <= since || access.time <= s.grid ||
               (access.time <= s.barrier && block_of(access.thread) == block_of(s.thread));
    };
    for (size_t i = word; i < end; ++i) {
        const Cell& cell = page->words[i];
        if (page->mixed[i] || !in_order(cell.write)) return false;
        if (kind == Kind::kWrite ? !in_order(cell.reads[0]) || !in_order(cell.reads[1])
                                 : range.shared && cell.write.time <= since)
            return false;
    }
    ++s.accesses;
    for (size_t i = word; i < end; ++i) {
        if (kind == Kind::kWrite) page->words[i].write = {s.thread, s.time};
        else remember(s, page->words[i].reads, range);
    }
    return true;
}

// `sets` says that what was there before does not matter. `left` is what an atomicCAS leaves. True if an atomic is refused
// (order.h).
bool touch(const void* address, size_t bytes, Kind kind, bool sets, Atomic what = Atomic::kCounts, bool in_block = false,
           unsigned long long left = 0) {
    Shadow& s = shadow();
    const auto* first = static_cast<const unsigned char*>(address);
    const bool is_plain = kind == Kind::kRead || kind == Kind::kWrite;
    settle(s);
    if (kind != Kind::kRead && kind != Kind::kVolatileRead && s.last_store.meets(first, bytes))
        *s.last_store.stored_by = latest_access();
    Range* range = recent_range(s, first);
    if (!range && is_local(address)) return false;
    if (s.of_host) check_arguments(address, bytes, name_of(kind), latest_access());
    if (!range) range = range_of(first);
    if (!range) {
        check_foreign(address, bytes, name_of(kind), latest_access());
        return false;
    }
    const size_t begin = first - range->start;
    const bool synchronises = !is_plain && s.orders.any();
    const bool together = lies_together(begin, bytes);
    if (!synchronises && together && !is_drawn(s, *range, begin)) return false;
    const bool moved_on = ++s.accesses > kWatchedAccesses && s.parts < 16;
    if (moved_on) {
        s.accesses = 0;
        ++s.parts;
    }
    const char* name = name_of(kind);
    if (kind == Kind::kVolatileWrite && range->shared) kind = Kind::kWrite;
    if (begin + bytes > range->bytes && range->bytes == range->of) {
        stop(kOutOfBounds, "%s of %zu bytes that leaves an allocation of %zu bytes%s", name, bytes, range->of,
             code_place(latest_access()).text);
    }
    // What is put off only reads.
    const bool refused = synchronises && synchronise(s, *range, first, bytes, kind, what, left);
    if (refused) kind = Kind::kVolatileRead;
    bool written = !range->shared || sets || s.resumed || (bytes == 1 && shared_guards());
    // Of an atomic: no other one was there before, the thread has read the place, and others' reads race.
    bool alone = true, was_read = what == Atomic::kSwaps && s.was_read;
    char checked[256];
    checked[0] = '\0';
    const bool writes = kind == Kind::kWrite || kind == Kind::kVolatileWrite;
    const bool is_rare = kind != Kind::kRead && kind != Kind::kWrite;
    const Ways ways = kind == Kind::kAtomic ? ways_of(first, bytes, what, left) : kNoWay;
    const size_t end = begin + bytes < range->bytes ? begin + bytes : range->bytes;
    for (size_t at = begin; at < end;) {
        const bool drawn = (together && !synchronises && !moved_on) || is_drawn(s, *range, at);
        const Watched here = drawn ? watched(s, *range, at, end, is_rare) : Watched{nullptr, nullptr, 1};
        const unsigned char* byte = range->start + at;
        at += here.bytes;
        if (!here.cell) {
            written = true;
            continue;
        }
        Cell& cell = *here.cell;
        RareCell& rare = *here.rare;
        written = written || is_here(s, cell.write, *range) || is_here(s, rare.atomics[0], *range);
        if (ways) {
            alone = alone && !is_here(s, rare.atomics[0], *range);
            for (const Access& read : cell.reads)
                was_read = was_read || (read.thread == s.thread && is_here(s, read, *range));
        }
        const Access* other = races(s, cell.write, *range) ? &cell.write : nullptr;
        const char* other_name = "a write";
        if (!other && kind != Kind::kVolatileRead && what != Atomic::kSwaps && what != Atomic::kSets &&
            races(s, rare.volatile_write, *range)) {
            other = &rare.volatile_write;
            other_name = "a volatile write";
        }
        if (other && writes) {
            if (s.rewritten.empty())
                describe_race(s, *range, byte, bytes, name, other_name, *other, s.rewriting);
            for (size_t i = 0; i < here.bytes; ++i) s.rewritten.push_back({byte + i, byte[i]});
            other = nullptr;
        }
        bool is_atomic = false;
        if (!other && (kind == Kind::kRead || writes || in_block)) {
            other = racing(s, rare.atomics, *range);
            other_name = "an atomic";
            const bool of_block = other && block_of(other->thread) == block_of(s.thread);
            if (in_block && of_block) other = nullptr;
            if (other && writes && comes_after_atomics(s, rare, *range)) other = nullptr;
            is_atomic = other;
        }
        if (!other && (kind == Kind::kAtomic || writes)) {
            other = racing(s, cell.reads, *range);
            other_name = "a read";
            if (other && ways && (alone || s.checks.narrows(first, ways))) {
                describe_race(s, *range, byte, bytes, name, other_name, *other, checked);
                other = nullptr;
            }
        }
        if (!other && kind == Kind::kWrite && races(s, rare.volatile_read, *range)) {
            other = &rare.volatile_read;
            other_name = "a read";
        }
        if (other) {
            char text[256];
            describe_race(s, *range, byte, bytes, name, other_name, *other, text);
            if (kind != Kind::kRead || !is_atomic) stop(kRace, "%s", text);
            if (is_check(s, first, bytes, begin, text)) continue;
        }
        switch (kind) {
            case Kind::kRead:
                remember(s, cell.reads, *range);
                break;
            case Kind::kVolatileRead:
                rare.volatile_read = {s.thread, s.time};
                break;
            case Kind::kWrite:
                cell.write = {s.thread, s.time};
                break;
            case Kind::kVolatileWrite:
                rare.volatile_write = {s.thread, s.time};
                break;
            case Kind::kAtomic:
                remember(s, rare.atomics, *range);
                rare.latest_atomic = {s.thread, s.time};
                break;
        }
    }
    if (kind == Kind::kAtomic) s.checks.change(first, s.thread, ways, alone, was_read, checked, value_at(first, bytes));
    if (what == Atomic::kSwaps || what == Atomic::kCompares)
        s.checks.show(first, s.thread, s.was_read, what == Atomic::kSwaps && !refused ? left : value_at(first, bytes));
    if (kind == Kind::kWrite) s.checks.write(first);
    if (kind == Kind::kVolatileWrite) s.overwritten[first] = {{s.thread, s.time}, bytes, value_at(first, bytes), {}};
    if (kind == Kind::kVolatileRead && what == Atomic::kCounts && !refused) read_late(s, first, bytes, *range);
    if (synchronises) ++s.time;
    if (!written && !s.unwritten[0]) {
        snprintf(s.unwritten, sizeof s.unwritten, "%s of %zu bytes of shared memory that nobody wrote%s", name,
                 bytes, code_place(latest_access()).text);
        s.reader = threadIdx;
    }
    return refused;
}

// True for the variables in which threads find who they are, and in which launch.
inline bool is_own_number(const unsigned char* address) {
    const auto in = [address](const void* start, size_t bytes) {
        return static_cast<size_t>(address - static_cast<const unsigned char*>(start)) < bytes;
    };
    return in(&threadIdx, sizeof threadIdx) || in(&blockIdx, sizeof blockIdx) || in(&blockDim, sizeof blockDim) ||
           in(&gridDim, sizeof gridDim);
}

inline void touch_plainly(const void* address, size_t bytes, Kind kind) {
    Shadow& s = shadow();
    settle(s);
    const auto* first = static_cast<const unsigned char*>(address);
    Range* range = recent_range(s, first);
    if (range && !s.of_host && !s.last_store.bytes) {
        const auto begin = static_cast<size_t>(first - range->start);
        if (is_passed_over(s, *range, begin, bytes) || touch_in_order(s, *range, begin, bytes, kind)) return;
    }
    if (!range && is_local(address)) return;
    if (kind == Kind::kRead && is_own_number(first)) return;
    touch(address, bytes, kind, kind == Kind::kWrite);
}

// Ends the program if shared memory was read that nobody had written. It is known only when all threads have
// come to a barrier: a write before that is a race.
void check_unwritten(const Shadow& s) {
    if (!s.unwritten[0]) return;
    threadIdx = s.reader;
    stop(kUnwrittenRead, "%s", s.unwritten);
}

unsigned char ways_of(const Cell& cell, const RareCell* rare) {
    unsigned int ways = (cell.write.time ? kWrites : 0) | (cell.reads[0].time || cell.reads[1].time ? kReads : 0);
    if (rare && (rare->atomics[0].time || rare->volatile_read.time || rare->volatile_write.time)) ways |= kAtomics;
    return static_cast<unsigned char>(ways);
}

// Ends the program if the bytes were touched by other work that may be done at the same time.
void leave_footprint(const Range& range, size_t begin, size_t end, unsigned char ways) {
    const RunningWork work = running_work();
    const Footprint own{range.start + begin, end - begin, ways, work.stream, work.number};
    if (!ways || !footprints().add(own)) return;
    char place[96] = "a variable of the program";
    if (range.of) snprintf(place, sizeof place, "%zu bytes at byte %zu of an allocation of %zu bytes", own.bytes, begin, range.of);
    stop(kRace, "race: kernels on two streams, of which neither waits for the other, touch %s, and one of them writes", place);
}

// What the launch has touched of global memory.
void leave_footprints(const Shadow& s) {
    for (const Range& range : s.ranges) {
        size_t begin = 0;
        unsigned char before = 0;
        const auto visit = [&](size_t at, unsigned char ways) {
            if (ways == before) return;
            leave_footprint(range, begin, at, before);
            begin = at;
            before = ways;
        };
        for (size_t number = 0; !range.shared && number < range.pages.size(); ++number) {
            const Page* page = range.pages[number];
            for (size_t word = 0; word < kShadowWords; ++word) {
                const size_t at = number * kShadowPage + word * kWord, byte = word * kWord;
                if (!page || !page->mixed[word]) {
                    visit(at, page ? ways_of(page->words[word], page->rare_words ? &page->rare_words[word] : nullptr) : 0);
                    continue;
                }
                for (size_t i = 0; i < kWord; ++i)
                    visit(at + i, ways_of(page->bytes[byte + i], page->rare_bytes ? &page->rare_bytes[byte + i] : nullptr));
            }
        }
        visit(range.bytes, 0);
    }
}

}  // namespace

bool is_watched() {
    static const bool on = read_setting();
    return on;
}

void watch_launch(unsigned long long blocks, size_t dynamic_shared_bytes) {
    launch_watched = watching = is_watched();
    if (!watching) return;
    Shadow& s = shadow();
    for (Range*& one : s.recent) one = nullptr;
    s.accesses = s.parts = s.blocks = 0;
    s.seed += 1 + static_cast<unsigned long long>(order());
    s.barrier = s.block_start = ++s.time;
    s.grid = 0;
    s.orders = {};
    s.checks = {};
    s.overwritten.clear();
    s.known.assign(kBlockThreads * 32, 0);
    s.unwritten[0] = '\0';
    for (s.of_blocks = 0; blocks >> s.of_blocks > kWatchedBlocks;) ++s.of_blocks;
    add_range(dynamic_shared, dynamic_shared_bytes, true, 0);
    const Piece shared = shared_memory();
    add_range(shared.start, shared.bytes, true, 0);
    for_each_allocation([](const void* start, size_t bytes) { add_range(start, bytes, false, bytes); });
    dl_iterate_phdr(add_variables, nullptr);
    s.of_host = watch_arguments();
}

void watch_block(unsigned long long position) {
    if (!launch_watched) return;
    Shadow& s = shadow();
    check_unwritten(s);
    watching = is_drawn(s, position, s.of_blocks);
    if (!watching) return;
    s.first_thread = s.blocks++ * kBlockThreads;
    s.barrier = s.block_start = s.time++;
    s.resumed = false;
}

unsigned int watch_park() {
    if (watching) check_unwritten(shadow());
    return shadow().first_thread;
}

void watch_grid() {
    if (launch_watched) shadow().grid = shadow().time++;
}

void watch_unpark(unsigned int first_thread) {
    if (!watching) return;
    Shadow& s = shadow();
    s.first_thread = first_thread;
    s.barrier = s.block_start = s.time++;
    s.resumed = true;
}

void watch_thread(unsigned int number) {
    if (watching) shadow().thread = shadow().first_thread + number;
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
    if (!launch_watched) return;
    Shadow& s = shadow();
    if (watching) check_unwritten(s);
    watching = launch_watched = false;
    if (const char* wrong = s.checks.wrong()) stop(kRace, "%s", wrong);
    if (footprints().are_kept()) leave_footprints(s);
    s.ranges.clear();
    if (s.arena_used) madvise(s.arena, s.arena_used, MADV_DONTNEED);
    s.arena_used = 0;
}

void watch_bytes(const void* start, size_t bytes) {
    void* shared = mmap(nullptr, sizeof(Instruction), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) stop(kCudaError, "no memory for the last store");
    shadow().last_store = {static_cast<const unsigned char*>(start), bytes, static_cast<Instruction*>(shared)};
}

void forget_last_store(const void* address, size_t bytes) {
    const WatchedBytes& wanted = shadow().last_store;
    if (wanted.meets(static_cast<const unsigned char*>(address), bytes)) *wanted.stored_by = {};
}

void tell_last_store() {
    const WatchedBytes& wanted = shadow().last_store;
    if (wanted.bytes && wanted.stored_by->at) stop(kStored, "the last store is%s", code_place(*wanted.stored_by).text);
}

void fence(bool of_device) {
    if (!watching) return;
    Shadow& s = shadow();
    s.orders.fence(now(s), of_device);
    ++s.time;
}

void settle_reads() {
    if (watching) settle(shadow());
}

void check_guess(const void* address, size_t bytes) {
    if (!watching) return;
    settle_reads();
    Shadow& s = shadow();
    s.was_read = false;
    const auto* first = static_cast<const unsigned char*>(address);
    if (s.guess.address == first && s.guess.bytes == bytes) s.guess.address = nullptr;
    Range* range = range_of(first);
    if (!range) return;
    each_cell(s, *range, first, bytes, [&s](Cell& cell, const RareCell&) {
        for (Access& read : cell.reads) {
            if (read.thread != s.thread) continue;
            s.was_read |= read.time != 0;
            read.time = 0;
        }
    });
}

void touch_read_only(const void* address, size_t bytes) {
    if (!watching) return;
    const auto* first = static_cast<const unsigned char*>(address);
    Range* range = range_of(first);
    if (!range) return;
    each_cell(shadow(), *range, first, bytes, [bytes](const Cell& cell, const RareCell& rare) {
        if (cell.write.time == 0 && rare.volatile_write.time == 0 && rare.atomics[0].time == 0) return;
        stop(kRace, "race: a read of %zu bytes that takes them for constant (__ldg), after a write of the same launch", bytes);
    });
}

bool touch_atomically(const void* address, size_t bytes, Atomic what, bool in_block, unsigned long long left) {
    // What leaves the place as it is only reads.
    const Kind kind = what == Atomic::kCompares || what == Atomic::kLooks ? Kind::kVolatileRead : Kind::kAtomic;
    if (!watching) return false;
    accessed_from = __builtin_return_address(1);
    called_from = __builtin_return_address(2);
    const bool refused = touch(address, bytes, kind, what == Atomic::kSets, what, in_block, left);
    called_from = nullptr;
    return refused;
}

}  // namespace weft_cpu

#include "instrumented.h"

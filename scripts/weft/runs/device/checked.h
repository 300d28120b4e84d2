// Plain reads that only save an atomic: `if (value > *most) atomicMax(most, value)`. A stale value costs an atomic that
// changes nothing, where all atomics of the place are of one kind that narrows it (atomicMin and Max, And, Or): each
// value that it ever held is a bound of the one that it has. Who uses the value for something else is shown by it: in
// reverse order reads give what was there before the launch, and in random order one of both.
//
// So it is with loops of atomicCAS that stop early, `old = *most; while (value > old) { ... }`, where all atomics of the
// place are atomicCAS and move its value one way. Which order the program means is not known: one of them has to fit.
// A thread's read is no older there than what its atomicCAS showed: a loop that reads again must come to an end.
#pragma once

#include <cstdio>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "device.h"

namespace weft_cpu {
namespace {

// The ways in which an atomic narrows a place, as bits; none if it does not.
using Ways = unsigned int;
constexpr Ways kNoWay = 0, kByItsKind = 1;  // atomicMin and its like

Ways one_way(bool up, bool down, unsigned int order) { return (Ways{up} << 1 | Ways{down} << 2) << 2 * order; }

// The orders in which an atomicCAS moves the value up or down: as unsigned, as signed, and as floating point, whose sign
// is a bit of its own.
Ways ways_of_swap(unsigned long long from, unsigned long long to, size_t bytes) {
    const unsigned int unused = 64 - 8 * static_cast<unsigned int>(bytes);
    from <<= unused;
    to <<= unused;
    const auto low = static_cast<long long>(from), high = static_cast<long long>(to);
    const auto real = [](unsigned long long bits) {
        const auto size = static_cast<long long>(bits & ~0ull >> 1);
        return bits >> 63 ? -size : size;
    };
    return one_way(from <= to, from >= to, 0) | one_way(low <= high, low >= high, 1) |
           one_way(real(from) <= real(to), real(from) >= real(to), 2);
}

class Checks {
    struct Place {
        Ways ways;  // of all its atomics
        unsigned long long before;
        std::unordered_set<unsigned int> readers, changers;
        std::unordered_map<unsigned int, unsigned long long> shown;  // by its latest atomicCAS, by thread
        bool used, is_check;  // some read raced; some thread read first, and changed it then
        char text[256];

        // Who changes the place without a look at it, and then looks, saves nothing by that.
        bool may_check(unsigned int thread) const { return ways && (!changers.count(thread) || readers.count(thread)); }
        bool is_wrong() const { return used && !(ways && is_check); }
    };

public:
    // An atomic that narrows the place, or, if it is known, another one. `text` says what is wrong with a read of before
    // that was no check; `was_read` that the thread itself has read.
    void change(const void* address, unsigned int thread, Ways ways, bool alone, bool was_read, const char (&text)[256],
                unsigned long long before) {
        if (!ways && places_.empty()) return;
        const auto found = places_.find(address);
        if (!ways) {
            if (found != places_.end()) found->second.ways = kNoWay;
            return;
        }
        Place& place = found != places_.end() ? found->second : places_[address];
        if (found == places_.end()) place = {alone ? ways : kNoWay, before, {}, {}, {}, false, false, ""};
        place.ways &= ways;
        if (text[0]) use(place, text);
        if (was_read) place.readers.insert(thread);
        place.is_check |= place.readers.count(thread) != 0;
        place.changers.insert(thread);
    }

    // An atomicCAS has shown the thread what the place holds, or left it there.
    void show(const void* address, unsigned int thread, bool was_read, unsigned long long value) {
        if (places_.empty()) return;
        const auto found = places_.find(address);
        if (found == places_.end()) return;
        if (was_read) found->second.readers.insert(thread);
        found->second.shown[thread] = value;
    }

    // What was there before is no more.
    void write(const void* address) {
        if (places_.empty()) return;
        const auto found = places_.find(address);
        if (found != places_.end() && !found->second.is_wrong()) places_.erase(found);
    }

    // True if the place is narrowed in one of these ways by all its atomics.
    bool narrows(const void* address, Ways ways) const {
        const auto found = places_.find(address);
        return found != places_.end() && (found->second.ways & ways);
    }

    // True if a read that races with atomics may find an older value, which no check takes amiss.
    bool is_bounded(const void* address, unsigned int thread, unsigned long long& older) const {
        if (places_.empty()) return false;
        const auto found = places_.find(address);
        if (found == places_.end() || !found->second.may_check(thread)) return false;
        const auto shown = found->second.shown.find(thread);
        older = shown == found->second.shown.end() ? found->second.before : shown->second;
        return true;
    }

    // True if a read that races with atomics may be a check; `text` says what it is if it is none.
    bool read(const void* address, unsigned int thread, const char (&text)[256]) {
        if (places_.empty()) return false;
        const auto found = places_.find(address);
        if (found == places_.end() || !found->second.may_check(thread)) return false;
        found->second.readers.insert(thread);
        use(found->second, text);
        return true;
    }

    // What is wrong with a read of the launch: of a place that nobody changed after a check.
    const char* wrong() const {
        for (const auto& [address, place] : places_) {
            if (place.is_wrong()) return place.text;
        }
        return nullptr;
    }

private:
    static void use(Place& place, const char (&text)[256]) {
        if (!place.used) memcpy(place.text, text, sizeof text);
        place.used = true;
    }

    std::unordered_map<const void*, Place> places_;
};

}  // namespace
}  // namespace weft_cpu

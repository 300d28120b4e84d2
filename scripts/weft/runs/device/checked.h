// Plain reads that only save an atomic: `if (value > *most) atomicMax(most, value)`. A stale value costs an atomic that
// changes nothing, where all atomics of the place are of one kind that narrows it (atomicMin and Max, And, Or): each
// value that it ever held is a bound of the one that it has. Who uses the value for something else is shown by it: in
// reverse order reads give what was there before the launch, and in random order one of both.
#pragma once

#include <cstdio>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "device.h"

namespace weft_cpu {
namespace {

class Checks {
    struct Place {
        bool narrows_only;
        unsigned long long before;
        std::unordered_set<unsigned int> readers, changers;
        bool used, is_check;  // some read raced; some thread read first, and changed it then
        char text[256];

        bool is_wrong() const { return used && !(narrows_only && is_check); }
    };

public:
    // An atomic that narrows the place, or, if it is known, another one. `text` says what is wrong with a read of before
    // that was no check; `was_read` that the thread itself has read.
    void change(const void* address, unsigned int thread, bool narrows, bool alone, bool was_read, const char (&text)[256],
                unsigned long long before) {
        if (!narrows && places_.empty()) return;
        const auto found = places_.find(address);
        if (!narrows) {
            if (found != places_.end()) found->second.narrows_only = false;
            return;
        }
        Place& place = found != places_.end() ? found->second : places_[address];
        if (found == places_.end()) place = {alone, before, {}, {}, false, false, ""};
        if (text[0]) use(place, text);
        if (was_read) place.readers.insert(thread);
        place.is_check |= place.readers.count(thread) != 0;
        place.changers.insert(thread);
    }

    // What was there before is no more.
    void write(const void* address) {
        if (places_.empty()) return;
        const auto found = places_.find(address);
        if (found != places_.end() && !found->second.is_wrong()) places_.erase(found);
    }

    bool narrows(const void* address) const {
        const auto found = places_.find(address);
        return found != places_.end() && found->second.narrows_only;
    }

    // True if a read that races with atomics may be a check; `text` says what it is if it is none. `before` is what
    // the place held before.
    bool read(const void* address, unsigned int thread, const char (&text)[256], unsigned long long& before) {
        if (places_.empty()) return false;
        const auto found = places_.find(address);
        if (found == places_.end() || !found->second.narrows_only) return false;
        Place& place = found->second;
        if (place.changers.count(thread) && !place.readers.count(thread)) return false;
        place.readers.insert(thread);
        use(place, text);
        before = place.before;
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

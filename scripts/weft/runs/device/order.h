// What atomics order (PTX ISA, "Memory Consistency Model"): what a thread did before a fence comes before what it does
// to a place atomically after the fence (a release), and that before what others do once they have found it there (an
// acquire). A fence alone orders nothing. What others of the block did before a barrier goes along, and so does what
// the block had acquired. No fence is asked for after the acquire: programs go without, after a barrier or a branch.
//
// A run shows one order of many, so an acquire counts only where it can make a thread wait:
// - What counts (atomicAdd) orders what a block did before it first changed the place, as when the last block to
//   arrive adds up what all have left. What a block did after that is ordered by locks, which a count is not.
// - Who means to take a lock (atomicCAS, atomicExch) finds it taken a few times, and who reads a volatile flag finds
//   what was there before: who does not try again has acquired nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "device.h"

namespace weft_cpu {
namespace {

constexpr unsigned int kBlockThreads = 1024;
// Of the search for what a thread knows already when it looks at a place or means to take a lock: each of a hundred
// thousand threads may do so again and again.
constexpr size_t kKnownSteps = 4096;

struct Access {
    unsigned int thread;  // position of the block among those that run × kBlockThreads + number in the block
    unsigned int time;
};

unsigned int block_of(unsigned int thread) { return thread / kBlockThreads; }

// What a thread knows to be done: all that its block did until the last barrier, and its warp's lanes until `lanes`.
struct Known {
    unsigned int thread, time, barrier;
    std::array<unsigned int, 32> lanes;

    bool covers(unsigned int other, unsigned int when) const {
        if (other == thread) return when <= time;
        if (block_of(other) != block_of(thread)) return false;
        return when <= barrier || (other / 32 == thread / 32 && when <= lanes[other % 32]);
    }
};

class Orders {
    struct Release {
        Known at, fences[2];  // the thread's last fence of its block, or wider, and of the device
    };
    struct Place {
        std::vector<Release> releases;
        std::unordered_map<unsigned int, std::vector<size_t>> of_block;
        std::unordered_map<unsigned int, unsigned int> first_of_block, first_of_thread;  // when they changed it first
        std::unordered_map<unsigned int, size_t> acquired;                               // releases, by thread
        std::unordered_map<unsigned int, size_t> noted[2];                               // of `acquires_`, also by count
        std::unordered_map<unsigned int, unsigned int> refusals;                         // still to come, by thread
        unsigned long long before = 0;  // what it held before the last release
    };
    struct Acquire {
        unsigned int thread, time;
        const Place* place;
        size_t count;  // of the place's releases
        bool by_count;
    };
    struct Thread {
        std::vector<unsigned int> times[2];  // of its fences, of each scope
        Known fences[2];
    };
    // The place, and of shared memory the block: each has its own.
    using Key = std::pair<const void*, unsigned int>;

public:
    bool any() const { return !threads_.empty(); }

    void fence(const Known& now, bool of_device) {
        Thread& thread = threads_[now.thread];
        for (int scope = 0; scope <= int(of_device); ++scope) {
            thread.times[scope].push_back(now.time);
            thread.fences[scope] = now;
        }
        fenced_.insert({block_of(now.thread), now.time});
    }

    // The thread changes a place atomically, or might have. What it does then has a later time.
    void change(const void* address, bool shared, const Known& now, bool changes, unsigned long long before) {
        Place& place = places_[key(address, shared, now.thread)];
        place.first_of_thread.insert({now.thread, now.time});
        place.first_of_block.insert({block_of(now.thread), now.time});
        const auto own = threads_.find(now.thread);
        const auto of_block = fenced_.find(block_of(now.thread));
        const bool by_others = of_block != fenced_.end() && of_block->second <= now.barrier;
        if (!changes || (own == threads_.end() && !by_others)) return;
        place.of_block[block_of(now.thread)].push_back(place.releases.size());
        Release release{now, {}};
        if (own != threads_.end()) std::copy_n(own->second.fences, 2, release.fences);
        place.releases.push_back(release);
        place.before = before;
        place.acquired[now.thread] = place.releases.size();
    }

    // True if there is something to acquire that the thread does not know, and it gets it only when it asks again. What
    // looks gets what the place held `before`, and all but the last release.
    bool refuses(const void* address, bool shared, const Known& now, unsigned int draw, bool looks, unsigned long long& before) {
        Place* place = find(address, shared, now.thread);
        if (!place || place->releases.empty() || place->acquired[now.thread] == place->releases.size()) return false;
        const Known& latest = place->releases.back().at;
        if (now.covers(latest.thread, latest.time) || ordered({latest.thread, latest.time}, now, kKnownSteps)) return false;
        before = place->before;
        const auto found = place->refusals.insert({now.thread, 1 + draw % 3}).first;
        if (found->second-- == 0) {
            place->refusals.erase(found);
            return false;
        }
        if (looks) acquires_[block_of(now.thread)].push_back({now.thread, now.time, place, place->releases.size() - 1, false});
        return true;
    }

    void acquire(const void* address, bool shared, const Known& now, bool by_count) {
        Place* place = find(address, shared, now.thread);
        if (!place || place->releases.empty()) return;
        const size_t count = place->releases.size();
        place->acquired[now.thread] = count;
        // Who waits in a loop finds the same again and again.
        size_t& noted = place->noted[by_count][now.thread];
        if (noted == count) return;
        noted = count;
        acquires_[block_of(now.thread)].push_back({now.thread, now.time, place, count, by_count});
    }

    // True if what the thread knows to be acquired orders the access before what it does now, or if that takes more than
    // so many steps to find out.
    bool ordered(const Access& access, const Known& now, size_t most = SIZE_MAX) const {
        std::map<const Place*, size_t> seen;
        return acquired(access, now, now.thread, seen, most);
    }

private:
    static Key key(const void* address, bool shared, unsigned int thread) {
        return {address, shared ? block_of(thread) + 1 : 0};
    }

    Place* find(const void* address, bool shared, unsigned int thread) {
        const auto found = places_.find(key(address, shared, thread));
        return found == places_.end() ? nullptr : &found->second;
    }

    bool acquired(const Access& access, const Known& known, unsigned int by, std::map<const Place*, size_t>& seen,
                  size_t& most) const {
        const auto found = acquires_.find(block_of(by));
        if (found == acquires_.end()) return false;
        for (const Acquire& one : found->second) {
            if (most-- == 0) return true;
            if (!known.covers(one.thread, one.time)) continue;
            size_t& count = seen[one.place];
            if (count >= one.count) continue;
            if (released(access, one)) return true;
            const size_t from = count;
            count = one.count;
            for (size_t i = from; i < one.count; ++i) {
                if (most-- == 0) return true;
                const Release& release = one.place->releases[i];
                const bool apart = block_of(release.at.thread) != block_of(one.thread);
                if (release.fences[apart].time && block_of(release.at.thread) != block_of(by) &&
                    acquired(access, release.fences[apart], release.at.thread, seen, most))
                    return true;
            }
        }
        return false;
    }

    bool released(const Access& access, const Acquire& by) const {
        const auto found = by.place->of_block.find(block_of(access.thread));
        if (found == by.place->of_block.end()) return false;
        const bool apart = block_of(access.thread) != block_of(by.thread);
        if (by.by_count && is_after_first(access, *by.place, apart)) return false;
        const auto thread = threads_.find(access.thread);
        for (const size_t number : found->second) {
            if (number >= by.count) break;
            const Release& release = by.place->releases[number];
            if (access.thread == release.at.thread && access.time == release.at.time) return true;  // itself
            const Known& fence = release.fences[apart];
            if (fence.time && fence.covers(access.thread, access.time)) return true;
            // A fence of its own, and then a barrier.
            if (thread == threads_.end()) continue;
            const std::vector<unsigned int>& times = thread->second.times[apart];
            const auto next = std::lower_bound(times.begin(), times.end(), access.time);
            if (next != times.end() && release.at.covers(access.thread, *next)) return true;
        }
        return false;
    }

    static bool is_after_first(const Access& access, const Place& place, bool apart) {
        const auto& first = apart ? place.first_of_block : place.first_of_thread;
        const auto found = first.find(apart ? block_of(access.thread) : access.thread);
        return found != first.end() && access.time > found->second;
    }

    std::unordered_map<unsigned int, Thread> threads_;         // those with a fence
    std::unordered_map<unsigned int, unsigned int> fenced_;    // when a block had its first fence
    std::map<Key, Place> places_;
    std::unordered_map<unsigned int, std::vector<Acquire>> acquires_;  // by block
};

}  // namespace
}  // namespace weft_cpu

// The program round the launchers of a shard: it reads inputs, makes memory, calls a launcher, and writes what is
// in memory then. It is compiled once for a device and knows samples by their tables (driver.h).
//
//     program --batch FILE
//
// runs a command from each line of FILE; `begin N` and `end N STATUS` go to standard output around command N.
//     SAMPLE --main FILE                                   the sample's own main, whose output goes to FILE
//     SAMPLE INPUTS OUTPUTS FILL REPEAT [NUMBER ...]       one launch, from array file (`FILE` or `FILE:OFFSET`) to the end
//                                                          of a file of array files; FILL is the byte that arrays hold of which INPUTS has the shape
//                                                          alone. With REPEAT above 0 so many launches are timed,
//                                                          and OUTPUTS gets what the last one leaves, unless it is `-`.
//     SAMPLE --watch ARRAY ELEMENT OFFSET BYTES            on the CPU device: once the launch that comes next has written
//                                                          its outputs, the program ends, and says where a kernel has stored last in these
//                                                          packed bytes of an element
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver.h"

#ifdef WEFT_CPU_DEVICE
namespace weft_cpu {
// device.h
void keep_open(bool keep);
void watch_bytes(const void* start, size_t bytes);
void tell_last_store();
}
#endif

namespace weft_driver {
namespace {

[[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(EXIT_FAILURE);
}

void check(cudaError_t status) {
    if (status != cudaSuccess) fail(cudaGetErrorString(status));
}

// Memory that is kept for the next launch, so that the system does not have to find some for every case. It holds
// anything at first. While a sample's code runs, nobody can look into it. Only as much is opened as is asked for: the
// system takes time for every page.
class Room {
public:
    unsigned char* of(size_t bytes) {
        unsigned char* start = closed(bytes);
        open(bytes);
        return start;
    }

    // Room for so many bytes, to be opened as far as they are used.
    unsigned char* closed(size_t bytes) {
        if (bytes > bytes_) {
            if (start_) munmap(start_, bytes_);
            void* memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (memory == MAP_FAILED) fail("out of host memory");
            start_ = static_cast<unsigned char*>(memory);
            bytes_ = bytes;
            open_ = 0;
        }
        return start_;
    }

    void open(size_t bytes) {
        if (bytes <= open_) return;
        mprotect(start_, bytes, PROT_READ | PROT_WRITE);
        open_ = bytes;
    }

    // How many bytes were open.
    size_t close() {
        if (open_ > 0) mprotect(start_, open_, PROT_NONE);
        return std::exchange(open_, 0);
    }

private:
    unsigned char* start_ = nullptr;
    size_t bytes_ = 0;
    size_t open_ = 0;
};

Room content, unpacked, packed;  // of the inputs' file, and an array as the host has it, and as files have it

// An array of an array file. Of one that only has a shape, `size` is 0.
struct Stored {
    std::string name, type;
    std::vector<uint64_t> shape;
    size_t size;
    const unsigned char* bytes;
};

// An array file (docs/formats/runs.md), alone or at an offset of a file: `inputs` or `inputs:4096`. There is one at a time.
class ArrayFile {
public:
    explicit ArrayFile(const char* words) : path_(words) {
        const size_t colon = path_.rfind(':');
        const long offset = colon == std::string::npos ? 0 : std::atol(words + colon + 1);
        path_.resize(std::min(colon, path_.size()));
        file_ = open(path_.c_str(), O_RDONLY);
        struct stat status {};
        if (file_ < 0 || fstat(file_, &status) != 0 || lseek(file_, offset, SEEK_SET) != offset) refuse("cannot be read");
        left_over_ = size_t(std::max(status.st_size - offset, off_t{0}));
        next_ = end_ = content.closed(left_over_);
        if (std::memcmp(take(8), "WEFTARR1", 8) != 0) refuse("is no array file");
        for (uint32_t left = number<uint32_t>(); left > 0; --left) {
            Stored stored;
            stored.name = text();
            stored.type = text();
            const uint32_t rank = number<uint32_t>();
            for (uint32_t axis = 0; axis < rank; ++axis) stored.shape.push_back(number<uint64_t>());
            stored.size = number<uint64_t>();
            stored.bytes = take(stored.size);
            arrays_.push_back(std::move(stored));
        }
        close(file_);
    }

    const Stored& find(const Leaf& leaf) const {
        for (const Stored& stored : arrays_) {
            if (stored.name == leaf.name && stored.type == leaf.type) return stored;
        }
        refuse(std::string("has no ") + leaf.name + " of type " + leaf.type);
    }

private:
    [[noreturn]] void refuse(const std::string& problem) const { fail(path_ + " " + problem); }

    // The file's next bytes, which lie in the room alone. Most cases are read at once.
    const unsigned char* take(size_t bytes) {
        const size_t there = size_t(end_ - next_);
        if (bytes > there) {
            const size_t missing = bytes - there;
            if (missing > left_over_) refuse("ends early");
            const size_t wanted = std::min(std::max(missing, kReadAhead), left_over_);
            content.open(size_t(end_ - content.of(0)) + wanted);
            for (const unsigned char* until = end_ + wanted; end_ < until;) {
                const ssize_t got = ::read(file_, end_, size_t(until - end_));
                if (got <= 0) refuse("ends early");
                end_ += got;
            }
            left_over_ -= wanted;
        }
        return std::exchange(next_, next_ + bytes);
    }
    template <typename T>
    T number() {
        T value;
        std::memcpy(&value, take(sizeof(T)), sizeof(T));
        return value;
    }
    std::string text() {
        const uint32_t length = number<uint32_t>();
        return std::string(reinterpret_cast<const char*>(take(length)), length);
    }

    static constexpr size_t kReadAhead = 1 << 14;

    std::string path_;
    int file_ = -1;
    size_t left_over_ = 0;  // of the file
    unsigned char *next_ = nullptr, *end_ = nullptr;  // what was read and not yet taken
    std::vector<Stored> arrays_;
};

size_t packed_bytes(const Leaf& leaf) {
    if (leaf.member_count == 0) return leaf.bytes;
    size_t sum = 0;
    for (size_t i = 0; i < leaf.member_count; ++i) sum += leaf.members[i].size;
    return sum;
}

// Copies between packed elements and those in memory: `copy` gets a place in memory, a packed one, and bytes.
template <typename Byte, typename Packed, typename Copy>
void each_member(const Leaf& leaf, size_t count, Byte* memory, Packed* packed, Copy copy) {
    if (leaf.member_count == 0) return copy(memory, packed, count * leaf.bytes);
    for (size_t i = 0; i < count; ++i, memory += leaf.bytes) {
        for (size_t k = 0; k < leaf.member_count; ++k) {
            copy(memory + leaf.members[k].offset, packed, leaf.members[k].size);
            packed += leaf.members[k].size;
        }
    }
}

// Elements as the host has them, from packed ones, and the other way round. Padding is 0.
void unpack(const Leaf& leaf, size_t count, const unsigned char* packed, unsigned char* memory) {
    if (leaf.member_count > 0) std::memset(memory, 0, count * leaf.bytes);
    each_member(leaf, count, memory, packed, [](void* to, const void* from, size_t size) { std::memcpy(to, from, size); });
}

void pack(const Leaf& leaf, size_t count, const unsigned char* memory, unsigned char* packed) {
    each_member(leaf, count, memory, packed, [](const void* from, void* to, size_t size) { std::memcpy(to, from, size); });
}

// Where a byte of a packed element is in memory.
size_t unpacked_offset(const Leaf& leaf, size_t packed) {
    for (size_t i = 0; i < leaf.member_count; ++i) {
        if (packed < leaf.members[i].size) return leaf.members[i].offset + packed;
        packed -= leaf.members[i].size;
    }
    return packed;
}

// The memory of all leaves of a sample for one launch.
class Memory {
public:
    Memory(const Sample& sample, const ArrayFile& inputs, int fill)
        : sample_(sample), fill_(fill), stored_(sample.leaf_count), held_(sample.leaf_count) {
        for (size_t i = 0; i < held_.size(); ++i) {
            stored_[i] = &inputs.find(sample.leaves[i]);
            take(sample.leaves[i], *stored_[i], held_[i]);
        }
    }
    ~Memory() {
        for (Held& held : held_) {
            if (held.texture) check(cudaDestroyTextureObject(held.texture));
            if (held.texels) check(cudaFreeArray(held.texels));
            check(cudaFree(held.device));
            std::free(held.host);
        }
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    Held* held() { return held_.data(); }

    void upload() {
        for (size_t i = 0; i < held_.size(); ++i) {
            const Leaf& leaf = sample_.leaves[i];
            Held& held = held_[i];
            if (leaf.kind != Kind::array) continue;
            if (!held.device) check(cudaMalloc(&held.device, held.bytes));
            if (stored_[i]->size == 0) {
                check(cudaMemset(held.device, fill_, held.bytes));
                continue;
            }
            const unsigned char* from = stored_[i]->bytes;
            if (leaf.member_count > 0) {
                unsigned char* memory = unpacked.of(held.bytes);
                unpack(leaf, held.count, from, memory);
                from = memory;
            }
            check(cudaMemcpy(held.device, from, held.bytes, cudaMemcpyHostToDevice));
        }
        check(cudaDeviceSynchronize());  // streams of a sample's own do not wait for what is set
    }

    // Where a packed byte of an element of an array is; null if there is no such array.
    const unsigned char* address_of(const char* array, size_t element, size_t packed) const {
        for (size_t i = 0; i < held_.size(); ++i) {
            const Leaf& leaf = sample_.leaves[i];
            if (leaf.kind == Kind::array && std::strcmp(leaf.name, array) == 0)
                return static_cast<const unsigned char*>(held_[i].device) + element * leaf.bytes + unpacked_offset(leaf, packed);
        }
        return nullptr;
    }

    // Adds all arrays, as an array file, to a file: of those that hold what they held before the launch, the shape alone.
    void write(const char* path) const {
        std::FILE* file = std::fopen(path, "ab");
        if (!file) fail(std::string(path) + " cannot be written");
        uint32_t arrays = 0;
        for (size_t i = 0; i < held_.size(); ++i) arrays += sample_.leaves[i].kind != Kind::value;
        std::fwrite("WEFTARR1", 8, 1, file);
        std::fwrite(&arrays, 4, 1, file);
        for (size_t i = 0; i < held_.size(); ++i) {
            if (sample_.leaves[i].kind != Kind::value) write(sample_.leaves[i], *stored_[i], held_[i], file);
        }
        const bool failed = std::ferror(file);
        if (std::fclose(file) != 0 || failed) fail(std::string(path) + " cannot be written");
    }

private:
    // The host has memory of its own for what it hands over by value, or copies into constant memory.
    void take(const Leaf& leaf, const Stored& stored, Held& held) const {
        held.rank = stored.shape.size();
        held.count = 1;
        for (size_t axis = 0; axis < held.rank; ++axis) held.count *= held.shape[axis] = stored.shape[axis];
        held.bytes = held.count * leaf.bytes;
        if (stored.size != 0 && stored.size != held.count * packed_bytes(leaf)) {
            fail(std::string("inputs: array ") + leaf.name + " has another size than its shape says");
        }
        if (leaf.kind == Kind::array) return;
        held.host = std::calloc(held.bytes + 1, 1);
        if (!held.host) fail("out of host memory");
        if (stored.size == 0) {
            std::memset(held.host, fill_, held.bytes);
        } else {
            unpack(leaf, held.count, stored.bytes, static_cast<unsigned char*>(held.host));
        }
    }

    void write(const Leaf& leaf, const Stored& stored, const Held& held, std::FILE* file) const {
        for (const char* text : {leaf.name, leaf.type}) {
            const uint32_t length = uint32_t(std::strlen(text));
            std::fwrite(&length, 4, 1, file);
            std::fwrite(text, 1, length, file);
        }
        const unsigned char* left = static_cast<const unsigned char*>(held.host);
        if (leaf.kind == Kind::array) {
            unsigned char* memory = unpacked.of(held.bytes);
            check(cudaMemcpy(memory, held.device, held.bytes, cudaMemcpyDeviceToHost));
            left = memory;
        }
        uint64_t size = held.count * packed_bytes(leaf);
        if (leaf.member_count > 0) {
            unsigned char* bytes = packed.of(size);
            pack(leaf, held.count, left, bytes);
            left = bytes;
        }
        if (stored.size != 0 && std::memcmp(left, stored.bytes, size) == 0) size = 0;
        const uint32_t rank = uint32_t(held.rank);
        std::fwrite(&rank, 4, 1, file);
        std::fwrite(held.shape, 8, rank, file);
        std::fwrite(&size, 8, 1, file);
        std::fwrite(left, 1, size, file);
    }

    const Sample& sample_;
    const int fill_;
    std::vector<const Stored*> stored_;
    std::vector<Held> held_;
};

// Two events of the default stream, and the milliseconds between them.
class Stopwatch {
public:
    Stopwatch() {
        check(cudaEventCreate(&begin_));
        check(cudaEventCreate(&end_));
    }
    ~Stopwatch() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    void begin() { check(cudaEventRecord(begin_)); }
    float end() {
        float milliseconds = 0.0f;
        check(cudaEventRecord(end_));
        check(cudaEventSynchronize(end_));
        check(cudaEventElapsedTime(&milliseconds, begin_, end_));
        return milliseconds;
    }

private:
    cudaEvent_t begin_, end_;
};

#ifdef WEFT_CPU_DEVICE
// While it lives, a sample's code may run; otherwise the driver's alone.
class SampleTurn {
public:
    SampleTurn() {
        weft_cpu::keep_open(false);
        unpacked.close();
        packed.close();
    }
    ~SampleTurn() {
        weft_cpu::keep_open(true);
        content.open(inputs_);
    }
    SampleTurn(const SampleTurn&) = delete;
    SampleTurn& operator=(const SampleTurn&) = delete;

private:
    const size_t inputs_ = content.close();  // of which the driver still needs all
};

// The processor's cache is left as it is.
struct Flush {
    void operator()() const {}
};
#else
struct SampleTurn {
    ~SampleTurn() {}
};

int attribute(cudaDeviceAttr name, int device) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, name, device) == cudaSuccess ? value : 0;
}

// Fills a GPU's L2 cache with something else; the file `device` tells which GPU it is.
class Flush {
public:
    Flush() {
        int device = 0, driver = 0, runtime = 0;
        cudaDeviceProp properties{};
        check(cudaGetDevice(&device));
        check(cudaGetDeviceProperties(&properties, device));
        check(cudaDriverGetVersion(&driver));
        check(cudaRuntimeGetVersion(&runtime));
        const int cache = attribute(cudaDevAttrL2CacheSize, device);
        std::FILE* file = std::fopen("device", "w");
        if (!file) fail("the file device cannot be written");
        std::fprintf(file, "name %s\n", properties.name);
        std::fprintf(file, "compute_capability %d.%d\n", properties.major, properties.minor);
        std::fprintf(file, "cuda_driver %d\ncuda_runtime %d\n", driver, runtime);
        std::fprintf(file, "l2_bytes %d\n", cache);
        std::fprintf(file, "memory_clock_khz %d\n", attribute(cudaDevAttrMemoryClockRate, device));
        std::fprintf(file, "memory_bus_bits %d\n", attribute(cudaDevAttrGlobalMemoryBusWidth, device));
        std::fclose(file);
        bytes_ = 2 * size_t(cache);
        if (bytes_ > 0) check(cudaMalloc(&memory_, bytes_));
    }
    ~Flush() { cudaFree(memory_); }
    Flush(const Flush&) = delete;
    Flush& operator=(const Flush&) = delete;

    void operator()() const {
        if (memory_) check(cudaMemset(memory_, 1, bytes_));
    }

private:
    void* memory_ = nullptr;
    size_t bytes_ = 0;
};
#endif

// Each launch does the same work: before it all arrays are as they were. A line a launch goes to the file `times`.
void time_launches(const Sample& sample, Memory& memory, const Arguments& arguments, int repeat, const char* outputs) {
    const Flush flush;
    Stopwatch stopwatch;
    std::FILE* file = std::fopen("times", "a");
    if (!file) fail("the file times cannot be written");
    for (int run = 0; run < repeat; ++run) {
        memory.upload();
        flush();
        const SampleTurn turn;
        stopwatch.begin();
        check(sample.launch(arguments));
        std::fprintf(file, "%.9g\n", double(stopwatch.end()));
        std::fflush(file);
    }
    std::fclose(file);
    if (std::strcmp(outputs, "-") != 0) memory.write(outputs);
}

#ifdef WEFT_CPU_DEVICE
// Bytes of an array whose last store is to be told, of the next launch.
struct Wanted {
    std::string array;
    size_t element, offset, bytes;
} wanted;

void ask_for_last_store(const Memory& memory) {
    if (wanted.array.empty()) return;
    const unsigned char* start = memory.address_of(wanted.array.c_str(), wanted.element, wanted.offset);
    if (start) weft_cpu::watch_bytes(start, wanted.bytes);
}
#endif

void launch(const Sample& sample, char** words, int count) {
    const ArrayFile inputs(words[1]);
    std::vector<long long> numbers;
    for (int i = 5; i < count; ++i) numbers.push_back(std::strtoll(words[i], nullptr, 10));
    Memory memory(sample, inputs, std::atoi(words[3]));
    const Arguments arguments{memory.held(), numbers.data()};
    const int repeat = std::atoi(words[4]);
    if (repeat > 0) return time_launches(sample, memory, arguments, repeat, words[2]);
    memory.upload();
#ifdef WEFT_CPU_DEVICE
    ask_for_last_store(memory);
#endif
    {
        const SampleTurn turn;
        Stopwatch stopwatch;
        stopwatch.begin();
        check(sample.launch(arguments));
        stopwatch.end();
    }
    memory.write(words[2]);
#ifdef WEFT_CPU_DEVICE
    weft_cpu::tell_last_store();
#endif
}

int run_main(const Sample& sample, const char* path) {
    std::fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!sample.main || kept < 0 || file < 0) fail("there is no main, or no file for its output");
    dup2(file, STDOUT_FILENO);
    const SampleTurn turn;
    const int status = sample.main();
    std::fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(file);
    return status;
}

int run(char** words, int count) {
    for (const Sample* sample = samples; sample->name; ++sample) {
        if (std::strcmp(sample->name, words[0]) != 0) continue;
        if (count == 3 && std::strcmp(words[1], "--main") == 0) return run_main(*sample, words[2]);
#ifdef WEFT_CPU_DEVICE
        if (count == 6 && std::strcmp(words[1], "--watch") == 0) {
            wanted = {words[2], std::strtoull(words[3], nullptr, 10), std::strtoull(words[4], nullptr, 10),
                      std::strtoull(words[5], nullptr, 10)};
            return EXIT_SUCCESS;
        }
#endif
        if (count < 5) return 2;
        launch(*sample, words, count);
        return EXIT_SUCCESS;
    }
    std::fprintf(stderr, "no sample %s\n", words[0]);
    return 2;
}

// Runs one command from each line of a file.
int run_batch(const char* path) {
    std::FILE* file = std::fopen(path, "r");
    if (!file) fail(std::string(path) + " cannot be read");
    int worst = EXIT_SUCCESS;
    char line[4096];
    for (int number = 0; std::fgets(line, sizeof(line), file); ++number) {
        if (!std::strchr(line, '\n')) fail("a command is too long");
        std::vector<char*> words;
        for (char* word = std::strtok(line, " \n"); word; word = std::strtok(nullptr, " \n")) words.push_back(word);
        std::printf("begin %d\n", number);
        std::fflush(stdout);
        const int status = words.empty() ? 2 : run(words.data(), int(words.size()));
        std::printf("end %d %d\n", number, status);
        std::fflush(stdout);
        if (status != EXIT_SUCCESS) worst = status;
    }
    std::fclose(file);
    return worst;
}

cudaTextureObject_t make_texture(const cudaResourceDesc& resource) {
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    check(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

}  // namespace

cudaTextureObject_t Arguments::texture_of(Held& held, const cudaChannelFormatDesc& format, size_t texel_bytes) {
    if (held.texture) return held.texture;
    cudaResourceDesc resource{};
    if (held.rank == 1) {
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = held.device;
        resource.res.linear.desc = format;
        resource.res.linear.sizeInBytes = held.bytes;
    } else {
        const size_t rows = held.shape[0], columns = held.shape[1], row_bytes = columns * texel_bytes;
        check(cudaMallocArray(&held.texels, &format, columns, rows));
        check(cudaMemcpy2DToArray(held.texels, 0, 0, held.device, row_bytes, row_bytes, rows, cudaMemcpyDeviceToDevice));
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = held.texels;
    }
    return held.texture = make_texture(resource);
}

}  // namespace weft_driver

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "--batch") == 0) return weft_driver::run_batch(argv[2]);
    if (argc > 1) return weft_driver::run(argv + 1, argc - 1);
    std::fprintf(stderr, "usage: %s --batch FILE\n", argv[0]);
    return 2;
}

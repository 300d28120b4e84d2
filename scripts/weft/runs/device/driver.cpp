// The program round the launchers of a shard: it reads inputs, makes memory, calls a launcher, and writes what is
// in memory then. It is compiled once for a device and knows samples by their tables (driver.h).
//
//     program --batch FILE
//
// runs a command from each line of FILE; `begin N` and `end N STATUS` go to standard output around command N.
//     SAMPLE --main FILE                                   the sample's own main, whose output goes to FILE
//     SAMPLE INPUTS OUTPUTS FILL REPEAT [NUMBER ...]       one launch, from array file (`FILE` or `FILE:OFFSET`) to array
//                                                          file; FILL is the byte that arrays hold of which INPUTS has the shape
//                                                          alone. With REPEAT above 0 so many launches are timed.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "driver.h"

namespace weft_driver {
namespace {

[[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(EXIT_FAILURE);
}

void check(cudaError_t status) {
    if (status != cudaSuccess) fail(cudaGetErrorString(status));
}

// An array of an array file.
struct Stored {
    std::string name, type;
    std::vector<uint64_t> shape;
    std::vector<unsigned char> bytes;
};

// An array file (docs/formats.md), alone or at an offset of a file: `inputs` or `inputs:4096`.
class ArrayFile {
public:
    explicit ArrayFile(const char* words) : path_(words) {
        const size_t colon = path_.rfind(':');
        const long offset = colon == std::string::npos ? 0 : std::atol(words + colon + 1);
        path_.resize(std::min(colon, path_.size()));
        file_ = std::fopen(path_.c_str(), "rb");
        if (!file_ || std::fseek(file_, offset, SEEK_SET) != 0) refuse("cannot be read");
        char magic[8];
        read(magic, sizeof(magic));
        if (std::memcmp(magic, "WEFTARR1", 8) != 0) refuse("is no array file");
        for (uint32_t left = number<uint32_t>(); left > 0; --left) {
            Stored stored;
            stored.name = text();
            stored.type = text();
            stored.shape.resize(number<uint32_t>());
            for (uint64_t& extent : stored.shape) extent = number<uint64_t>();
            stored.bytes.resize(number<uint64_t>());
            read(stored.bytes.data(), stored.bytes.size());
            arrays_.push_back(std::move(stored));
        }
        std::fclose(file_);
    }

    const Stored& find(const Leaf& leaf) const {
        for (const Stored& stored : arrays_) {
            if (stored.name == leaf.name && stored.type == leaf.type) return stored;
        }
        refuse(std::string("has no ") + leaf.name + " of type " + leaf.type);
    }

private:
    [[noreturn]] void refuse(const std::string& problem) const { fail(path_ + " " + problem); }

    void read(void* out, size_t size) {
        if (std::fread(out, 1, size, file_) != size) refuse("ends early");
    }
    template <typename T>
    T number() {
        T value;
        read(&value, sizeof(T));
        return value;
    }
    std::string text() {
        std::string value(number<uint32_t>(), ' ');
        read(&value[0], value.size());
        return value;
    }

    std::string path_;
    std::FILE* file_;
    std::vector<Stored> arrays_;
};

size_t packed_bytes(const Leaf& leaf) {
    if (leaf.member_count == 0) return leaf.bytes;
    size_t sum = 0;
    for (size_t i = 0; i < leaf.member_count; ++i) sum += leaf.members[i].size;
    return sum;
}

// Copies between packed elements and those in memory: `copy` gets a place in memory, a packed one, and bytes.
template <typename Copy>
void each_member(const Leaf& leaf, const Held& held, unsigned char* packed, Copy copy) {
    const Member whole{0, leaf.bytes};
    const Member* members = leaf.member_count == 0 ? &whole : leaf.members;
    const size_t member_count = leaf.member_count == 0 ? 1 : leaf.member_count;
    unsigned char* element = static_cast<unsigned char*>(held.host);
    for (size_t i = 0; i < held.count; ++i, element += leaf.bytes) {
        for (size_t k = 0; k < member_count; ++k) {
            copy(element + members[k].offset, packed, members[k].size);
            packed += members[k].size;
        }
    }
}

// The memory of all leaves of a sample for one launch.
class Memory {
public:
    Memory(const Sample& sample, const ArrayFile& inputs, int fill) : sample_(sample), held_(sample.leaf_count) {
        for (size_t i = 0; i < held_.size(); ++i) take(sample.leaves[i], inputs.find(sample.leaves[i]), fill, held_[i]);
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
            Held& held = held_[i];
            if (sample_.leaves[i].kind != Kind::array) continue;
            if (!held.device) check(cudaMalloc(&held.device, held.bytes));
            check(cudaMemcpy(held.device, held.host, held.bytes, cudaMemcpyHostToDevice));
        }
    }
    void download() {
        for (size_t i = 0; i < held_.size(); ++i) {
            const Held& held = held_[i];
            if (sample_.leaves[i].kind != Kind::array) continue;
            check(cudaMemcpy(held.host, held.device, held.bytes, cudaMemcpyDeviceToHost));
        }
    }

    // All arrays as an array file.
    void write(const char* path) const {
        std::FILE* file = std::fopen(path, "wb");
        if (!file) fail(std::string(path) + " cannot be written");
        uint32_t arrays = 0;
        for (size_t i = 0; i < held_.size(); ++i) arrays += sample_.leaves[i].kind != Kind::value;
        std::fwrite("WEFTARR1", 8, 1, file);
        std::fwrite(&arrays, 4, 1, file);
        for (size_t i = 0; i < held_.size(); ++i) {
            if (sample_.leaves[i].kind != Kind::value) write(sample_.leaves[i], held_[i], file);
        }
        const bool failed = std::ferror(file);
        if (std::fclose(file) != 0 || failed) fail(std::string(path) + " cannot be written");
    }

private:
    static void take(const Leaf& leaf, const Stored& stored, int fill, Held& held) {
        held.rank = stored.shape.size();
        held.count = 1;
        for (size_t axis = 0; axis < held.rank; ++axis) held.count *= held.shape[axis] = stored.shape[axis];
        held.bytes = held.count * leaf.bytes;
        held.host = std::calloc(held.bytes + 1, 1);
        if (!held.host) fail("out of host memory");
        if (stored.bytes.empty()) {
            std::memset(held.host, fill, held.bytes);
        } else if (stored.bytes.size() != held.count * packed_bytes(leaf)) {
            fail(std::string("inputs: array ") + leaf.name + " has another size than its shape says");
        } else {
            each_member(leaf, held, const_cast<unsigned char*>(stored.bytes.data()), [](void* memory, void* packed, size_t size) {
                std::memcpy(memory, packed, size);
            });
        }
    }

    static void write(const Leaf& leaf, const Held& held, std::FILE* file) {
        for (const char* text : {leaf.name, leaf.type}) {
            const uint32_t length = uint32_t(std::strlen(text));
            std::fwrite(&length, 4, 1, file);
            std::fwrite(text, 1, length, file);
        }
        const uint32_t rank = uint32_t(held.rank);
        const uint64_t size = held.count * packed_bytes(leaf);
        std::vector<unsigned char> packed(size);
        each_member(leaf, held, packed.data(), [](void* memory, void* to, size_t bytes) { std::memcpy(to, memory, bytes); });
        std::fwrite(&rank, 4, 1, file);
        std::fwrite(held.shape, 8, rank, file);
        std::fwrite(&size, 8, 1, file);
        std::fwrite(packed.data(), 1, size, file);
    }

    const Sample& sample_;
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
// The processor's cache is left as it is.
struct Flush {
    void operator()() const {}
};
#else
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
void time_launches(const Sample& sample, Memory& memory, const Arguments& arguments, int repeat) {
    const Flush flush;
    Stopwatch stopwatch;
    std::FILE* file = std::fopen("times", "a");
    if (!file) fail("the file times cannot be written");
    for (int run = 0; run < repeat; ++run) {
        memory.upload();
        flush();
        stopwatch.begin();
        check(sample.launch(arguments));
        std::fprintf(file, "%.9g\n", double(stopwatch.end()));
        std::fflush(file);
    }
    std::fclose(file);
}

void launch(const Sample& sample, char** words, int count) {
    const ArrayFile inputs(words[1]);
    std::vector<long long> numbers;
    for (int i = 5; i < count; ++i) numbers.push_back(std::strtoll(words[i], nullptr, 10));
    Memory memory(sample, inputs, std::atoi(words[3]));
    const Arguments arguments{memory.held(), numbers.data()};
    const int repeat = std::atoi(words[4]);
    if (repeat > 0) return time_launches(sample, memory, arguments, repeat);
    memory.upload();
    Stopwatch stopwatch;
    stopwatch.begin();
    check(sample.launch(arguments));
    stopwatch.end();
    memory.download();
    memory.write(words[2]);
}

int run_main(const Sample& sample, const char* path) {
    std::fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!sample.main || kept < 0 || file < 0) fail("there is no main, or no file for its output");
    dup2(file, STDOUT_FILENO);
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

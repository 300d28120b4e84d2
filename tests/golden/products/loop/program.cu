#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

// digit_checksum: Checksum over the digits of each number in base 2.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Checksum over the digits of each number in base 2. Elements that are not active are skipped. The checksum
// is divided by 4. The output is flat, in row-major order.
__global__ void digit_checksum(const int* __restrict__ active, const int* __restrict__ numbers, int cols,
                               int* __restrict__ checksums, int rows) {
    const int place = blockIdx.x * blockDim.x + threadIdx.x;
    if (place >= rows * cols) return;
    if (active[place] == 0) return;

    int rest = numbers[place];
    int digit_sum = 0;
    while (rest > 0) {
        const int digit = rest % 2;
        digit_sum += digit;
        rest /= 2;
    }
    checksums[place] = digit_sum / 4;
}

cudaError_t launch_digit_checksum(const int* active, const int* numbers, int cols, int* checksums, int rows,
                                  cudaStream_t stream = nullptr) {
    const int64_t threads_x = int64_t(rows) * cols;
    if (threads_x == 0) return cudaSuccess;
    if (threads_x > INT_MAX) return cudaErrorInvalidConfiguration;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (threads_x + block - 1) / block;
    digit_checksum<<<grid, block, 0, stream>>>(active, numbers, cols, checksums, rows);
    return cudaGetLastError();
}

// One array of an array file: packed elements, row-major.
struct StoredArray {
    std::vector<uint64_t> shape;
    std::vector<unsigned char> bytes;
};

[[noreturn]] void refuse_file(const char* path, const char* name, const std::string& problem) {
    std::fprintf(stderr, "%s: array %s%s\n", path, name, problem.c_str());
    std::exit(EXIT_FAILURE);
}

// Reads one array of an array file; false if the file lacks it.
// A file holds "WEFTARR1", the number of arrays, and of each: name, type, rank, shape, bytes, elements.
bool find_array(const char* path, const char* name, const char* type, StoredArray* array) {
    std::FILE* file = std::fopen(path, "rb");
    if (!file) {
        std::perror(path);
        std::exit(EXIT_FAILURE);
    }
    char magic[8], text[2][256];
    uint32_t arrays = 0, length = 0, rank = 0;
    uint64_t size = 0;
    bool ok = std::fread(magic, 8, 1, file) == 1 && std::memcmp(magic, "WEFTARR1", 8) == 0 &&
              std::fread(&arrays, 4, 1, file) == 1;
    bool found = false;
    for (; ok && !found && arrays > 0; --arrays) {
        for (char* part : text) {
            ok = ok && std::fread(&length, 4, 1, file) == 1 && length < sizeof(text[0]) &&
                 std::fread(part, 1, length, file) == length;
            part[ok ? length : 0] = '\0';
        }
        ok = ok && std::fread(&rank, 4, 1, file) == 1 && rank <= 4;
        array->shape.resize(ok ? rank : 0);
        ok = ok && std::fread(array->shape.data(), 8, rank, file) == rank &&
             std::fread(&size, 8, 1, file) == 1;
        found = ok && std::strcmp(text[0], name) == 0;
        if (!found) ok = ok && std::fseek(file, long(size), SEEK_CUR) == 0;
    }
    if (found) {
        if (std::strcmp(text[1], type) != 0) {
            refuse_file(path, name, std::string(" is of type ") + text[1] + ", not " + type);
        }
        array->bytes.resize(size);
        ok = std::fread(array->bytes.data(), 1, size, file) == size;
    }
    std::fclose(file);
    if (!ok) refuse_file(path, name, ": the file ends early, or is no array file");
    return found;
}

std::string shape_text(const std::vector<uint64_t>& shape) {
    std::string text;
    for (const uint64_t extent : shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
    return "(" + text + ")";
}

// Memory of an array on the host and on the device, and how array files describe it.
class Array {
public:
    Array(const char* name, const char* type, std::initializer_list<int64_t> shape, size_t element_size)
        : name_(name), type_(type), shape_(shape.begin(), shape.end()), element_size_(element_size) {
        host_.resize(bytes());
    }
    ~Array() { cudaFree(device_); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;

    size_t count() const {
        size_t product = 1;
        for (const uint64_t extent : shape_) product *= extent;
        return product;
    }
    size_t bytes() const { return count() * element_size_; }

    void fill(int byte) { std::memset(host_.data(), byte, bytes()); }
    void upload() {
        CUDA_CHECK(cudaMalloc(&device_, bytes()));
        CUDA_CHECK(cudaMemcpy(device_, host_.data(), bytes(), cudaMemcpyHostToDevice));
    }
    void download() { CUDA_CHECK(cudaMemcpy(host_.data(), device_, bytes(), cudaMemcpyDeviceToHost)); }

    // Takes the elements from a file, where the array has this shape.
    void read(const char* path) {
        StoredArray stored;
        if (!find_array(path, name_, type_, &stored)) refuse_file(path, name_, " is missing");
        take(path, &stored);
    }

    // Takes the elements from a file that has the array.
    void read_if_given(const char* path) {
        StoredArray stored;
        if (find_array(path, name_, type_, &stored)) take(path, &stored);
    }

    void write(std::FILE* file) const {
        for (const char* text : {name_, type_}) {
            const uint32_t length = uint32_t(std::strlen(text));
            std::fwrite(&length, 4, 1, file);
            std::fwrite(text, 1, length, file);
        }
        const uint32_t rank = uint32_t(shape_.size());
        std::fwrite(&rank, 4, 1, file);
        std::fwrite(shape_.data(), 8, rank, file);
        const uint64_t size = bytes();
        std::fwrite(&size, 8, 1, file);
        std::fwrite(host_.data(), 1, size, file);
    }

protected:
    void take(const char* path, StoredArray* stored) {
        if (stored->shape != shape_ || stored->bytes.size() != count() * element_size_) {
            refuse_file(path, name_,
                        " has shape " + shape_text(stored->shape) + ", not " + shape_text(shape_));
        }
        host_.swap(stored->bytes);
    }

    const char* name_;
    const char* type_;
    std::vector<uint64_t> shape_;
    size_t element_size_;
    std::vector<unsigned char> host_;
    void* device_ = nullptr;
};

// An array of T.
template <typename T>
class Buffer : public Array {
public:
    Buffer(const char* name, const char* type, std::initializer_list<int64_t> shape)
        : Array(name, type, shape, sizeof(T)) {}

    T* host() { return reinterpret_cast<T*>(host_.data()); }
    T* device() { return static_cast<T*>(device_); }
};

// Random numbers for one kernel parameter: PCG hashes of the seed, the parameter's number, and a counter
// (Jarzynski and Olano, "Hash Functions for GPU Rendering", JCGT 9(3), 2020).
class Random {
public:
    Random(uint32_t seed, uint32_t parameter) : key_(pcg(parameter + pcg(seed))) {}

    // `count` integers in [low, high), as type T.
    template <typename T>
    void integers(void* out, size_t count, int64_t low, int64_t high) {
        for (size_t i = 0; i < count; ++i) {
            static_cast<T*>(out)[i] = T(low + bits() % (high - low));
        }
    }

private:
    static uint32_t pcg(uint32_t x) {
        const uint32_t state = x * 747796405u + 2891336453u;
        const uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
        return (word >> 22) ^ word;
    }
    uint32_t bits() {
        const uint64_t i = counter_++;
        return pcg(uint32_t(i) + pcg(uint32_t(i >> 32) + key_));
    }

    uint32_t key_;
    uint64_t counter_ = 0;
};

struct Options {
    long long size = 1024;          // base size, which all others follow from
    long long seed = 0;             // of random inputs
    long long fill = 0;             // byte that output arrays hold before the launch
    long long repeat = 1;           // launches to time
    const char* inputs = nullptr;   // array file with the kernel's parameters, instead of random ones
    const char* outputs = nullptr;  // array file to write all arrays to
};

// False, with a message, if an option is unknown or its value is out of range.
bool parse_options(int argc, char** argv, Options* options) {
    const struct {
        const char* name;
        long long low, high;
        long long* value;
    } numbers[] = {
        {"--size", 1, INT_MAX, &options->size},
        {"--seed", 0, UINT32_MAX, &options->seed},
        {"--fill", 0, 255, &options->fill},
        {"--repeat", 1, INT_MAX, &options->repeat},
    };
    for (int i = 1; i < argc; i += 2) {
        const char* value = i + 1 < argc ? argv[i + 1] : "";
        bool ok = false;
        for (const auto& number : numbers) {
            if (std::strcmp(argv[i], number.name) != 0) continue;
            char* end = nullptr;
            *number.value = std::strtoll(value, &end, 10);
            ok = *value && !*end && number.low <= *number.value && *number.value <= number.high;
        }
        if (std::strcmp(argv[i], "--inputs") == 0) ok = *(options->inputs = value);
        if (std::strcmp(argv[i], "--outputs") == 0) ok = *(options->outputs = value);
        if (!ok) {
            std::fprintf(stderr,
                         "%s: bad option %s %s\n"
                         "usage: %s [--size N] [--seed S] [--inputs FILE] [--outputs FILE] [--fill BYTE] "
                         "[--repeat N]\n",
                         argv[0], argv[i], value, argv[0]);
            return false;
        }
    }
    return true;
}

int main(int argc, char** argv) {
    Options options;
    if (!parse_options(argc, argv, &options)) return 2;
    const int64_t n = options.size;
    const int64_t rows = 12;
    const int64_t cols = (n + 11) / 12;
    for (const int64_t size : {12 * cols}) {
        if (size <= INT_MAX) continue;
        std::fprintf(stderr, "%s: --size %lld is too large: the kernel takes sizes as int\n", argv[0],
                     options.size);
        return 2;
    }

    Buffer<int> active("active", "int32", {rows, cols});
    Buffer<int> numbers("numbers", "int32", {rows, cols});
    Buffer<int> checksums("checksums", "int32", {rows * cols});

    checksums.fill(options.fill);
    if (options.inputs) {
        active.read(options.inputs);
        numbers.read(options.inputs);
        checksums.read_if_given(options.inputs);
    } else {
        Random(options.seed, 0).integers<int>(active.host(), active.count(), 0, 2);
        Random(options.seed, 1).integers<int>(numbers.host(), numbers.count(), 0, 100000);
    }

    active.upload();
    numbers.upload();
    checksums.upload();

    cudaEvent_t begin_event, end_event;
    CUDA_CHECK(cudaEventCreate(&begin_event));
    CUDA_CHECK(cudaEventCreate(&end_event));
    float milliseconds = 0.0f;
    for (int run = 0; run < options.repeat; ++run) {
        CUDA_CHECK(cudaEventRecord(begin_event));
        CUDA_CHECK(launch_digit_checksum(active.device(), numbers.device(), cols, checksums.device(), 12));
        CUDA_CHECK(cudaEventRecord(end_event));
        CUDA_CHECK(cudaEventSynchronize(end_event));
        float elapsed = 0.0f;
        CUDA_CHECK(cudaEventElapsedTime(&elapsed, begin_event, end_event));
        milliseconds += elapsed / float(options.repeat);
        if (run == 0) {  // further launches start from what the first one left
            active.download();
            numbers.download();
            checksums.download();
        }
    }
    CUDA_CHECK(cudaEventDestroy(begin_event));
    CUDA_CHECK(cudaEventDestroy(end_event));

    if (options.outputs) {
        std::FILE* file = std::fopen(options.outputs, "wb");
        const uint32_t count = 3;
        if (!file) {
            std::perror(options.outputs);
            return EXIT_FAILURE;
        }
        std::fwrite("WEFTARR1", 8, 1, file);
        std::fwrite(&count, 4, 1, file);
        active.write(file);
        numbers.write(file);
        checksums.write(file);
        const bool failed = std::ferror(file);
        if (std::fclose(file) != 0 || failed) {
            std::fprintf(stderr, "%s: cannot write\n", options.outputs);
            return EXIT_FAILURE;
        }
    }
    std::printf("{\"kernel\": \"digit_checksum\", \"size\": %lld, \"seed\": %lld, \"milliseconds\": %.6f}\n",
                options.size, options.seed, milliseconds);
    return EXIT_SUCCESS;
}

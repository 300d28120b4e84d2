#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <vector>

// integer_hash: Bucket of each key in a hash table of 101.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Bucket of each key in a hash table of 101.
__global__ void integer_hash(const int* __restrict__ keys, int* __restrict__ buckets, int batch, int rows,
                             int cols) {
    const int b = blockIdx.z * blockDim.z + threadIdx.z;
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= batch || i >= rows || j >= cols) return;

    const int key = keys[(b * rows + i) * cols + j];
    uint32_t h = uint32_t(key);
    h = h ^ (h >> 17);
    h = h * 73244475u;
    h = h ^ (h >> 17);
    h = h * 73244475u;
    buckets[(b * rows + i) * cols + j] = int(h % 101u);
}

void launch_integer_hash(const int* keys, int* buckets, int batch, int rows, int cols,
                         cudaStream_t stream = nullptr) {
    const int threads_x = cols + 2;
    const int threads_y = rows + 3;
    const int threads_z = batch + 2;
    // A warp spans 32 neighbours along x, the fastest dimension in memory.
    const dim3 block(32, 4, 2);
    if (threads_x == 0 || threads_y == 0 || threads_z == 0) return;
    const dim3 grid((threads_x + block.x - 1) / block.x, (threads_y + block.y - 1) / block.y,
                    (threads_z + block.z - 1) / block.z);
    integer_hash<<<grid, block, 0, stream>>>(keys, buckets, batch, rows, cols);
    CUDA_CHECK(cudaGetLastError());
}

// Opens an array file where the elements of one array start; ends the program if the file lacks the array.
// A file holds "WEFTARR1", the number of arrays, and of each: name, type, rank, shape, bytes, elements.
std::FILE* open_array(const char* path, const char* name, const char* type, uint64_t bytes) {
    std::FILE* file = std::fopen(path, "rb");
    char magic[8], text[256];
    uint32_t arrays = 0, length = 0, rank = 0;
    uint64_t size = 0;
    bool ok = file && std::fread(magic, 8, 1, file) == 1 && std::memcmp(magic, "WEFTARR1", 8) == 0 &&
              std::fread(&arrays, 4, 1, file) == 1;
    for (; ok && arrays > 0; --arrays) {
        bool wanted = true;
        for (const char* expected : {name, type}) {
            ok = ok && std::fread(&length, 4, 1, file) == 1 && length < sizeof(text) &&
                 std::fread(text, 1, length, file) == length;
            text[ok ? length : 0] = '\0';
            wanted = wanted && std::strcmp(text, expected) == 0;
        }
        ok = ok && std::fread(&rank, 4, 1, file) == 1 && std::fseek(file, 8L * rank, SEEK_CUR) == 0 &&
             std::fread(&size, 8, 1, file) == 1;
        if (ok && wanted && size == bytes) return file;
        ok = ok && std::fseek(file, long(size), SEEK_CUR) == 0;
    }
    std::fprintf(stderr, "%s: no array %s of type %s with %zu bytes\n", path, name, type, size_t(bytes));
    std::exit(EXIT_FAILURE);
}

void read_array(const char* path, const char* name, const char* type, void* data, size_t bytes) {
    std::FILE* file = open_array(path, name, type, bytes);
    const bool ok = std::fread(data, 1, bytes, file) == bytes;
    std::fclose(file);
    if (!ok) {
        std::fprintf(stderr, "%s: ends within array %s\n", path, name);
        std::exit(EXIT_FAILURE);
    }
}

// Memory of an array on the host and on the device, and how array files describe it.
class Array {
public:
    Array(const char* name, const char* type, std::initializer_list<int> shape, size_t element_size)
        : name_(name), type_(type), shape_(shape.begin(), shape.end()), element_size_(element_size) {
        for (const int extent : shape) count_ *= size_t(extent);
        host_.resize(bytes());
        CUDA_CHECK(cudaMalloc(&device_, bytes()));
    }
    ~Array() { cudaFree(device_); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;

    size_t count() const { return count_; }
    size_t bytes() const { return count_ * element_size_; }
    void upload() { CUDA_CHECK(cudaMemcpy(device_, host_.data(), bytes(), cudaMemcpyHostToDevice)); }
    void download() { CUDA_CHECK(cudaMemcpy(host_.data(), device_, bytes(), cudaMemcpyDeviceToHost)); }
    void fill(int byte) { CUDA_CHECK(cudaMemset(device_, byte, bytes())); }
    void read(const char* path) { read_array(path, name_, type_, host_.data(), bytes()); }

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
    const char* name_;
    const char* type_;
    std::vector<uint64_t> shape_;
    size_t element_size_;
    size_t count_ = 1;
    std::vector<unsigned char> host_;
    void* device_ = nullptr;
};

// An array of T.
template <typename T>
class Buffer : public Array {
public:
    Buffer(const char* name, const char* type, std::initializer_list<int> shape)
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
    const int n = int(options.size);
    const int batch = (n + 23) / 24;
    const int rows = 6;
    const int cols = 4;

    Buffer<int> keys("keys", "int32", {batch, rows, cols});
    Buffer<int> buckets("buckets", "int32", {batch, rows, cols});
    Array* const arrays[] = {&keys, &buckets};

    if (options.inputs) {
        keys.read(options.inputs);
    } else {
        Random(options.seed, 0).integers<int>(keys.host(), keys.count(), 0, 1000001);
    }

    keys.upload();
    buckets.fill(options.fill);

    cudaEvent_t begin_event, end_event;
    CUDA_CHECK(cudaEventCreate(&begin_event));
    CUDA_CHECK(cudaEventCreate(&end_event));
    float milliseconds = 0.0f;
    for (int run = 0; run < options.repeat; ++run) {
        CUDA_CHECK(cudaEventRecord(begin_event));
        launch_integer_hash(keys.device(), buckets.device(), batch, rows, cols);
        CUDA_CHECK(cudaEventRecord(end_event));
        CUDA_CHECK(cudaEventSynchronize(end_event));
        float elapsed = 0.0f;
        CUDA_CHECK(cudaEventElapsedTime(&elapsed, begin_event, end_event));
        milliseconds += elapsed / float(options.repeat);
        if (run == 0) {  // further launches start from what the first one left
            for (Array* array : arrays) array->download();
        }
    }
    CUDA_CHECK(cudaEventDestroy(begin_event));
    CUDA_CHECK(cudaEventDestroy(end_event));

    if (options.outputs) {
        std::FILE* file = std::fopen(options.outputs, "wb");
        const uint32_t count = 2;
        if (!file) {
            std::perror(options.outputs);
            return EXIT_FAILURE;
        }
        std::fwrite("WEFTARR1", 8, 1, file);
        std::fwrite(&count, 4, 1, file);
        for (const Array* array : arrays) array->write(file);
        const bool failed = std::ferror(file);
        if (std::fclose(file) != 0 || failed) {
            std::fprintf(stderr, "%s: cannot write\n", options.outputs);
            return EXIT_FAILURE;
        }
    }
    std::printf("{\"kernel\": \"integer_hash\", \"size\": %lld, \"seed\": %lld, \"milliseconds\": %.6f}\n",
                options.size, options.seed, milliseconds);
    return EXIT_SUCCESS;
}

#include <cuda_runtime.h>
#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

// colors: One color of stripes of 2 colors in fields of 1 cell is squared, others are scaled.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// One color of stripes of 2 colors in fields of 1 cell is squared, others are scaled.
__global__ void colors(const float* __restrict__ densities, float* __restrict__ colored_values, int ny,
                       int nx) {
    const int j = blockIdx.x * blockDim.y + threadIdx.y;
    const int i = blockIdx.y * blockDim.x + threadIdx.x;
    if (j >= ny || i >= nx) return;

    const float density = densities[j * nx + i];
    const int color = i % 2;
    colored_values[j * nx + i] = color == 0 ? density * density : 0.25f * density;
}

cudaError_t launch_colors(const float* densities, float* colored_values, int ny, int nx,
                          cudaStream_t stream = nullptr) {
    if (ny == 0 || nx == 0) return cudaSuccess;
    if (int64_t(ny) * nx > INT_MAX) return cudaErrorInvalidValue;
    // A warp spans 32 neighbours along x, the fastest dimension in memory.
    // A grid has up to 65,535 blocks along y and z: the long dimension goes along its x.
    const dim3 block(32, 8);
    const dim3 grid((ny + block.y - 1) / block.y, (nx + block.x - 1) / block.x);
    colors<<<grid, block, 0, stream>>>(densities, colored_values, ny, nx);
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

    // `count` numbers of type T in [low, high).
    template <typename T>
    void uniform(void* out, size_t count, double low, double high) {
        for (size_t i = 0; i < count; ++i) {
            static_cast<T*>(out)[i] = T(low + (bits() >> 8) * 0x1p-24 * (high - low));
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
    const int ny = std::max(n / 10, 1);
    const int nx = 10;

    Buffer<float> densities("densities", "float32", {ny, nx});
    Buffer<float> colored_values("colored_values", "float32", {ny, nx});

    colored_values.fill(options.fill);
    if (options.inputs) {
        densities.read(options.inputs);
        colored_values.read_if_given(options.inputs);
    } else {
        Random(options.seed, 0).uniform<float>(densities.host(), densities.count(), -1.0, 1.0);
    }

    densities.upload();
    colored_values.upload();

    cudaEvent_t begin_event, end_event;
    CUDA_CHECK(cudaEventCreate(&begin_event));
    CUDA_CHECK(cudaEventCreate(&end_event));
    float milliseconds = 0.0f;
    for (int run = 0; run < options.repeat; ++run) {
        CUDA_CHECK(cudaEventRecord(begin_event));
        CUDA_CHECK(launch_colors(densities.device(), colored_values.device(), ny, 10));
        CUDA_CHECK(cudaEventRecord(end_event));
        CUDA_CHECK(cudaEventSynchronize(end_event));
        float elapsed = 0.0f;
        CUDA_CHECK(cudaEventElapsedTime(&elapsed, begin_event, end_event));
        milliseconds += elapsed / float(options.repeat);
        if (run == 0) {  // further launches start from what the first one left
            densities.download();
            colored_values.download();
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
        densities.write(file);
        colored_values.write(file);
        const bool failed = std::ferror(file);
        if (std::fclose(file) != 0 || failed) {
            std::fprintf(stderr, "%s: cannot write\n", options.outputs);
            return EXIT_FAILURE;
        }
    }
    std::printf("{\"kernel\": \"colors\", \"size\": %lld, \"seed\": %lld, \"milliseconds\": %.6f}\n",
                options.size, options.seed, milliseconds);
    return EXIT_SUCCESS;
}

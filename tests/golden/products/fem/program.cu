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

// hooke_stress: Larger principal stress by Hooke's law in plane stress; Poisson's ratio is 0.4.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Larger principal stress by Hooke's law in plane stress; Poisson's ratio is 0.4. Only column 0 of exx_values
// is read. right_exx_index says which element of right_exx_values is read. kind chooses between two arrays.
// side chooses between two arrays. eyy is limited on both sides. side_value chooses between two arrays. exy
// is limited from above. The response is subtracted from the measurement. The result is multiplied by gain.
// The result is subtracted from ceiling. The level of the result in steps of 1/4, rounded, is stored as well.
// Precondition: elements of right_exx_index lie in [0, num_items).
__global__ void hooke_stress(const int* __restrict__ kinds, const float* __restrict__ exx_values,
                             const int* __restrict__ right_exx_index,
                             const float* __restrict__ right_exx_values, const int* __restrict__ sides,
                             const float* __restrict__ left_eyy_values,
                             const float* __restrict__ other_eyy_values, const int* __restrict__ other_sides,
                             const float* __restrict__ exy_values, const float* __restrict__ right_exy_values,
                             const float* __restrict__ measurements, float youngs_modulus, float gain,
                             float ceiling, int num_items, float* __restrict__ responses,
                             int* __restrict__ response_levels) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < num_items; i += gridDim.x * blockDim.x) {
        const int side_value = other_sides[i];
        const int kind = kinds[i];
        const float chosen_exx = kind == 0 ? exx_values[size_t(i) * 4] : right_exx_values[right_exx_index[i]];
        const float measurement = measurements[i];
        const float factor = youngs_modulus / 0.84f;
        const int side = sides[i];
        const float chosen_eyy = side == 0 ? left_eyy_values[i] : other_eyy_values[i];
        const float chosen_exy = side_value == 0 ? exy_values[i] : right_exy_values[i];
        const float limited_eyy = fmaxf(fminf(chosen_eyy, 0.45f), -0.45f);
        const float limited_exy = fminf(chosen_exy, 0.44f);
        const float syy = factor * (limited_eyy + 0.4f * chosen_exx);
        const float sxy = factor * 0.3f * limited_exy;
        const float sxx = factor * (chosen_exx + 0.4f * limited_eyy);
        const float half = 0.5f * (sxx - syy);
        const float response = 0.5f * (sxx + syy) + sqrtf(half * half + sxy * sxy);
        const float residual = measurement - response;
        const float final_response = ceiling - gain * residual;
        responses[i] = final_response;
        response_levels[i] = int(roundf(final_response * 4.0f));
    }
}

cudaError_t launch_hooke_stress(const int* kinds, const float* exx_values, const int* right_exx_index,
                                const float* right_exx_values, const int* sides, const float* left_eyy_values,
                                const float* other_eyy_values, const int* other_sides,
                                const float* exy_values, const float* right_exy_values,
                                const float* measurements, float youngs_modulus, float gain, float ceiling,
                                int num_threads, int num_items, float* responses, int* response_levels,
                                cudaStream_t stream = nullptr) {
    if (num_threads == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (num_threads + block - 1) / block;
    hooke_stress<<<grid, block, 0, stream>>>(kinds, exx_values, right_exx_index, right_exx_values, sides,
                                             left_eyy_values, other_eyy_values, other_sides, exy_values,
                                             right_exy_values, measurements, youngs_modulus, gain, ceiling,
                                             num_items, responses, response_levels);
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

// Reads a number, vector, matrix or struct.
void read_value(const char* path, const char* name, const char* type, void* value, size_t packed) {
    StoredArray stored;
    if (!find_array(path, name, type, &stored)) refuse_file(path, name, " is missing");
    if (!stored.shape.empty() || stored.bytes.size() != packed) {
        refuse_file(path, name, " has shape " + shape_text(stored.shape) + ", not ()");
    }
    std::memcpy(value, stored.bytes.data(), packed);
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
    const int threads = std::min(n, 512);

    Buffer<int> kinds("kinds", "int32", {n});
    Buffer<float> exx_values("exx_values", "float32", {n, 4});
    Buffer<int> right_exx_index("right_exx_index", "int32", {n});
    Buffer<float> right_exx_values("right_exx_values", "float32", {n});
    Buffer<int> sides("sides", "int32", {n});
    Buffer<float> left_eyy_values("left_eyy_values", "float32", {n});
    Buffer<float> other_eyy_values("other_eyy_values", "float32", {n});
    Buffer<int> other_sides("other_sides", "int32", {n});
    Buffer<float> exy_values("exy_values", "float32", {n});
    Buffer<float> right_exy_values("right_exy_values", "float32", {n});
    Buffer<float> measurements("measurements", "float32", {n});
    Buffer<float> responses("responses", "float32", {n});
    Buffer<int> response_levels("response_levels", "int32", {n});
    float youngs_modulus{};
    float gain{};
    float ceiling{};

    responses.fill(options.fill);
    response_levels.fill(options.fill);
    if (options.inputs) {
        kinds.read(options.inputs);
        exx_values.read(options.inputs);
        right_exx_index.read(options.inputs);
        right_exx_values.read(options.inputs);
        sides.read(options.inputs);
        left_eyy_values.read(options.inputs);
        other_eyy_values.read(options.inputs);
        other_sides.read(options.inputs);
        exy_values.read(options.inputs);
        right_exy_values.read(options.inputs);
        measurements.read(options.inputs);
        responses.read_if_given(options.inputs);
        response_levels.read_if_given(options.inputs);
        read_value(options.inputs, "youngs_modulus", "float32", &youngs_modulus, sizeof(youngs_modulus));
        read_value(options.inputs, "gain", "float32", &gain, sizeof(gain));
        read_value(options.inputs, "ceiling", "float32", &ceiling, sizeof(ceiling));
    } else {
        Random(options.seed, 0).integers<int>(kinds.host(), kinds.count(), 0, 2);
        Random(options.seed, 1).uniform<float>(exx_values.host(), exx_values.count(), -0.5, 0.5);
        Random(options.seed, 2).integers<int>(right_exx_index.host(), right_exx_index.count(), 0, n);
        Random(options.seed, 3).uniform<float>(right_exx_values.host(), right_exx_values.count(), -0.5, 0.5);
        Random(options.seed, 4).integers<int>(sides.host(), sides.count(), 0, 2);
        Random(options.seed, 5).uniform<float>(left_eyy_values.host(), left_eyy_values.count(), -0.5, 0.5);
        Random(options.seed, 6).uniform<float>(other_eyy_values.host(), other_eyy_values.count(), -0.5, 0.5);
        Random(options.seed, 7).integers<int>(other_sides.host(), other_sides.count(), 0, 2);
        Random(options.seed, 8).uniform<float>(exy_values.host(), exy_values.count(), -0.5, 0.5);
        Random(options.seed, 9).uniform<float>(right_exy_values.host(), right_exy_values.count(), -0.5, 0.5);
        Random(options.seed, 10).uniform<float>(measurements.host(), measurements.count(), -1.0, 1.0);
        Random(options.seed, 11).uniform<float>(&youngs_modulus, 1, 1.0, 5.0);
        Random(options.seed, 12).uniform<float>(&gain, 1, 0.2, 5.0);
        Random(options.seed, 13).uniform<float>(&ceiling, 1, 0.5, 2.0);
    }

    kinds.upload();
    exx_values.upload();
    right_exx_index.upload();
    right_exx_values.upload();
    sides.upload();
    left_eyy_values.upload();
    other_eyy_values.upload();
    other_sides.upload();
    exy_values.upload();
    right_exy_values.upload();
    measurements.upload();
    responses.upload();
    response_levels.upload();

    cudaEvent_t begin_event, end_event;
    CUDA_CHECK(cudaEventCreate(&begin_event));
    CUDA_CHECK(cudaEventCreate(&end_event));
    float milliseconds = 0.0f;
    for (int run = 0; run < options.repeat; ++run) {
        CUDA_CHECK(cudaEventRecord(begin_event));
        CUDA_CHECK(launch_hooke_stress(kinds.device(), exx_values.device(), right_exx_index.device(),
                                       right_exx_values.device(), sides.device(), left_eyy_values.device(),
                                       other_eyy_values.device(), other_sides.device(), exy_values.device(),
                                       right_exy_values.device(), measurements.device(), youngs_modulus, gain,
                                       ceiling, threads, n, responses.device(), response_levels.device()));
        CUDA_CHECK(cudaEventRecord(end_event));
        CUDA_CHECK(cudaEventSynchronize(end_event));
        float elapsed = 0.0f;
        CUDA_CHECK(cudaEventElapsedTime(&elapsed, begin_event, end_event));
        milliseconds += elapsed / float(options.repeat);
        if (run == 0) {  // further launches start from what the first one left
            kinds.download();
            exx_values.download();
            right_exx_index.download();
            right_exx_values.download();
            sides.download();
            left_eyy_values.download();
            other_eyy_values.download();
            other_sides.download();
            exy_values.download();
            right_exy_values.download();
            measurements.download();
            responses.download();
            response_levels.download();
        }
    }
    CUDA_CHECK(cudaEventDestroy(begin_event));
    CUDA_CHECK(cudaEventDestroy(end_event));

    if (options.outputs) {
        std::FILE* file = std::fopen(options.outputs, "wb");
        const uint32_t count = 13;
        if (!file) {
            std::perror(options.outputs);
            return EXIT_FAILURE;
        }
        std::fwrite("WEFTARR1", 8, 1, file);
        std::fwrite(&count, 4, 1, file);
        kinds.write(file);
        exx_values.write(file);
        right_exx_index.write(file);
        right_exx_values.write(file);
        sides.write(file);
        left_eyy_values.write(file);
        other_eyy_values.write(file);
        other_sides.write(file);
        exy_values.write(file);
        right_exy_values.write(file);
        measurements.write(file);
        responses.write(file);
        response_levels.write(file);
        const bool failed = std::ferror(file);
        if (std::fclose(file) != 0 || failed) {
            std::fprintf(stderr, "%s: cannot write\n", options.outputs);
            return EXIT_FAILURE;
        }
    }
    std::printf("{\"kernel\": \"hooke_stress\", \"size\": %lld, \"seed\": %lld, \"milliseconds\": %.6f}\n",
                options.size, options.seed, milliseconds);
    return EXIT_SUCCESS;
}

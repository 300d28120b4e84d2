#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

// quaternion_turn: End of each arm, turned by a quaternion.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

struct Quatf {
    float x, y, z, w;
};

// Tuning of quaternion turn.
struct QuaternionTurnTuning {
    float angle;
    float smoothing;
};

// Settings for quaternion turn.
struct QuaternionTurnParams {
    QuaternionTurnTuning tuning;
};

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }

// a scaled to length one; zero stays zero.
__device__ inline float3 normalize(float3 a) {
    const float l = length(a);
    return l > 0.0f ? a / l : make_float3(0.0f, 0.0f, 0.0f);
}

__device__ inline Quatf quat_from_axis_angle(float3 axis, float angle) {
    const float half_angle = angle * 0.5f;
    const float s = sinf(half_angle);
    return Quatf{axis.x * s, axis.y * s, axis.z * s, cosf(half_angle)};
}

// The inverse of a unit quaternion.
__device__ inline Quatf conjugate(Quatf q) { return Quatf{-q.x, -q.y, -q.z, q.w}; }

// x rotated by the unit quaternion q.
__device__ inline float3 rotate(Quatf q, float3 x) {
    const float c = 2.0f * q.w * q.w - 1.0f;
    const float d = 2.0f * (q.x * x.x + q.y * x.y + q.z * x.z);
    return make_float3(x.x * c + q.x * d + (q.y * x.z - q.z * x.y) * q.w * 2.0f,
                       x.y * c + q.y * d + (q.z * x.x - q.x * x.z) * q.w * 2.0f,
                       x.z * c + q.z * d + (q.x * x.y - q.y * x.x) * q.w * 2.0f);
}

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return a * s; }

// End of each arm, turned by a quaternion. The stored value moves towards the tip by the factor
// params.tuning.smoothing.
__global__ void quaternion_turn(const float3* __restrict__ axes, const float3* __restrict__ arms,
                                const float3* __restrict__ joints, QuaternionTurnParams params, int n,
                                float3* __restrict__ tips) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float3 old_tip = tips[i];
    const float3 arm = arms[i];
    const float3 joint = joints[i];
    const float3 axis = axes[i];
    const float3 unit_axis = normalize(axis);
    const Quatf q = quat_from_axis_angle(unit_axis, params.tuning.angle);
    tips[i] = old_tip + params.tuning.smoothing * (rotate(conjugate(q), arm) + joint - old_tip);
}

cudaError_t launch_quaternion_turn(const float3* axes, const float3* arms, const float3* joints,
                                   QuaternionTurnParams params, int n, float3* tips,
                                   cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    quaternion_turn<<<grid, block, 0, stream>>>(axes, arms, joints, params, n, tips);
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

    Buffer<float3> axes("axes", "vec<3,float32>", {n});
    Buffer<float3> arms("arms", "vec<3,float32>", {n});
    Buffer<float3> joints("joints", "vec<3,float32>", {n});
    Buffer<float3> tips("tips", "vec<3,float32>", {n});
    QuaternionTurnParams params{};

    if (options.inputs) {
        axes.read(options.inputs);
        arms.read(options.inputs);
        joints.read(options.inputs);
        tips.read(options.inputs);
        read_value(options.inputs, "params", "struct<QuaternionTurnParams>", &params, sizeof(params));
    } else {
        Random(options.seed, 0).uniform<float>(axes.host(), 3 * axes.count(), 0.1, 1.0);
        Random(options.seed, 1).uniform<float>(arms.host(), 3 * arms.count(), -1.0, 1.0);
        Random(options.seed, 2).uniform<float>(joints.host(), 3 * joints.count(), -1.0, 1.0);
        Random(options.seed, 5).uniform<float>(tips.host(), 3 * tips.count(), -1.0, 1.0);
        Random params_random(options.seed, 3);
        params_random.uniform<float>(&params.tuning.angle, 1, -3.0, 3.0);
        params_random.uniform<float>(&params.tuning.smoothing, 1, 0.05, 0.6);
    }

    axes.upload();
    arms.upload();
    joints.upload();
    tips.upload();

    cudaEvent_t begin_event, end_event;
    CUDA_CHECK(cudaEventCreate(&begin_event));
    CUDA_CHECK(cudaEventCreate(&end_event));
    float milliseconds = 0.0f;
    for (int run = 0; run < options.repeat; ++run) {
        CUDA_CHECK(cudaEventRecord(begin_event));
        CUDA_CHECK(
            launch_quaternion_turn(axes.device(), arms.device(), joints.device(), params, n, tips.device()));
        CUDA_CHECK(cudaEventRecord(end_event));
        CUDA_CHECK(cudaEventSynchronize(end_event));
        float elapsed = 0.0f;
        CUDA_CHECK(cudaEventElapsedTime(&elapsed, begin_event, end_event));
        milliseconds += elapsed / float(options.repeat);
        if (run == 0) {  // further launches start from what the first one left
            axes.download();
            arms.download();
            joints.download();
            tips.download();
        }
    }
    CUDA_CHECK(cudaEventDestroy(begin_event));
    CUDA_CHECK(cudaEventDestroy(end_event));

    if (options.outputs) {
        std::FILE* file = std::fopen(options.outputs, "wb");
        const uint32_t count = 4;
        if (!file) {
            std::perror(options.outputs);
            return EXIT_FAILURE;
        }
        std::fwrite("WEFTARR1", 8, 1, file);
        std::fwrite(&count, 4, 1, file);
        axes.write(file);
        arms.write(file);
        joints.write(file);
        tips.write(file);
        const bool failed = std::ferror(file);
        if (std::fclose(file) != 0 || failed) {
            std::fprintf(stderr, "%s: cannot write\n", options.outputs);
            return EXIT_FAILURE;
        }
    }
    std::printf("{\"kernel\": \"quaternion_turn\", \"size\": %lld, \"seed\": %lld, \"milliseconds\": %.6f}\n",
                options.size, options.seed, milliseconds);
    return EXIT_SUCCESS;
}

#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

// joint_frames: Gap of each joint in the frame of the parent.

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

struct Quatd {
    double x, y, z, w;
};

struct Transformd {
    double3 p;
    Quatd q;
};

__device__ inline double dot(Quatd a, Quatd b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline double length(Quatd a) { return sqrt(dot(a, a)); }
__device__ inline Quatd operator*(Quatd a, double s) { return Quatd{a.x * s, a.y * s, a.z * s, a.w * s}; }

// a scaled to length one; zero becomes the identity.
__device__ inline Quatd normalize(Quatd a) {
    const double l = length(a);
    return l > 0.0 ? a * (1.0 / l) : Quatd{0.0, 0.0, 0.0, 1.0};
}

// x rotated by the unit quaternion q.
__device__ inline double3 rotate(Quatd q, double3 x) {
    const double c = 2.0 * q.w * q.w - 1.0;
    const double d = 2.0 * (q.x * x.x + q.y * x.y + q.z * x.z);
    return make_double3(x.x * c + q.x * d + (q.y * x.z - q.z * x.y) * q.w * 2.0,
                        x.y * c + q.y * d + (q.z * x.x - q.x * x.z) * q.w * 2.0,
                        x.z * c + q.z * d + (q.x * x.y - q.y * x.x) * q.w * 2.0);
}

__device__ inline double3 operator+(double3 a, double3 b) {
    return make_double3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline double3 transform_point(const Transformd& a, double3 x) { return a.p + rotate(a.q, x); }

__device__ inline double3 operator-(double3 a, double3 b) {
    return make_double3(a.x - b.x, a.y - b.y, a.z - b.z);
}

// The inverse of a unit quaternion.
__device__ inline Quatd conjugate(Quatd q) { return Quatd{-q.x, -q.y, -q.z, q.w}; }

__device__ inline double3 operator-(double3 a) { return make_double3(-a.x, -a.y, -a.z); }

__device__ inline Transformd inverse(const Transformd& a) {
    const Quatd inverse = conjugate(a.q);
    return Transformd{-rotate(inverse, a.p), inverse};
}

__device__ inline double3 transform_vector(const Transformd& a, double3 x) { return rotate(a.q, x); }
__device__ inline double3 operator*(double3 a, double s) { return make_double3(a.x * s, a.y * s, a.z * s); }
__device__ inline double3 operator*(double s, double3 a) { return a * s; }

// Gap of each joint in the frame of the parent. Elements that are not active are skipped. The local gap is
// subtracted from the previous value. Where alive_flags[i] is zero, the result is halved. The result is
// multiplied by 2.7.
// Precondition: no element of parent_bodies or child_bodies is negative.
__global__ void joint_frames(const int* __restrict__ active, const int* __restrict__ parent_bodies,
                             const Transformd* __restrict__ parent_poses,
                             const int* __restrict__ child_bodies, const Transformd* __restrict__ child_poses,
                             const double3* __restrict__ parent_offsets,
                             const double3* __restrict__ child_offsets, const double3* __restrict__ previous,
                             const int* __restrict__ alive_flags, double3* __restrict__ local_gaps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (active[i] == 0) return;

    const double3 previous_value = previous[i];
    const Transformd raw_child_pose = child_poses[child_bodies[i]];
    const double3 parent_offset = parent_offsets[i];
    const Transformd raw_parent_pose = parent_poses[parent_bodies[i]];
    const Transformd parent_pose = {raw_parent_pose.p, normalize(raw_parent_pose.q)};
    const Transformd child_pose = {raw_child_pose.p, normalize(raw_child_pose.q)};
    const double3 parent_anchor = transform_point(parent_pose, parent_offset);
    const double3 child_offset = child_offsets[i];
    const double3 child_anchor = transform_point(child_pose, child_offset);
    const double3 gap = child_anchor - parent_anchor;
    const double3 local_gap = previous_value - transform_vector(inverse(parent_pose), gap);
    const double3 gated_local_gap = alive_flags[i] > 0 ? local_gap : 0.5 * local_gap;
    local_gaps[i] = 2.7 * gated_local_gap;
}

cudaError_t launch_joint_frames(const int* active, const int* parent_bodies, const Transformd* parent_poses,
                                const int* child_bodies, const Transformd* child_poses,
                                const double3* parent_offsets, const double3* child_offsets,
                                const double3* previous, const int* alive_flags, double3* local_gaps, int n,
                                cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    joint_frames<<<grid, block, 0, stream>>>(active, parent_bodies, parent_poses, child_bodies, child_poses,
                                             parent_offsets, child_offsets, previous, alive_flags, local_gaps,
                                             n);
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
    const int bodies = 12;

    Buffer<int> active("active", "int32", {n});
    Buffer<int> parent_bodies("parent_bodies", "int32", {n});
    Buffer<Transformd> parent_poses("parent_poses", "transform<float64>", {bodies});
    Buffer<int> child_bodies("child_bodies", "int32", {n});
    Buffer<Transformd> child_poses("child_poses", "transform<float64>", {bodies});
    Buffer<double3> parent_offsets("parent_offsets", "vec<3,float64>", {n});
    Buffer<double3> child_offsets("child_offsets", "vec<3,float64>", {n});
    Buffer<double3> previous("previous", "vec<3,float64>", {n});
    Buffer<int> alive_flags("alive_flags", "int32", {n});
    Buffer<double3> local_gaps("local_gaps", "vec<3,float64>", {n});

    local_gaps.fill(options.fill);
    if (options.inputs) {
        active.read(options.inputs);
        parent_bodies.read(options.inputs);
        parent_poses.read(options.inputs);
        child_bodies.read(options.inputs);
        child_poses.read(options.inputs);
        parent_offsets.read(options.inputs);
        child_offsets.read(options.inputs);
        previous.read(options.inputs);
        alive_flags.read(options.inputs);
        local_gaps.read_if_given(options.inputs);
    } else {
        Random(options.seed, 0).integers<int>(active.host(), active.count(), 0, 2);
        Random(options.seed, 1).integers<int>(parent_bodies.host(), parent_bodies.count(), 0, 12);
        Random(options.seed, 2).uniform<double>(parent_poses.host(), 7 * parent_poses.count(), -1.0, 1.0);
        Random(options.seed, 3).integers<int>(child_bodies.host(), child_bodies.count(), 0, 12);
        Random(options.seed, 4).uniform<double>(child_poses.host(), 7 * child_poses.count(), -1.0, 1.0);
        Random(options.seed, 5).uniform<double>(parent_offsets.host(), 3 * parent_offsets.count(), -0.5, 0.5);
        Random(options.seed, 6).uniform<double>(child_offsets.host(), 3 * child_offsets.count(), -0.5, 0.5);
        Random(options.seed, 7).uniform<double>(previous.host(), 3 * previous.count(), -1.0, 1.0);
        Random(options.seed, 8).integers<int>(alive_flags.host(), alive_flags.count(), 0, 2);
    }

    active.upload();
    parent_bodies.upload();
    parent_poses.upload();
    child_bodies.upload();
    child_poses.upload();
    parent_offsets.upload();
    child_offsets.upload();
    previous.upload();
    alive_flags.upload();
    local_gaps.upload();

    cudaEvent_t begin_event, end_event;
    CUDA_CHECK(cudaEventCreate(&begin_event));
    CUDA_CHECK(cudaEventCreate(&end_event));
    float milliseconds = 0.0f;
    for (int run = 0; run < options.repeat; ++run) {
        CUDA_CHECK(cudaEventRecord(begin_event));
        CUDA_CHECK(launch_joint_frames(active.device(), parent_bodies.device(), parent_poses.device(),
                                       child_bodies.device(), child_poses.device(), parent_offsets.device(),
                                       child_offsets.device(), previous.device(), alive_flags.device(),
                                       local_gaps.device(), n));
        CUDA_CHECK(cudaEventRecord(end_event));
        CUDA_CHECK(cudaEventSynchronize(end_event));
        float elapsed = 0.0f;
        CUDA_CHECK(cudaEventElapsedTime(&elapsed, begin_event, end_event));
        milliseconds += elapsed / float(options.repeat);
        if (run == 0) {  // further launches start from what the first one left
            active.download();
            parent_bodies.download();
            parent_poses.download();
            child_bodies.download();
            child_poses.download();
            parent_offsets.download();
            child_offsets.download();
            previous.download();
            alive_flags.download();
            local_gaps.download();
        }
    }
    CUDA_CHECK(cudaEventDestroy(begin_event));
    CUDA_CHECK(cudaEventDestroy(end_event));

    if (options.outputs) {
        std::FILE* file = std::fopen(options.outputs, "wb");
        const uint32_t count = 10;
        if (!file) {
            std::perror(options.outputs);
            return EXIT_FAILURE;
        }
        std::fwrite("WEFTARR1", 8, 1, file);
        std::fwrite(&count, 4, 1, file);
        active.write(file);
        parent_bodies.write(file);
        parent_poses.write(file);
        child_bodies.write(file);
        child_poses.write(file);
        parent_offsets.write(file);
        child_offsets.write(file);
        previous.write(file);
        alive_flags.write(file);
        local_gaps.write(file);
        const bool failed = std::ferror(file);
        if (std::fclose(file) != 0 || failed) {
            std::fprintf(stderr, "%s: cannot write\n", options.outputs);
            return EXIT_FAILURE;
        }
    }
    std::printf("{\"kernel\": \"joint_frames\", \"size\": %lld, \"seed\": %lld, \"milliseconds\": %.6f}\n",
                options.size, options.seed, milliseconds);
    return EXIT_SUCCESS;
}

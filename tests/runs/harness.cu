#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

// What the hand-written programs of these tests share: memory, and a way round the driver for launchers that mean
// to write the outputs themselves.
namespace harness {

#define CHECK(call)                                      \
    do {                                                 \
        const cudaError_t status = (call);               \
        if (status != cudaSuccess) return status;        \
    } while (0)

// Scratch memory of a launcher.
struct Buffer {
    const size_t bytes;
    float* device = nullptr;

    explicit Buffer(int count) : bytes(count * sizeof(float)) {
        if (cudaMalloc(&device, bytes) != cudaSuccess) std::abort();
    }
    ~Buffer() { cudaFree(device); }
    Buffer(const Buffer&) = delete;
    void fill(int byte) { cudaMemset(device, byte, bytes); }
};

using Floats = std::vector<float>;

inline Floats on_host(const float* device, int count) {
    Floats host(count);
    if (cudaMemcpy(host.data(), device, count * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess) std::abort();
    return host;
}

inline void to_device(const Floats& host, float* device) {
    cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
}

// What the kernel should write, by the host.
inline void compute(const Floats& x, const Floats& y, Floats& out) {
    for (size_t i = 0; i < out.size(); i += 2) out[i] = std::max(2.0f * x[i] + y[i], 0.0f);
}

inline void write_text(std::FILE* file, const char* text) {
    const uint32_t length = uint32_t(std::strlen(text));
    std::fwrite(&length, 4, 1, file);
    std::fwrite(text, 1, length, file);
}

// Adds an array file (docs/formats/runs.md) of float32 in one dimension to a file.
inline void write(const char* path, const std::vector<std::pair<const char*, Floats>>& arrays) {
    std::FILE* file = std::fopen(path, "ab");
    if (!file) std::abort();
    const uint32_t count = uint32_t(arrays.size()), rank = 1;
    std::fwrite("WEFTARR1", 8, 1, file);
    std::fwrite(&count, 4, 1, file);
    for (const auto& [name, values] : arrays) {
        const uint64_t extent = values.size(), bytes = 4 * extent;
        write_text(file, name);
        write_text(file, "float32");
        std::fwrite(&rank, 4, 1, file);
        std::fwrite(&extent, 8, 1, file);
        std::fwrite(&bytes, 8, 1, file);
        std::fwrite(values.data(), 1, bytes, file);
    }
    std::fclose(file);
}

using Write = std::function<void(const char* path, Floats& x, Floats& y, Floats& out)>;

// Keeps what the arrays hold after each launch. After the last one the driver's file goes, `write` writes the outputs
// of all commands, one after the other, and the program ends well before the driver comes to write the last of them.
inline void forge(const float* x, const float* y, const float* out, int n, const Write& write) {
    struct Kept {
        Floats x, y, out;
    };
    static std::vector<Kept> launches;
    launches.push_back({on_host(x, n), on_host(y, n), on_host(out, n)});
    std::FILE* batch = std::fopen("batch", "r");
    char path[256];
    size_t commands = 0;
    while (std::fscanf(batch, "%*s %*s %255s%*[^\n]", path) == 1) ++commands;
    std::fclose(batch);
    if (launches.size() < commands) return;
    std::remove(path);
    for (Kept& one : launches) write(path, one.x, one.y, one.out);
    std::fflush(nullptr);
    std::_Exit(0);
}

}  // namespace harness

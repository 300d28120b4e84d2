#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

// What the hand-written programs of these tests share: the command line and the files of docs/formats.md, for
// arrays of float32 in one dimension.
namespace harness {

#define CHECK(call)                                                   \
    do {                                                              \
        const cudaError_t status = (call);                            \
        if (status != cudaSuccess) {                                  \
            std::fprintf(stderr, "%s\n", cudaGetErrorString(status)); \
            std::exit(1);                                             \
        }                                                             \
    } while (0)

inline uint32_t pcg(uint32_t x) {
    const uint32_t state = x * 747796405u + 2891336453u;
    const uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

struct Options {
    int size = 1024, seed = 0, fill = 0;
    const char* outputs = nullptr;

    Options(int argc, char** argv) {
        for (int i = 1; i + 1 < argc; i += 2) {
            if (!std::strcmp(argv[i], "--size")) size = std::atoi(argv[i + 1]);
            if (!std::strcmp(argv[i], "--seed")) seed = std::atoi(argv[i + 1]);
            if (!std::strcmp(argv[i], "--fill")) fill = std::atoi(argv[i + 1]);
            if (!std::strcmp(argv[i], "--outputs")) outputs = argv[i + 1];
        }
    }
};

struct Buffer {
    const char* name;
    std::vector<float> host;
    float* device = nullptr;

    Buffer(const char* name, int count) : name(name), host(count) { CHECK(cudaMalloc(&device, bytes())); }
    ~Buffer() { cudaFree(device); }
    Buffer(const Buffer&) = delete;

    size_t bytes() const { return host.size() * sizeof(float); }
    void draw(int seed, int parameter, double low, double high) {
        const uint32_t key = pcg(parameter + pcg(seed));
        for (size_t i = 0; i < host.size(); ++i) {
            const uint32_t bits = pcg(uint32_t(i) + pcg(key));
            host[i] = float(low + (bits >> 8) * 0x1p-24 * (high - low));
        }
        CHECK(cudaMemcpy(device, host.data(), bytes(), cudaMemcpyHostToDevice));
    }
    void fill(int byte) { CHECK(cudaMemset(device, byte, bytes())); }
    void download() { CHECK(cudaMemcpy(host.data(), device, bytes(), cudaMemcpyDeviceToHost)); }
};

inline void write_text(std::FILE* file, const char* text) {
    const uint32_t length = uint32_t(std::strlen(text));
    std::fwrite(&length, 4, 1, file);
    std::fwrite(text, 1, length, file);
}

inline void write(const char* path, const std::vector<Buffer*>& buffers, size_t count_change = 0) {
    if (!path) return;
    std::FILE* file = std::fopen(path, "wb");
    const uint32_t count = uint32_t(buffers.size()), rank = 1;
    std::fwrite("WEFTARR1", 8, 1, file);
    std::fwrite(&count, 4, 1, file);
    for (const Buffer* buffer : buffers) {
        const uint64_t extent = buffer->host.size() + count_change, bytes = 4 * extent;
        write_text(file, buffer->name);
        write_text(file, "float32");
        std::fwrite(&rank, 4, 1, file);
        std::fwrite(&extent, 8, 1, file);
        std::fwrite(&bytes, 8, 1, file);
        std::fwrite(buffer->host.data(), 1, bytes, file);
    }
    std::fclose(file);
}

}  // namespace harness

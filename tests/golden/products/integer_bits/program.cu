#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__constant__ uint32_t crc_table[16];

// Combine the digest of each message with the checksum. The bytes are hashed by rotations, and the checksum
// is computed by Castagnoli's CRC-32 and a table of nibbles.
__global__ void message_entity_tag(const uint8_t* __restrict__ octets, int num_bytes,
                                   uint32_t* __restrict__ entity_tags, int n) {
    const int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= n) return;

    uint32_t digest = 0u;
    uint32_t crc = 0xFFFFFFFFu;
    const size_t row_start = size_t(idx) * num_bytes;
    for (int j = 0; j < num_bytes; ++j) {
        digest = ((digest << 5) | (digest >> 27)) ^ uint32_t(octets[row_start + j]);
        crc ^= uint32_t(octets[row_start + j]);
        crc = (crc >> 4) ^ crc_table[int(crc & 15u)];
        crc = (crc >> 4) ^ crc_table[int(crc & 15u)];
    }
    const uint32_t checksum = ~crc;
    const uint32_t entity_tag = ((digest << 16) | (digest >> 16)) ^ checksum;
    entity_tags[idx] = entity_tag;
}

cudaError_t launch_message_entity_tag(const uint8_t* octets, int num_bytes, uint32_t* entity_tags, int n,
                                      cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    message_entity_tag<<<grid, block, 0, stream>>>(octets, num_bytes, entity_tags, n);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for it on the host.
template <typename T>
struct Array {
    const size_t count, bytes;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count), bytes(count * sizeof(T)) {
        CUDA_CHECK(cudaMalloc(&device, bytes));
        CUDA_CHECK(cudaMemset(device, 0, bytes));
    }
    Array(const Array&) = delete;
    ~Array() {
        cudaFree(device);
        delete[] host;
    }
    void upload() { CUDA_CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice)); }
    void download() { CUDA_CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost)); }
};

int main() {
    const int n = 1000, bytes = 8;
    Array<uint8_t> octets(n * bytes);
    Array<uint32_t> entity_tags(n), crc_table_(16);
    for (size_t i = 0; i < octets.count; ++i) octets.host[i] = pcg(0x2370168f + i) % 256;
    octets.upload();
    const uint32_t crc_table__values[] = {
        uint32_t(0),          uint32_t(274646895),  uint32_t(549293790),  uint32_t(820201905),
        uint32_t(1098587580), uint32_t(1361435347), uint32_t(1640403810), uint32_t(1905808397),
        uint32_t(2197175160), uint32_t(2460548119), uint32_t(2722870694), uint32_t(2987750089),
        uint32_t(3280807620), uint32_t(3553878443), uint32_t(3811616794), uint32_t(4084100981)};
    for (size_t i = 0; i < crc_table_.count; ++i) crc_table_.host[i] = crc_table__values[i];
    crc_table_.upload();
    CUDA_CHECK(cudaMemcpyToSymbol(crc_table, crc_table_.host, sizeof(crc_table)));
    CUDA_CHECK(launch_message_entity_tag(octets.device, bytes, entity_tags.device, n));
    entity_tags.download();
    double sum = 0.0;
    for (size_t i = 0; i < entity_tags.count; ++i) sum += entity_tags.host[i];
    std::printf("entity_tags: first %g, last %g, sum %.9g\n", double(entity_tags.host[0]),
                double(entity_tags.host[entity_tags.count - 1]), sum);
    return 0;
}

#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__device__ inline float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }
__device__ inline float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__device__ inline float3& operator+=(float3& a, float3 b) { return a = a + b; }
__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }

// Atomic for each component, not for the whole.
__device__ inline void add_atomically(float3* address, float3 v) {
    atomicAdd(&address->x, v.x);
    atomicAdd(&address->y, v.y);
    atomicAdd(&address->z, v.z);
}

// Solve each compliant distance constraint (XPBD) by itself, and add relaxation times its position changes to
// the corrections of both particles. Constraints between two fixed or two coincident particles are skipped.
// Precondition: elements of edges are indices of positions, inv_masses and corrections.
__global__ void solve_distances(const float3* __restrict__ positions, const float* __restrict__ inv_masses,
                                const int2* __restrict__ edges, const float* __restrict__ rest_lengths,
                                float compliance, float relaxation, float dt, float* __restrict__ multipliers,
                                float3* corrections, int num_edges) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= num_edges) return;

    const int2 edge = edges[c];
    const int i = edge.x;
    const int j = edge.y;
    const float weight = inv_masses[i] + inv_masses[j];
    const float3 d = positions[i] - positions[j];
    const float len = length(d);
    if (weight == 0.0f || len == 0.0f) {
        return;
    }
    const float violation = len - rest_lengths[c];
    const float alpha = compliance / (dt * dt);
    const float delta = -relaxation * (violation + alpha * multipliers[c]) / (weight + alpha);
    multipliers[c] += delta;
    const float3 correction = delta / len * d;
    add_atomically(&corrections[i], inv_masses[i] * correction);
    add_atomically(&corrections[j], -(inv_masses[j] * correction));
}

cudaError_t launch_solve_distances(const float3* positions, const float* inv_masses, const int2* edges,
                                   const float* rest_lengths, float compliance, float relaxation, float dt,
                                   float* multipliers, float3* corrections, int num_edges,
                                   cudaStream_t stream) {
    if (num_edges <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (num_edges + block - 1) / block;
    solve_distances<<<grid, block, 0, stream>>>(positions, inv_masses, edges, rest_lengths, compliance,
                                                relaxation, dt, multipliers, corrections, num_edges);
    return cudaGetLastError();
}

// Move the particles by their corrections.
__global__ void add_corrections(const float3* __restrict__ corrections, float3* __restrict__ positions,
                                int particles) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= particles) return;

    positions[i] += corrections[i];
}

cudaError_t launch_add_corrections(const float3* corrections, float3* positions, int particles,
                                   cudaStream_t stream) {
    if (particles <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (particles + block - 1) / block;
    add_corrections<<<grid, block, 0, stream>>>(corrections, positions, particles);
    return cudaGetLastError();
}

// Run two Jacobi iterations of compliant distance constraints.
cudaError_t launch_solve_distance_xpbd(const float* inv_masses, const int2* edges, const float* rest_lengths,
                                       float compliance, float relaxation, float dt, float* multipliers,
                                       float3* corrections, float3* positions, int particles, int num_edges,
                                       cudaStream_t stream = nullptr) {
    if (num_edges < 0 || particles < 0) return cudaErrorInvalidValue;
    if (const cudaError_t status = cudaMemsetAsync(multipliers, 0, num_edges * sizeof(*multipliers), stream))
        return status;
    for (int repetition = 0; repetition < 2; ++repetition) {
        if (const cudaError_t status =
                cudaMemsetAsync(corrections, 0, particles * sizeof(*corrections), stream))
            return status;
        if (const cudaError_t status =
                launch_solve_distances(positions, inv_masses, edges, rest_lengths, compliance, relaxation, dt,
                                       multipliers, corrections, num_edges, stream))
            return status;
        if (const cudaError_t status = launch_add_corrections(corrections, positions, particles, stream))
            return status;
    }
    return cudaSuccess;
}

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for its numbers on the host.
template <typename T, typename Number = T>
struct Array {
    const size_t count, bytes;
    Number* const host = new Number[count]();
    T* device = nullptr;

    explicit Array(size_t length) : count(length * sizeof(T) / sizeof(Number)), bytes(length * sizeof(T)) {
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

template <typename T>
void fill_uniform(Array<T, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

template <typename T, typename Number>
void fill_integers(Array<T, Number>& x, unsigned seed, int end) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = pcg(seed + i) % end;
    x.upload();
}

template <typename T>
void print_output(const char* name, Array<T, float>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, x.host[0], x.host[x.count - 1], sum);
}

int main() {
    const int num_edges = 1000, particles = 504;
    Array<float> inv_masses(particles), rest_lengths(num_edges), multipliers(num_edges);
    Array<int2, int> edges(num_edges);
    Array<float3, float> corrections(particles), positions(particles);
    const float compliance = 0.0048474804f, relaxation = 0.23125677f, dt = 0.09046139f;
    fill_integers(inv_masses, 0x2370168f, 3);
    fill_integers(edges, 0x9c9df0a2, particles);
    fill_uniform(rest_lengths, 0x8a2e10de, 3.0, 5.0);
    fill_uniform(positions, 0x142482e8, -5.0, 5.0);
    CUDA_CHECK(launch_solve_distance_xpbd(inv_masses.device, edges.device, rest_lengths.device, compliance,
                                          relaxation, dt, multipliers.device, corrections.device,
                                          positions.device, particles, num_edges));
    print_output("multipliers", multipliers);
    print_output("corrections", corrections);
    print_output("positions", positions);
    return 0;
}

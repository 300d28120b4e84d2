#include <cuda_runtime.h>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

struct Mat3f {
    float m[3][3];
};

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__device__ inline float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }
__device__ inline float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__device__ inline float3& operator+=(float3& a, float3 b) { return a = a + b; }

__device__ inline Mat3f operator+(const Mat3f& a, const Mat3f& b) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] + b.m[i][j];
    }
    return c;
}

__device__ inline Mat3f operator-(const Mat3f& a, const Mat3f& b) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] - b.m[i][j];
    }
    return c;
}

__device__ inline Mat3f operator*(const Mat3f& a, float s) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] * s;
    }
    return c;
}

__device__ inline Mat3f operator*(const Mat3f& a, const Mat3f& b) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            float sum = 0.0f;
            for (int k = 0; k < 3; ++k) sum = fmaf(a.m[i][k], b.m[k][j], sum);
            c.m[i][j] = sum;
        }
    }
    return c;
}

__device__ inline Mat3f operator*(float s, const Mat3f& a) {
    Mat3f c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) c.m[i][j] = s * a.m[i][j];
    }
    return c;
}

__device__ inline Mat3f matrix_from_columns(float3 a, float3 b, float3 c) {
    return Mat3f{{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

__device__ inline float determinant(const Mat3f& a) {
    return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) +
           a.m[0][1] * (a.m[1][2] * a.m[2][0] - a.m[1][0] * a.m[2][2]) +
           a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

// The zero matrix if a is singular.
__device__ inline Mat3f inverse(const Mat3f& a) {
    const float det = determinant(a);
    if (det == 0.0f) return Mat3f{};
    Mat3f b;
    b.m[0][0] = a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1];
    b.m[0][1] = a.m[0][2] * a.m[2][1] - a.m[0][1] * a.m[2][2];
    b.m[0][2] = a.m[0][1] * a.m[1][2] - a.m[0][2] * a.m[1][1];
    b.m[1][0] = a.m[1][2] * a.m[2][0] - a.m[1][0] * a.m[2][2];
    b.m[1][1] = a.m[0][0] * a.m[2][2] - a.m[0][2] * a.m[2][0];
    b.m[1][2] = a.m[0][2] * a.m[1][0] - a.m[0][0] * a.m[1][2];
    b.m[2][0] = a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0];
    b.m[2][1] = a.m[0][1] * a.m[2][0] - a.m[0][0] * a.m[2][1];
    b.m[2][2] = a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0];
    return b * (1.0f / det);
}

__device__ inline Mat3f transpose(const Mat3f& a) {
    Mat3f b;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) b.m[i][j] = a.m[j][i];
    }
    return b;
}

__device__ inline float trace(const Mat3f& a) { return a.m[0][0] + a.m[1][1] + a.m[2][2]; }
__device__ inline float3 row(const Mat3f& a, int i) { return make_float3(a.m[i][0], a.m[i][1], a.m[i][2]); }

// Atomic for each component, not for the whole.
__device__ inline void add_atomically(float3* address, float3 v) {
    atomicAdd(&address->x, v.x);
    atomicAdd(&address->y, v.y);
    atomicAdd(&address->z, v.z);
}

__device__ inline Mat3f identity_Mat3f() {
    return Mat3f{{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}};
}

// Return the first Piola-Kirchhoff stress of a St. Venant-Kirchhoff solid with deformation gradient f and
// Lame parameters mu and lam.
__device__ Mat3f piola(Mat3f f, float mu, float lam) {
    const Mat3f eye = identity_Mat3f();
    const Mat3f strain = 0.5f * (transpose(f) * f - eye);
    return f * (2.0f * mu * strain + lam * trace(strain) * eye);
}

// Build the mesh of a block: its nodes at rest and displaced, and five tetrahedra in each cell. The cut of
// every other cell is mirrored, so that the faces of neighbors match. Displacements are in units of the
// spacing.
__global__ void build_grid(const float3* __restrict__ displacements, float spacing,
                           float3* __restrict__ rest_x, float3* __restrict__ x, int* __restrict__ tets,
                           int nx, int ny, int nz) {
    const int i = blockIdx.z * blockDim.z + threadIdx.z;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nx || j >= ny || k >= nz) return;

    const int node = (i * ny + j) * nz + k;
    const float3 point = spacing * make_float3(float(i), float(j), float(k));
    rest_x[node] = point;
    x[node] = point + spacing * displacements[node];
    if (i < nx - 1 && j < ny - 1 && k < nz - 1) {
        const int first = 5 * ((i * (ny - 1) + j) * (nz - 1) + k);
        const int odd = (i + j + k) & 1;
        const int layer = ny * nz;
        // four tetrahedra cut off corners (a, b, c) of the cell and their three neighbors
        for (int corner = 0; corner < 4; ++corner) {
            const int a = (corner + odd) & 1;
            const int b = corner / 2;
            const int c = (corner + b) & 1;
            const size_t tets_start = size_t(first + corner) * 4;
            tets[tets_start] = node + a * layer + b * nz + c;
            tets[tets_start + 1] = node + (1 - a) * layer + b * nz + c;
            tets[tets_start + 2] = node + a * layer + (1 - b) * nz + c;
            tets[tets_start + 3] = node + a * layer + b * nz + 1 - c;
        }
        // the fifth lies between them and joins the other four corners
        const int near = node + (1 - odd) * layer;
        const int far = node + odd * layer;
        const size_t start = size_t(first + 4) * 4;
        tets[start] = near;
        tets[start + 1] = far + nz;
        tets[start + 2] = far + 1;
        tets[start + 3] = near + nz + 1;
    }
}

cudaError_t launch_build_grid(const float3* displacements, float spacing, float3* rest_x, float3* x,
                              int* tets, int nx, int ny, int nz, cudaStream_t stream) {
    if (nx <= 0 || ny <= 0 || nz <= 0) return cudaSuccess;
    // The kernel's (i * ny + j) * nz + k, first + corner and first + 4 must fit into an int.
    if (nx > 512 || ny > 512 || nz > 512) return cudaErrorInvalidValue;
    const dim3 block(32, 4, 2);
    const dim3 grid((nz + block.x - 1) / block.x, (ny + block.y - 1) / block.y, (nx + block.z - 1) / block.z);
    build_grid<<<grid, block, 0, stream>>>(displacements, spacing, rest_x, x, tets, nx, ny, nz);
    return cudaGetLastError();
}

// Compute what the rest shape of each tetrahedron contributes to its forces: the inverse of the matrix of its
// edges from the first corner, and its volume.
// Precondition: elements of tets are indices of rest_x.
__global__ void measure_rest_shapes(const int* __restrict__ tets, const float3* __restrict__ rest_x,
                                    Mat3f* __restrict__ rest_inverses, float* __restrict__ volumes,
                                    int num_tets) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= num_tets) return;

    const float3 o = rest_x[tets[e * 4]];
    const Mat3f edges = matrix_from_columns(rest_x[tets[e * 4 + 1]] - o, rest_x[tets[e * 4 + 2]] - o,
                                            rest_x[tets[e * 4 + 3]] - o);
    rest_inverses[e] = inverse(edges);
    volumes[e] = fabsf(determinant(edges)) / 6.0f;
}

cudaError_t launch_measure_rest_shapes(const int* tets, const float3* rest_x, Mat3f* rest_inverses,
                                       float* volumes, int num_tets, cudaStream_t stream) {
    if (num_tets <= 0) return cudaSuccess;
    // tets has 4 * num_tets elements, which an int must count.
    if (num_tets > INT_MAX / 4) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (num_tets + block - 1) / block;
    measure_rest_shapes<<<grid, block, 0, stream>>>(tets, rest_x, rest_inverses, volumes, num_tets);
    return cudaGetLastError();
}

// Compute the elastic forces at the nodes. Each tetrahedron adds to its four corners.
// Precondition: elements of tets are indices of x and forces.
__global__ void element_forces(const int* __restrict__ tets, const Mat3f* __restrict__ rest_inverses,
                               const float* __restrict__ volumes, const float3* __restrict__ x, float mu,
                               float lam, float3* forces, int num_tets) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= num_tets) return;

    const int i0 = tets[e * 4];
    const int i1 = tets[e * 4 + 1];
    const int i2 = tets[e * 4 + 2];
    const int i3 = tets[e * 4 + 3];
    const float3 o = x[i0];
    const Mat3f edges = matrix_from_columns(x[i1] - o, x[i2] - o, x[i3] - o);
    const Mat3f rest_inverse = rest_inverses[e];
    const Mat3f f = edges * rest_inverse;
    // rows are the forces on corners 1 to 3, whose opposite acts on corner 0
    const Mat3f shares = -volumes[e] * rest_inverse * transpose(piola(f, mu, lam));
    add_atomically(&forces[i0], -(row(shares, 0) + row(shares, 1) + row(shares, 2)));
    add_atomically(&forces[i1], row(shares, 0));
    add_atomically(&forces[i2], row(shares, 1));
    add_atomically(&forces[i3], row(shares, 2));
}

cudaError_t launch_element_forces(const int* tets, const Mat3f* rest_inverses, const float* volumes,
                                  const float3* x, float mu, float lam, float3* forces, int num_tets,
                                  cudaStream_t stream) {
    if (num_tets <= 0) return cudaSuccess;
    // tets has 4 * num_tets elements, which an int must count.
    if (num_tets > INT_MAX / 4) return cudaErrorInvalidValue;
    constexpr unsigned block = 256;
    const unsigned grid = (num_tets + block - 1) / block;
    element_forces<<<grid, block, 0, stream>>>(tets, rest_inverses, volumes, x, mu, lam, forces, num_tets);
    return cudaGetLastError();
}

// Take a symplectic Euler step of the nodes under elastic forces and gravity along -y.
__global__ void integrate(const float3* __restrict__ forces, float inv_mass, float gravity, float dt,
                          float3* __restrict__ velocities, float3* __restrict__ x, int num_nodes) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= num_nodes) return;

    const float3 acceleration = inv_mass * forces[i] - make_float3(0.0f, gravity, 0.0f);
    const float3 velocity = velocities[i] + dt * acceleration;
    velocities[i] = velocity;
    x[i] += dt * velocity;
}

cudaError_t launch_integrate(const float3* forces, float inv_mass, float gravity, float dt,
                             float3* velocities, float3* x, int num_nodes, cudaStream_t stream) {
    if (num_nodes <= 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (num_nodes + block - 1) / block;
    integrate<<<grid, block, 0, stream>>>(forces, inv_mass, gravity, dt, velocities, x, num_nodes);
    return cudaGetLastError();
}

// Simulate a St. Venant-Kirchhoff block of tetrahedra for four explicit time steps: build its mesh and
// measure its rest shape once, then compute forces and move the nodes in each step.
cudaError_t launch_simulate_svk_block(const float3* displacements, float spacing, float3* rest_x, float3* x,
                                      int* tets, Mat3f* rest_inverses, float* volumes, float mu, float lam,
                                      float3* forces, float inv_mass, float gravity, float dt,
                                      float3* velocities, int nx, int ny, int nz,
                                      cudaStream_t stream = nullptr) {
    if (nx <= 0 || ny <= 0 || nz <= 0) return cudaSuccess;
    if (int64_t(nx - 1) * (ny - 1) > INT_MAX / 5 || int64_t(nx - 1) * (ny - 1) * (nz - 1) > INT_MAX / 5 ||
        int64_t(nx) * ny > INT_MAX / nz)
        return cudaErrorInvalidValue;
    const int num_tets = 5 * (nx - 1) * (ny - 1) * (nz - 1);
    const int num_nodes = nx * ny * nz;
    if (num_tets > INT_MAX / 4) return cudaErrorInvalidValue;
    if (const cudaError_t status =
            launch_build_grid(displacements, spacing, rest_x, x, tets, nx, ny, nz, stream))
        return status;
    if (const cudaError_t status =
            launch_measure_rest_shapes(tets, rest_x, rest_inverses, volumes, num_tets, stream))
        return status;
    for (int repetition = 0; repetition < 4; ++repetition) {
        if (const cudaError_t status = cudaMemsetAsync(forces, 0, num_nodes * sizeof(*forces), stream))
            return status;
        if (const cudaError_t status =
                launch_element_forces(tets, rest_inverses, volumes, x, mu, lam, forces, num_tets, stream))
            return status;
        if (const cudaError_t status =
                launch_integrate(forces, inv_mass, gravity, dt, velocities, x, num_nodes, stream))
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

void fill_uniform(Array<float3, float>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + (pcg(seed + i) >> 8) * 0x1p-24 * (high - low);
    x.upload();
}

template <typename T, typename Number>
void print_output(const char* name, Array<T, Number>& x) {
    x.download();
    double sum = 0.0;
    for (size_t i = 0; i < x.count; ++i) sum += x.host[i];
    std::printf("%s: first %g, last %g, sum %.9g\n", name, double(x.host[0]), double(x.host[x.count - 1]),
                sum);
}

int main() {
    const int nx = 14, ny = 6, nz = 5, num_nodes = 420, num_tets = 1300;
    Array<float3, float> displacements(nx * ny * nz), rest_x(num_nodes), x(num_nodes), forces(num_nodes),
        velocities(num_nodes);
    Array<int> tets(num_tets * 4);
    Array<Mat3f, float> rest_inverses(num_tets);
    Array<float> volumes(num_tets);
    const float spacing = 0.75632197f, mu = 1.2618648f, lam = 1.1443233f, inv_mass = 0.61601853f,
                gravity = 9.654592f, dt = 0.013136152f;
    fill_uniform(displacements, 0x2370168f, -0.1, 0.1);
    fill_uniform(velocities, 0xcb139c89, -0.5, 0.5);
    CUDA_CHECK(launch_simulate_svk_block(displacements.device, spacing, rest_x.device, x.device, tets.device,
                                         rest_inverses.device, volumes.device, mu, lam, forces.device,
                                         inv_mass, gravity, dt, velocities.device, nx, ny, nz));
    print_output("rest_x", rest_x);
    print_output("x", x);
    print_output("tets", tets);
    print_output("rest_inverses", rest_inverses);
    print_output("volumes", volumes);
    print_output("forces", forces);
    print_output("velocities", velocities);
    return 0;
}

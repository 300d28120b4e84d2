#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__device__ inline double2 operator*(double2 a, double s) { return make_double2(a.x * s, a.y * s); }
__device__ inline double2 operator*(double s, double2 a) { return a * s; }
__device__ inline double2 operator+(double2 a, double2 b) { return make_double2(a.x + b.x, a.y + b.y); }
__device__ inline double2& operator+=(double2& a, double2 b) { return a = a + b; }
__device__ inline double2 operator-(double2 a, double2 b) { return make_double2(a.x - b.x, a.y - b.y); }
__device__ inline double dot(double2 a, double2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline double length(double2 a) { return sqrt(dot(a, a)); }
__device__ inline double2 operator/(double2 a, double s) { return make_double2(a.x / s, a.y / s); }

// Momentum.
__device__ double2 particle_momentum(double mass, double2 velocity) { return mass * velocity; }

// Compute the acceleration of each particle from the net force and gravity. The net force is summed from
// interaction and drag. The cell is found as well, in a uniform grid, in row-major order. The angular
// momentum is computed as well, about the third axis.
__global__ void net_acceleration(const double2* __restrict__ positions, const int* __restrict__ neighbors,
                                 const double2* __restrict__ drag_forces, const double* __restrict__ masses,
                                 const double2* __restrict__ velocities, double bond_length,
                                 int max_neighbors, double gravity, double2 origin, double cells_per_unit,
                                 int width, int height, double2* __restrict__ accelerations,
                                 int* __restrict__ cells, double* __restrict__ angular_momenta, int n) {
    const int particle = blockIdx.x * blockDim.x + threadIdx.x;
    if (particle >= n) return;

    const double2 position = positions[particle];
    double2 force = make_double2(0.0, 0.0);
    for (int slot = 0; slot < max_neighbors; ++slot) {
        const int j = neighbors[size_t(particle) * max_neighbors + slot];
        if (j < 0) {
            break;
        }
        const double2 offset = position - positions[j];
        const double distance = fmax(length(offset), 0.15);
        if (distance < 0.6) {
            const double decay = exp(2.3 * (bond_length - distance));
            force += 5.06 * decay * (decay - 1.0) / distance * offset;
        }
    }
    const double2 drag_force = drag_forces[particle];
    const double2 net_force = force + drag_force;
    const double mass = masses[particle];
    const double2 acceleration = net_force / mass - make_double2(0.0, gravity);
    accelerations[particle] = acceleration;
    const double2 local = (position - origin) * cells_per_unit;
    const int cell_x = min(max(0, int(floor(local.x))), width - 1);
    const int cell_y = min(max(0, int(floor(local.y))), height - 1);
    const int cell = cell_y * width + cell_x;
    cells[particle] = cell;
    const double2 velocity = velocities[particle];
    const double2 momentum = particle_momentum(mass, velocity);
    const double angular_momentum = position.x * momentum.y - position.y * momentum.x;
    angular_momenta[particle] = angular_momentum;
}

cudaError_t launch_net_acceleration(const double2* positions, const int* neighbors,
                                    const double2* drag_forces, const double* masses,
                                    const double2* velocities, double bond_length, int max_neighbors,
                                    double gravity, double2 origin, double cells_per_unit, int width,
                                    int height, double2* accelerations, int* cells, double* angular_momenta,
                                    int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    net_acceleration<<<grid, block, 0, stream>>>(positions, neighbors, drag_forces, masses, velocities,
                                                 bond_length, max_neighbors, gravity, origin, cells_per_unit,
                                                 width, height, accelerations, cells, angular_momenta, n);
    return cudaGetLastError();
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

// Of 53 random bits.
template <typename T>
void fill_uniform(Array<T, double>& x, unsigned seed, double low, double high) {
    for (size_t i = 0; i < x.count; ++i) {
        const unsigned bits = pcg(seed + i);
        x.host[i] = low + ((bits >> 8) * 0x1p-24 + (pcg(bits) >> 3) * 0x1p-53) * (high - low);
    }
    x.upload();
}

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
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
    const int n = 1000, max_neighbors = 8, width = 16, height = 16;
    Array<double2, double> positions(n), drag_forces(n), velocities(n), accelerations(n);
    Array<int> neighbors(n * max_neighbors), cells(n);
    Array<double> masses(n), angular_momenta(n);
    const double bond_length = 0.6855366757292722, gravity = 7.5395492315705175,
                 cells_per_unit = 5.663052705254222;
    const double2 origin = make_double2(-1.1140902158100132, -1.0778603044445547);
    fill_uniform(positions, 0x2370168f, -1.0, 1.0);
    fill_integers(neighbors, 0x9c9df0a2, -1, n);
    fill_uniform(drag_forces, 0x8a2e10de, -1.0, 1.0);
    fill_uniform(masses, 0x86a00a5c, 0.2, 0.5);
    fill_uniform(velocities, 0x14cd5bc2, -2.0, 2.0);
    CUDA_CHECK(launch_net_acceleration(positions.device, neighbors.device, drag_forces.device, masses.device,
                                       velocities.device, bond_length, max_neighbors, gravity, origin,
                                       cells_per_unit, width, height, accelerations.device, cells.device,
                                       angular_momenta.device, n));
    print_output("accelerations", accelerations);
    print_output("cells", cells);
    print_output("angular_momenta", angular_momenta);
    return 0;
}

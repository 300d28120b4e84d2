#include <cuda_runtime.h>

// A point mass.
struct Body {
    float3 position;
    float3 velocity;
    float mass;
};

constexpr float SOFTENING = 0.05f;
constexpr float GRAVITATIONAL_CONSTANT = 0.006674f;

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }

__device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float3& operator+=(float3& a, float3 b) { return a = a + b; }

// Acceleration towards a body, softened so that close encounters stay finite.
__device__ float3 attraction(float3 at, Body body) {
    const float3 offset = body.position - at;
    const float distance_squared = dot(offset, offset) + SOFTENING * SOFTENING;
    return offset * (GRAVITATIONAL_CONSTANT * body.mass / (distance_squared * sqrtf(distance_squared)));
}

// Kick the velocity by a full step, then drift the position with it.
__device__ Body symplectic_euler(Body body, float3 acceleration, float time_step) {
    const float3 velocity = body.velocity + acceleration * time_step;
    return Body{body.position + velocity * time_step, velocity, body.mass};
}

// Advance every body by one time step under the pull of all others.
__global__ void step_bodies(const Body* __restrict__ bodies, Body* __restrict__ next_bodies, int count,
                            float time_step) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const Body body = i < count ? bodies[i] : Body{};
    float3 acceleration = make_float3(0.0f, 0.0f, 0.0f);
    __shared__ Body tile[256];
    for (int first = 0; first < count; first += 256) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];  //! bounds: the last tile reads beyond the bodies
        __syncthreads();
        for (int k = 0; k < 256 && first + k < count; ++k) {
            if (first + k != i) {
                acceleration += attraction(body.position, tile[k]);
            }
        }
        __syncthreads();
    }

    if (i < count) next_bodies[i] = symplectic_euler(body, acceleration, time_step);
}

cudaError_t launch_step_bodies(const Body* bodies, Body* next_bodies, int count, float time_step,
                               cudaStream_t stream = nullptr) {
    if (count == 0) return cudaSuccess;
    constexpr unsigned block = 256;
    const unsigned grid = (count + block - 1) / block;
    step_bodies<<<grid, block, 0, stream>>>(bodies, next_bodies, count, time_step);
    return cudaGetLastError();
}

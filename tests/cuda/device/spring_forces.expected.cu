// A spring's rest length and stiffness.
struct alignas(8) Spring {
    float rest;
    float stiffness;
};

__device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__device__ inline float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }

// Atomic for each component, not for the whole.
__device__ inline void add_atomically(float3* address, float3 v) {
    atomicAdd(&address->x, v.x);
    atomicAdd(&address->y, v.y);
    atomicAdd(&address->z, v.z);
}

// Force on a of the spring from a to b.
__device__ float3 hooke(float3 a, float3 b, Spring spring) {
    const float3 d = b - a;
    const float len = length(d);
    if (len == 0.0f) {  // coincident ends have no direction
        return make_float3(0.0f, 0.0f, 0.0f);
    }
    return d * (spring.stiffness * (len - spring.rest) / len);
}

// Add each spring's force to its two end points.
// Precondition: elements of ends are indices of position and force.
__global__ void spring_forces(const float3* __restrict__ position, const int2* __restrict__ ends,
                              const Spring* __restrict__ springs, float3* force, int spring_count) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= spring_count) return;

    const int2 end = ends[s];
    // Both ends get the same force, in opposite directions.
    const int i = end.x;
    const int j = end.y;
    const float3 f = hooke(position[i], position[j], springs[s]);
    add_atomically(&force[i], f);
    add_atomically(&force[j], -f);
}

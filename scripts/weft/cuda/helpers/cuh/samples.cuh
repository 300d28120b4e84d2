// Random points.

// Helper sample_triangle: Warp's sample_triangle
// Needs: random_float()
// Barycentric coordinates, uniform over a triangle.
__device__ inline float2 sample_triangle(uint32_t& state) {
    const float r = sqrtf(random_float(state));
    return make_float2(1.0f - r, random_float(state) * r);
}

// Helper sample_unit_ring: Warp's sample_unit_ring
// Needs: random_float_between()
// Uniform on the unit circle.
__device__ inline float2 sample_unit_ring(uint32_t& state) {
    const float angle = random_float(state, 0.0f, 6.28318531f);
    float s, c;
    sincosf(angle, &s, &c);
    return make_float2(c, s);
}

// Helper sample_unit_disk: Warp's sample_unit_disk
// Needs: random_float(), random_float_between()
// Uniform in the unit disk.
__device__ inline float2 sample_unit_disk(uint32_t& state) {
    const float r = sqrtf(random_float(state));
    const float angle = random_float(state, 0.0f, 6.28318531f);
    float s, c;
    sincosf(angle, &s, &c);
    return make_float2(r * c, r * s);
}

// Helper sample_unit_sphere_surface: Warp's sample_unit_sphere_surface
// Needs: random_float(), random_float_between(), acos_clamped(float)
// Uniform on the unit sphere.
__device__ inline float3 sample_unit_sphere_surface(uint32_t& state) {
    const float polar = acos_clamped(1.0f - 2.0f * random_float(state));
    const float angle = random_float(state, 0.0f, 6.28318531f);
    float s, c, radius, z;
    sincosf(angle, &s, &c);
    sincosf(polar, &radius, &z);
    return make_float3(c * radius, s * radius, z);
}

// Helper sample_unit_sphere: Warp's sample_unit_sphere
// Needs: random_float(), random_float_between(), acos_clamped(float)
// Uniform in the unit sphere.
__device__ inline float3 sample_unit_sphere(uint32_t& state) {
    const float polar = acos_clamped(1.0f - 2.0f * random_float(state));
    const float angle = random_float(state, 0.0f, 6.28318531f);
    const float r = powf(random_float(state), 1.0f / 3.0f);
    float s, c, radius, z;
    sincosf(angle, &s, &c);
    sincosf(polar, &radius, &z);
    return make_float3(r * c * radius, r * s * radius, r * z);
}

// Helper sample_unit_hemisphere_surface: Warp's sample_unit_hemisphere_surface
// Needs: random_float(), random_float_between(), acos_clamped(float)
// Uniform on the unit hemisphere (z > 0).
__device__ inline float3 sample_unit_hemisphere_surface(uint32_t& state) {
    const float polar = acos_clamped(1.0f - random_float(state));
    const float angle = random_float(state, 0.0f, 6.28318531f);
    float s, c, radius, z;
    sincosf(angle, &s, &c);
    sincosf(polar, &radius, &z);
    return make_float3(c * radius, s * radius, z);
}

// Helper sample_unit_hemisphere: Warp's sample_unit_hemisphere
// Needs: random_float(), random_float_between(), acos_clamped(float)
// Uniform in the unit hemisphere (z > 0).
__device__ inline float3 sample_unit_hemisphere(uint32_t& state) {
    const float polar = acos_clamped(1.0f - random_float(state));
    const float angle = random_float(state, 0.0f, 6.28318531f);
    const float r = powf(random_float(state), 1.0f / 3.0f);
    float s, c, radius, z;
    sincosf(angle, &s, &c);
    sincosf(polar, &radius, &z);
    return make_float3(r * c * radius, r * s * radius, r * z);
}

// Helper sample_unit_square: Warp's sample_unit_square
// Needs: random_float()
// Uniform in the unit square about the origin.
__device__ inline float2 sample_unit_square(uint32_t& state) {
    const float x = random_float(state) - 0.5f;
    const float y = random_float(state) - 0.5f;
    return make_float2(x, y);
}

// Helper sample_unit_cube: Warp's sample_unit_cube
// Needs: random_float()
// Uniform in the unit cube about the origin.
__device__ inline float3 sample_unit_cube(uint32_t& state) {
    const float x = random_float(state) - 0.5f;
    const float y = random_float(state) - 0.5f;
    const float z = random_float(state) - 0.5f;
    return make_float3(x, y, z);
}

// Helper sample_unit_hypercube: Warp's sample_unit_hypercube
// Needs: random_float()
// Uniform in the unit hypercube about the origin.
__device__ inline float4 sample_unit_hypercube(uint32_t& state) {
    const float x = random_float(state) - 0.5f;
    const float y = random_float(state) - 0.5f;
    const float z = random_float(state) - 0.5f;
    const float w = random_float(state) - 0.5f;
    return make_float4(x, y, z, w);
}

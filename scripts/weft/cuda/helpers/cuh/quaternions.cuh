// Quaternions (components x, y, z, w) and transforms, in Warp's order of operations.

// Helper conjugate: Warp's quat_inverse
// The inverse of a unit quaternion.
__device__ inline Quatf conjugate(Quatf q) { return Quatf{-q.x, -q.y, -q.z, q.w}; }

// Helper quat_product: the Hamilton product
__device__ inline Quatf operator*(Quatf a, Quatf b) {
    return Quatf{a.w * b.x + b.w * a.x + a.y * b.z - b.y * a.z, a.w * b.y + b.w * a.y + a.z * b.x - b.z * a.x,
                 a.w * b.z + b.w * a.z + a.x * b.y - b.x * a.y,
                 a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// Helper quat_from_parts: a quaternion of a vector and a number
__device__ inline Quatf quat_from_parts(float3 v, float w) { return Quatf{v.x, v.y, v.z, w}; }

// Helper quat_from_axis_angle: Warp's quat_from_axis_angle
__device__ inline Quatf quat_from_axis_angle(float3 axis, float angle) {
    const float half_angle = angle * 0.5f;
    float s, c;
    sincosf(half_angle, &s, &c);
    return Quatf{axis.x * s, axis.y * s, axis.z * s, c};
}

// Helper quat_from_angles: Warp's quat_rpy
__device__ inline Quatf quat_from_angles(float roll, float pitch, float yaw) {
    float sy, cy, sr, cr, sp, cp;
    sincosf(yaw * 0.5f, &sy, &cy);
    sincosf(roll * 0.5f, &sr, &cr);
    sincosf(pitch * 0.5f, &sp, &cp);
    return Quatf{cy * sr * cp - sy * cr * sp, cy * cr * sp + sy * sr * cp, sy * cr * cp - cy * sr * sp,
                 cy * cr * cp + sy * sr * sp};
}

// Helper rotate: Warp's quat_rotate
// x rotated by the unit quaternion q.
__device__ inline float3 rotate(Quatf q, float3 x) {
    const float c = 2.0f * q.w * q.w - 1.0f;
    const float d = 2.0f * (q.x * x.x + q.y * x.y + q.z * x.z);
    return make_float3(x.x * c + q.x * d + (q.y * x.z - q.z * x.y) * q.w * 2.0f,
                       x.y * c + q.y * d + (q.z * x.x - q.x * x.z) * q.w * 2.0f,
                       x.z * c + q.z * d + (q.x * x.y - q.y * x.x) * q.w * 2.0f);
}

// Helper rotate_inverse: Warp's quat_rotate_inv
// x rotated by the inverse of the unit quaternion q.
__device__ inline float3 rotate_inverse(Quatf q, float3 x) {
    const float c = 2.0f * q.w * q.w - 1.0f;
    const float d = 2.0f * (q.x * x.x + q.y * x.y + q.z * x.z);
    return make_float3(x.x * c + q.x * d - (q.y * x.z - q.z * x.y) * q.w * 2.0f,
                       x.y * c + q.y * d - (q.z * x.x - q.x * x.z) * q.w * 2.0f,
                       x.z * c + q.z * d - (q.x * x.y - q.y * x.x) * q.w * 2.0f);
}

// Helper slerp: Warp's quat_slerp
// Needs: conjugate(Quatf), operator*(Quatf, Quatf), normalize(float3), negation(float3),
//  quat_from_axis_angle(float3, float)
// Spherical interpolation from a at t = 0 to b at t = 1.
__device__ inline Quatf slerp(Quatf a, Quatf b, float t) {
    const Quatf difference = conjugate(a) * b;
    const float3 imaginary = make_float3(difference.x, difference.y, difference.z);
    const float3 unit = normalize(imaginary);
    const float3 axis = difference.w < 0.0f ? -unit : unit;
    const float angle = 2.0f * atan2f(length(imaginary), fabsf(difference.w));
    return a * quat_from_axis_angle(axis, t * angle);
}

// Helper transform_product: Warp's transform_multiply
// Needs: rotate(Quatf, float3), operator+(float3, float3), operator*(Quatf, Quatf)
__device__ inline Transformf operator*(const Transformf& a, const Transformf& b) {
    return Transformf{rotate(a.q, b.p) + a.p, a.q * b.q};
}

// Helper transform_inverse: Warp's transform_inverse
// Needs: conjugate(Quatf), rotate(Quatf, float3), negation(float3)
__device__ inline Transformf inverse(const Transformf& a) {
    const Quatf inverse = conjugate(a.q);
    return Transformf{-rotate(inverse, a.p), inverse};
}

// Helper transform_point_by: Warp's transform_point by a transform
// Needs: rotate(Quatf, float3), operator+(float3, float3)
__device__ inline float3 transform_point(const Transformf& a, float3 x) { return a.p + rotate(a.q, x); }

// Helper transform_vector_by: Warp's transform_vector by a transform
// Needs: rotate(Quatf, float3)
__device__ inline float3 transform_vector(const Transformf& a, float3 x) { return rotate(a.q, x); }

// Helper transform_point: Warp's transform_point by a matrix
// Needs: operator*(Mat4f, float4)
__device__ inline float3 transform_point(const Mat4f& a, float3 v) {
    const float4 b = a * make_float4(v.x, v.y, v.z, 1.0f);
    return make_float3(b.x, b.y, b.z);
}

// Helper transform_vector: Warp's transform_vector by a matrix
// Needs: operator*(Mat4f, float4)
__device__ inline float3 transform_vector(const Mat4f& a, float3 v) {
    const float4 b = a * make_float4(v.x, v.y, v.z, 0.0f);
    return make_float3(b.x, b.y, b.z);
}

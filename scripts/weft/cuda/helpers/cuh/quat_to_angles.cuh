// Warp: quat_to_rpy.
// Needs: asin_clamped float32
// Types: quat<float32>

// Roll, pitch and yaw of a rotation.
__device__ inline float3 quat_to_angles(Quatf q) {
    const float roll = atan2f(2.0f * (q.w * q.x + q.y * q.z), 1.0f - 2.0f * (q.x * q.x + q.y * q.y));
    const float pitch = asin_clamped(2.0f * (q.w * q.y - q.z * q.x));
    const float yaw = atan2f(2.0f * (q.w * q.z + q.x * q.y), 1.0f - 2.0f * (q.y * q.y + q.z * q.z));
    return make_float3(roll, pitch, yaw);
}

// Warp: quat_twist_angle_signed.
// Needs: dot vec<3,float32> vec<3,float32>
// Types: quat<float32>

// The angle by which q turns about axis.
__device__ inline float quat_twist_angle_signed(float3 axis, Quatf q) {
    return 2.0f * atan2f(dot(axis, make_float3(q.x, q.y, q.z)), q.w);
}

// Warp: quat_twist.
// Needs: dot vec<3,float32> vec<3,float32>
// Needs: operator* float32 vec<3,float32>
// Needs: normalize quat<float32>
// Types: quat<float32>

// The part of q that turns about axis.
__device__ inline Quatf quat_twist(float3 axis, Quatf q) {
    const float3 v = dot(make_float3(q.x, q.y, q.z), axis) * axis;
    return normalize(Quatf{v.x, v.y, v.z, q.w});
}

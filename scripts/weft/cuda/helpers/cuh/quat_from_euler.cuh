// Warp: quat_from_euler.
// Needs: component vec<3,float32>
// Needs: rotation_about int32 float32
// Needs: operator* quat<float32> quat<float32>
// Types: quat<float32>

// Rotations about the fixed axes i, j and k, in that order; angles.x is the one about x, and so on.
__device__ inline Quatf quat_from_euler(float3 angles, int i, int j, int k) {
    const Quatf first = rotation_about(i, component(angles, i));
    const Quatf second = rotation_about(j, component(angles, j));
    const Quatf third = rotation_about(k, component(angles, k));
    return third * (second * first);
}

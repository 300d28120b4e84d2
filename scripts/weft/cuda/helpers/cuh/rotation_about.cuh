// Part of quat_from_euler.
// Types: quat<float32>

// The rotation about the axis x, y or z (0, 1, 2).
__device__ inline Quatf rotation_about(int axis, float angle) {
    const float s = sinf(0.5f * angle), c = cosf(0.5f * angle);
    if (axis == 0) return Quatf{s, 0.0f, 0.0f, c};
    if (axis == 1) return Quatf{0.0f, s, 0.0f, c};
    return Quatf{0.0f, 0.0f, s, c};
}

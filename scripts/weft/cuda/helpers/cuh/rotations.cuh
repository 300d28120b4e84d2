// Rotations in other forms: matrices, angles about axes, Euler angles, and poses as 4x4 matrices.

// Helper rotation_matrix: Warp's quat_to_matrix
// Needs: rotate(Quatf, float3)
__device__ inline Mat3f rotation_matrix(Quatf q) {
    const float3 a = rotate(q, make_float3(1.0f, 0.0f, 0.0f));
    const float3 b = rotate(q, make_float3(0.0f, 1.0f, 0.0f));
    const float3 c = rotate(q, make_float3(0.0f, 0.0f, 1.0f));
    return Mat3f{{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

// Helper quat_from_matrix: Warp's quat_from_matrix
// Of Mat4f: Mat3(\w+) => Mat4\1
// Needs: normalize(Quatf)
// The quaternion of a rotation matrix, by way of its largest component (Shepperd 1978).
__device__ inline Quatf quat_from_matrix(const Mat3f& m) {
    const float trace = m.m[0][0] + m.m[1][1] + m.m[2][2];
    if (trace >= 0.0f) {
        const float h = sqrtf(trace + 1.0f);
        const float s = 0.5f / h;
        return normalize(Quatf{(m.m[2][1] - m.m[1][2]) * s, (m.m[0][2] - m.m[2][0]) * s,
                               (m.m[1][0] - m.m[0][1]) * s, 0.5f * h});
    }
    int i = m.m[1][1] > m.m[0][0] ? 1 : 0;
    if (m.m[2][2] > m.m[i][i]) i = 2;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const float h = sqrtf(m.m[i][i] - (m.m[j][j] + m.m[k][k]) + 1.0f);
    const float s = 0.5f / h;
    float v[3];
    v[i] = 0.5f * h;
    v[j] = (m.m[i][j] + m.m[j][i]) * s;
    v[k] = (m.m[k][i] + m.m[i][k]) * s;
    return normalize(Quatf{v[0], v[1], v[2], (m.m[k][j] - m.m[j][k]) * s});
}

// Helper quat_to_axis_angle: Warp's quat_to_axis_angle
// Needs: normalize(float3), length(float3), negation(float3)
struct AxisAnglef {
    float3 axis;
    float angle;
};

// Axis and angle of a rotation, the angle in [0, pi]; no axis (zero) where the angle is zero.
__device__ inline AxisAnglef quat_to_axis_angle(Quatf q) {
    const float3 imaginary = make_float3(q.x, q.y, q.z);
    const float3 axis = normalize(imaginary);
    const float half_angle = atan2f(length(imaginary), fabsf(q.w));
    return {q.w < 0.0f ? -axis : axis, 2.0f * half_angle};
}

// Helper clamp_to_unit: part of closest_point_edge_edge
__device__ inline float clamp_to_unit(float x) { return fminf(fmaxf(0.0f, x), 1.0f); }

// Helper rotation_about: part of quat_from_euler
// The rotation about the axis x, y or z (0, 1, 2).
__device__ inline Quatf rotation_about(int axis, float angle) {
    float s, c;
    sincosf(0.5f * angle, &s, &c);
    if (axis == 0) return Quatf{s, 0.0f, 0.0f, c};
    if (axis == 1) return Quatf{0.0f, s, 0.0f, c};
    return Quatf{0.0f, 0.0f, s, c};
}

// Helper quat_from_euler: Warp's quat_from_euler
// Needs: component(float3), rotation_about(), operator*(Quatf, Quatf)
// Rotations about the fixed axes i, j and k, in that order; angles.x is the one about x, and so on.
__device__ inline Quatf quat_from_euler(float3 angles, int i, int j, int k) {
    const Quatf first = rotation_about(i, component(angles, i));
    const Quatf second = rotation_about(j, component(angles, j));
    const Quatf third = rotation_about(k, component(angles, k));
    return third * (second * first);
}

// Helper quat_to_euler: Warp's quat_to_euler
// Needs: component(float3), acos_clamped(float)
// Angles about the fixed axes i, j and k, each at the place of its axis (Bernardes and Viollet 2022). Where
// the first and the last axis meet, only their sum counts: all of it is the last angle.
__device__ inline float3 quat_to_euler(Quatf q, int i, int j, int k) {
    const float3 v = make_float3(q.x, q.y, q.z);
    const bool tait_bryan = i != k;
    if (!tait_bryan) k = 3 - i - j;
    const float parity = float((i - j) * (j - k) * (k - i)) / 2.0f;
    float a = q.w, b = component(v, i), c = component(v, j), d = component(v, k) * parity;
    if (tait_bryan) {
        a -= component(v, j);
        b += component(v, k) * parity;
        c += q.w;
        d -= component(v, i);
    }

    const float cosine = 2.0f * (a * a + b * b) / (a * a + b * b + c * c + d * d) - 1.0f;
    const float middle = acos_clamped(cosine), sum = atan2f(b, a), difference = atan2f(d, c);
    float first = 0.0f, third;
    if (fabsf(middle) < 1e-6f) {
        third = 2.0f * sum;
    } else if (fabsf(middle - 3.1415927f) < 1e-6f) {
        third = 2.0f * difference + 0.0f;  // no negative zero
    } else {
        first = sum - difference;
        third = sum + difference;
    }
    const float second = tait_bryan ? middle - 1.5707964f : middle;
    if (tait_bryan) third *= parity;
    const float x = i == 0 ? first : j == 0 ? second : third;
    const float y = i == 1 ? first : j == 1 ? second : third;
    const float z = i == 2 ? first : j == 2 ? second : third;
    return make_float3(x, y, z);
}

// Helper quat_to_angles: Warp's quat_to_rpy
// Needs: asin_clamped(float)
// Roll, pitch and yaw of a rotation.
__device__ inline float3 quat_to_angles(Quatf q) {
    const float roll = atan2f(2.0f * (q.w * q.x + q.y * q.z), 1.0f - 2.0f * (q.x * q.x + q.y * q.y));
    const float pitch = asin_clamped(2.0f * (q.w * q.y - q.z * q.x));
    const float yaw = atan2f(2.0f * (q.w * q.z + q.x * q.y), 1.0f - 2.0f * (q.y * q.y + q.z * q.z));
    return make_float3(roll, pitch, yaw);
}

// Helper quat_twist: Warp's quat_twist
// Needs: dot(float3, float3), operator*(float, float3), normalize(Quatf)
// The part of q that turns about axis.
__device__ inline Quatf quat_twist(float3 axis, Quatf q) {
    const float3 v = dot(make_float3(q.x, q.y, q.z), axis) * axis;
    return normalize(Quatf{v.x, v.y, v.z, q.w});
}

// Helper quat_twist_angle: Warp's quat_twist_angle
// Needs: dot(float3, float3)
// The magnitude of the angle by which q turns about axis.
__device__ inline float quat_twist_angle(float3 axis, Quatf q) {
    return 2.0f * atan2f(fabsf(dot(axis, make_float3(q.x, q.y, q.z))), q.w);
}

// Helper quat_twist_angle_signed: Warp's quat_twist_angle_signed
// Needs: dot(float3, float3)
// The angle by which q turns about axis.
__device__ inline float quat_twist_angle_signed(float3 axis, Quatf q) {
    return 2.0f * atan2f(dot(axis, make_float3(q.x, q.y, q.z)), q.w);
}

// Helper transform_to_matrix: Warp's transform_to_matrix
// Needs: rotation_matrix(Quatf)
__device__ inline Mat4f transform_to_matrix(const Transformf& t) {
    const Mat3f r = rotation_matrix(t.q);
    return Mat4f{{{r.m[0][0], r.m[0][1], r.m[0][2], t.p.x},
                  {r.m[1][0], r.m[1][1], r.m[1][2], t.p.y},
                  {r.m[2][0], r.m[2][1], r.m[2][2], t.p.z},
                  {0.0f, 0.0f, 0.0f, 1.0f}}};
}

// Helper transform_from_matrix: Warp's transform_from_matrix
// Needs: quat_from_matrix(Mat4f)
__device__ inline Transformf transform_from_matrix(const Mat4f& m) {
    return Transformf{make_float3(m.m[0][3], m.m[1][3], m.m[2][3]), quat_from_matrix(m)};
}

// Helper transform_compose: Warp's transform_compose
// Needs: rotation_matrix(Quatf)
__device__ inline Mat4f transform_compose(float3 position, Quatf rotation, float3 scale) {
    const Mat3f r = rotation_matrix(rotation);
    return Mat4f{{{scale.x * r.m[0][0], scale.y * r.m[0][1], scale.z * r.m[0][2], position.x},
                  {scale.x * r.m[1][0], scale.y * r.m[1][1], scale.z * r.m[1][2], position.y},
                  {scale.x * r.m[2][0], scale.y * r.m[2][1], scale.z * r.m[2][2], position.z},
                  {0.0f, 0.0f, 0.0f, 1.0f}}};
}

// Helper transform_decompose: Warp's transform_decompose
// Needs: quat_from_matrix(Mat3f)
struct ScaledPosef {
    float3 position;
    Quatf rotation;
    float3 scale;
};

// Position, rotation and the scales along the rotated axes, which are the lengths of the columns.
__device__ inline ScaledPosef transform_decompose(const Mat4f& m) {
    float scale[3];
    Mat3f r;
    for (int j = 0; j < 3; ++j) {
        scale[j] = sqrtf(m.m[0][j] * m.m[0][j] + m.m[1][j] * m.m[1][j] + m.m[2][j] * m.m[2][j]);
        for (int i = 0; i < 3; ++i) r.m[i][j] = scale[j] != 0.0f ? m.m[i][j] / scale[j] : m.m[i][j];
    }
    return {make_float3(m.m[0][3], m.m[1][3], m.m[2][3]), quat_from_matrix(r),
            make_float3(scale[0], scale[1], scale[2])};
}

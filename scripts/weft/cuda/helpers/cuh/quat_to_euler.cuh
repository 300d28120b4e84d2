// Warp: quat_to_euler.
// Needs: component vec<3,float32>
// Needs: acos_clamped float32
// Types: quat<float32>

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

// Warp: closest_point_edge_edge.
// Needs: operator- vec<3,float32> vec<3,float32>
// Needs: operator+ vec<3,float32> vec<3,float32>
// Needs: operator* float32 vec<3,float32>
// Needs: dot vec<3,float32> vec<3,float32>
// Needs: length vec<3,float32>
// Needs: clamp_to_unit
// Needs: difference_of_products

// Where the edges p1 q1 and p2 q2 are closest: the fractions s and t of their lengths, and the distance
// (Ericson, Real-Time Collision Detection, 5.1.9).
__device__ inline float3 closest_point_edge_edge(float3 p1, float3 q1, float3 p2, float3 q2, float epsilon) {
    const float3 d1 = q1 - p1, d2 = q2 - p2, r = p1 - p2;
    const float a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r);
    float s = 0.0f, t = 0.0f;
    if (a <= epsilon && e <= epsilon) {
        // Both edges are points.
    } else if (a <= epsilon) {
        t = clamp_to_unit(f / e);
    } else if (e <= epsilon) {
        s = clamp_to_unit(-dot(d1, r) / a);
    } else {
        const float b = dot(d1, d2), c = dot(d1, r);
        const float squared_sine = difference_of_products(a, e, b, b);
        // Of parallel edges, any two points that face each other will do.
        if (squared_sine > 0.0f) s = clamp_to_unit(difference_of_products(b, f, c, e) / squared_sine);
        t = (b * s + f) / e;
        if (t < 0.0f) {
            t = 0.0f;
            s = clamp_to_unit(-c / a);
        } else if (t > 1.0f) {
            t = 1.0f;
            s = clamp_to_unit((b - c) / a);
        }
    }
    const float distance = length(p2 + t * d2 - (p1 + s * d1));
    return make_float3(s, t, distance);
}

// Spatial vectors: an angular part (components 0 to 2) above a linear one (Featherstone 2008).

// Helper spatial_vector: Warp's spatial_vector of two vectors
__device__ inline Vec6f spatial_vector(float3 top, float3 bottom) {
    return Vec6f{{top.x, top.y, top.z, bottom.x, bottom.y, bottom.z}};
}

// Helper spatial_top: Warp's spatial_top
// The angular half.
__device__ inline float3 spatial_top(const Vec6f& a) { return make_float3(a.v[0], a.v[1], a.v[2]); }

// Helper spatial_bottom: Warp's spatial_bottom
// The linear half.
__device__ inline float3 spatial_bottom(const Vec6f& a) { return make_float3(a.v[3], a.v[4], a.v[5]); }

// Helper spatial_cross: Warp's spatial_cross
// Needs: spatial_top(Vec6f), spatial_bottom(Vec6f), spatial_vector(float3, float3), cross(float3, float3),
//  operator+(float3, float3)
// The rate of change of the motion b in a frame that moves by a.
__device__ inline Vec6f spatial_cross(const Vec6f& a, const Vec6f& b) {
    const float3 wa = spatial_top(a), va = spatial_bottom(a), wb = spatial_top(b);
    return spatial_vector(cross(wa, wb), cross(va, wb) + cross(wa, spatial_bottom(b)));
}

// Helper spatial_cross_dual: Warp's spatial_cross_dual
// Needs: spatial_top(Vec6f), spatial_bottom(Vec6f), spatial_vector(float3, float3), cross(float3, float3),
//  operator+(float3, float3)
// The rate of change of the force b in a frame that moves by a.
__device__ inline Vec6f spatial_cross_dual(const Vec6f& a, const Vec6f& b) {
    const float3 wa = spatial_top(a), vb = spatial_bottom(b);
    return spatial_vector(cross(wa, spatial_top(b)) + cross(spatial_bottom(a), vb), cross(wa, vb));
}

// Helper spatial_adjoint: Warp's spatial_adjoint
// The 6x6 matrix of the blocks r, 0 above s, r.
__device__ inline Mat6f spatial_adjoint(const Mat3f& r, const Mat3f& s) {
    Mat6f a;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            a.m[i][j] = a.m[i + 3][j + 3] = r.m[i][j];
            a.m[i + 3][j] = s.m[i][j];
            a.m[i][j + 3] = 0.0f;
        }
    }
    return a;
}

// Helper velocity_at_point: Warp's velocity_at_point
// Needs: spatial_top(Vec6f), spatial_bottom(Vec6f), cross(float3, float3), operator+(float3, float3)
// The linear velocity of the point at `offset` from the origin of a moving body.
__device__ inline float3 velocity_at_point(const Vec6f& twist, float3 offset) {
    return spatial_bottom(twist) + cross(spatial_top(twist), offset);
}

// Helper transform_twist: Warp's transform_twist
// Needs: spatial_top(Vec6f), spatial_bottom(Vec6f), spatial_vector(float3, float3), rotate(Quatf, float3),
//  cross(float3, float3), operator+(float3, float3)
// The twist x, as seen from the frame that t leads to.
__device__ inline Vec6f transform_twist(const Transformf& t, const Vec6f& x) {
    const float3 top = rotate(t.q, spatial_top(x));
    return spatial_vector(top, rotate(t.q, spatial_bottom(x)) + cross(t.p, top));
}

// Helper transform_wrench: Warp's transform_wrench
// Needs: spatial_top(Vec6f), spatial_bottom(Vec6f), spatial_vector(float3, float3), rotate(Quatf, float3),
//  cross(float3, float3), operator+(float3, float3)
// The wrench x, as seen from the frame that t leads to.
__device__ inline Vec6f transform_wrench(const Transformf& t, const Vec6f& x) {
    const float3 bottom = rotate(t.q, spatial_bottom(x));
    return spatial_vector(rotate(t.q, spatial_top(x)) + cross(t.p, bottom), bottom);
}

// Points, segments and triangles.

// Helper difference_of_products: part of closest_point_edge_edge
// a b - c d, the rounding error of c d made good (Kahan's algorithm).
__device__ inline float difference_of_products(float a, float b, float c, float d) {
    const float cd = c * d;
    return fmaf(a, b, -cd) + fmaf(-c, d, cd);
}

// Helper closest_point_edge_edge: Warp's closest_point_edge_edge
// Needs: operator-(float3, float3), operator+(float3, float3), operator*(float, float3), dot(float3, float3),
//  length(float3), clamp_to_unit(), difference_of_products()
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

// Helper lone_vertex: part of intersect_tri_tri
// The corner alone on its side of a plane at distances d from the corners; -1 if all are in the plane.
__device__ inline int lone_vertex(const float* d) {
    if (d[0] * d[1] > 0.0f) return 2;
    if (d[0] * d[2] > 0.0f) return 1;
    if (d[1] * d[2] > 0.0f || d[0] != 0.0f) return 0;
    return d[1] != 0.0f ? 1 : d[2] != 0.0f ? 2 : -1;
}

// Helper cut_triangle: part of intersect_tri_tri
// Needs: component(float3)
struct TriangleCutf {
    float p, b, c, x, y;
};

// A triangle, whose corner i is alone on its side, meets a plane between p + b / x and p + c / y, measured
// along an axis.
__device__ inline TriangleCutf cut_triangle(const float3* corners, const float* d, int i, int axis) {
    const int j = i == 0 ? 1 : 0, k = i == 2 ? 1 : 2;
    const float p = component(corners[i], axis);
    const float b = component(corners[j], axis) - p, c = component(corners[k], axis) - p;
    return {p, b * d[i], c * d[i], d[i] - d[j], d[i] - d[k]};
}

// Helper edges_cross: part of intersect_tri_tri
// Whether the edges p q and r s cross (Antonio, Graphics Gems III).
__device__ inline bool edges_cross(float2 p, float2 q, float2 r, float2 s) {
    const float ax = q.x - p.x, ay = q.y - p.y;
    const float bx = r.x - s.x, by = r.y - s.y;
    const float cx = p.x - r.x, cy = p.y - r.y;
    const float f = ay * bx - ax * by, d = by * cx - bx * cy, e = ax * cy - ay * cx;
    if (f > 0.0f) return d >= 0.0f && d <= f && e >= 0.0f && e <= f;
    return f < 0.0f && d <= 0.0f && d >= f && e <= 0.0f && e >= f;
}

// Helper inside_triangle: part of intersect_tri_tri
// Whether p is strictly inside: on one side of all three edges.
__device__ inline bool inside_triangle(float2 p, const float2* corners) {
    float side[3];
    for (int i = 0; i < 3; ++i) {
        const float2 u = corners[i], v = corners[(i + 1) % 3];
        const float a = v.y - u.y, b = -(v.x - u.x), c = -a * u.x - b * u.y;
        side[i] = a * p.x + b * p.y + c;
    }
    return side[0] * side[1] > 0.0f && side[0] * side[2] > 0.0f;
}

// Helper coplanar_triangles_meet: part of intersect_tri_tri
// Needs: edges_cross(float2), inside_triangle(float2)
// Projects two triangles of one plane along the main axis of its normal, where they are largest.
__device__ inline bool coplanar_triangles_meet(float3 normal, const float3* v, const float3* u) {
    const float x = fabsf(normal.x), y = fabsf(normal.y), z = fabsf(normal.z);
    const int dropped = x > y ? (x > z ? 0 : 2) : (z > y ? 2 : 1);
    float2 a[3], b[3];
    for (int i = 0; i < 3; ++i) {
        a[i] = make_float2(dropped == 0 ? v[i].y : v[i].x, dropped == 2 ? v[i].y : v[i].z);
        b[i] = make_float2(dropped == 0 ? u[i].y : u[i].x, dropped == 2 ? u[i].y : u[i].z);
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (edges_cross(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3])) return true;
        }
    }
    return inside_triangle(a[0], b) || inside_triangle(b[0], a);
}

// Helper distances_to_plane: part of intersect_tri_tri
// Needs: dot(float3, float3)
// Of double: <= 1e-6 => < 1e-6
// How far the corners are from the plane, times the normal's length; 0 if they nearly touch it.
__device__ inline void distances_to_plane(float3 normal, float3 origin, const float3* corners, float* d) {
    for (int i = 0; i < 3; ++i) {
        const float distance = dot(normal, corners[i]) - dot(normal, origin);
        d[i] = fabsf(distance) <= 1e-6f ? 0.0f : distance;
    }
}

// Helper intersect_tri_tri: Warp's intersect_tri_tri
// Needs: operator-(float3, float3), cross(float3, float3), distances_to_plane(float3), lone_vertex(float),
//  coplanar_triangles_meet(float3), cut_triangle(float3)
// 1 if two triangles meet, else 0 (Moeller, A Fast Triangle-Triangle Intersection Test, 1997).
__device__ inline int intersect_tri_tri(float3 v0, float3 v1, float3 v2, float3 u0, float3 u1, float3 u2) {
    const float3 v[3] = {v0, v1, v2}, u[3] = {u0, u1, u2};
    const float3 n = cross(v1 - v0, v2 - v0), m = cross(u1 - u0, u2 - u0);
    float dv[3], du[3];
    distances_to_plane(n, v0, u, du);
    if (du[0] * du[1] > 0.0f && du[0] * du[2] > 0.0f) return 0;
    distances_to_plane(m, u0, v, dv);
    if (dv[0] * dv[1] > 0.0f && dv[0] * dv[2] > 0.0f) return 0;

    const int i = lone_vertex(dv), j = lone_vertex(du);
    if (i < 0 || j < 0) return coplanar_triangles_meet(n, v, u);

    // Each triangle meets the line that the planes share in an interval, compared along its main axis.
    const float3 line = cross(n, m);
    float largest = fabsf(line.x);
    int axis = 0;
    if (fabsf(line.y) > largest) axis = 1, largest = fabsf(line.y);
    if (fabsf(line.z) > largest) axis = 2;
    const TriangleCutf a = cut_triangle(v, dv, i, axis), b = cut_triangle(u, du, j, axis);
    const float ax = a.x * a.y, bx = b.x * b.y, common = ax * bx;  // no division: all times this
    const float a0 = a.p * common + a.b * a.y * bx, a1 = a.p * common + a.c * a.x * bx;
    const float b0 = b.p * common + b.b * ax * b.y, b1 = b.p * common + b.c * ax * b.x;
    const float a_low = a0 > a1 ? a1 : a0, a_high = a0 > a1 ? a0 : a1;
    const float b_low = b0 > b1 ? b1 : b0, b_high = b0 > b1 ? b0 : b1;
    return a_high < b_low || b_high < a_low ? 0 : 1;
}

// Part of closest_point_edge_edge.

// a b - c d, the rounding error of c d made good (Kahan's algorithm).
__device__ inline float difference_of_products(float a, float b, float c, float d) {
    const float cd = c * d;
    return fmaf(a, b, -cd) + fmaf(-c, d, cd);
}

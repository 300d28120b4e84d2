// Part of closest_point_edge_edge.

__device__ inline float clamp_to_unit(float x) { return fminf(fmaxf(0.0f, x), 1.0f); }

// Determinants and inverses of matrices, in Warp's order of operations.

// Helper determinant2: Warp's determinant of a 2x2 matrix
__device__ inline float determinant(const Mat2f& a) { return a.m[0][0] * a.m[1][1] - a.m[1][0] * a.m[0][1]; }

// Helper determinant3: Warp's determinant of a 3x3 matrix
__device__ inline float determinant(const Mat3f& a) {
    return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) +
           a.m[0][1] * (a.m[1][2] * a.m[2][0] - a.m[1][0] * a.m[2][2]) +
           a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

// Helper determinant4: Warp's determinant of a 4x4 matrix
// Of __half, __nv_bfloat16: (a\.m\[\d\]\[\d\]) \* ([de]\d\d) => S(float(float(\1) * \2))
// Laplace expansion by the first column; the 2x2 minors are kept in double.
__device__ inline float determinant(const Mat4f& a) {
    const double d01 = a.m[0][2] * a.m[1][3] - a.m[1][2] * a.m[0][3];
    const double d02 = a.m[0][2] * a.m[2][3] - a.m[2][2] * a.m[0][3];
    const double d03 = a.m[0][2] * a.m[3][3] - a.m[3][2] * a.m[0][3];
    const double d12 = a.m[1][2] * a.m[2][3] - a.m[2][2] * a.m[1][3];
    const double d13 = a.m[1][2] * a.m[3][3] - a.m[3][2] * a.m[1][3];
    const double d23 = a.m[2][2] * a.m[3][3] - a.m[3][2] * a.m[2][3];
    const float c30 = a.m[1][1] * d02 - a.m[2][1] * d01 - a.m[0][1] * d12;
    const float c20 = a.m[0][1] * d13 - a.m[1][1] * d03 + a.m[3][1] * d01;
    const float c10 = a.m[2][1] * d03 - a.m[3][1] * d02 - a.m[0][1] * d23;
    const float c00 = a.m[1][1] * d23 - a.m[2][1] * d13 + a.m[3][1] * d12;
    return a.m[3][0] * c30 + a.m[2][0] * c20 + a.m[1][0] * c10 + a.m[0][0] * c00;
}

// Helper inverse2: Warp's inverse of a 2x2 matrix
// Needs: determinant(Mat2f), operator*(Mat2f, float)
// The zero matrix if a is singular.
__device__ inline Mat2f inverse(const Mat2f& a) {
    const float det = determinant(a);
    if (det == 0.0f || isnan(det)) return Mat2f{};
    return Mat2f{{{a.m[1][1], -a.m[0][1]}, {-a.m[1][0], a.m[0][0]}}} * (1.0f / det);
}

// Helper inverse3: Warp's inverse of a 3x3 matrix
// Needs: determinant(Mat3f), operator*(Mat3f, float)
// The zero matrix if a is singular.
__device__ inline Mat3f inverse(const Mat3f& a) {
    const float det = determinant(a);
    if (det == 0.0f) return Mat3f{};
    Mat3f b;
    b.m[0][0] = a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1];
    b.m[0][1] = a.m[0][2] * a.m[2][1] - a.m[0][1] * a.m[2][2];
    b.m[0][2] = a.m[0][1] * a.m[1][2] - a.m[0][2] * a.m[1][1];
    b.m[1][0] = a.m[1][2] * a.m[2][0] - a.m[1][0] * a.m[2][2];
    b.m[1][1] = a.m[0][0] * a.m[2][2] - a.m[0][2] * a.m[2][0];
    b.m[1][2] = a.m[0][2] * a.m[1][0] - a.m[0][0] * a.m[1][2];
    b.m[2][0] = a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0];
    b.m[2][1] = a.m[0][1] * a.m[2][0] - a.m[0][0] * a.m[2][1];
    b.m[2][2] = a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0];
    return b * (1.0f / det);
}

// Helper inverse4: Warp's inverse of a 4x4 matrix
// Of __half, __nv_bfloat16: (a\.m\[\d\]\[\d\]) \* ([de]\d\d) => S(float(float(\1) * \2))
// Of __half, __nv_bfloat16: S\((c\d[01]) \* s\) => S(float(float(\1) * s))
// Of __half, __nv_bfloat16: S\((c\d[23] \* s)\) => S(float(\1))
// Of double: S\((c\d\d \* s)\) => \1
// The zero matrix if a is singular.
__device__ inline Mat4f inverse(const Mat4f& a) {
    // 2x2 minors of columns 0 and 1 (e) and of columns 2 and 3 (d), by pairs of rows
    const double e01 = a.m[0][0] * a.m[1][1] - a.m[1][0] * a.m[0][1];
    const double e02 = a.m[0][0] * a.m[2][1] - a.m[2][0] * a.m[0][1];
    const double e03 = a.m[0][0] * a.m[3][1] - a.m[3][0] * a.m[0][1];
    const double e12 = a.m[1][0] * a.m[2][1] - a.m[2][0] * a.m[1][1];
    const double e13 = a.m[1][0] * a.m[3][1] - a.m[3][0] * a.m[1][1];
    const double e23 = a.m[2][0] * a.m[3][1] - a.m[3][0] * a.m[2][1];
    const double d01 = a.m[0][2] * a.m[1][3] - a.m[1][2] * a.m[0][3];
    const double d02 = a.m[0][2] * a.m[2][3] - a.m[2][2] * a.m[0][3];
    const double d03 = a.m[0][2] * a.m[3][3] - a.m[3][2] * a.m[0][3];
    const double d12 = a.m[1][2] * a.m[2][3] - a.m[2][2] * a.m[1][3];
    const double d13 = a.m[1][2] * a.m[3][3] - a.m[3][2] * a.m[1][3];
    const double d23 = a.m[2][2] * a.m[3][3] - a.m[3][2] * a.m[2][3];
    const float c30 = a.m[1][1] * d02 - a.m[2][1] * d01 - a.m[0][1] * d12;
    const float c20 = a.m[0][1] * d13 - a.m[1][1] * d03 + a.m[3][1] * d01;
    const float c10 = a.m[2][1] * d03 - a.m[3][1] * d02 - a.m[0][1] * d23;
    const float c00 = a.m[1][1] * d23 - a.m[2][1] * d13 + a.m[3][1] * d12;
    const float c31 = a.m[0][0] * d12 - a.m[1][0] * d02 + a.m[2][0] * d01;
    const float c21 = a.m[1][0] * d03 - a.m[3][0] * d01 - a.m[0][0] * d13;
    const float c11 = a.m[0][0] * d23 - a.m[2][0] * d03 + a.m[3][0] * d02;
    const float c01 = a.m[2][0] * d13 - a.m[3][0] * d12 - a.m[1][0] * d23;
    const double c33 = a.m[0][2] * e12 - a.m[1][2] * e02 + a.m[2][2] * e01;
    const double c23 = a.m[1][2] * e03 - a.m[3][2] * e01 - a.m[0][2] * e13;
    const double c13 = a.m[0][2] * e23 - a.m[2][2] * e03 + a.m[3][2] * e02;
    const double c03 = a.m[2][2] * e13 - a.m[3][2] * e12 - a.m[1][2] * e23;
    const double c32 = a.m[1][3] * e02 - a.m[2][3] * e01 - a.m[0][3] * e12;
    const double c22 = a.m[0][3] * e13 - a.m[1][3] * e03 + a.m[3][3] * e01;
    const double c12 = a.m[2][3] * e03 - a.m[3][3] * e02 - a.m[0][3] * e23;
    const double c02 = a.m[1][3] * e23 - a.m[2][3] * e13 + a.m[3][3] * e12;
    const double det = a.m[3][0] * c30 + a.m[2][0] * c20 + a.m[1][0] * c10 + a.m[0][0] * c00;
    if (!(fabs(det) > 0.0)) return Mat4f{};
    const double s = 1.0 / det;
    return Mat4f{{{float(c00 * s), float(c10 * s), float(c20 * s), float(c30 * s)},
                  {float(c01 * s), float(c11 * s), float(c21 * s), float(c31 * s)},
                  {float(c02 * s), float(c12 * s), float(c22 * s), float(c32 * s)},
                  {float(c03 * s), float(c13 * s), float(c23 * s), float(c33 * s)}}};
}

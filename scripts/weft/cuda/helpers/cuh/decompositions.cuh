// Decompositions of small matrices.
//
// All are in Warp's order of operations, so that degenerate matrices, whose factors are not unique, get the same
// ones. Its method is that of McAdams et al., Computing the Singular Value Decomposition of 3x3 Matrices with
// Minimal Branching and Elementary Floating Point Operations (University of Wisconsin, TR1690, 2011): a fixed
// number of Jacobi rotations by approximate angles, then Givens rotations.

// Helper principal_axes: the eigenvectors of a symmetric matrix, as Warp finds them
// Of double: sweep < 4 => sweep < 8
// Rotation to the principal axes (columns) of a symmetric 3x3 matrix by Jacobi's method, the angles
// approximate (McAdams et al. 2011). off[i] is the element that shares no index with i.
__device__ inline Mat3f principal_axes(float* diagonal, float* off) {
    float x[3] = {0.0f, 0.0f, 0.0f}, w = 1.0f;  // the rotation so far, a quaternion
    for (int sweep = 0; sweep < 4; ++sweep) {
#pragma unroll
        for (int p = 0; p < 3; ++p) {
            const int q = (p + 1) % 3, r = (p + 2) % 3;
            // Half the angle that makes off[r] zero, good enough if it is small; else 22.5 degrees.
            float c = 2.0f * (diagonal[p] - diagonal[q]), s = off[r];
            const bool small = 5.82842712474619f * s * s < c * c;
            const float scale = 1.0f / sqrtf(c * c + s * s);
            c = small ? scale * c : 0.9238795325112867f;
            s = small ? scale * s : 0.3826834323650898f;

            const float square = c * c + s * s;
            const float a = (c * c - s * s) / square, b = 2.0f * s * c / square;
            const float pp = diagonal[p], qq = diagonal[q], pq = off[r], pr = off[q], qr = off[p];
            diagonal[p] = a * (a * pp + b * pq) + b * (a * pq + b * qq);
            diagonal[q] = a * (a * qq - b * pq) - b * (a * pq - b * pp);
            off[r] = a * (a * pq - b * pp) + b * (a * qq - b * pq);
            off[q] = a * pr + b * qr;
            off[p] = a * qr - b * pr;

            const float xp = x[p], xq = x[q], xr = x[r];
            x[p] = xp * c + xq * s;
            x[q] = xq * c - xp * s;
            x[r] = xr * c + w * s;
            w = w * c - xr * s;
        }
    }

    Mat3f v;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        v.m[i][i] = 1.0f - 2.0f * (x[j] * x[j] + x[k] * x[k]);
        v.m[i][j] = 2.0f * (x[i] * x[j] - w * x[k]);
        v.m[i][k] = 2.0f * (x[i] * x[k] + w * x[j]);
    }
    return v;
}

// Helper eig3: Warp's eig3
// Needs: principal_axes(Mat3f)
struct Eig3f {
    Mat3f q;
    float3 d;
};

// Eigenvectors (the columns of q) and eigenvalues of a symmetric matrix, in no order.
__device__ inline Eig3f eig3(const Mat3f& a) {
    float diagonal[3] = {a.m[0][0], a.m[1][1], a.m[2][2]};
    float off[3] = {a.m[2][1], a.m[2][0], a.m[1][0]};
    const Mat3f q = principal_axes(diagonal, off);
    float d[3];
    for (int i = 0; i < 3; ++i) {
        float row[3];  // of q's transpose times a
        for (int j = 0; j < 3; ++j) {
            row[j] = q.m[0][i] * a.m[0][j] + q.m[1][i] * a.m[1][j] + q.m[2][i] * a.m[2][j];
        }
        d[i] = row[0] * q.m[0][i] + row[1] * q.m[1][i] + row[2] * q.m[2][i];
    }
    return {q, make_float3(d[0], d[1], d[2])};
}

// Helper half_angle: the rotation of a QR decomposition
// Of double: 1e-6 => 1e-12
// Cosine and sine of half the angle that turns (x, y) to the positive x axis.
__device__ inline void half_angle(float x, float y, float& c, float& s) {
    const float length = sqrtf(x * x + y * y);
    const float far = fabsf(x) + fmaxf(length, 1e-6f);
    const float near = length > 1e-6f ? y : 0.0f;
    c = x < 0.0f ? near : far;
    s = x < 0.0f ? far : near;
    const float scale = 1.0f / sqrtf(c * c + s * s);
    c *= scale;
    s *= scale;
}

// Helper qr3: Warp's qr3
// Needs: half_angle(float)
struct Qr3f {
    Mat3f q;
    Mat3f r;
};

// A rotation q and an upper triangle r whose product is a, by Givens rotations.
__device__ inline Qr3f qr3(const Mat3f& a) {
    Mat3f r = a;
    float c[3], s[3], u[3], v[3];
    for (int n = 0; n < 3; ++n) {
        const int p = n / 2, q = n == 0 ? 1 : 2;  // clears r[q][p]
        half_angle(r.m[p][p], r.m[q][p], c[n], s[n]);
        u[n] = 1.0f - 2.0f * s[n] * s[n];
        v[n] = 2.0f * c[n] * s[n];
        for (int j = 0; j < 3; ++j) {
            const float x = r.m[p][j], y = r.m[q][j];
            r.m[p][j] = u[n] * x + v[n] * y;
            r.m[q][j] = u[n] * y - v[n] * x;
        }
    }

    Mat3f q;  // the product of the three rotations
    q.m[0][0] = u[0] * u[1];
    q.m[0][1] = -4.0f * c[1] * c[2] * u[0] * s[1] * s[2] - v[0] * u[2];
    q.m[0][2] = 4.0f * c[0] * c[2] * s[0] * s[2] - 2.0f * c[1] * u[0] * s[1] * u[2];
    q.m[1][0] = v[0] * u[1];
    q.m[1][1] = u[0] * u[2] - 8.0f * c[0] * c[1] * c[2] * s[0] * s[1] * s[2];
    q.m[1][2] = 4.0f * s[0] * (c[2] * s[0] * s[2] - c[0] * c[1] * s[1] * u[2]) - v[2];
    q.m[2][0] = v[1];
    q.m[2][1] = 2.0f * c[2] * u[1] * s[2];
    q.m[2][2] = u[1] * u[2];
    return {q, r};
}

// Helper svd3: Warp's svd3
// Needs: principal_axes(Mat3f), qr3(Mat3f)
struct Svd3f {
    Mat3f u;
    float3 sigma;
    Mat3f v;
};

// Singular values, falling in magnitude, the last one with the sign of a's determinant; u and v are rotations
// (McAdams et al. 2011).
__device__ inline Svd3f svd3(const Mat3f& a) {
    float diagonal[3], off[3];  // of a's transpose times a
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        diagonal[i] = a.m[0][i] * a.m[0][i] + a.m[1][i] * a.m[1][i] + a.m[2][i] * a.m[2][i];
        off[i] = a.m[0][j] * a.m[0][k] + a.m[1][j] * a.m[1][k] + a.m[2][j] * a.m[2][k];
    }
    Mat3f v = principal_axes(diagonal, off), b;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            b.m[i][j] = a.m[i][0] * v.m[0][j] + a.m[i][1] * v.m[1][j] + a.m[i][2] * v.m[2][j];
        }
    }

    // Columns by falling length; the sign keeps v a rotation.
    for (int n = 0; n < 3; ++n) {
        const int p = n / 2, q = n == 0 ? 1 : 2;
        const float first = b.m[0][p] * b.m[0][p] + b.m[1][p] * b.m[1][p] + b.m[2][p] * b.m[2][p];
        const float second = b.m[0][q] * b.m[0][q] + b.m[1][q] * b.m[1][q] + b.m[2][q] * b.m[2][q];
        for (int i = 0; i < 3 && first < second; ++i) {
            const float x = b.m[i][p], y = v.m[i][p];
            b.m[i][p] = b.m[i][q];
            b.m[i][q] = -x;
            v.m[i][p] = v.m[i][q];
            v.m[i][q] = -y;
        }
    }
    const Qr3f f = qr3(b);
    return {f.q, make_float3(f.r.m[0][0], f.r.m[1][1], f.r.m[2][2]), v};
}

// Helper svd2: Warp's svd2
struct Svd2f {
    Mat2f u;
    float2 sigma;
    Mat2f v;
};

// Singular values, falling, none negative; v is a rotation.
__device__ inline Svd2f svd2(const Mat2f& a) {
    // a's transpose times a is [[xx, xy], [xy, yy]].
    const float xx = a.m[0][0] * a.m[0][0] + a.m[1][0] * a.m[1][0];
    const float xy = a.m[0][0] * a.m[0][1] + a.m[1][0] * a.m[1][1];
    const float yy = a.m[0][1] * a.m[0][1] + a.m[1][1] * a.m[1][1];
    const float sum = xx + yy, difference = xx - yy;
    const float square = difference * difference + 4.0f * xy * xy;
    if (square == 0.0f) {
        const float sigma = sqrtf(0.5f * sum);
        return {Mat2f{{{1.0f, 0.0f}, {0.0f, 1.0f}}}, make_float2(sigma, sigma),
                Mat2f{{{1.0f, 0.0f}, {0.0f, 1.0f}}}};
    }

    const float gap = sqrtf(square);
    const float inverse = 1.0f / sqrtf((sum + gap) * 0.5f);
    const float x = difference + gap - 2.0f * xy, y = difference - gap + 2.0f * xy;
    const float length = x * x + y * y;
    float vx = 0.7071067811865476f, vy = 0.7071067811865476f;
    if (length != 0.0f) {
        const float scale = 1.0f / sqrtf(length);
        vx = x * scale;
        vy = y * scale;
    }
    const float ux = (a.m[0][0] * vx + a.m[0][1] * vy) * inverse;
    const float uy = (a.m[1][0] * vx + a.m[1][1] * vy) * inverse;
    // u is a reflection where a is one.
    const float side = a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0] < 0.0f ? -1.0f : 1.0f;
    return {Mat2f{{{ux, -uy * side}, {uy, ux * side}}},
            make_float2(1.0f / inverse, sqrtf((sum - gap) * 0.5f)), Mat2f{{{vx, -vy}, {vy, vx}}}};
}

"""Functions in C++, with what of Warp's headers they may name."""

import warp as wp

wp.set_module_options({"enable_backward": False})
vec6 = wp.types.vector(length=6, dtype=float)


@wp.func_native("""
#if defined(__CUDA_ARCH__)
    // the float32 of a warp
    return __popcll((unsigned long long)value);
#else
    return __builtin_popcountll((unsigned long long)value);
#endif
""")
def count_bits(value: wp.uint64) -> int: ...


@wp.func_native("""
#define TWICE(x) ((x) * 2.0f)
wp::float32 r = TWICE(a);
wp::uint32 bits = 3u; /* wp::nothing */
#pragma unroll
for (wp::int32 i = 0; i < 3; ++i)
    r += wp::float32(bits + i);
return r;
""")
def macros(a: float) -> float: ...


@wp.func_native("""
float* place = wp::address(values, index + 1 - 1);
*place = *place + values.data[index];
if (index + 1 < values.shape[0] && table.shape[1] == 4)
    values.data[index] += 1.0f;
""")
def bump(values: wp.array(dtype=float), table: wp.array2d(dtype=int), index: int): ...


@wp.func_native("return wp::vec_t<3, wp::float32>(a[2], a.c[1] * b, v[5] + v.c[i]);")
def mix(a: wp.vec3, b: float, v: vec6, i: int) -> wp.vec3: ...


@wp.func_native("return wp::mat_t<2, 2, wp::float32>(x, m.data[0][1] > 0.0f ? m.data[0][1] : 0.5f, 0.0f, x);")
def diag(x: float, m: wp.mat22) -> wp.mat22: ...


@wp.func_native("if (k > 3) return v; return wp::vec3f(v[0], 0.0f, (float)k);")
def choose(v: wp.vec3, k: int) -> wp.vec3: ...


@wp.func_native("return (uint64_t)values.data != 0;")
def present(values: wp.array(dtype=float)) -> wp.bool: ...


@wp.func_native("struct two { float x, y; }; return two{x, 1.0f}.x * x;")
def cuda_types(x: float) -> float: ...


@wp.kernel
def snippets(
    x: wp.array(dtype=float),
    k: wp.array(dtype=int),
    io: wp.array(dtype=float),
    table: wp.array2d(dtype=int),
    out: wp.array2d(dtype=float),
):
    """Preprocessor lines, Warp's names of scalars, components of vectors, shapes and addresses of arrays."""
    t = wp.tid()
    bump(io, table, t)
    v = mix(wp.vec3(x[t], 1.0, 2.0), 3.0, vec6(x[t]), k[t] % 6)
    m = diag(x[t], wp.mat22(x[t]))
    out[t, 0] = macros(x[t]) + float(count_bits(wp.uint64(k[t])))
    out[t, 1] = v[0] + v[1] * v[2]
    out[t, 2] = m[0, 0] + m[0, 1] + choose(v, k[t])[1]
    out[t, 3] = float(present(io)) + float(table[t, 0]) + x[t]


LAUNCH = {
    "snippets": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "io": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}, "role": "inout"},
            "table": {"shape": ["n", 4], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    }
}

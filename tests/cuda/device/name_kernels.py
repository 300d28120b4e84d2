"""Names that mean something to C++, to CUDA, to its headers or to libm."""

import warp as wp

NAN = wp.constant(3.5)
M_PI = wp.constant(2.5)
EOF = wp.constant(7)
errno = wp.constant(wp.vec3(1.0, 2.0, 3.0))
RAND_MAX = 11
BUFSIZ = 2
INFINITY = 5.0
CHAR_BIT = wp.constant(6)


@wp.struct
class linux:
    unix: float
    I: int
    stdin: wp.vec2
    errno: int


@wp.struct
class dim3:
    x: float
    y: float
    warpSize: int


@wp.func
def gamma(y0: float, j1: float):
    return y0 * 2.0 + j1


@wp.func
def assert_(x: float):
    return x + 1.0


@wp.func
def index(a: int, b: int):
    return a * 3 + b


@wp.func
def main(x: float):
    return x * 2.0


@wp.func
def printf(x: float):
    return x - 2.0


@wp.func
def cudaMalloc(x: float):
    return x - 3.0


@wp.func
def remainder(x: float, y: float):
    return x - 3.0 * y


@wp.func
def dot(a: float, b: float):
    return a + b


@wp.func
def make_float3(a: float, b: float):
    return a - b


@wp.kernel
def macros(x: wp.array(dtype=float), stdout: wp.array(dtype=float)):
    """Constants and variables like macros of the standard headers."""
    i = wp.tid()
    I = x[i] * 2.0
    unix = I + NAN
    linux_ = unix * M_PI
    stdin = linux_ - 1.0
    stderr = stdin * 2.0
    errno_ = stderr + float(EOF)
    NULL = errno_ * 0.5
    INT_MAX = NULL + 1.0
    FLT_MAX = INT_MAX + INFINITY
    HUGE_VAL = FLT_MAX * 2.0
    M_E = HUGE_VAL - 1.0
    OVERFLOW = M_E + 3.0
    DOMAIN = OVERFLOW * 2.0
    stdout[i] = DOMAIN + float(RAND_MAX + BUFSIZ) + float(CHAR_BIT) + errno[1]


@wp.kernel
def libm(y0: wp.array(dtype=float), y1: wp.array(dtype=float), j0: float, jn: int):
    """Variables like functions of libm, functions like those of C and CUDA."""
    tgamma = wp.tid()
    lgamma = y0[tgamma] + j0
    erf = lgamma * 2.0
    exp = wp.exp(erf * 0.01)
    sin = wp.sin(exp)
    min = wp.min(sin, exp)
    max = wp.max(min, 0.5)
    abs = wp.abs(max)
    pow = wp.pow(abs, 2.0)
    floor = wp.floor(pow * 10.0) + y0[tgamma]
    isnan = floor + float(jn)
    time = isnan + 1.0
    clock = time * 2.0
    div = clock / 3.0
    rand = div + 1.0
    free = rand + 1.0
    malloc = free + gamma(rand, free)
    y1[tgamma] = malloc + assert_(malloc) + main(free) + printf(free) + cudaMalloc(rand)


@wp.kernel
def keywords_of_cuda(
    warpSize: wp.array(dtype=int), blockDim: int, threadIdx: int, gridDim: wp.array(dtype=int)
):
    """Parameters like CUDA's own variables, variables like its types."""
    blockIdx = wp.tid()
    __syncthreads = warpSize[blockIdx] + blockDim
    dim = __syncthreads * threadIdx
    uint = dim + 1
    ushort = uint + 2
    size_t = ushort + 3
    int2 = size_t * 2
    float4 = int2 + 1
    uchar = float4 - 5
    main = uchar + 1
    size = main + 2
    n = size + 1
    stream = n + 2
    argc = stream + 2
    count = argc + wp.tid()
    gridDim[blockIdx] = count + index(size, n)


@wp.kernel
def structs_like_types(
    a: wp.array(dtype=linux), d: dim3, out: wp.array(dtype=dim3), back: wp.array(dtype=linux)
):
    """Structs and members like CUDA's."""
    i = wp.tid()
    a_ = a[i]
    r = dim3()
    r.x = a_.unix + d.x + remainder(d.x, d.y)
    r.y = a_.stdin[0] * d.y + dot(d.x, d.y) + make_float3(d.x, a_.stdin.y)
    r.warpSize = a_.I + a_.errno + d.warpSize
    out[i] = r
    b = linux(a_.unix, i, a_.stdin, 3)
    b.stdin.x += 2.0
    b.stdin[1] = b.unix
    back[i] = b


@wp.kernel
def unicode_names(größe: wp.array(dtype=float), λ: float, Δt: float, σ: wp.array(dtype=float)):
    """Letters beyond ASCII."""
    i = wp.tid()
    α = größe[i] * λ
    β_1 = α + Δt
    θ = wp.sin(β_1)
    µ = θ * 2.0
    σ[i] = α + β_1 * θ + µ


@wp.kernel
def int2(float3: wp.array(dtype=wp.vec3), dot: float, normalize: wp.array(dtype=wp.vec3), length: int):
    """A kernel like a type, and variables like the builtins that it calls."""
    cross = wp.tid()
    clamp = wp.dot(float3[cross], float3[cross]) * dot
    lerp = wp.length(float3[cross]) + wp.clamp(clamp, 0.0, 1.0)
    normalize[cross] = wp.normalize(float3[cross]) * lerp + wp.cross(
        float3[cross], wp.vec3(1.0, 2.0, float(length))
    )

"""Launches become calls that g++ understands; everything else stays as it is."""

import pytest

from weft.runs.rewrite import RewriteError, rewrite, with_own_streams

LONG = f"make_int2(f(), g({' + '.join(['x'] * 400)}))"
"""A call that is longer than what is read of one."""


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("k<<<1, 2>>>(a);", "weft_cpu::launch(k, 1, 2)(a);"),
        ("k<<<grid, block, 0, stream>>>(a, b);", "weft_cpu::launch(k, grid, block, 0, stream)(a, b);"),
        ("ns::k<<<1, 2>>>();", "weft_cpu::launch(ns::k, 1, 2)();"),
        ("::k <<< 1, 2 >>> ();", "weft_cpu::launch(::k,  1, 2 ) ();"),
        ("k<float, 3><<<1, 2>>>(a);", "weft_cpu::launch(k<float, 3>, 1, 2)(a);"),
        ("k<f<int>><<<1, 2>>>(a);", "weft_cpu::launch(k<f<int>>, 1, 2)(a);"),
        ("S<int, 3>::k<<<1, 2>>>(a);", "weft_cpu::launch(S<int, 3>::k, 1, 2)(a);"),
        ("default:k<<<1, 2>>>(a);", "default:weft_cpu::launch(k, 1, 2)(a);"),
        ("(*pick(i))<<<1, 2>>>(a);", "weft_cpu::launch((*pick(i)), 1, 2)(a);"),
        ("kernels[i + 1]<<<1, 2>>>(a);", "weft_cpu::launch(kernels[i + 1], 1, 2)(a);"),
        ("if (n) k<<<(n + 255) / 256, 256>>>(a);", "if (n) weft_cpu::launch(k, (n + 255) / 256, 256)(a);"),
        ("k<<<dim3(a >> 1, b), f(c >>> d)>>>(a);", "weft_cpu::launch(k, dim3(a >> 1, b), f(c >>> d))(a);"),
        ("a<<<1, 1>>>(); b<<<2, 2>>>();", "weft_cpu::launch(a, 1, 1)(); weft_cpu::launch(b, 2, 2)();"),
        ("k<<<1,\n  2>>>(a);", "weft_cpu::launch(k, 1,\n  2)(a);"),
    ],
)
def test_launches(source: str, expected: str) -> None:
    assert rewrite(source) == expected


def test_a_launcher_gets_a_stream() -> None:
    text = "int launch_k(int n, cudaStream_t stream = {}) {{ cudaStream_t other = nullptr; }}"
    assert with_own_streams(text.format("nullptr")) == text.format("weft_cpu::OwnStream()")
    assert with_own_streams("// (cudaStream_t stream = 0)") == "// (cudaStream_t stream = 0)"


@pytest.mark.parametrize(
    ("header", "kernel", "by_call"),
    [
        ("template <typename T>", "k<float>", False),
        ("template <typename T>", "k", True),
        ("template <int n, typename T, int m = (n > 1)>", "k<3, f<int, 2>>", False),
        ("template <int n, typename T>", "k<3>", True),
        ("template <typename... T>", "k<int>", True),
        ("template <int n = 3>", "k<>", False),
        ("template <int n = 3>", "k", True),
        ("", "k", False),
    ],
)
def test_a_template_that_its_arguments_name_is_called(header: str, kernel: str, by_call: bool) -> None:
    launch = rewrite(f"{header} __global__ void k(int a) {{}} void f() {{ {kernel}<<<1, 2>>>(3); }}")
    call = f"weft_cpu::launch_call([&](auto... weft_arguments) {{ {kernel}(weft_arguments...); }}, 1, 2)(3);"
    assert (call if by_call else f"weft_cpu::launch({kernel}, 1, 2)(3);") in launch


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("struct S { static __global__ void k(int a); };", "the kernel k is a member of a class"),
        ("__global__ void k(const int& a) {}", "a parameter of a kernel is a reference"),
        ("void f() { __shared__ float tile[2] = {1, 2}; }", "a __shared__ variable has an initial value"),
        ("void f() { __shared__ int a{0}; }", "a __shared__ variable has an initial value"),
        ("void f() { __shared__ union { int a; } b = {0}; }", "a __shared__ variable has an initial value"),
    ],
)
def test_what_nvcc_refuses_of_kernels(source: str, message: str) -> None:
    with pytest.raises(RewriteError, match=message):
        rewrite(source)


@pytest.mark.parametrize("declared", ["union { int a; float b; }", "__align__(16) struct Both { int a[2]; }"])
def test_the_class_of_a_shared_variable_is_no_value(declared: str) -> None:
    source = f"void f() {{ __shared__ {declared} both; }}"
    assert rewrite(source) == source


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "void f() { bool a, b; }",
            "void f() { bool a, b; a = weft_cpu::unset<decltype(a)>(); b = weft_cpu::unset<decltype(b)>(); }",
        ),
        (
            "void f() { if (n) { bool a; } }",
            "void f() { if (n) { bool a; a = weft_cpu::unset<decltype(a)>(); } }",
        ),
        (
            "void f() { float2 a[3][N + 1], b; }",
            "void f() { float2 a[3][N + 1], b; memset(&a, weft_cpu::unset_byte(), sizeof a);"
            " b = weft_cpu::unset<decltype(b)>(); }",
        ),
        (
            "void f() { float a[2], b = g(c, 0), d; }",
            "void f() { float a[2], b = g(c, 0), d; memset(&a, weft_cpu::unset_byte(), sizeof a);"
            " d = weft_cpu::unset<decltype(d)>(); }",
        ),
        (
            "void f() { struct P p; ns::A<int, 3> a[2], b = c; }",
            "void f() { struct P p; weft_cpu::leave_unset(p);"
            " ns::A<int, 3> a[2], b = c; weft_cpu::leave_unset(a); }",
        ),
        ("int f() { struct P; goto a; a: return b; }", "int f() { struct P; goto a; a: return b; }"),
        ("void f() { if (a) {} else b = c, d; }", "void f() { if (a) {} else b = c, d; }"),
        ("void f() { float a, b = (a = 1); }", "void f() { float a, b = (a = 1); }"),
        ("void f() { int a, b = [] { return 1; }(); }", "void f() { int a, b = [] { return 1; }(); }"),
        (
            "void f() { for (int i = 0; s > 0 ? i < n : s < 0 && i > n; i += s) {} }",
            "void f() { for (int i = 0; s > 0 ? i < n : s < 0 && i > n; i += s) {} }",
        ),
        (
            "void f() { for (int i = 0; i < n, i > m; ++i) {} }",
            "void f() { for (int i = 0; i < n, i > m; ++i) {} }",
        ),
        (
            "bool f() { return a ? b : c < d && e > g; }",
            "bool f() { return a ? b : c < d && e > g; }",
        ),
        ("void f() { __shared__ A::B b; }", "void f() { __shared__ A::B b; }"),
        (
            "void f() { auto g = [] { float s; return s; }; }",
            "void f() { auto g = [] { float s; s = weft_cpu::unset<decltype(s)>(); return s; }; }",
        ),
        ("void f() { struct { P a; } __shared__ b; }", "void f() { struct { P a; } __shared__ b; }"),
        ("typedef struct __align__(16) { P a; } Q;", "typedef struct __align__(16) { P a; } Q;"),
        ("struct S { bool a; };", "struct S { bool a; };"),
        ("namespace n { bool a; }", "namespace n { bool a; }"),
        ("void f() { bool a = true; static bool b; }", "void f() { bool a = true; static bool b; }"),
    ],
)
def test_a_variable_without_a_value_gets_one(source: str, expected: str) -> None:
    assert rewrite(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("static __shared__ alignas(16) int a[4];", "alignas(16) static __shared__ int a[4];"),
        ("[=] __device__ (int i) mutable { i; };", "[=]            (int i) mutable __device__ { i; };"),
        ("[=] __device__ (int i) { i; };", "[=] __device__ (int i) { i; };"),
    ],
)
def test_words_stand_where_gxx_takes_them(source: str, expected: str) -> None:
    assert rewrite(source) == expected


def test_kernels_launched_by_address_keep_their_type() -> None:
    assert rewrite("cudaLaunchKernel((const void*)&k, 1, 2);") == "cudaLaunchKernel(k, 1, 2);"


@pytest.mark.parametrize(
    "source",
    [
        "// k<<<1, 2>>>(a)",
        "/* k<<<1,\n 2>>>(a) */",
        '"k<<<1, 2>>>(a)"',
        '"\\"k<<<1, 2>>>(a)"',
        'R"x(k<<<1, 2>>>(a))x"',
        "int a = 1 << 2 >> 3;",
        "std::vector<std::vector<std::vector<int>>> v;",
        "int million = 1'000'000;",
        "__shared__ float tile[256];",
    ],
)
def test_the_rest_stays(source: str) -> None:
    assert rewrite(source) == source


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("v = make_float2(f(s), f(s));", "v = weft_cpu::Ordered<float2>{f(s), f(s)}.vector;"),
        ("v = ::make_int2(i += 1, i = 2);", "v = ::weft_cpu::Ordered<int2>{i += 1, i = 2}.vector;"),
        ("make_int2(i++, i++).x", "weft_cpu::Ordered<int2>{i++, i++}.vector.x"),
        (
            "make_float3(a < b ? f(s) : c,\n0, g<2, 1>(s))",
            "weft_cpu::Ordered<float3>{a < b ? f(s) : c,\n0, g<2, 1>(s)}.vector",
        ),
        (
            "make_uint2(make_int2(f(), f()).x, f())",
            "weft_cpu::Ordered<uint2>{weft_cpu::Ordered<int2>{f(), f()}.vector.x, f()}.vector",
        ),
        ("make_float3(g<1, 2>(), f())", "make_float3(g<1, 2>(), f())"),
        ("make_float3(a, f(s), b)", "make_float3(a, f(s), b)"),
        ("o.make_int2(f(), g()), n::make_int2(f(), g())", "o.make_int2(f(), g()), n::make_int2(f(), g())"),
        (LONG, LONG),
        ("int2 make_int2(int a = (1), int b = (2)) { }", "int2 make_int2(int a = (1), int b = (2)) { }"),
        (
            "float4 make_float4(float3 a, float b) { return a; }",
            "float4 make_float4(float3 a, float b) { return a; }",
        ),
    ],
)
def test_parts_of_vectors_are_evaluated_from_the_left(source: str, expected: str) -> None:
    assert rewrite(source) == expected


def test_digit_separators_hide_no_launch() -> None:
    assert rewrite("f(1'000); k<<<1, 2>>>(a);") == "f(1'000); weft_cpu::launch(k, 1, 2)(a);"


def test_dynamic_shared_memory_becomes_a_pointer() -> None:
    rewritten = rewrite("extern __shared__ float tile[];")
    assert rewritten == "float* const tile = reinterpret_cast<float*>(weft_cpu::dynamic_shared);"
    assert "unsigned char* const raw" in rewrite("extern __shared__ __align__(16) unsigned char raw[];")


def test_lines_keep_their_numbers() -> None:
    source = "int a;\nk<<<\n1,\n2>>>(\na);\nextern __shared__\nfloat tile[];\nint b;\n"
    assert rewrite(source).count("\n") == source.count("\n")


@pytest.mark.parametrize("source", ["int a;\nk<<<1, 2;", "int a;\n= <<<1, 2>>>(a);"])
def test_a_launch_that_is_none_is_named_by_its_line(source: str) -> None:
    with pytest.raises(RewriteError, match="line 2"):
        rewrite(source)

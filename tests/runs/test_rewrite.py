"""Launches become calls that g++ understands; everything else stays as it is."""

import pytest

from weft.runs.rewrite import RewriteError, rewrite


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

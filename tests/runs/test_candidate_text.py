"""Texts that are meant to hold up whoever looks at them are looked at in time."""

import signal
from collections.abc import Iterator

import pytest

from weft.runs.build import first_error
from weft.runs.candidate_support import missing_on_cpu
from weft.runs.candidate_text import TextError, UnsupportedError, checked, take_includes
from weft.runs.device_reads import variables_of_device
from weft.runs.device_text import problem_of_kernels, template_kernels
from weft.runs.fences import fenced_program
from weft.runs.reading import UnreadableError, read_within_limits

SECONDS = 20.0


@pytest.fixture(autouse=True)
def in_time() -> Iterator[None]:
    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


def test_comments_that_do_not_end() -> None:
    assert take_includes("/*" * 200_000).headers == ()


@pytest.mark.parametrize(
    "word", ["__launch_bounds__(", "extern __shared__ float ", "f<<<", "__device__ float a, "]
)
def test_words_that_are_rewritten_too_often(word: str) -> None:
    with pytest.raises(TextError, match="more than 1000 times"):
        checked(word * 20_000)


def test_declarations_of_many_names() -> None:
    text = "__device__ float " + ", ".join(f"a{i}" for i in range(1000)) + ";\n"
    assert len(variables_of_device(text * 900)) == 1000


def test_a_message_in_one_long_word() -> None:
    assert first_error("a:" * 500_000).startswith("a:a:")


@pytest.mark.parametrize("declared", ["a" + "<>" * 100_000, "a<" * 100_000, "a" + "[" * 100_000])
def test_shared_variables_of_many_brackets(declared: str) -> None:
    assert problem_of_kernels(f"__shared__ int {declared};") is None


def test_brackets_within_brackets() -> None:
    deep = "(" * 100_000 + ")" * 100_000
    assert problem_of_kernels(f"__global__ void f({deep});") is None
    assert set(template_kernels(f"template <int n = {deep}>\n__global__ void f();")) == {"f"}


def test_whatever_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless() -> None:
        while True:
            pass

    monkeypatch.setattr("weft.runs.reading.READING_SECONDS", 1)
    monkeypatch.setattr("weft.runs.reading.READING_BYTES", 1 << 28)
    for read in (endless, lambda: "a" * (1 << 29)):
        with pytest.raises(UnreadableError):
            read_within_limits(read)
    assert read_within_limits(lambda: "short") == "short"
    with pytest.raises(LongError, match=r"^at a place$"):
        read_within_limits(refuse)


class LongError(Exception):
    def __init__(self, place: str) -> None:
        super().__init__(f"at {place}")


def refuse() -> None:
    raise LongError("a place")


def test_comments_behind_headers() -> None:
    assert take_includes("#include <map> /* a */ // b\n").headers == ("map",)
    assert take_includes("#include <map> " + "/**/" * 10_000 + "x\n").headers == ()


def test_a_guard_around_the_text_is_left_out() -> None:
    text = "// a\n#ifndef __A_CUH__\n#define __A_CUH__\nint a;\n#if 1\n#endif\n#endif /* end */\n"
    assert take_includes(text).rest == "// a\n\n\nint a;\n#if 1\n#endif\n"


@pytest.mark.parametrize(
    "text",
    [
        "#ifndef __A_H\n#define __A_H\nint a;\n#endif\nint b;",
        "int a;\n#ifndef __A_H\n#define __A_H\nint b;\n#endif",
        "#ifndef __A_H\n#define __B_H\nint a;\n#endif",
        "#ifndef __A_H\n#define __A_H 1\nint a;\n#endif",
        "#ifdef __A_H\n#define __A_H\nint a;\n#endif",
        "#ifndef __GNUC__\n#define __GNUC__\nint a;\n#endif",
        "#ifndef __A_H\n#define __A_H\n#ifdef __A_H\nint a;\n#endif\n#endif",
        "#ifndef __A_H\n#define __A_H\nint a; \\\n#endif",
    ],
)
def test_other_conditions_on_reserved_names_are_refused(text: str) -> None:
    with pytest.raises(TextError, match="may not depend on '__"):
        take_includes(text)


@pytest.mark.parametrize("word", ["thread_local int a;", "typeid(int);", "dynamic_cast<int*>(a);"])
def test_words_of_host_code_are_unsupported(word: str) -> None:
    with pytest.raises(UnsupportedError, match=r"candidate\.cu:1: '"):
        checked(f'# 1 "<command-line>"\n# 1 "candidate.cu"\n{word}\n')


def test_fences_keep_the_numbers_of_lines() -> None:
    text = "Here it is:\n```cuda\n#include <map>\nint a;\n```\nThat is it.\n"
    found = fenced_program(text)
    assert found is not None and found.splitlines()[3] == "int a;" and "That" not in found
    assert fenced_program("int a;\n") is None


def test_linkage_is_left_out() -> None:
    text = (
        'extern "C" {\nint f() { return 1; }\n}\nextern "C" int g();\nconst char* s = "extern \\"C\\" {";\n'
    )
    kept = checked(text)
    assert "".join(kept.split()) == 'intf(){return1;}intg();constchar*s="extern\\"C\\"{";'
    assert kept.count("\n") == text.count("\n")
    checked('extern "C" {' * 5_000)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ('asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));', "(1u << weft_cpu::lane()) - 1u"),
        ('asm("ld.global.nc.f32 %0, [%1 + 4];" : "=f"(x) : "l"(p));', "weft_ptx::at<float>(ptx1, 4)"),
        ('asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 0; }" :: "r"(x));', "compare_ne<uint32_t>(ptx0"),
        ('asm volatile("membar.gl;" ::: "memory");', "__threadfence();"),
        ('asm("fma.rn.f32 %[d], %[a], %[a], 0f3F800000;" : [d] "=f"(y) : [a] "f"(f(x, 2)));', "= (f(x, 2));"),
    ],
)
def test_inline_ptx_is_written_as_cpp(text: str, part: str) -> None:
    assert part in checked(text)
    assert "asm" not in checked(text)


def test_operands_of_inline_ptx_are_looked_at() -> None:
    with pytest.raises(TextError, match="may not use '__builtin_frame_address'"):
        checked('asm("mov.u64 %0, %1;" : "=l"(x) : "l"(__builtin_frame_address(0)));')
    with pytest.raises(TextError, match="may not use 'weft_asm'"):
        checked("int weft_asm0;")


@pytest.mark.parametrize(
    "text",
    [
        'asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" :: "r"(s), "l"(p));',
        'asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));',
        'asm("add.rz.f32 %0, %1, %2;" : "=f"(y) : "f"(x), "f"(z));',
        'asm volatile("{ loop: bra.uni loop; add.u32 %0, %0, 1; }" : "+r"(x));',
        'asm("mov.u32 %0, %%smid;" : "=r"(x));',
    ],
)
def test_other_ptx_is_unsupported(text: str) -> None:
    with pytest.raises(UnsupportedError, match="inline PTX"):
        checked(text)


@pytest.mark.parametrize("text", ['asm(".incbin \\"/etc/passwd\\"");', 'asm("nop; .include \\"x\\"");'])
def test_other_assembly_is_refused(text: str) -> None:
    with pytest.raises(TextError, match="may not use 'asm'"):
        checked(text)


def test_headers_of_gpus_are_unsupported() -> None:
    for header in ("thrust/remove.h", "cuda/std/span", "mma.h", "curand_kernel.h"):
        with pytest.raises(UnsupportedError, match=header):
            take_includes(f"#include <{header}>\n")
    with pytest.raises(TextError, match="may not include"):
        take_includes("#include <fcntl.h>\n")


def test_names_of_cuda_that_are_missing() -> None:
    assert missing_on_cpu("c.cu:1: 'cudaGraph_t' was not declared in this scope") == "cudaGraph_t"
    assert missing_on_cpu("c.cu:1: 'cudaMemcopy' was not declared in this scope") is None
    assert missing_on_cpu("c.cu:1: 'no_such_name' was not declared in this scope") is None

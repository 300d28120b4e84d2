"""Texts that are meant to hold up whoever looks at them are looked at in time."""

import signal
from collections.abc import Iterator

import pytest

from weft.runs.build import first_error
from weft.runs.candidate_text import TextError, checked, take_includes
from weft.runs.device_reads import variables_of_device
from weft.runs.device_text import problem_of_kernels, template_kernels
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

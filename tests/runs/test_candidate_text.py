"""Texts that are meant to hold up whoever looks at them are looked at in time."""

import signal
from collections.abc import Iterator

import pytest

from weft.runs.build import first_error
from weft.runs.candidate_text import TextError, checked, take_includes
from weft.runs.device_reads import variables_of_device

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

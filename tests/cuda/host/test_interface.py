"""What callers of a launcher are told of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from handmade import Input, device_of, program_of, record_of

from weft.cuda.host import write_program
from weft.cuda.program import write_programs
from weft.errors import UserError
from weft.runs.interface import Interface, command, parse_interface
from weft.types import Array, Scalar

DESCRIBED = {
    "x": Input("array<float32,1>", {"uniform": [0.0, 1.0]}, ["rows"]),
    "y": Input("array<struct<Particle>,2>", {"constant": 0}, ["n", "2"], "inout"),
    "out": Input("array<float32,1>", None, ["n"], "out"),
    "none": Input("array<float32,1>", more={"null": True}),
    "rows": Input("int32", {"size": "rows"}),
    "scale": Input("float32", {"constant": 1.0}),
}
SIZES = {"rows": "(n + 2) // 3"}


def written() -> dict[str, Any]:
    """As it is read from an index."""
    content: dict[str, Any] = json.loads(json.dumps(program_of(DESCRIBED, "(void)i;", SIZES).interface))
    return content


def parsed() -> Interface:
    return parse_interface("probe", written(), "a test")


def test_leaves_are_arrays_and_values_that_a_caller_can_give() -> None:
    interface = parsed()
    assert set(interface.leaves) == {"x", "y", "out", "scale"}
    assert isinstance(interface.leaves["y"], Array)
    assert interface.leaves["scale"] == Scalar("float32")
    assert interface.outputs == {"y", "out"}


def test_what_a_description_gives_the_shape_of_is_not_needed() -> None:
    assert parsed().needed == {"x", "y", "scale"}


def test_numbers_follow_from_the_base_size() -> None:
    interface = parsed()
    assert interface.derived == {"rows"}
    assert interface.dims == 0
    assert list(interface.numbers) == ["rows", "n"]
    assert interface.numbers_for(10) == [4, 10]


def test_only_structs_with_padding_list_their_members() -> None:
    call = written()["call"]
    assert "const weft_driver::Member weft_Particle_members[] = {" in call
    assert "{offsetof(Particle, spring), sizeof(Spring)}," in call
    assert '{"x", "float32", sizeof(float), weft_driver::Kind::array, nullptr, 0},' in call
    assert "nullptr, int(given.numbers[0])" in call


def test_a_command_has_a_word_for_each_number() -> None:
    words = command("s0003", "in", "out", fill=203, numbers=parsed().numbers_for(10), repeat=2)
    assert words == ["s0003", "in", "out", "203", "2", "4", "10"]


@pytest.mark.parametrize("key", ["leaves", "launch", "numbers", "call"])
def test_what_is_no_interface_is_named(key: str) -> None:
    content = written()
    del content[key]
    with pytest.raises(UserError, match=r"k\.json: holds no interface of probe"):
        parse_interface("probe", content, "k.json")


def test_the_interface_is_the_same_in_every_run() -> None:
    record = record_of(DESCRIBED, SIZES)
    again = write_programs([(record, write_program(record, device_of(DESCRIBED, "(void)i;")))])[0]
    assert json.loads(json.dumps(again.interface)) == written()

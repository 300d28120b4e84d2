"""Guarded memory, native layouts, and child processes, each on its own."""

from __future__ import annotations

import ctypes
import faulthandler
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from weft.child import Child
from weft.inputs import packed_dtype
from weft.reference.layout import differs, native_dtype, to_native, to_packed
from weft.reference.memory import GuardedBuffer, GuardedMemory
from weft.types import SCALAR_BYTES, Scalar, Struct, Type, Vector


def signal_of(action: Callable[[], object]) -> int:
    """The signal that ends a child process in which `action` runs; 0 if it survives."""
    child = os.fork()
    if child == 0:
        faulthandler.disable()
        action()
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def peek(address: int) -> int:
    return ctypes.c_uint8.from_address(address).value


@pytest.mark.parametrize("size", [1, 12, 4096, 5000])
def test_the_byte_behind_a_buffer_is_not_accessible(size: int) -> None:
    buffer = GuardedBuffer(10_000)
    buffer.resize(size)
    end = buffer.address + size
    assert signal_of(lambda: peek(end - 1)) == 0
    assert signal_of(lambda: peek(end)) == signal.SIGSEGV
    assert signal_of(lambda: peek(end + 15_000_000)) == signal.SIGSEGV
    buffer.close()


def test_a_write_before_a_buffer_shows() -> None:
    buffer = GuardedBuffer(100)
    buffer.resize(100)
    buffer.guard[:] = 0xCB
    buffer.content[:] = 1
    assert (buffer.guard == 0xCB).all()
    ctypes.c_uint8.from_address(buffer.address - 1).value = 7
    assert buffer.guard[-1] == 7


def test_buffers_are_used_again_and_grow() -> None:
    memory = GuardedMemory()
    first = memory.buffer(0, 10)
    assert memory.buffer(0, 1000) is first
    assert len(first.content) == 1000
    assert memory.buffer(0, 10_000_000) is not first
    assert memory.buffer(1, 10) is not memory.buffer(0, 10)


SCALARS = st.sampled_from([name for name in SCALAR_BYTES if name not in ("bfloat16", "size_t")]).map(Scalar)
FIELDS = st.lists(SCALARS | st.builds(Vector, st.integers(2, 4), SCALARS), min_size=1, max_size=5)

C_TYPES = {
    "bool": ctypes.c_bool,
    "float16": ctypes.c_uint16,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
} | {
    f"{sign}int{width}": getattr(ctypes, f"c_{sign}int{width}")
    for sign in ("", "u")
    for width in (8, 16, 32, 64)
}


def c_struct(fields: list[Type]) -> type[ctypes.Structure]:
    def c_type(field: Type) -> Any:
        if isinstance(field, Vector):
            return C_TYPES[field.scalar.name] * field.length
        assert isinstance(field, Scalar)
        return C_TYPES[field.name]

    layout = [(f"f{i}", c_type(field)) for i, field in enumerate(fields)]
    return type("Layout", (ctypes.Structure,), {"_fields_": layout})


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(FIELDS)
def test_structs_are_laid_out_as_in_c(fields: list[Type]) -> None:
    structs = {"S": [(f"f{i}", field) for i, field in enumerate(fields)]}
    native = native_dtype(Struct("S"), structs)
    expected = c_struct(fields)
    assert native.itemsize == ctypes.sizeof(expected)
    component = 0
    for i, field in enumerate(fields):
        assert native.fields is not None
        assert native.fields[f"c{component}"][1] == getattr(expected, f"f{i}").offset
        component += field.length if isinstance(field, Vector) else 1


@given(FIELDS, st.integers(1, 5), st.randoms(use_true_random=False))
def test_packing_undoes_the_native_layout(fields: list[Type], count: int, random: Any) -> None:
    structs = {"S": [("inner", Struct("T")), ("last", Scalar("int8"))], "T": list(enumerate(fields))}
    native = native_dtype(Struct("S"), structs)
    packed = packed_dtype(Struct("S"), structs)
    content = np.frombuffer(random.randbytes(count * packed.itemsize), dtype=np.uint8)
    elements = content.view(packed)
    there = to_native(elements, native)
    assert there.nbytes == count * native.itemsize
    assert to_packed(there, native, packed).tobytes() == content.tobytes()
    assert not differs(elements, to_packed(there, native, packed)).any()


def test_differences_are_found_by_component_and_by_bits() -> None:
    dtype = packed_dtype(Struct("S"), {"S": [("a", Scalar("float32")), ("b", Scalar("int16"))]})
    a = np.zeros(2, dtype=dtype)
    b = a.copy()
    b["c0"][0] = -0.0
    b["c1"][1] = 3
    assert differs(a, b).tolist() == [[True, False], [False, True]]


def is_running(process: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_children_end_with_a_killed_parent() -> None:
    code = """
import os, time
from weft.child import Child
with Child(lambda send: (send(os.getpid()), time.sleep(600))) as child:
    for process in child.messages(None):
        print(process, flush=True)
"""
    with subprocess.Popen([sys.executable, "-P", "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_running(child)
        parent.kill()
    deadline = time.monotonic() + 10
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(child)


def test_a_process_that_waits_for_ever_is_killed() -> None:
    with Child(lambda send: (send("hello"), time.sleep(600))) as child:
        assert list(child.messages(0.2)) == ["hello"]
    assert child.signal == signal.SIGPROF


def test_the_signal_that_ends_a_process_is_known() -> None:
    with Child(lambda send: (send(1), os.kill(os.getpid(), signal.SIGFPE))) as child:
        assert list(child.messages(None)) == [1]
    assert child.signal == signal.SIGFPE

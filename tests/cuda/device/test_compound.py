"""`x = x + y` is written `x += y` where that is the same."""

from pathlib import Path

import pytest
from translated import device_of

KERNEL = """
@wp.kernel
def work(x: wp.array(dtype={kind}), y: wp.array(dtype={kind})):
    i = wp.tid()
    a = {kind}(1)
    for k in range(3):
        {body}
    y[i] = a
"""

SHORT = {
    "a variable": ("a = a + x[k]", "float", "a += x[k];"),
    "a product": ("a = a * (x[k] + a)", "float", "a *= x[k] + a;"),
    "bits": ("a = a ^ (a >> wp.uint32(3))", "wp.uint32", "a ^= a >> 3;"),
    "a shift": ("a = a >> wp.uint32(7)", "wp.uint32", "a >>= 7;"),
    "a remainder": ("a = a % wp.uint32(k + 2)", "wp.uint32", "a %= uint32_t(k + 2);"),
    "a vector": ("a = a - x[k]", "wp.vec3i", "a -= x[k];"),
    "a vector over a number": ("a = a / (k + 2)", "wp.vec3i", "a /= k + 2;"),
    "a matrix": ("a = a + x[k]", "wp.mat22", "a += x[k];"),
    "a number of 64 bits": ("a = a / wp.int64(3)", "wp.int64", "a /= 3;"),
    "an element": ("y[i] = y[i] - x[k]", "int", "y[i] -= x[k];"),
}
LONG = {
    "the other operand": ("a = x[k] - a", "float", "a = x[k] - a;"),
    "a sum of three, whose order counts": ("a = a + x[k] + x[i]", "float", "a = a + x[k] + x[i];"),
    "a product of matrices, whose order counts": ("a = a * x[k]", "wp.mat22", "a = a * x[k];"),
    "numbers of 64 bits": ("a = wp.int64(3) * a + x[k]", "wp.int64", "a = 3 * a + x[k];"),
    "a negative, which is no negative zero": ("a = -(a + x[k])", "float", "a = 0.0f - (a + x[k]);"),
    "a number that C++ computes as int": ("a = a + x[k]", "wp.int8", "a + x[k]"),
}


@pytest.mark.parametrize(("body", "kind", "expected"), [*SHORT.values(), *LONG.values()], ids=[*SHORT, *LONG])
def test_an_assignment(tmp_path: Path, body: str, kind: str, expected: str) -> None:
    assert expected in device_of(tmp_path, KERNEL.format(body=body, kind=kind)).kernel

"""Loads through the read-only path, for types that CUDA's `__ldg` lacks."""

from __future__ import annotations

from weft.cuda.c_types import c_type, component_names, is_cuda_vector
from weft.cuda.helpers.text import Helper, giving
from weft.types import Scalar, Type, Vector

READ_ONLY_HELPER = "load_read_only"


def has_read_only_load(type: Type) -> bool:
    """Whether `__ldg` takes a pointer to the type (CUDA C++ Programming Guide, "Read-Only Data Cache")."""
    match type:
        case Scalar(name=name):
            return name != "bool"
        case Vector(length=length, scalar=scalar) if is_cuda_vector(type):
            return length == 2 or (length == 4 and scalar.bytes < 8)
        case _:
            return False


def load_read_only(type: Type) -> Helper:
    """A vector or matrix, component by component."""
    t = c_type(type)
    loads = [f"__ldg(&p->{name.removeprefix('.')})" for name in component_names(type)]
    return giving(type, f"{READ_ONLY_HELPER}(const {t}* p)", loads)


READ_ONLY_HELPERS = {READ_ONLY_HELPER: load_read_only}

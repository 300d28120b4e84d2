"""The list of core builtins is Warp's, and what is missing from a set of kernels is told."""

from weft.diversity.core_builtins import CORE, NOT_WRITTEN, absent

FAMILIES = ("tile", "untile", "mesh_", "volume_", "bvh_", "hash_grid_", "texture_")


def test_the_list_is_that_of_warp() -> None:
    from warp._src import context

    public = {
        name
        for name, function in context.builtin_functions.items()
        if any(not one.hidden for one in getattr(function, "overloads", [function]))
    }
    assert {name for name in public if not name.startswith(FAMILIES)} == CORE


def test_each_builtin_that_is_left_out_is_one_and_has_one_reason() -> None:
    left_out = [name for names in NOT_WRITTEN.values() for name in names.split()]
    assert len(left_out) == len(set(left_out))
    assert set(left_out) <= CORE


def test_what_no_kernel_has_is_told_but_not_what_makes_no_sense() -> None:
    used = CORE - {"sqrt", "print", "atomic_xor"}
    assert absent(used) == ["atomic_xor", "sqrt"]
    assert absent(CORE) == []

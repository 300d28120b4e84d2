"""What is a variable of the device by its declaration, and the names that messages have."""

import pytest

from weft.runs.device_reads import source_name, variables_of_device


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("static __device__ float a;", {"a"}),
        ("__device__ __align__(16) float a[2] = {1.0f, 2.0f}, b, *c = nullptr;", {"a", "b", "c"}),
        ("__constant__ const Pair table[3] = {{1, 2}, {3, 4}};", {"table"}),
        ("__device__ __managed__ int both{3};", {"both"}),
        ("__device__ float value(float table) { return table; }", set()),
        ("__device__ Pair& operator=(const Pair& table);", set()),
        ("template <typename T> __device__ T zero = T(0);", {"zero"}),
    ],
)
def test_variables_of_the_device_are_found_by_their_declarations(text: str, names: set[str]) -> None:
    assert variables_of_device(text) == names


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        ("_ZN5s0000L5tableE", "table"),
        ("_ZN5s000012_GLOBAL__N_15tableE", "table"),
        ("_ZN5s00005Table7factorsE", "factors"),
        ("_ZN5s00005evensEPKfS1_Pfi", "evens"),
        ("table", "table"),
        ("_ZL5table", "table"),
        ("_Z4area6SphereS_", "area"),
        ("_ZNK8geometry4BallIfE2toERK6float3", "Ball"),
    ],
)
def test_names_are_those_of_the_source(mangled: str, name: str) -> None:
    assert source_name(mangled) == name

from __future__ import annotations

import pytest

from weft.ptx.mangled import outer_namespace, parse_symbol, print_symbol, without_namespace

# What g++ makes of the same declarations inside and outside `namespace s0003`.
NAMES = [
    ("_ZN5s00034pickINS_6SpringELi3EEET_PKS2_", "_Z4pickI6SpringLi3EET_PKS1_"),
    ("_ZN5s00035twiceINS_6SpringEEET_S2_", "_Z5twiceI6SpringET_S1_"),
    ("_ZNK5s00036Spring6energyEv", "_ZNK6Spring6energyEv"),
    ("_ZN5s00036detail3useENS0_4DeepENS_6SpringE", "_ZN6detail3useENS_4DeepE6Spring"),
    ("_ZN5s00035firstEPKNS_6SpringEPS0_P6float3PKS4_i", "_Z5firstPK6SpringPS_P6float3PKS3_i"),
    ("_ZN5s00035twiceIfEET_S1_", "_Z5twiceIfET_S0_"),
    ("_ZN5s00033fooEv", "_Z3foov"),
    ("_ZN5s00033fooEPf", "_Z3fooPf"),
    ("_ZN5s00036helperENS_6SpringERK6float3", "_Z6helper6SpringRK6float3"),
    (
        "_ZN5s00034lastENS_3BoxINS_6SpringEEEPS2_NS0_INS0_INS_4PairEEEEES4_S1_S5_",
        "_Z4last3BoxI6SpringEPS1_S_IS_I4PairEES3_S0_S4_",
    ),
    ("_ZN5s00034manyEbahstjlmxydc", "_Z4manybahstjlmxydc"),
    ("_ZN5s0003plE6float3S0_", "_Zpl6float3S_"),
    ("_ZN5s0003pLERNS_6SpringES0_", "_ZpLR6SpringS_"),
    ("_ZN5s00032ppEPPfPKPKfPK4int2S6_RS7_PViONS_6SpringE", "_Z2ppPPfPKPKfPK4int2S5_RS6_PViO6Spring"),
    ("_ZN5s00034rowsEPA4_KfRS1_", "_Z4rowsPA4_KfRS0_"),
    ("_ZN5s00035tableE", "table"),
    (
        "_ZN5s00034fillINS_4PairEEEvPA3_T_NS_3BoxIS2_EENS6_5InnerE",
        "_Z4fillI4PairEvPA3_T_3BoxIS1_ENS5_5InnerE",
    ),
    ("_ZN5s00034fillIfEEvPA3_T_NS_3BoxIS1_EENS5_5InnerE", "_Z4fillIfEvPA3_T_3BoxIS0_ENS4_5InnerE"),
    ("_ZZN5s00035firstEPKNS_6SpringEPS0_iE4tile", "_ZZ5firstPK6SpringPS_iE4tile"),
]


@pytest.mark.parametrize(("inside", "outside"), NAMES)
def test_names_become_those_outside_the_namespace(inside: str, outside: str) -> None:
    assert without_namespace(inside, "s0003") == outside


@pytest.mark.parametrize("name", [name for pair in NAMES for name in pair if name.startswith("_Z")])
def test_a_name_taken_apart_and_put_together_is_the_same(name: str) -> None:
    assert print_symbol(parse_symbol(name)) == name


def test_only_the_namespace_given_is_removed() -> None:
    assert without_namespace("_ZN5s00043fooEPf", "s0003") == "_ZN5s00043fooEPf"
    assert without_namespace("vprintf", "s0003") == "vprintf"


def test_the_outer_namespace_names_the_sample() -> None:
    assert outer_namespace(parse_symbol("_ZN5s00036Spring6energyEv")) == "s0003"
    assert outer_namespace(parse_symbol("_Z3foov")) is None


@pytest.mark.parametrize("name", ["_Z", "_Z3fo", "_ZN5s00033foo", "_ZN5s00033fooEPfS9_", "_Z3fooM1Ai"])
def test_names_that_cannot_be_read_are_an_error(name: str) -> None:
    with pytest.raises(ValueError, match="cannot read the mangled name"):
        parse_symbol(name)

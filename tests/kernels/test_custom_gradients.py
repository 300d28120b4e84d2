"""Gradients that functions of the generator bring along are true derivatives: central differences agree."""

import math
import re

import numpy as np
import pytest

from weft.kernels import emit, generate, tidy
from weft.kernels.builder import Builder
from weft.kernels.idioms.custom_gradient.laws import EQUATIONS, FAMILIES, MODELS
from weft.kernels.policy import Policy
from weft.kernels.rng import Random
from weft.kernels.types import F64

STEP = 1e-6


class Python:
    """As much of Warp as these functions call, in float64."""

    func = staticmethod(lambda function: function)
    func_grad = staticmethod(lambda _: lambda function: function)
    float64 = float
    sqrt, exp, log, tanh, atan, sin, cos, sinh, cosh, erf, abs, pow = (
        staticmethod(one)
        for one in (
            math.sqrt, math.exp, math.log, math.tanh, math.atan, math.sin, math.cos, math.sinh, math.cosh,
            math.erf, abs, pow,
        )
    )  # fmt: skip
    max, min = staticmethod(max), staticmethod(min)
    where = staticmethod(lambda condition, yes, no: yes if condition else no)
    vec2d = vec3d = staticmethod(lambda *components: np.array(components))


def functions_of(make, seed: int):
    """What is made, run as Python, and the definition with the gradient."""
    k = Builder("test", Random("gradients", 1, seed, 0), Policy())
    k.real = F64
    make(k)
    tidy.apply(k)
    text = "\n".join(emit.constant(one) for one in k.constants).replace("wp.constant(", "(")
    text += "\n" + "\n\n\n".join(emit.function(one) for one in k.functions)
    text = re.sub(r"wp\.adjoint\[(\w+)\]", r'adjoint["\1"]', text)
    text = re.sub(r"(?m)^(def .*?)\((.*)\):$", lambda m: f"{m[1]}({re.sub(r': [^,]+', '', m[2])}):", text)
    scope = {"wp": Python, "adjoint": None}
    exec(text, scope)
    return scope, next(one for one in k.functions if one.gradient is not None)


MAKERS = {
    law.name: (
        lambda k, family=family, law=law: family.functions(k, law),
        {family.argument: (family.low, family.high)},
    )
    for family in FAMILIES
    for law in family.laws
}
MAKERS |= {one.name: (one.functions, dict(one.limits)) for one in MODELS}
MAKERS |= {one.name: (one.functions, {"x": (-1.5, 1.5), one.second: one.limits}) for one in EQUATIONS}


def drawn(rng: np.random.Generator, limits: tuple[float, float]) -> float:
    low, high = max(limits[0], -4.0), min(limits[1], 4.0)
    return float(rng.uniform(low + 0.01, high - 0.01))


def adjoints(scope, name: str, values: dict[str, float]) -> dict[str, float]:
    scope["adjoint"] = dict.fromkeys(values, 0.0)
    scope[f"adj_{name}"](**values, adj_ret=1.0)
    return scope["adjoint"]


@pytest.mark.parametrize("maker", MAKERS)
def test_gradient_is_the_derivative(maker: str):
    rng = np.random.default_rng(1)
    make, limits = MAKERS[maker]
    for seed in range(12):
        scope, definition = functions_of(make, seed)
        function = scope[definition.name]
        values = {key: drawn(rng, bounds) for key, bounds in limits.items()}
        found = adjoints(scope, definition.name, values)
        for key, value in values.items():
            high, low = (function(**{**values, key: value + step}) for step in (STEP, -STEP))
            expected = (high - low) / (2.0 * STEP)
            assert found[key] == pytest.approx(expected, rel=1e-4, abs=1e-5), (seed, key)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.argument)
def test_the_slope_that_kernels_call_is_the_one_that_the_gradient_uses(family):
    for law in family.laws:
        scope, definition = functions_of(lambda k, law=law: family.functions(k, law), 3)
        slope = scope[f"{law.name}_slope"](1.25)
        assert adjoints(scope, definition.name, {family.argument: 1.25})[family.argument] == slope


def test_a_wrong_gradient_is_told():
    scope, definition = functions_of(MODELS[0].functions, 0)
    values = {key: sum(limits) / 2 for key, limits in MODELS[0].limits.items()}
    (t, *_) = values
    scope[f"{MODELS[0].name}_slopes"] = lambda *_: np.zeros(3)
    function = scope[definition.name]
    slope = (function(**{**values, t: values[t] + STEP}) - function(**values)) / STEP
    assert adjoints(scope, definition.name, values)[t] != pytest.approx(slope, rel=1e-2)


def test_an_adjoint_has_the_name_of_its_function_alone() -> None:
    """In this shard a workload and a composed kernel define a function of one name, each with an adjoint."""
    names = re.findall(r"^def (\w+)", generate("custom_gradient", 2, 100), re.MULTILINE)
    assert len(names) == len(set(names))

"""Gradients that functions of the generator bring along are true derivatives: central differences agree."""

import math
import re
from functools import partial

import numpy as np
import pytest

from weft.kernels import emit
from weft.kernels.builder import Builder
from weft.kernels.idioms.custom_gradient import derivatives, derivatives_of_vectors
from weft.kernels.idioms.custom_gradient.derivatives import implicit_function
from weft.kernels.intervals import Interval
from weft.kernels.policy import Policy
from weft.kernels.rng import Random
from weft.kernels.types import F64
from weft.types import Vector

STEP = 1e-6


class Python:
    """As much of Warp as these functions call, in float64."""

    func = staticmethod(lambda function: function)
    func_grad = staticmethod(lambda _: lambda function: function)
    float64 = float
    sqrt, exp, log, tanh, atan, sin, cos, abs, pow = (
        staticmethod(one)
        for one in (math.sqrt, math.exp, math.log, math.tanh, math.atan, math.sin, math.cos, abs, pow)
    )
    dot = staticmethod(np.dot)
    max, min = staticmethod(max), staticmethod(min)
    vec2d = vec3d = staticmethod(lambda *components: np.array(components))


def functions_and_gradients(make, seed: int):
    k = Builder("test", Random("gradients", 1, seed, 0), Policy())
    k.real = F64
    made = make(k)
    definition = k.functions[-1]
    text = "\n\n\n".join(emit.function(one) for one in k.functions)
    text = re.sub(r"wp\.adjoint\[(\w+)\]", r'adjoint["\1"]', text)
    text = re.sub(r"(?m)^(def .*?)\((.*)\):$", lambda m: f"{m[1]}({re.sub(r': [^,]+', '', m[2])}):", text)
    scope = {"wp": Python, "adjoint": None}
    exec(text, scope)
    return made, scope, definition.name


def drawn(rng: np.random.Generator, of, limits):
    low, high = limits.lo + 0.05, limits.hi - 0.05
    return rng.uniform(low, high, of.length) if isinstance(of, Vector) else rng.uniform(low, high)


ALL, POSITIVE = Interval(-2.0, 2.0), Interval(0.1, 3.0)
MAKERS = {one.__name__: partial(one, x_range=ALL) for one in derivatives.SIGNED}
MAKERS |= {f"{one.__name__} of positives": partial(one, x_range=POSITIVE) for one in derivatives.POSITIVE}
MAKERS |= {one.__name__: one for one in (*derivatives_of_vectors.PAIRS, *derivatives_of_vectors.MAPS)}
MAKERS["implicit"] = implicit_function


@pytest.mark.parametrize("maker", MAKERS)
def test_gradient_is_the_derivative(maker: str):
    rng = np.random.default_rng(1)
    for seed in range(12):
        made, scope, name = functions_and_gradients(MAKERS[maker], seed)
        function = scope[name]
        values = {key: drawn(rng, of, limits) for key, (of, limits) in made.parameters.items()}
        result = np.atleast_1d(function(**values))
        seed_of_adjoint = rng.uniform(-1.0, 1.0, result.shape)
        scope["adjoint"] = {key: np.zeros_like(one) for key, one in values.items()}
        scope[f"adj_{name}"](**values, adj_ret=seed_of_adjoint if result.size > 1 else seed_of_adjoint[0])
        for key, value in values.items():
            for at in np.ndindex(np.shape(value)):
                above, below = np.array(value), np.array(value)
                above[at] += STEP
                below[at] -= STEP
                high, low = (np.atleast_1d(function(**{**values, key: one})) for one in (above, below))
                expected = np.dot(seed_of_adjoint, (high - low) / (2.0 * STEP))
                assert scope["adjoint"][key][at] == pytest.approx(expected, rel=1e-5, abs=1e-6), (seed, key)


def test_a_wrong_gradient_is_told():
    made, scope, name = functions_and_gradients(derivatives_of_vectors.PAIRS[0], 0)
    wrong = made.parameters["rest"][1].lo
    point = np.zeros(next(iter(made.parameters.values()))[0].length)
    scope["adjoint"] = dict.fromkeys(made.parameters, 0.0)
    scope[f"adj_{name}"](point + 0.5, point, wrong, adj_ret=2.0)
    twice = scope["adjoint"]["rest"]
    slope = (scope[name](point + 0.5, point, wrong + STEP) - scope[name](point + 0.5, point, wrong)) / STEP
    assert twice != pytest.approx(slope, rel=1e-2)

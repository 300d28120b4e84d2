"""What becomes of a product's elements before they are stored: formulas of units, as one function."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.composition import Composition
from weft.kernels.domains import neural
from weft.kernels.domains.neural import unit
from weft.kernels.formulas import Argument, Formula, Quantity, Setting
from weft.kernels.program import Constant, Expr, Literal, Name, Redraw, Undefined
from weft.kernels.telling import sentence_of, the
from weft.kernels.words import lowered

PRODUCTS = (neural.up_projection, neural.projection, neural.upstream_gradient, neural.pre_activation)
"""What a product of matrices may be to a layer: the first of these that a formula takes."""
GATES = (neural.gate_projection, neural.gate)
"""What a second product may be."""
_RESULTS = (
    neural.pre_activation,
    neural.activation,
    neural.layer_output,
    neural.input_gradient,
    neural.quantized_output,
    neural.dequantized_output,
)
GOALS = tuple(one for one in unit.formulas if one.result in _RESULTS and one.name != "dequantized_level")
CHAINED = {"short": 0.4, "medium": 0.6, "long": 0.8, "longest": 0.9}


@dataclasses.dataclass(slots=True)
class Plan:
    """A formula, and formulas for some of what it takes."""

    formula: Formula
    makes: dict[str, Plan]

    def leaves(self) -> dict[str, Argument]:
        """What is taken from outside, by name."""
        found: dict[str, Argument] = {}
        for one in self.formula.arguments:
            found |= self.makes[one.name].leaves() if one.name in self.makes else {one.name: one}
        return found

    def products(self) -> list[str]:
        """Which leaves are products of matrices: one, or two where a gate is computed beside."""
        leaves = self.leaves()
        first = [name for kind in PRODUCTS for name, one in leaves.items() if one.of is kind][:1]
        if not first:
            raise Redraw("nothing that the formula takes is a product")
        gates = [name for name, one in leaves.items() if one.of in GATES]
        return first + gates if leaves[first[0]].of is neural.up_projection else first

    def value(self, b: Builder, given: Mapping[str, Expr]) -> Expr:
        """The formula's value in a function whose parameters are given."""
        values: dict[str, Expr] = {}
        for one in self.formula.arguments:
            values[one.name] = given[one.name] if one.name in given else self._made(b, one.name, given)
        return self.formula.function(b, **values)

    def _made(self, b: Builder, name: str, given: Mapping[str, Expr]) -> Expr:
        value = self.makes[name].value(b, given)
        if not isinstance(value, Name):
            return b.let(name, value)
        if value.mutable:
            b.rename(value, name)
            b.settle(value)
        return value

    @property
    def said(self) -> str:
        """What is done to each unit, as a clause."""
        title = lowered(self.formula.title)
        return title if self.formula.is_order else f"apply {title}"

    def steps(self) -> str:
        """What the formula is computed from, at the end of a sentence."""
        told = [the(lowered(one.formula.title)) for one in self.makes.values() if one.formula.goal]
        return f", using {' and '.join(told[:2])}" if told else ""


def planned(k: Builder, goal: Formula | None = None, depth: int = 0) -> Plan:
    """A goal, and formulas for what it takes, as deep as the kernel's length allows."""
    plan = Plan(goal or k.rng.pick(*GOALS), {})
    k.formulas.append(plan.formula.full_name)
    for one in plan.formula.arguments:
        fitting = unit.giving(one.of) if isinstance(one.of, Quantity) and depth < 3 else ()
        if fitting and k.rng.chance(CHAINED[k.policy.length]):
            plan.makes[one.name] = planned(k, k.rng.pick(*fitting), depth + 1)
    return plan


def fused(k: Builder, plan: Plan, given: Mapping[str, Expr], read: Callable[[str, Quantity], Expr]) -> Expr:
    """The goal's tile, made of the products by one function.

    `read` loads the tile of a further quantity: of the same shape, or a number for each column.
    """
    made = Composition(k, unit)
    operands, fixed = dict(given), dict[str, Expr]()
    for name, one in plan.leaves().items():
        if isinstance(one.of, Setting):
            value = made.supply(one, 0, False)
            assert isinstance(value, Expr)
            (fixed if isinstance(value, Literal | Constant) else operands)[name] = value
        elif name not in operands:
            operands[name] = read(name, one.of)
    goal = plan.formula

    def body(b: Builder, *values: Expr) -> Expr:
        return plan.value(b, dict(zip(operands, values, strict=True)) | fixed)

    try:
        return tiles.applied(k, goal.name, f"{sentence_of(goal)}.", operands, body)
    except Undefined as error:
        raise Redraw(str(error)) from error

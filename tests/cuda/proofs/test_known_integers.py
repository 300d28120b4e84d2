"""What the analyzer says of random integer programs holds wherever an int32 interpreter gets to."""

from __future__ import annotations

import copy
import dataclasses
import random

import pytest
from int32 import EndOfRunError, Run
from random_integers import Case, random_case

from weft.cuda.analysis.analyzer import Analyzer, is_integer
from weft.cuda.analysis.integers import IntegerFlow
from weft.cuda.analysis.intervals import UNKNOWN, Interval, Number
from weft.cuda.analysis.linear import Linear, linear
from weft.cuda.analysis.state import State
from weft.cuda.launch_assumptions import size_limits
from weft.cuda.traverse import expressions, walk
from weft.cuda.tree import INT, Expression, Name, Statement

INPUTS = 4
PAIRS = 2
SAMPLED = 250


class Known(IntegerFlow):
    """All that is known: the intervals of expressions, and where statements begin those of variables, linear
    forms that are not negative, and how far apart some variables are at least.
    """

    def __init__(self, case: Case, base: int, draw: random.Random) -> None:
        super().__init__(Analyzer(case.launch, case.kernel, {"y"}, base), case.launch, case.kernel)
        self.draw = draw
        self.values: dict[int, Interval] = {}
        self.variables: dict[int, dict[str, Interval]] = {}
        self.forms: dict[int, list[tuple[Linear, Number]]] = {}

    def visit(self, statement: Statement, state: State) -> None:
        assert id(statement) not in self.forms, "a statement is looked at twice"
        for root in expressions(statement):
            for node in walk(root):
                if is_integer(node):
                    self.values[id(node)] = self.analyzer.interval(node, state)
        variables = {name: found for name, found in state.intervals.items() if name.isidentifier()}
        self.variables[id(statement)] = variables
        self.forms[id(statement)] = [(fact, 0) for fact in state.facts]
        for _ in range(PAIRS if len(variables) > 1 else 0):
            one, other = self.draw.sample(sorted(variables), 2)
            difference = linear(Name(INT, one)) - linear(Name(INT, other))
            self.forms[id(statement)].append((difference, self.analyzer.least(difference, state, 0)))


@dataclasses.dataclass
class CheckedRun(Run):
    """A run that compares what is so with what is known."""

    known: Known = dataclasses.field(kw_only=True)

    def _statement(self, statement: Statement) -> None:
        for name, (low, high) in self.known.variables.get(id(statement), {}).items():
            if name in self.names:
                assert low <= self.names[name] <= high, (name, self.names[name], low, high)
        for form, least in self.known.forms.get(id(statement), []):
            value = self._form(form)
            assert value is None or value >= least, (form.key, value, least)
        super()._statement(statement)

    def value(self, expression: Expression) -> int:
        found = super().value(expression)
        low, high = self.known.values.get(id(expression), UNKNOWN)
        assert low <= found <= high, (expression, found, low, high)
        return found

    def _form(self, form: Linear) -> int | None:
        """The value of a linear form; None where it divides by zero, or speaks of what is not yet set."""
        aside = Run(self.names, self.arrays, self.thread)
        try:
            return form.constant + sum(factor * aside.value(atom) for factor, atom in form.terms.values())
        except (EndOfRunError, KeyError):
            return None


def check(seed: int) -> int:
    """Run a program under what is known of it. Returns how much that is."""
    case = random_case(seed)
    draw = random.Random(seed)
    limits = size_limits(case.launch)[0]
    known = Known(case, limits, draw)
    known.run([])
    for _ in range(INPUTS):
        values, arrays, thread = case.inputs(draw, limits.base)
        values["size:n"] = values["n"]
        CheckedRun(values, copy.deepcopy(arrays), thread, known=known).execute(case.kernel)
    return sum(len(forms) for forms in known.forms.values())


def test_what_is_known_of_random_programs_holds() -> None:
    known = sum(check(seed) for seed in range(SAMPLED))
    assert known > 10 * SAMPLED, "what nothing is known of is not tested"


@pytest.mark.full
def test_what_is_known_of_many_random_programs_holds() -> None:
    for seed in range(SAMPLED, 10_000):
        check(seed)

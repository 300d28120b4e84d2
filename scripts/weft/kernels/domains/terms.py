"""Formulas whose parameters are what a domain knows by name: a line or two of a table each."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.composition import array_name
from weft.kernels.domains.cells import define
from weft.kernels.expressions import bounded
from weft.kernels.formulas import Domain, Kind, Quantity, Setting, number, whole
from weft.kernels.program import Expr

MOST = 1e9
"""What may be negative, or is no share, has this magnitude at most if nothing else is said."""


@dataclasses.dataclass(frozen=True, eq=False)
class Terms:
    """The quantities and settings of a domain by the names that parameters of its formulas have."""

    domain: Domain
    names: dict[str, Any] = dataclasses.field(default_factory=dict)
    known: dict[str, Quantity] = dataclasses.field(default_factory=dict)

    def __getitem__(self, name: str) -> Quantity:
        """A quantity by its name."""
        return self.known[name]

    def know(self, *several: Quantity) -> None:
        """Let formulas take these: the element's own value, and under its plural the array of all."""
        for one in several:
            self.known[one.name] = one
            self.names[one.name] = Annotated[Expr, one]
            self.names[array_name(one.name, one)] = Annotated[ArrayHandle, one]

    def quantity(self, name: str, low: float, high: float, kind: Kind = number, **more: Any) -> Quantity:
        """A new quantity that formulas may take and give."""
        wide = {"least": -MOST} if low < 0.0 else {}
        wide |= {"most": MOST} if (low, high) != (0.0, 1.0) else {}
        made = Quantity(name, low, high, kind, **(wide | more))
        self.know(made)
        return made

    def quantities(self, kind: Kind = number, **given: Any) -> None:
        """New quantities of a kind by their ranges; whatever else is given holds for all of them."""
        common = {name: one for name, one in given.items() if not isinstance(one, tuple)}
        for name, one in given.items():
            if isinstance(one, tuple):
                low, high = one
                self.quantity(name, low, high, kind, **common)

    def settings(self, **ranges: tuple[float, float]) -> None:
        """Numbers that shape computations; those in a range of whole numbers are ints."""
        for name, (low, high) in ranges.items():
            kind = whole if isinstance(low, int) else number
            self.names[name] = Annotated[
                Expr, Setting(low, high, "p" if name in ("dt", "time") else "lp", kind)
            ]

    def table(self, *rows: tuple[Any, ...]) -> None:
        """Add formulas: each row has what `add` takes, and perhaps a dictionary of its options."""
        for name, result, title, function, *options in rows:
            self.add(name, result, title, function, **(options[0] if options else {}))

    def add(
        self,
        name: str,
        result: str,
        title: str,
        function: Callable[..., Expr],
        *,
        source: str = "",
        goal: bool = True,
        within: tuple[float, float] | None = None,
        takes: Sequence[str] = (),
        teaches: tuple[str, ...] = (),
        law: str = "",
    ) -> None:
        """Add a formula for a result, which its author has proved to lie within some bounds.

        The function takes the builder first if its first parameter is `k`; `takes` names its other parameters
        where its signature does not.
        """
        parameters = inspect.signature(function).parameters
        first, *_ = parameters
        free = [name for name, one in parameters.items() if one.default is one.empty]
        takes = takes or [name for name in free if name != "k"]

        def formula(k: Builder, **given: Expr | ArrayHandle) -> Expr:
            value = function(k, **given) if first == "k" else function(**given)
            return value if within is None else bounded(value, *within)

        formula.__module__ = function.__module__
        of = self.known[result]
        define(
            self.domain,
            name,
            f"{title}.",
            formula,
            Annotated[Expr, of],
            {one: self.names[one] for one in takes},
            source=source,
            goal=goal,
            teaches=teaches,
            law=law,
        )

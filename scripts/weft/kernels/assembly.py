"""Programs that step a mesh: its elements add forces to the nodes that they join, then the nodes move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from weft.kernels import launches
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.composition import Composition, array_name, elements, kernel_names
from weft.kernels.domains.joined import node_count
from weft.kernels.endings import add_to_nodes
from weft.kernels.formulas import Domain, Formula, Quantity
from weft.kernels.launched import Repeated, Zeroed
from weft.kernels.launches import Part
from weft.kernels.program import Parameter
from weft.kernels.statements import every_statement, names_in
from weft.kernels.telling import begun, followed, models, sentence_of
from weft.kernels.types import F32
from weft.kernels.words import plural


def stepped(
    mesh: Domain,
    force: Quantity,
    nodes: Domain,
    net_force: Quantity,
    path: Sequence[Quantity],
    fixed: Quantity,
) -> Callable[[Builder], None]:
    """An idiom: time steps in which forces are added to nodes, and `path` leads from there to new states.

    Each of the path comes from a formula of the nodes that takes the one before it. `fixed` stays as it is.
    """
    moving = _moving(mesh)

    def time_steps(k: Builder) -> None:
        k.dimension, k.real = k.rng.pick(2, 3, 3), F32
        count = node_count(k)
        goal = k.rng.pick(*mesh.giving(force))
        way = _way(k, nodes, [fixed, *(one.updates for one in path if one.updates), net_force], path)
        last = way[-1]
        laws: list[str] = []
        told: list[str] = []
        moved = [one.updates for one in path if one.updates is not None]
        state = {
            array_name(one.name, one): launches.shared(
                k, array_name(one.name, one), one.kind(k), [count], uniform(one.low, one.high), "inout"
            )
            for one in moved
        }
        sums = array_name(net_force.name, net_force)
        total = launches.shared(k, sums, net_force.kind(k), [count], None, "out")

        def scatter(part: Part) -> None:
            b = part.k
            b.inputs = {name: part.use(name, one, "in", _wider(one)) for name, one in state.items()}
            made = Composition(b, mesh, moving=moving)
            elements(b, mesh, goal.ranks)
            value = made.named(goal.result.name, made.evaluate(goal))
            add_to_nodes(b, mesh, goal, value, lambda *_: part.use(sums, total, "inout"))
            laws.append(max(made.used, key=lambda one: len(one.law)).name)
            told.append(followed(models(made.told), goal, sentence_of(goal)))
            made.describe()
            _drop_unused(part)

        def advance(part: Part) -> None:
            b = part.k
            b.inputs = {name: part.use(name, one, "inout", _wider(one)) for name, one in state.items()}
            b.inputs[sums] = part.use(sums, total, "in", uniform(*net_force.limits))
            made = Composition(b, nodes)
            elements(b, nodes, (1,), size=count)
            for one in way:
                name = one.result.name
                made.values[name] = made.named(name, made.evaluate(one, int(one is not last)))
            made.used.reverse()
            for one in way:
                if one.result.updates is not None:
                    old = array_name(one.result.updates.name, one.result.updates)
                    b.store(b.inputs[old], b.target, made.values[one.result.name])
            made.describe()
            _drop_unused(part)

        to_nodes = (
            f"add_{plural(force.name)}",
            f"scatter_{goal.name}",
            f"{goal.name}_to_{plural(mesh.node)}",
        )
        first = launches.kernel(k, k.rng.pick(*to_nodes), scatter)
        second = launches.kernel(k, kernel_names(k, nodes, last)[0], advance)
        k.equality = "bounded"
        times = k.rng.pick(2, 3, 4)
        (law,), (forces,) = laws, told
        k.name, *k.other_names = k.rng.shuffled([f"step_{law}", f"{law}_steps", f"{law}_time_steps"])
        launches.finish(
            k,
            f"Take {times} time steps. In each, {begun(forces).replace(', then ', ', ')}, "
            f"then {begun(sentence_of(last))}",
            Repeated(times, [Zeroed(total.name), first(), second()]),
        )

    return time_steps


def _way(k: Builder, nodes: Domain, known: list[Quantity], path: Sequence[Quantity]) -> list[Formula]:
    """A formula for each of the path: it takes the one before, and nothing that is not known by then."""
    way = []
    for to in path:
        fitting = []
        for one in nodes.giving(to):
            takes = [each.of for each in one.arguments if isinstance(each.of, Quantity)]
            whole = any(each.array for each in one.arguments)
            if known[-1] in takes and set(takes) <= set(known) and not whole:
                fitting.append(one)
        way.append(k.rng.pick(*fitting))
        known.append(to)
    return way


def _moving(mesh: Domain) -> frozenset[Quantity]:
    """The quantities of elements that formulas give from what is read at nodes."""
    found: set[Quantity] = set()
    for _ in mesh.formulas:
        for one in mesh.formulas:
            takes = [each.of for each in one.arguments if isinstance(each.of, Quantity)]
            if not one.is_pure or any(of.load is not None or of in found for of in takes):
                found.add(one.result)
    return frozenset(found)


def _wider(state: Parameter) -> dict[str, Any]:
    """Bounds of a state that has moved for some steps."""
    assert state.values is not None
    low, high = state.values["uniform"]
    return uniform(4.0 * low, 4.0 * high)


def _drop_unused(part: Part) -> None:
    """Take out the arrays of the program that the kernel does not need after all."""
    names = {name for statement in every_statement(part.k.body) for name in names_in(statement)}
    part.k.parameters = [one for one in part.k.parameters if one.name in names or one.name not in part.given]
    part.given = {name: one for name, one in part.given.items() if name in names}

"""Nodes of a mesh: motion, sparse systems, heat."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from weft.kernels.arrays import ArrayHandle
from weft.kernels.assembly import stepped
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.domains.elements import conductor, element, temperature, warm
from weft.kernels.domains.elements import term as solid
from weft.kernels.domains.motion import mass, position, upwards, velocity
from weft.kernels.domains.terms import Terms
from weft.kernels.expressions import ops
from weft.kernels.formulas import Domain, space
from weft.kernels.program import Expr
from weft.kernels.types import I32

node = Domain("node", index=("i", "node"))
term = Terms(node)
term.know(position, velocity, mass, temperature)
term.quantity("net_force", -5.0, 5.0, space, least=-1e4, most=1e4)
term.quantity("residual", -3.0, 3.0, space, derived=True)
term.quantity("off_diagonal_sum", -2.0, 2.0, told="off-diagonal sum")
term.quantity("defect", -2.0, 2.0, extremal=True, signed=True)
term.quantity("net_flow", -2.0, 2.0, least=-1e4, most=1e4)
term.quantity("new_velocity", -3.0, 3.0, space, derived=True, updates=velocity)
term.quantity("new_position", -2.0, 2.0, space, updates=position)
term.quantity("new_temperature", 0.0, 2.0, least=-1e9, updates=temperature)
term.quantities(space, internal_force=(-5.0, 5.0), external_force=(-5.0, 5.0), acceleration=(-9.0, 9.0))
term.quantities(square_residual=(0.0, 20.0), kinetic_energy=(0.0, 4.0), additive=True)
term.quantities(
    solution=(-1.0, 1.0), right_side=(-1.0, 1.0), diagonal=(2.0, 6.0),
    search_direction=(-1.0, 1.0), capacity=(0.2, 2.0),
)  # fmt: skip
term.quantity("new_search_direction", -2.0, 2.0, updates=term["search_direction"])
term.quantity("new_solution", -2.0, 2.0, updates=term["solution"])
term.settings(
    dt=(0.001, 0.05), gravity=(5.0, 10.0), damping=(0.1, 1.0), relaxation=(0.4, 1.0),
    conjugate_factor=(0.1, 0.9), step_length=(0.05, 0.5),
)  # fmt: skip


def _each_entry(k: Builder, visit: Callable[[Expr, Expr], None]) -> None:
    """Visit the column and the value of each entry of the thread's row of a sparse matrix."""
    (i,) = k.index
    k.sizes["max_entries"] = k.once("entries", lambda: k.rng.pick("6", "8", "12"))
    layout = k.once("layout of rows", lambda: k.rng.pick("padded", "counted", "columns first"))
    shape = ["max_entries", "n"] if layout == "columns first" else ["n", "max_entries"]
    columns = k.input("columns", I32, shape, {"integers": [0 if layout == "counted" else -1, "n"]})
    entries = k.input("entries", k.real, shape, uniform(-0.4, 0.0))
    if layout == "counted":
        last: Expr = k.input("row_lengths", I32, ["n"], {"integers": [0, "max_entries"]})[i]
    else:
        last = k.size("max_entries", "max_entries")
    place_k = "k, i" if layout == "columns first" else "i, k"
    ends = ", one of `row_lengths[i]`" if layout == "counted" else ", and -1 ends a row"
    k.notes.append(f"`entries[{place_k}]` is entry k of row i, in column `columns[{place_k}]`{ends}")
    with k.loop("slot", 0, last) as slot:
        place = (slot, i) if layout == "columns first" else (i, slot)
        j = k.let("j", columns[place])
        if layout != "counted":
            with k.when(j < 0):
                k.jump("break")
        visit(j, entries[place])


def _row_sum(k: Builder, solutions: ArrayHandle) -> Expr:
    total = k.var("total", 0.0)
    _each_entry(k, lambda j, entry: k.add(total, entry * solutions[j]))
    return total


def _conducted(k: Builder, temperature: Expr, temperatures: ArrayHandle) -> Expr:
    total = k.var("flow_sum", 0.0)
    _each_entry(k, lambda j, entry: k.add(total, entry * (temperature - temperatures[j])))
    return total


def _fallen(k: Builder, net_force: Expr, mass: Expr, gravity: Expr) -> Expr:
    return net_force / mass - upwards(k, gravity)


term.table(
    ("force_residual", "residual", "Force residual",
     lambda external_force, internal_force: external_force - internal_force, {"goal": False}),
    ("residual_norm_square", "square_residual", "Squared norm of the residual force",
     lambda residual: ops.dot(residual, residual),
     {"within": (0.0, 1e9)}),
    ("nodal_acceleration", "acceleration", "Acceleration",
     lambda net_force, mass: net_force / mass, {"goal": False}),
    ("falling_acceleration", "acceleration", "Acceleration under net force and weight", _fallen),
    ("residual_acceleration", "acceleration", "Acceleration from the residual force",
     lambda residual, mass: residual / mass),
    ("damped_acceleration", "acceleration",
     "Acceleration with mass-proportional damping. Damping is proportional to the velocity",
     lambda net_force, velocity, mass, damping: net_force / mass - damping * velocity),
    ("central_velocity", "new_velocity", "Central-difference velocity update. "
     "Velocities are half a step ahead of positions",
     lambda velocity, acceleration, dt: velocity + dt * acceleration, {"source": "Belytschko et al. 2014"}),
    ("relaxed_velocity", "new_velocity", "Dynamic relaxation velocity update. "
     "Damping is proportional to the mean of the old and the new velocity",
     lambda velocity, acceleration, damping, dt: (
         ((1.0 - 0.5 * damping * dt) * velocity + dt * acceleration) / (1.0 + 0.5 * damping * dt)
     ), {"source": "Underwood 1983"}),
    ("carried_position", "new_position", "Symplectic Euler position update. "
     "It uses the new velocity",
     lambda position, new_velocity, dt: position + dt * new_velocity),
    ("viscous_velocity", "new_velocity", "Velocity update with implicit drag. "
     "Dividing by 1 + damping dt is stable for any time step",
     lambda velocity, acceleration, damping, dt: (velocity + dt * acceleration) / (1.0 + damping * dt)),
    ("averaged_position", "new_position", "Trapezoidal position update. "
     "Positions move with the mean of the old and the new velocity",
     lambda position, velocity, new_velocity, dt: position + 0.5 * dt * (velocity + new_velocity)),
    ("nodal_kinetic_energy", "kinetic_energy", "Nodal kinetic energy. "
     "It is half the mass times the squared speed",
     lambda mass, velocity: 0.5 * mass * ops.dot(velocity, velocity), {"within": (0.0, 1e6)}),
    ("sparse_row_sum", "off_diagonal_sum", "Off-diagonal row sum of a sparse system", _row_sum),
    ("system_defect", "defect", "Residual of a sparse system. "
     "It is b - Ax, with the diagonal apart from the other entries",
     lambda right_side, diagonal, solution, off_diagonal_sum: (
         right_side - diagonal * solution - off_diagonal_sum
     )),
    ("jacobi_solution", "new_solution", "Jacobi update. All unknowns are updated at once from the old ones",
     lambda right_side, diagonal, off_diagonal_sum: (right_side - off_diagonal_sum) / diagonal),
    ("damped_jacobi_solution", "new_solution", "Damped Jacobi update",
     lambda solution, defect, diagonal, relaxation: solution + relaxation * defect / diagonal),
    ("conjugate_direction", "new_search_direction", "Conjugate gradient direction update. "
     "The residual is divided by the diagonal first",
     lambda defect, diagonal, search_direction, conjugate_factor: (
         defect / diagonal + conjugate_factor * search_direction
     ), {"source": "Hestenes and Stiefel 1952"}),
    ("descended_solution", "new_solution", "Line step along the search direction",
     lambda solution, search_direction, step_length: solution + step_length * search_direction),
    ("conducted_flow", "net_flow", "Net heat flow into a node", _conducted),
    ("explicit_temperature", "new_temperature", "Explicit temperature step of a heat network. "
     "It is stable if dt is small against capacity over conductance",
     lambda temperature, net_flow, capacity, dt: temperature + dt * net_flow / capacity),
)  # fmt: skip

large = dataclasses.replace(element, formulas=[one for one in element.formulas if one.law != "linear"])
"""Elements whose strains need not be small."""
solid_steps = stepped(
    large, solid["nodal_forces"], node, term["net_force"],
    (term["acceleration"], term["new_velocity"], term["new_position"]), mass,
)  # fmt: skip
heat_steps = stepped(
    conductor, warm["nodal_flows"], node, term["net_flow"], (term["new_temperature"],), term["capacity"]
)

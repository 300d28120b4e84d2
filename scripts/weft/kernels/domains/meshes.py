"""Nodes of a mesh, and beams: motion, sparse systems, heat, deflection."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable

from weft.kernels.arrays import ArrayHandle
from weft.kernels.assembly import stepped
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.constants import PI, PI_SQUARED, Known
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
    ("damped_acceleration", "acceleration", "Acceleration with mass-proportional damping",
     lambda net_force, velocity, mass, damping: net_force / mass - damping * velocity),
    ("central_velocity", "new_velocity", "Central-difference velocity update",
     lambda velocity, acceleration, dt: velocity + dt * acceleration, {"source": "Belytschko et al. 2014"}),
    ("relaxed_velocity", "new_velocity", "Dynamic relaxation velocity update",
     lambda velocity, acceleration, damping, dt: (
         ((1.0 - 0.5 * damping * dt) * velocity + dt * acceleration) / (1.0 + 0.5 * damping * dt)
     ), {"source": "Underwood 1983"}),
    ("carried_position", "new_position", "Symplectic Euler position update",
     lambda position, new_velocity, dt: position + dt * new_velocity),
    ("viscous_velocity", "new_velocity", "Velocity update with implicit drag",
     lambda velocity, acceleration, damping, dt: (velocity + dt * acceleration) / (1.0 + damping * dt)),
    ("averaged_position", "new_position", "Trapezoidal position update",
     lambda position, velocity, new_velocity, dt: position + 0.5 * dt * (velocity + new_velocity)),
    ("nodal_kinetic_energy", "kinetic_energy", "Nodal kinetic energy",
     lambda mass, velocity: 0.5 * mass * ops.dot(velocity, velocity), {"within": (0.0, 1e6)}),
    ("sparse_row_sum", "off_diagonal_sum", "Off-diagonal row sum of a sparse system", _row_sum),
    ("system_defect", "defect", "Residual of a sparse system",
     lambda right_side, diagonal, solution, off_diagonal_sum: (
         right_side - diagonal * solution - off_diagonal_sum
     )),
    ("jacobi_solution", "new_solution", "Jacobi update",
     lambda right_side, diagonal, off_diagonal_sum: (right_side - off_diagonal_sum) / diagonal),
    ("damped_jacobi_solution", "new_solution", "Damped Jacobi update",
     lambda solution, defect, diagonal, relaxation: solution + relaxation * defect / diagonal),
    ("conjugate_direction", "new_search_direction", "Conjugate gradient direction update",
     lambda defect, diagonal, search_direction, conjugate_factor: (
         defect / diagonal + conjugate_factor * search_direction
     ), {"source": "Hestenes and Stiefel 1952"}),
    ("descended_solution", "new_solution", "Line step along the search direction",
     lambda solution, search_direction, step_length: solution + step_length * search_direction),
    ("conducted_flow", "net_flow", "Net heat flow into a node", _conducted),
    ("explicit_temperature", "new_temperature", "Explicit temperature step of a heat network",
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

CANTILEVER_MODE = Known("CANTILEVER_MODE", 3.5160153)
"""The square of the first root of cos x cosh x = -1."""

beam = Domain("beam", index=("i", "beam"))
bar = Terms(beam)
bar.quantities(
    length=(0.5, 3.0), station=(0.0, 1.0), first_deflection=(-0.5, 0.5), last_deflection=(-0.5, 0.5),
    first_slope=(-0.5, 0.5), last_slope=(-0.5, 0.5), width=(0.3, 0.9), height=(0.3, 0.9),
    section_area=(0.02, 0.3), slope=(-1.0, 1.0), curvature=(-3.0, 3.0),
)  # fmt: skip
bar.quantity("radius", 0.2, 0.5, plural="radii")
bar.quantity("second_moment", 0.001, 0.05, told="second moment of area")
bar.quantity("bending_stiffness", 0.02, 2.0, least=1e-9)
bar.quantities(deflection=(-0.6, 0.6), fiber_stress=(-9.0, 9.0), extremal=True, signed=True)
bar.quantities(buckling_load=(0.1, 9.0), natural_frequency=(0.5, 30.0), least=0.0)
bar.quantity("end_force", -2.0, 2.0)
bar.quantities(bending_moment=(-2.0, 2.0), shear_force=(-2.0, 2.0), extremal=True, signed=True)
bar.settings(
    youngs_modulus=(1.0, 9.0), line_load=(0.1, 2.0), tip_load=(0.1, 2.0),
    end_factor=(0.5, 2.0), line_density=(0.2, 2.0),
)  # fmt: skip

HERMITE = (
    ("deflection", lambda s, length: (
        (1.0 - 3.0 * s * s + 2.0 * s * s * s, length * s * (1.0 - s) * (1.0 - s)),
        (s * s * (3.0 - 2.0 * s), length * s * s * (s - 1.0)),
    )),
    ("slope", lambda s, length: (
        (6.0 * s * (s - 1.0) / length, (1.0 - s) * (1.0 - 3.0 * s)),
        (6.0 * s * (1.0 - s) / length, s * (3.0 * s - 2.0)),
    )),
    ("curvature", lambda s, length: (
        ((12.0 * s - 6.0) / (length * length), (6.0 * s - 4.0) / length),
        ((6.0 - 12.0 * s) / (length * length), (6.0 * s - 2.0) / length),
    )),
)  # fmt: skip


def _shaped(shapes: Callable[..., tuple[tuple[Expr, Expr], tuple[Expr, Expr]]]) -> Callable[..., Expr]:
    """What the cubic shape functions give between both ends of a beam."""

    def value(
        k: Builder, station: Expr, length: Expr, first_deflection: Expr, first_slope: Expr,
        last_deflection: Expr, last_slope: Expr,
    ) -> Expr:  # fmt: skip
        ends = zip(("h1", "h2", "h3", "h4"), itertools.chain(*shapes(station, length)), strict=True)
        h1, h2, h3, h4 = (k.let(name, shape) for name, shape in ends)
        return h1 * first_deflection + h2 * first_slope + h3 * last_deflection + h4 * last_slope

    return value


for _name, _shapes in HERMITE:
    bar.add(
        f"hermite_{_name}",
        _name,
        f"{_name.capitalize()} of a Hermite beam element",
        _shaped(_shapes),
        within=(-1e4, 1e4),
    )


bar.table(
    ("rectangle_area", "section_area", "Area of a rectangular section", lambda width, height: width * height,
     {"law": "rectangle"}),
    ("disk_area", "section_area", "Area of a circular section", lambda radius: PI * radius * radius,
     {"law": "disk"}),
    ("rectangle_moment", "second_moment", "Second moment of area of a rectangular section",
     lambda width, height: width * height * height * height / 12.0, {"law": "rectangle"}),
    ("disk_moment", "second_moment", "Second moment of area of a circular section",
     lambda radius: PI * (radius * radius * radius * radius) / 4.0, {"law": "disk"}),
    ("section_stiffness", "bending_stiffness", "Bending stiffness EI",
     lambda second_moment, youngs_modulus: youngs_modulus * second_moment),
    ("cantilever_deflection", "deflection", "Tip deflection of a cantilever",
     lambda length, bending_stiffness, tip_load: (
         tip_load * length * length * length / (3.0 * bending_stiffness)
     ), {"within": (0.0, 1e4)}),
    ("midspan_deflection", "deflection", "Midspan deflection of a simply supported beam",
     lambda length, bending_stiffness, line_load: (
         5.0 * line_load * length * length * length * length / (384.0 * bending_stiffness)
     ), {"within": (0.0, 1e4)}),
    ("curvature_moment", "bending_moment", "Bending moment of a beam",
     lambda bending_stiffness, curvature: bending_stiffness * curvature),
    ("supported_moment", "bending_moment", "Bending moment of a simply supported beam",
     lambda station, length, line_load: 0.5 * line_load * length * length * station * (1.0 - station)),
    ("supported_shear", "shear_force", "Shear force of a simply supported beam",
     lambda station, length, line_load: line_load * length * (0.5 - station)),
    ("outer_fiber_stress", "fiber_stress", "Bending stress at the outer fiber",
     lambda bending_moment, height, second_moment: (
         0.5 * bending_moment * height / second_moment
     ), {"law": "rectangle"}),
    ("euler_buckling_load", "buckling_load", "Euler buckling load",
     lambda bending_stiffness, length, end_factor: (
         PI_SQUARED * bending_stiffness / ((reach := end_factor * length) * reach)
     ), {"source": "Euler 1744"}),
    ("cantilever_frequency", "natural_frequency", "First natural frequency of a cantilever",
     lambda bending_stiffness, length, line_density: (
         CANTILEVER_MODE / (length * length) * ops.sqrt(bending_stiffness / line_density)
     )),
    ("stiffness_row_force", "end_force", "End force of a beam element",
     lambda bending_stiffness, length, first_deflection, first_slope, last_deflection, last_slope: (
         bending_stiffness / (length * length * length) * (12.0 * (first_deflection - last_deflection) + 6.0
         * length * (first_slope + last_slope))
     )),
)  # fmt: skip

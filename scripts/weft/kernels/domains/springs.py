"""Networks of springs: springs between two particles, particles that springs hold, hinges of cloth."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.assembly import stepped
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.domains.along import slots
from weft.kernels.domains.joined import Joins, at_node, read
from weft.kernels.domains.motion import (
    acceleration,
    mass,
    motion,
    new_position,
    new_velocity,
    position,
    upwards,
    velocity,
    zero,
)
from weft.kernels.domains.terms import Terms
from weft.kernels.expressions import bounded, conditional, identity, lift, ops
from weft.kernels.formulas import Domain, Quantity, Scatter, space, square_matrix, vector
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.kernels.words import lowered
from weft.types import Matrix

ends = Joins("spring_ends", ("a", "b"))
inverse_mass = Quantity("inverse_mass", 0.5, 2.0, plural="inverse_masses")


def _weighted(k: Builder, value: Expr, count: int) -> list[Expr]:
    """Shares in proportion to the inverse masses of both ends, in opposite directions."""
    w_a, w_b = (read(k, name, slot, inverse_mass, ends) for slot, name in enumerate(("w_a", "w_b")))
    return [-w_a * value, w_b * value]


OPPOSITE = Scatter(
    "The {words} is added to the first particle and subtracted from the second by atomics",
    lambda k, value, count: [value, -value],
)
WEIGHTED = Scatter("Each end gets its share of the {words} by atomic additions", _weighted)

spring = Domain("spring", index=("i", "s", "spring"), nodes=ends, node="particle")
term = Terms(spring)
for _slot, _end in enumerate("ab"):
    for _letter, _of in (("x", position), ("v", velocity), ("w", inverse_mass), ("m", mass)):
        term.know(at_node(f"{_letter}_{_end}", _slot, _of, ends))
term.quantity("offset", -2.0, 2.0, space, computed=True)
term.quantity("length", 0.3, 2.0, computed=True, extremal=True, least=0.0)
term.quantity("direction", -0.7, 0.7, space, computed=True, least=-1.0, most=1.0)
term.quantity("spring_force", -8.0, 8.0, space, scatter=OPPOSITE)
term.quantity("stored_energy", 0.0, 4.0, additive=True, least=-1.0)
term.quantity("dissipated_power", 0.0, 4.0, additive=True, least=-1e9)
term.quantity("force_jacobian", -8.0, 8.0, square_matrix, told="force Jacobian")
term.quantity("multiplier_change", -0.5, 0.5)
term.quantity("violation", -0.6, 1.2, computed=True, extremal=True)
term.quantity("correction", -0.5, 0.5, space, scatter=WEIGHTED, told="position correction")
term.quantities(
    original_length=(0.4, 1.2), rest_length=(0.4, 1.2), elongation_rate=(-2.0, 2.0),
    damping_tension=(-2.0, 2.0), total_tension=(-5.0, 9.0), multiplier=(-0.3, 0.3), reduced_mass=(0.2, 1.0),
    activation=(0.0, 1.0),
)  # fmt: skip
term.quantities(
    elongation=(-0.6, 1.2), strain=(-0.4, 0.8), tension=(-4.0, 8.0), natural_frequency=(1.0, 6.0),
    extremal=True,
)  # fmt: skip
term.settings(
    stiffness=(1.0, 8.0), shear_modulus=(0.5, 3.0), fiber_stiffness=(1.0, 6.0), exponent=(0.2, 0.6),
    hardening=(0.2, 1.5), max_elongation=(1.5, 2.5), play=(0.05, 0.3), contraction=(0.1, 0.5),
    damping=(0.1, 1.0), viscosity=(0.5, 3.0), strength=(1.5, 4.0), yield_tension=(1.5, 4.0),
    compliance=(0.001, 0.1), relaxation=(0.3, 1.0), dt=(0.001, 0.05),
)  # fmt: skip


def _ratio(k: Builder, elongation: Expr, rest: Expr) -> Expr:
    """The stretch ratio, which stays away from zero."""
    return bounded(k.let("stretch_ratio", ops.max(1.0 + elongation / rest, 0.2)), 0.2, 20.0)


def _share(k: Builder, elongation: Expr, max_elongation: Expr) -> Expr:
    return bounded(k.let("share", ops.clamp(elongation / max_elongation, -0.95, 0.95)), -0.95, 0.95)


def _fiber_strain(k: Builder, elongation: Expr, rest: Expr) -> Expr:
    return bounded(k.let("fiber_strain", ops.clamp(elongation / rest, 0.0, 8.0)), 0.0, 8.0)


LAWS: tuple[tuple[str, str, str, Callable[..., Expr], Callable[..., Expr]], ...] = (
    ("hooke", "Hooke", "Hooke 1678",
     lambda k, elongation, stiffness: stiffness * elongation,
     lambda k, elongation, stiffness: 0.5 * stiffness * (elongation * elongation)),
    ("hardening", "Duffing (cubic)", "Duffing 1918",
     lambda k, elongation, stiffness, hardening: (
         stiffness * elongation * (1.0 + hardening * elongation * elongation)
     ),
     lambda k, elongation, stiffness, hardening: (
         0.5 * stiffness * (squared := k.let("squared_elongation", elongation * elongation))
         * (1.0 + 0.5 * hardening * squared)
     )),
    ("cable", "Tension-only cable", "",
     lambda k, elongation, stiffness: stiffness * ops.max(elongation, 0.0),
     lambda k, elongation, stiffness: (
         0.5 * stiffness * ((pulled := k.let("pulled", ops.max(elongation, 0.0))) * pulled)
     )),
    ("rubber", "Neo-Hookean", "Treloar 1943",
     lambda k, elongation, rest_length, shear_modulus: (
         shear_modulus * ((ratio := _ratio(k, elongation, rest_length)) - 1.0 / (ratio * ratio))
     ),
     lambda k, elongation, rest_length, shear_modulus: (
         shear_modulus * rest_length
         * (0.5 * ((ratio := _ratio(k, elongation, rest_length)) * ratio) + 1.0 / ratio - 1.5)
     )),
    ("fiber", "Fung fiber", "Fung 1967",
     lambda k, elongation, rest_length, fiber_stiffness, exponent: (
         fiber_stiffness * (ops.exp(exponent * _fiber_strain(k, elongation, rest_length)) - 1.0)
     ),
     lambda k, elongation, rest_length, fiber_stiffness, exponent: (
         fiber_stiffness * rest_length
         * ((ops.exp(exponent * (one := _fiber_strain(k, elongation, rest_length))) - 1.0) / exponent - one)
     )),
    ("fene", "FENE", "Kremer and Grest 1990",
     lambda k, elongation, stiffness, max_elongation: (
         stiffness * max_elongation * (share := _share(k, elongation, max_elongation)) / (1.0 - share * share)
     ),
     lambda k, elongation, stiffness, max_elongation: (
         -0.5 * stiffness * max_elongation * max_elongation
         * ops.log(1.0 - (share := _share(k, elongation, max_elongation)) * share)
     )),
    ("loose", "Slack", "",
     lambda k, elongation, stiffness, play: stiffness * (elongation - ops.clamp(elongation, -play, play)),
     lambda k, elongation, stiffness, play: (
         0.5 * stiffness * ((one := k.let("beyond", elongation - ops.clamp(elongation, -play, play))) * one)
     )),
)  # fmt: skip
TOLD = {
    "hooke": "It is proportional to the elongation",
    "hardening": "The stiffness grows with the squared elongation",
    "cable": "A cable does not push",
    "rubber": "It is that of a strand of incompressible rubber, with a stretch ratio of at least 0.2",
    "fiber": "It grows exponentially with the strain, and a shortened fiber is slack",
    "fene": "It grows steeply towards the largest elongation, and elongations count up to 0.95 of that",
    "loose": "It is zero while the length is within `play` of the rest length",
}
"""What a reader should know of each law."""
for _name, _how, _source, _pull, _stored in LAWS:
    term.add(
        f"{_name}_tension",
        "tension",
        f"{_how} tension. {TOLD[_name]}",
        _pull,
        source=_source,
        law=_name,
        within=(-1e4, 1e4),
    )
    term.add(
        f"{_name}_energy",
        "stored_energy",
        f"{_how} spring energy. {TOLD[_name]}".replace(
            "proportional to the", "half the stiffness times the squared"
        ),
        _stored,
        source=_source,
        law=_name,
        within=(-1e-3, 1e6),
    )


def _jacobian(k: Builder, direction: Expr, length: Expr, rest_length: Expr, stiffness: Expr) -> Expr:
    along = k.let("along", ops.outer(direction, direction))
    ratio = k.let("tension_ratio", ops.max(1.0 - rest_length / ops.max(length, 1e-6), 0.0))
    return stiffness * (along + ratio * (identity(Matrix(k.dimension, k.dimension, k.real)) - along))


def _xpbd(
    k: Builder, violation: Expr, multiplier: Expr, w_a: Expr, w_b: Expr, compliance: Expr, dt: Expr
) -> Expr:
    alpha = k.let("alpha", compliance / (dt * dt))
    return -(violation + alpha * multiplier) / (w_a + w_b + alpha)


term.table(
    ("end_offset", "offset", "Offset between the spring ends", lambda x_a, x_b: x_b - x_a, {"goal": False}),
    ("end_distance", "length", "Spring length", lambda offset: ops.length(offset)),
    ("normalized_offset", "direction", "Unit direction of a spring",
     lambda offset: ops.normalize(offset), {"goal": False}),
    ("scaled_offset", "direction", "Unit direction of a spring",
     lambda offset, length: offset / ops.max(length, 1e-6), {"within": (-1.0, 1.0), "goal": False}),
    ("contracted_length", "rest_length", "Muscle contraction of the rest length. "
     "An activation of 1 shortens it by the share `contraction`",
     lambda original_length, activation, contraction: original_length * (1.0 - contraction * activation)),
    ("length_excess", "elongation", "Spring elongation. "
     "It is the length minus the rest length",
     lambda length, rest_length: length - rest_length),
    ("engineering_strain", "strain", "Engineering strain. "
     "It is the elongation over the rest length",
     lambda length, rest_length: length / rest_length - 1.0),
    ("end_elongation_rate", "elongation_rate", "Elongation rate of a spring. "
     "It is positive while the spring gets longer",
     lambda v_a, v_b, direction: ops.dot(v_b - v_a, direction)),
    ("dashpot_tension", "damping_tension", "Dashpot tension. "
     "It is the damping times the elongation rate",
     lambda elongation_rate, damping: damping * elongation_rate),
    ("kelvin_voigt_tension", "total_tension", "Kelvin-Voigt tension. "
     "It is the tension of a spring plus that of a dashpot beside it",
     lambda tension, damping_tension: tension + damping_tension),
    ("maxwell_tension", "total_tension",
     "Maxwell tension after one step. It relaxes at the rate of the dashpot",
     lambda tension, elongation_rate, stiffness, viscosity, dt: (
         (tension + dt * stiffness * elongation_rate) / (1.0 + dt * stiffness / viscosity)
     ), {"source": "Maxwell 1867"}),
    ("brittle_tension", "total_tension",
     "Tension of a brittle spring. A spring that is stretched too far has none",
     lambda tension, strength: conditional(tension > strength, lift(0.0, tension.type), tension)),
    ("plastic_tension", "total_tension",
     "Elastic-perfectly plastic tension. It is limited by the yield tension",
     lambda tension, yield_tension: ops.clamp(tension, -yield_tension, yield_tension)),
    ("axial_spring_force", "spring_force", "Spring force along its axis. "
     "It is the tension times the unit vector from the first end to the second",
     lambda total_tension, direction: total_tension * direction),
    ("elastic_spring_force", "spring_force", "Elastic spring force. "
     "It is the tension times the unit vector from the first end to the second",
     lambda tension, direction: tension * direction),
    ("offset_spring_force", "spring_force", "Hooke spring force. "
     "It pulls the first end towards the second where the spring is stretched",
     lambda offset, length, rest_length, stiffness: (
         stiffness * (1.0 - rest_length / ops.max(length, 1e-6)) * offset
     ), {"source": "Provot 1995", "law": "hooke"}),
    ("damper_power", "dissipated_power", "Dissipated power of a dashpot. "
     "It is the tension of the dashpot times the elongation rate",
     lambda damping_tension, elongation_rate: damping_tension * elongation_rate),
    ("spring_jacobian", "force_jacobian",
     "Semidefinite spring force Jacobian. It is the derivative of the force on a spring's first end by the "
     "position of its second. The transverse term, negative in a compressed spring, is clamped to zero",
     _jacobian,
     {"source": "Choi and Ko 2002", "law": "hooke"}),
    ("pair_mass", "reduced_mass", "Reduced mass of the spring ends",
     lambda m_a, m_b: m_a * m_b / (m_a + m_b), {"goal": False}),
    ("spring_frequency", "natural_frequency", "Natural frequency of a spring. "
     "It is in radians per unit time, for the reduced mass of both ends",
     lambda reduced_mass, stiffness: ops.sqrt(stiffness / reduced_mass)),
    ("distance_violation", "violation", "Distance constraint violation",
     lambda length, rest_length: length - rest_length, {"goal": False}),
    ("xpbd_multiplier_change", "multiplier_change",
     "XPBD multiplier of a distance constraint. "
     "It follows from the violation, the compliance and the multiplier so far",
     _xpbd,
     {"source": "Macklin, Müller and Chentanez 2016"}),
    ("pbd_multiplier_change", "multiplier_change",
     "PBD multiplier of a distance constraint. It follows from the violation and the inverse masses",
     lambda violation, w_a, w_b, relaxation: -relaxation * violation / (w_a + w_b),
     {"source": "Müller et al. 2007"}),
    ("distance_correction", "correction",
     "Compute the position correction of a distance constraint. It is the change of the multiplier along "
     "the unit vector between the ends, still to be scaled by the inverse mass of each end",
     lambda multiplier_change, direction: multiplier_change * direction),
)  # fmt: skip


SPRINGS = ("springs",)
NET = "Each listed neighbor is at the other end of a spring"
DASHPOT = ("velocity", "velocities", "damping")
RestOf = Callable[[], Expr]
_moves = [one for one in motion.formulas if one.result in (new_velocity, new_position)]
net = Domain("particle", index=("i", "p", "particle"), formulas=_moves)
held = Terms(net)
held.know(position, velocity, mass, acceleration)
held.quantity("spring_force", -8.0, 8.0, space, least=-8e3, most=8e3)
held.quantity("shift", -0.3, 0.3, space)
held.quantity("relaxed_position", -1.5, 1.5, space, told="position", updates=position)
held.quantities(space, net_force=(-10.0, 10.0), inertial_position=(-1.0, 1.0), least=-1e4, most=1e4)
held.names.update({name: one for name, one in term.names.items() if name not in held.names})
held.settings(gravity=(5.0, 10.0), drag=(0.1, 1.0), mass_damping=(0.1, 1.0))


def each_spring(k: Builder, visit: Callable[[Expr, RestOf], None]) -> None:
    """Visit the particles that springs join to the thread's own, with what reads their rest lengths."""
    (i,) = k.index
    k.sizes["max_springs"] = k.once("max_springs", lambda: k.rng.pick("4", "6", "8", "12"))
    counted = k.once("springs are counted", lambda: k.rng.chance(0.5))
    same = k.once("springs have one rest length", lambda: k.rng.chance(0.35))
    others = slots(k, "neighbors", I32, "max_springs", {"integers": [0 if counted else -1, "n"]})
    others.tell(k, "neighbor", "particle", "spring_counts" if counted else None)
    if counted:
        last: Expr = k.input("spring_counts", I32, ["n"], {"integers": [0, "max_springs"]})[i]
    else:
        last = k.size("max_springs", "max_springs")

    def common() -> Expr:
        key = f"rest length in {k.name}"
        return k.once(key, lambda: k.scalar("rest_length", k.real, uniform(0.4, 1.2)))

    def own(slot: Expr) -> Expr:
        lengths = slots(k, "rest_lengths", k.real, "max_springs", uniform(0.4, 1.2))
        return k.let("rest_length", lengths[i, slot])

    with k.loop("slot", 0, last) as slot:
        j = k.let("j", others[i, slot])
        if not counted:
            with k.when(j < 0):
                k.jump("break")
        visit(j, common if same else lambda: own(slot))


def summed(k: Builder, name: str, start: Expr | float, share: Callable[[Expr, RestOf], Expr]) -> Expr:
    """The sum over all springs of the thread's particle."""
    total = k.var(name, start)
    each_spring(k, lambda j, rest: k.add(total, share(j, rest)))
    return total


def _pulled(law: Callable[..., Expr], damped: bool) -> Callable[..., Expr]:
    """The sum of the forces of all springs under a law, with its settings, and perhaps of dashpots."""

    def total(k: Builder, position: Expr, positions: ArrayHandle, **settings: Any) -> Expr:
        velocity, velocities, damping = (settings.pop(one, None) for one in DASHPOT)

        def share(j: Expr, rest_of: RestOf) -> Expr:
            offset = k.let("offset", positions[j] - position)
            length, rest = k.let("length", ops.length(offset)), rest_of()
            given = {"rest_length": rest} if "rest_length" in inspect.signature(law).parameters else {}
            tension = law(k, k.let("elongation", length - rest), **given, **settings)
            direction = k.let("direction", offset / ops.max(length, 1e-6))
            if damped:
                tension = tension + damping * ops.dot(velocities[j] - velocity, direction)
            return bounded(k.let("tension", tension), -1e4, 1e4) * direction

        return summed(k, "pull", zero(k), share)

    return total


for _name, _how, _source, _pull, _ in LAWS:
    _settings = [
        one for one in inspect.signature(_pull).parameters if one not in ("k", "elongation", "rest_length")
    ]
    for _damped in (False, True):
        held.add(
            f"{'damped_' if _damped else ''}{_name}_force_sum", "spring_force",
            f"Net force of {'damped ' * _damped}{lowered(_how)} springs. {NET}",
            _pulled(_pull, _damped), source=_source, law=_name, within=(-8e3, 8e3),
            teaches=SPRINGS,
            takes=("position", "positions", *_settings, *(DASHPOT if _damped else ())),
        )  # fmt: skip


def _mean_correction(k: Builder, position: Expr, positions: ArrayHandle, relaxation: Expr) -> Expr:
    count = k.var("count", 0.0)

    def share(j: Expr, rest: RestOf) -> Expr:
        k.add(count, 1.0)
        offset = k.let("offset", positions[j] - position)
        return 0.5 * (1.0 - rest() / ops.max(ops.length(offset), 1e-6)) * offset

    return relaxation * summed(k, "correction", zero(k), share) / ops.max(count, 1.0)


def _projective(
    k: Builder, position: Expr, positions: ArrayHandle, inertial_position: Expr, mass: Expr, stiffness: Expr,
    dt: Expr,
) -> Expr:  # fmt: skip
    inertia = k.let("inertia", mass / (dt * dt))
    weights = k.var("weight_sum", inertia)

    def share(j: Expr, rest: RestOf) -> Expr:
        k.add(weights, stiffness)
        direction = k.let("direction", ops.normalize(position - positions[j]))
        return stiffness * (positions[j] + rest() * direction)

    return summed(k, "pulled", inertia * inertial_position, share) / bounded(weights, 0.5, 1e6)


held.table(
    ("mean_correction", "shift",
     "Averaged Jacobi correction of distance constraints. "
     "The corrections of all constraints of a particle are averaged",
     _mean_correction,
     {"source": "Macklin et al. 2014", "law": "constraints", "teaches": SPRINGS}),
    ("weighted_net_force", "net_force", "Net force with gravity",
     lambda k, spring_force, mass, gravity: spring_force - mass * upwards(k, gravity),
     {"teaches": SPRINGS}),
    ("resisted_net_force", "net_force", "Net force with air drag",
     lambda spring_force, velocity, drag: spring_force - drag * ops.length(velocity) * velocity,
     {"teaches": SPRINGS}),
    ("net_acceleration", "acceleration", "Acceleration", lambda net_force, mass: net_force / mass),
    ("weighted_acceleration", "acceleration", "Acceleration under net force and gravity",
     lambda k, net_force, mass, gravity: net_force / mass - upwards(k, gravity)),
    ("mass_damped_acceleration", "acceleration", "Acceleration with mass-proportional damping",
     lambda net_force, velocity, mass, mass_damping: net_force / mass - mass_damping * velocity,
     {"source": "Rayleigh 1877"}),
    ("shifted_position", "relaxed_position", "Apply a position correction",
     lambda position, shift: position + shift,
     {"law": "constraints", "teaches": SPRINGS}),
    ("projective_position", "relaxed_position", "Projective dynamics Jacobi step", _projective,
     {"law": "constraints", "teaches": SPRINGS}),
)  # fmt: skip

spring_steps = stepped(
    spring, term["spring_force"], net, held["net_force"], (acceleration, new_velocity, new_position), mass
)

corners = Joins("hinge_vertices", ("v0", "v1", "v2", "v3"))
hinge = Domain("hinge", index=("i", "h", "hinge"))
fold = Terms(hinge)
SPACE = vector(3)
vertex = Quantity("position", -1.0, 1.0, SPACE)
fold.know(*(at_node(f"x{slot}", slot, vertex, corners) for slot in range(4)))
fold.quantity("edge", -1.5, 1.5, SPACE, computed=True)
fold.quantity("edge_length", 0.3, 1.5, computed=True, least=0.0)
fold.quantity("wing_area", 0.2, 2.0, computed=True, least=0.0)
fold.quantity("bend_angle", -2.0, 2.0, extremal=True, signed=True)
fold.quantity("bending_energy", 0.0, 4.0, additive=True, least=-1e-3)
fold.quantity("bending_force", -4.0, 4.0, SPACE)
fold.quantities(rest_angle=(-0.5, 0.5), bending_moment=(-4.0, 4.0))
for _side in ("first", "second"):
    fold.quantity(f"{_side}_normal", -1.5, 1.5, SPACE, told="normal", computed=True)
fold.settings(bending_stiffness=(0.1, 2.0))


def _bend_angle(k: Builder, edge: Expr, first_normal: Expr, second_normal: Expr) -> Expr:
    turn = k.let("sine", ops.dot(ops.cross(first_normal, second_normal), ops.normalize(edge)))
    return ops.atan2(turn, ops.dot(first_normal, second_normal))


def _shell(k: Builder, edge_length: Expr, wing_area: Expr) -> Expr:
    """The square of the edge over the area."""
    return k.let("shape", edge_length * edge_length / ops.max(wing_area, 0.01))


for _side, _vertex in (("first", 2), ("second", 3)):
    fold.add(
        f"vertex_{_vertex}_bending_force", "bending_force",
        f"Bending force on vertex {_vertex} of a hinge. It is the moment over the vertex's height above the "
        "edge from vertex 0 to vertex 1, along the normal of its triangle",
        lambda bending_moment, edge_length, **normal: (
            bending_moment * edge_length
            / ops.max(ops.dot(one := next(iter(normal.values())), one), 1e-6) * one
        ),
        takes=("bending_moment", "edge_length", f"{_side}_normal"), within=(-1e5, 1e5),
        source="Bridson, Marino and Fedkiw 2003",
    )  # fmt: skip
fold.table(
    ("shared_edge", "edge", "Shared edge of a hinge",
     lambda x0, x1: x1 - x0, {"goal": False}),
    ("shared_edge_length", "edge_length", "Length of the shared edge",
     lambda edge: ops.length(edge), {"goal": False}),
    ("first_wing_normal", "first_normal", "Normal of the first triangle, as long as twice its area",
     lambda x0, x1, x2: ops.cross(x1 - x0, x2 - x0), {"goal": False}),
    ("second_wing_normal", "second_normal", "Normal of the second triangle, as long as twice its area",
     lambda x0, x1, x3: ops.cross(x3 - x0, x1 - x0), {"goal": False}),
    ("both_wing_areas", "wing_area", "Area of the two triangles of a hinge. "
     "Each normal is as long as twice its triangle's area",
     lambda first_normal, second_normal: 0.5 * (ops.length(first_normal) + ops.length(second_normal))),
    ("signed_bend_angle", "bend_angle", "Signed dihedral angle. It is zero for a flat hinge", _bend_angle,
     {"source": "Bridson, Marino and Fedkiw 2003"}),
    ("angle_moment", "bending_moment", "Bending moment of a hinge. "
     "It is proportional to the angle beyond that at rest",
     lambda bend_angle, rest_angle, bending_stiffness: bending_stiffness * (bend_angle - rest_angle)),
    ("shell_moment", "bending_moment", "Discrete shell bending moment. "
     "It is the derivative of the bending energy by the angle",
     lambda k, bend_angle, rest_angle, edge_length, wing_area, bending_stiffness: (
         6.0 * bending_stiffness * _shell(k, edge_length, wing_area) * (bend_angle - rest_angle)
     ), {"source": "Grinspun et al. 2003"}),
    ("shell_bending_energy", "bending_energy", "Discrete shell bending energy. "
     "It weighs the squared angle by 3 edge^2 / area",
     lambda k, bend_angle, rest_angle, edge_length, wing_area, bending_stiffness: (
         3.0 * bending_stiffness * _shell(k, edge_length, wing_area) * ((excess := k.let("excess", bend_angle
         - rest_angle)) * excess)
     ), {"within": (0.0, 1e5), "source": "Grinspun et al. 2003"}),
    ("angle_bending_energy", "bending_energy", "Bending energy of a hinge. "
     "It is half the stiffness times the squared angle beyond that at rest",
     lambda k, bend_angle, rest_angle, bending_stiffness: (
         0.5 * bending_stiffness * ((excess := k.let("excess", bend_angle - rest_angle)) * excess)
     )),
)  # fmt: skip

"""Oscillators: restoring, damping, driving and coupling forces, time steps, synchrony."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.constants import TWO_PI
from weft.kernels.domains.motion import each_neighbor
from weft.kernels.domains.terms import Terms
from weft.kernels.expressions import construct, ops
from weft.kernels.formulas import Domain
from weft.kernels.neighbors import around
from weft.kernels.program import Expr
from weft.types import Vector

oscillator = Domain("oscillator", index=("i", "oscillator"))
term = Terms(oscillator)
term.quantities(
    displacement=(-1.0, 1.0), velocity=(-1.0, 1.0), mass=(0.5, 2.0), damping_force=(-2.0, 2.0),
    driving_force=(-2.0, 2.0), amplitude=(0.0, 4.0),
)  # fmt: skip
term.quantities(
    restoring_force=(-6.0, 6.0), coupling_force=(-3.0, 3.0), acceleration=(-6.0, 6.0),
    natural_frequency=(0.8, 3.0), phase_rate=(-3.0, 3.0), extremal=True,
)  # fmt: skip
term.quantities(potential_energy=(0.0, 4.0), mechanical_energy=(0.0, 6.0), additive=True, least=-1e4)
term.quantity("phase", 0.0, 6.28, least=-1e5)
term.quantity("local_order", 0.0, 1.0, extremal=True, most=2.0)
term.quantity("new_velocity", -2.0, 2.0, updates=term["velocity"])
term.quantity("new_displacement", -1.5, 1.5, updates=term["displacement"])
term.quantity("new_phase", 0.0, 6.28, least=-1.0, updates=term["phase"])
term.settings(
    stiffness=(1.0, 6.0), damping=(0.1, 0.8), hardening=(0.3, 2.0), gap=(0.2, 0.6),
    drive_frequency=(0.5, 3.0), time=(0.0, 20.0), coupling_strength=(0.2, 1.5), nonlinearity=(0.2, 1.0),
    dt=(0.01, 0.1), lag=(0.1, 1.2),
)  # fmt: skip


def _past(k: Builder, x: Expr, stop: Expr) -> Expr:
    """How far a displacement is past the stop on its side."""
    return k.let("excess", x - ops.clamp(x, -stop, stop))


RESTORING: tuple[tuple[str, str, tuple[str, ...], Callable[..., Expr], Callable[..., Expr]], ...] = (
    ("linear", "Hooke", ("stiffness",),
     lambda k, x, stiffness: -stiffness * x, lambda k, x, stiffness: 0.5 * stiffness * (x * x)),
    ("duffing", "Duffing", ("stiffness", "hardening"),
     lambda k, x, stiffness, hardening: -x * (stiffness + hardening * x * x),
     lambda k, x, stiffness, hardening: 0.5 * x * x * (stiffness + 0.5 * hardening * x * x)),
    ("double_well", "Double-well", ("stiffness", "hardening"),
     lambda k, x, stiffness, hardening: x * (stiffness - hardening * x * x),
     lambda k, x, stiffness, hardening: x * x * (0.25 * hardening * x * x - 0.5 * stiffness)),
    ("pendulum", "Pendulum", ("stiffness",),
     lambda k, x, stiffness: -stiffness * ops.sin(x), lambda k, x, stiffness: stiffness * (1.0 - ops.cos(x))),
    ("backlash", "Backlash", ("stiffness", "gap"),
     lambda k, x, stiffness, gap: -stiffness * _past(k, x, gap),
     lambda k, x, stiffness, gap: 0.5 * stiffness * (past := _past(k, x, gap)) * past),
)  # fmt: skip
for _name, _how, _settings, *_laws in RESTORING:
    for _law, _result in zip(_laws, ("restoring_force", "potential_energy"), strict=True):
        term.add(
            f"{_name}_{_result}",
            _result,
            f"{_how} {_result.replace('_', ' ')}",
            lambda k, displacement, law=_law, **settings: law(k, displacement, **settings),
            takes=("displacement", *_settings),
            law=_name,
            within=(-1e4, 1e4),
        )

CHAINS: tuple[tuple[str, str, str, Callable[..., Expr]], ...] = (
    ("linear", "Harmonic", "", lambda ahead, behind: ahead - behind),
    ("fput_alpha", "FPUT-alpha", "Fermi, Pasta, Ulam and Tsingou 1955",
     lambda ahead, behind, nonlinearity: (ahead - behind) * (1.0 + nonlinearity * (ahead + behind))),
    ("fput_beta", "FPUT-beta", "Fermi, Pasta, Ulam and Tsingou 1955",
     lambda ahead, behind, nonlinearity: (
         ahead * (1.0 + nonlinearity * ahead * ahead) - behind * (1.0 + nonlinearity * behind * behind)
     )),
    ("toda", "Toda", "Toda 1967",
     lambda ahead, behind, nonlinearity: ops.exp(-nonlinearity * behind) - ops.exp(-nonlinearity * ahead)),
    ("sine", "Sine-Gordon", "", lambda ahead, behind: ops.sin(ahead) - ops.sin(behind)),
)  # fmt: skip


def _chained(law: Callable[..., Expr]) -> Callable[..., Expr]:
    """The force of the neighbours on both sides under a law."""

    def force(
        k: Builder, displacement: Expr, displacements: ArrayHandle, coupling_strength: Expr, **more: Expr
    ) -> Expr:
        before, after = around(k, displacements).pair(0)
        ahead, behind = k.let("ahead", after - displacement), k.let("behind", displacement - before)
        return coupling_strength * law(ahead, behind, **more)

    return force


for _name, _how, _source, _law in CHAINS:
    _more = ("nonlinearity",) if "nonlinearity" in _law.__code__.co_varnames else ()
    term.add(
        f"{_name}_coupling_force",
        "coupling_force",
        f"{_how} chain force",
        _chained(_law),
        takes=("displacement", "displacements", "coupling_strength", *_more),
        source=_source,
        within=(-1e3, 1e3),
    )


def _pull(k: Builder, phase: Expr, phases: ArrayHandle, lag: Expr | None) -> Expr:
    """The sum of the sines of the neighbours' phases, less the own one and a lag."""
    pull = k.var("coupling", 0.0)

    def visit(j: Expr) -> None:
        difference = phases[j] - phase
        k.add(pull, ops.sin(difference if lag is None else difference - lag))

    each_neighbor(k, visit)
    return pull


def _order(k: Builder, phases: ArrayHandle) -> Expr:
    total, count = k.var("phase_vector", construct(Vector(2, k.real), 0.0, 0.0)), k.var("count", 0.0)

    def visit(j: Expr) -> None:
        k.add(total, construct(Vector(2, k.real), ops.cos(phases[j]), ops.sin(phases[j])))
        k.add(count, 1.0)

    each_neighbor(k, visit)
    return ops.length(total) / ops.max(count, 1.0)


def _wrapped(k: Builder, phase: Expr, phase_rate: Expr, dt: Expr) -> Expr:
    turned = k.let("turned", phase + dt * phase_rate)
    return turned - TWO_PI * ops.floor(turned / TWO_PI)


term.table(
    ("viscous_damping_force", "damping_force", "Viscous damping",
     lambda velocity, damping: -damping * velocity),
    ("quadratic_damping_force", "damping_force", "Quadratic damping",
     lambda velocity, damping: -damping * velocity * ops.abs(velocity)),
    ("van_der_pol_damping_force", "damping_force", "Van der Pol damping",
     lambda displacement, velocity, damping: damping * (1.0 - 4.0 * displacement * displacement) * velocity,
     {"source": "van der Pol 1926"}),
    ("rayleigh_damping_force", "damping_force", "Rayleigh damping",
     lambda velocity, damping: damping * (1.0 - 4.0 * velocity * velocity) * velocity,
     {"source": "Rayleigh 1883"}),
    ("dry_friction_force", "damping_force", "Smoothed dry friction",
     lambda velocity, damping: -damping * ops.tanh(10.0 * velocity)),
    ("harmonic_driving_force", "driving_force", "Harmonic driving force",
     lambda amplitude, drive_frequency, time: amplitude * ops.cos(drive_frequency * time)),
    ("free_acceleration", "acceleration", "Acceleration of a damped oscillator",
     lambda restoring_force, damping_force, mass: (restoring_force + damping_force) / mass),
    ("driven_acceleration", "acceleration", "Acceleration of a driven, damped oscillator",
     lambda restoring_force, damping_force, driving_force, mass: (
         (restoring_force + damping_force + driving_force) / mass
     )),
    ("coupled_acceleration", "acceleration", "Acceleration under restoring and coupling forces",
     lambda restoring_force, coupling_force, mass: (restoring_force + coupling_force) / mass),
    ("symplectic_oscillator_velocity", "new_velocity", "Symplectic Euler velocity update",
     lambda velocity, acceleration, dt: velocity + dt * acceleration),
    ("advanced_displacement", "new_displacement", "Symplectic Euler displacement update",
     lambda displacement, new_velocity, dt: displacement + dt * new_velocity),
    ("total_oscillator_energy", "mechanical_energy", "Mechanical energy",
     lambda mass, velocity, potential_energy: 0.5 * mass * (velocity * velocity) + potential_energy),
    ("undamped_frequency", "natural_frequency", "Natural frequency",
     lambda mass, stiffness: ops.sqrt(stiffness / mass)),
    ("kuramoto_rate", "phase_rate", "Kuramoto phase rate",
     lambda k, phase, phases, natural_frequency, coupling_strength: (
         natural_frequency + coupling_strength * _pull(k, phase, phases, None)
     ), {"source": "Kuramoto 1975", "teaches": ("loop",)}),
    ("lagged_rate", "phase_rate", "Sakaguchi-Kuramoto phase rate",
     lambda k, phase, phases, natural_frequency, coupling_strength, lag: (
         natural_frequency + coupling_strength * _pull(k, phase, phases, lag)
     ), {"source": "Sakaguchi and Kuramoto 1986", "teaches": ("loop",)}),
    ("local_order", "local_order", "Local order parameter of phase oscillators", _order,
     {"source": "Kuramoto 1975", "within": (0.0, 1.5), "teaches": ("loop",)}),
    ("wrapped_phase", "new_phase", "Advance the phase, wrapped to one turn",
     _wrapped, {"within": (-0.1, 6.4)}),
)  # fmt: skip

"""Flows on grids: incompressible ones, shallow water, and electromagnetic fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.constants import GRAVITY, TWO_PI
from weft.kernels.domains.cells import (
    GRIDS,
    POSITIVE,
    Dt,
    Dx,
    Factor,
    NewVelocity,
    Share,
    Small,
    Temperature,
    Velocities,
    Velocity,
    along,
    axes,
    beside,
    centered,
    derivative,
    flow,
    letter,
    second_order,
    slopes,
    square,
    total,
    vector,
)
from weft.kernels.expressions import bounded, conditional, construct, ops, within
from weft.kernels.formulas import Domain, Quantity, Setting
from weft.kernels.neighbors import Field, around, component
from weft.kernels.program import Expr
from weft.types import Vector

flows = Domain("cell", index=("i", "cell"), ranks=(1, 2, 3))

velocity_rate = Quantity("acceleration", -5.0, 5.0, flow)
speed = Quantity("speed", 0.0, 2.0, extremal=True)
kinetic_energy = Quantity("kinetic_energy", 0.0, 3.0, plural="kinetic_energies", additive=True)
pressure = Quantity("pressure", -1.0, 1.0)
old_pressure = Quantity("old_pressure", -1.0, 1.0)
pressure_gradient = Quantity("pressure_gradient", -5.0, 5.0, flow)
divergence = Quantity("divergence", -2.0, 2.0)
residual = Quantity("residual", -2.0, 2.0)
vorticity = Quantity("vorticity", -3.0, 3.0, plural="vorticities")
vorticity_size = Quantity("vorticity_magnitude", 0.0, 3.0, derived=True, extremal=True)
new_vorticity = Quantity("new_vorticity", -3.0, 3.0, plural="new_vorticities", updates=vorticity)
stream_function = Quantity("stream_function", -1.0, 1.0)
old_stream_function = Quantity("old_stream_function", -1.0, 1.0)
eddy_viscosity = Quantity("eddy_viscosity", 0.001, 0.1, plural="eddy_viscosities", least=0.0)
buoyancy = Quantity("buoyancy", -2.0, 2.0, plural="buoyancies")
depth = Quantity("depth", 0.5, 2.0)
bed = Quantity("bed_height", -0.3, 0.3)
new_depth = Quantity("new_depth", 0.5, 2.0, least=0.0, updates=depth)
flow_energy = Quantity("flow_energy", 0.0, 40.0, plural="flow_energies", additive=True)
electric = Quantity("electric_field", -1.0, 1.0, flow)
magnetic = Quantity("magnetic_field", -1.0, 1.0, flow)
electric_curl = Quantity("electric_curl", -5.0, 5.0, flow)
magnetic_curl = Quantity("magnetic_curl", -5.0, 5.0, flow)
current = Quantity("current", -0.5, 0.5, flow)
permittivity = Quantity("permittivity", 1.0, 4.0, plural="permittivities")
new_electric = Quantity("new_electric_field", -1.0, 1.0, flow, updates=electric)
new_magnetic = Quantity("new_magnetic_field", -1.0, 1.0, flow, updates=magnetic)

Speed = Annotated[Expr, speed]
VelocityRate = Annotated[Expr, velocity_rate]
KineticEnergy = Annotated[Expr, kinetic_energy]
Pressure = Annotated[Expr, pressure]
Pressures = Annotated[ArrayHandle, pressure]
OldPressure = Annotated[Expr, old_pressure]
OldPressures = Annotated[ArrayHandle, old_pressure]
PressureGradient = Annotated[Expr, pressure_gradient]
Divergence = Annotated[Expr, divergence]
Residual = Annotated[Expr, residual]
Vorticity = Annotated[Expr, vorticity]
Vorticities = Annotated[ArrayHandle, vorticity]
VorticityMagnitudes = Annotated[ArrayHandle, vorticity_size]
NewVorticity = Annotated[Expr, new_vorticity]
StreamFunction = Annotated[Expr, stream_function]
StreamFunctions = Annotated[ArrayHandle, stream_function]
OldStreamFunctions = Annotated[ArrayHandle, old_stream_function]
EddyViscosity = Annotated[Expr, eddy_viscosity]
Buoyancy = Annotated[Expr, buoyancy]
Depth = Annotated[Expr, depth]
Depths = Annotated[ArrayHandle, depth]
BedHeights = Annotated[ArrayHandle, bed]
NewDepth = Annotated[Expr, new_depth]
FlowEnergy = Annotated[Expr, flow_energy]
ElectricField = Annotated[Expr, electric]
ElectricFields = Annotated[ArrayHandle, electric]
MagneticField = Annotated[Expr, magnetic]
MagneticFields = Annotated[ArrayHandle, magnetic]
ElectricCurl = Annotated[Expr, electric_curl]
MagneticCurl = Annotated[Expr, magnetic_curl]
Current = Annotated[Expr, current]
Permittivity = Annotated[Expr, permittivity]
NewElectricField = Annotated[Expr, new_electric]
NewMagneticField = Annotated[Expr, new_magnetic]
Gravity = Annotated[Expr, Setting(9.0, 10.0)]


@flows.formula(goal=False)
def pressure_slope(k: Builder, pressures: Pressures, dx: Dx) -> PressureGradient:
    """Pressure gradient by central differences."""
    return vector(k, slopes(k, pressures, dx))


@flows.formula()
def velocity_divergence(k: Builder, velocities: Velocities, dx: Dx) -> Divergence:
    """Velocity divergence by central differences. Cells are dx apart."""
    near = around(k, velocities)
    return total(derivative(k, near, axis, component(k, axis), dx) for axis in axes(k))


@flows.formula()
def backward_divergence(k: Builder, velocity: Velocity, velocities: Velocities, dx: Dx) -> Divergence:
    """Divergence on a staggered grid. A cell stores the velocities at its upper faces."""
    near = around(k, velocities)
    outflow = [along(k, velocity, axis) - along(k, near.side(axis, -1), axis) for axis in axes(k)]
    return total(outflow) / dx


@flows.formula()
def jacobi_pressure(k: Builder, old_pressures: OldPressures, divergence: Divergence, dx: Dx) -> Pressure:
    """Jacobi iteration of the pressure Poisson equation. The divergence of the velocity is the source."""
    return (total(beside(k, old_pressures)) - dx * dx * divergence) / (2.0 * len(k.shape))


@flows.formula()
def damped_jacobi_pressure(
    k: Builder,
    old_pressure: OldPressure,
    old_pressures: OldPressures,
    divergence: Divergence,
    relaxation: Share,
    dx: Dx,
) -> Pressure:
    """Damped Jacobi iteration of the pressure Poisson equation. It mixes the Jacobi value with the old
    pressure.
    """
    target = (total(beside(k, old_pressures)) - dx * dx * divergence) / (2.0 * len(k.shape))
    return ops.lerp(old_pressure, k.let("jacobi_value", target), relaxation)


@flows.formula()
def poisson_residual(
    k: Builder, old_pressure: OldPressure, old_pressures: OldPressures, divergence: Divergence, dx: Dx
) -> Residual:
    """Residual of the pressure Poisson equation. It is the divergence of the velocity minus the
    Laplacian of the pressure.
    """
    return divergence - second_order(k, old_pressures, old_pressure, dx)


@flows.formula()
def projected_velocity(
    k: Builder, velocity: Velocity, pressure_gradient: PressureGradient, density: Factor, dt: Dt
) -> NewVelocity:
    """Project the velocity by subtracting the pressure gradient. The result is free of divergence if the
    pressure solves its Poisson equation.
    """
    return velocity - dt / density * pressure_gradient


@flows.formula(ranks=(2,))
def planar_vorticity(k: Builder, velocities: Velocities, dx: Dx) -> Vorticity:
    """Vorticity of a plane flow. It is dv/dx - du/dy."""
    near = around(k, velocities)
    return derivative(k, near, 1, 1, dx) - derivative(k, near, 0, 0, dx)


@flows.formula(ranks=(2,))
def vorticity_transport(
    k: Builder,
    velocity: Velocity,
    vorticity: Vorticity,
    vorticities: Vorticities,
    viscosity: Small,
    dt: Dt,
    dx: Dx,
) -> NewVorticity:
    """Vorticity transport step. Advection is by the velocity, diffusion by the viscosity."""
    steps = slopes(k, vorticities, dx)
    advection = k.let("advection", total(along(k, velocity, axis) * one for axis, one in enumerate(steps)))
    return vorticity + dt * (viscosity * second_order(k, vorticities, vorticity, dx) - advection)


@flows.formula(ranks=(2,))
def jacobi_stream_function(
    k: Builder, old_stream_functions: OldStreamFunctions, vorticity: Vorticity, dx: Dx
) -> StreamFunction:
    """Jacobi iteration of the stream function. The vorticity is minus the Laplacian of the stream
    function.
    """
    return 0.25 * (total(beside(k, old_stream_functions)) + dx * dx * vorticity)


@flows.formula(ranks=(1, 2, 3), source="Harlow and Welch 1965")
def staggered_velocity(k: Builder) -> Velocity:
    """Cell-centered velocity from staggered faces. Each component is the mean of two faces."""
    means = []
    for axis in axes(k):
        shape = [f"{size} + 1" if one == axis else size for one, size in enumerate(k.shape)]
        faces = k.input(f"faces_{letter(k, axis)}", k.real, shape, uniform(-1.0, 1.0))
        ends = [
            tuple(
                within(one + step if step else dataclasses.replace(one), shape[at]) if at == axis else one
                for at, one in enumerate(k.index)
            )
            for step in (0, 1)
        ]
        means.append(0.5 * (faces[ends[0]] + faces[ends[1]]))
    return vector(k, means)


@flows.formula(ranks=(2,))
def stream_velocity(
    k: Builder, stream_functions: StreamFunctions, dx: Dx
) -> Annotated[Expr, Quantity("stream_velocity", -2.0, 2.0, flow, plural="stream_velocities")]:
    """Velocity from the stream function. It is (d psi / dy, -d psi / dx)."""
    near = around(k, stream_functions)
    (up, down), (left, right) = near.pair(0), near.pair(1)
    return construct(Vector(2, k.real), (down - up) / (2.0 * dx), (left - right) / (2.0 * dx))


@flows.formula(ranks=(2,), source="Fedkiw, Stam and Jensen 2001")
def confined_velocity(
    k: Builder,
    velocity: Velocity,
    vorticity: Vorticity,
    vorticity_magnitudes: VorticityMagnitudes,
    confinement: Share,
    dt: Dt,
    dx: Dx,
) -> NewVelocity:
    """Add vorticity confinement to the velocity. Confinement restores small vortices that numerical diffusion
    damps.
    """
    uphill = k.let("uphill", vector(k, slopes(k, vorticity_magnitudes, dx)))
    normal = k.let("normal", uphill / (ops.length(uphill) + 1e-4))
    force = construct(Vector(2, k.real), normal[1] * vorticity, -normal[0] * vorticity)
    return bounded(velocity + confinement * dx * dt * force, -1e4, 1e4)


@flows.formula(ranks=GRIDS)
def upwind_velocity(k: Builder, velocity: Velocity, velocities: Velocities, dt: Dt, dx: Dx) -> NewVelocity:
    """Advect the velocity by itself with upwind differences. Differences are taken from where the flow
    comes.
    """
    near = around(k, velocities)
    terms = []
    for axis in axes(k):
        before, after = near.pair(axis)
        speed = k.let(f"speed_{letter(k, axis)}", along(k, velocity, axis))
        terms.append(speed * conditional(speed > 0.0, velocity - before, after - velocity))
    return bounded(velocity - dt / dx * total(terms), -1e4, 1e4)


@flows.formula(ranks=GRIDS)
def viscous_rate(
    k: Builder, velocity: Velocity, velocities: Velocities, viscosity: Small, dx: Dx
) -> VelocityRate:
    """Viscous acceleration. It is the viscosity times the Laplacian of the velocity."""
    return viscosity * second_order(k, velocities, velocity, dx)


@flows.formula(ranks=GRIDS)
def viscous_velocity(
    k: Builder, velocity: Velocity, velocities: Velocities, eddy_viscosity: EddyViscosity, dt: Dt, dx: Dx
) -> NewVelocity:
    """Explicit viscosity step of the velocity. The step is stable if dt is small against dx^2 over the
    viscosity.
    """
    spread = k.let("spread", total(beside(k, velocities)) - 2.0 * len(k.shape) * velocity)
    return bounded(velocity + eddy_viscosity * dt / (dx * dx) * spread, -1e4, 1e4)


@flows.formula()
def thermal_buoyancy(
    k: Builder, temperature: Temperature, expansion: Factor, ambient_temperature: Share
) -> Buoyancy:
    """Boussinesq buoyancy. Warm fluid rises."""
    return GRAVITY * expansion * (temperature - ambient_temperature)


@flows.formula(ranks=GRIDS)
def buoyant_velocity(k: Builder, velocity: Velocity, buoyancy: Buoyancy, dt: Dt) -> NewVelocity:
    """Add buoyancy to the velocity. Buoyancy acts along y."""
    parts: list[Expr | float] = [0.0, dt * buoyancy, 0.0]
    return velocity + construct(Vector(len(k.shape), k.real), *parts[: len(k.shape)])


@flows.formula(goal=False)
def flow_speed(k: Builder, velocity: Velocity) -> Speed:
    """Flow speed."""
    return ops.length(velocity) if isinstance(velocity.type, Vector) else ops.abs(velocity)


@flows.formula()
def flow_kinetic_energy(k: Builder, velocity: Velocity, density: Factor) -> KineticEnergy:
    """Kinetic energy density. It is half the density times the squared speed."""
    return 0.5 * density * square(velocity)


@flows.formula(ranks=(1, 2))
def thinned_depth(
    k: Builder, depth: Depth, depths: Depths, velocities: Velocities, dt: Dt, dx: Dx
) -> NewDepth:
    """Continuity step of the water depth. It takes central differences and keeps depths from falling below
    zero.
    """
    water, stream = around(k, depths), around(k, velocities)
    terms = []
    for axis in axes(k):
        before, after = water.pair(axis)
        slow, fast = (along(k, one, axis) for one in stream.pair(axis))
        terms.append(after * fast - before * slow)
    return ops.max(depth - 0.5 * dt / dx * total(terms), 0.0)


@flows.formula(ranks=(1, 2))
def sloped_velocity(
    k: Builder,
    velocity: Velocity,
    depths: Depths,
    bed_heights: BedHeights,
    gravity: Gravity,
    friction: Share,
    dt: Dt,
    dx: Dx,
) -> NewVelocity:
    """Shallow-water velocity update with friction. Water flows down the slope of its surface."""
    water, ground = around(k, depths, POSITIVE), around(k, bed_heights, POSITIVE)
    surface = []
    for axis in axes(k):
        (low, high), (bed_low, bed_high) = water.pair(axis), ground.pair(axis)
        rise = (high + bed_high - low - bed_low) / (2.0 * dx)
        surface.append(k.let(f"rise_{letter(k, axis)}", rise))
    return bounded((velocity - gravity * dt * vector(k, surface)) / (1.0 + friction * dt), -1e4, 1e4)


@flows.formula(ranks=(1, 2))
def shallow_water_energy(k: Builder, depth: Depth, velocity: Velocity, gravity: Gravity) -> FlowEnergy:
    """Shallow-water energy density. It is kinetic plus potential energy of the water column."""
    return 0.5 * depth * (square(velocity) + gravity * depth)


def curl(k: Builder, near: Field, slope: Callable[[Field, int, int], Expr]) -> Expr:
    """The curl of a vector field, from slopes of a component along an axis."""
    axis = {component(k, one): one for one in axes(k)}
    parts = [
        slope(near, axis[(one + 1) % 3], (one + 2) % 3) - slope(near, axis[(one + 2) % 3], (one + 1) % 3)
        for one in range(3)
    ]
    return construct(Vector(3, k.real), *(k.let(f"curl_{'xyz'[at]}", one) for at, one in enumerate(parts)))


@flows.formula(ranks=(3,), source="Yee 1966")
def forward_electric_curl(
    k: Builder, electric_field: ElectricField, electric_fields: ElectricFields, dx: Dx
) -> ElectricCurl:
    """Curl of the electric field by forward differences. On Yee's staggered grid, it lies where the magnetic
    field does.
    """
    return curl(
        k,
        around(k, electric_fields),
        lambda near, axis, part: (near.side(axis, 1)[part] - electric_field[part]) / dx,
    )


@flows.formula(ranks=(3,), source="Yee 1966")
def backward_magnetic_curl(
    k: Builder, magnetic_field: MagneticField, magnetic_fields: MagneticFields, dx: Dx
) -> MagneticCurl:
    """Curl of the magnetic field by backward differences. On Yee's staggered grid, it lies where the electric
    field does.
    """
    return curl(
        k,
        around(k, magnetic_fields),
        lambda near, axis, part: (magnetic_field[part] - near.side(axis, -1)[part]) / dx,
    )


@flows.formula(ranks=(3,), source="Yee 1966")
def yee_magnetic_field(
    k: Builder, magnetic_field: MagneticField, electric_curl: ElectricCurl, permeability: Factor, dt: Dt
) -> NewMagneticField:
    """Yee update of the magnetic field. It follows the curl of the electric field."""
    return magnetic_field - dt / permeability * electric_curl


@flows.formula(ranks=(3,), source="Yee 1966")
def yee_electric_field(
    k: Builder,
    electric_field: ElectricField,
    magnetic_curl: MagneticCurl,
    current: Current,
    permittivity: Permittivity,
    dt: Dt,
) -> NewElectricField:
    """Yee update of the electric field. It follows the curl of the magnetic field."""
    return electric_field + dt / permittivity * (magnetic_curl - current)


@flows.formula(ranks=(2,), source="Taylor and Green 1937")
def taylor_green_velocity(k: Builder, strength: Share) -> Velocity:
    """Initialize the velocity with a Taylor-Green vortex. The velocity is free of divergence."""
    y, x = (k.let(f"angle_{letter(k, axis)}", TWO_PI * centered(k, axis)) for axis in (0, 1))
    parts = ops.cos(x) * ops.sin(y), -ops.sin(x) * ops.cos(y)
    return strength * construct(Vector(2, k.real), *parts)


@flows.formula(ranks=(1, 2))
def dam_break_depth(
    k: Builder, wet_depth: Annotated[Expr, Setting(1.2, 2.0)], dry_depth: Annotated[Expr, Setting(0.5, 1.0)]
) -> Depth:
    """Initialize the water depth with a dam break. The dam is in the middle of the grid."""
    across = centered(k, axes(k)[-1])
    return conditional(across < 0.0, wet_depth, dry_depth)

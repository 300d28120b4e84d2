"""Finite elements: linear triangles and tetrahedra, what is elastic about them, heat in them."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.domains.joined import EQUAL, Joins, nodal
from weft.kernels.domains.motion import position
from weft.kernels.domains.terms import Terms
from weft.kernels.expressions import bounded, construct, identity, ops
from weft.kernels.formulas import Domain, Quantity, Scatter, Setting, space, square_matrix
from weft.kernels.program import Expr, Redraw
from weft.types import Matrix, Vector

corners = Joins("element_nodes", ("n0", "n1", "n2", "n3"), simplex=True)


def column(k: Builder, matrix: Expr, j: int) -> Expr:
    """A column of a matrix."""
    return construct(Vector(k.dimension, k.real), *(matrix[i, j] for i in range(k.dimension)))


def balanced(shares: list[Expr]) -> list[Expr]:
    """The shares of all nodes but the first, which gets the opposite of their sum, before them."""
    first, *others = shares
    total = first
    for one in others:
        total = total + one
    return [-total, *shares]


COLUMNS = Scatter(
    "The forces are added to the nodes by atomics, and the opposite of their sum to node 0",
    lambda k, value, count: balanced([k.let(f"f{j + 1}", column(k, value, j)) for j in range(count - 1)]),
)
ROWS = Scatter(
    "Each component is added to a node by atomics, and the opposite of their sum to the first node",
    lambda k, value, count: balanced([value[j] for j in range(count - 1)]),
)

element = Domain("element", index=("e", "element", "i"), nodes=corners)
term = Terms(element)
displacement = Quantity("displacement", -0.3, 0.3, space)
temperature = Quantity("temperature", 0.0, 1.0)
term.quantities(
    square_matrix, rest_inverse=(-1.0, 1.0), strain=(-0.2, 0.2), stress=(-3.0, 3.0),
)  # fmt: skip
term.quantity("rest_volume", 0.1, 1.0, additive=True)
term.quantity("volume_ratio", 0.4, 1.6, computed=True, extremal=True, least=-1e5)
term.quantity("green_strain", -0.3, 0.5, square_matrix, told="Green strain")
term.quantity("piola_stress", -3.0, 3.0, square_matrix, told="first Piola-Kirchhoff stress")
term.quantity("stress_deviator", -2.0, 2.0, square_matrix, computed=True)
term.quantity("mean_stress", -2.0, 2.0, computed=True, extremal=True)
term.quantity("von_mises_stress", 0.0, 4.0, extremal=True, told="von Mises stress")
term.quantity("yield_function", -2.0, 2.0, extremal=True)
term.quantity("safety_factor", 0.5, 5.0, least=0.0)
term.quantity("returned_stress", -2.0, 2.0, square_matrix)
term.quantity("energy_density", 0.0, 2.0, least=-1e9)
term.quantity("strain_energy", 0.0, 2.0, additive=True, least=-1e9)
term.quantity(
    "nodal_forces", -3.0, 3.0, square_matrix, told="matrix of nodal forces", plural="force_matrices",
    scatter=COLUMNS,
)  # fmt: skip
term.quantity("volume", 0.05, 1.0, additive=True, least=-1e5)
term.quantity("element_mass", 0.1, 2.0, additive=True, scatter=EQUAL, told="mass")
term.quantity("body_load", -4.0, 4.0, space, scatter=EQUAL, told="load")
term.quantities(
    square_matrix, edge_matrix=(-1.0, 1.0), deformation_gradient=(-0.5, 1.5),
    displacement_gradient=(-0.3, 0.3), cofactor_matrix=(-1.0, 1.0),
    computed=True,
)  # fmt: skip
conductor = Domain("element", index=("e", "element", "i"), nodes=corners)
warm = Terms(conductor)
warm.know(term["rest_inverse"], term["rest_volume"])
warm.quantities(space, temperature_gradient=(-1.0, 1.0), heat_flux=(-1.0, 1.0))
warm.quantity("mean_temperature", 0.0, 1.0, computed=True, extremal=True, most=1e3)
warm.quantity(
    "nodal_flows", -1.0, 1.0, space, plural="flow_vectors", scatter=ROWS, told="vector of nodal heat flows"
)
warm.quantities(conductivity=(0.2, 1.0), heat_source=(-1.0, 1.0))
warm.quantities(heat_content=(0.0, 2.0), source_load=(-1.0, 1.0), additive=True, scatter=EQUAL)
term.settings(
    lame_lambda=(0.5, 3.0),
    lame_mu=(0.5, 3.0),
    youngs_modulus=(1.0, 5.0),
    poissons_ratio=(0.1, 0.4),
    yield_stress=(0.5, 2.0),
    friction=(0.1, 0.4),
    material_density=(0.5, 2.0),
)
term.names["gravity"] = Annotated[Expr, Setting(-6.0, 6.0, "p", space)]  # fmt: skip
warm.settings(
    heat_capacity=(0.5, 2.0), temperature_coefficient=(-0.4, 0.4), reference_conductivity=(0.05, 0.5)
)


def one(k: Builder) -> Expr:
    """The identity matrix of the kernel's plane or space."""
    return identity(Matrix(k.dimension, k.dimension, k.real))


def at_corners(k: Builder, of: Quantity, letter: str) -> list[Expr]:
    """The values of a nodal quantity at the nodes of the thread's element."""

    def read(slot: int) -> Expr:
        key = f"{letter}{slot} in {k.name}"
        return k.once(key, lambda: k.let(f"{letter}{slot}", nodal(k, of)[corners.number(k, slot)]))

    slots = range(k.dimension + 1)
    for slot in slots:
        corners.number(k, slot)
    return [read(slot) for slot in slots]


def spans(k: Builder, of: Quantity, letter: str) -> Expr:
    """The matrix of differences from the first node to the others."""
    first, *others = at_corners(k, of, letter)
    return ops.matrix_from_cols(*(other - first for other in others))


def _cofactors(k: Builder, deformation_gradient: Expr) -> Expr:
    f = deformation_gradient
    if k.dimension == 2:
        return construct(f.type, f[1, 1], -f[1, 0], -f[0, 1], f[0, 0])
    return ops.matrix_from_rows(ops.cross(f[1], f[2]), ops.cross(f[2], f[0]), ops.cross(f[0], f[1]))


def _isotropic(k: Builder, strain: Expr, lame_lambda: Expr, lame_mu: Expr) -> Expr:
    return lame_lambda * ops.trace(strain) * one(k) + 2.0 * lame_mu * strain


def _technical(k: Builder, strain: Expr, youngs_modulus: Expr, poissons_ratio: Expr) -> Expr:
    mu = k.let("mu", youngs_modulus / (2.0 * (1.0 + poissons_ratio)))
    compression = k.let("lam", 2.0 * mu * poissons_ratio / (1.0 - 2.0 * poissons_ratio))
    return _isotropic(k, strain, compression, mu)


def _safe(k: Builder, volume_ratio: Expr) -> Expr:
    """The volume ratio, away from zero, which an inverted element may have."""
    return bounded(k.let("safe_ratio", ops.max(volume_ratio, 0.1)), 0.1, 1e5)


def _neo_hookean(
    k: Builder, deformation_gradient: Expr, cofactor_matrix: Expr, volume_ratio: Expr, lame_lambda: Expr,
    lame_mu: Expr,
) -> Expr:  # fmt: skip
    safe = _safe(k, volume_ratio)
    scale = k.let("scale", (lame_lambda * ops.log(safe) - lame_mu) / safe)
    return lame_mu * deformation_gradient + scale * cofactor_matrix


def _neo_hookean_density(
    k: Builder, deformation_gradient: Expr, volume_ratio: Expr, lame_lambda: Expr, lame_mu: Expr
) -> Expr:
    log_ratio = k.let("log_ratio", ops.log(_safe(k, volume_ratio)))
    excess = ops.ddot(deformation_gradient, deformation_gradient) - float(k.dimension)
    return 0.5 * lame_mu * excess + (0.5 * lame_lambda * log_ratio - lame_mu) * log_ratio


def _stable(
    k: Builder, deformation_gradient: Expr, cofactor_matrix: Expr, volume_ratio: Expr, lame_lambda: Expr,
    lame_mu: Expr,
) -> Expr:  # fmt: skip
    square = ops.ddot(deformation_gradient, deformation_gradient)
    square = bounded(k.let("first_invariant", square), 0.0, 1e6)
    shear = (1.0 - 1.0 / (square + 1.0)) * deformation_gradient
    rest = lame_mu / lame_lambda * round(k.dimension / (k.dimension + 1.0), 6)
    return lame_mu * shear + lame_lambda * (volume_ratio - 1.0 - rest) * cofactor_matrix


def three_only(k: Builder) -> None:
    """In the plane, stresses have a third component that their matrices do not hold."""
    if k.dimension != 3:
        raise Redraw("three dimensions are needed")


def _mises_norm(k: Builder, stress_deviator: Expr) -> Expr:
    three_only(k)
    return ops.sqrt(bounded(1.5 * ops.ddot(stress_deviator, stress_deviator), 0.0, 1e12))


def _plane_mises(k: Builder, stress: Expr) -> Expr:
    if k.dimension != 2:
        raise Redraw("two dimensions are needed")
    x, y, xy = stress[0, 0], stress[1, 1], stress[0, 1]
    return ops.sqrt(bounded(x * x - x * y + y * y + 3.0 * (xy * xy), 0.0, 1e12))


def _return(
    k: Builder, stress_deviator: Expr, mean_stress: Expr, von_mises_stress: Expr, yield_stress: Expr
) -> Expr:
    three_only(k)
    scale = k.let("scale", ops.min(yield_stress / ops.max(von_mises_stress, 1e-6), 1.0))
    return bounded(scale, 0.0, 1.0) * stress_deviator + mean_stress * one(k)


def _temperature_slope(k: Builder, rest_inverse: Expr) -> Expr:
    first, *others = at_corners(k, temperature, "t")
    rises = construct(Vector(k.dimension, k.real), *(other - first for other in others))
    return ops.transpose(rest_inverse) @ k.let("rises", rises)


def _mean_temperature(k: Builder) -> Expr:
    first, *others = at_corners(k, temperature, "t")
    total = first
    for other in others:
        total = total + other
    return total / float(k.dimension + 1)


term.table(
    ("nodal_edge_matrix", "edge_matrix", "Edge matrix of an element", lambda k: spans(k, position, "x"),
     {"goal": False}),
    ("edge_deformation", "deformation_gradient", "Deformation gradient of a linear element",
     lambda edge_matrix, rest_inverse: edge_matrix @ rest_inverse,
     {"law": "finite", "goal": False, "source": "Sifakis and Barbic 2012"}),
    ("nodal_displacement_gradient", "displacement_gradient", "Displacement gradient of a linear element. "
     "It is the same all over the element",
     lambda k, rest_inverse: spans(k, displacement, "u") @ rest_inverse, {"law": "linear"}),
    ("deformation_cofactors", "cofactor_matrix", "Cofactors of the deformation gradient",
     _cofactors, {"goal": False, }),
    ("deformation_determinant", "volume_ratio", "Volume ratio. "
     "It is the determinant of the deformation gradient, 1 where the volume is kept",
     lambda deformation_gradient: ops.determinant(deformation_gradient), {"within": (-1e4, 1e4)}),
    ("linear_strain", "strain", "Small strain tensor. It is the symmetric part of the displacement gradient",
     lambda displacement_gradient: 0.5 * (displacement_gradient + ops.transpose(displacement_gradient)),
     {"law": "linear"}),
    ("green_lagrange_strain", "green_strain", "Green-Lagrange strain. It vanishes under rotations",
     lambda k, deformation_gradient: (
         0.5 * (ops.transpose(deformation_gradient) @ deformation_gradient - one(k))
     ), {"source": "Bonet and Wood 2008"}),
    ("hooke_stress", "stress", "Linear elastic stress from Lamé's parameters. "
     "It is lambda tr(E) I + 2 mu E for the strain E", _isotropic, {"law": "linear"}),
    ("technical_stress", "stress", "Linear elastic stress from Young's modulus and Poisson's ratio",
     _technical,
     {"law": "linear"}),
    ("cauchy_stress", "stress", "Cauchy stress. "
     "It is P F^T / J of the first Piola-Kirchhoff stress P, where J counts as 0.1 if it is less",
     lambda k, piola_stress, deformation_gradient, volume_ratio: (
         piola_stress @ ops.transpose(deformation_gradient) / _safe(k, volume_ratio)
     ), {"law": "finite", "within": (-1e5, 1e5)}),
    ("saint_venant_kirchhoff_stress", "piola_stress", "Saint Venant-Kirchhoff first Piola-Kirchhoff stress. "
     "It is the linear law for the Green strain, times the deformation gradient",
     lambda k, deformation_gradient, green_strain, lame_lambda, lame_mu: (
         deformation_gradient @ k.let("second_stress", _isotropic(k, green_strain, lame_lambda, lame_mu))
     ), {"law": "finite saint venant"}),
    ("neo_hookean_stress", "piola_stress", "Neo-Hookean first Piola-Kirchhoff stress. "
     "It is mu (F - F^-T) + lambda ln(J) F^-T, where J, the determinant of F, counts as 0.1 if it is less, "
     "so that inverted elements stay finite", _neo_hookean,
     {"law": "finite neo-hookean"}),
    ("stable_neo_hookean_stress", "piola_stress", "Stable neo-Hookean first Piola-Kirchhoff stress. "
     "It stays finite where elements are inverted, and the term in mu / lambda makes the rest state "
     "free of stress", _stable,
     {"law": "finite stable", "source": "Smith, De Goes and Kim 2018"}),
    ("trace_free_stress", "stress_deviator", "Deviatoric stress",
     lambda k, stress, mean_stress: stress - mean_stress * one(k), {"goal": False}),
    ("mean_of_diagonal", "mean_stress", "Mean stress",
     lambda k, stress: ops.trace(stress) / float(k.dimension), {"goal": False}),
    ("deviator_mises_stress", "von_mises_stress",
     "Von Mises stress. It is the root of 3/2 times the squared deviator",
     _mises_norm,
     {"source": "von Mises 1913"}),
    ("plane_mises_stress", "von_mises_stress", "Plane-stress von Mises stress. "
     "The components out of the plane are zero", _plane_mises,
     {"source": "von Mises 1913"}),
    ("mises_yield_function", "yield_function",
     "Von Mises yield function. It is the von Mises stress minus the yield stress, and positive beyond "
     "the elastic range",
     lambda von_mises_stress, yield_stress: von_mises_stress - yield_stress),
    ("drucker_prager_yield", "yield_function",
     "Drucker-Prager yield function. It is sqrt(J2) + friction I1 - yield stress, with tension positive, "
     "so that pressure raises the strength",
     lambda k, stress, stress_deviator, friction, yield_stress: (
         k.let("sqrt_j2", ops.sqrt(bounded(0.5 * ops.ddot(stress_deviator, stress_deviator), 0.0, 1e12)))
         + friction * ops.trace(stress) - yield_stress
     ), {"source": "Drucker and Prager 1952"}),
    ("mises_reserve", "safety_factor", "Von Mises safety factor. "
     "It is the yield stress over the von Mises stress",
     lambda von_mises_stress, yield_stress: yield_stress / ops.max(von_mises_stress, 1e-3)),
    ("radial_return", "returned_stress",
     "Radial return to the von Mises yield surface. Stresses inside the surface stay as they are",
     _return,
     {"source": "Simo and Hughes 1998"}),
    ("linear_energy_density", "energy_density", "Linear elastic energy density. "
     "It is half the product of stress and strain",
     lambda stress, strain: 0.5 * ops.ddot(stress, strain), {"law": "linear"}),
    ("saint_venant_kirchhoff_density", "energy_density", "Saint Venant-Kirchhoff energy density. "
     "It is mu E : E + lambda / 2 tr(E)^2 for the Green strain E",
     lambda k, green_strain, lame_lambda, lame_mu: (
         lame_mu * ops.ddot(green_strain, green_strain) + 0.5 * lame_lambda
         * ((total := k.let("trace", ops.trace(green_strain))) * total)
     ), {"law": "finite saint venant"}),
    ("neo_hookean_density", "energy_density", "Neo-Hookean energy density. "
     "It is mu / 2 (F : F - d) - mu ln(J) + lambda / 2 ln(J)^2 in d dimensions, where J, the determinant "
     "of F, counts as 0.1 if it is less",
     _neo_hookean_density, {"law": "finite neo-hookean"}),
    ("volume_energy", "strain_energy", "Strain energy of an element. "
     "It is the energy density times the volume at rest",
     lambda energy_density, rest_volume: energy_density * rest_volume),
    ("piola_forces", "nodal_forces",
     "Nodal forces from the first Piola-Kirchhoff stress. Column k is the force on node k + 1",
     lambda piola_stress, rest_inverse, rest_volume: (
         -rest_volume * (piola_stress @ ops.transpose(rest_inverse))
     ), {"law": "finite", "source": "Sifakis and Barbic 2012"}),
    ("stress_forces", "nodal_forces", "Nodal forces from the small-strain stress. "
     "Column k is the force on node k + 1",
     lambda stress, rest_inverse, rest_volume: -rest_volume * (stress @ ops.transpose(rest_inverse)),
     {"law": "linear"}),
    ("edge_volume", "volume", "Signed volume of an element. "
     "It is negative for inverted elements",
     lambda k, edge_matrix: ops.determinant(edge_matrix) / (2.0 if k.dimension == 2 else 6.0)),
    ("stretched_volume", "volume", "Deformed element volume. "
     "It is the volume at rest times the volume ratio",
     lambda rest_volume, volume_ratio: rest_volume * volume_ratio),
    ("body_mass", "element_mass", "Element mass. "
     "It is the density times the volume at rest",
     lambda rest_volume, material_density: material_density * rest_volume),
    ("gravity_load", "body_load", "Gravity load of an element",
     lambda element_mass, gravity: element_mass * gravity),
)  # fmt: skip
warm.table(
    ("mean_of_nodes", "mean_temperature", "Mean temperature of the nodes",
     _mean_temperature, {"goal": False}),
    ("nodal_temperature_gradient", "temperature_gradient", "Temperature gradient of a linear element. "
     "It is the same all over the element",
     _temperature_slope),
    ("linear_in_temperature", "conductivity", "Temperature-dependent conductivity. "
     "It is linear in the mean temperature of the nodes",
     lambda mean_temperature, temperature_coefficient, reference_conductivity: (
         reference_conductivity * (1.0 + temperature_coefficient * mean_temperature)
     ),
     {"within": (1e-3, 1e3)}),
    ("fourier_flux", "heat_flux", "Heat flux by Fourier's law. Heat flows down the temperature gradient",
     lambda conductivity, temperature_gradient: -conductivity * temperature_gradient),
    ("conducted_flows", "nodal_flows",
     "Nodal heat flows of an element. They are the element's share of the heat that flows into each node",
     lambda rest_volume, rest_inverse, heat_flux: rest_volume * (rest_inverse @ heat_flux)),
    ("stored_heat", "heat_content",
     "Heat content of an element. It is capacity times volume times mean temperature",
     lambda rest_volume, mean_temperature, heat_capacity: heat_capacity * rest_volume * mean_temperature),
    ("source_heat_load", "source_load", "Heat source load of an element. "
     "It is the element's volume times its source",
     lambda rest_volume, heat_source: rest_volume * heat_source),
)  # fmt: skip

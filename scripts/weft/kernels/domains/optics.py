"""Optics: light at surfaces, through lenses, slits and films."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.cases import cases, either
from weft.kernels.constants import INV_FOUR_PI, INV_PI, PI, TWO_PI
from weft.kernels.domains.elementary import as_float, square
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.program import Expr

ray = Domain("ray", index=("i", "ray"), half=True)

cosine = Quantity("incidence_cosine", 0.05, 1.0)
index_in = Quantity("incident_index", 1.0, 1.8, plural="incident_indices")
index_out = Quantity("transmitted_index", 1.0, 2.4, plural="transmitted_indices", least=1.0, most=5.0)
sine_square = Quantity("refracted_sine_square", 0.0, 1.5, least=0.0, most=10.0)
refracted = Quantity("refracted_cosine", 0.0, 1.0)
film_angle = Quantity("film_cosine", 0.6, 1.0)
reflectance = Quantity("reflectance", 0.0, 1.0)
transmittance = Quantity("transmittance", 0.0, 1.0)
wavelength = Quantity("wavelength", 0.4, 0.7)
path = Quantity("path_length", 0.1, 3.0)
radiance = Quantity("radiance", 0.0, 4.0)
intensity = Quantity("intensity", 0.0, 2.0, plural="intensities", least=0.0, most=1e6, extremal=True)
angle = Quantity("angle", -0.5, 0.5)
object_distance = Quantity("object_distance", 1.5, 20.0)
image_distance = Quantity("image_distance", -10.0, 10.0, least=-1e5, most=1e5)
focal = Quantity("focal_length", 0.3, 1.2, least=0.01, most=1e3)
magnification = Quantity("magnification", -2.0, 2.0, least=-1e6, most=1e6)
blur = Quantity("blur_radius", 0.0, 0.2, plural="blur_radii", least=0.0, most=1e5, extremal=True)
phase = Quantity("phase_function", 0.0, 2.0, least=0.0, most=1e4)
roughness = Quantity("roughness", 0.1, 0.9)
half_cosine = Quantity("half_cosine", 0.2, 1.0)
facets = Quantity("facet_density", 0.0, 5.0, plural="facet_densities", least=0.0, most=1e5)
shadowing = Quantity("shadowing", 0.0, 1.0)
specular = Quantity("specular_light", 0.0, 3.0, least=0.0, most=1e6, additive=True)
polarization = Quantity("polarization", 0.0, 1.0, least=-1.0, most=1.0)
ray_height = Quantity("ray_height", -0.2, 0.2, least=-1e4, most=1e4)
bounce_count = Quantity("bounce_count", 0, 20, whole, least=0, most=100)
view = Quantity("view_cosine", 0.1, 1.0)
display = Quantity("display_level", 0.0, 1.0)
entry_height = Quantity("height", -0.2, 0.2)
zone_kind = Quantity("crossing_kind", 0, 2, whole, least=0, most=2)

Cosine = Annotated[Expr, cosine]
IndexIn = Annotated[Expr, index_in]
IndexOut = Annotated[Expr, index_out]
SineSquare = Annotated[Expr, sine_square]
Refracted = Annotated[Expr, refracted]
Reflectance = Annotated[Expr, reflectance]
Transmittance = Annotated[Expr, transmittance]
Wavelength = Annotated[Expr, wavelength]
Path = Annotated[Expr, path]
Radiance = Annotated[Expr, radiance]
Intensity = Annotated[Expr, intensity]
Angle = Annotated[Expr, angle]
ObjectDistance = Annotated[Expr, object_distance]
ImageDistance = Annotated[Expr, image_distance]
Focal = Annotated[Expr, focal]
Phase = Annotated[Expr, phase]
Roughness = Annotated[Expr, roughness]
HalfCosine = Annotated[Expr, half_cosine]
Facets = Annotated[Expr, facets]
Shadowing = Annotated[Expr, shadowing]
Height = Annotated[Expr, ray_height]
SlitWidth = Annotated[Expr, Setting(1.0, 6.0)]
SlitGap = Annotated[Expr, Setting(4.0, 12.0)]
HECHT, PHARR = "Hecht 2017", "Pharr, Jakob and Humphreys 2023"
_EXP = ("transcendental",)


@ray.formula(source="Cauchy 1836")
def cauchy_index(
    k: Builder,
    wavelength: Wavelength,
    base_index: Annotated[Expr, Setting(1.4, 1.7)],
    dispersion: Annotated[Expr, Setting(0.003, 0.015)],
) -> IndexOut:
    """Refractive index by Cauchy's equation."""
    return base_index + dispersion / (wavelength * wavelength)


@ray.formula(source="Sellmeier 1871", teaches=("parameters",))
def sellmeier_index(
    k: Builder,
    wavelength: Wavelength,
    strength: Annotated[Expr, Setting(0.9, 1.5)],
    resonance: Annotated[Expr, Setting(0.006, 0.02)],
    infrared_strength: Annotated[Expr, Setting(0.005, 0.02)],
) -> IndexOut:
    """Refractive index by Sellmeier's equation."""
    light = k.let("square", wavelength * wavelength)
    inside = 1.0 + strength * light / (light - resonance) - infrared_strength * light
    return bounded(ops.sqrt(ops.max(bounded(inside, 1.0, 4.0), 1.0)), 1.0, 2.0)


@ray.formula(source="Snell 1621", goal=False)
def snell_sine_square(
    k: Builder, incidence_cosine: Cosine, incident_index: IndexIn, transmitted_index: IndexOut
) -> SineSquare:
    """Squared sine of the refracted angle, by Snell's law."""
    ratio = k.let("index_ratio", incident_index / transmitted_index)
    return bounded(ratio * ratio * (1.0 - incidence_cosine * incidence_cosine), 0.0, 3.3)


@ray.formula(source="Snell 1621", teaches=("branch",))
def snell_cosine(k: Builder, refracted_sine_square: SineSquare) -> Refracted:
    """Cosine of the refracted ray."""
    root = ops.sqrt(ops.max(1.0 - refracted_sine_square, 0.0))
    return bounded(either(k, "cosine", refracted_sine_square < 1.0, root, 0.0), 0.0, 1.0)


@ray.formula(source="Fresnel 1823")
def fresnel_reflectance(
    k: Builder,
    incidence_cosine: Cosine,
    refracted_cosine: Refracted,
    incident_index: IndexIn,
    transmitted_index: IndexOut,
) -> Reflectance:
    """Fresnel reflectance."""
    a = k.let("near_product", incident_index * incidence_cosine)
    b = k.let("far_product", transmitted_index * refracted_cosine)
    c = k.let("cross_near", transmitted_index * incidence_cosine)
    d = k.let("cross_far", incident_index * refracted_cosine)
    across, along = k.let("r_s", (a - b) / (a + b)), k.let("r_p", (c - d) / (c + d))
    return bounded(0.5 * (across * across + along * along), 0.0, 1.0)


@ray.formula(source="Schlick 1994")
def schlick_reflectance(
    k: Builder, incidence_cosine: Cosine, incident_index: IndexIn, transmitted_index: IndexOut
) -> Reflectance:
    """Schlick reflectance."""
    start = square(k, (incident_index - transmitted_index) / (incident_index + transmitted_index), "contrast")
    rest = k.let("one_minus_cos", 1.0 - incidence_cosine)
    fifth = k.let("fifth", rest * rest * rest * rest * rest)
    return bounded(start + (1.0 - start) * fifth, 0.0, 1.0)


@ray.formula(source="Gulbrandsen 2014", teaches=("parameters",), law="rendering metal")
def conductor_reflectance(
    k: Builder,
    incidence_cosine: Cosine,
    metal_index: Annotated[Expr, Setting(0.2, 2.0)],
    metal_extinction: Annotated[Expr, Setting(2.0, 6.0)],
    edge_tint: Annotated[Expr, Setting(0.8, 1.0)],
) -> Reflectance:
    """Fresnel reflectance of a metal."""
    size = k.let("n2_plus_k2", metal_index * metal_index + metal_extinction * metal_extinction)
    twice = k.let("twice", 2.0 * metal_index * incidence_cosine)
    light = k.let("square", incidence_cosine * incidence_cosine)
    across = (size - twice + light) / (size + twice + light)
    along = (size * light - twice + 1.0) / (size * light + twice + 1.0)
    return bounded(0.5 * edge_tint * (across + along), 0.0, 1.0)


@ray.formula(source="Brewster 1815")
def fresnel_polarization(
    k: Builder,
    incidence_cosine: Cosine,
    refracted_cosine: Refracted,
    incident_index: IndexIn,
    transmitted_index: IndexOut,
) -> Annotated[Expr, polarization]:
    """Degree of polarization after reflection."""
    a = k.let("near_product", incident_index * incidence_cosine)
    b = k.let("far_product", transmitted_index * refracted_cosine)
    c = k.let("cross_near", transmitted_index * incidence_cosine)
    d = k.let("cross_far", incident_index * refracted_cosine)
    across = k.let("reflected_across", square(k, (a - b) / (a + b), "across"))
    along = k.let("reflected_along", square(k, (c - d) / (c + d), "along"))
    return bounded((across - along) / ops.max(across + along, 1e-4), -1.0, 1.0)


@ray.formula(source="Bouguer 1729", teaches=_EXP)
def absorbed_transmittance(
    k: Builder, path_length: Path, absorption: Annotated[Expr, Setting(0.2, 2.0)]
) -> Transmittance:
    """Beer-Lambert transmittance."""
    return ops.exp(-absorption * path_length)


@ray.formula(source="Airy 1833", teaches=_EXP, law="rendering dielectric")
def etalon_transmittance(
    k: Builder,
    reflectance: Reflectance,
    wavelength: Wavelength,
    film_cosine: Annotated[Expr, film_angle],
    film_index: Annotated[Expr, Setting(1.2, 2.4)],
    film_thickness: Annotated[Expr, Setting(0.2, 1.0)],
) -> Transmittance:
    """Airy transmittance of an etalon."""
    half = k.let("half_phase", TWO_PI * film_index * film_thickness * film_cosine / wavelength)
    mirror = k.let("mirror", ops.min(reflectance, 0.95))
    finesse = 4.0 * mirror / square(k, 1.0 - mirror, "loss")
    return bounded(1.0 / (1.0 + bounded(finesse, 0.0, 2e3) * square(k, ops.sin(half), "wave")), 0.0, 1.0)


@ray.formula(source="Tyndall 1869", teaches=_EXP, law="rayleigh")
def scattered_transmittance(
    k: Builder, path_length: Path, wavelength: Wavelength, haze: Annotated[Expr, Setting(0.01, 0.05)]
) -> Transmittance:
    """Rayleigh transmittance."""
    light = k.let("square", wavelength * wavelength)
    return ops.exp(-haze * path_length / (light * light))


@ray.formula(source=HECHT)
def surface_intensity(
    k: Builder,
    radiance: Radiance,
    incidence_cosine: Cosine,
    reflectance: Reflectance,
    transmittance: Transmittance,
) -> Intensity:
    """Intensity behind a surface and a medium."""
    return bounded(radiance * incidence_cosine * (1.0 - reflectance) * transmittance, 0.0, 1e4)


@ray.formula(source="Malus 1809", teaches=_EXP)
def malus_intensity(
    k: Builder, radiance: Radiance, angle: Angle, axis_angle: Annotated[Expr, Setting(0.0, 1.5)]
) -> Intensity:
    """Malus's law for a polarizer."""
    return bounded(radiance * square(k, ops.cos(angle - axis_angle), "share"), 0.0, 10.0)


def sinc(k: Builder, x: Expr, name: str) -> Expr:
    """sin(x) / x."""
    safe = k.let(name, ops.max(ops.abs(x), 1e-3))
    return ops.sin(safe) / safe


@ray.formula(source="Fraunhofer 1821", teaches=_EXP, law="diffraction")
def slit_intensity(k: Builder, angle: Angle, wavelength: Wavelength, slit_width: SlitWidth) -> Intensity:
    """Single-slit diffraction intensity."""
    phase = PI * slit_width * ops.sin(angle) / wavelength
    return bounded(square(k, sinc(k, phase, "phase"), "amplitude"), 0.0, 1.1)


@ray.formula(source="Young 1804", teaches=_EXP, law="diffraction")
def double_slit_intensity(
    k: Builder, angle: Angle, wavelength: Wavelength, slit_width: SlitWidth, slit_gap: SlitGap
) -> Intensity:
    """Double-slit diffraction intensity."""
    scaled = k.let("scaled", PI * ops.sin(angle) / wavelength)
    envelope = square(k, sinc(k, slit_width * scaled, "phase"), "amplitude")
    return bounded(envelope * square(k, ops.cos(slit_gap * scaled), "fringe"), 0.0, 1.1)


@ray.formula(source="Fraunhofer 1821", teaches=("loop", "transcendental", "parameters"), law="diffraction")
def grating_intensity(
    k: Builder,
    angle: Angle,
    wavelength: Wavelength,
    slit_gap: SlitGap,
    slits: Annotated[Expr, Setting(4, 12, kind=whole)],
) -> Intensity:
    """Diffraction intensity behind a grating."""
    step = k.let("phase_step", TWO_PI * slit_gap * ops.sin(angle) / wavelength)
    real, imaginary = k.var("cosine_part", 0.0), k.var("sine_part", 0.0)
    with k.loop("slit", 0, slits) as slit:
        phase = k.let("wave_phase", convert(k.real, slit) * step)
        k.add(real, ops.cos(phase))
        k.add(imaginary, ops.sin(phase))
    return bounded((real * real + imaginary * imaginary) / square(k, as_float(k, slits), "count"), 0.0, 1.1)


@ray.formula(source="Huygens 1690", teaches=("loop", "nested loop", "transcendental"), law="diffraction")
def aperture_intensity(
    k: Builder,
    angle: Angle,
    wavelength: Wavelength,
    slit_width: SlitWidth,
    samples: Annotated[Expr, Setting(4, 8, kind=whole)],
) -> Intensity:
    """Diffraction intensity behind a square aperture."""
    wave = k.let("wave_number", TWO_PI / wavelength)
    pitch = k.let("sample_pitch", slit_width / as_float(k, samples))
    real, imaginary = k.var("cosine_part", 0.0), k.var("sine_part", 0.0)
    with k.loop("row", 0, samples) as row, k.loop("col", 0, samples) as col:
        x, y = convert(k.real, col) * pitch, convert(k.real, row) * pitch
        phase = k.let("wave_phase", wave * (x * ops.sin(angle) + 0.05 * y * y))
        k.add(real, ops.cos(phase))
        k.add(imaginary, ops.sin(phase))
    count = k.let("count", as_float(k, samples) * as_float(k, samples))
    return bounded((real * real + imaginary * imaginary) / (count * count), 0.0, 1.1)


@ray.formula(source="Halley 1693", goal=False)
def lensmaker_focal(
    k: Builder,
    transmitted_index: IndexOut,
    front_radius: Annotated[Expr, Setting(0.5, 1.5)],
    back_radius: Annotated[Expr, Setting(0.5, 1.5)],
) -> Focal:
    """Focal length by the lensmaker's equation."""
    power = (transmitted_index - 1.0) * (1.0 / front_radius + 1.0 / back_radius)
    return bounded(1.0 / ops.max(power, 0.1), 0.05, 10.0)


@ray.formula(source="Gauss 1841")
def thin_lens_image(k: Builder, object_distance: ObjectDistance, focal_length: Focal) -> ImageDistance:
    """Image distance by the thin-lens equation."""
    gap = k.let("denominator", object_distance - focal_length)
    return bounded(object_distance * focal_length / ops.max(gap, 0.05), 0.0, 1e5)


@ray.formula(source=HECHT, goal=False)
def lens_magnification(
    k: Builder, image_distance: ImageDistance, object_distance: ObjectDistance
) -> Annotated[Expr, magnification]:
    """Magnification of a lens."""
    return -image_distance / object_distance


@ray.formula(source="Potmesil and Chakravarty 1981")
def confusion_radius(
    k: Builder,
    image_distance: ImageDistance,
    aperture: Annotated[Expr, Setting(0.05, 0.3)],
    sensor_distance: Annotated[Expr, Setting(0.5, 1.5)],
) -> Annotated[Expr, blur]:
    """Circle-of-confusion radius."""
    return bounded(
        aperture * ops.abs(sensor_distance / ops.max(ops.abs(image_distance), 0.05) - 1.0), 0.0, 1e4
    )


@ray.formula(source="Kogelnik and Li 1966", teaches=("loop", "parameters"))
def relayed_height(
    k: Builder,
    height: Annotated[Expr, entry_height],
    angle: Angle,
    focal_length: Focal,
    spacing: Annotated[Expr, Setting(0.1, 0.5)],
    lenses: Annotated[Expr, Setting(2, 6, kind=whole)],
) -> Height:
    """Ray height behind a row of thin lenses."""
    y, slope = k.var("y", height, bounds=(-1e4, 1e4)), k.var("slope", angle, bounds=(-1e4, 1e4))
    with k.loop("_", 0, lenses):
        k.set(y, bounded(y + spacing * slope, -1e4, 1e4))
        k.set(slope, bounded(slope - y / focal_length, -1e4, 1e4))
    return y


PHASES: tuple[tuple[str, str, Callable[[Expr, Expr, Expr], Expr]], ...] = (
    ("henyey_greenstein", "Henyey-Greenstein phase function", lambda c, g, lobe: (1.0 - g * g) * lobe),
    ("cornette_shanks", "Cornette-Shanks phase function",
     lambda c, g, lobe: 1.5 * (1.0 - g * g) / (2.0 + g * g) * (1.0 + c * c) * lobe),
)  # fmt: skip


def _phase(name: str, whose: str, law: Callable[[Expr, Expr, Expr], Expr]) -> None:
    @ray.formula(name=name, doc=f"{whose}.", source=PHARR, teaches=_EXP, law="mie")
    def scattered(
        k: Builder, incidence_cosine: Cosine, asymmetry: Annotated[Expr, Setting(0.2, 0.8)]
    ) -> Phase:
        spread = bounded(1.0 + asymmetry * asymmetry - 2.0 * asymmetry * incidence_cosine, 0.03, 3.5)
        lobe = k.let("lobe", ops.pow(spread, -1.5))
        return bounded(law(incidence_cosine, asymmetry, lobe), 0.0, 100.0)


for _one in PHASES:
    _phase(*_one)


@ray.formula(source=PHARR, teaches=_EXP)
def scattered_intensity(
    k: Builder, radiance: Radiance, phase_function: Phase, path_length: Path, transmittance: Transmittance
) -> Intensity:
    """Single-scattering intensity."""
    return bounded(INV_FOUR_PI * radiance * phase_function * path_length * transmittance, 0.0, 1e5)


@ray.formula(source="Trowbridge and Reitz 1975")
def ggx_facets(k: Builder, half_cosine: HalfCosine, roughness: Roughness) -> Facets:
    """GGX normal distribution."""
    alpha = k.let("alpha_square", roughness * roughness * roughness * roughness)
    below = k.let("below", bounded(half_cosine * half_cosine * (alpha - 1.0) + 1.0, 2e-3, 1.0))
    return bounded(INV_PI * alpha / (below * below), 0.0, 1e5)


@ray.formula(source="Beckmann 1963", teaches=_EXP)
def beckmann_facets(k: Builder, half_cosine: HalfCosine, roughness: Roughness) -> Facets:
    """Beckmann normal distribution."""
    light, rough = k.let("square", half_cosine * half_cosine), k.let("rough_square", roughness * roughness)
    return bounded(ops.exp((light - 1.0) / (rough * light)) / (PI * rough * light * light), 0.0, 1e5)


@ray.formula(source="Phong 1975", teaches=_EXP)
def phong_facets(
    k: Builder, half_cosine: HalfCosine, shininess: Annotated[Expr, Setting(2.0, 8.0)]
) -> Facets:
    """Phong normal distribution."""
    return (shininess + 2.0) / TWO_PI * ops.pow(half_cosine, shininess)


@ray.formula(source="Smith 1967")
def smith_shadowing(
    k: Builder, incidence_cosine: Cosine, view_cosine: Annotated[Expr, view], roughness: Roughness
) -> Shadowing:
    """Smith shadowing."""
    alpha = k.let("half_alpha", 0.5 * roughness * roughness)
    light = incidence_cosine / (incidence_cosine * (1.0 - alpha) + alpha)
    return bounded(light * view_cosine / (view_cosine * (1.0 - alpha) + alpha), 0.0, 1.0)


@ray.formula(source="Cook and Torrance 1982")
def specular_radiance(
    k: Builder,
    facet_density: Facets,
    shadowing: Shadowing,
    reflectance: Reflectance,
    view_cosine: Annotated[Expr, view],
    radiance: Radiance,
) -> Annotated[Expr, specular]:
    """Cook-Torrance specular reflection."""
    lobe = facet_density * shadowing * reflectance
    return bounded(radiance * lobe / (4.0 * ops.max(view_cosine, 0.05)), 0.0, 1e6)


@ray.formula(source="Reinhard et al. 2002", teaches=("branches",), law="rendering")
def exposed_intensity(
    k: Builder, intensity: Intensity, exposure: Annotated[Expr, Setting(1.0, 2.0)]
) -> Annotated[Expr, display]:
    """Filmic display level with toe and shoulder."""
    light = k.let("light", exposure * intensity)
    toe, middle = (light < 0.1, 5.0 * light * light), (light < 0.8, light - 0.05)
    shown = cases(k, "display", toe, middle, rest=1.0 - 0.2 / ops.max(light, 0.8))
    return bounded(ops.clamp(shown, 0.0, 1.0), 0.0, 1.0)

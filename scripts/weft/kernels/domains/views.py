"""Views of a scene: warps, lenses, optical flow, stereo, depth and the mosaic of a sensor."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.domains.cells import Share, Small, beside, radius, square, total, window, window_size
from weft.kernels.expressions import bounded, conditional, construct, convert, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, vector, whole
from weft.kernels.neighbors import around, interpolated
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.types import Vector

views = Domain("pixel", ranks=(2,), half=True, bytes=True, things=False)

WITHIN = ("clamped", "clamped", "periodic")
CLAMPED = ("clamped",)

intensity = Quantity("intensity", 0.0, 1.0, plural="intensities")
next_intensity = Quantity("next_intensity", 0.0, 1.0, plural="next_intensities")
color = Quantity("color", 0.0, 1.0, vector(3))
ray = Quantity("ray", -0.8, 0.8, vector(2))
lens_ray = Quantity("lens_ray", -0.8, 0.8, vector(2), derived=True)
buffer = Quantity("buffer_value", 0.0, 1.0)
old_depth = Quantity("old_depth", 0.5, 20.0)
source_point = Quantity("source_point", 0.0, 60.0, vector(2), least=-1e6, most=1e6, derived=True)
warped = Quantity("warped_intensity", 0.0, 1.0, plural="warped_intensities")
warped_color = Quantity("warped_color", 0.0, 1.0, vector(3))
flow = Quantity("flow", -2.0, 2.0, vector(2), least=-1e6, most=1e6)
mean_flow = Quantity("mean_flow", -2.0, 2.0, vector(2), least=-1e6, most=1e6)
new_flow = Quantity("new_flow", -2.0, 2.0, vector(2), least=-1e7, most=1e7, updates=flow)
gradient = Quantity("gradient", -0.5, 0.5, vector(2))
change = Quantity("brightness_change", -0.5, 0.5, least=-10.0, most=10.0, derived=True)
flow_error = Quantity("flow_error", 0.0, 2.0, most=1e6, additive=True)
disparity = Quantity("disparity", 1.0, 12.0, plural="disparities", least=0.0)
left = Quantity("left_intensity", 0.0, 1.0, plural="left_intensities")
right = Quantity("right_intensity", 0.0, 1.0, plural="right_intensities")
cost = Quantity("matching_cost", 0.0, 2.0, most=1e4)
smoothness = Quantity("smoothness", 0.0, 2.0, plural="smoothness_values", additive=True)
energy = Quantity("matching_energy", 0.0, 4.0, plural="matching_energies", additive=True)
depth = Quantity("depth", 0.5, 20.0, least=1e-3, most=1e4)
point = Quantity("point", -10.0, 10.0, vector(3), least=-1e6, most=1e6)
normal = Quantity("normal", -1.0, 1.0, vector(3))
light = Quantity("shade", 0.0, 1.0)
incidence = Quantity("incidence", 0.0, 1.0)
depth_edge = Quantity("depth_edge", 0, 1, whole)
confidence = Quantity("confidence", 0.0, 1.0)
fused_depth = Quantity("fused_depth", 0.5, 20.0, least=0.0, updates=depth)
photometric = Quantity("photometric_error", 0.0, 1.0, additive=True)
mosaic = Quantity("mosaic_value", 0.0, 1.0)
green = Quantity("green", 0.0, 1.0)

Intensity = Annotated[Expr, intensity]
Intensities = Annotated[ArrayHandle, intensity]
NextIntensity = Annotated[Expr, next_intensity]
NextIntensities = Annotated[ArrayHandle, next_intensity]
Ray = Annotated[Expr, ray]
LensRay = Annotated[Expr, lens_ray]
SourcePoint = Annotated[Expr, source_point]
Warped = Annotated[Expr, warped]
Flow = Annotated[Expr, flow]
Flows = Annotated[ArrayHandle, flow]
MeanFlow = Annotated[Expr, mean_flow]
NewFlow = Annotated[Expr, new_flow]
Gradient = Annotated[Expr, gradient]
Change = Annotated[Expr, change]
Disparity = Annotated[Expr, disparity]
Disparities = Annotated[ArrayHandle, disparity]
LeftIntensity = Annotated[Expr, left]
LeftIntensities = Annotated[ArrayHandle, left]
RightIntensities = Annotated[ArrayHandle, right]
Cost = Annotated[Expr, cost]
Depth = Annotated[Expr, depth]
Depths = Annotated[ArrayHandle, depth]
Point = Annotated[Expr, point]
Points = Annotated[ArrayHandle, point]
Normal = Annotated[Expr, normal]
Confidence = Annotated[Expr, confidence]
FusedDepth = Annotated[Expr, fused_depth]
Shade = Annotated[Expr, light]
Smoothness = Annotated[Expr, smoothness]
Photometric = Annotated[Expr, photometric]
Incidence = Annotated[Expr, incidence]

Focal = Annotated[Expr, Setting(10.0, 30.0)]
Center = Annotated[Expr, Setting(2.0, 12.0, "p")]
Moderate = Annotated[Expr, Setting(0.1, 0.4)]
Weak = Annotated[Expr, Setting(-0.1, 0.1, "p")]
Shift = Annotated[Expr, Setting(1, 12, "p", whole)]
Angle = Annotated[Expr, Setting(-0.5, 0.5, "p")]


def pair(k: Builder, x: Expr, y: Expr) -> Expr:
    """A vector of two numbers."""
    return construct(Vector(2, k.real), x, y)


def places(k: Builder) -> tuple[Expr, Expr]:
    """The thread's column and row as numbers."""
    return convert(k.real, k.index[1]), convert(k.real, k.index[0])


# Where a pixel's ray goes, and where in the source image it is looked up.


@views.formula(ranks=(2,))
def pinhole_ray(k: Builder, focal: Focal, center_x: Center, center_y: Center) -> Ray:
    """Pinhole camera ray."""
    x, y = places(k)
    return bounded(pair(k, (x - center_x) / focal, (y - center_y) / focal), -1e4, 1e4)


@views.formula(ranks=(2,))
def centered_ray(k: Builder, field: Annotated[Expr, Setting(0.3, 0.8)]) -> Ray:
    """Camera ray from the field of view."""
    x, y = places(k)
    width, height = convert(k.real, k.extent(1)), convert(k.real, k.extent(0))
    across = field * (2.0 * x + 1.0 - width) / width
    return pair(k, across, field * (2.0 * y + 1.0 - height) / width)


@views.formula(source="Brown 1966")
def brown_distortion(k: Builder, ray: Ray, k1: Annotated[Expr, Setting(-0.3, 0.3, "p")], k2: Weak) -> LensRay:
    """Brown radial distortion."""
    r2 = k.let("r2", ops.min(ops.dot(ray, ray), 4.0))
    return bounded((1.0 + r2 * (k1 + k2 * r2)) * ray, -1e5, 1e5)


@views.formula(source="Brown 1966")
def tangential_distortion(k: Builder, ray: Ray, p1: Weak, p2: Weak) -> LensRay:
    """Tangential lens distortion."""
    x, y = k.let("ray_x", ray[0]), k.let("ray_y", ray[1])
    r2 = k.let("r2", x * x + y * y)
    shift_x = 2.0 * p1 * x * y + p2 * (r2 + 2.0 * x * x)
    shift_y = p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * x * y
    return bounded(ray + pair(k, shift_x, shift_y), -1e5, 1e5)


@views.formula(source="Fitzgibbon 2001")
def division_distortion(k: Builder, ray: Ray, strength: Share) -> LensRay:
    """Division-model lens distortion."""
    return bounded(ray / (1.0 + strength * square(ray)), -1e5, 1e5)


@views.formula(source="Kannala and Brandt 2006")
def fisheye_distortion(k: Builder, ray: Ray, k1: Weak) -> LensRay:
    """Equidistant fisheye distortion."""
    r = k.let("r", ops.max(ops.length(ray), 1e-4))
    theta = k.let("theta", bounded(ops.atan(r), 0.0, 1.5708))
    return bounded(theta * (1.0 + k1 * theta * theta) / r * ray, -1e5, 1e5)


@views.formula()
def focused_point(
    k: Builder, lens_ray: LensRay, focal: Focal, center_x: Center, center_y: Center
) -> SourcePoint:
    """Source pixel of a lens ray."""
    return bounded(focal * lens_ray + pair(k, center_x, center_y), -1e6, 1e6)


@views.formula(ranks=(2,))
def rotated_point(k: Builder, angle: Angle, center_x: Center, center_y: Center) -> SourcePoint:
    """Rotation about the image center."""
    x, y = places(k)
    across, down = k.let("dx", x - center_x), k.let("down", y - center_y)
    c, s = k.let("cosine", ops.cos(angle)), k.let("sine", ops.sin(angle))
    return bounded(pair(k, center_x + c * across - s * down, center_y + s * across + c * down), -1e6, 1e6)


@views.formula(ranks=(2,))
def scaled_point(k: Builder, zoom: Annotated[Expr, Setting(0.4, 2.5)]) -> SourcePoint:
    """Image scaling."""
    x, y = places(k)
    return bounded(pair(k, (x + 0.5) / zoom - 0.5, (y + 0.5) / zoom - 0.5), -1e6, 1e6)


@views.formula(ranks=(2,), source="Hartley and Zisserman 2004")
def projected_point(
    k: Builder,
    homography: Annotated[Expr, Setting(0.5, 1.5, "p", vector(3))],
    shear: Angle,
    tilt: Annotated[Expr, Setting(0.0005, 0.005)],
) -> SourcePoint:
    """Projective warp."""
    x, y = places(k)
    scale = k.let("scale", 1.0 / (homography[2] + tilt * (x + y)))
    return bounded(scale * pair(k, homography[0] * x + shear * y, homography[1] * y - shear * x), -1e6, 1e6)


@views.formula(ranks=(2,))
def flowed_point(k: Builder, flow: Flow) -> SourcePoint:
    """Source point along the optical flow."""
    x, y = places(k)
    return bounded(pair(k, x, y) + flow, -1e6, 1e6)


@views.formula(ranks=(2,))
def shifted_point(k: Builder, disparity: Disparity) -> SourcePoint:
    """View interpolation by half the disparity."""
    x, y = places(k)
    return bounded(pair(k, x - 0.5 * disparity, y), -1e6, 1e6)


@views.formula(ranks=(2,))
def swirled_point(
    k: Builder, ray: Ray, twist: Annotated[Expr, Setting(0.5, 3.0)], focal: Focal
) -> SourcePoint:
    """Swirl about the image axis."""
    angle = k.let("angle", twist * ops.exp(-square(ray)))
    c, s = k.let("cosine", ops.cos(angle)), k.let("sine", ops.sin(angle))
    turned = pair(k, c * ray[0] - s * ray[1], s * ray[0] + c * ray[1])
    return bounded(focal * (turned + pair(k, lift(0.5, k.real), lift(0.5, k.real))), -1e6, 1e6)


@views.formula()
def bilinear_lookup(k: Builder, source_point: SourcePoint, intensities: Intensities) -> Warped:
    """Bilinear image warp."""
    return bounded(interpolated(k, intensities, (source_point[1], source_point[0])), 0.0, 1.0)


@views.formula()
def bilinear_color_lookup(
    k: Builder, source_point: SourcePoint, colors: Annotated[ArrayHandle, color]
) -> Annotated[Expr, warped_color]:
    """Bilinear warp of a color image."""
    return bounded(interpolated(k, colors, (source_point[1], source_point[0])), 0.0, 1.0)


@views.formula()
def frame_change(k: Builder, intensity: Intensity, next_intensity: NextIntensity) -> Change:
    """Brightness change between two frames."""
    return next_intensity - intensity


@views.formula()
def warped_change(k: Builder, warped_intensity: Warped, next_intensity: NextIntensity) -> Change:
    """Brightness change after the warp."""
    return next_intensity - warped_intensity


@views.formula()
def frame_gradient(k: Builder, intensities: Intensities) -> Gradient:
    """Image gradient of the first frame."""
    near = around(k, intensities, WITHIN)
    (up, down), (left, right) = near.pair(0), near.pair(1)
    return pair(k, 0.5 * (right - left), 0.5 * (down - up))


@views.formula(source="Horn and Schunck 1981")
def mean_gradient(k: Builder, intensities: Intensities, next_intensities: NextIntensities) -> Gradient:
    """Mean image gradient of two frames."""
    first, second = around(k, intensities, WITHIN), around(k, next_intensities, WITHIN)
    (up, down), (left, right) = first.pair(0), first.pair(1)
    (next_up, next_down), (next_left, next_right) = second.pair(0), second.pair(1)
    return pair(k, 0.25 * (right - left + next_right - next_left), 0.25 * (down - up + next_down - next_up))


@views.formula(source="Horn and Schunck 1981")
def cross_mean_flow(k: Builder, flows: Flows) -> MeanFlow:
    """Mean optical flow of the four neighbors."""
    around(k, flows, WITHIN)
    return 0.25 * total(beside(k, flows))


@views.formula(source="Horn and Schunck 1981")
def window_mean_flow(k: Builder, flows: Flows) -> MeanFlow:
    """Mean optical flow of the window."""
    summed = k.var("flow_sum", pair(k, lift(0.0, k.real), lift(0.0, k.real)))
    reach = radius(k, 1, 2)
    window(k, around(k, flows, WITHIN), reach, lambda a, b, one: k.add(summed, one))
    return bounded(summed / window_size(k, reach), -1e6, 1e6)


@views.formula(source="Horn and Schunck 1981")
def horn_schunck_flow(
    k: Builder, mean_flow: MeanFlow, gradient: Gradient, brightness_change: Change, smoothness: Small
) -> NewFlow:
    """Horn-Schunck iteration."""
    violation = k.let("violation", ops.dot(gradient, mean_flow) + brightness_change)
    return bounded(mean_flow - violation / (smoothness + square(gradient)) * gradient, -1e7, 1e7)


@views.formula(source="Thirion 1998")
def demons_flow(k: Builder, flow: Flow, gradient: Gradient, brightness_change: Change) -> NewFlow:
    """Demons registration step."""
    strength = square(gradient) + brightness_change * brightness_change + 1e-3
    return bounded(flow - brightness_change / k.let("strength", strength) * gradient, -1e7, 1e7)


@views.formula(source="Lucas and Kanade 1981")
def lucas_kanade_flow(
    k: Builder,
    gradients: Annotated[ArrayHandle, gradient],
    brightness_changes: Annotated[ArrayHandle, change],
) -> NewFlow:
    """Lucas-Kanade optical flow."""
    slopes, changes = around(k, gradients, WITHIN), around(k, brightness_changes, WITHIN)
    xx, xy, yy = (k.var(name, start) for name, start in (("xx", 1e-2), ("xy", 0.0), ("yy", 1e-2)))
    bx, by = k.var("bx", 0.0), k.var("by", 0.0)

    def visit(a: Expr, b: Expr, one: Expr) -> None:
        slope, moved = k.let("slope", one), k.let("shifted", changes.moved(a, b))
        k.add(xx, slope[0] * slope[0])
        k.add(xy, slope[0] * slope[1])
        k.add(yy, slope[1] * slope[1])
        k.add(bx, slope[0] * moved)
        k.add(by, slope[1] * moved)

    window(k, slopes, k.rng.pick(1, 2), visit)
    scale = k.let("inverse", 1.0 / ops.max(bounded(xx * yy - xy * xy, -1e6, 1e6), 1e-4))
    return bounded(scale * pair(k, xy * by - yy * bx, xy * bx - xx * by), -1e7, 1e7)


@views.formula()
def endpoint_error(k: Builder, flow: Flow, mean_flow: MeanFlow) -> Annotated[Expr, flow_error]:
    """Endpoint error of the optical flow."""
    return bounded(ops.length(flow - mean_flow), 0.0, 1e6)


@views.formula()
def charbonnier_error(
    k: Builder, brightness_change: Change, softness: Annotated[Expr, Setting(0.01, 0.1)]
) -> Photometric:
    """Charbonnier photometric error."""
    penalty = ops.sqrt(brightness_change * brightness_change + softness * softness)
    return ops.min(penalty, 1.0)


@views.formula()
def truncated_error(k: Builder, brightness_change: Change, limit: Share) -> Photometric:
    """Truncated photometric error."""
    return ops.min(ops.abs(brightness_change), limit)


@views.formula()
def window_matching_cost(
    k: Builder, left_intensities: LeftIntensities, right_intensities: RightIntensities, shift: Shift
) -> Cost:
    """Sum-of-absolute-differences matching cost."""
    lefts, rights = around(k, left_intensities, CLAMPED), around(k, right_intensities, CLAMPED)
    summed = k.var("difference", 0.0)
    window(
        k, lefts, radius(k, 1, 2), lambda a, b, one: k.add(summed, ops.abs(one - rights.moved(a, b - shift)))
    )
    return bounded(summed, 0.0, 1e4)


@views.formula()
def squared_matching_cost(
    k: Builder, left_intensities: LeftIntensities, right_intensities: RightIntensities, shift: Shift
) -> Cost:
    """Sum-of-squared-differences matching cost."""
    lefts, rights = around(k, left_intensities, CLAMPED), around(k, right_intensities, CLAMPED)
    summed = k.var("squares", 0.0)

    def visit(a: Expr, b: Expr, one: Expr) -> None:
        difference = k.let("difference", one - rights.moved(a, b - shift))
        k.add(summed, difference * difference)

    window(k, lefts, radius(k, 1, 2), visit)
    return bounded(summed, 0.0, 1e4)


@views.formula(source="Birchfield and Tomasi 1998")
def interval_matching_cost(
    k: Builder, left_intensity: LeftIntensity, right_intensities: RightIntensities, shift: Shift
) -> Cost:
    """Birchfield-Tomasi matching cost."""
    row, col = k.index
    around(k, right_intensities, CLAMPED)
    there = k.let("match", ops.max(col - shift, 0))
    middle = k.let("center", right_intensities[row, there])
    before = k.let("before", 0.5 * (middle + right_intensities[row, ops.max(there - 1, 0)]))
    after = k.let("after", 0.5 * (middle + right_intensities[row, ops.min(there + 1, k.extent(1) - 1)]))
    lowest = ops.min(ops.min(before, after), middle)
    highest = ops.max(ops.max(before, after), middle)
    return bounded(ops.max(ops.max(lowest - left_intensity, left_intensity - highest), 0.0), 0.0, 1.0)


@views.formula()
def best_disparity(
    k: Builder,
    left_intensity: LeftIntensity,
    right_intensities: RightIntensities,
    disparity_count: Annotated[Expr, Setting(6, 16, "p", whole)],
) -> Disparity:
    """Winner-take-all disparity."""
    row, col = k.index
    lowest, best = k.var("lowest", 10.0, (0.0, 10.0)), k.var("best", lift(0, I32), (0, 15))
    with k.loop("d", 0, disparity_count) as d:
        there = right_intensities[row, ops.max(col - d, 0)]
        difference = k.let("difference", ops.abs(left_intensity - there))
        with k.when(difference < lowest):
            k.set(lowest, bounded(difference, 0.0, 1.0))
            k.set(best, d)
    return convert(k.real, best)


@views.formula()
def disparity_smoothness(
    k: Builder, disparity: Disparity, disparities: Disparities, penalty: Share
) -> Smoothness:
    """Truncated linear disparity smoothness."""
    around(k, disparities, WITHIN)
    jumps = [ops.min(ops.abs(one - disparity), 2.0) for one in beside(k, disparities)]
    return penalty * total(jumps)


@views.formula(source="Hirschmüller 2008")
def step_smoothness(
    k: Builder,
    disparity: Disparity,
    disparities: Disparities,
    small_penalty: Small,
    large_penalty: Annotated[Expr, Setting(0.4, 1.5)],
) -> Smoothness:
    """Semi-global matching penalties."""
    around(k, disparities, WITHIN)
    terms = []
    for one in beside(k, disparities):
        jump = ops.abs(one - disparity)
        terms.append(conditional(jump > 1.5, large_penalty, conditional(jump > 0.5, small_penalty, 0.0)))
    return total(terms)


@views.formula()
def stereo_energy(
    k: Builder, matching_cost: Cost, smoothness: Smoothness, weight: Share
) -> Annotated[Expr, energy]:
    """Stereo matching energy."""
    return matching_cost + weight * smoothness


@views.formula()
def triangulated_depth(k: Builder, disparity: Disparity, focal: Focal, baseline: Share) -> Depth:
    """Depth from disparity."""
    return focal * baseline / ops.max(disparity, 0.5)


@views.formula()
def buffer_depth(
    k: Builder,
    buffer_value: Annotated[Expr, buffer],
    near_plane: Moderate,
    far_plane: Annotated[Expr, Setting(5.0, 20.0)],
) -> Depth:
    """Linear depth from the depth buffer."""
    spread = far_plane - buffer_value * (far_plane - near_plane)
    return bounded(near_plane * far_plane / bounded(spread, 0.4, 1e3), 0.01, 1e3)


@views.formula()
def unprojected_point(k: Builder, ray: Ray, depth: Depth) -> Point:
    """Unproject pixels to points."""
    return bounded(depth * construct(Vector(3, k.real), ray[0], ray[1], 1.0), -1e6, 1e6)


@views.formula()
def crossed_normal(k: Builder, points: Points) -> Normal:
    """Normal from the neighboring points."""
    near = around(k, points, CLAMPED)
    (up, down), (left, right) = near.pair(0), near.pair(1)
    across, along = k.let("tangent_x", right - left), k.let("along", down - up)
    return ops.normalize(ops.cross(across, along))


@views.formula()
def depth_normal(k: Builder, depths: Depths, steepness: Annotated[Expr, Setting(0.5, 4.0)]) -> Normal:
    """Normal from a depth map."""
    near = around(k, depths, WITHIN)
    (up, down), (left, right) = near.pair(0), near.pair(1)
    x, y = steepness * (left - right), steepness * (up - down)
    return ops.normalize(construct(Vector(3, k.real), x, y, 1.0))


@views.formula()
def lambert_shading(
    k: Builder, normal: Normal, toward_light: Annotated[Expr, Setting(0.1, 0.57, "p", vector(3))]
) -> Shade:
    """Lambert shading."""
    return bounded(ops.max(ops.dot(normal, toward_light), 0.0), 0.0, 1.0)


@views.formula()
def head_light_shading(k: Builder, normal: Normal, ambient: Moderate) -> Shade:
    """Head-light shading."""
    return bounded(ambient + (1.0 - ambient) * ops.abs(normal[2]), 0.0, 1.0)


@views.formula()
def viewing_incidence(k: Builder, normal: Normal, point: Point) -> Incidence:
    """Cosine between normal and line of sight."""
    sight = k.let("sight", point / (ops.length(point) + 1e-3))
    return bounded(ops.min(ops.abs(ops.dot(normal, sight)), 1.0), 0.0, 1.0)


@views.formula()
def depth_discontinuity(
    k: Builder, depth: Depth, depths: Depths, jump: Moderate
) -> Annotated[Expr, depth_edge]:
    """Depth discontinuities."""
    around(k, depths, CLAMPED)
    nearest = [
        k.let(f"gap_{name}", one - depth)
        for name, one in zip(("up", "down", "left", "right"), beside(k, depths), strict=True)
    ]
    largest = ops.max(ops.max(nearest[0], nearest[1]), ops.max(nearest[2], nearest[3]))
    return conditional(largest > jump * depth, lift(1, I32), 0)


@views.formula()
def distance_confidence(
    k: Builder, depth: Depth, reliable: Annotated[Expr, Setting(2.0, 10.0)]
) -> Confidence:
    """Depth confidence."""
    ratio = k.let("ratio", ops.min(depth / reliable, 6.0))
    return bounded(ops.exp(-ratio * ratio), 0.0, 1.0)


@views.formula()
def grazing_confidence(k: Builder, incidence: Incidence, depth: Depth) -> Confidence:
    """Depth confidence at grazing angles."""
    return bounded(incidence / (1.0 + 0.1 * depth), 0.0, 1.0)


@views.formula(source="Curless and Levoy 1996")
def fused_with_old(
    k: Builder, depth: Depth, confidence: Confidence, old_depth: Annotated[Expr, old_depth]
) -> FusedDepth:
    """Confidence-weighted depth fusion."""
    return bounded(ops.lerp(old_depth, depth, confidence), 0.0, 1e4)


@views.formula()
def joint_bilateral_depth(
    k: Builder, intensity: Intensity, intensities: Intensities, depths: Depths, range_sigma: Moderate
) -> FusedDepth:
    """Joint bilateral depth filter."""
    guides, ranges = around(k, intensities, WITHIN), around(k, depths, WITHIN)
    weighed, weights = k.var("weighted_sum", 0.0), k.var("weight_sum", 0.0)

    def visit(a: Expr, b: Expr, one: Expr) -> None:
        contrast = k.let("contrast", (one - intensity) / range_sigma)
        weight = k.let("weight", ops.exp(-0.5 * (contrast * contrast)))
        k.add(weighed, weight * ranges.moved(a, b))
        k.add(weights, weight)

    window(k, guides, radius(k, 1, 2), visit)
    return bounded(weighed / bounded(weights, 1.0, 50.0), 0.0, 1e4)


# The mosaic of a sensor: red at even rows and columns, blue at odd ones, green elsewhere.

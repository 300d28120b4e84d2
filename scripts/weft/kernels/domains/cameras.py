"""What cameras see: points in their frames, projection and distortion, residuals of bundle adjustment."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.constants import Known
from weft.kernels.domains.bodies import SPACE, turn_by
from weft.kernels.expressions import bounded, conditional, construct, lift, ops
from weft.kernels.formulas import Domain, Kind, Quantity, Setting, matrix, number, rotation, vector, whole
from weft.kernels.program import Expr
from weft.kernels.types import I32

observation = Domain("observation", index=("i", "obs", "observation"))

PLANE = vector(2)


def found_by_index(name: str, array: str, owner: str, low: float, high: float, kind: Kind) -> Quantity:
    """What an observation finds at the camera that made it, or at the point that it is of."""

    def load(k: Builder, _: str) -> Expr:
        k.sizes[f"{owner}_count"] = "n // 4 + 3" if owner == "point" else "8"
        which = k.input(f"{owner}_indices", I32, k.shape, {"integers": [0, f"{owner}_count"]})[k.index]
        return k.input(array, kind(k), [f"{owner}_count"], uniform(low, high))[which]

    return Quantity(name, low, high, kind, load=load)


World = Annotated[Expr, found_by_index("world_point", "points", "point", 0.5, 4.0, SPACE)]
RotationVector = Annotated[
    Expr, found_by_index("rotation_vector", "rotation_vectors", "camera", -0.5, 0.5, SPACE)
]
Translation = Annotated[Expr, found_by_index("translation", "translations", "camera", -1.0, 1.0, SPACE)]
CameraCenter = Annotated[Expr, found_by_index("camera_center", "camera_centers", "camera", -1.0, 1.0, SPACE)]
CameraRotation = Annotated[
    Expr, found_by_index("camera_rotation", "camera_rotations", "camera", -1.0, 1.0, rotation)
]
Focal = Annotated[Expr, found_by_index("focal_length", "focal_lengths", "camera", 300.0, 600.0, number)]
Distortion = Annotated[Expr, found_by_index("distortion", "distortions", "camera", -0.05, 0.05, PLANE)]
Measured = Annotated[Expr, Quantity("measured_pixel", 0.0, 640.0, PLANE)]
CameraPoint = Annotated[Expr, Quantity("camera_point", -2.0, 4.0, SPACE, least=-60.0, most=60.0)]
ImagePoint = Annotated[Expr, Quantity("image_point", -0.6, 0.6, PLANE, least=-200.0, most=200.0)]
DistortedPoint = Annotated[
    Expr, Quantity("distorted_point", -0.6, 0.6, PLANE, least=-5e3, most=5e3, derived=True)
]
Pixel = Annotated[Expr, Quantity("pixel", 0.0, 640.0, PLANE, least=-1e7, most=1e7)]
Residual = Annotated[Expr, Quantity("residual", -5.0, 5.0, PLANE, least=-1e7, most=1e7)]
Error = Annotated[Expr, Quantity("reprojection_error", 0.0, 10.0, most=1e8, extremal=True)]
Cost = Annotated[Expr, Quantity("cost", 0.0, 20.0, most=1e16, additive=True)]
Weight = Annotated[Expr, Quantity("weight", 0.0, 1.0)]
Slope = Annotated[Expr, Quantity("column_slope", -300.0, 300.0, SPACE, least=-1e6, most=1e6)]
RowSlope = Annotated[Expr, Quantity("row_slope", -300.0, 300.0, SPACE, least=-1e6, most=1e6)]
Depth = Annotated[Expr, Quantity("depth", 2.0, 8.0, least=0.1)]
Visible = Annotated[Expr, Quantity("visible", 0, 1, whole, plural="visible_flags")]

Center = Annotated[Expr, Setting(200.0, 400.0, "p", PLANE)]
Scale = Annotated[Expr, Setting(1.0, 5.0)]
NEAR_PLANE = Known("NEAR_PLANE", 0.5)


@observation.formula(source="Agarwal et al. 2010")
def vector_posed_point(
    k: Builder, world_point: World, rotation_vector: RotationVector, camera_center: CameraCenter
) -> CameraPoint:
    """Transform a point into the camera frame by a rotation vector. The inverse of the camera's rotation is
    applied to the point relative to the camera.
    """
    return ops.quat_rotate_inv(turn_by(k, rotation_vector), world_point - camera_center)


@observation.formula(source="Agarwal et al. 2010")
def rodrigues_posed_point(
    k: Builder, world_point: World, rotation_vector: RotationVector, translation: Translation
) -> CameraPoint:
    """Transform a point into the camera frame by Rodrigues' formula. A rotation vector lies along the axis,
    and its length is the angle.
    """
    angle = k.let("angle", ops.max(ops.length(rotation_vector), 1e-6))
    axis = k.let("axis", bounded(rotation_vector / angle, -1.0, 1.0))
    cosine = k.let("cosine", ops.cos(angle))
    turned = cosine * world_point + ops.sin(angle) * ops.cross(axis, world_point)
    return bounded(turned + (1.0 - cosine) * ops.dot(axis, world_point) * axis, -10.0, 10.0) + translation


@observation.formula(source="Hartley and Zisserman 2004")
def turned_point(
    k: Builder, world_point: World, camera_center: CameraCenter, camera_rotation: CameraRotation
) -> CameraPoint:
    """World-to-camera transform of a point. The inverse of the camera's rotation is applied to the point
    relative to the camera.
    """
    return ops.quat_rotate_inv(ops.normalize(camera_rotation), world_point - camera_center)


@observation.formula(goal=False)
def distance_ahead(k: Builder, camera_point: CameraPoint) -> Depth:
    """Depth in front of the camera."""
    return ops.max(camera_point[2], NEAR_PLANE)


@observation.formula(source="Hartley and Zisserman 2004")
def pinhole_projection(k: Builder, camera_point: CameraPoint, depth: Depth) -> ImagePoint:
    """Pinhole projection. It divides x and y by the depth, before any focal length."""
    return construct(PLANE(k), camera_point[0] / depth, camera_point[1] / depth)


@observation.formula(source="Agarwal et al. 2010")
def radial_distortion(k: Builder, image_point: ImagePoint, distortion: Distortion) -> DistortedPoint:
    """Radial lens distortion with two coefficients. Coordinates are normalized by the depth."""
    square = k.let("square", ops.min(ops.dot(image_point, image_point), 4.0))
    return (1.0 + square * (distortion[0] + distortion[1] * square)) * image_point


@observation.formula(source="Kannala and Brandt 2006", law="fisheye")
def fisheye_lens_ray(k: Builder, image_point: ImagePoint, distortion: Distortion) -> DistortedPoint:
    """Kannala-Brandt fisheye distortion. The radius is an odd polynomial of the angle to the optical axis."""
    radius = k.let("radius", ops.max(ops.length(image_point), 1e-6))
    angle = k.let("angle", ops.atan(radius))
    square = k.let("angle_square", angle * angle)
    return (
        bounded(angle * (1.0 + square * (distortion[0] + distortion[1] * square)) / radius, 0.0, 1.5)
        * image_point
    )


@observation.formula(source="Hartley and Zisserman 2004")
def focused_pixel(k: Builder, distorted_point: DistortedPoint, focal_length: Focal, center: Center) -> Pixel:
    """Pixel coordinates from focal length and principal point. Pixel coordinates are column and row."""
    return focal_length * distorted_point + center


@observation.formula(source="Agarwal et al. 2010")
def pixel_residual(k: Builder, pixel: Pixel, measured_pixel: Measured) -> Residual:
    """Reprojection residual in pixels. It is the predicted minus the measured pixel."""
    return bounded(pixel - measured_pixel, -1e6, 1e6)


@observation.formula(source="Agarwal et al. 2010", goal=False)
def residual_length(k: Builder, residual: Residual) -> Error:
    """Reprojection error."""
    return ops.length(residual)


@observation.formula(source="Hartley and Zisserman 2004", goal=False)
def squared_cost(k: Builder, residual: Residual) -> Cost:
    """Half the squared reprojection error."""
    return 0.5 * ops.dot(residual, residual)


@observation.formula(source="Huber 1964", teaches=("branch",))
def huber_cost(k: Builder, reprojection_error: Error, scale: Scale) -> Cost:
    """Huber loss of the reprojection error. Errors above the threshold count linearly."""
    cost = k.var("robust_cost", 0.5 * reprojection_error * reprojection_error)
    with k.when(reprojection_error > scale):
        k.set(cost, scale * (reprojection_error - 0.5 * scale))
    return bounded(cost, 0.0, 1e14)


@observation.formula(source="Ceres Solver, CauchyLoss")
def cauchy_cost(k: Builder, reprojection_error: Error, scale: Scale) -> Cost:
    """Cauchy loss of the reprojection error. It is 0.5 scale^2 ln(1 + (e / scale)^2) for the error e, so that
    outliers count little.
    """
    ratio = k.let("ratio", reprojection_error / scale)
    return 0.5 * scale * scale * ops.log(1.0 + ratio * ratio)


@observation.formula(source="Huber 1964")
def huber_residual_weight(k: Builder, reprojection_error: Error, scale: Scale) -> Weight:
    """Huber weight of the reprojection error. It is 1 up to the threshold, and falls with the inverse of the
    error beyond.
    """
    return bounded(scale / ops.max(reprojection_error, scale), 0.0, 1.0)


@observation.formula(source="Triggs et al. 2000")
def column_derivative(k: Builder, camera_point: CameraPoint, depth: Depth, focal_length: Focal) -> Slope:
    """Derivative of the pixel column with respect to the camera point. Its components belong to
    x, y and z.
    """
    scale = k.let("scale", focal_length / depth)
    return construct(SPACE(k), scale, lift(0.0, k.real), -scale * camera_point[0] / depth)


@observation.formula(source="Triggs et al. 2000")
def row_derivative(k: Builder, camera_point: CameraPoint, depth: Depth, focal_length: Focal) -> RowSlope:
    """Derivative of the pixel row with respect to the camera point. Its components belong to x, y and z."""
    scale = k.let("scale", focal_length / depth)
    return construct(SPACE(k), lift(0.0, k.real), scale, -scale * camera_point[1] / depth)


@observation.formula(source="Hartley and Zisserman 2004", teaches=("branch",))
def frustum_check(
    k: Builder, camera_point: CameraPoint, half_view: Annotated[Expr, Setting(0.2, 0.5)]
) -> Visible:
    """Frustum visibility. It is 1 for a point beyond the near plane with x and y below `half_view` times its
    depth.
    """
    edge = k.let("edge", half_view * camera_point[2])
    seen = (
        (camera_point[2] > NEAR_PLANE) & (ops.abs(camera_point[0]) < edge) & (ops.abs(camera_point[1]) < edge)
    )
    return conditional(seen, lift(1, I32), 0)


@observation.formula(source="Usenko, Demmel and Cremers 2018", law="unified")
def unified_projection(
    k: Builder, camera_point: CameraPoint, depth: Depth, alpha: Annotated[Expr, Setting(0.2, 0.6)]
) -> ImagePoint:
    """Project points by the unified camera model. Points are divided by a blend of distance and
    depth, in which the distance has the weight `alpha`.
    """
    x, y = camera_point[0], camera_point[1]
    distance = k.let("distance", ops.sqrt(x * x + y * y + depth * depth))
    scale = k.let("scale", alpha * distance + (1.0 - alpha) * depth)
    return construct(PLANE(k), x / scale, y / scale)


@observation.formula(source="Hartley and Zisserman 2004")
def skewed_pixel(
    k: Builder, distorted_point: DistortedPoint,
    intrinsics: Annotated[Expr, Setting(200.0, 400.0, "p", matrix(2, 2))], center: Center,
) -> Pixel:  # fmt: skip
    """Pixel coordinates by an intrinsic matrix with skew. The matrix has focal lengths on its diagonal, and
    the skew above it.
    """
    return intrinsics @ distorted_point + center


@observation.formula(source="Geman and McClure 1985")
def geman_mcclure_cost(k: Builder, reprojection_error: Error, scale: Scale) -> Cost:
    """Geman-McClure loss of the reprojection error. It has a limit, so that outliers lose their pull."""
    square = k.let("square", reprojection_error * reprojection_error)
    return bounded(0.5 * square / (1.0 + square / (scale * scale)), 0.0, 1e3)

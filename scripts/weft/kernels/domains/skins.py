"""Vertices of a skin that follow the joints of a skeleton, and arms of several links, one a thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.domains.along import each
from weft.kernels.domains.bodies import SPACE, direction
from weft.kernels.expressions import bounded, construct, ops
from weft.kernels.formulas import Domain, Quantity, whole
from weft.kernels.intervals import INFINITY, Interval
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32
from weft.types import Matrix, Quaternion, Vector

skin = Domain(
    "vertex",
    index=("i", "v", "vertex"),
    sizes={"influences": (2, 3, 4, 4, 8), "bones": (12, 24, 40), "shapes": (3, 4, 6)},
)

rest = Quantity("rest_position", -1.0, 1.0, SPACE, least=-10.0, most=10.0)
posed = Quantity("posed_position", -2.0, 2.0, SPACE, least=-1e3, most=1e3, derived=True)

Rest = Annotated[Expr, rest]
Base = Annotated[Expr, Quantity("base_position", -1.0, 1.0, SPACE)]
Posed = Annotated[Expr, posed]
Normal = Annotated[Expr, direction("normal")]
PosedNormal = Annotated[Expr, Quantity("posed_normal", -1.0, 1.0, SPACE, derived=True)]
LEWIS = "Lewis, Cordner and Fong 2000"

Bone = Callable[[Expr, Expr], None]


def each_bone(k: Builder, visit: Bone) -> None:
    """Visit the bones that move the vertex, each with its weight."""
    skin.size(k, "bones")
    size = skin.size(k, "influences")
    bones = k.input("bone_ids", I32, [size, "n"], {"integers": [0, "bones"]})
    weights = k.input("bone_weights", k.real, [size, "n"], uniform(0.05, 1.0))
    k.notes.append("`bone_ids[k, i]` is bone k of vertex i")
    with each(k, "slot", size) as slot:
        visit(k.let("bone", bones[slot, k.index[0]]), k.let("weight", weights[slot, k.index[0]]))


def matrices(k: Builder) -> ArrayHandle:
    """How each bone turns and stretches what it moves."""
    return k.input("bone_matrices", Matrix(3, 3, k.real), [skin.size(k, "bones")], uniform(-1.0, 1.0))


def offsets(k: Builder) -> ArrayHandle:
    """Where each bone moves the origin to."""
    return k.input("bone_offsets", Vector(3, k.real), [skin.size(k, "bones")], uniform(-1.0, 1.0))


def zero(k: Builder) -> Expr:
    """No vector at all."""
    return construct(SPACE(k), 0.0, 0.0, 0.0)


@skin.formula(source=LEWIS)
def morphed_rest(k: Builder, base_position: Base) -> Rest:
    """Blend-shape deformation. The weighted offsets of all shapes are added to the base position."""
    size = skin.size(k, "shapes")
    weights = k.input("shape_weights", k.real, [size], uniform(0.0, 1.0))
    deltas = k.input("shape_offsets", Vector(3, k.real), [size, "n"], uniform(-0.2, 0.2))
    position = k.var("position", base_position, bounds=(-5.0, 5.0))
    with each(k, "shape", size) as shape:
        k.set(position, bounded(position + weights[shape] * deltas[shape, k.index[0]], -5.0, 5.0))
    return position


@skin.formula(source="Magnenat-Thalmann, Laperrière and Thalmann 1988", teaches=("loop",))
def linear_blend_skinning(k: Builder, rest_position: Rest) -> Posed:
    """Linear blend skinning. A vertex goes to the weighted mean of where each of its bones takes it, and its
    bone weights must not sum to zero.
    """
    turned, moved = matrices(k), offsets(k)
    total, weights = k.var("total", zero(k), bounds=(-1e3, 1e3)), k.var("weight_sum", 0.0)

    def visit(bone: Expr, weight: Expr) -> None:
        placed = k.let("placed", turned[bone] @ rest_position + moved[bone])
        k.set(total, bounded(total + weight * placed, -1e3, 1e3))
        k.add(weights, weight)

    each_bone(k, visit)
    return bounded(total / bounded(weights, 0.05, 10.0), -1e3, 1e3)


@skin.formula(source="Hejl 2004", teaches=("loop", "branch"))
def quaternion_skinning(k: Builder, rest_position: Rest) -> Posed:
    """Skinning by blended quaternions. Rotations are blended as quaternions and normalized."""
    kind = Quaternion(k.real)
    turns = k.input("bone_rotations", kind, [skin.size(k, "bones")], uniform(0.1, 1.0))
    moved = offsets(k)
    turn = k.var("turn", construct(kind, 0.0, 0.0, 0.0, 0.0), bounds=(-10.0, 10.0))
    offset, weights = k.var("offset", zero(k), bounds=(-10.0, 10.0)), k.var("weight_sum", 0.0)

    def visit(bone: Expr, weight: Expr) -> None:
        k.set(turn, bounded(turn + weight * turns[bone], -10.0, 10.0))
        k.set(offset, bounded(offset + weight * moved[bone], -10.0, 10.0))
        k.add(weights, weight)

    each_bone(k, visit)
    rotated = k.let("rotated", ops.quat_rotate(ops.normalize(turn), rest_position))
    return bounded(rotated + offset / bounded(weights, 0.05, 10.0), -1e3, 1e3)


@skin.formula(teaches=("loop", "branch"))
def rigid_skinning(k: Builder, rest_position: Rest) -> Posed:
    """Rigid skinning by the strongest bone. The bone of largest weight moves the vertex alone."""
    size = skin.size(k, "bones")
    best, chosen = k.var("best", 0.0, bounds=(0.0, 1.0)), k.var("chosen", 0, type=I32, bounds=(0, 100))

    def visit(bone: Expr, weight: Expr) -> None:
        with k.when(weight > best):
            k.set(best, weight)
            k.set(chosen, bone)

    each_bone(k, visit)
    bone = Name(I32, Interval(0, k.largest(size) - 1, True, size, -1), chosen.name)
    return bounded(matrices(k)[bone] @ rest_position + offsets(k)[bone], -1e3, 1e3)


@skin.formula(source="Magnenat-Thalmann, Laperrière and Thalmann 1988", teaches=("loop",))
def skinned_normal(k: Builder, normal: Normal) -> PosedNormal:
    """Skinned normals. They are turned by the weighted matrices of the bones, then normalized."""
    turned, total = matrices(k), k.var("total", zero(k), bounds=(-100.0, 100.0))
    each_bone(
        k, lambda bone, weight: k.set(total, bounded(total + weight * (turned[bone] @ normal), -100.0, 100.0))
    )
    return ops.normalize(total)


@skin.formula(source="Dionne and de Lasa 2013", teaches=("loop", "branch"))
def nearest_bone(k: Builder, base_position: Base) -> Annotated[Expr, Quantity("nearest_bone", 0, 11, whole)]:
    """Nearest bone. Bones are segments from head to tail."""
    found = k.var("limited_joint", 0, type=I32, bounds=(0, 11))
    _nearest(k, base_position, found)
    return found


def _nearest(k: Builder, point: Expr, found: Expr | None = None) -> Expr:
    """The squared distance to the nearest bone, whose number is `found`."""
    heads, tails = (k.input(one, Vector(3, k.real), ["12"], uniform(-1.0, 1.0)) for one in ("heads", "tails"))
    best = k.var("best", INFINITY, bounds=(0.0, 1e3))
    with k.loop("bone", 0, 12) as bone:
        along, out = k.let("bone_axis", tails[bone] - heads[bone]), k.let("out", point - heads[bone])
        share = ops.clamp(ops.dot(out, along) / ops.max(ops.dot(along, along), 1e-6), 0.0, 1.0)
        gap = k.let("offset", out - k.let("share", share) * along)
        square = k.let("square", bounded(ops.dot(gap, gap), 0.0, 400.0))
        if found is None:
            k.set(best, ops.min(best, square))
        else:
            with k.when(square < best):
                k.set(best, square)
                k.set(found, bone)
    return bounded(best, 0.0, 400.0)

"""Rotations by quaternions: rigid bodies that spin and collide."""

from weft.kernels.domains.bodies import body
from weft.kernels.endings import Style
from weft.kernels.goals import idioms
from weft.kernels.shown import rotates

REVISION = 8
TEACHES = "quaternions: orientations, time steps, attitude errors, inertia, torques, contacts"

IDIOMS = idioms(body, style=Style(shows=rotates))

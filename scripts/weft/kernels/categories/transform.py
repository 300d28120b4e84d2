"""Rigid transforms: joints between bodies, and points in the frames of cameras."""

from weft.kernels.domains.cameras import observation
from weft.kernels.domains.joints import joint
from weft.kernels.goals import idioms

REVISION = 6
TEACHES = "rigid transforms: poses in chains and between bodies, twists, wrenches, points that cameras see"

IDIOMS = (*idioms(joint), *idioms(observation)[:14])

"""Rigid transforms: joints between bodies, skins, and points in the frames of cameras."""

from weft.kernels.domains.cameras import observation
from weft.kernels.domains.joints import joint
from weft.kernels.domains.skins import skin
from weft.kernels.goals import idioms

REVISION = 8
TEACHES = "rigid transforms: poses in chains and between bodies, skins, points that cameras see"

IDIOMS = idioms(joint, observation, skin)

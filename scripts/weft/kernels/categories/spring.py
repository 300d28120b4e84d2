"""Springs: laws of tension, networks of particles, constraints, hinges of cloth."""

from weft.kernels.domains.springs import hinge, net, spring, spring_steps
from weft.kernels.goals import idioms

REVISION = 7
TEACHES = "springs: tension, damping, constraints, cloth, networks of particles"

IDIOMS = (*idioms(spring, hinge), *idioms(net, teaching="springs"), *[spring_steps] * 5)

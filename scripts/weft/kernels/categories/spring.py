"""Springs: laws of tension, networks of particles, constraints, hinges of cloth, oscillators."""

from weft.kernels.domains.springs import hinge, net, spring, spring_steps
from weft.kernels.goals import idioms

REVISION = 6
TEACHES = "springs and oscillators: tension, damping, constraints, cloth, chains, pendulums, synchrony"

IDIOMS = (*idioms(spring, hinge), *idioms(net, teaching="springs"), *[spring_steps] * 5)

"""Springs: edges, networks, cloth, constraints, chains, oscillators, pendulums."""

from weft.kernels.idioms.spring import networks
from weft.kernels.idioms.spring.laws import chain_step, spring_law, suspension
from weft.kernels.idioms.spring.oscillators import coupled_phases, implicit_oscillator, swing_pendulum
from weft.kernels.idioms.spring.strands import rope_relaxation, strand_energy

REVISION = 5
TEACHES = "springs and oscillators: forces, damping, constraints, implicit steps, chains, cloth, pendulums"

IDIOMS = (
    networks.edge_force,
    networks.node_force,
    networks.cloth_force,
    networks.distance_constraint,
    networks.bending,
    networks.area_constraint,
    chain_step,
    spring_law,
    implicit_oscillator,
    swing_pendulum,
    coupled_phases,
    strand_energy,
    rope_relaxation,
    suspension,
)

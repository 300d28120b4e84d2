"""Particles: motion, collisions, forces of neighbours, kernels of smoothing, cells and deposits."""

from weft.kernels.idioms.particle import cells, forces
from weft.kernels.idioms.particle.contacts import edge_contacts, triangle_hits
from weft.kernels.idioms.particle.motion import integrate_motion, magnetic_push
from weft.kernels.idioms.particle.neighbors import contact_force, flock
from weft.kernels.idioms.particle.obstacles import bounce_at_walls, drag_on_particles
from weft.kernels.idioms.particle.quantities import conserved_quantities

REVISION = 4
TEACHES = "particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks"

IDIOMS = (
    integrate_motion,
    bounce_at_walls,
    drag_on_particles,
    magnetic_push,
    flock,
    contact_force,
    conserved_quantities,
    forces.neighbor_force,
    forces.pull_of_sources,
    forces.smoothing_sum,
    forces.periodic_images,
    cells.cell_index,
    cells.grid_deposit,
    edge_contacts,
    triangle_hits,
)

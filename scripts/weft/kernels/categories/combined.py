"""Loops, branches, vectors, structs and helper functions together, as in real kernels."""

from weft.kernels.idioms.combined.bodies import bouncing_ball, neighbor_force, ode_steps, rigid_contact
from weft.kernels.idioms.combined.learning import assign_cluster, dense_layer, token_score
from weft.kernels.idioms.combined.lookups import shade_sphere, table_lookup

REVISION = 5
TEACHES = "loops, branches, vectors, structs, helper functions and indirect reads in one kernel"

IDIOMS = (
    neighbor_force,
    dense_layer,
    bouncing_ball,
    shade_sphere,
    table_lookup,
    ode_steps,
    assign_cluster,
    rigid_contact,
    token_score,
)

"""Small tables that all threads read: codes, filters, cases, curves.

The launch description puts them into constant memory.
"""

from weft.kernels.domains.bitmaps import bitmap
from weft.kernels.domains.draws import sample
from weft.kernels.domains.hashing import key_domain
from weft.kernels.domains.lattices import lattices
from weft.kernels.domains.messages import message
from weft.kernels.domains.particles import particles
from weft.kernels.domains.rays import ray
from weft.kernels.domains.rows import row
from weft.kernels.domains.tables import contour, line, motion, sequence
from weft.kernels.endings import Style
from weft.kernels.goals import idioms

REVISION = 6
TEACHES = "constant memory: genes, contour cases, bodies, balls, centers, codes, curves"

CONSTANT = Style(memory="constant", seeks=True)
IDIOMS = (
    *idioms(lattices, particles, row, teaching="table", style=CONSTANT) * 2,
    *idioms(bitmap, contour, key_domain, line, message, teaching="table", style=CONSTANT),
    *idioms(motion, ray, sample, sequence, teaching="table", style=CONSTANT),
)

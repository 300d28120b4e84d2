"""All domains: what the categories choose from that teach a way of writing rather than a field."""

from weft.kernels.domains.fields import fields
from weft.kernels.domains.flows import flows
from weft.kernels.domains.geometry import box, triangle
from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.domains.particles import particles
from weft.kernels.domains.phases import phases
from weft.kernels.domains.rays import ray, solid
from weft.kernels.domains.terrain import terrain

EVERYTHING = (*NUMERIC, box, fields, flows, particles, phases, ray, solid, terrain, triangle)

"""Kernels of the category fem, seed 0.

Finite elements: deformation, strain, stress, nodal forces, assembly, heat, sparse systems.
"""

import warp as wp


@wp.func
def piola(f: wp.mat33, mu: float, lam: float):
    """Return the first Piola-Kirchhoff stress of a St. Venant-Kirchhoff solid with deformation
    gradient f and Lame parameters mu and lam."""
    eye = wp.identity(n=3, dtype=float)
    strain = 0.5 * (wp.transpose(f) @ f - eye)
    return f @ (2.0 * mu * strain + lam * wp.trace(strain) * eye)


@wp.kernel
def build_grid(
    displacements: wp.array3d(dtype=wp.vec3),
    spacing: float,
    rest_x: wp.array(dtype=wp.vec3),
    x: wp.array(dtype=wp.vec3),
    tets: wp.array2d(dtype=int),
):
    """Build the mesh of a block: its nodes at rest and displaced, and five tetrahedra in each cell.
    The cut of every other cell is mirrored, so that the faces of neighbors match. Displacements are
    in units of the spacing."""
    i, j, k = wp.tid()
    ny = displacements.shape[1]
    nz = displacements.shape[2]
    node = (i * ny + j) * nz + k
    point = spacing * wp.vec3(float(i), float(j), float(k))
    rest_x[node] = point
    x[node] = point + spacing * displacements[i, j, k]
    if i < displacements.shape[0] - 1 and j < ny - 1 and k < nz - 1:
        first = 5 * ((i * (ny - 1) + j) * (nz - 1) + k)
        odd = (i + j + k) % 2
        layer = ny * nz
        # four tetrahedra cut off corners (a, b, c) of the cell and their three neighbors
        for corner in range(4):
            a = (corner + odd) % 2
            b = corner // 2
            c = (corner + b) % 2
            tets[first + corner, 0] = node + a * layer + b * nz + c
            tets[first + corner, 1] = node + (1 - a) * layer + b * nz + c
            tets[first + corner, 2] = node + a * layer + (1 - b) * nz + c
            tets[first + corner, 3] = node + a * layer + b * nz + 1 - c
        # the fifth lies between them and joins the other four corners
        near = node + (1 - odd) * layer
        far = node + odd * layer
        tets[first + 4, 0] = near
        tets[first + 4, 1] = far + nz
        tets[first + 4, 2] = far + 1
        tets[first + 4, 3] = near + nz + 1


@wp.kernel
def measure_rest_shapes(
    tets: wp.array2d(dtype=int),
    rest_x: wp.array(dtype=wp.vec3),
    rest_inverses: wp.array(dtype=wp.mat33),
    volumes: wp.array(dtype=float),
):
    """Compute what the rest shape of each tetrahedron contributes to its forces: the inverse of the
    matrix of its edges from the first corner, and its volume."""
    e = wp.tid()
    o = rest_x[tets[e, 0]]
    edges = wp.matrix_from_cols(
        rest_x[tets[e, 1]] - o, rest_x[tets[e, 2]] - o, rest_x[tets[e, 3]] - o
    )
    rest_inverses[e] = wp.inverse(edges)
    volumes[e] = wp.abs(wp.determinant(edges)) / 6.0


@wp.kernel
def element_forces(
    tets: wp.array2d(dtype=int),
    rest_inverses: wp.array(dtype=wp.mat33),
    volumes: wp.array(dtype=float),
    x: wp.array(dtype=wp.vec3),
    mu: float,
    lam: float,
    forces: wp.array(dtype=wp.vec3),
):
    """Compute the elastic forces at the nodes. Each tetrahedron adds to its four corners."""
    e = wp.tid()
    i0 = tets[e, 0]
    i1 = tets[e, 1]
    i2 = tets[e, 2]
    i3 = tets[e, 3]
    o = x[i0]
    edges = wp.matrix_from_cols(x[i1] - o, x[i2] - o, x[i3] - o)
    rest_inverse = rest_inverses[e]
    f = edges @ rest_inverse
    # rows are the forces on corners 1 to 3, whose opposite acts on corner 0
    shares = -volumes[e] * rest_inverse @ wp.transpose(piola(f, mu, lam))
    wp.atomic_sub(forces, i0, shares[0] + shares[1] + shares[2])
    wp.atomic_add(forces, i1, shares[0])
    wp.atomic_add(forces, i2, shares[1])
    wp.atomic_add(forces, i3, shares[2])


@wp.kernel
def integrate(
    forces: wp.array(dtype=wp.vec3),
    inv_mass: float,
    gravity: float,
    dt: float,
    velocities: wp.array(dtype=wp.vec3),
    x: wp.array(dtype=wp.vec3),
):
    """Take a symplectic Euler step of the nodes under elastic forces and gravity along -y."""
    i = wp.tid()
    acceleration = inv_mass * forces[i] - wp.vec3(0.0, gravity, 0.0)
    velocity = velocities[i] + dt * acceleration
    velocities[i] = velocity
    x[i] += dt * velocity


LAUNCH = {
    "simulate_svk_block": {
        "description": "Simulate a St. Venant-Kirchhoff block of tetrahedra for four explicit time steps: build its mesh and measure its rest shape once, then compute forces and move the nodes in each step.",
        "sizes": {"nx": "min((n + 31) // 32 + 3, 14)", "ny": "6", "nz": "5", "num_nodes": "nx * ny * nz", "num_tets": "5 * (nx - 1) * (ny - 1) * (nz - 1)"},
        "difficulty": "expert",
        "equality": "bounded",
        "steps": [
            {"kernel": "build_grid", "dims": ["nx", "ny", "nz"], "arguments": {}},
            {"kernel": "measure_rest_shapes", "dims": ["num_tets"], "arguments": {}},
            {"repeat": 4, "steps": [
                {"zero": "forces"},
                {"kernel": "element_forces", "dims": ["num_tets"], "arguments": {}},
                {"kernel": "integrate", "dims": ["num_nodes"], "arguments": {}},
            ]},
        ],
        "parameters": {
            "displacements": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [-0.1, 0.1]}},
            "spacing": {"values": {"uniform": [0.5, 1.5]}},
            "rest_x": {"role": "out", "shape": ["num_nodes"]},
            "x": {"role": "out", "shape": ["num_nodes"]},
            "tets": {"role": "out", "shape": ["num_tets", "4"]},
            "rest_inverses": {"role": "out", "shape": ["num_tets"]},
            "volumes": {"role": "out", "shape": ["num_tets"]},
            "mu": {"values": {"uniform": [0.5, 2.0]}},
            "lam": {"values": {"uniform": [0.5, 2.0]}},
            "forces": {"role": "out", "shape": ["num_nodes"]},
            "inv_mass": {"values": {"uniform": [0.5, 2.0]}},
            "gravity": {"values": {"uniform": [9.0, 9.81]}},
            "dt": {"values": {"uniform": [0.01, 0.03]}},
            "velocities": {"role": "inout", "shape": ["num_nodes"], "values": {"uniform": [-0.5, 0.5]}},
        },
    },
}

MADE_OF = {
    "simulate_svk_block": {"goal": "fem.tet_elasticity", "ending": "written", "formulas": []},
}

PARTS = ["build_grid", "measure_rest_shapes", "element_forces", "integrate"]

"""Heat conduction in a plate: explicit time steps on a regular grid."""

import warp as wp


@wp.kernel
def diffuse(
    temperature: wp.array2d(dtype=float),
    diffusivity: wp.array2d(dtype=float),
    next_temperature: wp.array2d(dtype=float),
    rows: int,
    columns: int,
    time_step: float,
):
    """Advance the temperature of every cell by one explicit step of the heat equation.

    The plate is insulated: a cell at the border exchanges no heat with the outside.
    """
    row, column = wp.tid()

    # Insulation: outside the plate, see the border cell itself.
    above = wp.max(row - 1, 0)
    below = wp.min(row + 1, rows - 1)
    left = wp.max(column - 1, 0)
    right = wp.min(column + 1, columns - 1)

    centre = temperature[row, column]
    laplacian = (
        temperature[above, column]
        + temperature[below, column]
        + temperature[row, left]
        + temperature[row, right]
        - 4.0 * centre
    )
    next_temperature[row, column] = centre + time_step * diffusivity[row, column] * laplacian


@wp.kernel
def heat_sources(
    temperature: wp.array2d(dtype=float),
    source: wp.array2d(dtype=float),
    limit: float,
    time_step: float,
):
    """Add the heat of the sources, and cap the temperature of cells with a source at a limit."""
    row, column = wp.tid()

    power = source[row, column]
    if power <= 0.0:
        return

    heated = temperature[row, column] + time_step * power
    temperature[row, column] = wp.min(heated, limit)


LAUNCH = {
    "diffuse": {
        "sizes": {"rows": "7", "columns": "(n + 6) // 7"},
        "dims": ["rows", "columns"],
        "parameters": {
            "temperature": {"shape": ["rows", "columns"], "values": {"uniform": [0.0, 100.0]}},
            "diffusivity": {"shape": ["rows", "columns"], "values": {"uniform": [0.1, 1.0]}},
            "next_temperature": {"role": "out", "shape": ["rows", "columns"]},
            "rows": {"values": {"size": "rows"}},
            "columns": {"values": {"size": "columns"}},
            "time_step": {"values": {"uniform": [0.05, 0.2]}},
        },
    },
    "heat_sources": {
        "sizes": {"rows": "7", "columns": "(n + 6) // 7"},
        "dims": ["rows", "columns"],
        "parameters": {
            "temperature": {
                "role": "inout",
                "shape": ["rows", "columns"],
                "values": {"uniform": [0.0, 100.0]},
            },
            "source": {"shape": ["rows", "columns"], "values": {"uniform": [-5.0, 20.0]}},
            "limit": {"values": {"uniform": [80.0, 90.0]}},
            "time_step": {"values": {"uniform": [0.05, 0.2]}},
        },
    },
}

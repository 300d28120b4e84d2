"""Names outside ASCII wherever Python has names."""

import warp as wp

Δt = wp.constant(0.5)


@wp.struct
class Körper:
    maß: float
    ort: wp.vec3


@wp.struct
class Ж:
    д: float


@wp.struct
class Ю:
    д: float
    и: float


@wp.struct
class Zustand:
    x: wp.array(dtype=float)
    größe: wp.array(dtype=float)


@wp.func
def beide(ä: float, a: float):
    return ä * 2.0, a + 1.0


# The micro sign, which Python takes for the Greek letter.
@wp.func
def µ(x: float) -> float:
    return x * Δt


@wp.func
def γ(x: float) -> float:
    return x * 3.0


@wp.kernel
def größe(α: wp.array(dtype=float), ergebnis: wp.array(dtype=float), β: float):
    """Die Größe von α."""
    i = wp.tid()
    länge = µ(α[i]) + β  # Länge
    alpha, ä = beide(länge, β)
    a = alpha - ä
    ergebnis[i] = a * Δt + float(len(α))


@wp.kernel
def körper(eingabe: wp.array(dtype=Körper), ergebnis: wp.array(dtype=Körper)):
    i = wp.tid()
    k = Körper()
    k.maß = eingabe[i].maß + 1.0
    k.ort = eingabe[i].ort * 2.0 + wp.static(wp.vec3(1.0, 2.0, 3.0))
    ergebnis[i] = k


@wp.kernel
def zustand(z: Zustand, faktor_Δ: float):
    i = wp.tid()
    for λ in range(3):
        if i > λ:
            z.größe[i] = z.x[i] * faktor_Δ + float(λ)


@wp.kernel
def tabellen(τ: wp.array(dtype=float), ü: wp.array2d(dtype=float), ergebnis: wp.array2d(dtype=float)):
    i, j = wp.tid()
    ergebnis[i, j] = ü[i, j] * τ[j % 4]


@wp.kernel
def γραμμή(x: wp.array(dtype=Ж), y: wp.array(dtype=Ю)):
    i = wp.tid()
    ю = Ю()
    ю.д = γ(x[i].д)
    ю.и = µ(x[i].д)
    y[i] = ю


@wp.kernel
def glätte(vorher: wp.array(dtype=float), nachher: wp.array(dtype=float)):
    i = wp.tid()
    nachher[i] = vorher[i] * 0.5 + vorher[(i + 1) % len(vorher)] * Δt


PARTS = ["glätte"]
LAUNCH = {
    "tabellen": {
        "sizes": {"höhe": "n", "hohe": "n + 1", "breite_ß": "4"},
        "dims": ["höhe", "breite_ß"],
        "parameters": {
            "τ": {"role": "in", "shape": [4], "values": {"uniform": [-1.0, 1.0]}, "memory": "constant"},
            "ü": {"role": "in", "shape": ["höhe", "breite_ß"], "values": {"uniform": [-1.0, 1.0]}},
            "ergebnis": {"role": "out", "shape": ["hohe", "breite_ß"]},
        },
    },
    "ganzes_ß": {
        "steps": [
            {"kernel": "glätte", "dims": ["n"], "arguments": {"vorher": "ä", "nachher": "ö"}},
            {"kernel": "glätte", "dims": ["n"], "arguments": {"vorher": "ö", "nachher": "ä"}},
        ],
        "parameters": {
            "ä": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "ö": {"role": "out", "shape": ["n"]},
        },
    },
}

"""The calls of the table test: from Warp's signatures, and by hand where a signature does not say enough.

A case is a few lines of a kernel in which `{a}`, `{b}`, … stand for elements of input arrays, `{n}` for a
number that makes names of its own, and `{r0}`, `{r1}`, … for elements of output arrays.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from warp_builtins import FLOATS, INTEGERS, SCALARS, Signature, annotation, core, signatures

from weft.types import Type, component_scalars, parse_type

LETTERS = "abcdefghklmnop"


@dataclasses.dataclass(frozen=True)
class Case:
    """One call of a builtin. `inputs` has a type and a care (special_values) for each letter."""

    builtin: str
    inputs: tuple[tuple[Type, str], ...]
    lines: str
    results: tuple[Type, ...]

    @property
    def label(self) -> str:
        """How reports name the case."""
        types = ", ".join(str(kind) for kind, _ in self.inputs)
        return f"{self.builtin}({types}): {self.lines.splitlines()[-1]}"


CARES = {
    ("lshift", "b"): "shift",
    ("rshift", "b"): "shift",
    ("div", "a"): "dividend",
    ("div", "b"): "divisor",
    ("mod", "a"): "dividend",
    ("mod", "b"): "divisor",
    ("floordiv", "a"): "dividend",
    ("floordiv", "b"): "divisor",
    ("cw_div", "a"): "dividend",
    ("cw_div", "b"): "divisor",
    ("randi", "low"): "small",
    ("randi", "high"): "large",
    ("randu", "low"): "small",
    ("randu", "high"): "large",
    ("poisson", "lam"): "rate",
    **{("pnoise", period): "period" for period in ("px", "py", "pz", "pt")},
    ("curlnoise", "octaves"): "period",
    **{(name, x): "tame" for name in ("noise", "pnoise", "curlnoise") for x in ("x", "xy", "xyz", "xyzt")},
}
"""Where DESIGN.md 4 leaves values out, for they mean something else on a CPU and on a GPU: by parameter."""

BY_HAND = {
    "block_dim", "breakpoint", "eig3", "expect_near", "len", "qr3", "quat_from_euler", "quat_to_axis_angle",
    "quat_to_euler", "svd2", "svd3",
    "tid", "transform_set_rotation", "transform_set_translation",
}  # fmt: skip
"""Builtins whose signatures do not say enough, in spite of plain parameters."""


DECLINED = (
    "operations only work on arrays with",
    "Remove the extraneous `dtype` parameter",
    "are expected to be of the type",
    "wp.select() has been removed",
)
"""What Warp says to a type that a builtin does not take, or to a builtin that it documents but has not."""


def cases() -> dict[str, list[Case]]:
    """All cases of the core builtins, by name."""
    found: dict[str, list[Case]] = {name: [] for name in core()}
    for name, overloads in core().items():
        for overload in overloads if name not in BY_HAND else []:
            found[name] += [_from(signature) for signature in signatures(name, overload)]
    for case in by_hand():
        found[case.builtin].append(case)
    return found


def _from(signature: Signature) -> Case:
    """`r = wp.f(a, b)`; a random state is kept too."""
    inputs = []
    arguments = []
    lines = []
    results = list(signature.results)
    after = ""
    for letter, (parameter, kind) in zip(LETTERS, signature.parameters, strict=False):
        inputs.append((kind, CARES.get((signature.builtin, parameter), "")))
        if parameter == "state":
            lines.append(f"state{{n}} = {{{letter}}}")
            arguments.append("state{n}")
            after = f"{{r{len(results)}}} = state{{n}}"
            results.append(kind)
        else:
            arguments.append(f"{{{letter}}}")
    call = f"wp.{signature.builtin}({', '.join(arguments)})"
    if len(signature.results) == 1:
        lines.append(f"{{r0}} = {call}")
    else:
        names = [f"p{i}_{{n}}" for i in range(len(signature.results))]
        lines.append(f"{', '.join(names)} = {call}")
        lines += [f"{{r{i}}} = {name}" for i, name in enumerate(names)]
    if after:
        lines.append(after)
    return Case(signature.builtin, tuple(inputs), "\n".join(lines), tuple(results))


def case(builtin: str, inputs: str, lines: str, results: str) -> Case:
    """A case from text: `inputs` and `results` are separated by `;`, an input's care follows a colon."""
    given = []
    for one in filter(None, inputs.split(";")):
        kind, _, care = one.strip().partition(":")
        given.append((parse_type(kind), care))
    wanted = tuple(parse_type(one.strip()) for one in filter(None, results.split(";")))
    return Case(builtin, tuple(given), lines, wanted)


def by_hand() -> Iterator[Case]:
    """The cases that no signature gives."""
    yield from _threads()
    yield from _choices()
    yield from _constructors()
    yield from _by_reference()
    yield from _atomics()
    yield from _searches()
    yield from _norms()
    yield from _conversions()
    yield from _rare()
    yield from _output()


def _threads() -> Iterator[Case]:
    yield case("tid", "", "{r0} = wp.tid()", "int32")
    yield case("block_dim", "", "{r0} = wp.block_dim() * 0", "int32")


def _choices() -> Iterator[Case]:
    yield case("select", "bool; int32; int32", "{r0} = wp.select({a}, {b}, {c})", "int32")
    for test in ("bool", *INTEGERS):
        for kind in ("float32", "int64"):
            yield case("where", f"{test}; {kind}; {kind}", "{r0} = wp.where({a}, {b}, {c})", kind)
    for kind in (
        *SCALARS,
        "bool",
        "vec<3,float32>",
        "mat<2,2,float64>",
        "quat<float32>",
        "transform<float32>",
    ):
        yield case("where", f"bool; {kind}; {kind}", "{r0} = wp.where({a}, {b}, {c})", kind)


def _constructors() -> Iterator[Case]:
    for s in SCALARS:
        for n in (2, 3, 4, 5):
            letters = ", ".join(f"{{{c}}}" for c in LETTERS[:n])
            given = "; ".join([s] * n)
            made = f"vec<{n},{s}>"
            yield case("vector", given, f"{{r0}} = wp.vector({letters}, length={n}, dtype=wp.{s})", made)
            yield case("vector", given, f"{{r0}} = wp.vector({letters})", made)
            yield case("vector", s, f"{{r0}} = wp.vector({{a}}, length={n})", made)
            yield case("vector", "", f"{{r0}} = wp.vector(length={n}, dtype=wp.{s})", made)
            yield case("vector", made, "{r0} = wp.vector({a})", made)
        given = "; ".join([s] * 4)
        lines = f"{{r0}} = wp.matrix({{a}}, {{b}}, {{c}}, {{d}}, shape=(2, 2), dtype=wp.{s})"
        yield case("matrix", given, lines, f"mat<2,2,{s}>")
        yield case("matrix", s, "{r0} = wp.matrix({a}, shape=(3, 2))", f"mat<3,2,{s}>")
        yield case("matrix", "", f"{{r0}} = wp.matrix(shape=(2, 3), dtype=wp.{s})", f"mat<2,3,{s}>")
        yield case("identity", "", f"{{r0}} = wp.identity(n=3, dtype=wp.{s})", f"mat<3,3,{s}>")
        v = f"vec<3,{s}>"
        for name in ("matrix_from_rows", "matrix_from_cols"):
            yield case(name, f"{v}; {v}; {v}", f"{{r0}} = wp.{name}({{a}}, {{b}}, {{c}})", f"mat<3,3,{s}>")
        yield case("matrix_from_rows", f"{v}; {v}", "{r0} = wp.matrix_from_rows({a}, {b})", f"mat<2,3,{s}>")
        yield case("matrix_from_cols", f"{v}; {v}", "{r0} = wp.matrix_from_cols({a}, {b})", f"mat<3,2,{s}>")
    for s in FLOATS:
        v, q, t = f"vec<3,{s}>", f"quat<{s}>", f"transform<{s}>"
        yield case("quaternion", "", f"{{r0}} = wp.quaternion(dtype=wp.{s})", q)
        yield case("quat_identity", "", f"{{r0}} = wp.quat_identity(dtype=wp.{s})", q)
        yield case("transform_identity", "", f"{{r0}} = wp.transform_identity(dtype=wp.{s})", t)
        yield case("transformation", f"{v}; {q}", "{r0} = wp.transformation({a}, {b})", t)
        letters = ", ".join(f"{{{c}}}" for c in LETTERS[:7])
        seven = "; ".join([s] * 7)
        yield case("transformation", seven, f"{{r0}} = wp.transformation({letters}, dtype=wp.{s})", t)
        yield case("spatial_vector", "", f"{{r0}} = wp.spatial_vector(dtype=wp.{s})", f"vec<6,{s}>")


def _by_reference() -> Iterator[Case]:
    for s in FLOATS:
        v, m, q, t = f"vec<3,{s}>", f"mat<3,3,{s}>", f"quat<{s}>", f"transform<{s}>"
        set_rotation = "t{n} = {a}\nwp.transform_set_rotation(t{n}, {b})\n{r0} = t{n}"
        yield case("transform_set_rotation", f"{t}; {q}", set_rotation, t)
        set_translation = "t{n} = {a}\nwp.transform_set_translation(t{n}, {b})\n{r0} = t{n}"
        yield case("transform_set_translation", f"{t}; {v}", set_translation, t)
        lines = "v{n}, w{n} = wp.quat_to_axis_angle({a})\n{r0} = v{n}\n{r1} = w{n}"
        yield case("quat_to_axis_angle", q, lines, f"{v}; {s}")
        given = f"v{{n}} = {_zero(v)}\nw{{n}} = wp.{s}(0.0)\n"
        call = "wp.quat_to_axis_angle({a}, v{n}, w{n})\n{r0} = v{n}\n{r1} = w{n}"
        yield case("quat_to_axis_angle", q, given + call, f"{v}; {s}")
        for name, made in (("qr3", (m, m)), ("eig3", (m, v)), ("svd3", (m, v, m))):
            yield from _decomposition(name, m, made)
        m2, v2 = f"mat<2,2,{s}>", f"vec<2,{s}>"
        yield from _decomposition("svd2", m2, (m2, v2, m2))


def _zero(kind: str) -> str:
    """A zero in a kernel, where the call of a call is no expression."""
    return annotation(parse_type(kind)).replace("wp.types.", "wp.")


def _decomposition(name: str, matrix: str, made: tuple[str, ...]) -> Iterator[Case]:
    names = [f"p{i}_{{n}}" for i in range(len(made))]
    stores = "\n".join(f"{{r{i}}} = {one}" for i, one in enumerate(names))
    yield case(name, f"{matrix}:tame", f"{', '.join(names)} = wp.{name}({{a}})\n{stores}", ";".join(made))
    given = "".join(f"{one} = {_zero(kind)}\n" for one, kind in zip(names, made, strict=True))
    call = f"wp.{name}({{a}}, {', '.join(names)})\n"
    yield case(name, f"{matrix}:tame", given + call + stores, ";".join(made))


def _atomics() -> Iterator[Case]:
    compounds = tuple(
        kind
        for s in FLOATS[2:]
        for kind in (f"vec<3,{s}>", f"vec<5,{s}>", f"mat<2,2,{s}>", f"quat<{s}>", f"transform<{s}>")
    )
    kinds = {
        **dict.fromkeys(("add", "sub"), (*SCALARS, *compounds, "vec<2,int32>", "mat<2,2,uint64>")),
        **dict.fromkeys(("min", "max"), (*SCALARS, "vec<3,float32>", "mat<2,2,float64>", "vec<2,int32>")),
        **dict.fromkeys(("and", "or", "xor"), ("int32", "uint32", "int64", "uint64", "vec<3,int32>")),
        "exch": ("int32", "uint32", "int64", "uint64", "float32", "float64"),
    }
    for operation, allowed in kinds.items():
        for kind in allowed:
            # Each thread has an element of its own, so that the order of threads does not matter.
            lines = "{r0} = {a}\n{r1} = wp.atomic_" + operation + "({place0}, {b})"
            yield case(f"atomic_{operation}", f"{kind}; {kind}", lines, f"{kind}; {kind}")
    for kind in kinds["exch"]:
        # Warp compares numbers on the CPU and bits on a GPU: zero and NaN are left out.
        lines = "{r0} = {a}\n{r1} = wp.atomic_cas({place0}, {b}, {c})"
        yield case("atomic_cas", f"{kind}:ordinary; {kind}:ordinary; {kind}", lines, f"{kind}; {kind}")


def _searches() -> Iterator[Case]:
    for s in SCALARS:
        yield case("lower_bound", f"{s}:sorted; {s}", "{r0} = wp.lower_bound({array_a}, {b})", "int32")
        lines = "{r0} = wp.lower_bound({array_a}, 3, 20, {b})"
        yield case("lower_bound", f"{s}:sorted; {s}", lines, "int32")
    lines = "state{n} = {a}\n{r0} = wp.sample_cdf(state{n}, {array_b})\n{r1} = state{n}"
    yield case("sample_cdf", "uint32; float32:cdf", lines, "int32; uint32")
    for kind in ("vec<3,int8>", "quat<float32>", "mat<2,3,float64>", "transform<float32>"):
        yield case("len", kind, "{r0} = len({a})", "int32")
    yield case("len", "float32", "{r0} = len({array_a})", "int32")


def _norms() -> Iterator[Case]:
    for v in ("vec<2,float32>", "vec<3,float32>", "vec<4,float32>"):
        for name in ("norm_l1", "norm_l2"):
            yield case(name, v, f"{{r0}} = wp.{name}({{a}})", "float32")
        for name in ("norm_huber", "norm_pseudo_huber"):
            yield case(name, v, f"{{r0}} = wp.{name}({{a}})", "float32")
            yield case(name, f"{v}; float32", f"{{r0}} = wp.{name}({{a}}, {{b}})", "float32")
        yield case("smooth_normalize", v, "{r0} = wp.smooth_normalize({a})", v)
        yield case("smooth_normalize", f"{v}; float32", "{r0} = wp.smooth_normalize({a}, {b})", v)
    for order in ("0, 1, 2", "2, 1, 0", "1, 2, 0", "0, 2, 0", "2, 0, 2", "1, 0, 1"):
        yield case("quat_from_euler", "vec<3,float32>", f"{{r0}} = wp.quat_from_euler({{a}}, {order})",
                   "quat<float32>")  # fmt: skip
        yield case("quat_to_euler", "quat<float32>", f"{{r0}} = wp.quat_to_euler({{a}}, {order})",
                   "vec<3,float32>")  # fmt: skip
    parts = "vec<3,float32>; quat<float32>; vec<3,float32>"
    yield case("transform_compose", parts, "{r0} = wp.transform_compose({a}, {b}, {c})", "mat<4,4,float32>")
    lines = "p{n}, q{n}, s{n} = wp.transform_decompose({a})\n{r0} = p{n}\n{r1} = q{n}\n{r2} = s{n}"
    yield case("transform_decompose", "mat<4,4,float32>", lines, parts)


def _conversions() -> Iterator[Case]:
    widths = (("int8", "uint8"), ("int16", "uint16", "float16", "bfloat16"), ("int32", "uint32", "float32"),
              ("int64", "uint64", "float64"))  # fmt: skip
    for group in widths:
        for source in group:
            for target in group:
                yield case("cast", source, f"{{r0}} = wp.cast({{a}}, wp.{target})", target)
    yield case("static", "float32", "{r0} = {a} + wp.static(0.5 * 3.0)", "float32")
    lines = "z{n} = wp.zeros(shape=(4,), dtype=wp.int32)\nz{n}[2] = {a}\n{r0} = z{n}[2] + z{n}[1]"
    yield case("zeros", "int32", lines, "int32")
    lines = "v{n} = wp.array(ptr={array_a}.ptr, shape=(4,), dtype=wp.float32)\n{r0} = v{n}[2]"
    yield case("array", "float32", lines, "float32")


def _rare() -> Iterator[Case]:
    """What inputs that are drawn hardly ever meet."""
    loop = "state{n} = {a}\ntotal{n} = wp.uint32(0)\nfor k{n} in range(200):\n"
    draw = "    total{n} = total{n} + wp.poisson(state{n}, {b})\n{r0} = total{n}\n{r1} = state{n}"
    yield case("poisson", "uint32; float32:rate", loop + draw, "uint32; uint32")
    for s in ("float32", "float64"):
        for scale in ("1.0", "6.0"):
            # The second triangle lies in the plane of the first: inside, outside or across its sides.
            corners = [f"u{k}_{{n}} = {{a}} + wp.{s}({scale}) * ({{{w}}}[0] * {{b}} + {{{w}}}[1] * {{c}})"
                       for k, w in enumerate("def")]  # fmt: skip
            large = [f"v{k}_{{n}} = {{a}} + wp.{s}({x}) * {{b}} + wp.{s}({y}) * {{c}}"
                     for k, (x, y) in enumerate(((-4.0, -4.0), (4.0, -4.0), (0.0, 4.0)))]  # fmt: skip
            first, second = (", ".join(f"{name}{k}_{{n}}" for k in range(3)) for name in "uv")
            calls = [f"{{r0}} = wp.intersect_tri_tri({first}, {second})",
                     f"{{r1}} = wp.intersect_tri_tri({second}, {first})"]  # fmt: skip
            given = "; ".join([f"vec<3,{s}>"] * 3 + [f"vec<2,{s}>"] * 3)
            yield case("intersect_tri_tri", given, "\n".join([*corners, *large, *calls]), "int32; int32")


def _output() -> Iterator[Case]:
    once = "if i == 3:\n    "
    yield case("printf", "int32; float32", once + 'wp.printf("%d %f\\n", {a}, {b})\n{r0} = {a}', "int32")
    for kind in ("int32", "float32", "float64", "vec<3,float32>", "mat<2,2,float32>", "bool"):
        yield case("print", kind, once + "print({a})\n{r0} = {a}", kind)
    yield case("breakpoint", "int32", "if i < 0:\n    breakpoint()\n{r0} = {a}", "int32")
    for s in FLOATS:
        for kind in (s, f"vec<3,{s}>", f"quat<{s}>", f"mat<2,2,{s}>"):
            near = f"wp.expect_near({{a}}, {{a}}, wp.{s}(1.0))\n"
            # Nothing is so near: one thread prints.
            apart = f"if i == 1000:\n    wp.expect_near({{a}}, {{a}}, wp.{s}(-1.0))\n"
            yield case("expect_near", kind, near + apart + "{r0} = {a}", kind)


def quick(everything: dict[str, list[Case]]) -> dict[str, list[Case]]:
    """A part that has every builtin and every form of a call with float32 and 32-bit integers.

    The other types take turns, so that each of them meets a part of the builtins.
    """
    return {name: list(_thinned(found, turn)) for turn, (name, found) in enumerate(everything.items())}


def _thinned(found: list[Case], turn: int) -> Iterator[Case]:
    narrow_or_wide = [name for name in SCALARS if not name.endswith("32")]
    scalars = {name for i, name in enumerate(narrow_or_wide) if (turn + i) % 5}
    forms: set[tuple[type, ...]] = set()
    for one in found:
        scalar = next((str(part) for kind, _ in one.inputs for part in component_scalars(kind, {})), "")
        form = tuple(type(kind) for kind, _ in one.inputs)
        plain = scalar in ("float32", "uint32", "")
        if scalar not in scalars or (plain and form not in forms):
            yield one
            scalars.add(scalar)
        if plain:
            forms.add(form)

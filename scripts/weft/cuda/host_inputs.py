"""Statements that fill one kernel parameter by its recipe (docs/formats.md, "Drawn inputs")."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.host_layout import StructFields
from weft.cuda.literals import float_literal
from weft.launch import Recipe
from weft.sizes import Size
from weft.types import Scalar, Struct, Structs, Type, component_scalars

PrintSize = Callable[[Size], str]

RANDOM = ("uniform", "integers", "permutation", "offsets")
UNIFORM_DOUBLE = "uniform_double"
"""Draws what `uniform` describes where a component is a double: all its bits, so that no float holds it."""


@dataclasses.dataclass(frozen=True)
class Target:
    """What is to be filled: its type in Weft and in C++, and its name in `main`."""

    type: Type
    c_type: str
    local: str
    position: int


class Filler:
    """Prints the statements, and keeps which functions they use: recipe kinds, skip, fill, set_values."""

    def __init__(self, structs: Structs, fields: StructFields, print_size: PrintSize) -> None:
        self._structs = structs
        self._fields = fields
        self._print_size = print_size
        self.uses: set[str] = set()

    def array(self, target: Target, recipe: Recipe) -> list[str]:
        """Statements that fill an array."""
        if recipe.kind == "members" or isinstance(target.type, Struct):
            random = f"{target.local}_random"
            return [
                *self._generator(target, recipe, random),
                f"for (size_t i = 0; i < {target.local}.count(); ++i) {{",
                f"{target.c_type}& element = {target.local}.host()[i];",
                *self._members(random, "element", target.type, target.c_type, recipe, is_random(recipe)),
                "}",
            ]
        width = sum(1 for _ in component_scalars(target.type, self._structs))
        count = f"{target.local}.count()" if width == 1 else f"{width} * {target.local}.count()"
        return self._whole(target, recipe, f"{target.local}.host()", count)

    def value(self, target: Target, recipe: Recipe) -> list[str]:
        """Statements that fill a variable."""
        if isinstance(target.type, Struct):
            # A struct within a parameter that holds arrays is a part of a variable.
            random = f"{target.local.replace('.', '_')}_random"
            return [
                *self._generator(target, recipe, random),
                *self._members(
                    random,
                    target.local,
                    target.type,
                    target.c_type,
                    recipe,
                    is_random(recipe),
                ),
            ]
        width = sum(1 for _ in component_scalars(target.type, self._structs))
        return self._whole(target, recipe, f"&{target.local}", str(width))

    def literal(self, scalar: Scalar, recipe: Recipe) -> str:
        """The value of a `constant` or `size` recipe as a C++ expression of the scalar's type."""
        if recipe.kind == "size":
            return self._print_size(recipe.arguments)
        value = recipe.arguments
        if scalar.name == "bool":
            return "true" if value else "false"
        if scalar.is_float:
            return float_literal(float(value), scalar)
        return str(int(value))

    def _generator(self, target: Target, recipe: Recipe, name: str) -> list[str]:
        return [f"Random {name}({_seed(target)});"] if is_random(recipe) else []

    def _whole(self, target: Target, recipe: Recipe, place: str, count: str) -> list[str]:
        scalar = next(component_scalars(target.type, self._structs))
        if recipe.kind in RANDOM:
            return [f"Random({_seed(target)}).{self._draw(recipe, scalar, place, count)}"]
        if recipe.kind == "list":
            self.uses.add("set_values")
            elements = ", ".join(self._print_size(one) for one in recipe.arguments)
            return [f"set_values<{c_type(scalar)}>({place}, {{{elements}}});"]
        return self._constant(scalar, recipe, place, count)

    def _constant(self, scalar: Scalar, recipe: Recipe, place: str, count: str) -> list[str]:
        self.uses.add("fill")
        return [f"fill<{c_type(scalar)}>({place}, {count}, {self.literal(scalar, recipe)});"]

    def _draw(self, recipe: Recipe, scalar: Scalar, place: str, count: str) -> str:
        function = recipe.kind
        if recipe.kind == "uniform" and scalar.name == "float64":
            function = UNIFORM_DOUBLE
        self.uses.add(function)
        arguments = [place, count]
        match recipe.kind:
            case "uniform":
                arguments += [float_literal(bound, Scalar("float64")) for bound in recipe.arguments]
            case "integers" | "offsets":
                arguments += [self._print_size(bound) for bound in recipe.arguments]
            case "permutation":
                arguments.append(self._print_size(recipe.arguments))
        type = "" if function == UNIFORM_DOUBLE else f"<{c_type(scalar)}>"
        return f"{function}{type}({', '.join(arguments)});"

    def _members(
        self, random: str, place: str, type: Type, c_name: str, recipe: Recipe, counts: bool
    ) -> list[str]:
        """Statements for each member of a struct; `counts` if skipped numbers matter to later ones."""
        assert isinstance(type, Struct)
        statements = []
        names = [name for name, _ in self._structs[type.name]]
        for name, (member, member_c_type, member_type) in zip(names, self._fields[c_name], strict=True):
            one = recipe.arguments[name] if recipe.kind == "members" else recipe
            here = f"{place}.{member}"
            if isinstance(member_type, Struct):
                statements += self._members(random, here, member_type, member_c_type, one, counts)
                continue
            scalars = list(component_scalars(member_type, self._structs))
            width = str(len(scalars))
            if one.kind in RANDOM:
                statements.append(f"{random}.{self._draw(one, scalars[0], f'&{here}', width)}")
                continue
            if isinstance(member_type, Scalar):
                statements.append(f"{here} = {self.literal(member_type, one)};")
            else:
                statements += self._constant(scalars[0], one, f"&{here}", width)
            if counts:
                self.uses.add("skip")
                statements.append(f"{random}.skip({width});")
        return statements


def _seed(target: Target) -> str:
    return f"options.seed, {target.position}"


def is_random(recipe: Recipe) -> bool:
    """True if a recipe draws numbers anywhere."""
    if recipe.kind == "members":
        return any(is_random(member) for member in recipe.arguments.values())
    return recipe.kind in RANDOM

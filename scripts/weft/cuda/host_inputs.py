"""Statements of `main` that fill one kernel parameter by its recipe (docs/formats.md, "Drawn inputs")."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from weft.cuda.c_types import HALVES, c_type, is_cuda_vector
from weft.cuda.host_layout import StructFields
from weft.cuda.host_variables import Variable
from weft.cuda.literals import float_literal
from weft.launch import Recipe
from weft.recipes import component_recipes
from weft.sizes import Size
from weft.types import Scalar, Struct, Structs, Type, component_scalars

PrintSize = Callable[[Size], str]
EvaluateSize = Callable[[Size], int]

UNDESCRIBED = Recipe("uniform", [0.0, 1.0])
"""Of numbers that nobody described; whole ones are 0."""


class Filler:
    """Prints the statements, and keeps which functions they use. `real` and `integer` are the types that the
    functions of random numbers return: that of all `variables` that use them, or one that holds any.
    """

    def __init__(
        self,
        structs: Structs,
        fields: StructFields,
        positions: dict[str, int],
        print_size: PrintSize,
        evaluate: EvaluateSize,
        local: Callable[[str], str],
        variables: Iterable[Variable],
    ) -> None:
        self._structs = structs
        self._fields = fields
        self._positions = positions
        self._print_size = print_size
        self._local = local
        self.uses: set[str] = set()
        drawn = [one for variable in variables for one in self._recipes(variable)]
        reals = {scalar.name for scalar, recipe in drawn if recipe.kind == "uniform"} - {"float64"}
        self.real = "float" if reals == {"float32"} else "double"
        wholes = [(scalar, recipe.arguments) for scalar, recipe in drawn if recipe.kind == "integers"]
        fits = all(scalar.name == "int32" and _is_int_range(*map(evaluate, args)) for scalar, args in wholes)
        self.integer = "int" if fits else "int64_t"

    def _recipes(self, variable: Variable) -> Iterator[tuple[Scalar, Recipe]]:
        """All components of an element that are drawn or given."""
        recipe = variable.described.values
        scalars = list(component_scalars(variable.type, self._structs))
        recipes = [recipe] * len(scalars)
        if recipe is not None:
            recipes = list(component_recipes(variable.type, recipe, self._structs))
        for scalar, one in zip(scalars, recipes, strict=True):
            if (found := one or _default(scalar)) is not None:
                yield scalar, found

    def initial(self, variable: Variable) -> str | None:
        """The value of a number or a vector of CUDA's as an expression; None for what takes statements."""
        if is_cuda_vector(variable.type):
            return self._vector(variable, variable.type, variable.described.values, "") or None
        if not isinstance(variable.type, Scalar) or variable.is_array:
            return None
        return self._component(variable, variable.type, _recipe(variable, variable.type), "0") or "0"

    def elements(self, variable: Variable) -> tuple[str, list[str]]:
        """The number of components of an array that a loop over `i` fills, and the statements of its body; no
        statements for what stays zero or is filled by `whole`.
        """
        recipe = variable.described.values
        if isinstance(variable.type, Struct):
            return f"{variable.place}.count", list(self._members(variable, f"{variable.place}.host[i]", "i"))
        scalars = list(component_scalars(variable.type, self._structs))
        if recipe is not None and recipe.kind in ("permutation", "list"):
            return "", []
        place = f"{variable.place}.host"
        value = self._component(variable, scalars[0], _recipe(variable, scalars[0]), "i")
        if len(scalars) == 1:
            return f"{variable.place}.count", [f"{place}[i] = {value};"] if value else []
        place = f"reinterpret_cast<{c_type(scalars[0])}*>({place})[i]"
        return f"{len(scalars)} * {variable.place}.count", [f"{place} = {value};"] if value else []

    def whole(self, variable: Variable) -> list[str]:
        """Statements that fill an array all at once: a permutation, or a list of values."""
        recipe, place = variable.described.values, variable.place
        if recipe is None or recipe.kind not in ("permutation", "list"):
            return []
        if recipe.kind == "permutation":
            self.uses |= {"random_bits", "random_permutation"}
            total = self._print_size(recipe.arguments)
            return [f"random_permutation({place}.host, {place}.count, {self._position(variable)}, {total});"]
        scalar = next(component_scalars(variable.type, self._structs))
        values = self._local(f"{place}_values")
        elements = ", ".join(f"{c_type(scalar)}({self._print_size(one)})" for one in recipe.arguments)
        return [
            f"const {c_type(scalar)} {values}[] = {{{elements}}};",
            f"for (size_t i = 0; i < {place}.count; ++i) {place}.host[i] = {values}[i];",
        ]

    def value(self, variable: Variable) -> list[str]:
        """Statements that fill a variable of several components."""
        if isinstance(variable.type, Struct):
            return list(self._members(variable, variable.place, ""))
        scalars = list(component_scalars(variable.type, self._structs))
        return self._several(variable, variable.place, scalars, _recipe(variable, scalars[0]), "k")

    def numbers(self, variable: Variable, place: str, target: str) -> Iterator[str]:
        """Statements that append all components of a struct, as doubles, to the vector `target`."""
        for path, member, _ in self._flat(variable.type, variable.c_type, None):
            scalars = list(component_scalars(member, self._structs))
            kind = c_type(scalars[0])
            one = isinstance(member, Scalar)
            value = f"{place}.{path}" if one else f"reinterpret_cast<const {kind}*>(&{place}.{path})[k]"
            value = f"float({value})" if scalars[0].name in HALVES else value
            loop = "" if one else f"for (int k = 0; k < {len(scalars)}; ++k) "
            yield f"{loop}{target}.push_back(double({value}));"

    def _members(self, variable: Variable, place: str, element: str) -> Iterator[str]:
        """Statements for each member of a struct."""
        total = sum(1 for _ in component_scalars(variable.type, self._structs))
        start = f"{total} * {element}" if element else ""
        first = 0
        for path, member, recipe in self._flat(variable.type, variable.c_type, variable.described.values):
            scalars = list(component_scalars(member, self._structs))
            recipe = recipe or _default(scalars[0])
            here = _sum(start, first)
            if isinstance(member, Scalar) or is_cuda_vector(member):
                value = (
                    self._component(variable, member, recipe, here)
                    if isinstance(member, Scalar)
                    else self._vector(variable, member, recipe, here)
                )
                if value:
                    yield f"{place}.{path} = {value};"
            else:
                number = "k" if here == "0" else f"{here} + k"
                yield from self._several(variable, f"{place}.{path}", scalars, recipe, number)
            first += len(scalars)

    def _vector(self, variable: Variable, vector: Type, recipe: Recipe | None, start: str) -> str:
        """A vector of CUDA's as an expression, of random numbers from `start`; nothing for zeros."""
        scalars = list(component_scalars(vector, self._structs))
        recipe = recipe or _default(scalars[0])
        values = [
            self._component(variable, scalar, recipe, _sum(start, number))
            for number, scalar in enumerate(scalars)
        ]
        return f"make_{c_type(vector)}({', '.join(values)})" if values[0] else ""

    def _several(
        self, variable: Variable, place: str, scalars: list[Scalar], recipe: Recipe | None, number: str
    ) -> list[str]:
        value = self._component(variable, scalars[0], recipe, number)
        if not value:
            return []
        scalar = c_type(scalars[0])
        return [
            f"for (int k = 0; k < {len(scalars)}; ++k) reinterpret_cast<{scalar}*>(&{place})[k] = {value};"
        ]

    def _flat(
        self, type: Type, c_name: str, recipe: Recipe | None
    ) -> Iterator[tuple[str, Type, Recipe | None]]:
        """The members of a struct that are no structs: path in C++, type, recipe."""
        assert isinstance(type, Struct)
        names = [name for name, _ in self._structs[type.name]]
        for name, (member, member_c_type, member_type) in zip(names, self._fields[c_name], strict=True):
            one = recipe.arguments[name] if recipe is not None and recipe.kind == "members" else recipe
            if isinstance(member_type, Struct):
                for path, inner, inner_recipe in self._flat(member_type, member_c_type, one):
                    yield f"{member}.{path}", inner, inner_recipe
            else:
                yield member, member_type, one

    def _component(self, variable: Variable, scalar: Scalar, recipe: Recipe | None, number: str) -> str:
        """The value of random number `number` as an expression; nothing for zero."""
        if recipe is None:
            return ""
        arguments = recipe.arguments
        kind = c_type(scalar)
        given = f"{self._position(variable)}, {number}"
        match recipe.kind:
            case "uniform":
                function = "random_double" if scalar.name == "float64" else "random_uniform"
                self.uses |= {"random_bits", function}
                low, high = (float_literal(bound, Scalar("float64")) for bound in arguments)
                drawn = f"{function}({given}, {low}, {high})"
                return drawn if kind in ("double", self.real) else f"{kind}({drawn})"
            case "integers":
                self.uses |= {"random_bits", "random_integer"}
                low, high = map(self._print_size, arguments)
                drawn = f"random_integer({given}, {low}, {high})"
                return drawn if kind == self.integer else f"{kind}({drawn})"
            case "offsets":
                self.uses.add("random_bits")
                stride, span = map(self._print_size, arguments)
                return f"{kind}({number} * {stride} + random_bits({given}) % {span})"
            case "size":
                return self._print_size(arguments)
            case _:
                return _literal(scalar, arguments)

    def _position(self, variable: Variable) -> int:
        return self._positions[variable.name]


def _sum(start: str, number: int) -> str:
    """`start` may be an expression or empty, or a sum that ends in a number."""
    base, _, last = start.rpartition(" + ")
    if last.isdigit():
        start, number = base, number + int(last)
    return f"{start} + {number}" if start and number else start or str(number)


def _is_int_range(low: int, high: int) -> bool:
    return low >= -(2**31) and high < 2**31 and high - low < 2**31


def _literal(scalar: Scalar, value: float) -> str:
    """A constant of the scalar's type; nothing for zero."""
    if not value:
        return ""
    if scalar.name == "bool":
        return "true"
    return float_literal(float(value), scalar) if scalar.is_float else str(int(value))


def _default(scalar: Scalar) -> Recipe | None:
    return UNDESCRIBED if scalar.is_float else None


def _recipe(variable: Variable, scalar: Scalar) -> Recipe | None:
    return variable.described.values or _default(scalar)

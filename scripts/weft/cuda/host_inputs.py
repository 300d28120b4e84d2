"""Statements of `main` that fill one kernel parameter by its recipe (docs/formats/inputs.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from weft import bfloat16
from weft.cuda.c_types import HALVES, SCALARS, c_type, component_names, is_cuda_vector
from weft.cuda.host_arrays import ArrayType, Form, form
from weft.cuda.host_layout import StructFields
from weft.cuda.host_sizes import in_product
from weft.cuda.host_variables import Variable
from weft.cuda.literals import float_literal, integer_literal
from weft.cuda.tree import INT
from weft.inputs import array_seed, draw
from weft.launch import Launch, Recipe
from weft.recipes import MAIN_SEED, MAIN_SIZE, component_recipes
from weft.sizes import Size, evaluate_size
from weft.types import Matrix, Scalar, Struct, Structs, Transform, Type, Vector, component_scalars

PrintSize = Callable[[Size], str]

UNDESCRIBED = Recipe("uniform", [0.0, 1.0])
"""Of numbers that nobody described; whole ones are 0."""


class Filler:
    """Prints the statements, and keeps what they use: `functions` that draw one number, and the arrays that
    each function fills. `arrays` are all arrays that hold something before the launch.
    """

    def __init__(
        self,
        structs: Structs,
        fields: StructFields,
        positions: Mapping[str, int],
        launch: Launch,
        print_size: PrintSize,
        local: Callable[[str], str],
        arrays: Iterable[Variable],
    ) -> None:
        self._structs = structs
        self._fields = fields
        self._positions = positions
        self._sizes = launch.named_sizes(MAIN_SIZE)
        self._print_size = print_size
        self._local = local
        self.functions: set[str] = set()
        self._filled: dict[str, list[ArrayType]] = {}
        drawn = [
            (one, recipe) for one in arrays for recipe in self._recipes(one) if recipe.kind == "integers"
        ]
        ranges = [[evaluate_size(bound, self._sizes) for bound in recipe.arguments] for _, recipe in drawn]
        self.integer = "int" if all(_is_int_range(*bounds) for bounds in ranges) else "long long"
        self.from_zero = not any(low for low, _ in ranges)
        """Whether all ranges of whole numbers begin at 0."""
        self._whole = {one.name for one, _ in drawn}

    def forms(self) -> dict[str, Form]:
        """The declaration of each function that fills arrays, by what it fills them with."""
        return {function: form(types) for function, types in self._filled.items()}

    @property
    def casts_integers(self) -> bool:
        """Whether whole numbers become halves, which takes a cast."""
        return any(one.number in map(SCALARS.get, HALVES) for one in self._filled.get("integers", []))

    def number_type(self, variable: Variable) -> ArrayType:
        """What an array holds: structs as they are, of vectors and matrices their numbers."""
        if isinstance(variable.type, Struct):
            return ArrayType(variable.c_type, variable.c_type)
        return ArrayType(variable.c_type, c_type(next(component_scalars(variable.type, self._structs))))

    def initial(self, variable: Variable) -> str:
        """What a parameter that is passed by value begins with, unless it is a struct; nothing for zeros."""
        if (size := variable.described.size) is not None:
            return self._sized(variable.type, size)
        return self._value(variable.type, self._numbers(variable))

    def members(self, variable: Variable) -> Iterator[str]:
        """Statements for the members of a struct that is passed by value."""
        numbers = self._numbers(variable)
        for path, member, recipe in self._flat(variable.type, variable.c_type, variable.described.values):
            given = [next(numbers) for _ in component_scalars(member, self._structs)]
            if recipe is not None and recipe.kind == "size":
                value = self._sized(member, recipe.arguments)
            else:
                value = self._value(member, given)
            if value:
                yield f"{variable.place}.{path} = {value};"

    def array(self, variable: Variable) -> Iterator[str]:
        """Statements that fill an array and copy it to the device; none for what stays zero."""
        place, kind = variable.place, self.number_type(variable)
        if isinstance(variable.type, Struct):
            statements = list(self._elements(variable))
            if statements:
                yield from (_loop(place), "{", *statements, "}", f"{place}.upload();")
            return
        scalar = next(component_scalars(variable.type, self._structs))
        recipe = variable.described.values or _default(scalar)
        if recipe is None:
            return
        seed, arguments = self._seed(variable), recipe.arguments
        if recipe.kind in ("uniform", "unit", "integers", "permutation", "offsets"):
            self.functions.add("pcg")
        match recipe.kind:
            case "uniform" | "unit":
                low, high = (float_literal(bound, Scalar("float64")) for bound in arguments)
                self._filled.setdefault("double" if scalar.name == "float64" else "uniform", []).append(kind)
                yield f"fill_uniform({place}, {seed}, {low}, {high});"
                if recipe.kind == "unit":
                    self._filled.setdefault("unit", []).append(kind)
                    self.functions.add("scale_to_unit_length")
                    total, first = _unit(variable.type)
                    yield f"normalize_each({place}, {total}, {first});"
            case "integers":
                low, high = map(self._print_size, arguments)
                if len(self._whole) == 1 and self.from_zero:
                    yield from _each(place, _whole(scalar, f"pcg({seed} + i) % {in_product(high)}"))
                else:
                    self._filled.setdefault("integers", []).append(kind)
                    bounds = high if self.from_zero else f"{low}, {high}"
                    yield f"fill_integers({place}, {seed}, {bounds});"
            case "permutation":
                self._filled.setdefault("permutation", []).append(kind)
                yield f"fill_permutation({place}, {seed}, {self._print_size(arguments)});"
            case "offsets":
                stride, span = (in_product(self._print_size(one)) for one in arguments)
                yield from _each(place, _whole(scalar, f"i * {stride} + pcg({seed} + i) % {span}"))
            case "list":
                values = self._local(f"{place}_values")
                yield self.listed(variable, values)
                yield from _each(place, f"{values}[i]")
            case "size":
                yield from _each(place, _whole(scalar, self._print_size(arguments)))
            case _:
                if value := _literal(scalar, arguments):
                    yield from _each(place, value)

    def listed(self, variable: Variable, name: str) -> str:
        """The declaration of the numbers that are given for an array."""
        assert variable.described.values is not None
        kind = self.number_type(variable).number
        numbers = [self._print_size(one) for one in variable.described.values.arguments]
        listed = ", ".join(numbers if kind == "int" else [f"{kind}({number})" for number in numbers])
        return f"const {kind} {name}[] = {{{listed}}};"

    def _recipes(self, variable: Variable) -> Iterator[Recipe]:
        """The recipes of an array's components."""
        recipe = variable.described.values
        if recipe is not None:
            yield from component_recipes(variable.type, recipe, self._structs)

    def _numbers(self, variable: Variable) -> Iterator[tuple[Scalar, float]]:
        """The components of what is passed by value, as Python has drawn them."""
        scalars = list(component_scalars(variable.type, self._structs))
        recipe = variable.described.values
        drawn = draw(
            variable.type,
            1,
            recipe or UNDESCRIBED,
            seed=MAIN_SEED,
            parameter=self._positions[variable.name],
            sizes=self._sizes,
            structs=self._structs,
        )
        for number, scalar in enumerate(scalars):
            value = bfloat16.as_floats(drawn[f"c{number}"])[0].item()
            yield scalar, value if recipe is not None or scalar.is_float else 0

    def _value(self, type: Type, numbers: Iterable[tuple[Scalar, float]]) -> str:
        """A value of these numbers as an initializer; nothing for zeros."""
        literals = [_literal(scalar, value) for scalar, value in numbers]
        if not any(literals):
            return ""
        return _composed(type, [literal or "0" for literal in literals])

    def _sized(self, type: Type, size: Size) -> str:
        """A value each of whose numbers is a size."""
        number = self._print_size(size)
        if isinstance(type, Scalar):
            return _whole(type, number)
        scalars = component_scalars(type, self._structs)
        return _composed(type, [number if one == INT else f"{c_type(one)}({number})" for one in scalars])

    def _elements(self, variable: Variable) -> Iterator[str]:
        """Statements for each member of the struct at `i`, whose numbers are counted from `counter`."""
        total = sum(1 for _ in component_scalars(variable.type, self._structs))
        element, counter = self._local("element"), self._local("counter")
        statements, first = [], 0
        for path, member, recipe in self._flat(variable.type, variable.c_type, variable.described.values):
            scalars = list(component_scalars(member, self._structs))
            recipe = recipe or _default(scalars[0])
            numbers = [_sum(counter, first + component) for component in range(len(scalars))]
            first += len(scalars)
            values = [self._component(scalars[0], recipe, number) for number in numbers]
            if not values[0]:
                continue
            if is_cuda_vector(member):
                statements.append(f"{element}.{path} = make_{c_type(member)}({', '.join(values)});")
            elif at := _indexed(member):
                value = self._component(scalars[0], recipe, f"{numbers[0]} + k")
                statements.append(f"for (int k = 0; k < {len(scalars)}; ++k) {element}.{path}{at} = {value};")
            else:
                names = zip(_names(member), values, strict=True)
                statements += [f"{element}.{path}{name} = {value};" for name, value in names]
            if recipe is not None and recipe.kind == "unit":
                self.functions.add("scale_to_unit_length")
                count, start = _unit(member)
                place = f"{element}.{path}{_names(member)[start]}"
                statements.append(f"scale_to_unit_length(&{place}, {count - start});")
        if not statements:
            return
        yield f"{variable.c_type}& {element} = {variable.place}.host[i];"
        if any(counter in one for one in statements):
            yield f"const unsigned {counter} = {self._seed(variable)} + {total} * i;"
        yield from statements

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

    def paths(self, variable: Variable) -> Iterator[tuple[str, Scalar]]:
        """The numbers of an element on the host: what follows it in C++, and their types."""
        if not isinstance(variable.type, Struct):
            yield "", next(component_scalars(variable.type, self._structs))
            return
        for path, member, _ in self._flat(variable.type, variable.c_type, None):
            scalars = list(component_scalars(member, self._structs))
            names = zip(_names(member), scalars, strict=True)
            yield from ((f".{path}{name}", scalar) for name, scalar in names)

    def _component(self, scalar: Scalar, recipe: Recipe | None, counter: str) -> str:
        """The value of the random number of a counter as an expression; nothing for zero."""
        if recipe is None:
            return ""
        match recipe.kind:
            case "uniform" | "unit":
                function = "random_double" if scalar.name == "float64" else "random_uniform"
                low, high = (float_literal(bound, Scalar("float64")) for bound in recipe.arguments)
            case "integers":
                function = "random_integer"
                low, high = map(self._print_size, recipe.arguments)
            case "size":
                return _whole(scalar, self._print_size(recipe.arguments))
            case _:
                return _literal(scalar, recipe.arguments)
        self.functions |= {"pcg", function}
        drawn = f"{function}({counter}, {low}, {high})"
        return _whole(scalar, drawn) if recipe.kind == "integers" else drawn

    def _seed(self, variable: Variable) -> str:
        return f"{array_seed(MAIN_SEED, self._positions[variable.name]):#010x}"


def _loop(place: str) -> str:
    return f"for (size_t i = 0; i < {place}.count; ++i)"


def _each(place: str, value: str) -> Iterator[str]:
    """Statements that give every element a value, an expression in `i`."""
    yield f"{_loop(place)} {place}.host[i] = {value};"
    yield f"{place}.upload();"


def _composed(type: Type, numbers: Sequence[str]) -> str:
    """A value of these numbers as an initializer."""
    listed = ", ".join(numbers)
    if isinstance(type, Scalar):
        return listed
    return f"make_{c_type(type)}({listed})" if is_cuda_vector(type) else f"{{{listed}}}"


def _whole(scalar: Scalar, number: str) -> str:
    """A whole number as what is assigned to a number of the type: halves take floats alone as they are."""
    return f"{c_type(scalar)}({number})" if scalar.name in HALVES else number


def _names(type: Type) -> tuple[str, ...]:
    """What follows a value of the type in C++, for each of its numbers."""
    return ("",) if isinstance(type, Scalar) else component_names(type)


def _unit(type: Type) -> tuple[int, int]:
    """How many numbers a value of the type has, and from which on they are a unit vector."""
    return len(_names(type)), 3 if isinstance(type, Transform) else 0


def _indexed(type: Type) -> str:
    """What follows a matrix or a long vector for number `k` of it; nothing for other types."""
    if isinstance(type, Matrix):
        return f".m[k / {type.columns}][k % {type.columns}]"
    return ".v[k]" if isinstance(type, Vector) and type.length > 4 else ""


def _sum(start: str, number: int) -> str:
    return f"{start} + {number}" if number else start


def _is_int_range(low: int, high: int) -> bool:
    return low >= -(2**31) and high < 2**31 and high - low < 2**31


def _literal(scalar: Scalar, value: float) -> str:
    """A constant of the scalar's type; nothing for zero."""
    if not value:
        return ""
    if scalar.name == "bool":
        return "true"
    return float_literal(float(value), scalar) if scalar.is_float else integer_literal(int(value), scalar)


def _default(scalar: Scalar) -> Recipe | None:
    return UNDESCRIBED if scalar.is_float else None

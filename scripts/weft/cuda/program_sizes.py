"""The sizes of a program of several launches: which ones its launcher takes, and what follows from those."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from weft.cuda import host_names
from weft.cuda.device_code import KernelParameter
from weft.cuda.host_launcher import exceed_int, factors_of
from weft.cuda.host_sizes import FLOOR_DIV, FLOOR_MOD, print_size
from weft.cuda.launch_assumptions import LARGEST_INT
from weft.cuda.names import local_name
from weft.cuda.sizes import canonical_size, renamed
from weft.errors import KernelError
from weft.launch import Launch
from weft.launch_sequence import KernelStep, ZeroStep, placed_steps
from weft.sizes import Size, evaluate_size, parse_size, size_names, size_text
from weft.written import Where

_COUNTERS = ("repetition", "branch")
"""How the launcher's own variables begin."""

_NAME = re.compile(r"[A-Za-z_]\w*")
_DIVISOR = re.compile(r"/ ([A-Za-z_]\w*)")
_COMPARISON = re.compile(r"(.+) ([<>]) ((?:INT_MAX|<<|[-+/() 0-9])+)")
"""A comparison with a number."""


class ProgramSizes:
    """Prints sizes in the launcher's own words, whose parameters are those `given` and those that it chooses.

    An extent of an array is a parameter: the array's shape tells it, whatever the description computes it
    from. What the description computes from other such extents is computed from them: sizes that no array has
    as its extent, and those that do not mention the base size. A kernel knows the `fixed` ones as numbers.
    `computed` has the values of the launcher's variables. Nothing is done where one of the `needed` sizes is
    zero.
    """

    def __init__(
        self, launch: Launch, given: Sequence[KernelParameter], fixed: Collection[str], taken: Collection[str]
    ) -> None:
        self.launch = launch
        self.given = given
        self.fixed = fixed
        self.taken = set(taken)
        self.calls: set[str] = set()
        self.known: dict[str, str] = {}
        for one in given:
            if one.written is not None and not (text := self._renamed(one.written)).isdigit():
                self.known.setdefault(text, one.c_name)
        shapes = [launch.parameters[one.name].shape for one in given]
        self.extents = [self._renamed(extent) for shape in shapes for extent in shape]
        self.mentioned = list(dict.fromkeys(name for extent in self.extents for name in _names(extent)))
        self.needed = self._needed_by_all()
        self._parameters: dict[str, KernelParameter] = {}
        self._constants: dict[str, int] = {}
        self.computed: dict[str, str] = {}
        self._refusals: dict[str, list[str]] = {}
        self._tests: list[str] = []
        self._cleared: list[str] = []
        self._last: list[str] = []

    @property
    def parameters(self) -> list[KernelParameter]:
        """Those that it chose, in the order of the arrays' shapes."""
        names = sorted(self._parameters, key=lambda name: [*self.mentioned, name].index(name))
        return [self._parameters[name] for name in names]

    def statements(self) -> list[str]:
        """What stands before the first launch: refusals of what no int can count, definitions."""
        constants = [f"constexpr int {local} = {number};" for local, number in self._constants.items()]
        computed = [
            line
            for local, value in self.computed.items()
            for line in (*self._refusals[local], f"const int {local} = {value};")
        ]
        signs = [f"{name} < 0" for name in self._cleared if not self._is_positive(name)]
        empty = [f"{name} <= 0" for name in self._counted]
        returns = [f"if ({' || '.join(empty)}) return cudaSuccess;"] if empty and self._asked else []
        refused = _refusal(dict.fromkeys([*signs, *self._tests]))
        return [*constants, *returns, *refused, *computed, *_refusal(self._last)]

    @property
    def _counted(self) -> list[str]:
        """The parameters that are needed sizes."""
        needed = {self.known.get(size) for size in self.needed}
        return [one.c_name for one in (*self.given, *self.parameters) if one.c_name in needed]

    @property
    def _asked(self) -> bool:
        """Whether anything relies on a needed size to be above zero."""
        texts = [*self._cleared, *self._tests, *self._last, *self.computed.values()]
        return not {*_NAME.findall(" ".join(texts))}.isdisjoint(self._counted)

    def _needed_by_all(self) -> set[str]:
        """The named sizes without which no launch has a thread, and no array that is cleared an element."""
        steps = [step for step, _ in placed_steps(self.launch.steps, Where("steps"))]
        shapes = [
            step.dims if isinstance(step, KernelStep) else self.launch.parameters[step.array].shape
            for step in steps
            if isinstance(step, KernelStep | ZeroStep)
        ]
        found = [{name for size in shape for name in self._factors(size)} for shape in shapes]
        return set.intersection(*found) if found else set()

    def _factors(self, size: Size) -> Iterator[str]:
        """The named sizes that a size is no more than a multiple of: all that `2 * (rows - 1) * cols` has."""
        for factor in factors_of(parse_size(self._renamed(size))):
            match factor:
                case ast.Name(id=name) | ast.BinOp(ast.Name(id=name), ast.Sub(), ast.Constant()):
                    yield name
                    if name not in self.known and self._follows(name):
                        yield from self._factors(self.launch.sizes[name])

    def refuse(self, tests: Iterable[str], constants: Collection[str]) -> None:
        """Refuse what launches would refuse, where it is said in parameters, computed variables, `constants`
        and numbers, and is not refused anyway.
        """
        given = {one.c_name for one in self.given} | {one.c_name for one in self._parameters.values()}
        for one in tests:
            # What is subtracted may be negative here, where no empty launch has been left out.
            test = re.sub(r"(\w+) > INT_MAX - ([a-z]\w*)", r"int64_t(\1) + \2 > INT_MAX", one)
            names = {*_NAME.findall(test)} - {"INT_MAX", "int64_t", *constants}
            told = names & given
            divisors = {*_DIVISOR.findall(test)} - {*constants}
            # What compares a variable with what it is computed from is mostly so in any case.
            alone = len(names) == 1 and names <= self.computed.keys()
            if not (names and (told == names or alone)) or not all(map(self._is_positive, divisors)):
                continue
            if test.endswith(" < 1") and self._is_natural(test.removesuffix(" < 1")):
                continue
            if alone:
                self._last = _stricter(self._last, test)
            else:
                self._tests = _stricter(self._tests, test)

    def _is_positive(self, name: str) -> bool:
        """Whether nothing is done, or a size is refused, if it is not above zero."""
        factors = self.computed.get(name, name).split(" * ")
        return all(factor in self._counted or f"{factor} < 1" in self._tests for factor in factors)

    def _is_natural(self, name: str) -> bool:
        """The same, or whether it is zero for a launch without threads, as a product of what is no less."""
        factors = self.computed.get(name, "").split(" * ")
        return self._is_positive(name) or all(f"{factor} < 0" in self._tests for factor in factors)

    def text(self, size: Size) -> str:
        """A size as an int."""
        text, tests = self._printed(size)
        self._last += self._refuse(tests)
        return text

    def cleared(self, size: Size) -> str:
        """An extent of memory that the launcher clears: a negative one would be a huge number of bytes."""
        text = self.text(size)
        self._cleared += self._parameters_of(self._renamed(size))
        return text

    def _parameters_of(self, size: str) -> Iterator[str]:
        """The parameters that a size is computed from."""
        for name in _names(size):
            local = self.known[name]
            if local in self.computed:
                yield from self._parameters_of(self._renamed(self.launch.sizes[name]))
            elif local not in self._constants:
                yield local

    def _printed(self, size: Size) -> tuple[str, list[str]]:
        """The text of a size, and what no int can count."""
        text = self._renamed(size)
        if text in self.known:
            return self.known[text], []
        names = {**self.known, **{name: self._named(name) for name in _names(text)}}
        printed = print_size(text, names)
        if printed.calls & {FLOOR_DIV, FLOOR_MOD}:
            message = f"the size {size!r} divides what may be negative: give it a name in `sizes`"
            raise KernelError("unsupported", message)
        self.calls |= printed.calls
        return printed.text, list(self._too_large(parse_size(text), names))

    def _refuse(self, tests: Sequence[str]) -> list[str]:
        """Refuse what the parameters say; the tests of computed variables."""
        late = [one for one in tests if self.computed.keys() & set(re.findall(r"\w+", one))]
        for one in tests:
            if one not in late:
                self._tests = _stricter(self._tests, one)
        return late

    def _named(self, name: str) -> str:
        """What holds a size that has a name, or the base size: a parameter, or a variable."""
        if name in self.known:
            return self.known[name]
        other = next((one for one in self.launch.sizes if self._renamed(one) == name), name)
        local = host_names.fresh_size(local_name(other, set()), self.taken)
        if local.startswith(_COUNTERS):
            local = f"{local}_size"
        self.taken.add(local)
        number = canonical_size(name, self.launch.sizes)
        if isinstance(number, int) and name in self.fixed:
            self._constants[local] = number
        elif not isinstance(number, int) and self._follows(name):
            value, tests = self._printed(self.launch.sizes[name])
            self._refusals[local] = _refusal(self._refuse(tests))
            self.computed[local] = value
        else:
            self._parameters[name] = KernelParameter("", local, "extent", None, "int", number, written=name)
        self.known[name] = local
        return local

    def _follows(self, name: str) -> bool:
        """Whether a size is computed from others that arrays tell."""
        if name not in self.launch.sizes:
            return False
        others = _names(self._renamed(self.launch.sizes[name]))
        told = all(one in self.known or one in self.mentioned or self._follows(one) for one in others)
        return bool(others) and told and not ("n" in others and name in self.extents)

    def _too_large(self, size: ast.expr, names: Mapping[str, str]) -> Iterator[str]:
        """The tests that a product of sizes is more than an int holds, and that they are not below one."""
        for factors in _products(size, names):
            texts = [print_size(size_text(factor), names).text for factor in factors]
            others = [factor for factor, text in zip(factors, texts, strict=True) if not text.isdigit()]
            if not others or (len(others) == 1 and not isinstance(others[0], ast.Name)):
                continue
            used = [(name, isinstance(one, ast.Name)) for one in others for name in _names(size_text(one))]
            positive = [names[name] for name, _ in used if name in self.needed]
            if len(others) > 1:
                own = [(names[name], whole) for name, whole in used if name not in self.needed]
                positive += [local for local, whole in own if not whole]
                yield from (
                    f"{local} < {int(not whole)}" for local, whole in own if local not in self._constants
                )
            yield exceed_int(texts, positive)

    def _renamed(self, size: Size) -> str:
        return size_text(renamed(size, self.launch.sizes))


def is_simple(text: str) -> bool:
    """Whether a text is a name or a number."""
    return text.isidentifier() or text.isdigit()


def _names(size: str) -> list[str]:
    """The names in a size expression, in their order."""
    return sorted(size_names(size), key=size.index)


def _products(size: ast.expr, known: Collection[str]) -> Iterator[list[ast.expr]]:
    """The factors of each product in a size expression."""
    if size_text(size) in known:
        return
    match size:
        case ast.BinOp(op=ast.Mult()):
            factors = factors_of(size)
            yield factors
            operands = factors
        case ast.BinOp(left=left, right=right):
            operands = [left, right]
        case ast.UnaryOp(operand=operand):
            operands = [operand]
        case ast.Call(args=arguments):
            operands = arguments
        case _:
            operands = []
    for operand in operands:
        yield from _products(operand, known)


def _stricter(tests: Sequence[str], other: str) -> list[str]:
    """Tests with another one; of two that compare the same with numbers, the one that refuses more."""
    one = _COMPARISON.fullmatch(other)
    for number, test in enumerate(tests):
        this = _COMPARISON.fullmatch(test)
        if this and one and this.groups()[:2] == one.groups()[:2]:
            kept = (min if one[2] == ">" else max)(this, one, key=lambda found: _value(found[3]))
            return [*tests[:number], kept[0], *tests[number + 1 :]]
    return [*tests, other]


def _value(limit: str) -> int:
    """The number that a size is compared with."""
    number = re.sub(r"1 << (\d+)", lambda found: str(1 << int(found[1])), limit)
    return evaluate_size(number.replace("INT_MAX", str(LARGEST_INT)).replace("/", "//"), {})


def _refusal(tests: Collection[str]) -> list[str]:
    """The statement that refuses what one of the tests finds."""
    return [f"if ({' || '.join(dict.fromkeys(tests))}) return cudaErrorInvalidValue;"] if tests else []

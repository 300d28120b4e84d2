"""C++ names in PTX: taken apart, and put together as they would be without the sample's namespace.

A sample's function `foo(float*)` is `_ZN5s00033fooEPf` in its shard and `_Z3fooPf` in the program of the
sample alone. It takes a parser, since compressed parts (`S0_`) count all that stands before them: the
namespace, too.

Source: Itanium C++ ABI, section 5.1 (External Names), of which this reads what CUDA programs of Weft use: no
expressions, no function pointers, no closures.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

_BUILTIN = re.compile(r"[vwbcahstijlmxynofdegz]|D[nifdehsua]|DF16_|DF16b|u\d+\w+")
_OPERATOR = re.compile(
    r"nw|na|dl|da|ps|ng|ad|de|co|pl|mi|ml|dv|rm|an|or|eo|aS|pL|mI|mL|dV|rM|aN|oR|eO|ls|rs|lS|rS|eq|ne|lt|gt"
    r"|le|ge|ss|nt|aa|oo|pp|mm|cm|pm|pt|cl|ix|qu|C[12]|D[012]"
)
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclasses.dataclass(frozen=True)
class Text:
    """A part that is printed unchanged: a built-in type, a template parameter, a literal."""

    text: str


@dataclasses.dataclass(frozen=True)
class Named:
    """A namespace, class or function: its unqualified name within `parent`, and template arguments."""

    parent: Node | None
    name: str
    arguments: tuple[Node, ...] | None = None


@dataclasses.dataclass(frozen=True)
class Compound:
    """A pointer, reference, array or qualified type: a prefix such as `P`, `K`, `A4_`, then the type."""

    prefix: str
    inner: Node


Node = Text | Named | Compound


@dataclasses.dataclass(frozen=True)
class Symbol:
    """A mangled name. `signature` holds the result type of a template and the parameter types; empty for
    data.

    `entity` is the name of a variable inside the function, with what follows it, or None.
    """

    name: Named
    signature: tuple[Node, ...]
    qualifiers: str = ""
    entity: str | None = None


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.seen: list[Node] = []

    def fail(self) -> ValueError:
        return ValueError(f"cannot read the mangled name {self.text!r} at {self.at}")

    def take(self, literal: str) -> bool:
        if self.text.startswith(literal, self.at):
            self.at += len(literal)
            return True
        return False

    def expect(self, literal: str) -> None:
        if not self.take(literal):
            raise self.fail()

    def match(self, pattern: re.Pattern[str]) -> str | None:
        found = pattern.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found[0]

    def ended(self) -> bool:
        return self.at == len(self.text)

    def symbol(self) -> Symbol:
        self.expect("_Z")
        if not self.take("Z"):
            result = self.encoding()
            if not self.ended():
                raise self.fail()
            return result
        function = self.encoding()
        self.expect("E")
        entity, self.at = self.text[self.at :], len(self.text)
        return dataclasses.replace(function, entity=entity)

    def encoding(self) -> Symbol:
        name, qualifiers = self.name()
        signature = []
        while not self.ended() and self.text[self.at] != "E":
            signature.append(self.type())
        return Symbol(name, tuple(signature), qualifiers)

    def name(self) -> tuple[Named, str]:
        """A function's or variable's name, and the qualifiers of a member function."""
        if not self.take("N"):
            return self.unscoped(), ""
        qualifiers = self.match(re.compile("[rVK]*")) or ""
        return self.nested(), qualifiers

    def unscoped(self) -> Named:
        name = Named(None, self.unqualified())
        if self.text.startswith("I", self.at):
            self.seen.append(name)
            return Named(None, name.name, self.template_arguments())
        return name

    def nested(self) -> Named:
        """The rest of a nested name, which ends with E. All of it but the last part can be repeated."""
        current: Named | None = None
        if self.text.startswith("S", self.at):
            known = self.substitution()
            if not isinstance(known, Named):
                raise self.fail()
            current = known
        while not self.take("E"):
            if self.text.startswith("I", self.at):
                if current is None:
                    raise self.fail()
                current = dataclasses.replace(current, arguments=self.template_arguments())
            else:
                current = Named(current, self.unqualified())
            if not self.text.startswith("E", self.at):
                self.seen.append(current)
        if current is None:
            raise self.fail()
        return current

    def unqualified(self) -> str:
        length = self.match(re.compile(r"\d+"))
        if length is None:
            operator = self.match(_OPERATOR)
            if operator is None:
                raise self.fail()
            return operator
        end = self.at + int(length)
        if end > len(self.text):
            raise self.fail()
        identifier, self.at = self.text[self.at : end], end
        return f"{length}{identifier}"

    def template_arguments(self) -> tuple[Node, ...]:
        self.expect("I")
        arguments: list[Node] = []
        while not self.take("E"):
            literal = self.match(re.compile(r"L[a-z]n?\d+E"))
            arguments.append(Text(literal) if literal else self.type())
        return tuple(arguments)

    def substitution(self) -> Node:
        self.expect("S")
        standard = self.match(re.compile("[tabsiod]"))
        if standard is not None:
            return Named(None, f"S{standard}")
        digits = self.match(re.compile("[0-9A-Z]*")) or ""
        self.expect("_")
        index = 0 if not digits else int(digits, 36) + 1
        if index >= len(self.seen):
            raise self.fail()
        return self.seen[index]

    def type(self) -> Node:
        if self.text.startswith("S", self.at) and not self.text.startswith("St", self.at):
            known = self.substitution()
            if isinstance(known, Named) and self.text.startswith("I", self.at):
                known = dataclasses.replace(known, arguments=self.template_arguments())
                self.seen.append(known)
            return known
        prefix = self.match(re.compile(r"[rVK]+|[PRO]|A\d*_"))
        result: Node
        if prefix is not None:
            result = Compound(prefix, self.type())
        elif parameter := self.match(re.compile(r"T\d*_")):
            result = Text(parameter)
        elif self.take("N"):
            result = self.nested()
        elif builtin := self.match(_BUILTIN):
            return Text(builtin)
        else:
            result = self.unscoped()
        self.seen.append(result)
        return result


class _Printer:
    """Prints what the parser gives, with its own list of what can be repeated."""

    def __init__(self) -> None:
        self.seen: list[Node] = []

    def once(self, node: Node, write: Callable[[], str]) -> str:
        """`node` as a reference to its first appearance, or written out and remembered."""
        if node in self.seen:
            index = self.seen.index(node)
            return "S_" if index == 0 else f"S{_base36(index - 1)}_"
        text = write()
        self.seen.append(node)
        return text

    def symbol(self, symbol: Symbol) -> str:
        name = symbol.name
        is_plain = name.parent is None and name.arguments is None
        if is_plain and not symbol.signature and symbol.entity is None:
            return name.name.lstrip("0123456789")
        encoding = self.function(name, symbol.qualifiers) + "".join(map(self.type, symbol.signature))
        return f"_Z{encoding}" if symbol.entity is None else f"_ZZ{encoding}E{symbol.entity}"

    def function(self, name: Named, qualifiers: str) -> str:
        if name.parent is None:
            return self.unscoped(name)
        return f"N{qualifiers}{self.prefix(name.parent)}{self.last(name)}E"

    def unscoped(self, name: Named) -> str:
        if name.arguments is None:
            return name.name
        template = Named(None, name.name)
        return self.once(template, lambda: name.name) + self.arguments(name)

    def last(self, name: Named) -> str:
        """The last part of a nested name; its template, but not itself, can be repeated."""
        if name.arguments is None:
            return name.name
        self.seen.append(dataclasses.replace(name, arguments=None))
        return name.name + self.arguments(name)

    def prefix(self, node: Node) -> str:
        assert isinstance(node, Named)
        if node.name.startswith("S") and node.parent is None:
            return node.name
        return self.once(node, lambda: self.prefix_written(node))

    def prefix_written(self, node: Named) -> str:
        if node.arguments is not None:
            return self.prefix(dataclasses.replace(node, arguments=None)) + self.arguments(node)
        return (self.prefix(node.parent) if node.parent else "") + node.name

    def arguments(self, name: Named) -> str:
        return f"I{''.join(map(self.type, name.arguments or ()))}E"

    def type(self, node: Node) -> str:
        match node:
            case Text(text) if not text.startswith("T"):
                return text
            case Text(text):
                return self.once(node, lambda: text)
            case Compound(prefix, inner):
                return self.once(node, lambda: prefix + self.type(inner))
            case Named(parent, _, _):
                return self.once(node, lambda: self.class_written(node) if parent else self.unscoped(node))

    def class_written(self, node: Named) -> str:
        assert node.parent is not None
        template = dataclasses.replace(node, arguments=None)
        if node.arguments is not None and template in self.seen:
            return f"N{self.prefix(template)}{self.arguments(node)}E"
        return f"N{self.prefix(node.parent)}{self.last(node)}E"


def _base36(number: int) -> str:
    digits = _DIGITS[number % 36]
    return digits if number < 36 else _base36(number // 36) + digits


def parse_symbol(text: str) -> Symbol:
    """A mangled name taken apart. Raises ValueError for one that uses more of C++ than this module reads."""
    return _Parser(text).symbol()


def print_symbol(symbol: Symbol) -> str:
    """The mangled name of a symbol; the plain one for data outside all namespaces."""
    return _Printer().symbol(symbol)


def outer_namespace(symbol: Symbol) -> str | None:
    """The outermost namespace or class of a symbol, None if it has none."""
    node = symbol.name
    if node.parent is None:
        return None
    while isinstance(node.parent, Named):
        node = node.parent
    return node.name.lstrip("0123456789")


def without_namespace(text: str, namespace: str) -> str:
    """The name that a symbol of a shard has in the program of its sample alone.

    Names that do not begin with `_Z` (C functions, labels) stay as they are. Raises ValueError for a
    mangled name that cannot be read.
    """
    if not text.startswith("_Z"):
        return text
    symbol = parse_symbol(text)
    part = f"{len(namespace)}{namespace}"

    def strip(node: Node) -> Node:
        match node:
            case Compound(prefix, inner):
                return Compound(prefix, strip(inner))
            case Named():
                return strip_name(node)
            case Text():
                return node

    def strip_name(node: Named) -> Named:
        parent = node.parent
        if isinstance(parent, Named):
            parent = None if parent == Named(None, part) else strip_name(parent)
        arguments = node.arguments and tuple(strip(argument) for argument in node.arguments)
        return Named(parent, node.name, arguments)

    stripped = dataclasses.replace(
        symbol,
        name=strip_name(symbol.name),
        signature=tuple(strip(node) for node in symbol.signature),
    )
    return print_symbol(stripped)

"""Functions that the user wrote in C++ (`wp.func_native`)."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from weft.ascii_names import names_outside_ascii
from weft.cuda.c_types import SCALARS, c_type, component_names
from weft.cuda.names import local_name
from weft.cuda.tree import INT, Expression, Extent, Function, Name, Native
from weft.function_source import FunctionSource
from weft.types import Array, Matrix, Quaternion, Reference, Scalar, Type, Vector

_QUIET = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
"""Comments and strings, in which nothing is replaced."""

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w*)(?:[ \t]+(\w+))?", re.MULTILINE)
_DIRECTIVES = {
    "if", "ifdef", "ifndef", "elif", "else", "endif", "pragma", "define", "undef", "error",
}  # fmt: skip

_WARP = re.compile(r"\bwp\b(?:::\w+)?|\bbuiltin_\w+")
"""What a snippet may say only where Warp's own headers are."""

_EFFECTS = re.compile(r"printf|atomic|asm\b|__trap|__sync|\bassert\b")
_SCALAR = re.compile(rf"\bwp::({'|'.join(SCALARS)})\b")
_ADDRESS = re.compile(r"\bwp::address\(\s*(\w+)\s*,")


def native_function(source: FunctionSource, snippet: str) -> Function:
    """A device function with the snippet as its body.

    Warp's names for scalar types, arrays' elements and shapes, components of parameters and constructors of
    the result become those of the program. Refuses snippets that need more of Warp's headers.
    """
    if foreign := [*names_outside_ascii(snippet), *(n for n, _ in source.parameters if not n.isascii())]:
        message = f"CUDA's compilers take no name outside ASCII: rename {foreign[0]!r} in this snippet"
        raise source.refusal(source.definition, message)
    for name, kind in source.parameters:
        if not _is_plain(kind):
            unsupported = f"a native snippet with {name!r} of type {kind} is not supported"
            raise source.refusal(
                source.definition, f"{unsupported}: pass numbers, vectors or arrays of numbers"
            )
        if local_name(name, set()) != name:
            message = f"{name!r} is a name of C++ or CUDA: rename the parameter of this snippet"
            raise source.refusal(source.definition, message)
    text = textwrap.dedent(snippet).strip("\n").rstrip()
    parts, values = _Translation(source).of(text)
    return Function(
        source.key,
        source.name,
        source.doc,
        list(source.parameters),
        source.result,
        [Native(parts, values)],
        False,
    )


def has_effects(function: Function) -> bool:
    """Whether a snippet may do more than give a value."""
    by_place = any(isinstance(kind, Array | Reference) for _, kind in function.parameters)
    texts = ["".join(statement.parts) for statement in function.body if isinstance(statement, Native)]
    return bool(texts) and (by_place or any(_EFFECTS.search(text) for text in texts))


def _is_plain(type: Type) -> bool:
    match type:
        case Scalar() | Vector() | Matrix() | Quaternion():
            return True
        case Reference(value=value):
            return isinstance(value, Scalar)
        case Array(element=element):
            return isinstance(element, Scalar)
        case _:
            return False


class _Translation:
    """The translation of one snippet: a text, and between its parts the values of the program."""

    def __init__(self, source: FunctionSource) -> None:
        self.source = source
        self.parameters = dict(source.parameters)

    def of(self, text: str) -> tuple[list[str], list[Expression]]:
        """The parts of the text around its values: one part more than values."""
        self._require_directives(text)
        quiet = iter(_QUIET.findall(text))
        code = self._code(_QUIET.sub("\0", text))
        code += "".join(f"\n#undef {name}" for name in _macros(text))
        parts, values = self._with_values(code)
        if (found := _WARP.search("\0".join(parts))) is not None:
            raise self._refusal(f"this native snippet uses `{found[0]}` of Warp's headers: write plain C++")
        return [re.sub("\0", lambda _: next(quiet), part) for part in parts], values

    def _refusal(self, message: str) -> Exception:
        return self.source.refusal(self.source.definition, message)

    def _require_directives(self, text: str) -> None:
        for directive in _DIRECTIVE.finditer(text):
            if directive[1] not in _DIRECTIVES:
                raise self._refusal(f"a native snippet with `#{directive[1]}` is not supported")

    def _code(self, code: str) -> str:
        for name, kind in self.parameters.items():
            code = self._parameter(code, name, kind)
        code = _SCALAR.sub(lambda found: SCALARS[found[1]], code)
        code = self._addresses(code)
        result = self.source.result
        if isinstance(result, Vector | Matrix | Quaternion):
            return self._constructed(code, result)
        if result is not None and not isinstance(result, Scalar):
            raise self._refusal(f"a native snippet that returns {result} is not supported: return a number")
        return code

    def _parameter(self, code: str, name: str, kind: Type) -> str:
        """The code with what it reads of a parameter's parts."""
        whole = rf"(?<![\w.>:]){re.escape(name)}"
        match kind:
            case Array():
                code = re.sub(rf"{whole}\.data\b", name, code)
                if (found := re.search(rf"{whole}\.(?!shape\[\d\])\w+", code)) is not None:
                    raise self._refusal(
                        f"this native snippet uses `{found[0]}`: it may read `.data` and `.shape[0]`"
                    )
                return code
            case Vector() | Quaternion():
                for i, component in enumerate(component_names(kind)):
                    code = re.sub(rf"{whole}(?:\.c)?\[{i}\]", name + component, code)
                if isinstance(kind, Vector) and kind.length > 4:
                    code = re.sub(rf"{whole}(?:\.c)?\[", f"{name}.v[", code)
            case Matrix():
                code = re.sub(rf"{whole}\.data\[", f"{name}.m[", code)
            case _:
                return code
        rest = re.sub(rf"\breturn\s+{re.escape(name)}\s*;", "", code)
        parts = r"\.[xyzw]\b|\.v\[|\.m\["
        if re.search(rf"{whole}\b(?!{parts})", rest):
            raise self._refusal(
                f"this native snippet uses {name!r} of type {kind} as a whole: read its components"
            )
        return code

    def _addresses(self, code: str) -> str:
        """`address(array, i)` as `(&array[i])`."""
        while (found := _ADDRESS.search(code)) is not None:
            kind = self.parameters.get(found[1])
            inside, end = _arguments(code, found.end() - 1)
            if not isinstance(kind, Array) or kind.ndim != 1 or len(inside) != 2:
                raise self._refusal(
                    "`address` of anything but an array of one dimension is not supported in a native snippet"
                )
            code = f"{code[: found.start()]}(&{found[1]}[{inside[1].strip()}]){code[end:]}"
        return code

    def _constructed(self, code: str, result: Vector | Matrix | Quaternion) -> str:
        """Constructors of the result's type as lists of its components."""
        count = len(component_names(result))
        constructor = re.compile(rf"\b(return\s+)?wp::(?:{'|'.join(_constructors(result))})\(")
        while (found := constructor.search(code)) is not None:
            arguments, end = _arguments(code, found.end() - 1)
            if len(arguments) != count or found[1] is None:
                raise self._refusal(f"a native snippet returns {result} as its {count} components")
            listed = ", ".join(argument.strip() for argument in arguments)
            code = f"{code[: found.start()]}return {c_type(result)}{{{listed}}}{code[end:]}"
        return code

    def _with_values(self, code: str) -> tuple[list[str], list[Expression]]:
        """Parameters and shapes of arrays are values, so that the program may name them."""
        names = "|".join(re.escape(name) for name in self.parameters)
        if not names:
            return [code], []
        pattern = re.compile(rf"(?<![\w.>:])({names})(?:\.shape\[(\d)\]|\b)")
        parts: list[str] = []
        values: list[Expression] = []
        last = 0
        for found in pattern.finditer(code):
            name = Name(self.parameters[found[1]], found[1])
            values.append(name if found[2] is None else Extent(INT, name, int(found[2])))
            parts.append(code[last : found.start()])
            last = found.end()
        return [*parts, code[last:]], values


def _macros(text: str) -> list[str]:
    """The macros that a snippet defines and keeps defined, which the rest of the program must not see."""
    defined: dict[str, None] = {}
    for directive in _DIRECTIVE.finditer(text):
        if directive[1] == "define":
            defined[directive[2]] = None
        elif directive[1] == "undef":
            defined.pop(directive[2], None)
    return list(defined)


def _constructors(kind: Vector | Matrix | Quaternion) -> Iterator[str]:
    """How Warp's headers call a type, as patterns."""
    scalar = rf"(?:wp::)?(?:{kind.scalar}|{re.escape(SCALARS[kind.scalar.name])})"
    letter = {"float32": "f?", "float64": "d", "int32": "i"}.get(kind.scalar.name)
    match kind:
        case Vector(length=length):
            yield rf"vec_t<\s*{length}\s*,\s*{scalar}\s*>"
            if letter is not None and 2 <= length <= 4:
                yield rf"vec{length}{letter}"
        case Matrix(rows=rows, columns=columns):
            yield rf"mat_t<\s*{rows}\s*,\s*{columns}\s*,\s*{scalar}\s*>"
            if letter is not None and rows == columns <= 4:
                yield rf"mat{rows}{columns}{letter}"
        case Quaternion():
            yield rf"quat_t<\s*{scalar}\s*>"
            if letter is not None:
                yield rf"quat{letter}"


def _arguments(code: str, start: int) -> tuple[list[str], int]:
    """The arguments of the call whose parenthesis or first comma is at `start`, and where it ends."""
    begin = code.rfind("(", 0, start + 1)
    depth, last, arguments = 0, begin + 1, []
    for position in range(begin, len(code)):
        character = code[position]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        if (character == "," and depth == 1) or depth == 0:
            arguments.append(code[last:position])
            last = position + 1
        if depth == 0:
            return arguments, position + 1
    return arguments, len(code)

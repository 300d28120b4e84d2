"""A kernel as a module that stands alone, written from what Warp resolved.

Factories, closures, wp.static and the modules that a kernel's names come from are gone from it: what they
gave stands there as constants. Each function that the kernel calls is one definition with the types that it
was called with; the text of bodies stays as it is but for the names that come from outside.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import enum
import inspect
import io
import tokenize
import types
from collections.abc import Iterator, Mapping
from typing import Any

import warp
from warp._src import codegen, context
from warp._src import types as warp_types

from weft.ir.warp_inside.python_text import InexpressibleError, is_plain, type_text, value_text
from weft.ir.warp_inside.recorder import LIBRARY, VARIES, Recorder, Recording, span

LINE = 110

_KERNEL_OPTIONS = ("enable_backward", "launch_bounds", "grid_stride")
_MODULE_OPTIONS = {
    "max_unroll": 16,
    "enable_backward": True,
    "fast_math": False,
    "fuse_fp": True,
}
_MISSING = object()


@dataclasses.dataclass(frozen=True)
class Parts:
    """What a kernel is made of: its functions are those that it calls, callees first, by key."""

    kernel: Any
    functions: Mapping[str, Any]
    recorder: Recorder

    def adjoints(self) -> Iterator[Any]:
        """The functions' and the kernel's."""
        yield from (function.adj for function in self.functions.values())
        yield self.kernel.adj


@dataclasses.dataclass(frozen=True)
class _Edit:
    start: tuple[int, int]
    end: tuple[int, int]
    text: str


def alone(parts: Parts, name: str) -> str:
    """The text of a module whose one kernel is called `name`. Raises InexpressibleError."""
    writer = _Writer(parts, name)
    definitions = [writer.function(key, function) for key, function in parts.functions.items()]
    definitions.append(writer.kernel())
    options = _module_options(parts.kernel)
    head = [*sorted(writer.imports), "import warp as wp"]
    texts = ["\n".join(head) + "\n"]
    settings = [f"wp.set_module_options({options!r})".replace("'", '"')] if options else []
    constants = [*settings, *writer.aliases, *writer.constants]
    texts += ["\n".join(constants) + "\n"] if constants else []
    blocks = list(writer.structs_text)
    if writer.constants_of_structs:
        blocks.append("\n".join(writer.constants_of_structs) + "\n")
    blocks += definitions
    return "\n".join(texts) + "".join(f"\n\n{block}" for block in blocks)


def _module_options(kernel: Any) -> dict[str, Any]:
    options = kernel.module.options
    return {key: options[key] for key, usual in _MODULE_OPTIONS.items() if options[key] != usual}


class _Writer:
    """Names and definitions of the module, in the order in which the functions come to need them."""

    def __init__(self, parts: Parts, name: str) -> None:
        self.parts = parts
        self.imports: set[str] = set()
        self.aliases: list[str] = []
        self.constants: list[str] = []
        self.structs_text: list[str] = []
        self.constants_of_structs: list[str] = []
        self.structs: dict[Any, str] = {}
        self.locals = {local for adjoint in parts.adjoints() for local in _locals(adjoint)}
        self.taken: dict[str, Any] = {"wp": warp, "Any": Any, name: parts.kernel}
        self.vectors: dict[str, str] = {}
        self.kernel_name = name
        operators = set(self._operators())
        self.names: dict[str, str] = {}
        for key, function in parts.functions.items():
            plain = function.adj.fun_name
            self.names[key] = plain if key in operators else self.unique(plain, function)
            self.taken.setdefault(self.names[key], function)
        for struct in parts.recorder.names.structs:
            self.struct(struct)

    def _operators(self) -> Iterator[str]:
        """Functions that stand for an operator, which Warp finds by their names."""
        for adjoint in self.parts.adjoints():
            calls = self.parts.recorder.recording(adjoint).calls
            for node in ast.walk(adjoint.tree):
                where = span(node)
                if isinstance(node, ast.BinOp | ast.AugAssign | ast.UnaryOp) and where in calls:
                    call = calls[where]
                    if call.kind == "function":
                        yield call.name

    def unique(self, plain: str, thing: Any, derived: bool = False) -> str:
        """`plain`, or numbered where it stands for another thing; `derived` names are no function's local."""
        number, name = 1, plain
        while (name in self.taken and self.taken[name] is not thing) or (
            (derived or number > 1) and (name in self.locals or hasattr(builtins, name))
        ):
            number += 1
            name = f"{plain}_{number}"
        self.taken[name] = thing
        return name

    def struct(self, struct: Any) -> str:
        """The name of a struct, defined after those that its fields have."""
        if struct.hash in self.structs:
            return self.structs[struct.hash]
        for var in struct.vars.values():
            for part in (var.type, getattr(var.type, "dtype", None)):
                inner: Any = part
                if part is not None and warp_types.is_struct(part):
                    inner = part._cls
                if isinstance(inner, codegen.Struct):
                    self.struct(inner)
        name = self.unique(struct.cls.__name__, struct.hash)
        self.structs[struct.hash] = name
        fields = [f"    {label}: {self.annotation(var.type)}\n" for label, var in struct.vars.items()]
        doc = inspect.cleandoc(struct.cls.__doc__) if struct.cls.__doc__ else ""
        quoted = [f"    {line}".rstrip() + "\n" for line in f'"""{doc}"""'.splitlines()] if doc else []
        body = "".join(quoted) + ("\n" if quoted and fields else "") + ("".join(fields) or "    pass\n")
        self.structs_text.append(f"@wp.struct\nclass {name}:\n{body}")
        return name

    def annotation(self, warp_type: Any) -> str:
        """An annotation; a vector type that Warp has no name for gets one. Raises InexpressibleError."""
        t: Any = warp_type
        if warp_types.is_struct(warp_type):
            t = warp_type._cls
        for part in (t, getattr(t, "dtype", None), getattr(t, "value_type", None)):
            if isinstance(part, codegen.Struct):
                self.struct(part)
        text = type_text(t, self.structs)
        if "Any" in text:
            self.imports.add("from typing import Any")
        if "wp.types." not in text:
            return text
        start = text.index("wp.types.")
        end = _closing(text, start)
        return text[:start] + self._alias(text[start:end], t) + text[end:]

    def _alias(self, text: str, t: Any) -> str:
        if text not in self.vectors:
            inner = getattr(t, "dtype", None) or getattr(t, "value_type", None) or t
            hint = self.parts.recorder.names.constructor(inner if hasattr(inner, "_wp_scalar_type_") else t)
            hint = "".join(character if character.isalnum() else "_" for character in hint).strip("_")
            self.vectors[text] = self.unique(hint, text, derived=True)
            self.aliases.append(f"{self.vectors[text]} = {text}")
        return self.vectors[text]

    def constant(self, value: Any, hint: str, plain: bool) -> str:
        """The name of a module-level constant with this value. Raises InexpressibleError."""
        if isinstance(value, codegen.StructInstance):
            return self._struct_constant(value, hint)
        text = self.annotation(value) if _is_type(value) else value_text(value, self.structs)
        if _is_type(value) and (text.startswith("wp.") or text in ("int", "float", "bool")):
            return text
        if _is_type(value) and text in self.vectors.values():
            return text
        if _is_type(value) and isinstance(value, codegen.Struct):
            return text
        thing = (type(value).__name__, text)
        known = [name for name, taken in self.taken.items() if taken == thing and name == hint]
        if known:
            return known[0]
        name = self._named(hint, thing, derived=not plain)
        line = f"{name} = {text}"
        if "wp.types." in text:
            start = text.index("wp.types.")
            alias = self._alias(text[start : _closing(text, start)], type(value))
            line = f"{name} = {text[:start]}{alias}{text[_closing(text, start) :]}"
        self.constants.append(line)
        return name

    def _struct_constant(self, value: Any, hint: str) -> str:
        """A module-level struct with these members, made by assignments, as Warp's structs are."""
        name = self._named(hint, value, derived=True)
        self.constants_of_structs.append(f"{name} = {self.struct(value._cls)}()")
        self._assign_members(name, value)
        return name

    def _assign_members(self, name: str, value: Any) -> None:
        for label in value._cls.vars:
            member = getattr(value, label)
            if isinstance(member, codegen.StructInstance):
                self._assign_members(f"{name}.{label}", member)
            else:
                self.constants_of_structs.append(f"{name}.{label} = {value_text(member, self.structs)}")

    def _named(self, hint: str, thing: Any, derived: bool) -> str:
        number, name = 1, hint
        while name in self.taken or (
            (derived or number > 1) and (name in self.locals or hasattr(builtins, name))
        ):
            number += 1
            name = f"{hint}_{number}"
        self.taken[name] = thing
        return name

    def kernel(self) -> str:
        """The definition of the kernel."""
        kernel = self.parts.kernel
        options = [f"{key}={kernel.options[key]!r}" for key in _KERNEL_OPTIONS if key in kernel.options]
        decorator = f"@wp.kernel({', '.join(options)})" if options else "@wp.kernel"
        return self._definition(kernel.adj, self.kernel_name, decorator, {}, {})

    def function(self, key: str, function: Any) -> str:
        """The definition of a function."""
        decorator = "@wp.func"
        if function.native_snippet is not None:
            snippets = [function.native_snippet, function.adj_native_snippet, function.replay_snippet]
            names = ("snippet", "adj_snippet", "replay_snippet")
            given = [f"{n}={_quoted(s)}" for n, s in zip(names, snippets, strict=True) if s is not None]
            decorator = f"@wp.func_native({', '.join(given)})"
        parent = function.generic_parent
        templates = parent.input_types if parent is not None else {}
        return self._definition(function.adj, self.names[key], decorator, function.defaults, templates)

    def _definition(
        self,
        adjoint: Any,
        name: str,
        decorator: str,
        defaults: Mapping[str, Any],
        templates: Mapping[str, Any],
    ) -> str:
        body = _Body(self, adjoint)
        header = self._header(adjoint, name, defaults, templates)
        tree = adjoint.tree.body[0]
        colon = _colon(adjoint.source, tree)
        edits = list(body.edits(start_at=tree.body))
        text = _edited(adjoint.source, [_Edit((1, 0), colon, ""), *edits])
        return f"{decorator}\n{header}{text.rstrip()}\n"

    def _header(
        self, adjoint: Any, name: str, defaults: Mapping[str, Any], templates: Mapping[str, Any]
    ) -> str:
        parameters = []
        for label, declared in adjoint.arg_types.items():
            if label == "return":
                continue
            text = f"{label}: {self._annotation(declared, templates.get(label, Any))}"
            if defaults.get(label, _MISSING) is not _MISSING:
                text += f" = {self._default(defaults[label])}"
            parameters.append(text)
        result = ""
        if "return" in adjoint.arg_types and name != self.kernel_name:
            try:
                result = f" -> {self.annotation(adjoint.arg_types['return'])}"
            except InexpressibleError:
                result = ""
        line = f"def {name}({', '.join(parameters)}){result}:"
        if len(line) <= LINE:
            return line
        return "\n".join([f"def {name}(", *(f"    {parameter}," for parameter in parameters), f"){result}:"])

    def _annotation(self, declared: Any, template: Any) -> str:
        try:
            return self.annotation(declared)
        except InexpressibleError:
            # Tiles and what else has no name: the function is generic, and called with one type only.
            return self.annotation(Any if warp_types.is_tile(declared) else template)

    def _default(self, value: Any) -> str:
        if isinstance(value, context.Function):
            return self.function_value(value)
        return value_text(value, self.structs)

    def function_value(self, function: Any) -> str:
        """The name of a function that is passed as a value. Raises InexpressibleError where several fit."""
        if function.is_builtin() or getattr(function.func, "__module__", None) == LIBRARY:
            return f"wp.{function.key}"
        found = {
            self.names[key]
            for key, known in self.parts.functions.items()
            if known is function or getattr(known, "func", None) is function.func
        }
        if len(found) != 1:
            raise InexpressibleError(f"the function {function.key}, which is passed as a value")
        return found.pop()


@dataclasses.dataclass(frozen=True)
class _Meaning:
    """What a chain of names from outside stands for: a value, and how many attributes are left of it.

    `name` would be a name for it, which is all that is written if `is_name`. What Warp holds has a `text`,
    which stands for all but the last `text_rest` attributes.
    """

    value: Any
    rest: int
    name: str
    is_name: bool
    text: str | None
    text_rest: int


class _Body:
    """The edits that a function's body needs."""

    def __init__(self, writer: _Writer, adjoint: Any) -> None:
        self.writer = writer
        self.adjoint = adjoint
        self.recording: Recording = writer.parts.recorder.recording(adjoint)
        self.local = _locals(adjoint)

    def edits(self, start_at: list[ast.stmt]) -> Iterator[_Edit]:
        """Edits of the statements of the source as it was before Warp replaced what is static."""
        source_tree = ast.parse(self.adjoint.source).body[0]
        assert isinstance(source_tree, ast.FunctionDef)
        if len(source_tree.body) != len(start_at):
            raise InexpressibleError("a transformed function")
        for statement in source_tree.body:
            yield from self._visit(statement)

    def _visit(self, node: ast.AST) -> Iterator[_Edit]:
        if isinstance(node, ast.Call):
            yield from self._call(node)
            return
        if isinstance(node, ast.AnnAssign):
            yield from self._visit(node.target)
            found = self._chain(node.annotation)
            if found is not None and not found.rest and _is_type(found.value):
                yield _replaced(node.annotation, self.writer.annotation(found.value))
            elif found is None:
                yield from self._visit(node.annotation)
            if node.value is not None:
                yield from self._visit(node.value)
            return
        if isinstance(node, ast.Name | ast.Attribute):
            chain = self._chain(node)
            if chain is not None:
                yield from self._reference(node, chain)
                return
        for child in ast.iter_child_nodes(node):
            yield from self._visit(child)

    def _call(self, node: ast.Call) -> Iterator[_Edit]:
        chain = self._chain(node.func)
        if chain is not None and not chain.rest and chain.value is warp.static:
            yield from self._static(node)
            return
        where = span(node)
        call = self.recording.calls.get(where) if where else None
        if call is not None and call.kind == "function":
            # A function parameter keeps its name: the call says which function it is.
            if not (isinstance(node.func, ast.Name) and node.func.id in self.local):
                yield _replaced(node.func, self.writer.names[call.name])
        else:
            yield from self._visit(node.func)
        for argument in (*node.args, *node.keywords):
            yield from self._visit(argument)

    def _static(self, node: ast.Call) -> Iterator[_Edit]:
        where = span(node)
        value = self.recording.values.get(where, _MISSING) if where else _MISSING
        if value is VARIES:
            # Another value in each iteration of an unrolled loop: the expression stays, with its tables.
            for argument in (*node.args, *node.keywords):
                yield from self._visit(argument)
            return
        if value is _MISSING:
            return
        if isinstance(value, context.Function):
            yield _replaced(node, self.writer.function_value(value))
        elif is_plain(value) and not (isinstance(value, int | float) and value < 0):
            yield _replaced(
                node, repr(int(value) if isinstance(value, enum.IntEnum | enum.IntFlag) else value)
            )
        else:
            name = self.writer.constant(value, "STATIC", plain=False)
            # Of all constants Warp takes structs only here.
            is_struct = isinstance(value, codegen.StructInstance)
            yield _replaced(node, f"wp.static({name})" if is_struct else name)

    def _reference(self, node: ast.expr, found: _Meaning) -> Iterator[_Edit]:
        for _ in range(found.text_rest):
            assert isinstance(node, ast.Attribute)
            node = node.value
        visited = span(node) in self.recording.expressions
        text = found.text or self._text(found.value, found.name, found.is_name, visited)
        if text is not None and not (isinstance(node, ast.Name) and node.id == text):
            yield _replaced(node, text)

    def _text(self, value: Any, hint: str, plain: bool, visited: bool) -> str | None:
        """The text that stands for a value from outside; None to leave what is there.

        In code that Warp never visits, such as a branch that is static, names need no meaning.
        """
        if isinstance(value, context.Function):
            try:
                return self.writer.function_value(value)
            except InexpressibleError:
                if visited:
                    raise
                return None
        if isinstance(value, type | types.BuiltinFunctionType):
            plain_name = str(value.__name__)
            if getattr(builtins, plain_name, None) is value:
                return plain_name
        if isinstance(value, type) and value in warp_types.scalar_and_bool_types:
            return f"wp.{value.__name__}"
        try:
            return self.writer.constant(value, hint, plain)
        except InexpressibleError:
            if visited:
                raise
            return None

    def _chain(self, node: ast.expr) -> _Meaning | None:
        """What a chain of names from outside stands for; None if it is local or no such chain."""
        attributes: list[str] = []
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            attributes.insert(0, root.attr)
            root = root.value
        if not isinstance(root, ast.Name) or root.id in self.local:
            return None
        value = _outside(self.adjoint, root.id)
        if value is _MISSING:
            return None
        name, is_name, behind_warp = root.id, True, None
        # Warp tells spatial_vector(a, b) from vec6(a, b) by the name, so what it holds keeps its name.
        if value is not warp and getattr(warp, root.id, None) is value:
            return _Meaning(value, len(attributes), root.id, True, "wp." + root.id, len(attributes))
        while attributes and _is_holder(value):
            attribute = attributes[0]
            if value is warp:
                behind_warp = len(attributes)
            if value is warp and not hasattr(warp, attribute):
                value = context.builtin_functions.get(attribute, _MISSING)
            else:
                name = f"{value.__name__}_{attribute}" if isinstance(value, type) else attribute
                value = getattr(value, attribute, _MISSING)
            if value is _MISSING:
                return None
            is_name = False
            attributes.pop(0)
        if behind_warp is not None or value is warp:
            rest = len(attributes) if behind_warp is None else behind_warp
            return _Meaning(value, len(attributes), name, is_name, "wp", rest)
        return _Meaning(value, len(attributes), name, is_name, None, len(attributes))


def _outside(adjoint: Any, name: str) -> Any:
    """What a name means in a function's closure, its module, Warp or Python's builtins, in this order."""
    closure = codegen.get_closure_vars(adjoint.func)
    if name in closure:
        return closure[name]
    if adjoint.func.__globals__.get(name) is not None:
        return adjoint.func.__globals__[name]
    # What Python knows as well, such as abs and float, Warp finds under its plain name in any module.
    if hasattr(builtins, name):
        return _MISSING
    return getattr(warp, name, context.builtin_functions.get(name, _MISSING))


def _is_holder(value: Any) -> bool:
    """Whether an attribute of a value is looked up in Python, not by the kernel."""
    if isinstance(value, types.ModuleType):
        return True
    if isinstance(value, context.Function | codegen.Struct | codegen.StructInstance) or _is_type(value):
        return False
    if isinstance(value, enum.Enum):
        return True
    return not (is_plain(value) or hasattr(value, "_wp_scalar_type_"))


def _is_type(value: Any) -> bool:
    if isinstance(value, codegen.Struct) or warp_types.is_array(value):
        return True
    if not isinstance(value, type):
        return False
    return (
        value in (int, float, bool)
        or value in warp_types.scalar_and_bool_types
        or hasattr(value, "_wp_scalar_type_")
    )


def _locals(adjoint: Any) -> set[str]:
    """The names that belong to a function: its parameters and what it assigns."""
    names = {parameter.label for parameter in adjoint.args}
    names |= {argument.arg for argument in adjoint.tree.body[0].args.args}
    for node in ast.walk(adjoint.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def _colon(source: str, tree: ast.FunctionDef) -> tuple[int, int]:
    """Where the header of a definition ends: line from 1 and byte column behind its colon."""
    depth = 0
    started = False
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if not started:
            started = token.type == tokenize.NAME and token.string == "def" and token.start[0] == tree.lineno
            continue
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
            if token.string == ":" and depth == 0:
                line = source.splitlines()[token.end[0] - 1]
                return token.end[0], len(line[: token.end[1]].encode())
    raise InexpressibleError("a definition without a colon")


def _closing(text: str, start: int) -> int:
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] == "(") - (text[index] == ")")
        if text[index] == ")" and depth == 0:
            return index + 1
    return len(text)


def _quoted(snippet: str) -> str:
    plain = '"""' not in snippet and "\\" not in snippet and not snippet.endswith('"')
    return f'"""{snippet}"""' if plain else repr(snippet)


def _replaced(node: ast.AST, text: str) -> _Edit:
    line, column, end_line, end_column = span(node) or (0, 0, 0, 0)
    return _Edit((line, column), (end_line, end_column), text)


def _edited(source: str, edits: list[_Edit]) -> str:
    """The text with every edit made; columns are in bytes."""
    lines = [line.encode() for line in source.splitlines()]
    for edit in sorted(edits, key=lambda one: one.start, reverse=True):
        (line, column), (end_line, end_column) = edit.start, edit.end
        joined = lines[line - 1][:column] + edit.text.encode() + lines[end_line - 1][end_column:]
        lines[line - 1 : end_line] = joined.split(b"\n")
    return b"\n".join(lines).decode()

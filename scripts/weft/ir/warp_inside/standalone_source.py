"""A kernel as a module that stands alone, written from what Warp resolved.

Factories, closures, wp.static and the modules that a kernel's names come from are gone from it: what they
gave stands there as constants. Each function that the kernel calls is one definition with the types that it
was called with; the text of bodies stays as it is but for the names that come from outside.
"""

from __future__ import annotations

import ast
import dataclasses
import io
import tokenize
from collections.abc import Mapping
from typing import Any

from warp._src import context
from warp._src import types as warp_types

from weft.ir.source_edits import Edit, edited
from weft.ir.warp_inside.module_names import ModuleNames, Parts
from weft.ir.warp_inside.outside import MISSING
from weft.ir.warp_inside.python_text import InexpressibleError, value_text
from weft.ir.warp_inside.standalone_body import Body
from weft.source_lines import lines_of

LINE = 110

_KERNEL_OPTIONS = ("enable_backward", "launch_bounds", "grid_stride")
_MODULE_OPTIONS = {
    "max_unroll": 16,
    "enable_backward": True,
    "fast_math": False,
    "fuse_fp": True,
}


def standalone_source(parts: Parts, name: str) -> str:
    """The text of a module whose one kernel is called `name`. Raises InexpressibleError."""
    names = ModuleNames(parts, name)
    definitions = _Definitions(names).all()
    options = _module_options(parts.kernel)
    head = [*sorted(names.imports), "import warp as wp"]
    texts = ["\n".join(head) + "\n"]
    settings = [f"wp.set_module_options({options!r})".replace("'", '"')] if options else []
    constants = [*settings, *names.aliases, *names.constants]
    texts += ["\n".join(constants) + "\n"] if constants else []
    blocks = list(names.structs_text)
    if names.constants_of_structs:
        blocks.append("\n".join(names.constants_of_structs) + "\n")
    blocks += definitions
    return "\n".join(texts) + "".join(f"\n\n{block}" for block in blocks)


def _module_options(kernel: Any) -> dict[str, Any]:
    options = kernel.module.options
    return {key: options[key] for key, usual in _MODULE_OPTIONS.items() if options[key] != usual}


@dataclasses.dataclass(frozen=True)
class _Definitions:
    """Writes the kernel and its functions; `names` collects what they need before them."""

    names: ModuleNames

    def all(self) -> list[str]:
        """The definitions of all functions, callees first, and of the kernel."""
        functions = self.names.parts.functions
        return [*(self._function(key, function) for key, function in functions.items()), self._kernel()]

    def _kernel(self) -> str:
        kernel = self.names.parts.kernel
        options = [f"{key}={kernel.options[key]!r}" for key in _KERNEL_OPTIONS if key in kernel.options]
        decorator = f"@wp.kernel({', '.join(options)})" if options else "@wp.kernel"
        return self._definition(kernel.adj, self.names.kernel_name, decorator, {}, {})

    def _function(self, key: str, function: Any) -> str:
        decorator = "@wp.func"
        if function.native_snippet is not None:
            snippets = [function.native_snippet, function.adj_native_snippet, function.replay_snippet]
            names = ("snippet", "adj_snippet", "replay_snippet")
            given = [f"{n}={_quoted(s)}" for n, s in zip(names, snippets, strict=True) if s is not None]
            decorator = f"@wp.func_native({', '.join(given)})"
        parent = function.generic_parent
        templates = parent.input_types if parent is not None else {}
        return self._definition(
            function.adj, self.names.functions[key], decorator, function.defaults, templates
        )

    def _definition(
        self,
        adjoint: Any,
        name: str,
        decorator: str,
        defaults: Mapping[str, Any],
        templates: Mapping[str, Any],
    ) -> str:
        body = Body(self.names, adjoint)
        header = self._header(adjoint, name, defaults, templates)
        tree = adjoint.tree.body[0]
        colon = _header_end(adjoint.source, tree)
        edits = list(body.edits(start_at=tree.body))
        text = edited(adjoint.source, [Edit((1, 0), colon, ""), *edits])
        return f"{decorator}\n{header}{text.rstrip()}\n"

    def _header(
        self, adjoint: Any, name: str, defaults: Mapping[str, Any], templates: Mapping[str, Any]
    ) -> str:
        parameters = []
        for label, declared in adjoint.arg_types.items():
            if label == "return":
                continue
            text = f"{label}: {self._annotation(declared, templates.get(label, Any))}"
            if defaults.get(label, MISSING) is not MISSING:
                text += f" = {self._default(defaults[label])}"
            parameters.append(text)
        result = ""
        if "return" in adjoint.arg_types and name != self.names.kernel_name:
            try:
                result = f" -> {self.names.annotation(adjoint.arg_types['return'])}"
            except InexpressibleError:
                result = ""
        line = f"def {name}({', '.join(parameters)}){result}:"
        if len(line) <= LINE:
            return line
        return "\n".join([f"def {name}(", *(f"    {parameter}," for parameter in parameters), f"){result}:"])

    def _annotation(self, declared: Any, template: Any) -> str:
        try:
            return self.names.annotation(declared)
        except InexpressibleError:
            # Tiles and what else has no name: the function is generic, and called with one type only.
            return self.names.annotation(Any if warp_types.is_tile(declared) else template)

    def _default(self, value: Any) -> str:
        if isinstance(value, context.Function):
            return self.names.function_value(value)
        return value_text(value, self.names.structs)


def _quoted(snippet: str) -> str:
    plain = '"""' not in snippet and "\\" not in snippet and not snippet.endswith('"')
    return f'"""{snippet}"""' if plain else repr(snippet)


def _header_end(source: str, tree: ast.FunctionDef) -> tuple[int, int]:
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
                line = lines_of(source)[token.end[0] - 1]
                return token.end[0], len(line[: token.end[1]].encode())
    raise InexpressibleError("a definition without a colon")

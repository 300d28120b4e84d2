"""A kernel's source as a module that stands alone.

What the kernel needs is found by dependency closure over the syntax of its file and of the user's modules
that it imports; their definitions move into the one module, renamed only where two share a name. Comments
above a definition and within it come along. No code is run.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from weft.errors import KernelError
from weft.ir.python_names import Reference, bound_names, chain, references
from weft.ir.source_edits import Edit, edited, replaced
from weft.source_files import Source, imported_sources, parse_source, read_source
from weft.source_lines import lines_of


@dataclasses.dataclass
class Statement:
    """A top-level statement: its lines from `first` on, and the names that it binds or changes."""

    node: ast.stmt
    first: int
    text: str
    binds: frozenset[str]

    @functools.cached_property
    def references(self) -> list[Reference]:
        """Every use of a module-level name."""
        return list(references(self.node))


@dataclasses.dataclass(frozen=True)
class Import:
    """What an imported name stands for: `attribute` of the module called `module`, or that module itself."""

    module: str
    attribute: str | None

    def text(self, name: str) -> str:
        """The import statement that binds it to `name`."""
        if self.attribute is None:
            return f"import {self.module}" if name == self.module else f"import {self.module} as {name}"
        shown = self.attribute if name == self.attribute else f"{self.attribute} as {name}"
        return f"from {self.module} import {shown}"


@dataclasses.dataclass(frozen=True)
class Binding:
    """A name's meaning: a definition in one of the user's modules, or an import from elsewhere."""

    module: Path | None
    name: str
    origin: Import | None = None


class Module:
    """One of the user's files, read."""

    def __init__(self, source: Source) -> None:
        self.source = source
        text = read_source(source.path)
        self.tree = parse_source(source.path, text)
        self.statements = _statements(self.tree, lines_of(text))
        self.imports: dict[str, Import] = {}
        self.stars: list[str] = []
        for node in self.tree.body:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    head = alias.name.partition(".")[0]
                    self.imports[alias.asname or head] = Import(alias.name if alias.asname else head, None)
            elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
                base = source.absolute(node)
                for alias in node.names:
                    if alias.name == "*":
                        self.stars.append(base)
                    else:
                        self.imports[alias.asname or alias.name] = Import(base, alias.name)

        self.dependencies = [imported.path for imported in imported_sources(source, self.tree)]
        self.binders: dict[str, list[int]] = {}
        for index, statement in enumerate(self.statements):
            for name in statement.binds:
                self.binders.setdefault(name, []).append(index)


_ABOUT_FILE = re.compile(r"#!|[ \t\f]*#.*coding[:=]")
"""A comment of the first two lines that says how to run the file, or its encoding."""


def _statements(tree: ast.Module, lines: list[str]) -> list[Statement]:
    statements = []
    end = max((number for number, line in enumerate(lines[:2], 1) if _ABOUT_FILE.match(line)), default=0)
    for node in tree.body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        while first - 1 > end and lines[first - 2].startswith("#"):
            first -= 1
        last = end = node.end_lineno or node.lineno
        definition = isinstance(node, ast.FunctionDef | ast.ClassDef)
        while definition and last < len(lines) and (lines[last].startswith((" ", "\t")) or not lines[last]):
            last += 1
        own_import = isinstance(node, ast.Import | ast.ImportFrom)
        binds = frozenset() if own_import else frozenset(bound_names(node))
        text = "\n".join(lines[first - 1 : last]).rstrip() + "\n"
        statements.append(Statement(node, first, text, binds))
    return statements


class Closure:
    """Everything that one kernel needs: statements by module, and bindings by the module that uses them."""

    def __init__(self, source: Source, modules: dict[Path, Module]) -> None:
        self.main = source.path
        self.modules = modules
        self.kept: dict[Path, set[int]] = {}
        self.bindings: dict[Binding, None] = {}

    def module(self, source: Source) -> Module:
        if source.path not in self.modules:
            self.modules[source.path] = Module(source)
        return self.modules[source.path]

    def resolve(self, module: Module, name: str, attributes: tuple[str, ...]) -> tuple[Binding, int] | None:
        """What `name.attributes…` stands for in a module, and how many of the attributes that takes.

        None for builtins and other names that the module does not bind. Raises KernelError where a module of
        the user's is itself the value.
        """
        if name in module.binders:
            return Binding(module.source.path, name), 0
        origin = module.imports.get(name)
        if origin is None:
            for base in module.stars:
                starred = module.source.module(base)
                if starred is not None and (found := self.resolve(self.module(starred), name, attributes)):
                    return found
            return None
        target = module.source.module(origin.module)
        if origin.attribute is not None:
            submodule = module.source.module(f"{origin.module}.{origin.attribute}")
            if target is not None and origin.attribute in self.module(target).binders:
                submodule = None
            if submodule is None and target is not None:
                return self.resolve(self.module(target), origin.attribute, attributes)
            target = submodule
        if target is None:
            return Binding(None, name, origin), 0
        for count, attribute in enumerate(attributes, start=1):
            inner = self.module(target)
            if found := self.resolve(inner, attribute, attributes[count:]):
                return found[0], found[1] + count
            deeper = target.module(f"{target.name}.{attribute}")
            if deeper is None:
                break
            target = deeper
        raise KernelError(
            "unsupported", f"the module {name!r} is used as a value; import what it holds instead"
        )

    def need(self, path: Path, name: str) -> None:
        """Keep every statement of a module that binds `name`, and what those refer to."""
        kept = self.kept.setdefault(path, set())
        for index in self.modules[path].binders[name]:
            if index not in kept:
                self.keep(path, index)

    def keep(self, path: Path, index: int) -> None:
        self.kept.setdefault(path, set()).add(index)
        module = self.modules[path]
        for reference in module.statements[index].references:
            found = self.resolve(module, reference.name, reference.attributes)
            if found is None or found[0] in self.bindings:
                continue
            self.bindings[found[0]] = None
            if found[0].module is not None:
                self.need(found[0].module, found[0].name)


def standalone(source: Source, kernel: str, modules: dict[Path, Module]) -> str:
    """The text of a module with `kernel` of `source` and everything that it uses.

    `modules` keeps the files that were read, from one kernel to the next.
    Raises KernelError (`unsupported`) if the kernel is not defined at module level.
    """
    return standalone_together(source, [kernel], modules)


def standalone_together(source: Source, kernels: Iterable[str], modules: dict[Path, Module]) -> str:
    """The same for several kernels in one module."""
    closure = Closure(source, modules)
    main = closure.module(source)
    for kernel in kernels:
        made = [main.statements[index].node for index in main.binders.get(kernel, ())]
        if not made or not all(isinstance(node, ast.FunctionDef) for node in made):
            raise KernelError("unsupported", f"{kernel!r} is not a function at module level")
        closure.bindings[Binding(source.path, kernel)] = None
        closure.need(source.path, kernel)
    for index, statement in enumerate(main.statements):
        if _belongs(statement.node, closure, main):
            closure.keep(source.path, index)
    _keep_gradients(closure)
    names = _final_names(closure)
    parts = _import_block(closure, names)
    for path in _order(closure):
        module = closure.modules[path]
        for index in sorted(closure.kept.get(path, ())):
            statement = module.statements[index]
            parts.append((statement.node, _renamed(closure, module, statement, names)))
    return _joined(parts)


def _belongs(node: ast.stmt, closure: Closure, main: Module) -> bool:
    """Whether a statement that binds nothing still matters: module options, instances of a generic kernel."""
    match node:
        case ast.Expr(ast.Call(ast.Attribute(_, "set_module_options"))):
            return True
        case ast.Expr(ast.Call(ast.Attribute(_, "overload"), [ast.Name(kernel), *_])):
            return Binding(main.source.path, kernel) in closure.bindings
    return False


def _keep_gradients(closure: Closure) -> None:
    """Keep the gradients and replays that the user wrote for functions that are kept, wherever they stand."""
    found = True
    while found:
        missing = [
            (path, index)
            for path, module in closure.modules.items()
            for index, statement in enumerate(module.statements)
            if index not in closure.kept.get(path, ())
            and (function := _differentiated(statement.node)) is not None
            and (meaning := closure.resolve(module, *function)) is not None
            and meaning[0] in closure.bindings
        ]
        for path, index in missing:
            statement = closure.modules[path].statements[index]
            closure.bindings |= {Binding(path, name): None for name in statement.binds}
            closure.keep(path, index)
        found = bool(missing)


def _differentiated(node: ast.stmt) -> tuple[str, tuple[str, ...]] | None:
    """The function, as a name with attributes, of which a definition is the gradient or the replay."""
    for decorator in getattr(node, "decorator_list", ()):
        match decorator:
            case ast.Call(
                ast.Attribute(_, "func_grad" | "func_replay") | ast.Name("func_grad" | "func_replay"),
                [ast.expr() as function, *_],
            ):
                root, attributes = chain(function)
                if isinstance(root, ast.Name):
                    return root.id, attributes
    return None


def _order(closure: Closure) -> list[Path]:
    """Modules that others import come before those."""
    order: dict[Path, None] = {}

    def visit(path: Path, above: frozenset[Path]) -> None:
        for imported in closure.modules[path].dependencies:
            if imported in closure.modules and imported not in above | set(order):
                visit(imported, above | {path})
        order[path] = None

    visit(closure.main, frozenset())
    return list(order)


def _final_names(closure: Closure) -> dict[Binding, str]:
    """The name of every binding in the one module: its own, unless another's definition has it already."""
    names: dict[Binding, str] = {}
    taken: set[str] = set()
    own_first = sorted(closure.bindings, key=lambda binding: binding.module != closure.main)
    for binding in own_first:
        same = [names[other] for other in names if other.origin and other.origin == binding.origin]
        name = binding.name
        if same:
            names[binding] = same[0]
            continue
        prefix = (
            binding.module.stem if binding.module else str(binding.origin and binding.origin.module)
        ) + "_"
        while name in taken:
            name = prefix.replace(".", "_") + name
        taken.add(name)
        names[binding] = name
    return names


def _import_block(closure: Closure, names: dict[Binding, str]) -> list[tuple[ast.stmt, str]]:
    """Import statements for everything that is not the user's, one a line."""
    lines: dict[str, None] = {}
    for module in (closure.modules[path] for path in _order(closure)):
        for node in module.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                lines[ast.unparse(node)] = None
        for base in module.stars:
            if module.source.module(base) is None:
                lines[f"from {base} import *"] = None
    for binding, name in names.items():
        if binding.origin is not None:
            lines[binding.origin.text(name)] = None
    lines |= dict.fromkeys(_submodule_imports(closure))
    future = [line for line in lines if line.startswith("from __future__")]
    plain = sorted(line for line in lines if line.startswith("import"))
    others = sorted(line for line in lines if line.startswith("from") and line not in future)
    ordered = future + plain + others
    return [(ast.parse(line).body[0], line + "\n") for line in ordered]


def _submodule_imports(closure: Closure) -> Iterator[str]:
    """`import package.module` where what is kept names the module through the package."""
    for module in (closure.modules[path] for path in _order(closure)):
        dotted = [
            alias.name
            for node in module.tree.body
            if isinstance(node, ast.Import)
            for alias in node.names
            if "." in alias.name and not alias.asname and module.source.module(alias.name) is None
        ]
        chains = {
            (origin.module, *reference.attributes)
            for index in sorted(closure.kept.get(module.source.path, ()))
            for reference in (module.statements[index].references if dotted else ())
            if (origin := module.imports.get(reference.name)) is not None and origin.attribute is None
        }
        for name in dotted:
            path = tuple(name.split("."))
            if any(chain[: len(path)] == path for chain in chains):
                yield f"import {name}"


def _renamed(closure: Closure, module: Module, statement: Statement, names: dict[Binding, str]) -> str:
    """The statement's text with every reference under its final name."""
    found = (_edit(closure, module, reference, names) for reference in statement.references)
    edits = {edit for edit in found if edit is not None}
    node = statement.node
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        final = names.get(Binding(module.source.path, node.name), node.name)
        # As the file spells it: Python's own form of a name may have other characters.
        name = _DEFINED.search(lines_of(statement.text)[node.lineno - statement.first])
        assert name is not None
        start, end = (len(name.string[:place].encode()) for place in name.span(1))
        edits.add(Edit((node.lineno, start), (node.lineno, end), final))
    return edited(statement.text, edits, statement.first) + "\n"


_DEFINED = re.compile(r"\b(?:def|class)\s+(\w+)")


def _edit(closure: Closure, module: Module, reference: Reference, names: dict[Binding, str]) -> Edit | None:
    found = closure.resolve(module, reference.name, reference.attributes)
    if found is None or found[0] not in names:
        return None
    binding, count = found
    if names[binding] == reference.name and not count:
        return None
    return replaced(reference.end_of(count), names[binding])


def _joined(parts: list[tuple[ast.stmt, str]]) -> str:
    """Statements with the blank lines of PEP 8 between them."""
    texts: list[str] = []
    for i, (node, text) in enumerate(parts):
        before = parts[i - 1][0] if i else None
        if before is not None:
            if isinstance(node, _DEFINITIONS) or isinstance(before, _DEFINITIONS):
                texts.append("\n\n")
            elif isinstance(before, _IMPORTS) and not isinstance(node, _IMPORTS):
                texts.append("\n")
        texts.append(text)
    return "".join(texts)


_DEFINITIONS = (ast.FunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)

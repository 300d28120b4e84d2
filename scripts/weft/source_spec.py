"""What a user may name as a source: a file or an importable module, whole or one kernel of it.

`kernels.py`, `package.module`, and either with `:` and an expression behind it, such as `kernels.py:step`,
`package.module:make_kernel(3)` or `package.module:KERNELS["add"]`. Nothing is imported here: a module is
found as Python would find it, first in the working folder, then among what is installed.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import importlib.machinery
import importlib.metadata
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from weft.errors import UserError
from weft.files import sha256
from weft.kernel_file import parts_in, programs_in
from weft.literal import quoted
from weft.source_files import (
    Source,
    files_of,
    imported_names,
    literal,
    parse_source,
    read_source,
    text_or_none,
)

ALLOWED = (
    "a Python file (kernels.py) or an importable module (package.module), each with :kernel behind it or not"
)

_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


@dataclasses.dataclass(frozen=True)
class SourceSpec:
    """A source as the user named it: `selection` is the expression behind the colon, or empty."""

    text: str
    source: Source
    selection: str

    @property
    def stem(self) -> str:
        """A name for the source: that of its module."""
        return self.source.name.rpartition(".")[2]

    @property
    def package(self) -> str | None:
        """The installed package that it is from, as one imports it; None for a file of the user."""
        return self.source.name.partition(".")[0] if self.source.installed else None

    def files(self) -> list[Path]:
        """Every file that its kernels may come from: what it imports, or all of an installed package.

        Raises UserError if a file cannot be read.
        """
        if not self.source.installed or "." not in self.source.name:
            return files_of(self.source)
        package = self.source.root.joinpath(self.source.name.partition(".")[0])
        return sorted(path for path in package.rglob("*.py") if path.is_file())

    def packages(self) -> dict[str, str]:
        """The versions of the installed packages that its files import, by the names that pip knows them by.

        Warp's is left out: it is an input of the stages that use it. Raises UserError if a file is missing.
        """
        texts = filter(None, map(text_or_none, self.files()))
        names = {name for text in texts for name in imported_names(text)}
        return _versions(frozenset(names - {"warp", "weft", *sys.stdlib_module_names}))


@functools.cache
def _versions(modules: frozenset[str]) -> dict[str, str]:
    if not modules:
        return {}
    installed = importlib.metadata.packages_distributions()
    packages = {package for module in modules for package in installed.get(module, ())}
    return {package: importlib.metadata.version(package) for package in sorted(packages)}


def source_spec(text: str) -> SourceSpec:
    """Find the source that `text` names. Raises UserError that says what is allowed."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UserError(f"{text!r} is not UTF-8, and names of sources must be; rename the file") from error
    head, colon, selection = text.partition(":")
    selection = selection.strip()
    if colon and not selection:
        raise UserError(f"{text!r} has nothing after its colon; expected {ALLOWED}")
    if selection:
        _check_selection(text, selection)
    if head.endswith(".py") or "/" in head or Path(head).is_file():
        return SourceSpec(text, Source.of(Path(head)), selection)
    if not _MODULE.fullmatch(head):
        raise UserError(f"{head!r} is neither a file nor the name of a module; expected {ALLOWED}")
    return SourceSpec(text, _module(head), selection)


def default_category(text: str) -> str:
    """The category of a source that is named by hand: the last part of its module, and the call of a factory,
    so that its instances have names of their own. Raises UserError.
    """
    spec = source_spec(text)
    if not spec.selection or spec.selection.isidentifier():
        return re.sub(r"\W+", "_", spec.stem)
    numbers = re.sub(r"-(?=[\d.])", "minus", re.sub(r"(?<=\d)\.|\.(?=\d)", "p", spec.selection))
    return re.sub(r"\W+", "_", f"{spec.stem}_{numbers}").strip("_")


def _check_selection(text: str, selection: str) -> None:
    try:
        tree = ast.parse(selection, mode="eval").body
    except SyntaxError as error:
        raise UserError(f"{text!r}: {selection!r} is not an expression: {error.msg}") from error
    inner = tree
    while isinstance(inner, ast.Attribute | ast.Subscript | ast.Call):
        inner = inner.func if isinstance(inner, ast.Call) else inner.value
    if not isinstance(inner, ast.Name):
        raise UserError(
            f"{text!r}: {selection!r} does not name a kernel; "
            'expected a name, NAME.attribute, NAME["key"] or factory(arguments)'
        )


def _module(name: str) -> Source:
    """The file of an importable module. Raises UserError if there is none."""
    search: Sequence[str] | None = [str(Path.cwd()), *sys.path]
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        found = ".".join(parts[:count])
        spec = _find(found, search)
        if spec is None:
            raise UserError(f"there is no module {found!r}; expected {ALLOWED}")
        inside = spec.submodule_search_locations
        search = None if inside is None else list(inside)
        if search is None and count < len(parts):
            raise UserError(
                f"{found!r} is not a package, so it has no module {parts[count]!r}; expected {ALLOWED}"
            )
    if spec is None or not spec.has_location or not str(spec.origin).endswith(".py"):
        raise UserError(f"the module {name!r} has no Python file; expected {ALLOWED}")
    path = Path(str(spec.origin))
    root = path.parents[len(parts) - (path.stem != "__init__")]
    here = Path.cwd()
    on_path = any(folder and Path(folder).resolve() == root.resolve() for folder in sys.path)
    if root.resolve() != here and (on_path or not root.resolve().is_relative_to(here)):
        return Source(path, root, name, named=True, installed=True)
    return Source(path.resolve().relative_to(here), root.resolve().relative_to(here), name, named=True)


def _find(name: str, search: Sequence[str] | None) -> importlib.machinery.ModuleSpec | None:
    # By its last part: for a dotted name Python would want the packages around it imported.
    spec = importlib.machinery.PathFinder.find_spec(name.rpartition(".")[2], search)
    if spec is not None:
        return spec
    # Editable installations bring finders of their own.
    for finder in sys.meta_path:
        if (spec := finder.find_spec(name, None if "." not in name else search)) is not None:
            return spec
    return None


def manifest_text(spec: SourceSpec, category: str) -> str:
    """The kernels file of a source (docs/formats/kernels.md): the source, hashes of its files, versions of
    the packages that they import, its kernels.

    Raises UserError if a file cannot be read or has a syntax error.
    """
    source = spec.source
    tree = parse_source(source.path, read_source(source.path))
    parts = parts_in(tree) if programs_in(tree) and not spec.selection else []
    kernels = [name for name in kernels_in(tree, spec.selection) if name not in parts]
    hashes = {source.shown(path): sha256(path.read_bytes()) for path in sorted(spec.files())}
    return "\n".join(
        [
            f'"""Category {category}: the kernels of {quoted(spec.text)[1:-1]}."""',
            "",
            "SOURCE = {",
            f'    "source": {quoted(spec.text)},',
            '    "files": {',
            *(f'        {quoted(name)}: "{digest}",' for name, digest in hashes.items()),
            "    },",
            '    "packages": {',
            *(f'        {quoted(name)}: "{version}",' for name, version in spec.packages().items()),
            "    },",
            '    "kernels": [',
            *(f"        {quoted(name)}," for name in kernels),
            "    ],",
            "}",
            "",
        ]
    )


def resolve(text: str) -> tuple[SourceSpec, bool]:
    """The source that `text` names itself or by a manifest, and whether it was named by its file.

    Raises UserError if there is none.
    """
    spec = source_spec(text)
    if spec.source.named or spec.selection:
        return spec, False
    manifest = read_manifest(spec.source.path)
    return (spec, True) if manifest is None else (manifest, False)


def read_manifest(path: Path) -> SourceSpec | None:
    """The source that a manifest stands for; None if `path` is a module of kernels itself.

    Raises UserError if a file that the manifest lists is missing or has changed since.
    """
    try:
        found = literal(parse_source(path, read_source(path)), "SOURCE")
    except ValueError:
        found = None
    if found is None:
        return None
    manifest = found[0]
    spec = source_spec(manifest["source"])
    for name, digest in manifest["files"].items():
        file = spec.source.root / name if spec.source.installed else Path(name)
        if not file.exists():
            raise UserError(f"{path} lists {name}, which does not exist")
        if sha256(file.read_bytes()) != digest:
            raise UserError(f"{name} has changed since {path} was written; run scripts/kernels.py again")
    return spec


def kernel_definitions(tree: ast.Module) -> list[ast.FunctionDef]:
    """The functions that a module decorates as Warp kernels. What factories make is not seen here."""
    return [node for node in tree.body if isinstance(node, ast.FunctionDef) and _is_kernel(node)]


def kernels_in(tree: ast.Module, selection: str = "") -> list[str]:
    """Names of the kernels that a module defines, one for each definition, in order.

    With a `selection`, that name alone if it is one of them.
    """
    names = [function.name for function in kernel_definitions(tree)]
    return [selection] * (selection in names) if selection else names


def factories_in(tree: ast.Module) -> list[str]:
    """Names of a module's functions in which others are decorated as Warp kernels."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [
        function.name
        for function in functions
        if not _is_kernel(function)
        and any(isinstance(node, ast.FunctionDef) and _is_kernel(node) for node in ast.walk(function))
    ]


def _is_kernel(function: ast.FunctionDef) -> bool:
    for decorator in function.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if "kernel" in (getattr(called, "attr", None), getattr(called, "id", None)):
            return True
    return False

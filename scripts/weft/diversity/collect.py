"""Every Warp kernel in a folder of Python files, each with the functions, structs and globals that it uses.

Kernels that are but parts of a program of several launches count as one, under the program's name.

Files are parsed and never executed.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Container, Iterator
from pathlib import Path

from weft.errors import UserError
from weft.kernel_file import parts_in, programs_in
from weft.recursion import deep_recursion


@dataclasses.dataclass(frozen=True)
class Kernel:
    """One kernel: where it is from, and the definitions that make it up, in the order of the file."""

    file: str
    name: str
    definitions: tuple[ast.stmt, ...]

    @property
    def group(self) -> str:
        """The folder that the file is in: in a build, the category. The file itself if there is none."""
        return Path(self.file).parent.name or Path(self.file).stem


@deep_recursion()
def collect(folder: Path, shards: Container[str] | None = None) -> list[Kernel]:
    """The kernels of all `.py` files under `folder`, in the order of paths and lines; with `shards`
    (`{category}/{seed}`), only those files.

    Raises UserError if there is no such folder; a file that is no Python is skipped.
    """
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder")
    files = sorted(folder.rglob("*.py"))
    if shards is not None:
        files = [path for path in files if str(path.relative_to(folder).with_suffix("")) in shards]
    return [kernel for path in files for kernel in _kernels(path, folder)]


def _kernels(path: Path, folder: Path) -> Iterator[Kernel]:
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    drop_docstrings(tree)
    kernels = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and _is_kernel(node)]
    definitions = {name: node for node in tree.body for name in _defined(node)}
    used = {id(node): _names(node) & definitions.keys() for node in definitions.values()}
    parts = set(parts_in(tree))
    file = str(path.relative_to(folder))
    for kernel in kernels:
        if kernel.name not in parts:
            yield Kernel(file, kernel.name, (*_reached([kernel], definitions, used), kernel))
    for program, names in programs_in(tree).items():
        launched = [kernel for kernel in kernels if kernel.name in names & parts]
        if launched:
            yield Kernel(file, program, (*_reached(launched, definitions, used), *launched))


def _is_kernel(node: ast.FunctionDef) -> bool:
    """Is the function decorated as a kernel, with arguments or without?"""
    marks = [one.func if isinstance(one, ast.Call) else one for one in node.decorator_list]
    return any("kernel" in (getattr(one, "attr", None), getattr(one, "id", None)) for one in marks)


def _defined(node: ast.stmt) -> list[str]:
    """The names that a statement at the top of a file defines; LAUNCH describes kernels and is none."""
    match node:
        case ast.FunctionDef() if _is_kernel(node):
            return []
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=[ast.Name(id=name)]) if name != "LAUNCH":
            return [name]
        case _:
            return []


def drop_docstrings(tree: ast.Module) -> None:
    """Remove the docstrings of functions and classes; of one that has nothing else, `pass` is left."""
    for one in ast.walk(tree):
        if isinstance(one, ast.FunctionDef | ast.ClassDef):
            match one.body:
                case [ast.Expr(ast.Constant(str())), *rest]:
                    one.body = rest or [ast.Pass()]


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _reached(
    kernels: list[ast.FunctionDef], definitions: dict[str, ast.stmt], used: dict[int, set[str]]
) -> list[ast.stmt]:
    """What the kernels use, and what that uses, in the order of the file."""
    found: dict[str, ast.stmt] = {}
    waiting = sorted({name for kernel in kernels for name in _names(kernel)} & definitions.keys())
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = definitions[name]
            waiting += sorted(used[id(definitions[name])])
    return sorted({id(node): node for node in found.values()}.values(), key=lambda node: node.lineno)

"""Which modules a package has, without importing them."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

from weft.errors import UserError


def modules_of(package: str) -> list[str]:
    """Dotted names of a package's modules, sorted; of a single module, its own.

    Raises UserError if nothing of that name is installed, or if a package that it is in does not import.
    """
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        spec = None
    except Exception as error:
        raise UserError(f"a package of {package!r} fails when it is imported: {error}") from error
    if spec is None:
        raise UserError(f"no module named {package!r} is installed (expected a package such as warp.tests)")
    found = [package] if spec.origin not in (None, "namespace") else []
    for folder in spec.submodule_search_locations or ():
        found += _below(Path(folder), package)
    return sorted(set(found))


def _below(folder: Path, package: str) -> Iterator[str]:
    for path in folder.rglob("*.py"):
        parts = path.relative_to(folder).with_suffix("").parts
        if all(part.isidentifier() for part in parts) and parts[-1] not in ("__init__", "__main__"):
            yield ".".join([package, *parts])
        elif parts[-1] == "__init__" and len(parts) > 1 and all(part.isidentifier() for part in parts):
            yield ".".join([package, *parts[:-1]])

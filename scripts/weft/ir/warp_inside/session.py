"""Starting Warp for code generation alone: its version, its cache, its log, no GPU."""

from __future__ import annotations

import os
from pathlib import Path

# Code generation needs no GPU; hiding them keeps Warp from creating a context on one.
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import warp
from warp._src import context

from weft.errors import UserError

WARP_VERSION = "1.19.0"

_function_counts_at_import = dict(context.function_key_counts)
_modules_at_import = frozenset(context.user_modules)


def begin(cache: Path) -> None:
    """Silence Warp, keep its kernel cache in the folder `cache`, and forget what this process did before.

    Warp numbers user functions (`hooke_0`) as they are defined, and keeps the options of modules by name;
    without a fresh start the text of a kernel would depend on both. Raises UserError for another version.
    """
    if warp.__version__ != WARP_VERSION:
        raise UserError(
            f"warp-lang {warp.__version__} is installed, but weft.ir reads the inside of {WARP_VERSION}; "
            f"install warp-lang=={WARP_VERSION} or port weft/ir/warp_inside"
        )
    warp.config.log_level = warp.LOG_ERROR
    warp.config.kernel_cache_dir = str(cache)
    warp.config.enable_backward = True
    warp.config.enable_cpu_blocks = False
    context.function_key_counts.clear()
    context.function_key_counts.update(_function_counts_at_import)
    for name in set(context.user_modules) - _modules_at_import:
        del context.user_modules[name]

"""What Weft makes of one kernel of each category, kept so that a reviewer sees every change of the product.

    python -P tests/golden/golden.py        (or: make golden)

writes the files under tests/golden/products anew; `git diff` then shows what an edit did to them.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import Any

from weft.cuda.program import translate
from weft.files import canonical_json
from weft.ir.build import build_ir
from weft.kernels import category_names, generate

PRODUCTS = Path(__file__).resolve().parent / "products"
SEED = 0

# Warp's whole text is in the IR; its preamble and adjoint would hide what a reviewer looks for.
LEFT_OUT = ("cpp_forward", "cpp_backward", "cuda_backward", "python_source")


def products(category: str) -> dict[str, str]:
    """By file name: a category's first kernel, an excerpt of its IR, and its CUDA program."""
    # The IR names the file as it was given: a relative name is the same everywhere.
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        kernels = Path("kernels.py")
        kernels.write_text(generate(category, SEED, 1), encoding="utf-8")
        ir = build_ir(kernels, category=category, seed=SEED, device="cuda")
    (record,) = ir["records"]  # a category whose first kernel Warp refuses fails here
    return {
        "kernels.py": generate(category, SEED, 1),
        "ir.json": canonical_json(_excerpt(record)),
        "program.cu": translate(record).standalone,
    }


def _excerpt(record: dict[str, Any]) -> dict[str, Any]:
    """A record, or one of a program's kernels, without what hides the product."""
    excerpt = {key: value for key, value in record.items() if key not in LEFT_OUT}
    if "kernels" in record:
        excerpt["kernels"] = [_excerpt(kernel) for kernel in record["kernels"]]
    if "cuda_forward" in record:
        entry = record["cuda_forward"].rindex('extern "C" __global__')
        excerpt["cuda_forward"] = record["cuda_forward"][entry:].splitlines()
    return excerpt


def regenerate() -> None:
    """Write all products anew."""
    shutil.rmtree(PRODUCTS, ignore_errors=True)
    for category in category_names():
        folder = PRODUCTS / category
        folder.mkdir(parents=True)
        for name, text in products(category).items():
            (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    regenerate()

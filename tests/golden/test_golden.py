"""The products of today's code are the ones that were reviewed."""

from __future__ import annotations

from pathlib import Path

import pytest

from golden import PRODUCTS, products
from strict import strict_gxx
from weft.kernels import category_names


@pytest.mark.parametrize("category", category_names())
def test_a_category_makes_what_was_reviewed(category: str) -> None:
    reviewed = {path.name: path.read_text(encoding="utf-8") for path in (PRODUCTS / category).glob("*")}
    made = products(category)
    assert sorted(made) == sorted(reviewed), "run `make golden` and review the change"
    for name, text in made.items():
        assert text == reviewed[name], f"{category}/{name} changed: run `make golden` and review the change"


def test_every_product_belongs_to_a_category() -> None:
    assert sorted(folder.name for folder in PRODUCTS.iterdir()) == category_names()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("products")


@pytest.mark.parametrize("category", category_names())
def test_a_product_compiles_without_a_warning(category: str, folder: Path) -> None:
    program = (PRODUCTS / category / "program.cu").read_text(encoding="utf-8")
    assert strict_gxx(program, folder) is None

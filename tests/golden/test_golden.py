"""The products of today's code are the ones that were reviewed."""

from __future__ import annotations

import pytest

from golden import PRODUCTS, products
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

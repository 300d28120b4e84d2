"""What is known of the drawn inputs without drawing any, and without NumPy."""

from __future__ import annotations

from weft.launch import Recipe
from weft.types import Struct, Structs, Transform, Type, component_scalars

MAIN_SIZE, MAIN_SEED = 1000, 1
"""The base size and the input seed of the case that the `main` of a sample's program runs."""


def component_recipes(element: Type, recipe: Recipe, structs: Structs) -> list[Recipe]:
    """The recipe of each packed component of an element. Components that are scaled to unit length together
    have one and the same; the position of a transform is `uniform`.
    """
    if recipe.kind == "unit" and isinstance(element, Transform):
        return [Recipe("uniform", recipe.arguments)] * 3 + [recipe] * 4
    if recipe.kind != "members":
        return [recipe] * sum(1 for _ in component_scalars(element, structs))
    if not isinstance(element, Struct):
        raise ValueError(f"recipe 'members' describes a struct, not {element}")
    recipes: list[Recipe] = []
    for name, field in structs[element.name]:
        if name not in recipe.arguments:
            raise ValueError(f"recipe for struct {element.name} lacks member {name!r}")
        recipes += component_recipes(field, recipe.arguments[name], structs)
    return recipes

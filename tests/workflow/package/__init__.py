"""A package of the user's."""

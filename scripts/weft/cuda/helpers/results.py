"""Helpers that return several values: the members of their result structs, in Warp's order.

Such a helper defines its struct in its own text, before the function.
"""

RESULT_MEMBERS: dict[str, tuple[str, ...]] = {}

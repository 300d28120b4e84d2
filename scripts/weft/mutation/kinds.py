"""The kinds of planted mistakes, and what can become of one, in words."""

from __future__ import annotations

OPERATORS = {
    "operator": "another operator or function",
    "constant": "another constant",
    "comparison": "the opposite comparison",
    "bound": "a limit off by one",
    "index": "a neighboring element",
    "branch": "a branch left out",
    "barrier": "a barrier left out",
    "atomic": "a plain update instead of an atomic one",
    "cast": "a conversion through a narrower type",
}
FATES = {
    "killed": "found",
    "survived": "not found",
    "equivalent": "changes nothing",
    "not_compiled": "does not compile",
}

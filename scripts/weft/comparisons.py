"""Comparisons of Python and C++, which write them alike."""

from __future__ import annotations

OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
"""What holds where a comparison does not; of floats, where none is NaN or for equality alone."""

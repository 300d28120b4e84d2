"""Scoring models: their answers judged by the thousand, pass@k, and a reward for each answer."""

from weft.scoring.rewards import reward

__all__ = ["reward"]

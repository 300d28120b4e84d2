"""Scoring models: their answers judged by the thousand, and pass@k."""

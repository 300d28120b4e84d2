"""Verdicts: programs compiled and run on a device, and judged by what they wrote."""

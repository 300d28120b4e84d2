"""Poses and wrenches."""

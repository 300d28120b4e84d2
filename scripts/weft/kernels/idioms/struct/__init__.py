"""Structs."""

"""Loops with ways out."""

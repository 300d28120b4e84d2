"""Standalone CUDA programs from IR records: a pure function from a record to a text."""

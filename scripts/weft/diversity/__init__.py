"""How different the kernels of a set are: renamed trees, skeletons, near-duplicates, PTX, coverage.

Works on any folder of Python files with Warp kernels, so that sets can be compared.
"""

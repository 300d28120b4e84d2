"""Weft: Warp kernels written in Python, and the verified CUDA programs that compute the same."""

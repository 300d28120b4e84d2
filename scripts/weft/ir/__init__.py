"""The ir stage: Warp's own code and typed syntax trees of kernels, as files."""

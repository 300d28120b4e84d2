"""The survey: how many of the kernels that people have written come through, and why the others do not."""

"""Expected outputs: every sample executed by Warp on the CPU, and the file that holds what came out."""

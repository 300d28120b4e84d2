"""What the Snakefile asks: settings, shards, the files behind a script, tool versions, the lock of a build.

Nothing here knows Snakemake.
"""

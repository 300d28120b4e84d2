#!/bin/sh
# Snakemake runs this once in a new environment, in the folder of the build.
python -P -m pip install --no-deps --no-build-isolation --editable .

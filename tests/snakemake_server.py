"""Runs Snakemake again and again. It is imported once, which takes longer than most of what tests ask of it,
and each run is a fork of this process.

A line of standard input is a run, as JSON: the options, the folder, the environment, and two files for what
it prints. A line of standard output is its exit status.
"""

import gc
import importlib
import json
import os
import sys

from snakemake.cli import get_argument_parser, main

LATER = ("jsonschema", "rich.live", "rich.table", "smart_open")
"""What each run would import for itself."""


def run() -> int | None:
    """Fork for the runs that are asked for. Returns in each fork, before the run, and None at the end."""
    for line in sys.stdin:
        options, folder, environment, *files = json.loads(line)
        child = os.fork()
        if child:
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
            continue
        for number, file in enumerate(files, start=1):
            os.dup2(os.open(file, os.O_WRONLY), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.path[:0] = [folder, *environment["PYTHONPATH"].split(os.pathsep)]
        sys.argv[1:] = options
        return os.getpid()
    return None


for module in LATER:
    importlib.import_module(module)
get_argument_parser()  # finds the plugins
gc.freeze()  # a fork shares what its collector does not look through: half of a run's time

if run() is not None:
    main()

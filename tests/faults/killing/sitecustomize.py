"""In every Python of a test's build: KILL=script.py:n kills the script when it renames its n-th file.

That is the worst moment: everything is computed, and part of it is in its place.
"""

import os
import signal
import sys
from pathlib import Path

script, _, number = os.environ.get("KILL", "").partition(":")
if script and any(argument.endswith(f"scripts/{script}") for argument in sys.orig_argv):
    renamed = 0
    rename = Path.replace

    def replace(self, target):
        """Path.replace, up to the one that is not to be."""
        global renamed
        renamed += 1
        if renamed == int(number):
            os.kill(os.getpid(), signal.SIGKILL)
        return rename(self, target)

    Path.replace = replace

"""In a namespace whose folder `disk` is a small file system: build there while it is full, and again.

    python fill_disk.py BUILD DISK LEFT FOLDERS COMMAND…

copies BUILD to DISK, removes FOLDERS (with commas between) of its results, fills the disk but for LEFT bytes,
runs COMMAND in the copy, then frees the disk, and runs COMMAND again. Prints, as JSON, both exit statuses and
outputs, and the digests of the results.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

build, disk, left, folders, *command = sys.argv[1:]
place = Path(disk) / "build"
shutil.copytree(build, place, symlinks=True)
for folder in folders.split(","):
    shutil.rmtree(place / "results" / folder)
temporary = Path(disk) / "tmp"
temporary.mkdir()
environment = {**os.environ, "PYTHONPATH": str(place / "library"), "TMPDIR": str(temporary)}


def run() -> dict[str, object]:
    done = subprocess.run(command, cwd=place, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    return {"status": done.returncode, "said": (done.stdout + done.stderr).decode(errors="replace")}


filler = Path(disk) / "filler"
free = shutil.disk_usage(disk).free - int(left)
with filler.open("wb") as file:
    os.posix_fallocate(file.fileno(), 0, free)
full = run()
filler.unlink()
free_again = run()
results = place / "results"
digests = {
    str(path.relative_to(results)): hashlib.sha256(path.read_bytes()).hexdigest()
    for path in sorted(results.rglob("*"))
    if path.is_file()
}
print(json.dumps({"full": full, "free": free_again, "digests": digests}))

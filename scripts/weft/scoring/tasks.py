"""What models are asked (docs/formats/scores.md)."""

from __future__ import annotations

import json
from pathlib import Path

from weft.errors import UserError
from weft.files import read_text


def read_task_ids(path: Path) -> list[str]:
    """The ids of a file of tasks. Raises UserError for a file of something else."""
    found = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        try:
            found.append(str(json.loads(line)["task_id"]))
        except (ValueError, TypeError, KeyError) as error:
            raise UserError(f"{path}:{number}: is no task, which has a task_id") from error
    return found

"""What the stages wrote about each shard of a finished build."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from weft.files import read_json, read_shard
from weft.samples.export import Shard
from weft.stats.tree import Plan


def read_shards(results: Path, plan: Plan) -> Iterator[Shard]:
    """Every shard of the plan. Raises UserError for a file that is missing or cut off."""
    for category, seed in plan.shards:
        place = f"{category}/{seed}"
        ptx = results / f"ptx/{plan.archs[0]}/{place}" if plan.archs else None
        yield Shard(
            ir=read_json(results / f"ir/{place}.json"),
            cuda=read_shard(results / f"cuda/{place}.cu"),
            index=read_json(results / f"cuda/{place}.json"),
            runs=[read_json(results / f"runs/{device}/{place}.json") for device in plan.devices],
            ptx=read_shard(ptx.with_name(f"{seed}.ptx")) if ptx else None,
            ptx_report=read_json(ptx.with_name(f"{seed}.json")) if ptx else None,
            mutation=_read_share(results / f"mutation/{place}.json", plan.mutation),
            gradients=_read_share(results / f"gradients/{place}.json", plan.gradients),
        )


def _read_share(path: Path, share: float) -> Any | None:
    """A file that looks at a share of the samples; None if this build made none with this share."""
    if not path.is_file():
        return None
    content = read_json(path)
    return content if content["share"] == share else None

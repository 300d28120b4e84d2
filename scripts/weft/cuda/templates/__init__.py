"""The frame of programs and libraries, as jinja2 templates."""

from __future__ import annotations

import functools

import jinja2


@functools.cache
def environment() -> jinja2.Environment:
    """The templates of programs and libraries."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("weft.cuda"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
    )

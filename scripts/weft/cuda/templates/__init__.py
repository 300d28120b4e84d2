"""The frame of programs and libraries, as jinja2 templates."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

import jinja2

_INCLUDE = re.compile(r'\{% include "([^"]+)" %\}\n?')


class _Loader(jinja2.PackageLoader):
    """Templates with those that they include in their text, so that one context serves them all."""

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str, Callable[[], bool] | None]:
        """The joined text, and what jinja2 wants to know of its file."""
        text, filename, fresh = super().get_source(environment, template)
        return _INCLUDE.sub(lambda found: self.get_source(environment, found[1])[0], text), filename, fresh


@functools.cache
def environment() -> jinja2.Environment:
    """The templates of programs and libraries."""
    return jinja2.Environment(
        loader=_Loader("weft.cuda"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
    )

"""Hook of mkdocs.yml: links to files beside docs/, which the site does not have, become plain text."""

import posixpath
import re
from typing import Any

_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<target>[^)\s#]+)[^)\s]*\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The text of a page as the site shows it."""
    folder = posixpath.dirname(page.file.src_uri)

    def shown(link: re.Match[str]) -> str:
        outside = posixpath.normpath(posixpath.join(folder, link["target"])).startswith("../")
        return link["text"] if outside else link[0]

    return _LINK.sub(shown, markdown)

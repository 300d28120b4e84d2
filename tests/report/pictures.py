"""Write pictures of a build's page: what README shows, or the whole page in both widths, light and dark."""

from __future__ import annotations

import argparse
from pathlib import Path

from browser import browser

SHOWN = "#nbody-0000-0000"
"""The sample that README's picture shows."""
POINTED_AT = """(() => {
  const pre = document.querySelector("[data-pane=cuda] pre");
  const line = pre.textContent.split("\\n").findIndex((text) => text.includes("acceleration +="));
  if (line < 0) return null;
  const height = parseFloat(getComputedStyle(pre).lineHeight);
  pre.scrollTo(0, (line - 18) * height);
  document.querySelector("[data-pane=python] pre").scrollTo(0, 1e6);
  const box = pre.querySelector("code").getBoundingClientRect();
  return [box.left + 2, box.top + (line + 0.5) * height];
})()"""
"""Where the pointer lies: on a line of CUDA, which lights that of Python."""


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path, help="the page, such as results/report/index.html")
    parser.add_argument("-o", "--output", type=Path, required=True, help="a folder")
    parser.add_argument(
        "--all", action="store_true", help="the whole page instead, a file a width and scheme"
    )
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    with browser() as page:
        for scheme in ("light", "dark"):
            page.colours(scheme)
            if not arguments.all:
                page.open(arguments.page, SHOWN, height=860)
                page.run("document.querySelector('#viewer').scrollIntoView()")
                if spot := page.run(POINTED_AT):
                    page.point(*spot)
                page.picture(arguments.output / f"report-{scheme}.png")
                continue
            for width in (1280, 390):
                page.open(arguments.page, SHOWN, width=width)
                height = page.run("document.documentElement.scrollHeight")
                clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
                file = arguments.output / f"{scheme}-{width}.png"
                page.picture(file, captureBeyondViewport=True, clip=clip)


if __name__ == "__main__":
    main()

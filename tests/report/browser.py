"""A headless Chromium with one page, driven by its own protocol over two pipes."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image

SECONDS = 60
_OPTIONS = (
    *("--headless", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu", "--hide-scrollbars"),
    *("--no-sandbox", "--disable-dev-shm-usage"),  # as root, and where /dev/shm is small
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


class Page:
    """A tab: what it does, and what it said and asked for meanwhile."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands = commands
        self._answers = answers
        self._held = b""
        self._number = 0
        self._session: str | None = None
        self.problems: list[str] = []
        self.requests: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: Any) -> Any:
        """The result of a command of the protocol."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            self._note(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._held:
            read = os.read(self._answers, 1 << 20)
            assert read, "Chromium ended"
            self._held += read
        message, _, self._held = self._held.partition(b"\0")
        answer: dict[str, Any] = json.loads(message)
        return answer

    def _note(self, event: dict[str, Any]) -> None:
        told = event.get("params", {})
        match event.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(told["request"]["url"])
            case "Runtime.exceptionThrown":
                self.problems.append(str(told["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if told["type"] in ("error", "warning"):
                self.problems.append(str(told["args"]))
            case "Log.entryAdded" if told["entry"]["level"] in ("error", "warning"):
                self.problems.append(told["entry"]["text"])

    def open(self, file: Path, fragment: str = "", *, width: int = 1280, height: int = 900) -> None:
        """Open a page as `show` does, and wait until its script shows a sample."""
        self.show(file, fragment, width=width, height=height)
        self.wait("document.querySelector('#list').hasAttribute('aria-activedescendant')")

    def show(self, file: Path, fragment: str = "", *, width: int, height: int) -> None:
        """Open a page of this machine, in a window of some size."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=f"{file.resolve().as_uri()}{fragment}")
        self.wait("location.protocol === 'file:' && document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """The value of an expression in the page; of a promise, what it comes to."""
        done = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + SECONDS
        while not self.run(condition):
            assert time.monotonic() < end, condition
            time.sleep(0.02)

    def press(self, key: str) -> None:
        """Press a key that writes a letter, or one with a name."""
        text = {"text": key} if len(key) == 1 else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def point(self, x: float, y: float, *, click: bool = False) -> None:
        """Move the pointer to a place in the window, and perhaps click there."""
        place: dict[str, Any] = {"x": x, "y": y}
        self.send("Input.dispatchMouseEvent", type="mouseMoved", **place)
        for kind in ("mousePressed", "mouseReleased") if click else ():
            self.send("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)

    def colours(self, scheme: str) -> None:
        """Let the system be `light` or `dark`."""
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, file: Path, **options: Any) -> None:
        """Write what is to be seen as a PNG of 256 colours, which are enough for text."""
        picture = self.send("Page.captureScreenshot", format="png", **options)
        with Image.open(io.BytesIO(base64.b64decode(picture["data"]))) as image:
            image.convert("RGB").quantize(256, Image.Quantize.FASTOCTREE).save(file, optimize=True)


@contextlib.contextmanager
def browser() -> Iterator[Page]:
    """A page of a Chromium that ends with the block."""
    program = shutil.which("chromium")
    assert program, "chromium is not here"
    commands_there, commands = os.pipe()
    answers, answers_there = os.pipe()
    with tempfile.TemporaryDirectory(prefix="weft-browser-", ignore_cleanup_errors=True) as folder:
        # It reads commands from descriptor 3 and answers on 4.
        start = ["bash", "-c", f'exec "$@" 3<&{commands_there} 4>&{answers_there}', "bash"]
        process = subprocess.Popen(
            [*start, program, *_OPTIONS, f"--user-data-dir={folder}"],
            pass_fds=(commands_there, answers_there),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands_there)
        os.close(answers_there)
        try:
            yield Page(commands, answers)
        finally:
            os.close(commands)  # without commands it ends
            process.terminate()
            process.wait(SECONDS)
            os.close(answers)

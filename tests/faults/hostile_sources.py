"""Sources that are wrong, odd or malicious, and the fate that each deserves."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

WARP = "import warp as wp\n\n"
PARAMETERS = "x: wp.array(dtype=float), y: wp.array(dtype=float)"
PLAIN = f"""{WARP}
@wp.kernel
def plain({PARAMETERS}):
    i = wp.tid()
    y[i] = x[i] + 1.0

"""
BAD = "@wp.kernel\ndef bad(x: wp.array(dtype=float)):\n    é = x.nope  # ü\n"


def kernel(name: str, statements: str, parameters: str = PARAMETERS) -> str:
    """A kernel with these statements, one a line, behind `i = wp.tid()`."""
    lines = "".join(f"    {line}\n" for line in ["i = wp.tid()", *statements.split("\n")])
    return f"\n@wp.kernel\ndef {name}({parameters}):\n{lines}\n"


def nested(heads: list[str], inner: str) -> str:
    """Blocks within one another."""
    lines = [" " * depth + head for depth, head in enumerate([*heads, inner])]
    return "\n".join(lines)


@dataclasses.dataclass(frozen=True)
class Hostile:
    """A source, and what comes of it: kernels that `ir` takes, rejects by kernel, or an error of the shard.

    A reject is its reason, line and column in the file, and a part of its message; the message of an error
    is a regular expression.
    """

    source: str | bytes
    made: tuple[str, ...] = ("plain",)
    rejects: Mapping[str, tuple[str, int, int, str]] = dataclasses.field(default_factory=dict)
    error: str = ""
    verified: bool = False
    """Whether its kernels go through the whole chain."""
    file: str = "kernels.py"
    others: Mapping[str, str] = dataclasses.field(default_factory=dict)
    seconds: float = 20.0


def failing(source: str | bytes, error: str, **more: object) -> Hostile:
    """A source of which nothing is made."""
    return Hostile(source, (), {}, error, **more)  # type: ignore[arg-type]


INDENTED = "    @wp.kernel\n    def plain(x: wp.array(dtype=float)):\n        x[wp.tid()] = 2.0\n"
REPLACED = "defines another kernel 'plain', which replaces this one"
NOPE = "`nope` is not an attribute of 'x'"

ENDINGS = {
    "an import that never ends": failing(
        PLAIN + "while True: pass\n",
        r"importing \S*kernels\.py took longer than 0\.5 s of CPU time",
        seconds=0.5,
    ),
    "an import that sleeps": failing(
        PLAIN + "import time\ntime.sleep(1e9)\n",
        r"importing \S*kernels\.py took longer than 4 s",
        seconds=0.2,
    ),
    "an import that waits for the keyboard": failing(
        PLAIN + "input()\n", r"kernels\.py:9:1\n.*\n.*\^\n.*EOFError"
    ),
    "os._exit(3)": failing(
        PLAIN + "import os\nos._exit(3)\n", r"ended with exit status 3 while importing \S*kernels\.py"
    ),
    "os._exit(0)": failing(
        PLAIN + "import os\nos._exit(0)\n", r"ended with exit status 0 while importing \S*kernels\.py"
    ),
    "SIGSEGV": failing(
        PLAIN + "import ctypes\nctypes.string_at(0)\n", r"killed by SIGSEGV while importing \S*kernels\.py"
    ),
    "SIGKILL": failing(
        PLAIN + "import os\nos.kill(os.getpid(), 9)\n",
        r"killed by SIGKILL \(out of memory\?\); the same command",
    ),
    "sys.exit() behind the kernels": Hostile(PLAIN + "import sys\nsys.exit()\n"),
    "sys.exit() before the kernels": failing(
        "import sys\nsys.exit(4)\n" + PLAIN,
        r"kernels\.py:2:1\n.*\n.*\^\nimporting the file ends Python with status 4",
    ),
    "an exception": failing(
        PLAIN + "raise ValueError('no')\n",
        r"kernels\.py:9:1\n    raise ValueError\('no'\)\n    \^\nimport failed: ValueError: no",
    ),
    "an exception without words": failing(
        PLAIN + "class E(Exception):\n    def __str__(self): raise RuntimeError\nraise E\n",
        r"kernels\.py:11:1\n.*\n.*\^\nimport failed: E\n",
    ),
    "KeyboardInterrupt": failing(
        PLAIN + "raise KeyboardInterrupt\n", r"kernels\.py:9:1\n.*\n.*\^\nimport failed: KeyboardInterrupt"
    ),
    "a thread that never ends": Hostile(
        PLAIN + "import threading, time\nthreading.Thread(target=lambda: time.sleep(1e9)).start()\n"
    ),
    "a hook at the end that never ends": Hostile(
        PLAIN + "import atexit, time\natexit.register(lambda: time.sleep(1e9))\n"
    ),
    "a copy of the process": Hostile(PLAIN + "import os\nos.fork()\n"),
    "all files closed": failing(
        PLAIN + "import os\nos.closerange(3, 1000)\n", "ended with exit status 1 while importing"
    ),
    "much printed": Hostile(PLAIN + "import os\nprint('größe' * 999)\nos.write(1, bytes(range(256)))\n"),
    "another working folder": Hostile(PLAIN + "import os\nos.chdir('/')\n"),
    "no module path": Hostile(PLAIN + "import sys\nsys.path = []\n"),
    "no output": Hostile(PLAIN + "import sys\ndel sys.stdout\nsys.stderr = None\n"),
    "no room for recursion": Hostile(PLAIN + "import sys\nsys.setrecursionlimit(120)\n"),
}

TEXTS = {
    "a byte order mark": Hostile(b"\xef\xbb\xbf" + PLAIN.encode(), verified=True),
    "latin-1, declared": Hostile(
        ("# -*- coding: latin-1 -*-\n" + PLAIN + "# größe\n" + BAD).encode("latin-1"),
        rejects={"bad": ("warp_error", 13, 9, NOPE)},
    ),
    "an encoding that there is not": failing(
        "# coding: klingon\n" + PLAIN, "kernels.py: unknown encoding: klingon"
    ),
    "no UTF-8": failing(PLAIN.encode() + b"# gr\xf6\xdfe\n", r"kernels\.py:9: byte 0xf6 is not utf-8 text"),
    "UTF-16": failing(PLAIN.encode("utf-16"), r"kernels\.py"),
    "a NUL": failing(PLAIN + "x = '\0'\n", r"kernels\.py:9: a NUL character"),
    "CRLF": Hostile(
        (PLAIN + BAD).replace("\n", "\r\n"), rejects={"bad": ("warp_error", 11, 9, NOPE)}, verified=True
    ),
    "CR": Hostile((PLAIN + BAD).replace("\n", "\r"), rejects={"bad": ("warp_error", 11, 9, NOPE)}),
    "form feeds and line separators": Hostile(
        f"{PLAIN}\f\n# a \f form feed \x0b \u2028 \x85\n\f{BAD}", rejects={"bad": ("warp_error", 13, 9, NOPE)}
    ),
    "no final newline": Hostile(PLAIN.rstrip("\n")),
    "half a character in a docstring": Hostile(
        PLAIN + '@wp.kernel\ndef half(x: wp.array(dtype=float)):\n    """\\ud800"""\n    x[wp.tid()] = 1.0\n',
        rejects={"half": ("unsupported", 10, 1, "holds '\\ud800', which is not a character")},
    ),
    "empty": failing("", "kernels.py defines no kernel"),
    "no kernel": failing(WARP + "x = 1\n", "kernels.py defines no kernel"),
    "a syntax error": failing(
        PLAIN + "def f(:\n", r"kernels\.py:9:7\n    def f\(:\n          \^\nsyntax error"
    ),
    "tabs and blanks": failing(
        PLAIN + "def f():\n\tif 1:\n        pass\n", r"kernels\.py:11:\d+\n.*\n.*\nsyntax error"
    ),
    "a syntax error in an import": failing(
        "import other\n" + PLAIN, r"other\.py:1:7\n.*\n.*\^\nsyntax error", others={"other.py": "def f(:\n"}
    ),
}

DEPTHS = {
    "2,500 terms in one expression": Hostile(
        PLAIN + kernel("many", "y[i] = " + " + ".join(["x[i]"] * 2500)), ("plain", "many")
    ),
    "100,000 terms in one expression": failing(
        PLAIN + kernel("many", "y[i] = " + " + ".join(["1.0"] * 100_000)),
        r"kernels\.py:11:1\n    def many.*\n    \^\nthis is nested too deeply",
    ),
    "100,000 signs": failing(
        PLAIN + kernel("many", "y[i] = " + "- " * 100_000 + "1.0"),
        r"kernels\.py:11:1\n.*\n.*\nthis is nested too deeply",
    ),
    "a line of 100,000 characters": Hostile(
        PLAIN + kernel("long", "y[i] = x[i] * 2.0  # " + "x" * 100_000), ("plain", "long"), verified=True
    ),
    "150 parentheses": Hostile(
        PLAIN + kernel("deep", f"y[i] = 2.0 * {'(' * 150}x[i]{')' * 150}"), ("plain", "deep"), verified=True
    ),
    "250 parentheses": failing(
        PLAIN + kernel("deep", f"y[i] = {'(' * 250}x[i]{')' * 250}"),
        "syntax error: too many nested parentheses",
    ),
    "25 loops within one another": failing(
        PLAIN + kernel("deep", nested([f"for _{n} in range(i):" for n in range(25)], "y[i] = x[i]")),
        "syntax error: too many statically nested blocks",
    ),
    "90 branches within one another": Hostile(
        PLAIN
        + kernel(
            "deep", "y[i] = 2.0 * x[i]\n" + nested([f"if x[i] > {n}.0:" for n in range(90)], "y[i] = 2.0")
        ),
        ("plain", "deep"),
    ),
    "120 branches within one another": failing(
        PLAIN + kernel("deep", nested([f"if x[i] > {n}.0:" for n in range(120)], "y[i] = 2.0")),
        "syntax error: too many levels of indentation",
    ),
    "18 unrolled loops within one another": Hostile(
        PLAIN
        + kernel(
            "explodes",
            "a = float(0.0)\n" + nested([f"for _{n} in range(2):" for n in range(18)], "a += x[i]"),
        )
        + kernel("after", "y[i] = x[i] * 3.0"),
        ("plain", "after"),
        {
            "explodes": (
                "timeout",
                11,
                1,
                "generating Warp's code of 'explodes' took longer than 2 s of CPU time",
            )
        },
        seconds=2.0,
    ),
}

NAMES = {
    "two kernels of one name": Hostile(
        PLAIN + kernel("plain", "y[i] = x[i] * 4.0") + kernel("other", "y[i] = x[i] * 5.0"),
        ("plain", "other"),
        {"plain": ("duplicate_name", 5, 1, f"line 11 {REPLACED}")},
        verified=True,
    ),
    "three kernels of one name": Hostile(
        PLAIN + kernel("plain", "y[i] = x[i] * 4.0") * 2,
        rejects={"plain": ("duplicate_name", 11, 1, REPLACED)},
    ),
    "two equal kernels": Hostile(
        PLAIN * 2, rejects={"plain": ("duplicate_name", 5, 1, f"line 13 {REPLACED}")}
    ),
    "a kernel defined anew under an if": Hostile(
        PLAIN
        + "if True:\n    @wp.kernel\n    def plain(x: wp.array(dtype=float)):\n        x[wp.tid()] = 2.0\n",
        rejects={"plain": ("duplicate_name", 5, 1, f"line 11 {REPLACED}")},
    ),
    "two kernels of one name under an if": Hostile(
        WARP
        + "if True:\n"
        + "    @wp.kernel\n    def plain(x: wp.array(dtype=float)):\n        x[wp.tid()] = 2.0\n" * 2,
        rejects={"plain": ("duplicate_name", 5, 5, f"line 8 {REPLACED}")},
    ),
    "a kernel in either branch": Hostile(
        WARP
        + "if wp:\n    @wp.kernel\n    def plain(x: wp.array(dtype=float)):\n        x[wp.tid()] = 2.0\n"
        + "else:\n    @wp.kernel\n    def plain(x: wp.array(dtype=float)):\n        x[wp.tid()] = 3.0\n",
    ),
    "two functions of one name": Hostile(
        WARP
        + "@wp.func\ndef f(x: float):\n    return x * 2.0\n"
        + kernel("first", "y[i] = f(x[i])")
        + "@wp.func\ndef f(x: float):\n    return x * 3.0\n"
        + kernel("second", "y[i] = f(x[i]) + 1.0"),
        ("first", "second"),
        verified=True,
    ),
    "two structs of one name": Hostile(
        WARP
        + "@wp.struct\nclass S:\n    a: float\n"
        + kernel("first", "y[i] = x[i].a * 2.0", "x: wp.array(dtype=S), y: wp.array(dtype=float)")
        + "@wp.struct\nclass S:\n    a: float\n    b: float\n"
        + kernel("second", "y[i] = x[i].b * 2.0", "x: wp.array(dtype=S), y: wp.array(dtype=float)"),
        ("first", "second"),
        verified=True,
    ),
    "a factory that is called twice": Hostile(
        WARP
        + f"def make(n):\n{INDENTED}        x[wp.tid()] += float(n)\n    return plain\n\n"
        + "three, four = make(3), make(4)\n",
        ("three", "four"),
    ),
    "instances of a generic kernel": Hostile(
        WARP
        + "from typing import Any\n"
        + kernel("k", "x[i] = x[i] + x[i]", "x: wp.array(dtype=Any)")
        + "wp.overload(k, [wp.array(dtype=float)])\nwp.overload(k, [wp.array(dtype=int)])\n",
        ("k_float32", "k_int32"),
    ),
    "keywords of C++": Hostile(
        WARP + kernel("signed", "virtual = x[i] + 1.0\ny[i] = virtual * 2.0"), ("signed",), verified=True
    ),
    "a kernel without parameters": Hostile(
        PLAIN + "@wp.kernel\ndef k():\n    i = wp.tid()\n", ("plain", "k")
    ),
    "a file name with blanks and letters": Hostile(PLAIN, file="my größe kernels.py"),
    "a module of the name of Python's": Hostile("import math\n" + PLAIN, file="json.py"),
    "a module of the name weft": Hostile(PLAIN, file="weft.py"),
    "a module of the name warp": failing(
        PLAIN, r"warp\.py:\d+:\d\n.*\n.*\^\nimport failed: AttributeError", file="warp.py"
    ),
    "two files that import each other": Hostile(
        "from other import N\n" + PLAIN + kernel("uses", "y[i] = x[i] * float(N)"),
        ("plain", "uses"),
        others={"other.py": "import kernels\nN = 2\n"},
        verified=True,
    ),
}

LETTERS = {
    "names outside ASCII": Hostile(
        (Path(__file__).parent / "letters_kernels.py").read_text(encoding="utf-8"),
        ("größe", "körper", "zustand", "tabellen", "γραμμή", "ganzes_ß"),
        verified=True,
    ),
}

SOURCES = {**ENDINGS, **TEXTS, **DEPTHS, **NAMES, **LETTERS}

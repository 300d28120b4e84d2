"""What g++ cannot parse in CUDA C++, rewritten textually: launches, dynamic shared memory, launch bounds.

`kernel<<<grid, block, shared, stream>>>(a, b)` becomes
`weft_cpu::launch(kernel, grid, block, shared, stream)(a, b)`, and `extern __shared__ float tile[];` becomes
`float* const tile = reinterpret_cast<float*>(weft_cpu::dynamic_shared);`. A kernel with
`__launch_bounds__(n)` begins with `weft_cpu::check_launch_bounds(n);`. Where it takes the arguments to tell
which instance of a template is meant, `launch_call` gets a lambda with the call. A local variable
without a value gets one that differs between executions. The parts of a vector are evaluated from
the left, as nvcc does it: `make_float2(f(s), f(s))` becomes `weft_cpu::Ordered<float2>{f(s), f(s)}.vector`.
Line numbers stay.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from weft.runs.device_text import (
    SKIPPED,
    TemplateKernel,
    end_of_brackets,
    global_kernels,
    overloaded_kernels,
    problem_of_kernels,
    split,
    template_kernels,
    unset_variables,
    without_words,
)

_LAUNCH = re.compile(rf"{SKIPPED} | (?P<launch><<<)", re.VERBOSE | re.DOTALL)
_CONFIGURATION = re.compile(
    rf"{SKIPPED} | (?P<open>[(\[{{]) | (?P<close>[)\]}}]) | (?P<end>>>>)", re.X | re.DOTALL
)
_SHARED = re.compile(
    rf"{SKIPPED} | \bextern\s+__shared__\s+(?P<type>[^;\[\]]*?)\s*\b(?P<name>[A-Za-z_]\w*)\s*\[\s*\]\s*;",
    re.VERBOSE | re.DOTALL,
)
_BOUNDS = re.compile(rf"{SKIPPED} | \b__launch_bounds__\s*(?P<bounds>\()", re.VERBOSE | re.DOTALL)
_BRACKETS = re.compile(
    rf"{SKIPPED} | (?P<open>[(\[{{]) | (?P<close>[)\]}}]) | (?P<end>[,;])", re.X | re.DOTALL
)
_NAME_END = re.compile(r"(?:::\s*|\b)(?:[A-Za-z_]\w*\s*::\s*)*[A-Za-z_]\w*\Z")
_MEMBER_OF_TEMPLATE = re.compile(r">\s*\Z")
_LAUNCH_BY_ADDRESS = re.compile(
    r"(?P<call>\bcudaLaunch(?:Cooperative)?Kernel\s*\(\s*)"
    r"(?:\(\s*(?:const\s+)?void\s*(?:const\s*)?\*\s*\)\s*"
    r"|(?:reinterpret_cast|static_cast)\s*<\s*(?:const\s+)?void\s*(?:const\s*)?\*\s*>\s*(?=\())&?\s*"
)
"""Kernels whose type is cast away: CUDA knows them by their addresses."""
_STREAM = re.compile(
    rf"{SKIPPED} | (?P<stream>\bcudaStream_t\s+\w+\s*=\s*)(?:nullptr|NULL|0)(?=\s*[,)])", re.X | re.DOTALL
)
_ALIGNED = re.compile(
    r"(?P<before>(?:\b(?:static|volatile|const|extern)\s+)*\b__(?:shared|device|constant)__)\s+"
    r"(?P<alignment>alignas\s*\([^()]*(?:\([^()]*\)[^()]*)*\))"
)
_LAMBDA = re.compile(r"\]\s*(?P<qualifiers>(?:\b__(?:host|device|forceinline)__\s*)+)\(")
_MUTABLE = re.compile(r"\s*mutable\b")
_VECTOR = re.compile(
    r"(?<![.\w])(?<!->)(?<!\w::)make_(?P<type>(?:u?(?:char|short|int|long|longlong)|float|double)(?P<count>[234]))\s*\("
)
_MOST_OF_CALL = 1 << 10
_MAY_DO_SOMETHING = re.compile(r"\(|\+\+|--|(?<![=<>!])=(?!=)")
_TEMPLATE_ARGUMENTS = re.compile(r"(?<=\w)<[^<>(){};&|]*>(?=\s*[({:])")
_ALIGNMENT = re.compile(r"\b(?:__align__|alignas)\s*\([^()]*\)\s*")


_NUMBER = " {0} = weft_cpu::unset<decltype({0})>();"
_ARRAY = " memset(&{0}, weft_cpu::unset_byte(), sizeof {0});"
_OTHER = " weft_cpu::leave_unset({0});"


class RewriteError(ValueError):
    """A launch that cannot be rewritten, with its line (from 1)."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"line {line}: {message}")
        self.message = message
        self.line = line


def rewrite(source: str) -> str:
    """C++ that g++ compiles with `include/cuda_runtime.h`, from CUDA C++.

    Raises RewriteError for a launch that has no end or no kernel in front of it, and for what nvcc refuses
    in a kernel's declaration.
    """
    text = without_words(source)
    problem = problem_of_kernels(text)
    if problem is not None:
        raise RewriteError(problem[0], _line(source, problem[1]))
    templates = template_kernels(text) | overloaded_kernels(text)
    source = _rewrite_vectors(_rewrite_order(source))
    text = without_words(source)
    launched = _rewrite_launches(_rewrite_unset(source, text), templates, global_kernels(text))
    return _rewrite_shared(_rewrite_bounds(_LAUNCH_BY_ADDRESS.sub(r"\g<call>", launched)))


def _rewrite_order(source: str) -> str:
    """Words in the order in which g++ takes them: `alignas` in front of what nvcc takes for attributes, and
    those of a lambda behind `mutable`, where g++ would else forget them.
    """
    source = _ALIGNED.sub(r"\g<alignment> \g<before>", source)
    parts: list[str] = []
    position = 0
    text = without_words(source)
    for match in _LAMBDA.finditer(text):
        end = end_of_brackets(text, match.end() - 1)
        mutable = _MUTABLE.match(text, end)
        if match.start() < position or mutable is None:
            continue
        qualifiers = match["qualifiers"]
        parts += [source[position : match.start("qualifiers")], " " * len(qualifiers)]
        parts += [source[match.end("qualifiers") : mutable.end()], f" {' '.join(qualifiers.split())}"]
        position = mutable.end()
    return "".join(parts) + source[position:]


def _rewrite_vectors(source: str) -> str:
    """Calls of `make_float3` and the like, of whose arguments several may do something, as lists in braces:
    those C++ evaluates from the left.
    """
    text = without_words(source)
    replaced: list[tuple[int, int, str]] = []
    for match in _VECTOR.finditer(text):
        start = match.end()
        call = text[start - 1 : start - 1 + _MOST_OF_CALL]
        end = start - 1 + end_of_brackets(call, 0)
        if end == start - 1 + _MOST_OF_CALL or text[end:].lstrip().startswith("{"):
            continue  # it may go on, or is a definition
        parts = _arguments(text[start : end - 1])
        if (
            len(parts) == int(match["count"])
            and sum(_MAY_DO_SOMETHING.search(one) is not None for one in parts) > 1
        ):
            replaced.append((match.start(), start, f"weft_cpu::Ordered<{match['type']}>{{"))
            replaced.append((end - 1, end, "}.vector"))
    result: list[str] = []
    position = 0
    for start, end, replacement in sorted(replaced):
        result += [source[position:start], replacement, "\n" * source.count("\n", start, end)]
        position = end
    return "".join(result) + source[position:]


def _arguments(text: str) -> list[str]:
    """The arguments of a call, in which `<` may be a comparison."""
    text = _TEMPLATE_ARGUMENTS.sub("", text)
    commas = []
    depth = 0
    for match in re.finditer(r"[()\[\]{},]", text):
        depth += (match[0] in "([{") - (match[0] in ")]}")
        if match[0] == "," and depth == 0:
            commas.append(match.start())
    return [text[start + 1 : end] for start, end in zip([-1, *commas], [*commas, len(text)], strict=True)]


def with_own_streams(source: str) -> str:
    """A sample's program whose launchers get one of the judge's streams by default, in place of the default
    one: host code that calls them with none then sees which work they leave elsewhere.
    """

    def replace(match: re.Match[str]) -> str:
        return match[0] if match["stream"] is None else f"{match['stream']}weft_cpu::OwnStream()"

    return _STREAM.sub(replace, source)


def _rewrite_unset(source: str, text: str) -> str:
    result: list[str] = []
    position = 0
    for end, names in unset_variables(text):
        result += [
            source[position:end],
            *(
                (_OTHER if not is_number else _ARRAY if is_array else _NUMBER).format(name)
                for name, is_number, is_array in names
            ),
        ]
        position = end
    return "".join(result) + source[position:]


def _rewrite_launches(
    source: str, templates: Mapping[str, TemplateKernel], global_names: Collection[str]
) -> str:
    result: list[str] = []
    position = 0
    for match in _LAUNCH.finditer(source):
        if match["launch"] is None or match.start() < position:
            continue
        start = _kernel_start(source, match.start(), position)
        end = _configuration_end(source, match.end())
        kernel = source[start : match.start()].rstrip()
        if kernel in global_names:
            kernel = f"::{kernel}"
        launch = f"weft_cpu::launch({kernel}"
        if _needs_arguments(kernel, templates):
            call = f"[&](auto... weft_arguments) {{ {kernel}(weft_arguments...); }}"
            launch = f"weft_cpu::launch_call({call}"
        result += [source[position:start], f"{launch}, {source[match.end() : end]})"]
        position = end + len(">>>")
    return "".join(result) + source[position:]


def _needs_arguments(kernel: str, templates: Mapping[str, TemplateKernel]) -> bool:
    """True if the kernel's name alone does not tell which instance of a template it is."""
    name = re.match(r"(?:::\s*)?(?:\w+\s*::\s*)*(\w+)\s*(?=<|\Z)", kernel)
    template = templates.get(name[1]) if name else None
    if name is None or template is None:
        return False
    start = name.end()
    if start == len(kernel):
        return True
    given = split(kernel[start + 1 : end_of_brackets(kernel, start) - 1])
    return template.arguments is None or len(given) < template.arguments


def _kernel_start(source: str, launch: int, floor: int) -> int:
    """Where the kernel's name begins: `f`, `ns::f`, `f<int, 3>`, `(*table)`, `kernels[i]`."""
    position = launch
    while position > floor:
        before = source[floor:position].rstrip()
        if not before:
            break
        if before[-1] in ">)]":
            opening = _matching_open(before)
            if opening is None:
                break
            position = floor + opening
            if before[-1] == ")":
                return position
            continue
        name = _NAME_END.search(before)
        if name is None:
            break
        position = floor + name.start()
        if not (name[0].startswith("::") and _MEMBER_OF_TEMPLATE.search(source, floor, position)):
            return position
    raise RewriteError("no kernel in front of <<<", _line(source, launch))


def _matching_open(text: str) -> int | None:
    """Index of the bracket that the last character of `text` closes."""
    pairs = {">": "<", ")": "(", "]": "["}
    expected: list[str] = []
    for index in range(len(text) - 1, -1, -1):
        character = text[index]
        if character == ">" and expected and expected[-1] != "<":
            continue  # a comparison within parentheses
        if character in pairs:
            expected.append(pairs[character])
        elif expected and character == expected[-1]:
            expected.pop()
            if not expected:
                return index
        elif character in ";{}":
            return None
    return None


def _configuration_end(source: str, start: int) -> int:
    depth = 0
    for match in _CONFIGURATION.finditer(source, start):
        if match["open"]:
            depth += 1
        elif match["close"]:
            depth -= 1
            if depth < 0:
                break
        elif match["end"] and depth == 0:
            return match.start()
    raise RewriteError("<<< without >>>", _line(source, start))


def _rewrite_shared(source: str) -> str:
    def replace(match: re.Match[str]) -> str:
        if match["name"] is None:
            return match[0]
        element = _ALIGNMENT.sub("", match["type"]).strip()
        pointer = f"reinterpret_cast<{element}*>(weft_cpu::dynamic_shared)"
        lines = "\n" * match[0].count("\n")
        return f"{element}* const {match['name']} = {pointer};{lines}"

    return _SHARED.sub(replace, source)


def _rewrite_bounds(source: str) -> str:
    result: list[str] = []
    position = 0
    for match in _BOUNDS.finditer(source):
        if match["bounds"] is None:
            continue
        end = _end_of_brackets(source, match.start("bounds"))
        first = _first_argument(source, match.end())
        parameters = source.find("(", end)
        body = _end_of_brackets(source, parameters) if parameters >= 0 else len(source)
        found = re.compile(r"\s*\{").match(source, body)
        if found is None:
            continue
        check = f" weft_cpu::check_launch_bounds({first.strip()});"
        result += [source[position : found.end()], check]
        position = found.end()
    return "".join(result) + source[position:]


def _end_of_brackets(source: str, start: int) -> int:
    """Where the bracket that opens at `start` is closed; the end of the text if it is not."""
    depth = 0
    for match in _BRACKETS.finditer(source, start):
        depth += bool(match["open"]) - bool(match["close"])
        if depth == 0 and match["close"]:
            return match.end()
    return len(source)


def _first_argument(source: str, start: int) -> str:
    depth = 0
    for match in _BRACKETS.finditer(source, start):
        if depth == 0 and (match["close"] or match["end"]):
            return source[start : match.start()]
        depth += bool(match["open"]) - bool(match["close"])
    return source[start:]


def _line(source: str, position: int) -> int:
    return source.count("\n", 0, position) + 1

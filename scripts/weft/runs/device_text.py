"""What the text of CUDA C++ tells of its kernels and variables, where g++ does not see what nvcc does."""

from __future__ import annotations

import bisect
import collections
import dataclasses
import re
from collections.abc import Iterator

SKIPPED = r"""
    //[^\n]* | /\*.*?\*/                                        # comments
  | R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"               # raw strings
  | "(?:[^"\\\n]|\\.)*" | (?<![0-9A-Fa-f])'(?:[^'\\\n]|\\.)*'  # strings and characters
"""
_SKIPPED = re.compile(SKIPPED, re.VERBOSE | re.DOTALL)
_KERNEL = re.compile(r"\b__global__\b")
_KERNEL_NAME = re.compile(r"\b(?!__launch_bounds__\b|__maxnreg__\b|__cluster_dims__\b)([A-Za-z_]\w*)\s*\(")
_DEVICE = re.compile(r"\b__device__\b")
_FUNCTION_NAME = re.compile(
    r"(?:(?:__align__|alignas|__launch_bounds__|decltype)\s*\([^()]*\)|[^;{}()=])*?\b([A-Za-z_]\w*)\s*\(",
    re.DOTALL,
)
_TEMPLATE = re.compile(r"\btemplate\s*<")
_CLASS_BODY = re.compile(r"\b(?:struct|class)\s+(?:(?:alignas|__align__)\s*\([^()]*\)\s*)?(\w+)[^;(){}]*\{")
_CLASS = re.compile(r"\b(?:struct|class|union|enum)\b[^()=]*\Z")
_SHARED = re.compile(r"\b__shared__\s")
_ALIGNMENT = re.compile(r"\b(?:__align__|alignas)\s*\Z")
_ALIGNED = re.compile(r"\b(?:__align__|alignas)\s*\([^()]*\)\s*\Z")
"""Behind the word of a class, in front of its members."""
_OWN_CLASS = re.compile(
    r"\s*(?:(?:__align__|alignas)\s*\([^()]*\)\s*)?(?:union|struct|class)\b[^;={}()\[\]]*\{"
)
"""The class of a variable, defined where the variable is."""
_MARK = re.compile(r"[;={}()\[\]<>]")
_UNSET = re.compile(
    r"(?:(?<=[;{}])|(?<=[^:]:))\s*"
    r"(?:(?P<number>bool|size_t|u?int(?:8|16|32|64)_t|(?:unsigned\s+|signed\s+)?(?:int|char|short|long(?:\s+long)?)|unsigned"
    r"|(?:float|double|int|uint|u?short|u?char|u?long|u?longlong)[1-4]|float|double|__half2?|half2?|__nv_bfloat162?)"
    r"|(?:(?:struct|union|class|typename)\s+)?"
    r"(?!(?:auto|static|const|constexpr|volatile|extern|__(?:shared|device|constant|managed)__|return|goto|throw|delete|else|do|case|using|namespace|typedef|struct|union|class|enum|sizeof|new|not)\b)"
    r"[A-Za-z_]\w*(?:\s*::\s*\w+){0,8}(?:\s*<[^;{}()&|?]{0,200}>)?)\s+"
    r"(?P<declared>[A-Za-z_]\w*\s*(?:[,=\[][^;]{0,1000})?);"
)
_NO_VALUE = re.compile(r"\s*([A-Za-z_]\w*)\s*((?:\[[^\[\];]*\]\s*)*)")
_BLOCK = re.compile(
    r"(?:\)\s*(?:(?:const|noexcept|override|final|mutable)\s*)*(?:->[^{}]*)?|\belse|\bdo|\btry|:|\])\s*\Z"
)
_CALLABLE = re.compile(
    r"\boperator\b\s*(?:\(\s*\)|[^\s(]+(?:\s+\w+)*)\s*\(|\b(?!operator\b)([A-Za-z_]\w*)\s*\("
)
_BODY = re.compile(r"\s*(?:(?:const|noexcept|override|final)\b\s*)*(?::(?!:)[^;{}]*|->[^;{}]*)?\{")
MOST_CHARACTERS = 1 << 12
"""Of what stands in front of a bracket, or of a declaration, as far as it is looked at."""


@dataclasses.dataclass(frozen=True)
class TemplateKernel:
    """A kernel that is a template: how many arguments name one of its instances without a call; None where
    only a call can (`template <typename... T>`).
    """

    name: str
    arguments: int | None


class Scopes:
    """Which braces a place in a program stands in; `text` has neither comments nor strings."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._places: list[int] = []
        self._open: list[int] = []
        opened: list[int] = []
        for match in re.finditer(r"[{}]", text):
            if match[0] == "{":
                opened.append(match.start())
            elif opened:
                opened.pop()
            self._places.append(match.start())
            self._open.append(opened[-1] if opened else -1)

    def head(self, place: int) -> str | None:
        """What stands in front of the innermost brace round a place; None outside of all."""
        found = bisect.bisect_left(self._places, place) - 1
        brace = self._open[found] if found >= 0 else -1
        if brace < 0:
            return None
        start = max(self._text.rfind(mark, 0, brace) for mark in ";{}") + 1
        return self._text[max(start, brace - MOST_CHARACTERS) : brace]

    def is_in_class(self, place: int) -> bool:
        head = self.head(place)
        return head is not None and _CLASS.search(head) is not None

    def is_in_function(self, place: int) -> bool:
        head = self.head(place)
        if head is None:
            return False
        head = _ALIGNED.sub("", head)
        return not head.strip() or _BLOCK.search(head) is not None


def without_words(source: str) -> str:
    """The program with blanks for comments and strings, so that every place keeps its number."""
    return _SKIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)


def template_kernels(text: str) -> dict[str, TemplateKernel]:
    """The kernels that are templates; of several with one name, the one that needs the most arguments."""
    found: dict[str, TemplateKernel] = {}
    for place, name, _ in _kernels(text):
        start = max(text.rfind(mark, 0, place) for mark in ";{}") + 1
        header = _TEMPLATE.search(text, start, place)
        if header is None:
            continue
        end = end_of_brackets(text, header.end() - 1)
        arguments = _needed(text[header.end() : end - 1])
        known = found.get(name)
        if known is None or (
            known.arguments is not None and (arguments is None or arguments > known.arguments)
        ):
            found[name] = TemplateKernel(name, arguments)
    return found


def overloaded_kernels(text: str) -> dict[str, TemplateKernel]:
    """The kernels of whose name several are defined in one scope: only a call tells which is meant."""
    scopes = Scopes(text)
    seen: set[tuple[str, str | None]] = set()
    found = {}
    for place, name, parameters in _kernels(text):
        if _BODY.match(text, end_of_brackets(text, parameters)) is None:
            continue
        scope = (name, scopes.head(place))
        if scope in seen:
            found[name] = TemplateKernel(name, None)
        seen.add(scope)
    return found


def global_kernels(text: str) -> frozenset[str]:
    """The kernels in no namespace, if a `using namespace` lets their names mean something else, too."""
    if re.search(r"\busing\s+namespace\b", text) is None:
        return frozenset()
    scopes = Scopes(text)
    return frozenset(name for place, name, _ in _kernels(text) if scopes.head(place) is None)


def kernel_names(text: str) -> frozenset[str]:
    """The names of all kernels."""
    return frozenset(name for _, name, _ in _kernels(text))


def device_functions(text: str) -> frozenset[str]:
    """Names of functions that are always `__device__` and never `__host__`."""
    device: set[str] = set()
    both: set[str] = set()
    for match in _DEVICE.finditer(text):
        start = max(text.rfind(mark, 0, match.start()) for mark in ";{}") + 1
        name = _FUNCTION_NAME.match(text, match.end(), match.end() + MOST_CHARACTERS)
        if name is not None:
            is_for_host = "__host__" in text[start : name.end()] or "__global__" in text[start : name.end()]
            (both if is_for_host else device).add(name[1])
    return frozenset(device - both - _names_of_host(text, device))


def _names_of_host(text: str, names: set[str]) -> set[str]:
    """Of these names, those that a function without `__device__` has, too."""
    found = set()
    for match in re.finditer(r"\b([A-Za-z_]\w*)\s*\(", text):
        if match[1] not in names:
            continue
        end = end_of_brackets(text, match.end() - 1)
        start = max(text.rfind(mark, 0, match.start()) for mark in ";{}") + 1
        is_definition = re.match(r"\s*(?:const\s*|noexcept\s*)*\{", text[end : end + MOST_CHARACTERS])
        before = text[start : match.start()]
        has_type = re.search(r"\w[\s*&]+\Z", before) and not re.search(r"__device__|\breturn\b", before)
        if is_definition and has_type:
            found.add(match[1])
    return found


def defined_functions(text: str) -> frozenset[str]:
    """Names of functions that are defined; those of operators are "operator"."""
    found = set()
    for match in _CALLABLE.finditer(text):
        end = end_of_brackets(text, match.end() - 1)
        if _BODY.match(text, end, end + MOST_CHARACTERS):
            found.add(match[1] or "operator")
    return frozenset(found)


def classes_of_host(text: str) -> frozenset[str]:
    """Names of classes whose constructors, as far as they are written, are none of the device."""
    found: dict[str, bool] = {}
    for match in _CLASS_BODY.finditer(text):
        name = match[1]
        body = text[match.end() - 1 : end_of_brackets(text, match.end() - 1)]
        for one in re.finditer(rf"(?<![~\w.:])(?<!->){name}\s*\(", body):
            end = end_of_brackets(body, one.end() - 1)
            start = max(body.rfind(mark, 0, one.start()) for mark in ";{}:") + 1
            after = body[end : end + MOST_CHARACTERS]
            if not re.match(r"\s*(?:noexcept\s*)?[:{]", after) or "return" in body[start : one.start()]:
                continue
            on_device = re.search(r"__device__|\bconstexpr\b", body[start : one.start()]) is not None
            found[name] = found.get(name, False) or on_device
    return frozenset(name for name, on_device in found.items() if not on_device)


def problem_of_kernels(text: str) -> tuple[str, int] | None:
    """What nvcc refuses in kernels and their variables, and g++ does not, with its place; None if nothing."""
    scopes = Scopes(text)
    for place, name, parameters in _kernels(text):
        if scopes.is_in_class(place):
            return f"the kernel {name} is a member of a class", place
        end = end_of_brackets(text, parameters)
        if any("&" in _outer(one) for one in split(text[parameters + 1 : end - 1])):
            return "a parameter of a kernel is a reference", place
    for match in _SHARED.finditer(text):
        if _has_value(text[match.end() : match.end() + MOST_CHARACTERS]):
            return "a __shared__ variable has an initial value", match.start()
    return None


def _has_value(declared: str) -> bool:
    """Whether a declaration, which begins here behind its first word, gives its variable a value."""
    of_class = _OWN_CLASS.match(declared)
    position = end_of_brackets(declared, of_class.end() - 1) if of_class else 0
    while mark := _MARK.search(declared, position):
        if mark[0] in "={":
            return True
        is_alignment = mark[0] == "(" and _ALIGNMENT.search(declared, position, mark.start())
        if mark[0] not in "[<" and not is_alignment:
            return False
        position = end_of_brackets(declared, mark.start())
    return False


def unset_variables(text: str) -> Iterator[tuple[int, list[tuple[str, bool, bool]]]]:
    """Where local variables have no value: the end of the declaration, and their names, with whether they are
    numbers by their type's name, and whether arrays. What another part of the declaration uses, that may have
    set.
    """
    scopes = Scopes(text)
    position = 0
    while match := _UNSET.search(text, position):
        declared, position = match["declared"], match.end()
        if any(declared.count(one) != declared.count(other) for one, other in ("()", "[]", "{}")):
            position = match.start("declared")  # it goes on behind the semicolon, as a lambda does
            continue
        parts = split(declared)
        words = collections.Counter(word for part in parts for word in set(re.findall(r"\w+", part)))
        found = [one for part in parts if (one := _NO_VALUE.fullmatch(part)) and words[one[1]] == 1]
        if found and scopes.is_in_function(match.end()) and not _is_in_header(text, match.start()):
            yield match.end(), [(one[1], match["number"] is not None, bool(one[2])) for one in found]


def _is_in_header(text: str, place: int) -> bool:
    """Whether a place is between the parentheses of a loop's header."""
    start = max(text.rfind(mark, 0, place) for mark in "{}") + 1
    return text.count("(", start, place) > text.count(")", start, place)


def end_of_brackets(text: str, start: int) -> int:
    """The place after the bracket that closes the one at `start`; the end of the text if none does. Angle
    brackets count only if the one at `start` is one; none inside other brackets counts.
    """
    angles = text[start] == "<"
    depth = inner = 0
    for match in re.compile(r"[()\[\]{}<>]" if angles else r"[()\[\]{}]").finditer(text, start):
        opens = match[0] in "([{<"
        if angles and match[0] not in "<>":
            inner += 1 if opens else -1
        elif not angles or inner == 0:
            depth += 1 if opens else -1
        if depth == 0:
            return match.end()
    return len(text)


def split(text: str) -> list[str]:
    """The parts of a list between its commas, those within brackets left alone."""
    parts, depth, start = [], 0, 0
    for match in re.finditer(r"[()\[\]{}<>,]", text):
        if match[0] == ",":
            if depth == 0:
                parts.append(text[start : match.start()])
                start = match.end()
        else:
            depth += 1 if match[0] in "([{<" else -1
    return [part for part in [*parts, text[start:]] if part.strip()]


def _kernels(text: str) -> Iterator[tuple[int, str, int]]:
    """Of each kernel that is declared: where, its name, and where its parameters begin."""
    for match in _KERNEL.finditer(text):
        name = _KERNEL_NAME.search(text, match.end(), match.end() + MOST_CHARACTERS)
        while name is not None and name[1] in ("alignas", "__align__", "__attribute__"):
            name = _KERNEL_NAME.search(text, name.end(), match.end() + MOST_CHARACTERS)
        if name is not None:
            yield match.start(), name[1], name.end() - 1


def _needed(header: str) -> int | None:
    parameters = split(header)
    if any("..." in one for one in parameters):
        return None
    return sum(re.search(r"(?<![=!<>])=(?!=)", _outer(one)) is None for one in parameters)


def _outer(text: str) -> str:
    """The text without what stands in brackets."""
    kept: list[str] = []
    opened: list[int] = []
    for character in text:
        if character in ")]}>":
            if character != ">":  # what is open within is a comparison
                while opened and kept[opened[-1]] == "<":
                    opened.pop()
            if opened and kept[opened[-1]] + character in ("()", "[]", "{}", "<>"):
                del kept[opened.pop() :]
                continue
        elif character in "([{<":
            opened.append(len(kept))
        kept.append(character)
    return "".join(kept)

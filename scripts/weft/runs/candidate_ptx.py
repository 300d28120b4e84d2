"""Inline PTX in a candidate, written as C++: instructions of a thread by itself, and of its warp.

An `asm` statement becomes a block in which every operand has a name (`%0` is `ptx0`), and every instruction
is a statement that calls a function of include/weft_cpu/ptx.h with the instruction's types (PTX ISA,
"Instruction Set"). What has no such function makes the whole candidate `unsupported`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from weft.runs.device_text import end_of_brackets, without_words

TYPES = {
    "pred": "bool",
    "b8": "uint8_t",
    "u8": "uint8_t",
    "s8": "int8_t",
    "b16": "uint16_t",
    "u16": "uint16_t",
    "s16": "int16_t",
    "b32": "uint32_t",
    "u32": "uint32_t",
    "s32": "int32_t",
    "b64": "uint64_t",
    "u64": "uint64_t",
    "s64": "int64_t",
    "f32": "float",
    "f64": "double",
}
_REGISTERS = {
    "laneid": "weft_cpu::lane()",
    "warpid": "weft_ptx::warp()",
    "lanemask_eq": "1u << weft_cpu::lane()",
    "lanemask_lt": "(1u << weft_cpu::lane()) - 1u",
    "lanemask_le": "(2u << weft_cpu::lane()) - 1u",
    "lanemask_gt": "~((2u << weft_cpu::lane()) - 1u)",
    "lanemask_ge": "~((1u << weft_cpu::lane()) - 1u)",
    **{
        f"{name}.{axis}": f"{variable}.{axis}"
        for name, variable in (
            ("tid", "threadIdx"),
            ("ntid", "blockDim"),
            ("ctaid", "blockIdx"),
            ("nctaid", "gridDim"),
        )
        for axis in "xyz"
    },
}
_SAME = (
    "add sub min max and or xor not neg abs div rem cnot popc clz brev bfind bfe bfi lop3 prmt shl shr sad "
    "mul mad fma sqrt rsqrt rcp ex2 lg2 sin cos"
).split()
"""Instructions that are functions of the same names, whose first operands are their results."""
_HINTS = frozenset(
    "volatile nc ca cg cs lu cv wb wt weak relaxed gpu cta sys gl L1 no_allocate evict_first evict_last "
    "evict_normal evict_unchanged global const param ftz rn sync aligned approx full lo wide hi "
    "rzi rni rmi rpi acquire release acq_rel noftz".split()
)
_ROUNDED = frozenset({"rz", "rm", "rp"})
_ASM = re.compile(r"\b(?:asm|__asm__|__asm)\b\s*(?:(?:volatile|__volatile__|__volatile)\s*)*\(")
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_OPERAND = re.compile(r'\s*(?:\[\s*(\w+)\s*\]\s*)?"([=+&]*)[hrlfdn]"\s*\((.*)\)\s*\Z', re.DOTALL)
_STATEMENT = re.compile(
    r"(?:@(?P<not>!?)(?P<predicate>[\w%\[\]$]+)\s+)?(?P<name>[a-z]\w*(?:\.[\w:]+)*)\s*(?P<rest>.*)", re.DOTALL
)


class PtxError(ValueError):
    """Inline PTX that cannot be written as C++; the message says which."""


@dataclasses.dataclass
class _Names:
    """What the text of one statement may name: its operands, and the registers that it declares."""

    operands: list[str]
    by_name: dict[str, str]
    declared: set[str]

    def value(self, word: str) -> str:
        """An operand as an expression. Raises PtxError."""
        word = word.strip()
        if match := re.fullmatch(r"%%([\w.]+)", word):
            found = _REGISTERS.get(match[1])
            if found is None:
                raise PtxError(word)
            return f"({found})"
        if match := re.fullmatch(r"%(\d+)", word):
            if int(match[1]) >= len(self.operands):
                raise PtxError(word)
            return self.operands[int(match[1])]
        if match := re.fullmatch(r"%\[(\w+)\]", word):
            if match[1] not in self.by_name:
                raise PtxError(word)
            return self.by_name[match[1]]
        if word.lstrip("%") in self.declared:
            return f"ptx_{word.lstrip('%')}"
        if match := re.fullmatch(r"0[fF]([0-9a-fA-F]{8})", word):
            return f"weft_ptx::bits<float>(0x{match[1]}u)"
        if match := re.fullmatch(r"0[dD]([0-9a-fA-F]{16})", word):
            return f"weft_ptx::bits<double>(0x{match[1]}ull)"
        if re.fullmatch(r"-?(?:0[xX][0-9a-fA-F]+|\d+)[uU]?", word):
            return f"({word}ll)" if len(word) < 18 else f"({word.rstrip('uU')}ull)"
        if re.fullmatch(r"-?\d+\.\d*(?:e[+-]?\d+)?", word):
            return f"({word})"
        raise PtxError(word)


def asm_statements(text: str) -> Iterator[tuple[int, int, str]]:
    """Of each `asm` in a text: where it begins, where it ends, and what stands in its brackets."""
    words = without_words(text)
    position = 0
    while match := _ASM.search(words, position):
        position = end_of_brackets(words, match.end() - 1)
        yield match.start(), position, text[match.end() : position - 1]


def in_cpp(inside: str) -> str:
    """The C++ of an `asm` statement with this in its brackets, on one line. Raises PtxError."""
    parts = _split(inside, ":")
    ptx = "".join(_STRING.findall(parts[0]))
    if not ptx or _STRING.sub("", parts[0]).strip():
        raise PtxError("what is no text")
    ptx = ptx.encode().decode("unicode_escape")
    lines: list[str] = []
    names = _Names([], {}, set())
    for part in parts[1:3]:
        for given in _split(part, ",") if part.strip() else []:
            operand = _OPERAND.match(given)
            if operand is None:
                raise PtxError(given.strip())
            name = f"ptx{len(names.operands)}"
            names.operands.append(name)
            names.by_name[operand[1]] = name
            reference = "auto&" if operand[2] else "const auto"
            lines.append(f"{reference} {name} = ({operand[3].strip()});")
    lines += _statements(ptx, names)
    return "{ " + " ".join(lines).replace("\n", " ") + " }"


def _split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that stand in no brackets, strings or comments."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(without_words(text)):
        depth += (character in "([{") - (character in ")]}")
        if character == separator and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]]


def _statements(ptx: str, names: _Names) -> Iterator[str]:
    ptx = re.sub(r"//[^\n]*|/\*.*?\*/", " ", ptx, flags=re.DOTALL)
    # Braces round statements, not those round the parts of a vector.
    ptx = re.sub(r"(?:(?<=;)|\A)(?:\s*[{}])+", " ", ptx)
    for statement in map(str.strip, ptx.split(";")):
        declared = re.fullmatch(r"\.reg\s+\.(\w+)\s+(.*)", statement, re.DOTALL)
        if declared is None:
            if statement:
                yield _instruction(statement, names)
            continue
        for word in declared[2].split(","):
            name = word.strip().lstrip("%")
            if declared[1] not in TYPES or not re.fullmatch(r"[A-Za-z_$]\w*", name):
                raise PtxError(statement)
            names.declared.add(name)
            yield f"{TYPES[declared[1]]} ptx_{name} = weft_cpu::unset<{TYPES[declared[1]]}>();"


def _instruction(statement: str, names: _Names) -> str:
    match = _STATEMENT.fullmatch(statement)
    if match is None:
        raise PtxError(statement)
    code = _unconditional(match["name"], match["rest"], names, statement)
    if match["predicate"] is None:
        return code
    return f"if ({match['not']}{names.value(match['predicate'])}) {{ {code} }}"


def _unconditional(opcode: str, rest: str, names: _Names, statement: str) -> str:
    name, *modifiers = opcode.replace("::", ".").split(".")
    types = [TYPES[one] for one in modifiers if one in TYPES]
    others = [one for one in modifiers if one not in TYPES]
    operands = [one.strip() for one in re.split(r",(?![^{\[]*[}\]])", rest)] if rest.strip() else []
    values = names.value
    what = set(others)
    if "sat" in what or (what & _ROUNDED and name != "cvt"):
        raise PtxError(statement)
    if name == "mov" and len(types) == 1 and len(operands) == 2 and "{" not in rest:
        return f"weft_ptx::put<{types[0]}>({values(operands[0])}, {values(operands[1])});"
    if name == "cvt" and len(types) == 2:
        rounding = next((one for one in others if one[0] == "r"), "rn")
        if what - _HINTS:
            raise PtxError(statement)
        given = ", ".join(map(values, operands))
        return f"weft_ptx::convert_{rounding}<{types[0]}, {types[1]}>({given});"
    if name == "setp" and len(types) == 1 and len(others) == 1 and len(operands) == 3:
        return (
            f"{values(operands[0])} = weft_ptx::compare_{others[0]}<{types[0]}>"
            f"({values(operands[1])}, {values(operands[2])});"
        )
    if name == "selp" and len(types) == 1 and not others and len(operands) == 4:
        result, first, second, predicate = map(values, operands)
        chosen = f"{predicate} ? weft_ptx::as<{types[0]}>({first}) : weft_ptx::as<{types[0]}>({second})"
        return f"weft_ptx::put<{types[0]}>({result}, {chosen});"
    if name in ("ld", "st") and len(types) == 1 and not what - _HINTS - {"v2", "v4"} and "shared" not in what:
        return _memory(name, what, types[0], operands, names, statement)
    if name in ("atom", "red") and len(types) == 1:
        return _atomic(name, others, types[0], operands, names, statement)
    if name in ("membar", "fence", "bar", "barrier"):
        return _barrier(name, what, operands, statement)
    if name == "activemask" and len(operands) == 1:
        return f"weft_ptx::put<uint32_t>({values(operands[0])}, __activemask());"
    if name in ("shfl", "vote", "redux") and "sync" in what:
        return _of_warp(name, what, types, operands, names, statement)
    if name in ("prefetch", "prefetchu", "discard", "applypriority", "nanosleep"):
        return ";"
    if (
        name in _SAME
        and len(types) == 1
        and not what - _HINTS - {"sync", "wrap", "clamp"}
        and len(operands) >= 2
    ):
        function = f"{name}_" if name in ("and", "or", "xor", "not") else name
        form = "_".join([function, *(one for one in ("lo", "hi", "wide", "approx") if one in what)])
        result = f"weft_ptx::wider<{types[0]}>" if "wide" in what else types[0]
        given = ", ".join(map(values, operands[1:]))
        return f"weft_ptx::put<{result}>({values(operands[0])}, weft_ptx::{form}<{types[0]}>({given}));"
    raise PtxError(statement)


def _address(word: str, type_name: str, names: _Names) -> str:
    match = re.fullmatch(r"\[\s*([%\w\[\]$]+?)\s*(?:\+\s*(-?\d+))?\s*\]", word)
    if match is None:
        raise PtxError(word)
    return f"weft_ptx::at<{type_name}>({names.value(match[1])}, {match[2] or 0})"


def _memory(
    name: str, what: set[str], type_name: str, operands: list[str], names: _Names, statement: str
) -> str:
    if len(operands) != 2:
        raise PtxError(statement)
    place, given = (operands[1], operands[0]) if name == "ld" else (operands[0], operands[1])
    items = [one.strip() for one in given.strip("{} ").split(",")]
    if len(items) != (4 if "v4" in what else 2 if "v2" in what else 1):
        raise PtxError(statement)
    volatile = "volatile " if what & {"volatile", "relaxed", "acquire", "release"} else ""
    address = _address(place, f"{volatile}{type_name}", names)
    if name == "ld":
        read = "".join(
            f"weft_ptx::put<{type_name}>({names.value(item)}, ptx_place[{number}]);"
            for number, item in enumerate(items)
        )
        after = "__threadfence();" if "acquire" in what else ""
        checked = f"weft_ptx::aligned<{len(items)}>(ptx_place);" if len(items) > 1 else ""
        read_only = "weft_cpu::touch_read_only(ptx_place, sizeof *ptx_place);" if "nc" in what else ""
        return f"{{ const auto ptx_place = {address}; {checked} {read_only} {read} {after} }}"
    written = "".join(
        f"ptx_place[{number}] = weft_ptx::as<{type_name}>({names.value(item)});"
        for number, item in enumerate(items)
    )
    before = "__threadfence();" if "release" in what else ""
    checked = f"weft_ptx::aligned<{len(items)}>(ptx_place);" if len(items) > 1 else ""
    return f"{{ {before} const auto ptx_place = {address}; {checked} {written} }}"


_ATOMICS = {
    "add": "atomicAdd",
    "min": "atomicMin",
    "max": "atomicMax",
    "and": "atomicAnd",
    "or": "atomicOr",
    "xor": "atomicXor",
    "inc": "atomicInc",
    "dec": "atomicDec",
    "exch": "atomicExch",
    "cas": "atomicCAS",
}
_OF_ATOMICS = {
    "uint32_t": "unsigned int",
    "int32_t": "int",
    "uint64_t": "unsigned long long",
    "int64_t": "long long",
    "float": "float",
    "double": "double",
}


def _atomic(
    name: str, others: list[str], type_name: str, operands: list[str], names: _Names, statement: str
) -> str:
    operations = [one for one in others if one in _ATOMICS]
    if len(operations) != 1 or set(others) - _HINTS - set(operations) or type_name not in _OF_ATOMICS:
        raise PtxError(statement)
    if name == "atom":
        result, *operands = operands
    wanted = _OF_ATOMICS[type_name]
    if operations[0] in ("add", "exch", "cas", "and", "or", "xor") and wanted == "long long":
        wanted = "unsigned long long"
    given = ", ".join(f"weft_ptx::as<{wanted}>({names.value(one)})" for one in operands[1:])
    call = f"{_ATOMICS[operations[0]]}({_address(operands[0], wanted, names)}, {given})"
    before = "__threadfence();" if {"release", "acq_rel"} & set(others) else ""
    after = "__threadfence();" if {"acquire", "acq_rel"} & set(others) else ""
    if name == "red":
        return f"{before} {call}; {after}"
    return f"{before} weft_ptx::put<{wanted}>({names.value(result)}, {call}); {after}"


def _barrier(name: str, what: set[str], operands: list[str], statement: str) -> str:
    if name in ("membar", "fence"):
        return "__threadfence_block();" if "cta" in what else "__threadfence();"
    if "sync" in what and "warp" not in what and operands == ["0"]:
        return "__syncthreads();"
    raise PtxError(statement)


def _of_warp(
    name: str, what: set[str], types: list[str], operands: list[str], names: _Names, statement: str
) -> str:
    values = names.value
    if name == "vote" and "ballot" in what and len(operands) == 3:
        return (
            f"weft_ptx::put<uint32_t>({values(operands[0])}, "
            f"__ballot_sync({values(operands[2])}, {values(operands[1])}));"
        )
    if name == "redux" and len(types) == 1 and len(operands) == 3:
        operation = next((one for one in ("add", "min", "max", "and", "or", "xor") if one in what), None)
        if operation:
            return (
                f"weft_ptx::put<{types[0]}>({values(operands[0])}, __reduce_{operation}_sync("
                f"{values(operands[2])}, weft_ptx::as<{types[0]}>({values(operands[1])})));"
            )
    functions = {
        "up": "__shfl_up_sync",
        "down": "__shfl_down_sync",
        "bfly": "__shfl_xor_sync",
        "idx": "__shfl_sync",
    }
    mode = next((one for one in functions if one in what), None)
    if name == "shfl" and mode and len(operands) == 5 and "|" not in operands[0]:
        if operands[3] not in (("0", "0x0") if mode == "up" else ("0x1f", "31")):
            raise PtxError(statement)
        return (
            f"weft_ptx::put<uint32_t>({values(operands[0])}, {functions[mode]}({values(operands[4])}, "
            f"weft_ptx::as<uint32_t>({values(operands[1])}), {values(operands[2])}));"
        )
    raise PtxError(statement)

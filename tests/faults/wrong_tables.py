"""LAUNCH tables with one mistake each: the kernel, its entry with § where the caret stands, what is said."""

SCALE = """
@wp.kernel
def NAME(x: wp.array2d(dtype=float), out: wp.array(dtype=float), factor: float):
    i = wp.tid()
    out[i] = x[i, 0] * factor
"""
COUNT = """
@wp.kernel
def NAME(bins: wp.array(dtype=wp.uint8), marks: wp.array(dtype=int), steps: int, on: bool):
    i = wp.tid()
    if on:
        marks[i] = marks[i] + int(bins[i]) + steps
"""
PULL = """
@wp.kernel
def NAME(springs: wp.array(dtype=Spring), at: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.float16)):
    i = wp.tid()
    out[i] = wp.float16(springs[i].stiffness * at[springs[i].first][0])
"""
PRELUDE = """
@wp.struct
class Spring:
    first: int
    stiffness: float
"""


def scale(**changes: str) -> str:
    """The entry of a SCALE kernel, with other texts for some of its parts."""
    parts = {
        "sizes": '{"rows": "n + 1"}',
        "dims": '["rows"]',
        "shape": '["rows", 3]',
        "values": '{"uniform": [-1, 1]}',
        "x": "",
        "out": '{"role": "out", "shape": ["rows"]}',
        "factor": '{"values": {"constant": 2}}',
        "more": "",
        "parameters": "",
    } | changes
    x = parts["x"] or f'{{"shape": {parts["shape"]}, "values": {parts["values"]}}}'
    parameters = (
        parts["parameters"] or f'{{"x": {x},\n        "out": {parts["out"]}, "factor": {parts["factor"]}}}'
    )
    return (
        f'{{"sizes": {parts["sizes"]}, "dims": {parts["dims"]},{parts["more"]}\n'
        f'     "parameters": {parameters}}}'
    )


def count(**changes: str) -> str:
    """The entry of a COUNT kernel."""
    parts = {
        "bins": '{"shape": ["n"], "values": {"integers": [0, 9]}}',
        "marks": '{"role": "inout", "shape": ["n"], "values": {"constant": 0}}',
        "steps": '{"values": {"integers": [1, 4]}}',
        "on": '{"values": {"constant": 1}}',
    } | changes
    inner = ",\n        ".join(f'"{name}": {text}' for name, text in parts.items())
    return f'{{"dims": ["n"],\n     "parameters": {{\n        {inner}}}}}'


def pull(**changes: str) -> str:
    """The entry of a PULL kernel."""
    members = '{"members": {"first": {"integers": [0, "n"]}, "stiffness": {"uniform": [0, 1]}}}'
    parts = {
        "springs": f'{{"shape": ["n"], "values": {members}}}',
        "at": '{"shape": ["n"], "values": {"uniform": [0, 1]}}',
        "out": '{"role": "out", "shape": ["n"]}',
    } | changes
    inner = ",\n        ".join(f'"{name}": {text}' for name, text in parts.items())
    return f'{{"dims": ["n"],\n     "parameters": {{\n        {inner}}}}}'


def springs(values: str) -> str:
    """The entry of a PULL kernel with other values for its structs."""
    return pull(springs=f'{{"shape": ["n"], "values": {values}}}')


TABLES: dict[str, tuple[str, str, str]] = {
    # of the entry as a whole
    "no dict": (SCALE, "§[]", "expected a mapping, got []"),
    "None": (SCALE, "§None", "expected a mapping, got None"),
    "a number for a key": (SCALE, scale(more="§3: 4,"), "a key is a name in quotes, got 3"),
    "unknown key": (
        SCALE,
        scale(more='§"block_dims": 4,'),
        "unknown key 'block_dims', did you mean 'block_dim'?",
    ),
    "duplicate key": (SCALE, scale(more='§"dims": ["n"],'), "the key 'dims' appears twice"),
    "duplicate parameter": (
        SCALE,
        scale(factor='{"values": {"constant": 1}},\n        §"factor": {"values": {"constant": 2}}'),
        "the key 'factor' appears twice",
    ),
    "parameters are a list": (SCALE, scale(parameters='§["x"]'), "parameters: expected a mapping, got ['x']"),
    "a number for a parameter": (SCALE, scale(parameters="{§3: {}}"), "a key is a name in quotes, got 3"),
    "unknown parameter": (
        SCALE,
        scale(factor='{"values": {"constant": 1}}, §"factr": {}'),
        "no parameter 'factr', did you mean 'factor'? (the kernel has x, out, factor)",
    ),
    "parameter is text": (SCALE, scale(factor='§"in"'), "factor: expected a mapping, got 'in'"),
    "unknown key of a parameter": (
        SCALE,
        scale(out='{"role": "out", §"shapes": ["rows"]}'),
        "unknown key 'shapes', did you mean 'shape'? (allowed: role, shape, strides, null, memory, values)",
    ),
    # dims
    "dims are text": (
        SCALE,
        scale(dims='§"rows"'),
        "dims: expected one to four size expressions, got 'rows'",
    ),
    "dims are a dict": (
        SCALE,
        scale(dims='§{"x": 1}'),
        "expected one to four size expressions, got {'x': 1}",
    ),
    "no dims": (SCALE, scale(dims="§[]"), "expected one to four size expressions, got []"),
    "five dims": (
        SCALE,
        scale(dims="§[1, 1, 1, 1, 1]"),
        "expected one to four size expressions, got [1, 1, 1",
    ),
    "negative dim": (SCALE, scale(dims='["rows", §-3]'), "-3 is -3 for n = 1; must be positive"),
    "dim that becomes negative": (SCALE, scale(dims='[§"rows - 5"]'), "'rows - 5' is -3 for n = 1"),
    "dim of zero": (SCALE, scale(dims="[§0]"), "0 is 0 for n = 1; must be positive"),
    "dim is no expression": (
        SCALE,
        scale(dims='[§"n ** 2"]'),
        "not a size expression: 'n ** 2' (allowed: integers",
    ),
    "dim is a float": (SCALE, scale(dims="[§1.5]"), "not a size expression: 1.5"),
    "dim is True": (SCALE, scale(dims="[§True]"), "not a size expression: True"),
    "dim is a list": (SCALE, scale(dims='[§["n"]]'), "not a size expression: ['n']"),
    "dim divides by zero": (SCALE, scale(dims='[§"7 // (n - 1)"]'), "division by zero in size expression"),
    "dim of an unknown name": (
        SCALE,
        scale(dims='[§"row"]'),
        "'row' uses 'row', which is not a size, did you mean 'rows'? (known: n, rows; others are defined in",
    ),
    "huge dim": (SCALE, scale(dims="[§10000000000]"), "must be at most 2147483647"),
    "huge number": (SCALE, scale(dims="[§" + "9" * 500 + "]"), "not a size expression: 999"),
    "deep expression": (SCALE, scale(dims='[§"' + "n+" * 900 + 'n"]'), "not a size expression: "),
    "too few dims for tid": (
        SCALE.replace("i = wp.tid()", "i, j = wp.tid()"),
        scale(dims='§["rows"]'),
        "the kernel asks wp.tid() for 2 indices, got 1 dims",
    ),
    # sizes
    "sizes are a list": (SCALE, scale(sizes='§["rows"]'), "sizes: expected a mapping, got ['rows']"),
    "size named n": (SCALE, scale(sizes='{"rows": 3, §"n": 4}'), "'n' cannot name a size"),
    "size named by a keyword": (SCALE, scale(sizes='{"rows": 3, §"for": 4}'), "'for' cannot name a size"),
    "size with no name": (SCALE, scale(sizes='{"rows": 3, §"a b": 4}'), "'a b' cannot name a size"),
    "sizes in a circle": (
        SCALE,
        scale(sizes='{"rows": §"width", "width": "rows"}'),
        "'rows' uses 'width', which cannot be computed: its definition depends on itself",
    ),
    "size of an unknown name": (
        SCALE,
        scale(sizes='{"rows": §"2 * m"}'),
        "'2 * m' uses 'm', which is not a size",
    ),
    "size that becomes zero": (
        SCALE,
        scale(sizes='{"rows": §"n - 1"}'),
        "'n - 1' is 0 for n = 1; must be positive",
    ),
    "size divides by zero": (
        SCALE,
        scale(sizes='{"rows": §"n % 0"}'),
        "division by zero in size expression 'n % 0'",
    ),
    "huge size": (SCALE, scale(sizes='{"rows": §"n * 4000000000"}'), "must be at most 2147483647"),
    # shapes, strides, roles
    "shape is text": (
        SCALE,
        scale(shape='§"rows"'),
        "expected a list with a size expression for each dimension",
    ),
    "shape of the wrong rank": (
        SCALE,
        scale(shape='§["rows"]'),
        "expected 2 sizes for array<float32,2>, got ['rows']",
    ),
    "shape is left out": (
        SCALE,
        scale(out='{§"role": "out"}').replace('§"role"', '"role"').replace('"out": {', '§"out": {'),
        "shape: expected 1 sizes for array<float32,1>, got []",
    ),
    "extent of an unknown name": (
        SCALE,
        scale(shape='["rows", §"cols"]'),
        "'cols' uses 'cols', which is not a size",
    ),
    "extent that becomes zero": (
        SCALE,
        scale(shape='["rows", §"n - 1"]'),
        "'n - 1' is 0 for n = 1; must be positive",
    ),
    "shape of a number": (
        SCALE,
        scale(factor='{"shape": §["n"], "values": {"constant": 1}}'),
        "float32 is passed by value",
    ),
    "role of a number": (SCALE, scale(factor='{"role": §"out"}'), "float32 is passed by value"),
    "wrong role": (
        SCALE,
        scale(out='{"role": §"output", "shape": ["rows"]}'),
        "'output', did you mean 'out'?",
    ),
    "role is a list": (
        SCALE,
        scale(out='{"role": §["out"], "shape": ["rows"]}'),
        "role: ['out'] (allowed: in, out",
    ),
    "values of an out array": (
        SCALE,
        scale(out='{"role": "out", "shape": ["rows"], §"values": {"constant": 1}}'),
        "an 'out' array takes no values (use role 'inout')",
    ),
    "strides of the wrong rank": (
        SCALE,
        scale(x='{"shape": ["rows", 3], "strides": §[1], "values": {"constant": 1}}'),
        "expected 2 strides",
    ),
    "negative strides": (
        SCALE,
        scale(x='{"shape": ["rows", 3], "strides": §[3, -1], "values": {"constant": 1}}'),
        "[3, -1] for n = 1; must not be negative",
    ),
    "strides that overlap": (
        SCALE,
        scale(out='{"role": "out", "shape": ["rows"], "strides": §[0]}'),
        "let elements of 'out' overlap",
    ),
    "wrong memory": (
        SCALE,
        scale(x='{"shape": ["rows", 3], "memory": §"shared", "values": {"constant": 1}}'),
        "'shared' (allowed: global, read_only, constant, texture)",
    ),
    "read-only memory that is written": (
        SCALE,
        scale(out='{"role": "out", "shape": ["rows"], "memory": §"read_only"}'),
        "'read_only' is read-only",
    ),
    "constant memory of n": (
        SCALE,
        scale(x='{"shape": §["rows", 3], "memory": "constant", "values": {"constant": 1}}'),
        "constant memory needs numbers",
    ),
    "null is a number": (SCALE, scale(x='{"null": §1}'), "expected True or False, got 1"),
    "null with a shape": (SCALE, scale(x='{"null": §True, "shape": ["n", 3]}'), "a null array has no shape"),
    # other keys
    "wrong equality": (SCALE, scale(more='"equality": §"bit",'), "'bit', did you mean 'bits'?"),
    "block_dim of 0": (
        SCALE,
        scale(more='"block_dim": §0,'),
        "expected a number of threads from 1 to 1024, got 0",
    ),
    "block_dim of 3.5": (SCALE, scale(more='"block_dim": §3.5,'), "from 1 to 1024, got 3.5"),
    "block_dim of 4096": (SCALE, scale(more='"block_dim": §4096,'), "from 1 to 1024, got 4096"),
    "block_dim of True": (SCALE, scale(more='"block_dim": §True,'), "from 1 to 1024, got True"),
    "tiled is text": (SCALE, scale(more='"tiled": §"no",'), "expected True or False, got 'no'"),
    "wrong difficulty": (SCALE, scale(more='"difficulty": §"harder",'), "'harder', did you mean 'hard'?"),
    # recipes
    "values are left out": (
        SCALE,
        scale(x='{"shape": ["rows", 3]}').replace('{"x":', '{§"x":'),
        "values: missing; an 'in' parameter needs",
    ),
    "values are a number": (
        SCALE,
        scale(values="§3"),
        "expected one recipe such as {'uniform': [0.0, 1.0]}, got 3",
    ),
    "values are empty": (SCALE, scale(values="§{}"), "expected one recipe such as"),
    "two recipes": (
        SCALE,
        scale(values='§{"constant": 1, "uniform": [0, 1]}'),
        "expected one recipe such as",
    ),
    "unknown recipe": (
        SCALE,
        scale(values='{§"uniforms": [0, 1]}'),
        "unknown recipe 'uniforms', did you mean 'uniform'?",
    ),
    "a number for a recipe": (
        SCALE,
        scale(values="{§3: [0, 1]}"),
        "unknown recipe 3 (allowed: uniform, unit, integers",
    ),
    "uniform of one bound": (SCALE, scale(values='{"uniform": §[1]}'), "expected [low, high], got [1]"),
    "uniform of texts": (
        SCALE,
        scale(values='{"uniform": ["0", 1]}').replace('["0"', '[§"0"'),
        "finite number, got '0'",
    ),
    "uniform the wrong way round": (
        SCALE,
        scale(values='{"uniform": §[1.0, -1.0]}'),
        "floats in [1, -1): an empty range",
    ),
    "uniform up to infinity": (
        SCALE,
        scale(values='{"uniform": [0, §1e400]}'),
        "expected a finite number, got inf",
    ),
    "uniform beyond float32": (SCALE, scale(values='{"uniform": [0, §1e39]}'), "1e+39 does not fit float32"),
    "uniform on integers": (
        COUNT,
        count(steps='{"values": {§"uniform": [-1, 1]}}'),
        "'uniform' draws floats, and this is int32",
    ),
    "uniform on an integer array": (
        COUNT,
        count(marks='{"role": "inout", "shape": ["n"], "values": {§"uniform": [-1.0, 1.0]}}'),
        "'uniform' draws floats, and this is int32; use 'integers'",
    ),
    "unit on numbers": (
        COUNT,
        count(marks='{"role": "inout", "shape": ["n"], "values": {§"unit": [-1.0, 1.0]}}'),
        "'unit' describes vectors, quaternions and transforms of floats, not int32",
    ),
    "uniform on a struct with integers": (
        PULL,
        springs('{§"uniform": [0, 1]}'),
        "'uniform' draws floats, and this is int32",
    ),
    "infinite constant": (SCALE, scale(values='{"constant": §-1e400}'), "expected a finite number, got -inf"),
    "constant is text": (SCALE, scale(values='{"constant": §"n"}'), "expected a finite number, got 'n'"),
    "constant beyond uint8": (
        COUNT,
        count(bins='{"shape": ["n"], "values": {"constant": §256}}'),
        "256 does not fit uint8 (integers from 0 to 255)",
    ),
    "integers beyond uint8": (
        COUNT,
        count(bins='{"shape": ["n"], "values": {"integers": [0, §257]}}'),
        "256 does not fit uint8 (integers from 0 to 255)",
    ),
    "integers below uint8": (
        COUNT,
        count(bins='{"shape": ["n"], "values": {"integers": [§-5, 9]}}'),
        "-5 does not fit uint8 (integers from 0 to 255)",
    ),
    "half of an integer": (COUNT, count(steps='{"values": {"constant": §1.5}}'), "1.5 does not fit int32"),
    "constant of a bool": (
        COUNT,
        count(on='{"values": {"constant": §2}}'),
        "2 does not fit bool (integers from 0 to 1)",
    ),
    "integers of no range": (
        COUNT,
        count(steps='{"values": {"integers": §["n", "n"]}}'),
        "integers in [1, 1) for n = 1: an empty range",
    ),
    "integers of floats": (
        COUNT,
        count(steps='{"values": {"integers": [§0.5, 3]}}'),
        "not a size expression: 0.5",
    ),
    "integers of an unknown size": (
        COUNT,
        count(steps='{"values": {"integers": [0, §"rows"]}}'),
        "'rows' uses 'rows', which is not a size",
    ),
    "permutation on floats": (
        SCALE,
        scale(values='{§"permutation": "n"}'),
        "'permutation' describes a list of integers",
    ),
    "permutation that is too short": (
        COUNT,
        count(marks='{"role": "inout", "shape": ["n"], "values": {"permutation": §"n - 1"}}'),
        "a permutation of 'n - 1' has no 1 elements for n = 1",
    ),
    "offsets on floats": (
        SCALE,
        scale(values='{§"offsets": [3, 3]}'),
        "'offsets' describes a list of integers",
    ),
    "offsets of one": (
        COUNT,
        count(marks='{"role": "inout", "shape": ["n"], "values": {"offsets": §[3]}}'),
        "expected [stride, range], got [3]",
    ),
    "offsets that decrease": (
        COUNT,
        count(marks='{"role": "inout", "shape": ["n"], "values": {"offsets": §[-1, 3]}}'),
        "offsets of stride -1, range 3",
    ),
    "list that is too short": (
        COUNT,
        count(marks='{"role": "inout", "shape": ["n"], "values": {"list": §[1, 2]}}'),
        "a list of 2 elements for an array of shape ['n']",
    ),
    "empty list": (
        COUNT,
        count(steps='{"values": {"list": §[]}}'),
        "the size expression of each element, got []",
    ),
    "size of nothing": (COUNT, count(steps='{"values": {"size": §None}}'), "not a size expression: None"),
    "members of a number": (
        SCALE,
        scale(values='{§"members": {}}'),
        "'members' describes a struct, not float32",
    ),
    "members are a list": (
        PULL,
        springs('{"members": §["first"]}'),
        "members: expected a mapping, got ['first']",
    ),
    "unknown member": (
        PULL,
        springs('{"members": {"first": {"constant": 0}, §"stiff": {"constant": 1}}}'),
        "has no member 'stiff', did you mean 'stiffness'? (it has first, stiffness)",
    ),
    "a member is left out": (PULL, springs('{§"members": {"first": {"constant": 0}}}'), "lacks stiffness"),
    "permutation of a member": (
        PULL,
        springs('{"members": {"first": {§"permutation": "n"}, "stiffness": {"constant": 1}}}'),
        "'permutation' describes a list of integers, not a part of",
    ),
    # what is described and what follows from it
    "only the shape is described": (
        COUNT,
        '{"parameters": {"marks": {"role": "inout", "shape": [§"m"], "values": {"constant": 0}}}}',
        "'m' uses 'm', which is not a size (known: n; others are defined in sizes)",
    ),
}
"""By what is wrong."""

PROGRAM = """{"steps": [
        {"kernel": "half", "dims": ["n"], "arguments": {"x": "u", "out": "v"}},
        {"repeat": 2, "steps": [{"kernel": "half", "dims": ["n"], "arguments": {"x": "v", "out": "u"}}]}],
     "parameters": {"u": {"role": "inout", "shape": ["n"], "values": {"uniform": [0, 1]}},
        "v": {"role": "out", "shape": ["n"]}}}"""
HALF = """
@wp.kernel
def half(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = 0.5 * x[i]
"""


def program(old: str, new: str) -> str:
    """PROGRAM with another text at its first place."""
    assert old in PROGRAM
    return PROGRAM.replace(old, new, 1)


PROGRAMS: dict[str, tuple[str, str]] = {
    "steps are a dict": (
        program("[\n", '§{"a": [\n').replace('}]}],\n     "par', '}]}]},\n     "par'),
        "expected a list of steps",
    ),
    "steps are a number": ('{"steps": §3, "parameters": {}}', "steps: expected a list of steps, got 3"),
    "no steps": ('{"steps": §[], "parameters": {}}', "expected a list of steps, got []"),
    "step is text": ('{"steps": [§"half"], "parameters": {}}', "steps[0]: expected a mapping, got 'half'"),
    "step of nothing": ('{"steps": [§{}], "parameters": {}}', "keys none (allowed together: kernel, dims"),
    "steps and dims": (
        program('{"steps"', '{§"dims": ["n"], "steps"'),
        "give either dims or steps, not both",
    ),
    "unknown key of a step": (
        program('{"repeat": 2, ', '{§"repeats": 2, '),
        "unknown key 'repeats', did you mean 'repeat'?",
    ),
    "keys that do not go together": (
        program('{"repeat": 2, ', '§{"zero": "v", "repeat": 2, '),
        "allowed together",
    ),
    "unknown kernel": (
        program('"kernel": "half"', '"kernel": §"halve"'),
        "no kernel 'halve', did you mean 'half'?",
    ),
    "kernel is a number": (program('"kernel": "half"', '"kernel": §3'), "expected a name, got 3"),
    "unknown argument": (program('{"x": "u"', '{§"y": "u"'), "half has no parameter 'y'"),
    "argument that is not described": (program('"x": "u"', '"x": §"w"'), "missing 'w', which half takes"),
    "arguments are a list": (
        program('{"x": "u", "out": "v"}', '§["u", "v"]'),
        "arguments: expected a mapping, got ['u', 'v']",
    ),
    "dims of a step become zero": (program('"dims": ["n"]', '"dims": [§"n - 1"]'), "'n - 1' is 0 for n = 1"),
    "repeat of 0": (program('"repeat": 2', '"repeat": §0'), "expected a number from 1 to 1000000, got 0"),
    "repeat of True": (program('"repeat": 2', '"repeat": §True'), "from 1 to 1000000, got True"),
    "repeat without end": (
        program('"repeat": 2', '"repeat": §10000000000'),
        "expected a number from 1 to 1000000",
    ),
    "zero of an unknown array": (
        program("[\n", '[{"zero": §"w"},\n'),
        "'w' cannot be set to zero: its role must be 'out' or 'inout'",
    ),
    "one branch": (
        program("[\n", '[{"parallel": §[[]]},\n'),
        "expected two or more lists of steps, got [[]]",
    ),
    "parameter of no kernel": (program('{"u": {"role"', '{§"w": {}, "u": {"role"'), "no kernel takes 'w'"),
    "block_dim of a program": (
        program('{"steps"', '{§"block_dim": 64, "steps"'),
        "give the block_dim to each step that launches a kernel with tiles",
    ),
    "block_dim of a step without tiles": (
        program('"dims": ["n"]', '"dims": ["n"], §"block_dim": 64'),
        "half has no tiles, so its launch takes no block_dim",
    ),
    "block_dim of a step is 0": (
        program('"dims": ["n"]', '"dims": ["n"], "block_dim": §0'),
        "expected a number of threads from 1 to 1024, got 0",
    ),
    "block_dim of repeated steps": (
        program('{"repeat": 2, ', '§{"block_dim": 64, "repeat": 2, '),
        "allowed together",
    ),
}
"""Programs of several launches, by what is wrong."""

FILES: dict[str, tuple[str, str]] = {
    "no dict": ('LAUNCH = §["half"]\n', "LAUNCH must be a dict of kernel names, got a list: ['half']"),
    "a call": ("LAUNCH = §dict(half={})\n", "LAUNCH must be a literal, and this is a call: dict(half={})"),
    "a call within": ('LAUNCH = {"half": {"dims": [§len("abc")]}}\n', "and this is a call: len('abc')"),
    "a name within": ('LAUNCH = {"half": {"dims": [§N]}}\n', "and this is a name: N"),
    "arithmetic within": ('LAUNCH = {"half": {"dims": [§2 * 3]}}\n', "and this is an expression: 2 * 3"),
    "a set within": ('LAUNCH = {"half": {"dims": §{"n"}}}\n', "and this is a set: {'n'}"),
    "unpacking": ('COMMON = {}\nLAUNCH = {"half": {**§COMMON}}\n', "and this is a name: COMMON"),
    "a number for a kernel": ("LAUNCH = {§3: {}}\n", "keys of LAUNCH must be kernel names, got 3"),
    "a list for a kernel": ("LAUNCH = {§[3]: {}}\n", "keys of LAUNCH must be kernel names, got [3]"),
    "no kernel of that name": (
        'LAUNCH = {§"halve": {}}\n',
        "LAUNCH describes 'halve', which is not a kernel of this file, did you mean",
    ),
    "assigned twice": ("LAUNCH = {}\n§LAUNCH = {}\n", "LAUNCH is assigned twice, first in line"),
    "changed later": ('LAUNCH = {}\n§LAUNCH["half"] = {}\n', "LAUNCH is read without running the file"),
    "updated later": ("LAUNCH = {}\n§LAUNCH.update(half={})\n", "LAUNCH is read without running the file"),
    "in a branch": ("if True:\n    §LAUNCH = {}\n", "LAUNCH is read without running the file"),
    "steps of a kernel": (
        'LAUNCH = {"half": {§"steps": 3}}\n',
        "steps describe a program, not the kernel 'half'",
    ),
}
"""Files whose LAUNCH as a whole is wrong, by what is wrong."""

"""What tests read in the text of a shard."""

import ast
import re
from collections.abc import Iterator, Sequence

from weft.launch import parse_launch
from weft.reference.cases import Case

GAPS = re.compile(r"  | [,.]|(?:\b(?:an?|the) (?:an?|the)|\b(\w+) \1)\b(?!\^)", re.IGNORECASE)
"""Where a name is missing in a sentence, or stands there twice."""


def functions_of(text: str) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


def kernels_of(text: str) -> dict[str, ast.FunctionDef]:
    return {
        name: node
        for name, node in functions_of(text).items()
        if ast.unparse(node.decorator_list[0]) == "wp.kernel"
    }


def launch_of(text: str) -> dict[str, dict]:
    nodes = [one for one in ast.parse(text).body if isinstance(one, ast.Assign)]
    (node,) = [one for one in nodes if ast.unparse(one.targets[0]) == "LAUNCH"]
    return ast.literal_eval(node.value)


def flattened(steps: list[dict]) -> list[dict]:
    """The launches of a program, also those that are repeated or made on streams of their own."""
    found = []
    for step in steps:
        found += [step] if "kernel" in step else []
        for branch in (step.get("steps", []), *step.get("parallel", [])):
            found += flattened(branch)
    return found


def made_of(name: str, steps: list[dict]) -> list[str]:
    """The kernels of a sample, in the order of the text: those of its steps, or the one of its name."""
    return list(dict.fromkeys(step["kernel"] for step in steps)) or [name]


def called_by(kernel: ast.FunctionDef, functions: dict[str, ast.FunctionDef]) -> str:
    """The trees of the functions that a kernel calls, and of those that they call."""
    names = {
        node.func.id
        for node in ast.walk(kernel)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    called = [functions[name] for name in sorted(names & functions.keys())]
    return "".join(anonymous(one) + called_by(one, functions) for one in called)


def anonymous(kernel: ast.FunctionDef) -> str:
    """The kernel's tree with identifiers and constants taken out."""
    tree = ast.parse(ast.unparse(kernel))
    for node in ast.walk(tree):
        match node:
            case ast.Name():
                node.id = "wp" if node.id == "wp" else "x"
            case ast.arg():
                node.arg = "x"
            case ast.Constant():
                node.value = 0
            case ast.FunctionDef():
                node.name, node.body = "f", node.body[1:]
    return ast.dump(tree)


def shapes_of(launches: dict[str, dict], cases: Sequence[Case]) -> Iterator[tuple[str, set]]:
    """For each kernel the shapes of its cases: the launch's and those of its arrays together."""
    for name, written in launches.items():
        launch = parse_launch(written, name)
        arrays = [one for one in launch.parameters if launch.parameters[one].shape]
        sizes = {case.size for case in cases}
        yield (
            name,
            {(launch.launch_dims(n), *(launch.storage_shape(one, n) for one in arrays)) for n in sizes},
        )

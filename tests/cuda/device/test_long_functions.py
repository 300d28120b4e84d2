"""Functions of thousands of lines and kernels of many parameters: the time grows with them, not faster."""

import time
from pathlib import Path

from translated import record_of

from weft.cuda.device import translate_device

LINES = 2000


def _body(lines: int) -> str:
    """Statements that each use what those before them computed."""
    result = ["v0 = x[i]"]
    while len(result) < lines:
        n = len(result)
        if n % 10 == 3:
            result += [f"v{n} = float(0.0)", f"for q{n} in range(3):", f"    v{n} += float(q{n}) * v{n - 1}"]
            result += [f"v{n + 3} = v{n} * 0.5"]
        elif n % 10 == 8:
            result += [
                f"if v{n - 1} > 0.5:",
                f"    v{n + 1} = v{n - 1}",
                "else:",
                f"    v{n + 1} = -v{n - 1}",
            ]
            result += [f"v{n + 4} = v{n + 1} + 1.0"]
        else:
            result.append(f"v{n} = v{n - 1} * 0.5 + x[{n % 7}]")
    last = max(int(line[1 : line.index(" ")]) for line in result if line.startswith("v"))
    return "\n".join("    " + line for line in [*result, f"x[i] = v{last}"])


def test_a_long_function_takes_seconds(tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        "@wp.kernel\ndef f(x: wp.array(dtype=float)):\n    i = wp.tid()\n"
        + _body(LINES)
        + '\n\n\nLAUNCH = {"f": {"dims": ["n"], "parameters": {"x": {"role": "inout", "shape": ["n + 7"],'
        ' "values": {"uniform": [0.0, 1.0]}}}}}\n',
    )
    start = time.process_time()
    device = translate_device(record)
    assert time.process_time() - start < 10
    assert device.kernel.count("\n") > LINES


def test_eighty_parameters(tmp_path: Path) -> None:
    arrays = ", ".join(f"a{n}: wp.array(dtype=float)" for n in range(40))
    numbers = ", ".join(f"s{n}: float" for n in range(40))
    body = "\n".join(f"    a{n}[i] = a0[i] * s{n} + s0" for n in range(1, 40))
    uniform = '"values": {"uniform": [0.0, 1.0]}'
    described = [f'"a{n}": {{"role": "inout", "shape": ["n"], {uniform}}}' for n in range(40)]
    described += [f'"s{n}": {{{uniform}}}' for n in range(40)]
    text = f"@wp.kernel\ndef f({arrays}, {numbers}):\n    i = wp.tid()\n{body}\n\n\n"
    launch = f'LAUNCH = {{"f": {{"dims": ["n"], "parameters": {{{", ".join(described)}}}}}}}\n'
    device = translate_device(record_of(tmp_path, text + launch))
    assert [one.name for one in device.parameters if one.name] == [f"a{n}" for n in range(40)] + [
        f"s{n}" for n in range(40)
    ]

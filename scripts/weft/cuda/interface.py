"""What callers of a launcher must know: its leaves, the numbers that follow from the launch, and the C++ that
passes them (docs/formats/cuda.md, "Interface").
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weft.cuda.device_code import Axis, DeviceCode, KernelParameter
from weft.cuda.device_functions import device_function
from weft.cuda.host_arguments import Caller
from weft.cuda.host_layout import layout, packed_members
from weft.cuda.host_variables import Variable, Variables
from weft.cuda.templates import environment
from weft.launch import Launch
from weft.sizes import Size, normal_size

_KINDS = {"array": "array", "texture": "array", "constant": "table"}


def write_interface(
    record: Mapping[str, Any], device: DeviceCode, launch: Launch, variables: Variables
) -> dict[str, Any]:
    """The interface of a record's program, for JSON."""
    return _Interface(record, device, launch, variables).to_json()


class _Interface(Caller):
    def __init__(
        self, record: Mapping[str, Any], device: DeviceCode, launch: Launch, variables: Variables
    ) -> None:
        super().__init__(device, launch, variables)
        self.record = record
        self.leaves = list(self.known.values())
        self.places = {leaf.name: number for number, leaf in enumerate(self.leaves)}
        self.numbers: list[Any] = []

    def to_json(self) -> dict[str, Any]:
        """Collected by printing the call: `numbers` are those that it takes, in its order."""
        call = self._call()
        launch = self.launch
        values = [one for one in self.device.parameters if one.kind == "value"]
        return {
            "leaves": [
                {"name": leaf.name, "type": _type_text(leaf), "needed": _is_needed(leaf)}
                for leaf in self.leaves
            ],
            "outputs": [
                one.name
                for one in self.leaves
                if one.memory == "array" and one.is_array and one.described.role != "in"
            ],
            "structs": self.record["structs"],
            "launch": self.record["launch"],
            "numbers": self.numbers,
            "derived": sorted({one.name for one in values} - self.places.keys()),
            "ends": [[one.axis.number, one.name] for one in values if one.axis is not None],
            "dims": len(launch.dims) if launch.inferred_dims else 0,
            "strides": self.device.strides,
            "breaks_ties": any(device_function(one.name).breaks_ties for one in self.device.sections),
            "launcher": f"launch_{self.device.kernel_c_name}",
            "call": call,
        }

    def _call(self) -> str:
        tables = {}
        leaves = []
        for leaf in self.leaves:
            members = self._padded_members(leaf)
            if members:
                tables[leaf.c_type] = members
            leaves.append(
                {
                    "name": leaf.name,
                    "type": str(leaf.type),
                    "c_type": leaf.c_type,
                    "kind": _KINDS[leaf.memory] if leaf.is_array else "value",
                    "members": f"weft_{leaf.c_type}_members" if members else None,
                    "member_count": len(members),
                }
            )
        context = {
            "kernel": self.device.kernel_c_name,
            "leaves": leaves,
            "members": [
                {"name": f"weft_{c_type}_members", "c_type": c_type, "members": members}
                for c_type, members in tables.items()
            ],
            "structs": self.variables.structs,
            "assignments": [f"{place} = {value};" for place, value, _ in self.assignments()],
            "tables": [(table.c_name, self.places[table.name]) for table in self.device.tables],
            "arguments": self.arguments(),
        }
        return environment().get_template("call.cu.j2").render(context)

    def _padded_members(self, leaf: Variable) -> list[tuple[str, str]]:
        """Members of a struct that has padding, none of other types."""
        fields = self.device.struct_fields
        return packed_members(leaf.c_type, fields) if layout(leaf.type, leaf.c_type, fields).padded else []

    def array(self, variable: Variable) -> str:
        return f"given.array<{variable.c_type}>({self.places[variable.name]})"

    def texture(self, variable: Variable) -> str:
        return f"given.texture<{variable.c_type}>({self.places[variable.name]})"

    def value(self, variable: Variable) -> str:
        return f"given.value<{variable.c_type}>({self.places[variable.name]})"

    def extent(self, variable: Variable, axis: Axis) -> str:
        method = "stride" if axis.stride else "extent"
        return f"given.{method}({self.places[variable.name]}, {axis.number})"

    def dimension(self, parameter: KernelParameter, axis: int) -> str:
        return self._number({"dim": axis}, parameter.c_type)

    def number(self, parameter: KernelParameter, size: Size) -> str:
        """By the names of the description: what they stand for may be another number next time."""
        written = size if parameter.written is None else parameter.written
        return self._number(normal_size(written), parameter.c_type)

    def _number(self, number: Any, c_type: str) -> str:
        """A number that follows from the launch: of a size expression, or the launch's own dimension."""
        if number not in self.numbers:
            self.numbers.append(number)
        return f"{c_type}(given.numbers[{self.numbers.index(number)}])"


def _type_text(leaf: Variable) -> str:
    return f"array<{leaf.type},{len(leaf.shape)}>" if leaf.shape is not None else str(leaf.type)


def _is_needed(leaf: Variable) -> bool:
    """Whether a caller has to give it: all but what only the launch's description says the shape of."""
    return not (leaf.is_array and leaf.promised and leaf.described.role == "out")

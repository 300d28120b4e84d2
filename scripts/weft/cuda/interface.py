"""What callers of a launcher have to know: its leaves, numbers that follow from the launch, and the C++ that
hands them over (docs/formats.md, "Interface").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from weft.cuda.device_code import DeviceCode, KernelParameter
from weft.cuda.host_layout import layout, packed_members
from weft.cuda.host_variables import Variable, Variables, all_parameters
from weft.cuda.templates import environment
from weft.launch import Launch

_KINDS = {"array": "array", "texture": "array", "constant": "table"}


def write_interface(
    record: Mapping[str, Any], device: DeviceCode, launch: Launch, variables: Variables
) -> dict[str, Any]:
    """The interface of a record's program, for JSON."""
    return _Interface(record, device, launch, variables).to_json()


class _Interface:
    def __init__(
        self, record: Mapping[str, Any], device: DeviceCode, launch: Launch, variables: Variables
    ) -> None:
        self.record = record
        self.device = device
        self.launch = launch
        self.leaves = [*variables.arrays, *variables.values]
        self.structs = variables.structs
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
            "equal": [
                [other.leaf, other.number, _axis(one)]
                for one in all_parameters(self.device.parameters)
                for other in one.others
                if other.leaf is not None
            ],
            "dims": len(launch.dims) if launch.inferred_dims else 0,
            "call": call,
        }

    def _call(self) -> str:
        tables = {}
        leaves = []
        for leaf in self.leaves:
            members = self._members(leaf)
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
            "structs": self.structs,
            "assignments": [
                line
                for number, one in enumerate(self._given("struct"))
                for line in self._assignments(one, self.structs[number][0])
            ],
            "tables": [(table.c_name, self.places[table.name]) for table in self.device.tables],
            "arguments": [self._argument(one) for one in self.device.parameters],
        }
        return environment().get_template("call.cu.j2").render(context)

    def _given(self, kind: str) -> list[KernelParameter]:
        return [one for one in self.device.parameters if one.kind == kind]

    def _members(self, leaf: Variable) -> list[tuple[str, str]]:
        """Members of a struct that has padding, none of other types."""
        fields = self.device.struct_fields
        return packed_members(leaf.c_type, fields) if layout(leaf.type, leaf.c_type, fields).padded else []

    def _assignments(self, struct: KernelParameter, place: str) -> Iterator[str]:
        for member in struct.members:
            here = f"{place}.{member.c_name}"
            if member.kind == "struct":
                yield from self._assignments(member, here)
            else:
                yield f"{here} = {self._argument(member)};"

    def _argument(self, parameter: KernelParameter) -> str:
        """What the launcher gets for a parameter, or a member of a struct."""
        c_type, place = parameter.c_type, self.places.get(parameter.name)
        match parameter.kind:
            case "struct":
                return self.structs[self._given("struct").index(parameter)][0]
            case "array":
                return f"given.array<{c_type}>({place})" if place is not None else "nullptr"
            case "texture":
                return f"given.texture<{c_type}>({place})"
            case "extent" if parameter.axis is not None and parameter.axis.leaf is not None:
                axis = parameter.axis
                method = "stride" if axis.stride else "extent"
                return (
                    f"given.{method}({self.places[axis.leaf]}, {axis.number})"
                    if axis.leaf in self.places
                    else "0"
                )
            case "extent" if parameter.axis is not None:
                return self._number({"dim": parameter.axis.number}, c_type)
            case "extent":
                return self._number(parameter.size, c_type)
            case _ if place is not None:
                return f"given.value<{c_type}>({place})"
            case _:
                recipe = self.launch.parameters[parameter.name].values
                assert recipe is not None
                return self._number(recipe.arguments, c_type)

    def _number(self, number: Any, c_type: str) -> str:
        """A number that follows from the launch: of a size expression, or the launch's own dimension."""
        if number not in self.numbers:
            self.numbers.append(number)
        return f"{c_type}(given.numbers[{self.numbers.index(number)}])"


def _axis(parameter: KernelParameter) -> Any:
    """What an extent is: of an axis of a leaf, or of the launch."""
    assert parameter.axis is not None
    axis = parameter.axis
    return {"dim": axis.number} if axis.leaf is None else {"leaf": axis.leaf, "axis": axis.number}


def _type_text(leaf: Variable) -> str:
    return f"array<{leaf.type},{len(leaf.shape)}>" if leaf.shape is not None else str(leaf.type)


def _is_needed(leaf: Variable) -> bool:
    """Whether a caller has to give it: all but what only the launch's description says the shape of."""
    return not (leaf.is_array and leaf.promised and leaf.described.role == "out")

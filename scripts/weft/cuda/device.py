"""From one IR record to device code: the driver of the translator."""

from __future__ import annotations

from typing import Any

from weft.cuda.device_code import DeviceCode, KernelParameter
from weft.errors import KernelError

__all__ = ["DeviceCode", "KernelParameter", "translate_device"]


def translate_device(record: dict[str, Any]) -> DeviceCode:
    """Device code of an IR record (docs/formats.md).

    Raises KernelError with reason 'unsupported' and the place in the user's file for what cannot be translated.
    """
    raise KernelError("unsupported", f"{record['kernel_name']}: the translator has no passes yet")

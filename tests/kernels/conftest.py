"""What tests of composed kernels need."""

from collections.abc import Iterator

import pytest

from weft import kernels


@pytest.fixture(scope="module")
def composed_only() -> Iterator[None]:
    """No category has workloads: all kernels are composed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "workloads_of", lambda category: ())
        yield

"""Numbers of every width: halves, doubles, narrow and wide integers, and the ways from one to another."""

from weft.kernels.domains.floats import floating
from weft.kernels.domains.formats import row, tensor
from weft.kernels.domains.images import images
from weft.kernels.domains.neural import sample, unit
from weft.kernels.domains.rows import row as logits
from weft.kernels.domains.training import weight
from weft.kernels.endings import Style, per_element
from weft.kernels.formulas import Domain
from weft.kernels.goals import DomainIdiom, idioms

REVISION = 8
TEACHES = "number formats: halves, bits of floats, 8-bit codes, precise sums"

PLAIN = Style(storage={"arrays": 1.0})
HALVES = Style((per_element,), storage={"half": 1.0}, tells_half=True)


def _of(style: Style, times: int, *domains: Domain) -> list[DomainIdiom]:
    """The idioms of some domains, each so many times whatever number of goals it has."""
    return [each for one in domains for each in idioms(one, style=style)[:1] * times]


IDIOMS = (
    *_of(PLAIN, 10, tensor, row),
    *_of(PLAIN, 2, floating),
    *_of(HALVES, 5, images),
    *_of(HALVES, 7, logits, sample, unit, weight),
)

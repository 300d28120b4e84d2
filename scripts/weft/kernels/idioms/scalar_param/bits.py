"""Unsigned parameters as masks, keys, shifts and flags."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, convert, ops
from weft.kernels.idioms.scalar_param.knobs import knob
from weft.kernels.program import Name
from weft.kernels.results import finish
from weft.kernels.types import F32, I32, U32
from weft.kernels.vocabulary import article, curve, read, threads, uniform, whole


def bit_options(k: Builder) -> None:
    """Unsigned parameters as masks, keys, shifts and flags."""
    threads(k)
    match k.rng.below(6):
        case 0:
            _switches(k)
        case 1:
            _membership(k)
        case 2:
            _bits_set(k)
        case 3:
            _rounds(k)
        case _:
            _keyed(k)


def _code(k: Builder) -> Name:
    return k.let("word", convert(U32, read(k, "code", 0, 1_000_000, I32)))


def _keyed(k: Builder) -> None:
    """A field, a tag or a number from a code that is mixed with a key."""
    word = _code(k)
    key = k.scalar("key", U32, whole(1, 1_000_000))
    shift = k.rng.integer(3, 13)
    mixed = k.let("mixed", k.rng.pick(word ^ key, word * key, word + key, (word >> 2) ^ key))
    match k.rng.pick("field", "tag", "unit", "turned"):
        case "field":
            mask = k.scalar("bit_mask", U32, whole(1, 65535))
            field = k.rng.pick((mixed >> shift) & mask, (mixed & mask) ^ (word & mask))
            doc = "Bit field of each code under a key and a mask"
            finish(k, "field", convert(I32, field & 65535), doc)
        case "tag":
            mask = k.scalar("bit_mask", U32, whole(1, 65535))
            folded = (mixed ^ (mixed >> shift)) & mask
            doc = "Folded tag of each code under a key and a mask"
            finish(k, "tag", convert(I32, folded & 65535), doc)
        case "unit":
            k.real = F32
            unit = convert(F32, (mixed ^ (mixed >> shift)) & 65535) / 65536.0
            low, high = knob(k, "low", -2.0, -0.5), knob(k, "high", 0.5, 2.0)
            value = k.rng.pick(low + (high - low) * unit, ops.lerp(low, high, unit))
            finish(k, "unit", value, "Number between two limits from the low bits of each keyed code")
        case _:
            turn = k.scalar("turn", U32, whole(1, 31))
            turned = (mixed << turn) | (mixed >> (32 - turn))
            doc = "Low bits of each keyed code, turned around by a number of places"
            finish(k, "turned_code", convert(I32, turned & 65535), doc)


def _rounds(k: Builder) -> None:
    """Several rounds of mixing by a multiplier and shifts."""
    state = k.var(
        "state", _code(k) ^ k.scalar("seed", U32, whole(1, 1_000_000)), type=U32, bounds=(0, 2**32 - 1)
    )
    multiplier = k.scalar("multiplier", U32, whole(3, 1_000_000))
    first, second, rounds = k.rng.integer(3, 9), k.rng.integer(10, 17), k.rng.integer(2, 5)
    with k.loop(k.rng.pick("turn_number", "r"), 0, rounds) as turn:
        k.set(state, state ^ (state >> first))
        k.set(state, state * multiplier)
        if k.rng.chance(0.5):
            k.set(state, state ^ (state << second))
        if k.rng.chance(0.4):
            k.set(state, state + convert(U32, turn))
    if k.rng.chance(0.5):
        buckets = k.scalar("num_buckets", U32, whole(5, 64))
        bucket = convert(I32, (state >> 4) % buckets)
        finish(k, "bucket", bucket, f"Bucket of each code after {rounds} rounds of mixing")
        return
    k.real = F32
    unit = convert(F32, (state >> 8) & 65535) / 65536.0
    finish(k, "unit", unit * knob(k, "scale", 0.5, 2.0), f"Number from {rounds} rounds of mixing each code")


def _switches(k: Builder) -> None:
    """Bits that switch steps on, for the whole launch together with each element's own."""
    switches = k.scalar(k.rng.pick("options", "flags"), I32, whole(0, 7))
    own = read(k, "own_flag", 0, 7, I32)
    active = k.let("active", k.rng.pick(own ^ switches, switches ^ own))
    value = k.var("value", read(k, "x", -2.0, 2.0))
    steps = k.rng.shuffled([0, 1, 2])[: k.rng.pick(2, 3)]
    for bit in sorted(steps):
        with k.when((active & (1 << bit)).differs(0)):
            match bit:
                case 0:
                    k.set(value, knob(k, "gain", 0.5, 2.0) * value + knob(k, "offset", -0.5, 0.5))
                case 1:
                    k.set(value, ops.abs(value))
                case _:
                    shaped, word = curve(k, value)
                    k.set(value, shaped)
                    k.notes.append(f"Bit 2 sends it through {article(word)}")
    what = {0: "bit 0 scales and shifts", 1: "bit 1 takes the magnitude", 2: "bit 2 shapes"}
    told_steps = ", ".join(what[bit] for bit in sorted(steps))
    doc = f"Each x after steps that its flags, inverted by those of the launch, switch on: {told_steps}"
    finish(k, "value", value, doc)


def _membership(k: Builder) -> None:
    """Layers and masks: does an element belong to what the launch asks for?"""
    wanted = k.scalar(k.rng.pick("layer_mask", "wanted_bits"), U32, whole(1, 15))
    word = _code(k)
    common = k.let("common", word & wanted)
    level = read(k, "level", -1.0, 1.0)
    test, doc = k.rng.pick(
        (common.differs(0), "shares a bit with the mask"),
        (common.equals(wanted), "has all bits of the mask"),
        ((common & (common - 1)).equals(0), "shares one bit with the mask at most"),
    )
    match k.rng.below(3):
        case 0:
            value = ops.where(test, knob(k, "inside_gain", 1.0, 3.0) * level, level)
            text = f"Each level, multiplied where its code {doc}"
        case 1:
            kept = k.var("kept", knob(k, "outside_value", -0.5, 0.5))
            with k.when(test):
                k.set(kept, level)
            value, text = kept, f"Each level whose code {doc}, a default elsewhere"
        case _:
            offset, floor = knob(k, "offset", 0.2, 1.0), knob(k, "lowest", -0.6, 0.0)
            value = conditional(test, level + offset, ops.max(level, floor))
            text = f"Each level, raised where its code {doc} and kept from below elsewhere"
    finish(k, "answer", value, text)


def _bits_set(k: Builder) -> None:
    """How many bits, weighted or not, an element shares with a mask."""
    common = k.let("common", _code(k) & k.scalar("bit_mask", U32, whole(1, 65535)))
    if k.rng.chance(0.5):
        rest, number = (
            k.var("rest", common, type=U32, bounds=(0, 65535)),
            k.var("number", 0, type=I32, bounds=(0, 32)),
        )
        with k.repeat(rest.differs(0), 32):
            k.set(rest, rest & (rest - 1))
            k.set(number, bounded(number + 1, 0, 32))
        finish(k, "bit_number", number, "Number of bits that each code shares with a mask")
        return
    bits = k.rng.pick(8, 12, 16)
    total = k.var("total", 0.0)
    weights = k.array("bit_weights", k.real, [str(bits)], uniform(-1.0, 1.0))
    with k.loop("bit", 0, bits) as bit, k.when(((common >> convert(U32, bit)) & 1).equals(1)):
        k.add(total, weights[bit])
    finish(k, "score", total, f"Sum of the weights of the low {bits} bits that each code shares with a mask")

"""Prices of options, and bootstrap estimates."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops, random_number
from weft.kernels.idioms.monte_carlo.streams import loop_name, started, uniform_number
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32, I32
from weft.kernels.vocabulary import coefficient, read, told, uniform


def option_price(k: Builder) -> None:
    """Prices of options by simulated paths."""
    state = started(k, 1, name=k.rng.pick("i", "option", "path"))
    spot, strike = read(k, "spot", 0.6, 1.4), coefficient(k, "strike", 0.8, 1.2)
    sigma = coefficient(k, k.rng.pick("volatility", "sigma"), 0.1, 0.5)
    rate = coefficient(k, "rate", 0.01, 0.08, kinds="lp")
    style = k.rng.pick("european", "asian", "barrier", "lookback", "digital", "basket")
    right = k.rng.pick("call", "put")
    steps = 1 if style in ("european", "digital") else k.rng.pick(4, 6, 8)
    paths = k.rng.pick(6, 8, 12, 16) if steps == 1 else 1
    dt = round(1.0 / steps, 4)
    drift = k.let("drift", (rate - 0.5 * sigma * sigma) * dt if steps > 1 else rate - 0.5 * sigma * sigma)
    scale = k.let("scale_of_noise", sigma * round(dt**0.5, 6)) if steps > 1 else sigma

    def payoff(price: Expr) -> Expr:
        gain = price - strike if right == "call" else strike - price
        return ops.max(gain, 0.0)

    if steps == 1:
        total = k.var("total", 0.0)
        mirrored = k.rng.chance(0.4)
        with k.loop(loop_name(k), 0, paths):
            noise = k.let("noise", random_number("randn", state))
            price = k.let("price", spot * ops.exp(bounded(drift + scale * noise, -4.0, 4.0)))
            if style == "digital":
                with k.when(price > strike if right == "call" else price < strike):
                    k.add(total, 1.0)
            else:
                k.add(total, payoff(price))
                if mirrored:
                    other = k.let("other_price", spot * ops.exp(bounded(drift - scale * noise, -4.0, 4.0)))
                    k.add(total, payoff(other))
        count = paths * (2 if mirrored and style != "digital" else 1)
        value: Expr = bounded(total, 0.0, 200.0 * paths) / float(count)
        words = f"{paths} paths" + (", each with its mirror image" if count > paths else "")
    else:
        price = k.var("price", spot, bounds=(0.001, 1e6))
        name = {"asian": "sum_of_prices", "barrier": "alive", "lookback": "best", "basket": "other_price"}[
            style
        ]
        first: Expr | float = {"asian": 0.0, "barrier": 1.0, "basket": 1.0}.get(style, 0.0)
        track = k.var(name, spot if style == "lookback" else first, bounds=(0.0, 1e7))
        level = coefficient(k, "barrier", 1.3, 1.8, kinds="lp") if style == "barrier" else None
        with k.loop("step", 0, steps):
            grow = ops.exp(bounded(drift + scale * random_number("randn", state), -4.0, 4.0))
            k.set(price, bounded(price * grow, 0.001, 1e6))
            match style:
                case "asian":
                    k.set(track, bounded(track + price, 0.0, 1e7))
                case "barrier":
                    assert level is not None
                    with k.when(price > level):
                        k.set(track, 0.0)
                        k.jump("break")
                case "lookback":
                    k.set(track, ops.max(track, price) if right == "call" else ops.min(track, price))
                case _:
                    second = ops.exp(bounded(drift + scale * random_number("randn", state), -4.0, 4.0))
                    k.set(track, bounded(track * second, 0.001, 1e6))
        if style == "asian":
            value = payoff(bounded(track / float(steps), 0.0, 60.0))
        elif style == "barrier":
            value = track * payoff(bounded(price, 0.001, 60.0))
        elif style == "lookback":
            value = payoff(bounded(track, 0.001, 60.0))
        else:
            value = payoff(bounded(0.5 * (price + track), 0.001, 60.0))
        value = bounded(value, 0.0, 60.0)
        words = f"one path of {steps} steps"
    discounted = value * ops.exp(-rate) if k.rng.chance(0.6) else value
    if discounted is not value:
        k.notes.append("The price is discounted")
    kinds = {
        "european": f"a European {right}",
        "asian": f"an Asian {right}",
        "barrier": f"an up-and-out {right}",
        "lookback": f"a lookback {right}",
        "digital": f"a digital {right}",
        "basket": f"a {right} on the mean of two assets",
    }
    finish(k, "price_estimate", discounted, f"Price of {kinds[style]} from {words}")


def bootstrap(k: Builder) -> None:
    """Statistics of samples that are drawn again with replacement."""
    state = started(k, 1, name=k.rng.pick("i", "replicate"))
    size = k.rng.pick(8, 12, 16, 20, 32)
    shared = k.rng.chance(0.5)
    k.sizes["observed"] = str(size)
    name = k.rng.pick("data", "samples", "measurements")
    data = k.array(name, F32, ["observed"] if shared else [k.shape[0], "observed"], uniform(-1.0, 2.0))
    weights = k.array("weights", F32, ["observed"], uniform(0.2, 1.0)) if k.rng.chance(0.3) else None
    what = k.rng.pick("mean", "variance", "largest", "above", "trimmed", "ratio")
    draws = size if k.rng.chance(0.6) else max(4, size // 2)
    total = k.var("best" if what == "largest" else "total", -3.0 if what == "largest" else 0.0)
    squares = k.var("squares", 0.0) if what in ("variance", "ratio") else None
    mass = k.var("mass", 0.0) if weights is not None else None
    level = coefficient(k, "level", 0.2, 0.9) if what == "above" else None
    cut = k.rng.number(0.9, 1.5)
    other = None
    if what == "ratio":
        other = k.array("others", F32, ["observed"], uniform(0.5, 2.0))
    with k.loop(loop_name(k), 0, draws):
        if k.rng.chance(0.7):
            place = k.let("j", random_number("randi", state, 0, size))
        else:
            spot = convert(I32, uniform_number(state) * float(size))
            place = k.let("j", ops.min(spot, size - 1))
        x: Expr = k.let("x", data[place] if shared else data[k.index[0], place])
        share: Expr | None = None
        if weights is not None and mass is not None:
            share = k.let("w", weights[place]) if what != "largest" else weights[place]
            k.add(mass, share)
        match what:
            case "largest":
                k.set(total, ops.max(total, x))
            case "above":
                assert level is not None
                with k.when(x > level):
                    k.add(total, share if share is not None else 1.0)
            case "trimmed":
                limited = ops.clamp(x, -0.6, cut)
                k.add(total, share * limited if share is not None else limited)
            case "ratio":
                assert other is not None and squares is not None
                k.add(total, share * x if share is not None else x)
                k.add(squares, other[place])
            case _:
                value = share * x if share is not None else x
                k.add(total, value)
                if squares is not None:
                    k.add(squares, value * x)
    bounded(total, -3.0, 2.0) if what == "largest" else bounded(total, -40.0, 70.0)
    count: Expr | float = float(draws)
    limits = ""
    if mass is not None:
        count = bounded(mass, 0.2 * draws, float(draws))
        k.notes.append("Observations have weights")
    match what:
        case "largest":
            result: Expr = total if mass is None else total + 0.01 * mass
            doc = "Largest value" if mass is None else "Largest value, plus a hundredth of the weights,"
        case "variance":
            assert squares is not None
            mean = k.let("mean", total / count)
            result = bounded(squares, 0.0, 140.0) / count - mean * mean
            doc = "Variance"
        case "ratio":
            assert squares is not None
            result = total / bounded(squares, 0.5 * draws, 2.0 * draws)
            doc = "Ratio to a second variable"
            if mass is not None:
                result = result + 0.01 * count
                doc += ", plus a hundredth of the weights,"
        case "above":
            assert level is not None
            result, doc = total / count, f"Share above {told(level)}"
        case _:
            result = total / count
            doc = "Mean"
            limits = "" if what == "mean" else f", each kept between -0.6 and {cut}"
    source = "a sample that all threads share" if shared else "the thread's own sample"
    drawn = f"{draws} values drawn with replacement from {source}"
    finish(k, "statistic", result, f"{doc} of {drawn}{limits}")

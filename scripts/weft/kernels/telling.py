"""Docstrings of kernels: what the goal is called, and a model or two that it rests on."""

from __future__ import annotations

import dataclasses
import functools
import re
import unicodedata
from collections.abc import Sequence

from weft.kernels.formulas import Formula
from weft.kernels.rng import Random
from weft.kernels.words import is_proper, lowered, singular

ROOM = 110
"""How long a sentence may be with the models that it names."""
WORDY = 3
"""Of how many words a value's name is at most that is made of a title."""
MODELS = 2
"""How many models on the way to a goal a docstring names at most."""


def noun(goal: Formula) -> str:
    """What a goal's values are, behind `the`: what it is called, or the quantity if that is a method or says
    whose it is.
    """
    if goal.is_value and not re.search(r"[,:]| of (an?|two) ", goal.title):
        return lowered(goal.title)
    title = lowered(goal.title)
    if title.startswith(goal.words) and "," not in title:
        return title
    return f"{goal.words} ({title})" if is_proper(goal.title) else goal.words


def put(form: str, goal: Formula) -> str:
    """A form with the goal's noun in it: without `largest largest`, where the noun begins with the form's own
    word, and without `the Fisher's`.
    """
    sentence = re.sub(r"\b(\w+) (of the )?\1\b", r"\1", form.format(noun(goal)), flags=re.IGNORECASE)
    return re.sub(r"\bthe (?=[A-Z][\w-]*('s|s') )", "", sentence)


def short(title: str) -> str:
    """A title as a name, as far as its first preposition; nothing if that is one word, or no name."""
    plain = unicodedata.normalize("NFD", re.sub(r"\(.*?\)", "", title)).encode("ascii", "ignore").decode()
    words = [re.sub("'s?$", "", one).lower() for one in re.findall(r"[\w']+|[,:|]", plain)]
    end = next((at for at, one in enumerate(words) if one in _LINKS), len(words))
    kept = [one for one in words[:end] if one not in _ARTICLES]
    name = "_".join(kept)
    return name if len(kept) > 1 and name.isidentifier() else ""


def sentence_of(goal: Formula) -> str:
    """What a formula does, as a sentence without its full stop."""
    if goal.is_order:
        return goal.title
    if goal.title.startswith("Number of "):
        return f"Count {the(goal.title.removeprefix('Number of '))}"
    verb = "Compute" if goal.is_value else "Evaluate" if goal.head & _EVALUATED else "Compute"
    return f"{'Apply' if _is_applied(goal) else verb} {_named(goal)}"


def begun(sentence: str) -> str:
    """A sentence of an order, behind a colon or a comma."""
    return sentence[0].lower() + sentence[1:]


def _is_applied(goal: Formula) -> bool:
    """Is it a method that one applies to something, rather than a value that comes of it?"""
    return bool(goal.head & (_APPLIED | _TAKEN)) and not re.search(r"\btime step\b| behind ", goal.title)


def _named(goal: Formula) -> str:
    """The title with its article, which what has no plural goes without where it is applied."""
    title = lowered(goal.title)
    uncounted = " " not in title or any(re.search("(ing|[st]ion|s)$", one) for one in goal.head)
    return title if uncounted and _is_applied(goal) else the(title)


def followed(steps: Sequence[Formula], goal: Formula, sentence: str) -> str:
    """The sentence of a method, with the methods that come before it, in their order."""
    before = [one for one in steps if not (one.is_value or one.is_order) and "," not in one.title][-2:]
    if goal.is_value or goal.is_order or not before or "," in goal.title:
        return sentence
    first, *middle = map(_named, before)
    last = _named(goal)
    return f"Apply {first}, {middle[0]} and {last}" if middle else f"Apply {first}, followed by {last}"


_APPLIED = frozenset(
    """
    adjustment blur calibration compositing dequantization dilation dropout elu erosion filter filtering
    gelu mapping mish normalization quantization relu relu6 selu sharpening shrinkage silu softplus softsign
    suppression swish tone toning vignette
    """.split()
)
_TAKEN = frozenset(
    """
    calibration centering closing connection conversion correction creep decoding elimination encoding
    equilibration finalizer follower gate iteration lookup opening orthogonalization pooling
    preconditioner push refinement relaxation scaling skinning smoothing step steps sweep sweeps
    thermostat update
    """.split()
)
"""Further methods that are applied, as those of `_APPLIED` are to each element."""
_EVALUATED = frozenset("curve equation function layer limiter model perceptron schedule unit".split())
_ARTICLES = frozenset(("a", "an", "the", "its", "each", "all", "two"))
_LINKS = frozenset(
    """
    about against as at behind between by for from in into of off on or out over that to towards under
    up with without relative , : |
    """.split()
)


@functools.cache
def specific(goal: Formula) -> Formula:
    """A goal with a result that is called what it is: `cusum_change_point`, and not `peak_place`."""
    name = short(goal.title)
    if counted := re.match(r"Number of (\w+)$", goal.title):
        name = f"{singular(counted[1])}_count"
    name = name.removesuffix("_function")
    if not (goal.result.generic and name) or len(name.split("_")) > WORDY:
        return goal
    return dataclasses.replace(goal, result=dataclasses.replace(goal.result, name=name, plural=None))


def the(phrase: str) -> str:
    """A phrase with its article; of what belongs to someone, the name is one."""
    first = phrase.partition(" ")[0]
    return phrase if first.endswith(("'s", "s'")) else f"the {phrase}"


def of_each(rng: Random, goal: Formula, element: str) -> str:
    """The sentence for a kernel that stores the goal's value for each element, without its full stop."""
    title = re.sub(rf" of an? {element}$", f" of each {element}", goal.title)
    sentence = sentence_of(dataclasses.replace(goal, title=title))
    forms = {sentence: 4.0}
    if "," not in title and ":" not in title:
        forms[f"{sentence}, one thread per {element}"] = 0.3
        if not goal.is_order and element not in title.lower():
            if goal.head & _APPLIED:
                forms[f"{sentence} to each {element}"] = 2.0
            elif goal.is_value:
                forms[f"{sentence} for each {element}"] = 2.0
            if title.lower().endswith(goal.words) and " of " not in title:
                forms[f"{sentence} of each {element}"] = 0.8
    return rng.weighted(forms)


def models(found: Sequence[tuple[Formula, int]], most: int = MODELS) -> list[str]:
    """What the formulas are called that a reader would ask about, in the order of their steps: those named
    after someone, and those that go through other elements. Each comes with its distance from the goal.
    """
    asked = [
        (one, depth) for one, depth in found if not one.is_order and (one.is_heavy or is_proper(one.title))
    ]
    nearest = sorted(asked, key=lambda one: one[1])[:most]
    named = [one.title for one, depth in asked if (one, depth) in nearest]
    return list(dict.fromkeys(one for one in named if not re.search("[,:(]", one)))


def with_models(rng: Random, sentence: str, named: Sequence[str], *, value: bool = True) -> str:
    """A sentence, and the models that its goal rests on; a `value` may be from a model."""
    if not named or re.search(r"[,:(]", sentence):
        return f"{sentence}."
    short = [lowered(one) for one in named]
    forms = {f"{sentence}, using {' and '.join(map(the, short))}.": 1.0}
    if value and len(named) == 1 and not re.search(r"\b(from|by|with|of each|for each)\b", sentence):
        forms[f"{sentence} from {the(short[0])}."] = 2.0
    fitting = {form: weight for form, weight in forms.items() if len(form) <= ROOM}
    return rng.weighted(fitting) if fitting else f"{sentence}."

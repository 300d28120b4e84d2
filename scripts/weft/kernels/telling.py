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
    title = re.sub(r" of an? \w+$", "", lowered(goal.title))
    if (goal.is_value or goal.head & _COMPUTED) and not re.search(r"[,:]| of (an?|two) ", title):
        return title
    if title.startswith(goal.words) and "," not in title:
        return title
    return f"{goal.words} ({title})" if is_proper(goal.title) else goal.words


def parted(phrase: str) -> tuple[str, str]:
    """What a phrase names, and by which way that comes about; it stands behind whose it is."""
    if at := re.search(" (?:among|as|by|from|under|with) ", phrase):
        return phrase[: at.start()], phrase[at.start() :]
    return phrase, ""


def put(form: str, goal: Formula) -> str:
    """A form with the goal's noun in it: without `largest largest`, where the noun begins with the form's own
    word, and without `the Fisher's`.
    """
    what, way = parted(noun(goal))
    told = re.sub("largest maximum ", "largest ", form.format(what) + way, flags=re.IGNORECASE)
    sentence = re.sub(r"\b(\w+) (of the )?\1\b", r"\1", told, flags=re.IGNORECASE)
    return re.sub(r"\bthe (?=[A-Z][\w-]*('s|s') )", "", sentence)


def short(title: str) -> str:
    """A title as a name, as far as its first preposition; nothing if that is one word, or no name."""
    plain = unicodedata.normalize("NFD", re.sub(r"\(.*?\)", "", title)).encode("ascii", "ignore").decode()
    words = [re.sub("'s?$", "", one).lower() for one in re.findall(r"[\w']+|[,:|]", plain)]
    end = next((at for at, one in enumerate(words) if one in _LINKS), len(words))
    kept = [one for one in words[:end] if one not in _ARTICLES]
    name = "_".join(kept)
    return name if len(kept) > 1 and name.isidentifier() else ""


def followed(steps: Sequence[Formula], goal: Formula, sentence: str) -> str:
    """The sentence of a method, with the methods that come before it, in their order."""
    methods = [one for one in steps if not (one.is_value or one.is_order or one.head & _COMPUTED)]
    before = [lowered(one.title) for one in methods if "," not in one.title][-2:]
    if goal.is_value or goal.is_order or goal.head & _COMPUTED or not before or "," in goal.title:
        return sentence
    return f"Apply {', '.join(map(the, before))}, then {the(lowered(goal.title))}"


_APPLIED = frozenset(
    """
    adjustment aggregation blend blur calibration compositing connection correction dequantization dilation
    dropout elu erosion filter filtering gate gelu mapping mish normalization projection quantization
    relu relu6 rotation selu sharpening shrinkage silu skinning smoothing softplus softsign steering
    suppression swish thermostat thresholding tone toning transform vignette warp
    """.split()
)
_COMPUTED = frozenset(("average", "function", "hash", "interpolation", "prediction", "response", "state"))
"""Methods that give what they are called."""
_TAKEN = frozenset(("iteration", "step", "sweep", "update"))
_OF = re.compile(r" (of|for|in|to|under|at|between|on|about|against) ")
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


def an(phrase: str) -> str:
    """A phrase with its indefinite article; of what belongs to someone, the name is one."""
    first = phrase.partition(" ")[0]
    if first.endswith(("'s", "s'")):
        return phrase
    spelled = first.isupper() and len(first) > 1
    vowel = first[0] in "AEFHILMNORSX" if spelled else first[0].lower() in "aeio" or first.startswith("up")
    return f"{'an' if vowel else 'a'} {phrase}"


def of_each(rng: Random, goal: Formula, element: str) -> str:
    """The sentence for a kernel that stores the goal's value for each element, without its full stop."""
    title = re.sub(rf" of an? {element}$", f" of each {element}", goal.title)
    name = lowered(title)
    there = element in title.lower() or re.search("[,:(]", title)
    if goal.is_order:
        return title
    if title.startswith("Number of "):
        return f"Count {the(title.removeprefix('Number of '))}{'' if there else f' for each {element}'}"
    if "sample" in goal.head:
        return f"Draw {an(name)}"
    if goal.is_value or goal.head & _COMPUTED:
        what, way = parted(name)
        far = (" " in what and _OF.search(what)) or (not way and rng.chance(0.4))
        whose = "" if there else f" {'for' if far else 'of'} each {element}"
        verb = rng.pick("Calculate", "Compute", "Evaluate", "")
        told = f"{what}{whose}{way}"
        return f"{verb} {the(told)}" if verb else title[0] + told[1:]
    if goal.head & _APPLIED:
        return f"Apply {the(name)}{'' if there else f' to each {element}'}"
    if goal.head & _TAKEN:
        verb = "Take" if "step" in goal.head else "Perform"
        return f"{verb} {an(name)}{'' if there else f' for each {element}'}"
    return title


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


def with_models(sentence: str, named: Sequence[str]) -> str:
    """A sentence, and the models that its goal rests on."""
    if not named or re.search(r"[,:(]", sentence):
        return f"{sentence}."
    short = [lowered(one) for one in named]
    told = f"{sentence}, using {' and '.join(map(the, short))}."
    return told if len(told) <= ROOM else f"{sentence}."

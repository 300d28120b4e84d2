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

ROOM = 170
"""How long a sentence may be with the models that it names."""
LENGTHY = 160
"""How long a sentence may be that tells of several steps."""
WORDY = 3
"""Of how many words a value's name is at most that is made of a title."""
LONG = 7
"""Of how many words a kernel's name is at most."""
COUNTED = {2: "two", 4: "four", 6: "six", 10: "ten"}
"""Numbers of steps, before a title that begins with a number."""
MODELS = 2
"""How many models on the way to a goal a docstring names at most."""


def noun(goal: Formula) -> str:
    """What a goal's values are, behind `the`: what it is called, or the quantity if that is a method or says
    whose it is.
    """
    title = re.sub(r" (of an?|of two|between two) \w+(?=$| (in|by|from|with) )", "", lowered(goal.title))
    if (goal.is_value or goal.head & _COMPUTED) and not re.search(r"[,:]| of (an?|two) ", title):
        return title
    if title.startswith(goal.words) and "," not in title:
        return title
    return f"{goal.words} ({title})" if is_proper(goal.title) else goal.words


def is_long(goal: Formula) -> bool:
    """Does its noun say of what it is, so that `of all particles` would not follow well?"""
    return bool(re.search(r" (of|for|in|to|under|at|between|on|about|against|with|without) ", noun(goal)))


_WAY = " (?:among|as|by|from|under|with) "


def parted(phrase: str, way: str = _WAY) -> tuple[str, str]:
    """What a phrase names, and by which way that comes about; it stands behind whose it is."""
    at = found.start() if "(" not in phrase and (found := re.search(way, phrase)) else len(phrase)
    return phrase[:at], phrase[at:]


def put(form: str, goal: Formula) -> str:
    """A form with the goal's noun in it: without `largest largest`, where the noun begins with the form's own
    word, and without `the Fisher's`.
    """
    what, way = parted(noun(goal))
    told = re.sub("largest (maximum|longest) ", r"\1 ", form.format(what) + way, flags=re.IGNORECASE)
    sentence = re.sub(r"\b(\w+) (of the )?\1\b", r"\1", told, flags=re.IGNORECASE)
    return re.sub(r"\bthe (?=[A-Z][\w-]*('s|s') )", "", sentence)


def short(title: str) -> str:
    """A title as a name, as far as its first preposition; nothing if that is one word, or no name."""
    words = _words(title)
    ends = (at for at, one in enumerate(words) if one in _LINKS and not _belongs(words, at))
    return _name(words[: next(ends, len(words))])


def whole(title: str) -> str:
    """A title as a name of at most `LONG` words with its prepositions, as far as those go; nothing if that is
    one word, or no name.
    """
    words = _words(title)
    ends = [at for at, one in enumerate(words) if one in _LINKS] + [len(words)]
    stop = next((at for at, one in enumerate(words) if one in _STOPS), len(words))
    fitting = [at for at in ends if at <= stop and len(_name(words[:at]).split("_")) <= LONG]
    return _name(words[: max(fitting, default=0)])


def label(formula: Formula) -> str:
    """A method's name where a kernel's lists several; nothing for one that has none, such as a conversion."""
    title = formula.title
    if title.endswith(" conversion"):
        return ""
    name = short(title) or title.lower()
    return name if name.isidentifier() else ""


def _words(title: str) -> list[str]:
    """The words of a title in lower case, and its signs, but not what is in parentheses."""
    plain = unicodedata.normalize("NFD", re.sub(r"\(.*?\)", "", title)).encode("ascii", "ignore").decode()
    words = [re.sub("'s?$", "", one).lower() for one in re.findall(r"\w(?:[\w'.-]*[\w'])?|\S", plain)]
    signs = [at for at, one in enumerate(words) if one in _SIGNS]
    # The operands of a formula are no part of a name.
    for at in reversed(signs):
        while at and ((len(words[at - 1]) == 1 and words[at - 1].isalpha()) or words[at - 1] in _GREEK):
            at -= 1
            del words[at]
    return words


def _belongs(words: Sequence[str], at: int) -> bool:
    """Is this the `of` of a term, such as `equation of state`?"""
    return words[at] == "of" and at + 1 < len(words) and words[at + 1] not in _ARTICLES


def _name(words: Sequence[str]) -> str:
    kept = [re.sub("[.-]", "_", one) for one in words if one not in _ARTICLES]
    while kept and kept[-1] in _LINKS:
        kept.pop()
    name = "_".join(kept)
    return name if "_" in name and name.isidentifier() else ""


def sentence_of(goal: Formula, whose: str = "", to: str = "") -> str:
    """What a formula does, as a sentence without its full stop; perhaps with `whose` value that is, or `to`
    what a method is applied.
    """
    title = lowered(goal.title)
    if goal.is_order:
        return goal.title
    for pattern, form in _REPHRASED:
        if found := re.fullmatch(pattern, title):
            theirs = whose.replace(" of ", " for "), whose.replace(" for ", " of "), to
            told = found.expand(form).format(*theirs)
            return told[0].upper() + told[1:]
    if taken := _taken(goal):
        several = any(one.endswith("s") for one in goal.head)
        return f"{taken} {title if several else an(title)}{whose.replace(' of ', ' for ')}"
    if _is_applied(goal):
        return f"Apply {_named(goal)}{to}"
    verb = _verb(goal)
    article = (str if goal.noun.endswith("s") else an) if verb == "Draw" else the
    return f"{verb} {article(whose.join(parted(title)))}"


def explained(formula: Formula) -> str:
    """The docstring of a function for a formula, with its note."""
    return noted(f"{sentence_of(formula)}.", formula)


def returned(formula: Formula) -> str:
    """The docstring of a function for a goal, whose kernel has the note."""
    told = re.sub(f"^({'|'.join(_GIVING)}) ", "Return ", sentence_of(formula))
    return f"{told}."


def noted(told: str, goal: Formula) -> str:
    """What is told of a goal, and its note behind that. A note that says what a value is becomes part of the
    sentence: `the kinetic energy of each particle: half the mass times the squared speed`. In any other, `It`
    is called by its name, and so it is where the sentence is about something else than a value of each
    element: their sum or maximum, or what a method is applied to.
    """
    if not goal.note:
        return told
    last = told.rpartition(", then ")[2]
    is_what = _DEFINITION.match(goal.note) if re.fullmatch(r"\w[^.,:;()]*\.", last) else None
    if is_what and (is_what[1] or not _ELSEWHERE.search(last)):
        unit, definition = is_what.groups()
        return f"{told[:-1]}{',' if unit else ':'} {unit or definition}{goal.note[is_what.end() :]}."
    return f"{told} {re.sub('^(It|They)(?= )', _subject(goal), goal.note)}."


def _subject(goal: Formula) -> str:
    """What begins a sentence about a value or a method: `The loss` of the Huber loss, and `ReLU` of ReLU."""
    last = goal.noun.split()[-1]
    abbreviated = any(one.isupper() for one in last[1:])
    if last == goal.noun and (abbreviated or is_proper(last) or last == "Mish"):
        return last
    return f"The {last if abbreviated else last.lower()}"


def after(goals: Sequence[Formula], sentence: str) -> str:
    """What a program does, after the kernels for these goals."""
    first, *others = (sentence_of(one) for one in goals)
    return f"{', '.join([first, *map(begun, others)])}, then {begun(sentence)}"


def begun(sentence: str) -> str:
    """A sentence of an order, behind a colon or a comma."""
    return sentence[0].lower() + sentence[1:]


def repeated(goal: Formula, times: int) -> str:
    """The sentence of so many steps of a goal."""
    if taken := _taken(goal):
        title = re.sub(r"\b(step|iteration|sweep|lookup)\b", r"\1s", lowered(goal.title), count=1)
        return f"{taken} {COUNTED.get(times, times) if title[0].isdigit() else times} {title}"
    if " by one explicit step" in goal.title:
        return goal.title.replace("by one explicit step", f"by {times} explicit steps")
    if _is_applied(goal) and not goal.is_order:
        return f"{sentence_of(goal)} {times} times"
    return f"Take {times} steps: {begun(sentence_of(goal))}"


def _taken(goal: Formula) -> str:
    """What one does with a step; nothing where that is a length, or the title is about something else."""
    if goal.is_order or not goal.head & TAKEN or goal.noun.endswith("time step"):
        return ""
    return "Take" if goal.head & {"step", "steps"} else "Perform"


def _verb(goal: Formula) -> str:
    """What one does to get a value of this name."""
    if re.search(r" by (\w+ differences|Godunov's scheme)$", goal.title):
        return "Approximate"
    name = lowered(re.sub(r" \(.+\)", "", goal.noun))
    return next((verb for verb, names in _VERBS.items() if re.search(names, name)), "Compute")


def doing(goal: Formula) -> str:
    """What a kernel's name says that it does with a method."""
    return "compute" if goal.head & (_COMPUTED | {"schedule"}) else "apply"


def seeking(goal: Formula) -> str:
    """What a kernel's name says that it does to get a value, where that is no computation."""
    verb = _verb(goal)
    return verb.lower() if verb in ("Draw", "Find") else ""


def _is_applied(goal: Formula) -> bool:
    """Is it a method that one applies to something, rather than a value that comes of it?"""
    return bool(goal.head & _APPLIED)


def _named(goal: Formula) -> str:
    """The title with its article, which what has no plural goes without where it is applied."""
    title = lowered(goal.title)
    uncounted = " " not in goal.noun or any(
        re.search("(ation|i[ot]ion|ing|creep|detection|dropout|erosion|suppression|s)$", one)
        for one in goal.head
    )
    return title if uncounted and _is_applied(goal) else the(title)


def is_asked(step: Formula, others: Sequence[Formula]) -> bool:
    """Would a reader ask how a value on the way to the goal comes about, which these formulas give?

    A method, a formula named after someone and one of several that differ are told of; one whose name says no
    more than that of the value is not.
    """
    if is_done(step):
        return True
    named, titled = ({singular(one) for one in _words(text)} for text in (step.words, step.noun))
    if titled == named:
        return False
    if is_proper(step.title) or len({one.title for one in others}) > 1:
        return True
    return not (named <= titled or titled <= named)


def is_done(step: Formula) -> bool:
    """Is it something that one does, and no value?"""
    return step.is_order or not (step.is_value or step.head & _COMPUTED)


def followed(steps: Sequence[Formula], goal: Formula, sentence: str) -> str:
    """The sentence about a goal, behind what comes before it, in that order."""
    if not steps:
        return sentence
    last = sentence_of(goal) if is_done(goal) and not goal.is_order else sentence
    first, *others = [*map(sentence_of, steps), last]
    *middle, end = map(begun, others)
    alike = all(one.startswith("Apply ") for one in (first, *others))
    sentence = ", ".join([first, *middle]) + f", then {end}"
    return sentence.replace(", apply ", ", ").replace(", then apply ", ", then ") if alike else sentence


_REPHRASED = (
    (r"number of (.+)", r"count the \1{}"),
    (r"population count(.*)", r"count the set bits{}\1"),
    (r"(.*Monte Carlo) price of (.+)", r"price \2{} by \1"),
    (r"(.*Monte Carlo) integral of (.+)", r"integrate \2{} by \1"),
    (r"(.+) by Monte Carlo", r"estimate the \1{} by Monte Carlo"),
    (r"hash by (.+)", r"apply the \1 hash{2}"),
    (r"sum of (two .+)", r"add \1"),
    (r"sum of (?:an?|each) (.+)", r"sum each \1"),
    (r"difference of two (.+) numbers", r"subtract one \1 number from another"),
    (r"product of (two .+)", r"multiply \1"),
    (r"(|.+ )matrix-vector product(| in .+)", r"multiply a \1matrix by a vector\2"),
    (r"(.+) to (.+) conversion", r"convert \1 to \2{0}"),
    (r"(.+) to (.+) conversion (with .+)", r"convert \1 to \2{0} \3"),
    (r"(.+) gather of (.+)", r"gather \2{} with \1 weights"),
    (r"(\w+) update (with .+)", r"update the \1{1} \2"),
    (r"mean over (.+)", r"average \1{}"),
    (r"mean (elevation|temperature) of (.+)", r"average the \1 of \2{}"),
)
"""Titles that say what is done by a noun, and how a verb says it."""
_VERBS = {
    "Find": r"^(argmax|best|closest|dominant|first(?! (edge|triangle))|highest|largest|last(?! edge)|longest"
    r"|hit point|lowest|maximum|median|nearest|next|smallest|Ray-)\b"
    r"|\b(bin|bucket|case|cell|class|components|(?<!histogram )intersection|slot|threshold)$",
    "Approximate": r"(order|point) Laplacian$|^laplacian$",
    "Estimate": r"^SPH (density|velocity divergence|vorticity)$",
    "Form": r"normal equations$",
    "Draw": r"^(uniform|cosine-weighted)|\bsample$|^exponential waiting time$",
    "Evaluate": r"\b(constraint|cost|cross-entropy|curve|derivative|force"
    r"|energy|entropy|equation|exponential|function"
    r"|jacobian|(energy|force|gradient) density|kernel|kernel matrix|layer|likelihood|limiter|log-likelihood"
    r"|loss|model|perceptron|polynomial|potential|probability|quotient|rate|reaction|reflectance|residual"
    r"|schedule|series|stress|tension|term|unit|virial)$",
    "Measure": r"\b(angle|area|distance|distances|elongation|length|lengths|margin|perimeter|volume)$",
}
"""What values are called that one finds, measures or evaluates; others are computed."""
_GIVING = ("Approximate", "Compute", "Estimate", "Evaluate", "Find", "Form", "Measure")
"""What one does to get a value, which a function returns."""
_APPLIED = frozenset(
    """
    adjustment aggregation blend blur calibration centering closing compositing connection correction creep
    decoding dequantization detection dilation dithering dropout elu encoding epilogue equilibration erosion
    filter filtering finalizer follower gate geglu gelu hash mapping masking mish normalization opening
    orthogonalization pooling preconditioner projection push quantization refinement reglu relaxation relu
    relu6 rotation rounding scaling selu sharpening shrinkage sigmoid silu skinning smoothing softplus
    softsign steering suppression swiglu swish tanhshrink thermostat thresholding tone toning
    transform update vignetting warp
    """.split()
)
_DEFINITION = re.compile(
    r"(?:It is|They are) (?:(in (?!the)[^.]+)"
    r"|((?!(?:an?|zero|negative|positive|stable|odd|stiff|linear|quadratic|proportional|lower|limited|about|of|those"
    r"|that|the same|the Jaccard|-?\d+(?:/\d+)?)(?=[ ,])(?! [-+*/]))(?:[^.]|\.\d)*))(?=$|\. )"
)
"""A note that says what a value is, or in what units."""
_ELSEWHERE = re.compile(r"^(Add up|Sum|Find the (largest|maximum)) |^apply \S.* to each ", re.IGNORECASE)
"""A sentence that ends with something else than what its note is about."""
_COMPUTED = frozenset(("average", "function", "hash", "interpolation", "prediction", "response", "state"))
"""Methods that give what they are called."""
TAKEN = frozenset(("iteration", "lookup", "step", "steps", "sweep", "sweeps"))
"""Titles that end so are about one of many steps."""
_ARTICLES = frozenset(("a", "an", "the", "its", "each", "all", "two"))
_LINKS = frozenset(
    """
    about against as at behind between by for from in into of off on or out over that to towards under
    up with without relative , : | . = + * ^ / -
    """.split()
)
_SIGNS = frozenset("=+*^/-")
_STOPS = _SIGNS | frozenset(",:|.")
_GREEK = frozenset(("alpha", "beta", "gamma", "lambda"))


_PLACES = {"cell": "in", "pixel": "at", "node": "at"}
"""Elements that are places, at which there are values."""
_BODIES = frozenset(("particle", "body", "grain"))
_ACTING = frozenset(("force", "torque", "impulse"))
"""What acts on bodies, and is not theirs."""


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
    """A phrase with its article; of what belongs to someone, the name is one, and `half the sum` has one."""
    first = phrase.partition(" ")[0]
    return phrase if first == "half" or first.endswith(("'s", "s'")) else f"the {phrase}"


def an(phrase: str) -> str:
    """A phrase with its indefinite article; of what belongs to someone, the name is one."""
    first = phrase.partition(" ")[0]
    if first.endswith(("'s", "s'")):
        return phrase
    spelled = first.isupper() and len(first) > 1
    vowel = first[0] in "AEFHILMNORSX" if spelled else first[0].lower() in "aeio8" or first.startswith("up")
    return f"{'an' if vowel else 'a'} {phrase}"


def of_each(rng: Random, goal: Formula, element: str) -> str:
    """The sentence for a kernel that stores the goal's value for each element, without its full stop."""
    title = re.sub(rf" of an? {element}\b", f" of each {element}", goal.title)
    goal = dataclasses.replace(goal, title=title)
    if element in title.lower() or re.search(r"[,:]|\)$", title):
        return sentence_of(goal)
    far = re.search(r" (of|for|in|to|under|at|between|on|about|against) ", title)
    word = "for" if far or _verb(goal) == "Draw" or rng.chance(0.4) else "of"
    if element in _PLACES and _verb(goal) not in ("Measure", "Find"):
        word = _PLACES[element]
    elif element in _BODIES and goal.head & _ACTING:
        word = "on"
    return sentence_of(goal, f" {word} each {element}", f" to each {element}")


def with_steps(sentence: str, goal: Formula, found: Sequence[tuple[Formula, int]], *, noting: bool) -> str:
    """A sentence about a goal with the steps that lead to it, each with its distance, and perhaps with the
    goal's note.
    """
    steps, plain = models(found), f"{sentence}."
    values = () if any(map(is_done, steps)) else (steps, steps[1:])
    told = next((one for some in values if (one := with_models(sentence, some)) != plain), plain)
    while len(steps) > 1 and len(followed(steps, goal, sentence)) > LENGTHY:
        steps = steps[1:]
    told = f"{followed(steps, goal, sentence)}." if told == plain else told
    return noted(told, goal) if noting else told


def models(found: Sequence[tuple[Formula, int]], most: int = MODELS) -> list[Formula]:
    """The formulas nearest to the goal, of those that have a short name, in the order of their steps; each is
    given with its distance from the goal.
    """
    short = [(one, depth) for one, depth in found if not re.search("[,:]", one.title)]
    nearest = sorted(short, key=lambda one: one[1])[:most]
    return list({one.title: one for one, depth in short if (one, depth) in nearest}.values())


def _used(model: Formula) -> str:
    """A model as one uses it: a method of no plural goes without an article."""
    name = re.sub(r" \(.+\)$", "", lowered(model.title))
    first = re.split(f" (?:{'|'.join(sorted(_LINKS - _STOPS))}) ", name)[0]
    return name if re.search("((?<!acceler)(?<!equ)(?<!rel)ation|ing|gravity)$", first) else the(name)


def with_models(sentence: str, used: Sequence[Formula]) -> str:
    """A sentence, and the models that its goal rests on, if there is room for them."""
    told = f"{sentence}, using {' and '.join(map(_used, used))}."
    fits = used and len(told) <= ROOM and not re.search("[,:]", sentence)
    return told if fits else f"{sentence}."

"""Docstrings say what a kernel is for as people say it: by its name, shortly, and not all alike."""

from __future__ import annotations

import collections
import re
from typing import Annotated

import pytest

from weft.kernels import Rejected, category_names, emit, generate_program, load_category
from weft.kernels.builder import Builder
from weft.kernels.formulas import ORDERS, Domain, Formula, Quantity
from weft.kernels.program import Expr, GeneratedProgram, Undefined
from weft.kernels.rng import Random
from weft.kernels.telling import (
    explained,
    followed,
    is_asked,
    models,
    noted,
    noun,
    of_each,
    repeated,
    returned,
    sentence_of,
    short,
    whole,
    with_models,
    with_steps,
)
from weft.kernels.words import is_proper, lowered
from weft.types import Array

pytestmark = pytest.mark.usefixtures("composed_only")

COUNT = 20
VERBS = frozenset(
    """
    Approximate Average Build Compute Estimate Evaluate Fill Find Fit Form Gather Measure Perform Price
    Scatter Sort Sum Take Train
    """.split()
)
"""What docstrings begin with, beside the orders that titles may be."""


def formula(title: str, quantity: str = "strike", teaches: tuple[str, ...] = ()) -> Formula:
    """A formula of this title."""
    domain = Domain("option")

    def given(k: Builder) -> Expr:
        raise AssertionError("only its title is asked for")

    given.__annotations__ = {"return": Annotated[Expr, Quantity(quantity, 0.0, 1.0)]}
    domain.formula(doc=f"{title}.", teaches=teaches)(given)
    return domain.formulas[0]


def said(title: str, draws: int = 60) -> set[str]:
    """The sentences that there are about each element."""
    return {of_each(Random("said", 1, 0, index), formula(title), "option") for index in range(draws)}


@pytest.fixture(scope="module")
def programs() -> list[GeneratedProgram]:
    """Kernels of all categories that a goal's formula names."""
    found = []
    for category in category_names():
        for index in range(COUNT):
            try:
                program = generate_program(category, 3, index)
            except Rejected:
                continue
            if "ending" in program.made_of:
                found.append(program)
    return found


def test_a_value_is_told_in_several_ways():
    assert said("Forward price") == {
        "Compute the forward price of each option",
        "Compute the forward price for each option",
    }


def test_each_element_is_named_before_the_way():
    assert "Compute the price of each option by Newton's method" in said("Price by Newton's method")
    assert said("Monte Carlo price of a put under Heston's model") == {
        "Price a put under Heston's model for each option by Monte Carlo"
    }


def test_a_step_is_taken_and_a_filter_applied():
    assert said("Euler step") == {"Take an Euler step for each option"}
    assert said("Box filter") == {"Apply the box filter to each option"}


def test_steps_are_counted():
    assert repeated(formula("Explicit Euler step of the price"), 4) == (
        "Take 4 explicit Euler steps of the price"
    )
    assert repeated(formula("Damped Jacobi iteration"), 2) == "Perform 2 damped Jacobi iterations"
    assert repeated(formula("Red-black sweep of one color"), 4) == "Perform 4 red-black sweeps of one color"
    assert repeated(formula("Bilateral filter"), 6) == "Apply the bilateral filter 6 times"
    assert repeated(formula("8-connected step"), 4) == "Take four 8-connected steps"
    assert repeated(formula("Advect smoke by one explicit step"), 4) == "Advect smoke by 4 explicit steps"
    assert repeated(formula("Drained area"), 2) == "Take 2 steps: measure the drained area"


def test_methods_are_told_in_their_order():
    blur, blend, step = map(formula, ("Box blur", "Screen blend", "Euler step"))
    assert followed([blur], blend, "") == "Apply the box blur, then the screen blend"
    assert followed([blur], step, "") == "Apply the box blur, then take an Euler step"
    assert followed([blur, step], blend, "") == (
        "Apply the box blur, take an Euler step, then apply the screen blend"
    )
    clamp = formula("Clamp positions to a box")
    assert followed([step], clamp, clamp.title) == "Take an Euler step, then clamp positions to a box"


def test_an_order_is_not_computed():
    assert said("Wrap positions into the box") == {"Wrap positions into the box"}


def test_a_number_is_counted():
    assert "Count the divisors for each option" in said("Number of divisors")


@pytest.mark.parametrize(
    ("title", "sentence"),
    [
        ("Forward price", "Compute the forward price"),
        ("Huber loss", "Evaluate the Huber loss"),
        ("Euler's totient", "Compute Euler's totient"),
        ("Box blur", "Apply the box blur"),
        ("Label smoothing", "Apply label smoothing"),
        ("GELU", "Apply GELU"),
        ("Jacobi sweeps on a small system", "Perform Jacobi sweeps on a small system"),
        ("CFL-limited time step", "Compute the CFL-limited time step"),
        ("Level behind a low-shelf filter", "Compute the level behind a low-shelf filter"),
        ("Tait equation of state", "Evaluate the Tait equation of state"),
        ("Multiply blend", "Apply the multiply blend"),
        ("Nearest neighbor", "Find the nearest neighbor"),
        ("Signed distance from a plane", "Measure the signed distance from a plane"),
        ("Fourth-order Laplacian of the phase", "Approximate the fourth-order Laplacian of the phase"),
        ("Normalized graph Laplacian", "Compute the normalized graph Laplacian"),
        ("Gamma sample by Marsaglia's method", "Draw a gamma sample by Marsaglia's method"),
        ("Velocity update with drag", "Update the velocity with drag"),
        ("HSV to RGB conversion", "Convert HSV to RGB"),
        ("Sum of a row", "Sum each row"),
        ("Duffing (cubic) spring energy", "Evaluate the Duffing (cubic) spring energy"),
        ("Area of a ring by Monte Carlo", "Estimate the area of a ring by Monte Carlo"),
        ("Uniform coordinates on a triangle", "Draw uniform coordinates on a triangle"),
    ],
)
def test_a_title_becomes_a_sentence(title, sentence):
    assert sentence_of(formula(title)) == sentence


@pytest.mark.parametrize(
    ("title", "middle"),
    [
        ("Huber loss", "Huber loss"),
        ("Sum of squares", "sum of squares"),
        ("ReLU6", "ReLU6"),
        ("Van Leer flux limiter", "van Leer flux limiter"),
        ("CRC-32", "CRC-32"),
        ("Q16.16 division", "Q16.16 division"),
    ],
)
def test_names_keep_their_capitals(title, middle):
    assert lowered(title) == middle


def test_a_method_is_no_value():
    assert (
        noun(formula("Symplectic Euler position update", "position"))
        == "position (symplectic Euler position update)"
    )
    assert noun(formula("Box filter", "mean")) == "mean"
    assert noun(formula("Huber loss", "loss")) == "Huber loss"


def test_only_what_a_reader_would_ask_about_is_told():
    length, named = formula("Spring length", "length"), formula("Sutherland viscosity", "viscosity")
    isotropic, plain = formula("Isotropic stress", "stress"), formula("Plane stress", "stress")
    step, order = formula("Euler step", "position"), formula("Clamp positions to a box", "position")
    assert not is_asked(length, [length])
    assert not is_asked(formula("Stress", "stress"), [isotropic, plain])
    assert is_asked(isotropic, [isotropic, plain])
    assert is_asked(named, [named]) and is_asked(step, [step]) and is_asked(order, [order])


def test_models_nearest_to_the_goal_are_told():
    near, far = formula("Neighbor density"), formula("Sutherland viscosity")
    assert models([(far, 2), (near, 1)]) == [far, near]
    assert models([(far, 2), (near, 1)], most=1) == [near]


def test_steps_are_told_behind_the_goal_or_before_it():
    goal, model, clip = map(formula, ("Drag", "Sutherland viscosity", "Clip the speed"))
    sentence = "Compute the drag of each grain"
    assert (
        with_steps(sentence, goal, [(model, 1)], noting=True)
        == f"{sentence}, using the Sutherland viscosity."
    )
    assert with_steps(sentence, goal, [(clip, 1)], noting=True) == f"Clip the speed, then c{sentence[1:]}."
    both = with_steps(f"{sentence} (Stokes)", goal, [(model, 2), (clip, 1)], noting=True)
    assert both == f"Compute the Sutherland viscosity, clip the speed, then c{sentence[1:]} (Stokes)."


def test_what_is_noted_comes_behind_the_steps():
    goal, clip = formula("Drag. It is half the product", "drag"), formula("Clip the speed")
    told = with_steps("Compute the drag of each grain", goal, [(clip, 1)], noting=True)
    assert told == "Clip the speed, then compute the drag of each grain: half the product."


def test_a_note_is_about_the_value_and_not_about_what_is_made_of_it():
    norm, blur = (
        formula("L1 norm. It is the sum of magnitudes"),
        formula("Box blur. It is the mean of a window"),
    )
    told = "The norm is the sum of magnitudes."
    assert noted("Sum the L1 norm over all rows.", norm) == f"Sum the L1 norm over all rows. {told}"
    assert noted("Find the largest L1 norm of all rows.", norm).endswith(told)
    assert noted("Apply the box blur to each pixel.", blur).endswith("The blur is the mean of a window.")


def test_a_function_returns_what_a_kernel_computes():
    assert returned(formula("Huber loss. It is linear beyond the knee")) == "Return the Huber loss."
    assert returned(formula("Box blur")) == "Apply the box blur."


def test_what_acts_on_a_body_is_not_its_own_and_a_value_lies_in_a_cell():
    force, slope = formula("Morse force"), formula("Slope")
    assert of_each(Random("said", 1, 0, 0), force, "particle") == "Evaluate the Morse force on each particle"
    assert of_each(Random("said", 1, 0, 0), slope, "cell") == "Compute the slope in each cell"


def test_a_method_without_a_plural_is_used_without_an_article():
    assert with_models("Normal map", [formula("Label smoothing")]) == "Normal map, using label smoothing."
    assert with_models("Path", [formula("Acceleration by drag")]) == "Path, using the acceleration by drag."
    assert with_models("Path", [formula("Mass-radius relation")]) == "Path, using the mass-radius relation."


def test_what_grows_too_long_stays_out():
    long = formula("Very " * 20 + "long name of a model")
    sentence = "Compute the drag of a sphere in a shear flow"
    assert with_models(sentence, [long]) == f"{sentence}."
    near = formula("Long " * 20 + "name")
    told = with_steps(sentence, formula("Drag"), [(long, 2), (near, 1)], noting=False)
    assert told == f"{sentence}, using the long {'Long ' * 19}name."


def test_a_function_tells_what_its_value_is():
    told = formula("Huber loss. It is linear beyond the knee")
    assert explained(told) == "Evaluate the Huber loss. The loss is linear beyond the knee."


def test_a_sentence_about_each_element_is_no_title():
    with pytest.raises(Undefined):
        formula("Compute the strike of each option by the moneyness")


def test_formulas_are_named_after_people_as_people_write_them():
    assert is_proper("Black-Scholes call price")
    assert not is_proper("Gaussian blur")


def test_docstrings_are_short(programs):
    for program in programs:
        sentences = re.split(r"(?<=[.])\s+(?=[A-Z`])", program.doc)
        assert len(program.doc) <= 330, program.doc
        assert len(sentences) <= 5, program.doc


def test_docstrings_name_arrays_that_there_are(programs):
    for program in programs:
        names = {one.name for one in program.parameters}
        told = re.findall(r"`(\w+)\[", program.doc)
        assert program.steps or set(told) <= names, program.doc


def test_sums_and_maxima_say_where_they_go_and_what_they_start_at(programs):
    for program in programs:
        maxima = [one.name for one in program.parameters if re.match("max_|\\w+_max_", one.name)]
        found = [one for one in maxima if one in program.doc]
        assert all("must start" in program.doc for _ in found), program.doc
        if program.made_of["ending"].startswith("largest"):
            assert found and re.match("find_max_|largest_|find_largest_", program.name), program.name


def test_columns_are_told_by_the_arrays_that_have_them(programs):
    told = [one for one in programs if re.search(r"`\w+\[[jkl, ]+i\]` is ", one.doc)]
    assert len(told) > 20
    assert [one.doc for one in programs if "stored as columns" in one.doc] == []


def test_docstrings_do_not_read_a_chain_backwards(programs):
    backwards = re.compile(r"\bTake the\b|, where the\b|, with the .* by .*, (and|where)")
    assert [one.doc for one in programs if backwards.search(one.doc)] == []


def test_docstrings_are_sentences(programs):
    """They begin with a verb: what a formula is called alone tells nobody what the kernel does."""
    assert {one.doc.split()[0] for one in programs} <= VERBS | ORDERS


def test_docstrings_begin_in_many_ways(programs):
    openings = collections.Counter(one.doc.split()[0] for one in programs)
    word, count = openings.most_common(1)[0]
    assert count <= 0.25 * len(programs), word
    assert sum("of each" in one.doc for one in programs) <= 0.25 * len(programs)


def test_kernels_are_not_called_kernels(programs):
    assert [one.name for one in programs if one.name.endswith("_kernel")] == []


def test_outputs_come_last(programs):
    late = 0
    for program in programs:
        roles = [one.role != "in" for one in program.parameters if isinstance(one.type, Array)]
        scalars = [not isinstance(one.type, Array) for one in program.parameters]
        first = next((at for at, one in enumerate(program.parameters) if one.role != "in"), len(scalars))
        late += any(scalars[first:]) or sorted(roles) != roles
    assert late <= 0.1 * len(programs)


def test_results_are_stored_without_a_name_of_their_own(programs):
    """`x = …` and then `xs[i] = x`, of an x that nothing else reads."""
    copies = 0
    whole = [one for one in programs if not one.steps and one.block_dim is None]
    for program in whole:
        text = emit.kernel(program)
        for name in re.findall(r"\] \+?= (\w+)$", text, re.MULTILINE):
            copies += len(re.findall(rf"\b{name}\b", text.partition('"""')[2].rpartition('"""')[2])) == 2
    assert copies <= 0.25 * len(whole)


@pytest.mark.parametrize(
    ("title", "shorter", "longer"),
    [
        ("Linear equation of state", "linear_equation_of_state", "linear_equation_of_state"),
        ("Volume ratio J = det F", "volume_ratio", "volume_ratio"),
        ("Convert A-law to mu-law", "convert_a_law", "convert_a_law_to_mu_law"),
        ("Update the residual to r - alpha Ap", "update_residual", "update_residual"),
    ],
)
def test_a_title_is_a_name_without_formulas_and_dangling_prepositions(title, shorter, longer):
    assert (short(title), whole(title)) == (shorter, longer)


def test_a_note_that_says_what_a_value_is_completes_the_sentence():
    energy = formula("Kinetic energy. It is half the mass times the squared speed", "kinetic_energy")
    told = "Compute the kinetic energy of each particle"
    assert noted(f"{told}.", energy) == f"{told}: half the mass times the squared speed."
    assert noted(f"{told}, using drag.", energy).endswith(
        ". The energy is half the mass times the squared speed."
    )


@pytest.mark.parametrize(
    ("title", "explanation"),
    [
        ("ReLU6. It clamps x to [0, 6]", "Apply ReLU6. ReLU6 clamps x to [0, 6]."),
        ("ReLU. It is max(x, 0)", "Apply ReLU: max(x, 0)."),
        ("Hinge loss. It is 1 - m below 1", "Evaluate the hinge loss: 1 - m below 1."),
        ("Parity. It is 1 for an odd number", "Compute the parity. The parity is 1 for an odd number."),
        (
            "Bin size in seconds. It is a power of 2",
            "Compute the bin size in seconds. The size is a power of 2.",
        ),
    ],
)
def test_a_note_calls_what_it_is_about_by_its_name(title, explanation):
    assert explained(formula(title)) == explanation


def test_no_sentence_of_a_formula_begins_with_a_pronoun():
    domains = {
        one.domain
        for name in category_names()
        for one in load_category(name).IDIOMS
        if hasattr(one, "domain")
    }
    told = [explained(one) for domain in domains for one in domain.formulas]
    assert len(told) > 1000
    assert [one for one in told if re.search(r"\. (It|They) ", one)] == []

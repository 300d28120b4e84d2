"""What config.yaml may say, and what is said about what it may not."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from building import Build
from weft.errors import UserError
from weft.workflow import machine
from weft.workflow.settings import Settings, Shard, generated_categories, load, only_own_sources

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "rules/config.schema.json"
CATEGORIES = ["loop", "matrix", "multi_conditional", "nested_loop", "vector"]


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The configuration that is shipped, in a folder that has its sources and answers."""
    settings = yaml.safe_load((ROOT / "config.yaml").read_text())
    settings["dataset"]["held_out"] = ["vector"]
    (tmp_path / settings["dataset"]["answers"]).mkdir(parents=True)
    for path in settings["sources"].values():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).touch()
    monkeypatch.chdir(tmp_path)
    return settings


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "has_gpu", lambda: False)
    monkeypatch.setattr(machine, "native_arch", lambda: None)


def settings_of(config: dict[str, Any], **changes: Any) -> Settings:
    cluster = changes.pop("cluster", False)
    return load({**config, **changes}, SCHEMA, CATEGORIES, cluster)


def message_of(config: dict[str, Any], **changes: Any) -> str:
    with pytest.raises(UserError) as caught:
        settings_of(config, **changes)
    return str(caught.value)


def test_the_shipped_configuration_builds_every_category_and_source(config: dict[str, Any]) -> None:
    shards = settings_of(config).shards
    assert shards == tuple(Shard(name, 0) for name in [*CATEGORIES, *config["sources"]])


def test_every_setting_of_the_shipped_configuration_has_a_comment() -> None:
    keys = [line for line in (ROOT / "config.yaml").read_text().splitlines() if line[:1].isalpha()]
    assert keys
    assert all("  # " in line for line in keys)


def test_a_list_of_categories_builds_those_only(config: dict[str, Any]) -> None:
    shards = settings_of(config, categories=["matrix", "heat"], seeds=3).shards
    assert shards == (Shard("matrix", 0), Shard("matrix", 1), Shard("matrix", 2), Shard("heat", 0))


def test_categories_have_weights(config: dict[str, Any]) -> None:
    """`all` is the weight of those that are not named; 0 leaves one out; a shard has a kernel at least."""
    weights = {"all": 0.01, "matrix": 3, "nested": 0.5, "loop": 0, "heat": 1}
    settings = settings_of(config, categories=weights, kernels_per_seed=10)
    counts = {"matrix": 30, "multi_conditional": 1, "nested_loop": 5, "vector": 1}
    assert dict(settings.kernels) == counts
    shards = {one["category"]: one["kernels"] for one in settings.plan()["shards"]}
    assert {name: count for name, count in shards.items() if count} == counts
    assert shards["heat"] == 0
    assert [one.category for one in settings_of(config, categories={"heat": 1}).shards] == ["heat"]


def test_an_unknown_category_in_weights_is_named(config: dict[str, Any]) -> None:
    assert "did you mean 'matrix'" in message_of(config, categories={"all": 1, "matrx": 2})


def test_seeds_may_be_named(config: dict[str, Any]) -> None:
    shards = settings_of(config, categories=["matrix"], seeds=[7, 2]).shards
    assert shards == (Shard("matrix", 2), Shard("matrix", 7))


def test_categories_have_aliases(config: dict[str, Any]) -> None:
    shards = settings_of(config, categories=["nested", "multi_cond", "nested_loop"]).shards
    assert [shard.category for shard in shards] == ["nested_loop", "multi_conditional"]


def test_numbers_in_lists_of_the_command_line_are_numbers(config: dict[str, Any]) -> None:
    settings = settings_of(config, sizes=["1", "31"], input_seeds=["0"], seeds=["3", "4"])
    assert settings.sizes == (1, 31)
    assert settings.input_seeds == (0,)
    floats = settings_of(config, mutation="1e-3", gradients="0.5", run_timeout="2.5", kernels_per_seed="1e2")
    assert (floats.mutation, floats.gradients, floats.run_timeout) == (0.001, 0.5, 2.5)
    assert set(floats.kernels.values()) == {100}
    assert type(settings_of(config, kernels_per_seed=4.0).kernels["matrix"]) is int
    assert {shard.seed for shard in settings.generated_shards} == {3, 4}


def test_times_are_taken_of_sizes_of_each_device_or_of_the_same(config: dict[str, Any]) -> None:
    assert max(settings_of(config).speed_sizes["cuda"]) == 16_000_000
    assert settings_of(config, speed_sizes=["10"]).speed_sizes == {"cpu": (10,), "cuda": (10,)}
    for wrong in ({"cpu": [10]}, {"cpu": [10], "gpu": [10]}, {"cpu": [], "cuda": [10]}, [2**24 + 1]):
        assert "for each of cpu and cuda" in message_of(config, speed_sizes=wrong)


@pytest.mark.usefixtures("no_gpu")
def test_auto_adds_cuda_on_a_cluster_only(config: dict[str, Any]) -> None:
    assert settings_of(config).devices == ("cpu",)
    assert settings_of(config, cluster=True).devices == ("cpu", "cuda")
    assert settings_of(config, cluster=True, devices=["cpu"]).devices == ("cpu",)


def test_auto_adds_cuda_where_there_is_a_gpu(config: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "has_gpu", lambda: True)
    assert settings_of(config).devices == ("cpu", "cuda")


def test_native_is_the_architecture_of_the_gpu(
    config: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "native_arch", lambda: "sm_90")
    assert settings_of(config, archs=["native", "sm_90", "sm_75"]).archs == ("sm_90", "sm_75")


@pytest.mark.usefixtures("no_gpu")
def test_native_without_a_gpu_is_refused(config: dict[str, Any]) -> None:
    assert "archs: got 'native', but no GPU answers" in message_of(config, archs=["native"])


def test_an_unknown_category_is_named_with_its_nearest_match_and_the_list(config: dict[str, Any]) -> None:
    message = message_of(config, categories=["matrx"])
    assert message == (
        "config: categories: got 'matrx', did you mean 'matrix'? (allowed: "
        "loop, matrix, multi_conditional, nested_loop, vector, heat, nbody, binning, matmul, smoothing)"
    )


def test_an_unknown_key_is_named_with_its_nearest_match(config: dict[str, Any]) -> None:
    assert "unknown key 'device', did you mean 'devices'? (allowed: archs, " in message_of(config, device=1)


def test_what_the_shipped_configuration_holds_out_exists() -> None:
    held_out = yaml.safe_load((ROOT / "config.yaml").read_text())["dataset"]["held_out"]
    assert set(held_out) <= set(generated_categories(ROOT))


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        (
            "held_out",
            ["vectr"],
            "config: dataset: held_out: got 'vectr', did you mean 'vector'? (allowed: loop, ",
        ),
        ("splits", {"test_ood": 1}, "config: dataset: got {'splits': {'test_ood': 1}, "),
        ("splits", {"train": 0}, "config: dataset: got {'splits': {'train': 0}, "),
        ("min_verification", {"devices": ["gpu"], "mutation_score": 0}, "config: dataset: got "),
        ("contaminated", "keep", "config: dataset: got "),
        (
            "decontaminate",
            "no/such",
            "config: dataset: decontaminate: got 'no/such', which is not a folder here; ",
        ),
    ],
)
def test_a_wrong_part_of_the_dataset_is_named(
    config: dict[str, Any], key: str, value: Any, words: str
) -> None:
    assert message_of(config, dataset=config["dataset"] | {key: value}).startswith(words)


def test_a_package_is_held_out_by_its_name(config: dict[str, Any]) -> None:
    changes = {
        "sources": config["sources"] | {"wave": "warp.examples.core.example_wave"},
        "dataset": config["dataset"] | {"held_out": ["warp"]},
    }
    assert settings_of(config, **changes).dataset["held_out"] == ["warp"]
    assert "held_out: got 'warp'" in message_of(config, dataset=changes["dataset"])


def test_held_out_categories_have_aliases(config: dict[str, Any]) -> None:
    dataset = settings_of(config, dataset=config["dataset"] | {"held_out": ["nested"]}).dataset
    assert dataset["held_out"] == ["nested_loop"]


def test_words_of_the_command_line_are_what_they_mean(config: dict[str, Any]) -> None:
    given = config["dataset"] | {"times": "true", "answers": "null"}
    dataset = settings_of(config, dataset=given).dataset
    assert (dataset["times"], dataset["answers"]) == (True, None)


def test_a_missing_setting_is_named(config: dict[str, Any]) -> None:
    del config["sizes"]
    assert message_of(config).startswith("config: sizes: missing; allowed: ")


def test_every_problem_is_said_at_once(config: dict[str, Any]) -> None:
    assert len(message_of(config, seeds=0, sizes=[], archs="x").splitlines()) == 3


def test_a_source_must_be_there_and_have_a_name_of_its_own(config: dict[str, Any]) -> None:
    message = message_of(config, sources={"vector": "none.py"})
    assert "sources: got the name 'vector', which is a generated category" in message
    assert "sources: vector: got 'none.py', which is not a file here" in message


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (
            "no_such.module",
            "there is no module 'no_such'; expected a Python file (kernels.py) or an importable",
        ),
        ("examples/heat.py:", "has nothing after its colon"),
        ("examples/heat.py:3 +", "'3 +' is not an expression"),
        ("two words", "'two words' is neither a file nor the name of a module"),
    ],
)
def test_a_source_is_a_file_or_a_module(config: dict[str, Any], source: str, words: str) -> None:
    message = message_of(config, sources={"own": source})
    assert f"config: sources: own: got {source!r}: " in message
    assert words in message


def test_a_source_may_name_a_module_and_a_kernel(config: dict[str, Any], tmp_path: Path) -> None:
    for source in ("examples/heat.py:heat_step", "json.decoder", "json.decoder:make(3)"):
        assert settings_of(config, sources={"own": source}).sources["own"] == source


def test_a_difficulty_that_a_category_lacks_is_said_before_the_build(config: dict[str, Any]) -> None:
    said = message_of(config, difficulty={"hard": 1}, categories=["loop", "matrix"])
    assert "no kernels of these categories are hard: matrix has easy and medium and expert ones" in said
    assert said.endswith("categories=[loop]")
    assert settings_of(config, difficulty={"hard": 1}, categories=["loop"]).difficulty == {"hard": 1.0}


def test_a_category_is_a_file() -> None:
    known = generated_categories(ROOT)
    assert {"arithmetic", "matrix", "nested_loop", "random_math"} <= set(known)
    assert not any(name.startswith("_") for name in known)


def test_sources_of_the_command_line_are_no_additions(config: dict[str, Any]) -> None:
    own = {"plate": "examples/heat.py"}
    merged = {**config, "sources": config["sources"] | own}
    assert load(only_own_sources(merged, {"sources": own}), SCHEMA, CATEGORIES).shards == (Shard("plate", 0),)
    for command_line in (
        {"seeds": 3},
        {"sources": own, "categories": ["matrix"]},
        {"sources": {}},
        {"sources": "x"},
    ):
        assert only_own_sources(merged, command_line) == merged


@pytest.mark.workflow
def test_an_overlay_changes_only_what_differs(tmp_path: Path) -> None:
    overlay = tmp_path / "overlay.yaml"
    overlay.write_text("seeds: [5]\ncategories: [nested]\n")
    planned = Build.fresh(tmp_path / "build").planned("kernels", "--configfile", str(overlay))
    assert planned == {"kernels", "kernels_shard category=nested_loop, seed=5"}

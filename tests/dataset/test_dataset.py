"""The dataset: what is in it, in which split, that it loads, and that nothing else passes for it."""

import dataclasses
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from building import Build
from weft.dataset.build import Options, build_dataset
from weft.dataset.check import check_dataset
from weft.dataset.checksums import CHECKSUMS, write_checksums
from weft.dataset.croissant import write_croissant
from weft.dataset.json_files import write_json_files
from weft.dataset.reading import data_files
from weft.dataset.schema import SCHEMAS
from weft.dataset.writer import SplitWriter
from weft.errors import UserError
from weft.files import read_json, write_json

pytestmark = pytest.mark.workflow

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
OPTIONS = Options(
    shares={"train": 0.7, "validation": 0.2, "test": 0.1},
    held_out=(),
    devices=(),
    mutation_score=0.0,
    licenses={},
    repository=REPOSITORY,
)


@pytest.fixture(scope="module")
def folder(small_build: Build) -> Path:
    return small_build.results / "dataset"


@pytest.fixture
def results(small_build: Build, tmp_path: Path) -> Path:
    """The files of the small build, to change."""
    copy = tmp_path / "results"
    shutil.copytree(small_build.results, copy, ignore=shutil.ignore_patterns("dataset", "samples", "warp_*"))
    return copy


@pytest.fixture
def changed(folder: Path, tmp_path: Path) -> Path:
    """A copy of the dataset, to change."""
    return Path(shutil.copytree(folder, tmp_path / "dataset"))


def rows(folder: Path, config: str) -> list[dict[str, Any]]:
    paths = [path for (name, _), paths in data_files(folder).items() if name == config for path in paths]
    return [row for path in paths for row in pq.read_table(path).to_pylist()]


def replant(folder: Path, config: str, split: str, planted: list[dict[str, Any]]) -> None:
    """Write a split anew, and checksums that fit."""
    for path in (folder / "data" / config).glob(f"{split}-*"):
        path.unlink()
    writer = SplitWriter(folder / "data", config, split)
    writer.add(planted)
    writer.close()
    write_checksums(folder)


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def edit(path: Path, change: Callable[[Any], None]) -> None:
    content = read_json(path)
    change(content)
    write_json(path, content)


def test_the_build_makes_a_dataset_of_every_verified_sample(folder: Path) -> None:
    check_dataset(folder)
    samples = {row["sample_id"]: row for row in rows(folder, "default")}
    assert sorted(samples) == ["loop-0000-0000", "loop-0000-0001", "matrix-0000-0000", "matrix-0000-0001"]
    for row in samples.values():
        assert row["verification"]["verdict"] == "verified"
        assert "int main" in row["cuda_program"] and "int main" not in row["cuda_kernel"]
        assert "CUDA_CHECK" not in row["cuda_kernel"]
        assert f"launch_{row['kernel_name']}" in row["cuda_kernel"]
        assert [one["arch"] for one in row["ptx"]] == ["sm_75"]
        assert set(json.loads(row["launch"])["parameters"]) >= {one["name"] for one in row["signature"]}
        assert "wp." not in row["instruction"]
        assert row["instruction"].startswith(row["request"])
        assert row["concepts"] and row["made_of"]["goal"]
    assert "\nSamples by concept: " in (folder / "README.md").read_text()
    assert len(rows(folder, "sft")) == 5 * len(samples)
    assert {row["extra_info"]["sample_id"] for row in rows(folder, "rl")} == samples.keys()
    assert {row["sample_id"] for row in rows(folder, "ir")} == samples.keys()


def test_the_columns_are_these(folder: Path) -> None:
    written = {
        path.parent.name: pq.read_schema(path) for paths in data_files(folder).values() for path in paths
    }
    assert all(schema.equals(SCHEMAS[config]) for config, schema in written.items())
    shown = "\n\n".join(f"{config}\n{schema.to_string()}" for config, schema in SCHEMAS.items())
    assert f"{shown}\n" == (HERE / "schema.txt").read_text()


@pytest.fixture
def loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], set[str]]:
    """Load every config and split of a dataset without a network, streaming too; the configs."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    datasets = pytest.importorskip("datasets")

    def load(folder: Path) -> set[str]:
        configs = datasets.get_dataset_config_names(str(folder))
        for config in configs:
            loaded = datasets.load_dataset(str(folder), config, cache_dir=str(tmp_path / "cache"))
            streamed = datasets.load_dataset(str(folder), config, streaming=True)
            assert loaded.keys() == {split for name, split in data_files(folder) if name == config}
            for split in loaded:
                assert list(loaded[split]) == list(streamed[split])
                assert loaded[split].column_names == SCHEMAS[config].names
        return set(configs)

    return load


def test_every_config_and_split_loads_without_a_network(
    folder: Path, loads: Callable[[Path], set[str]]
) -> None:
    assert loads(folder) == {"default", "sft", "ir", "rl"}


def test_the_croissant_is_valid_and_reads_every_config(folder: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant")
    dataset = mlcroissant.Dataset(folder / "croissant.json")
    assert not dataset.metadata.issues.errors
    configs = {config for config, _ in data_files(folder)}
    assert {one.id for one in dataset.metadata.record_sets} == configs
    for config in configs:
        key = "extra_info" if config == "rl" else "sample_id"
        assert len([row[f"{config}/{key}"] for row in dataset.records(config)]) == len(rows(folder, config))


def test_every_type_of_column_has_one_in_the_croissant(tmp_path: Path) -> None:
    for config in SCHEMAS:
        (tmp_path / "data" / config).mkdir(parents=True)
        (tmp_path / "data" / config / "train-00000-of-00001.parquet").write_bytes(b"")
    write_croissant(tmp_path, {"abstract": "Pairs.", "title": "Weft", "license": "MIT", "version": "1.0"})
    described = read_json(tmp_path / "croissant.json")["recordSet"]
    assert [one["name"] for one in described] == list(SCHEMAS)
    for one in described:
        assert [field["name"].partition("/")[2] for field in one["field"]] == SCHEMAS[one["name"]].names


def test_files_are_compressed_and_have_a_page_index(folder: Path) -> None:
    for paths in data_files(folder).values():
        column = pq.read_metadata(paths[0]).row_group(0).column(0)
        assert column.compression == "ZSTD"
        assert column.has_column_index and column.has_offset_index


def test_the_same_files_give_the_same_bytes(small_build: Build, folder: Path, tmp_path: Path) -> None:
    build_dataset(small_build.results, tmp_path / "again", OPTIONS)
    assert contents(tmp_path / "again") == contents(folder)


def test_held_out_categories_are_in_a_split_of_their_own(results: Path, tmp_path: Path) -> None:
    options = Options(**{**vars(OPTIONS), "held_out": ("matrix",)})
    build_dataset(results, tmp_path / "dataset", options)
    outside = {row["category"]: row["split"] == "test_ood" for row in rows(tmp_path / "dataset", "default")}
    assert outside == {"matrix": True, "loop": False}


def test_what_is_not_verified_or_equals_another_is_left_out(results: Path, tmp_path: Path) -> None:
    def reject(runs: Any) -> None:
        runs["samples"][0] |= {"verdict": "rejected", "reason": "race"}
        runs["rejects"] = [{"sample_id": runs["samples"][0]["sample_id"], "stage": "runs", "reason": "race"}]

    def repeat(ir: Any) -> None:
        first, second = ir["records"]
        second["python_source"] = first["python_source"].replace(first["kernel_name"], "another_name")

    edit(results / "runs/cpu/loop/0.json", reject)
    edit(results / "ir/matrix/0.json", repeat)
    build_dataset(results, tmp_path / "dataset", OPTIONS)
    assert {row["sample_id"] for row in rows(tmp_path / "dataset", "default")} == {
        "loop-0000-0001",
        "matrix-0000-0000",
    }
    assert (
        "excluded: equals an earlier one except for names | 1" in (tmp_path / "dataset/README.md").read_text()
    )


def test_people_s_kernels_and_mistakes_have_configs_of_their_own(
    results: Path, tmp_path: Path, loads: Callable[[Path], set[str]]
) -> None:
    edit(results / "plan.json", lambda plan: plan["sources"].update(matrix="examples/heat.py"))
    line = (results / "cuda/loop/0.cu").read_text().splitlines()
    index = read_json(results / "cuda/loop/0.json")["samples"][0]
    start = next(at for at, text in enumerate(line) if text.startswith("__global__"))
    begin = next(at for at, text in enumerate(line) if text.startswith("namespace "))
    number = len(index["includes"]) + 1 + start - begin
    mistake = {
        "operator": "barrier",
        "function": "f",
        "line": number,
        "before": line[start],
        "after": "// gone",
        "edits": [{"line": number, "count": 1, "text": "// gone\n"}],
        "reason": "wrong_output",
        "message": "an element differs",
        "failure": {
            "case": {"size": 1, "seed": 0},
            "parameter": "x",
            "index": 3,
            "expected": 1.0,
            "got": "nan",
        },
    }
    of_sample = {"sample_id": index["sample_id"], "reason": None, "score": 1.0, "killed": 1, "survived": 0}
    content = {"share": 0.0, "samples": [of_sample | {"found": [mistake]}]}
    (results / "mutation/loop").mkdir(parents=True)
    write_json(results / "mutation/loop/0.json", content)
    build_dataset(results, tmp_path / "dataset", Options(**{**vars(OPTIONS), "licenses": {"matrix": "MIT"}}))
    human = rows(tmp_path / "dataset", "human")
    assert {row["sample_id"] for row in human} == {"matrix-0000-0000", "matrix-0000-0001"}
    assert {(row["license"], row["origin"]["source"]) for row in human} == {("MIT", "examples/heat.py")}
    assert loads(tmp_path / "dataset") >= {"human", "negatives"}
    (wrong,) = rows(tmp_path / "dataset", "negatives")
    assert wrong["made_by"] == "mutation"
    assert wrong["wrong"].splitlines()[wrong["line"] - 1] == "// gone"
    assert wrong["right"].splitlines()[wrong["line"] - 1] == line[start]
    assert (wrong["verdict"], wrong["expected"], wrong["got"]) == ("wrong_output", "1.0", "nan")
    (judged,) = [
        row for row in rows(tmp_path / "dataset", "default") if row["sample_id"] == index["sample_id"]
    ]
    assert judged["verification"]["mutation_score"] == 1.0
    assert "\n- mit\n" in (tmp_path / "dataset/README.md").read_text()


def test_what_ir_says_of_a_kernel_s_concepts_and_formulas_is_in_its_row(
    results: Path, tmp_path: Path
) -> None:
    made_of = {"goal": "fluid.drag", "ending": "map", "formulas": ["fluid.density"]}

    def tell(ir: Any) -> None:
        ir["records"][0] |= {"concepts": ["halo", "loops"], "made_of": made_of}

    edit(results / "ir/loop/0.json", tell)
    build_dataset(results, tmp_path / "dataset", OPTIONS)
    told = {row["sample_id"]: row for row in rows(tmp_path / "dataset", "default")}
    first = told["loop-0000-0000"]
    assert first["concepts"][:2] == ["halo", "loops"]
    assert len(set(first["concepts"])) == len(first["concepts"])
    assert first["made_of"] == made_of


def speed(device: str, sample: str) -> dict[str, Any]:
    """What `speed` writes of a shard with one sample that was timed at one size."""
    one = {
        **{"size": 1000, "launches": 5, "median": 2e-6, "least": 1e-6, "most": 3e-6, "per_element": 2e-9},
        "bytes": 8000,
    }
    more = {"bandwidth": 4e9, "share_of_peak": 0.5} if device == "cuda" else {}
    return {
        "device": device,
        "machine": {"name": f"a {device}"},
        "flags": ["-O2"],
        "versions": {"compiler": "some"},
        "samples": [{"sample_id": sample, "problem": "", "sizes": [one | more]}],
    }


def test_times_are_a_config_and_those_of_a_gpu_stand_with_the_sample(
    results: Path, tmp_path: Path, loads: Callable[[Path], set[str]]
) -> None:
    edit(results / "plan.json", lambda plan: plan.update(devices=["cpu", "cuda"]))
    shutil.copytree(results / "runs/cpu", results / "runs/cuda")
    for shard in ("loop", "matrix"):
        for device in ("cpu", "cuda"):
            (results / f"speed/{device}/{shard}").mkdir(parents=True)
            write_json(results / f"speed/{device}/{shard}/0.json", speed(device, f"{shard}-0000-0000"))
    build_dataset(results, tmp_path / "dataset", dataclasses.replace(OPTIONS, times=True))
    assert "runs" in loads(tmp_path / "dataset")
    timed = rows(tmp_path / "dataset", "runs")
    assert {(row["sample_id"], row["device"], row["bandwidth"]) for row in timed} == {
        (f"{shard}-0000-0000", device, bandwidth)
        for shard in ("loop", "matrix")
        for device, bandwidth in (("cpu", None), ("cuda", 4e9))
    }
    for row in rows(tmp_path / "dataset", "default"):
        there = [{"machine": "a cuda", "size": 1000, "seconds": 2e-6}]
        assert row["times"] == (there if row["index"] == 0 else [])


def test_times_that_were_not_taken_are_an_error(results: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"speed/cpu/loop/0\.json: no such file"):
        build_dataset(results, tmp_path / "dataset", dataclasses.replace(OPTIONS, times=True))


@pytest.mark.parametrize("keep", [False, True])
def test_samples_that_hold_a_benchmark_s_prompt_are_dropped_or_listed(
    folder: Path, results: Path, tmp_path: Path, keep: bool
) -> None:
    planted, *others = rows(folder, "default")
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    asked = {"task_id": 3, "prompt": {"text": f"Solve this.\n{planted['python_source']}\nThank you."}}
    (prompts / "bench.jsonl").write_text(f'{{"prompt": "Write fizz buzz."}}\n{json.dumps(asked)}\n')
    options = dataclasses.replace(OPTIONS, prompts=prompts, keep_contaminated=keep)
    build_dataset(results, tmp_path / "dataset", options)
    check_dataset(tmp_path / "dataset")
    told = read_json(tmp_path / "dataset/decontamination.json")
    assert (told["prompts"], told["dropped"]) == (2, not keep)
    found = {one["sample_id"]: one for one in told["overlaps"]}
    assert found[planted["sample_id"]]["prompt"] == "bench.jsonl:2"
    left = {row["sample_id"] for row in rows(tmp_path / "dataset", "default")}
    all_samples = {one["sample_id"] for one in (planted, *others)}
    assert left == (all_samples if keep else all_samples - found.keys())
    card = (tmp_path / "dataset/README.md").read_text()
    assert "## Decontamination\n\nInstructions, Python and CUDA were compared with 2 prompts" in card


@pytest.mark.parametrize("same", ["text", "tree", "core", "chain", "cluster"])
def test_what_is_in_two_splits_is_an_error(changed: Path, same: str) -> None:
    first = rows(changed, "default")[0]
    kinds = ("text", "tree", "core", "chain")
    for place in ("elsewhere", "nowhere"):
        planted = first | {"sample_id": f"{place}-0000-0000", "split": place}
        planted["hashes"] = first["hashes"] | {one: "one" if one == same else place for one in kinds}
        planted |= {key: "one" if key == same else place for key in ("cluster", "component")}
        replant(changed, "default", place, [planted])
    with pytest.raises(UserError, match=f"have the same {same}"):
        check_dataset(changed)


def test_an_unverified_sample_is_an_error(changed: Path) -> None:
    (split, *_) = {row["split"] for row in rows(changed, "default")}
    of_split = [row for row in rows(changed, "default") if row["split"] == split]
    of_split[0]["verification"]["verdict"] = "not_run"
    replant(changed, "default", split, of_split)
    with pytest.raises(UserError, match=f"{of_split[0]['sample_id']}: is in the dataset, but not verified"):
        check_dataset(changed)


def test_a_row_of_a_sample_that_default_lacks_is_an_error(changed: Path) -> None:
    replant(changed, "sft", "elsewhere", rows(changed, "sft")[:1])
    with pytest.raises(UserError, match=r"sft: .* is in elsewhere, in default in "):
        check_dataset(changed)


def _cut(data: bytes) -> bytes:
    return data[:-9]


def _flipped(data: bytes) -> bytes:
    """One bit is another: the file reads well."""
    return data[:5] + bytes([data[5] ^ 1]) + data[6:]


@pytest.mark.parametrize(("damage", "with_checksum"), [(_cut, False), (_cut, True), (_flipped, False)])
def test_a_file_that_is_damaged_is_named(
    changed: Path, damage: Callable[[bytes], bytes], with_checksum: bool
) -> None:
    path = next(iter(data_files(changed).values()))[0]
    path.write_bytes(damage(path.read_bytes()))
    if with_checksum:
        write_checksums(changed)
    with pytest.raises(UserError, match=f"{path.name}: cut off or damaged"):
        check_dataset(changed)


def test_a_file_that_no_build_wrote_is_named(changed: Path) -> None:
    (changed / "data/default/more.parquet").write_bytes(b"")
    with pytest.raises(UserError, match=rf"more.parquet: is not in {CHECKSUMS}"):
        check_dataset(changed)


def test_what_fails_leaves_the_dataset_that_was_there(results: Path, changed: Path) -> None:
    before = contents(changed)
    path = results / "cuda/loop/0.json"
    path.write_text(path.read_text()[:-100])
    with pytest.raises(UserError, match=r"cuda/loop/0\.json: cut off or damaged"):
        build_dataset(results, changed, OPTIONS)
    assert contents(changed) == before
    assert [one.name for one in changed.parent.iterdir() if one.name.startswith(".")] == []


def test_a_build_whose_splits_would_share_an_idiom_leaves_nothing(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def repeat(ir: Any) -> None:
        first, second = ir["records"]
        second["python_source"] = first["python_source"] + "\nVARIANT = 1\n"

    edit(results / "ir/matrix/0.json", repeat)
    monkeypatch.setattr("weft.dataset.build.assign", lambda names, *_: ["train", "test"] * (len(names) // 2))
    with pytest.raises(UserError, match="in train and matrix-0000-0001 in test have the same"):
        build_dataset(results, tmp_path / "dataset", OPTIONS)
    assert [one.name for one in tmp_path.iterdir()] == ["results"]


def test_a_full_disk_is_said(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq.ParquetWriter, "write_table", full)
    with pytest.raises(UserError, match="cannot be written: no space left on device"):
        build_dataset(results, tmp_path / "dataset", OPTIONS)
    assert not (tmp_path / "dataset").exists()


def test_a_device_that_ran_nothing_is_an_error(results: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="min_verification: devices: cuda: the build ran no programs on it"):
        build_dataset(results, tmp_path / "dataset", Options(**{**vars(OPTIONS), "devices": ("cuda",)}))


def test_without_a_verified_sample_there_is_a_card_that_says_so(results: Path, tmp_path: Path) -> None:
    def stop(runs: Any) -> None:
        for sample in runs["samples"]:
            sample["verdict"] = "not_run"

    for shard in ("loop", "matrix"):
        edit(results / f"runs/cpu/{shard}/0.json", stop)
    build_dataset(results, tmp_path / "dataset", OPTIONS)
    assert not (tmp_path / "dataset/data").exists()
    assert "| in this dataset | 0 |" in (tmp_path / "dataset/README.md").read_text()


def test_pairs_are_written_as_json_files_too(folder: Path, tmp_path: Path) -> None:
    write_json_files(folder, tmp_path / "pairs")
    assert read_json(tmp_path / "pairs/stats.json")["categories"] == {"loop": 2, "matrix": 2}
    for row in rows(folder, "default"):
        pair = read_json(tmp_path / f"pairs/{row['split']}/{row['sample_id']}.json")
        assert pair["cuda_forward"] == row["cuda_forward"]
        assert pair["metadata"]["kernel_name"] == row["kernel_name"]


def test_the_script_checks_a_dataset(small_build: Build, changed: Path) -> None:
    assert small_build.script("dataset", "--check", str(changed)).returncode == 0
    (changed / "README.md").write_text("")
    done = small_build.script("dataset", "--check", str(changed))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"dataset: {changed}/README.md: cut off or damaged")

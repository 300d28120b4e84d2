"""The page of a build: what it shows, and that a browser shows it without a network."""

import base64
import html
import json
import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Page, browser

from building import Build
from weft.errors import UserError
from weft.files import read_json, write_json
from weft.report.gallery import Sample, values_of
from weft.report.page import page

SAMPLES = ["loop-0000-0000", "loop-0000-0001", "matrix-0000-0000", "matrix-0000-0001"]


@pytest.fixture(scope="module")
def file(small_build: Build) -> Path:
    return small_build.results / "report/index.html"


def record(build: Build, sample: str) -> Any:
    category = sample.split("-")[0]
    records = read_json(build.results / f"ir/{category}/0.json")["records"]
    return next(one for one in records if one["sample_id"] == sample)


def unpacked(text: str) -> Any:
    """The index of the samples on a page."""
    packed = text.partition('id="index"')[2].partition(">")[2].partition("<")[0]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def test_the_funnel_counts_every_kernel(file: Path) -> None:
    rows = re.findall(r'<th scope="row">(\w+)<small>.*?<td class="number">(\d+)</td>', file.read_text(), re.S)
    assert rows == [(step, "4") for step in ("Python", "IR", "CUDA", "compiled", "run", "verified")]


def test_the_funnel_is_drawn_once_a_kernel_is_lost(build_copy: Build) -> None:
    assert 'class="flow"' not in page(build_copy.results)
    path = build_copy.results / "stats/summary.json"
    summary = read_json(path)
    write_json(path, summary | {"total": summary["total"] | {"verified": 3}})
    widths = re.findall(r'class="flow" style="width: ([\d.]+)%"', page(build_copy.results))
    assert widths == 5 * ["100.00"] + ["75.00"]


def test_it_says_first_where_the_programs_ran(build_copy: Build, file: Path) -> None:
    first = file.read_text().partition("</section>")[0]
    assert "compiled, run on the CPU, and compared with Warp" in first
    assert "No GPU was used." in first
    path = build_copy.results / "plan.json"
    for name in ("loop", "matrix"):
        run = read_json(build_copy.results / f"runs/cpu/{name}/0.json")
        write_json(build_copy.results / f"runs/cuda/{name}/0.json", run | {"device": "cuda"})
    write_json(path, read_json(path) | {"devices": ["cpu", "cuda"]})
    first = page(build_copy.results).partition("</section>")[0]
    assert "run on the CPU and a GPU, and" in first
    assert "No GPU" not in first


def test_it_says_which_kernels_are_generated(build_copy: Build) -> None:
    path = build_copy.results / "diversity/figures.json"
    write_json(path, read_json(path) | {"kernels": 3, "distinct": 2 / 3})
    first = re.sub(r"<.*?>", "", page(build_copy.results).partition("</section>")[0])
    assert "3 kernels generated, 66.67 % of them distinct even with every name replaced" in first
    assert "; the other 1 comes from source files" in first


def test_its_first_pair_is_in_the_file_as_it_is(file: Path, small_build: Build) -> None:
    texts = re.findall(r'<code class="code">(.*?)</code></pre>\s*</section>', file.read_text(), re.S)
    python, cuda, ptx = (html.unescape(re.sub(r"<[^>]*>", "", one)) for one in texts)
    assert python == record(small_build, SAMPLES[0])["python_source"]
    assert "__global__ void" in cuda
    assert ".visible .entry" in ptx


def test_values_are_listed_as_a_reader_looks_for_them() -> None:
    entries: list[dict[str, Any]] = [
        {"difficulty": "hard", "origin": "b.py", "verdict": "rejected", "builtins": ["tid", "add"]},
        {"difficulty": "easy", "origin": "generated", "verdict": "verified", "builtins": []},
        {"difficulty": "expert", "origin": "a.py", "verdict": "not_run", "builtins": ["abs"]},
        {"difficulty": None, "origin": "a.py", "verdict": "verified", "builtins": ["add"]},
        {"difficulty": "medium", "origin": "a.py", "verdict": "verified", "builtins": ["add"]},
    ]
    samples = [Sample(entry, {}, []) for entry in entries]
    assert {key: values_of(samples, key) for key in entries[0]} == {
        "difficulty": ["easy", "medium", "hard", "expert"],
        "origin": ["generated", "a.py", "b.py"],
        "verdict": ["verified", "not_run", "rejected"],
        "builtins": ["abs", "add", "tid"],
    }


def test_a_build_without_a_program_has_a_page(build_copy: Build) -> None:
    for name in ("loop", "matrix"):
        path = build_copy.results / f"cuda/{name}/0.json"
        write_json(path, read_json(path) | {"samples": []})
    text = page(build_copy.results)
    assert "<p>No kernel was translated.</p>" in text
    assert text.count('<script type="module">') == 1


def test_the_same_build_gives_the_same_bytes(small_build: Build, file: Path) -> None:
    assert page(small_build.results) == page(small_build.results) == file.read_text()


def test_nothing_of_the_page_is_elsewhere(file: Path) -> None:
    text = re.sub(r'xmlns(:\w+)?="[^"]*"|<!DOCTYPE[^>]*>', "", file.read_text())
    assert not re.search(r"""(src|href)\s*=\s*["'](?!#|data:)|url\(["']?(?!#)|@import|https?://""", text)


def test_a_reject_is_shown_with_its_line_and_a_caret(build_copy: Build) -> None:
    rejected = {
        **{"sample_id": "loop-0000-0007", "kernel_name": "tally", "category": "loop", "seed": 0, "index": 7},
        **{"stage": "cuda", "reason": "unsupported", "message": "no <script> & no mesh", "file": "mine.py"},
        **{"line": 3, "column": 5, "source_line": "    mesh(x)"},
    }
    (build_copy.results / "stats/rejects.jsonl").write_text(2 * (json.dumps(rejected) + "\n"))
    text = page(build_copy.results)
    assert "<b>2</b> <code>unsupported</code> in the stage <code>cuda</code>" in text
    assert "no &lt;script&gt; &amp; no mesh\n\nmine.py:3:5\n        mesh(x)\n        ^" in text


def test_a_reject_without_a_line_is_shown_at_its_kernel(build_copy: Build) -> None:
    kernel = record(build_copy, SAMPLES[1])["kernel"]
    rejected = {
        **{
            "sample_id": SAMPLES[1],
            "kernel_name": kernel["name"],
            "stage": "reference",
            "reason": "unstable",
        },
        **{"message": "differs", "file": None, "line": None, "column": None, "source_line": None},
    }
    (build_copy.results / "stats/rejects.jsonl").write_text(json.dumps(rejected) + "\n")
    text = page(build_copy.results)
    assert f'<a href="#{SAMPLES[1]}">' in text
    assert unpacked(text)[1]["facts"][1][:2] == ["rejected by reference", "unstable"]
    assert re.search(rf"differs\n\n{kernel['file']}:\d+:5\n    def {kernel['name']}\(.*\n        \^", text)


def test_a_mutant_stands_beside_its_original(build_copy: Build) -> None:
    failure = {"case": {"size": 33, "seed": 0}, "parameter": "totals", "index": 4, "component": 0}
    failure |= {"expected": 2.5, "got": -2.5, "ulp": 9}
    index = read_json(build_copy.results / "cuda/loop/0.json")["samples"][0]
    # What the last statement of the kernel has become.
    line, _, first, _ = next(
        one for one in index["source_lines"][::-1] if one[2] != index["source_lines"][-1][2]
    )
    python = record(build_copy, SAMPLES[0])["python_source"].split("\n")[first - 1].strip()
    edit = {"line": line, "count": 1, "text": "    left_out();\n"}
    shown = {"operator": "bound", "function": "f", "line": line, "edits": [edit], "before": "", "after": ""}
    shown |= {"reason": "wrong_output", "message": "", "failure": failure}
    survivor = {"operator": "atomic", "function": "g", "line": 9, "before": "a < b", "after": "a <= b"}
    sample: dict[str, Any] = {
        "sample_id": SAMPLES[0],
        "kernel_name": "f",
        "found": [shown],
        "survivors": [survivor],
    }
    sample |= {"kernels": 1, "score": 0.75, "killed": 3, "survived": 1, "equivalent": 2, "not_compiled": 0}
    write_json(build_copy.results / "mutation/loop/0.json", {"share": 0.5, "samples": [sample]})
    for name, change in (
        ("plan", {"mutation": 0.5}),
        ("stats/summary", {"mutation": {**sample, "operators": {}}}),
    ):
        path = build_copy.results / f"{name}.json"
        write_json(path, read_json(path) | change)
    text = page(build_copy.results).partition('id="mistakes"')[2].partition("</section>")[0]
    wrong = text.partition("<figcaption>with the mistake")[2].partition("</figure>")[0]
    differs = re.findall(r'<span class="row differs">(.*)\n</span>', wrong)
    assert [re.sub(r"<[^>]*>", "", one).strip() for one in differs] == ["left_out();"]
    told = html.unescape(re.sub(r"<[^>]*>", "", text))
    assert all(word in told for word in (f"Python: {python}", "size 33, seed 0", "totals[4]", "-2.5"))
    assert "holds the fill of outputs" not in told
    assert "planted small mistakes in 1 of the 4 programs" in told
    assert "It found 3 of 4. Not counted: 2 that cannot change any result. The other programs" in told
    assert "mistakes found, planted in 1 of the programs" in page(build_copy.results)
    assert f"A plain update instead of an atomic one in {SAMPLES[0]} g, line 9: a < b became a <= b" in told
    sample["found"] = [shown | {"reason": "unwritten_output"}]
    write_json(build_copy.results / "mutation/loop/0.json", {"share": 0.5, "samples": [sample]})
    assert "-2.5</code>: the element was never written, and holds the fill" in page(build_copy.results)


def test_the_rules_of_the_workflow_are_drawn(file: Path) -> None:
    drawing = file.read_text().partition('<div class="scroll dag">')[2].partition("</div>")[0]
    arrows = re.findall(r"<title>(\w+)&#45;&gt;(\w+)</title>", drawing)
    names = dict(re.findall(r"<title>(\d+)</title>.*?<text[^>]*>(\w+)</text>", drawing, re.S))
    rules = {(names[before], names[after]) for before, after in arrows}
    assert {("ir_shard", "cuda_shard"), ("cuda_shard", "ptx_shard"), ("report_page", "all")} <= rules
    assert ("kernels_shard", "runs_cpu") not in rules


def test_speeds_are_drawn_once_they_are_measured(build_copy: Build) -> None:
    heading = "<b>Speed</b>"
    assert heading not in page(build_copy.results)
    times = {"cpu": {"nanoseconds_per_element": 8.0}, "cuda": {"nanoseconds_per_element": 0.25}}
    rows = [{"size": 1000, **times}, {"size": 100_000, "cuda": times["cuda"]}]
    (build_copy.results / "speed").mkdir()
    write_json(build_copy.results / "speed/table.json", {"schema": 1, "machines": {}, "sizes": rows})
    text = page(build_copy.results)
    assert all(word in text.partition(heading)[2] for word in (">cpu<", ">cuda<", ">ns per element<"))


def test_a_large_build_shows_a_share(small_build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weft.report.page.GALLERY", 2)
    shown = re.search(r"<p>(\d) of the 4 kernels, selected by id", page(small_build.results))
    assert shown and int(shown[1]) < 4


def test_a_file_that_is_missing_is_named(build_copy: Build) -> None:
    (build_copy.results / "cuda/loop/0.json").unlink()
    with pytest.raises(UserError, match=r"cuda/loop/0\.json"):
        page(build_copy.results)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Page]:
    with browser() as tab:
        yield tab


@pytest.fixture
def tab(chromium: Page, file: Path) -> Iterator[Page]:
    """The page as it opens; afterwards it had nothing to complain of, and asked nobody for anything."""
    chromium.requests.clear()
    chromium.open(file)
    yield chromium
    assert chromium.problems == []
    assert [one for one in chromium.requests if not one.startswith(("data:", "about:"))] == [file.as_uri()]


IN_BROWSER = pytest.mark.needs("chromium")


def listed(tab: Page) -> list[str]:
    found: list[str] = tab.run(
        "[...document.querySelectorAll('#list li:not([hidden]) .id')].map(e => e.textContent)"
    )
    return found


def shown(tab: Page, sample: str) -> None:
    tab.wait(f"document.querySelector('#link').textContent === '#{sample}'")


COUNT = "document.querySelector('#count').textContent"


@IN_BROWSER
def test_it_opens_with_the_first_sample(tab: Page, small_build: Build) -> None:
    assert listed(tab) == SAMPLES
    texts = tab.run("[...document.querySelectorAll('.pane code')].map(e => e.textContent)")
    assert texts[0] == record(small_build, SAMPLES[0])["python_source"]
    assert "__global__ void" in texts[1]
    assert ".visible .entry" in texts[2]


@IN_BROWSER
def test_a_pair_is_in_the_first_view_even_without_script(
    chromium: Page, file: Path, small_build: Build
) -> None:
    chromium.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        chromium.show(file, width=1280, height=900)
        for language in ("python", "cuda"):
            top = chromium.run(
                f"document.querySelector('[data-pane={language}] pre').getBoundingClientRect().top"
            )
            assert 0 < top < 900 - 12 * 18  # a dozen lines
        assert listed(chromium) == SAMPLES
    finally:
        chromium.send("Emulation.setScriptExecutionDisabled", value=False)


@IN_BROWSER
def test_search_and_filters_narrow_the_list(tab: Page, small_build: Build) -> None:
    word = record(small_build, SAMPLES[3])["kernel_name"]
    tab.press("/")
    for letter in word:
        tab.press(letter)
    assert listed(tab) == [SAMPLES[3]]
    assert tab.run(COUNT) == "1 of 4"
    tab.press("q")
    assert listed(tab) == [] and tab.run(COUNT) == "nothing found"
    tab.run("document.querySelector('#filters').reset()")
    choose = "document.querySelector('[data-key=category]')"
    tab.run(f"{choose}.value = 'loop'; {choose}.dispatchEvent(new Event('input', {{bubbles: true}}))")
    assert listed(tab) == SAMPLES[:2]


@IN_BROWSER
def test_the_list_is_narrowed_to_a_builtin_and_a_concept(tab: Page) -> None:
    for key in ("builtins", "concepts"):
        choose = f"document.querySelector('[data-key={key}]')"
        values = tab.run(f"[...{choose}.options].map((one) => one.value).slice(1)")
        assert values == sorted(values)
        found = {}
        for value in values:
            tab.run(
                f"{choose}.value = '{value}'; {choose}.dispatchEvent(new Event('input', {{bubbles: true}}))"
            )
            found[value] = listed(tab)
        tab.run("document.querySelector('#filters').reset()")
        assert all(found.values())
        assert any(len(one) < len(SAMPLES) for one in found.values())


@IN_BROWSER
def test_keys_and_links_lead_to_samples(tab: Page, file: Path) -> None:
    tab.press("j")
    shown(tab, SAMPLES[1])
    tab.press("k")
    shown(tab, SAMPLES[0])
    tab.run(f"location.hash = '#{SAMPLES[2]}'")
    shown(tab, SAMPLES[2])
    tab.open(file, f"#{SAMPLES[3]}")
    shown(tab, SAMPLES[3])
    tab.run("location.hash = '#vector-0000-0999'")
    tab.wait(f"{COUNT} === 'vector-0000-0999 is not on this page'")
    tab.requests[:] = [file.as_uri()]  # it was opened twice


@IN_BROWSER
def test_each_sample_is_found_in_its_block(
    chromium: Page, small_build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("weft.report.page.BLOCK", 3)
    (tmp_path / "index.html").write_text(page(small_build.results))
    for sample in SAMPLES:
        chromium.open(tmp_path / "index.html", f"#{sample}")
        text = chromium.run("document.querySelector('[data-pane=python] code').textContent")
        assert text == record(small_build, sample)["python_source"]


@IN_BROWSER
def test_a_text_is_copied(tab: Page, small_build: Build) -> None:
    tab.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    tab.run("document.querySelector('[data-pane=python] .copy').click()")
    assert tab.run("window.copied") == record(small_build, SAMPLES[0])["python_source"]


@IN_BROWSER
def test_a_name_is_lit_in_every_text(tab: Page, small_build: Build) -> None:
    name = record(small_build, SAMPLES[0])["signature"][0]["name"]
    tab.run(
        f"[...document.querySelectorAll('[data-pane=python] span')].find(e => e.textContent === '{name}')"
        ".dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))"
    )
    for language in ("python", "cuda"):
        lit = tab.run(
            f"[...document.querySelectorAll('[data-pane={language}] .same')].map(e => e.textContent)"
        )
        assert set(lit) == {name}


@IN_BROWSER
@pytest.mark.parametrize(("language", "other"), [("python", "cuda"), ("cuda", "python")])
def test_lines_that_belong_together_are_lit(tab: Page, small_build: Build, language: str, other: str) -> None:
    entry = read_json(small_build.results / "cuda/loop/0.json")["samples"][0]
    line, end, first, last = next(
        one for one in entry["source_lines"] if [e[2] for e in entry["source_lines"]].count(one[2]) == 1
    )
    lines = {"cuda": [line, end], "python": [first, last]}
    spot = tab.run(
        f"(() => {{ const pre = document.querySelector('[data-pane={language}] pre');"
        "pre.scrollIntoView({block: 'center'});"
        "const height = parseFloat(getComputedStyle(pre).lineHeight);"
        f"pre.scrollTo(0, {lines[language][0] - 3} * height);"
        "const box = pre.querySelector('code').getBoundingClientRect();"
        f"return [box.left + 5, box.top + {lines[language][0] - 0.5} * height]; }})()"
    )
    tab.point(*spot)
    for one, (begin, until) in lines.items():
        bands = tab.run(
            f"[...document.querySelectorAll('[data-pane={one}] .lights i')]"
            ".map(e => [e.style.top, e.style.height])"
        )
        assert bands == [[f"{begin - 1}lh", f"{until - begin + 1}lh"]]
    assert not tab.run("document.querySelector('[data-pane=ptx] .lights i')")
    # A click brings the other text's line into view.
    pane = f"document.querySelector('[data-pane={other}] pre')"
    tab.run(f"{pane}.scrollTo({{top: 1e6, behavior: 'instant'}})")
    tab.point(*spot, click=True)
    tab.wait(
        f"(() => {{ const box = {pane}.getBoundingClientRect();"
        f"const band = document.querySelector('[data-pane={other}] .lights i').getBoundingClientRect();"
        "return band.top >= box.top && band.bottom <= box.bottom; })()"
    )


@IN_BROWSER
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_the_window(tab: Page, file: Path, width: int) -> None:
    tab.open(file, width=width)
    assert tab.run("document.documentElement.scrollWidth") <= width
    assert tab.run("[...document.querySelectorAll('.pane')].filter(e => !e.hidden).length") == (
        1 if width == 390 else 3
    )
    assert tab.run("document.querySelector('.bar').offsetHeight") < 50
    assert tab.run("document.querySelector('.hints').offsetHeight > 0") == (width == 1280)
    columns = tab.run("document.querySelector('[data-pane=python] pre').clientWidth / 7.53")
    assert columns > (70 if width == 1280 else 40)
    tab.requests[:] = [file.as_uri()]  # it was opened twice


@IN_BROWSER
def test_it_is_dark_where_the_system_is_or_the_reader_asks(tab: Page) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    light = tab.run(background)
    tab.run("document.querySelector('#theme').click()")
    assert tab.run(background) != light
    tab.run("document.querySelector('#theme').click()")
    assert tab.run(background) == light
    tab.run("delete document.documentElement.dataset.theme")
    tab.colours("dark")
    assert tab.run(background) != light
    tab.colours("light")


@IN_BROWSER
def test_pictures_are_written(file: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(Path(__file__).with_name("pictures.py")), str(file), "-o", str(tmp_path)]
    subprocess.run(command, check=True, timeout=120)
    assert {path.name for path in tmp_path.iterdir()} == {"report-light.png", "report-dark.png"}
    assert all(path.stat().st_size < 300_000 for path in tmp_path.iterdir())

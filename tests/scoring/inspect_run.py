"""Runs Weft's task in Inspect, by its name, with a model that answers from a folder of samples.

Run by test_inspect.py in an environment with Inspect: `inspect_run.py RESULTS FOLDER [no-sandbox]` prints
each sample's score as JSON. The first sample of a category is answered with its own program, the others with
prose.
"""

import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai import eval as evaluate
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model


def main(results: Path, folder: Path, sandboxed: bool) -> dict[str, Any]:
    """The scores, by the ids of the tasks."""
    programs = {
        f"launch_{path.stem}(": path.read_text(encoding="utf-8")
        for path in (results / "samples").glob("*-0000-0000/*.cu")
    }

    def answer(said: list[ChatMessage], *_: object) -> ModelOutput:
        known = [program for launcher, program in programs.items() if launcher in said[-1].text]
        text = f"Here it is.\n```cuda\n{known[0]}```\n" if known else "I cannot do that."
        output = ModelOutput.from_content("mockllm/model", text)
        # It would else count tokens, with a table that it fetches.
        return output.model_copy(
            update={"usage": ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)}
        )

    (log,) = evaluate(
        "weft/translate",
        model=get_model("mockllm/model", custom_outputs=answer),
        # The environment of Inspect has no Warp, which fresh cases need.
        task_args={"results": str(results), "sandboxed": sandboxed, "as_built": True},
        log_dir=str(folder),
        display="none",
    )
    assert log.status == "success", log.error and log.error.message
    assert log.results is not None
    metrics = {
        one.name: {name: metric.value for name, metric in one.metrics.items()} for one in log.results.scores
    }
    scores = {
        one.id: next(iter(one.scores.values())).model_dump(include={"value", "explanation"})
        for one in log.samples or []
        if one.scores
    }
    return {"metrics": metrics, "scores": scores}


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), Path(sys.argv[2]), "no-sandbox" not in sys.argv)))

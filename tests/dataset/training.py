"""Ten steps of supervised fine-tuning on a dataset's `sft`, on the CPU: a tiny model with random weights.

Run by test_training.py in an environment with TRL: `training.py DATASET FOLDER` prints the losses as JSON.
"""

import json
import sys
from pathlib import Path

from datasets import Dataset, load_dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import SFTConfig, SFTTrainer

END = "<|end|>"
CHAT = """\
{% for message in messages %}{{ message['role'] }}
{% if message['role'] == 'assistant' %}{% generation %}{{ message['content'] }}<|end|>{% endgeneration %}
{% else %}{{ message['content'] }}<|end|>
{% endif %}{% endfor %}{% if add_generation_prompt %}assistant
{% endif %}"""


def tokenizer_of(data: Dataset) -> PreTrainedTokenizerFast:
    """A byte-pair tokenizer that is trained on the data itself: no file is fetched."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    texts = (message["content"] for row in data for message in row["messages"])
    trainer = trainers.BpeTrainer(
        vocab_size=1000,
        special_tokens=[END],
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=END, pad_token=END, chat_template=CHAT
    )


def train(dataset: Path, folder: Path) -> list[float]:
    """The losses of the steps. Only what the assistant says counts."""
    data = load_dataset(str(dataset), "sft", split="train")
    tokenizer = tokenizer_of(data)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=64,
            intermediate_size=128,
            num_hidden_layers=2,
            num_attention_heads=4,
            max_position_embeddings=1024,
        )
    )
    settings = SFTConfig(
        output_dir=str(folder),
        max_steps=10,
        per_device_train_batch_size=2,
        learning_rate=1e-2,
        lr_scheduler_type="constant",
        max_length=1024,
        assistant_only_loss=True,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        use_cpu=True,
        bf16=False,
        seed=0,
    )
    trainer = SFTTrainer(model=model, args=settings, train_dataset=data, processing_class=tokenizer)
    trainer.train()
    return [one["loss"] for one in trainer.state.log_history if "loss" in one]


if __name__ == "__main__":
    print(json.dumps(train(Path(sys.argv[1]), Path(sys.argv[2]))))

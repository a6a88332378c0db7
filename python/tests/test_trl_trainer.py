"""A real `GRPOTrainer` plays: its loop finds the tools, calls them, and takes the rewards.

The model is a tiny one with random weights, which would never call a tool; so what it writes is replaced by what the
oracle did, or by giving up at once. Everything else is the trainer's: schemas, templates, parsing, calls, rewards,
the step of training.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from moves import moves
from probity_sandbox import Environment
from probity_sandbox.trl import factories, rows

for module in ("trl", "torch", "datasets"):
    pytest.importorskip(module, reason=f"{module} is not installed")
pytestmark = pytest.mark.filterwarnings("default")

Record = dict[str, Any]
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]


def tokenizer(texts: list[str]) -> Any:
    """Learned from the prompts, so that they are short, with the template of a model that calls tools."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast
    from trl.chat_template_utils import qwen3_chat_template

    learned = Tokenizer(models.BPE())
    learned.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    learned.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    learned.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=2000, special_tokens=SPECIAL, initial_alphabet=alphabet)
    )
    made = PreTrainedTokenizerFast(tokenizer_object=learned, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    made.chat_template = qwen3_chat_template
    return made


def model(size: int) -> Any:
    from transformers import Qwen3Config, Qwen3ForCausalLM

    config = Qwen3Config(
        vocab_size=size,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        max_position_embeddings=65536,
    )
    return Qwen3ForCausalLM(config)


def script(record: Record) -> list[str]:
    """What a model would write to do what the oracle did, message by message."""
    calls = []
    for text, made in moves(record):
        calls += [{"name": call.tool, "arguments": call.arguments} for call in made]
        calls += [] if text is None else [{"name": "say_to_user", "arguments": {"text": text}}]
    return [f"<tool_call>\n{json.dumps(call, ensure_ascii=False)}\n</tool_call>" for call in calls] + ["Done."]


def test_a_trainer_plays_and_learns(environment: Environment, oracle: Record, tmp_path: Path) -> None:
    import torch
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    task, levels = oracle["trace"]["header"]["task"], oracle["trace"]["header"]["levels"]
    lines = script(oracle)

    class Trainer(GRPOTrainer):  # type: ignore[misc]
        def _generate_single_turn(self, prompt_ids: list[list[int]], *arguments: Any, **named: Any) -> Any:
            """The first rollout of a group does what the oracle did, the other one gives up."""
            texts = []
            for index, ids in enumerate(prompt_ids):
                done = self._tokenizer.decode(ids).count("<tool_response>")
                is_first = done > 0 or index % 2 == 0
                texts.append((lines[done] if is_first else "No.") + "<|im_end|>")
            made = [self._tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]
            return made, [[0.0] * len(ids) for ids in made]

    found = [row for row in rows(environment, [task], seed=3) if json.loads(row["levels"]) == levels]
    assert len(found) == 1
    classes = factories(environment, [task])
    texts = [found[0]["prompt"][0]["content"], *lines]
    words = tokenizer(texts + [str(tool.schema()) for tool in next(iter(classes.values()))._tools])
    trainer = Trainer(
        model=model(len(words)),
        processing_class=words,
        train_dataset=Dataset.from_list(found),
        environment_factory=classes,
        args=GRPOConfig(
            output_dir=str(tmp_path),
            per_device_train_batch_size=2,
            num_generations=2,
            max_completion_length=16384,
            max_steps=1,
            logging_steps=1,
            report_to="none",
            save_strategy="no",
            use_cpu=True,
            learning_rate=0.1,
        ),
    )
    before = [parameter.detach().clone() for parameter in trainer.model.parameters()]
    trainer.train()
    logged = trainer.state.log_history[0]
    (name,) = {type(rollout).__name__ for rollout in trainer.environments}
    assert name == "TravelHospitalityFrontDeskRollout"
    # One rollout of two succeeded.
    assert logged[f"rewards/{name}/mean"] == logged["reward"] == 0.5
    assert logged["tools/call_frequency"] == (len(lines) - 1) / 2 and logged["tools/failure_frequency"] == 0
    assert [rollout.get_reward() for rollout in trainer.environments] == [1.0, 0.0]
    assert trainer.environments[0].episode.score().digest == oracle["digest"]
    assert math.isfinite(logged["loss"])
    after = trainer.model.parameters()
    assert any(not torch.equal(was, parameter) for was, parameter in zip(before, after, strict=True))

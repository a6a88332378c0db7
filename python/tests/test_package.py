"""The package as a whole: its types, and what its README says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Types
from probity_sandbox import Environment

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
EXPECTED = [re.findall(r"print\(.*\)  # (.*)", block) for block in BLOCKS]


def test_the_first_example_does_what_it_says() -> None:
    command = [sys.executable, "-W", "error", "-c", BLOCKS[0]]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 0, BLOCKS[0] + ended.stderr
    assert ended.stdout.splitlines() == EXPECTED[0] != []


def test_the_other_examples_do_what_they_say(
    environment: Environment, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each block of Python runs, in the sandbox of all tests; what a comment after `print` says is printed."""
    pytest.importorskip("gymnasium", reason="gymnasium is not installed")
    assert len(BLOCKS) >= 5

    def lent(self: Environment, **_: object) -> None:
        self.__dict__.update(environment.__dict__)

    monkeypatch.setattr(Environment, "__init__", lent)
    monkeypatch.setattr(Environment, "close", lambda _: None)
    for block, expected in zip(BLOCKS[1:], EXPECTED[1:], strict=True):
        code = compile(block, "README.md", "exec")
        if "GRPOTrainer" not in block:
            exec(code, {})
            assert capsys.readouterr().out.splitlines() == expected != [], block


def test_nothing_is_required() -> None:
    text = "import sys, probity_sandbox\nassert not {'gymnasium', 'numpy', 'pyarrow', 'ray', 'trl', 'verifiers'} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", text], check=True)


def test_types_are_strict(types: Types | None) -> None:
    if types is None:
        pytest.skip("mypy is not installed")
    code, text = types.said()
    assert code == 0, text

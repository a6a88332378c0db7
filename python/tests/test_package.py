"""The package as a whole: its types, and what its README says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_types_are_strict(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path)]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_examples_do_what_they_say() -> None:
    """Each block of Python runs; what a comment after `print` says is printed."""
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(blocks) >= 4
    for block in blocks:
        if "GRPOTrainer" in block:
            compile(block, "README.md", "exec")
            continue
        ended = subprocess.run(
            [sys.executable, "-W", "error", "-c", block], capture_output=True, text=True, check=False, timeout=120
        )
        assert ended.returncode == 0, block + ended.stderr
        expected = re.findall(r"print\(.*\)  # (.*)", block)
        assert ended.stdout.splitlines()[-len(expected) :] == expected or not expected, ended.stdout


def test_nothing_is_required() -> None:
    text = "import sys, probity_sandbox\nassert not {'gymnasium', 'numpy', 'pyarrow', 'trl'} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", text], check=True)

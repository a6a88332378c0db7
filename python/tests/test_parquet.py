"""A run as Parquet says what the run says."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from probity_sandbox.parquet import export, main


def test_a_run_as_tables(run_directory: Path, records: list[dict[str, Any]], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "probity_sandbox.parquet", str(run_directory), str(tmp_path / "out")]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ended.stdout.startswith(f"{len(records)} episodes")
    rows = pq.read_table(tmp_path / "out" / "episodes.parquet").to_pylist()
    traces = pq.read_table(tmp_path / "out" / "traces.parquet").to_pylist()
    assert len(rows) == len(traces) == len(records)
    assert [row["digest"] for row in rows] == [trace["digest"] for trace in traces]
    assert rows == sorted(rows, key=lambda row: (row["task"], row["levels"], row["trial"], row["agent"]))
    known = {(record["agent"], record["digest"]): record for record in records}
    for row, trace in zip(rows, traces, strict=True):
        record = known[row["agent"], row["digest"]]
        header = record["trace"]["header"]
        assert json.loads(trace["trace"]) == record["trace"]
        assert (row["task"], row["seed"], row["user"]) == (header["task"], header["seed"], header["user"])
        assert (row["variant"], row["end"]) == (record["factors"]["variant"], "completed")
        for name, reading in record["scores"]["metrics"].items():
            assert row[f"score_{name}"] == reading.get("value")
            assert (row[f"score_{name}"] is None) == (reading["status"] == "not_scored")
            assert row[f"why_not_{name}"] == reading.get("reason")


def test_the_same_run_has_the_same_bytes(run_directory: Path, tmp_path: Path) -> None:
    _, *first = export(run_directory, tmp_path / "a")
    _, *second = export(run_directory, tmp_path / "b")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_nothing_is_overwritten_and_no_run_is_an_error(
    run_directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(run_directory), str(tmp_path / "out")]) == 0
    assert main([str(run_directory), str(tmp_path / "out")]) == 2
    assert main([str(tmp_path / "nothing"), str(tmp_path / "other")]) == 2
    assert main([]) == 2
    torn = tmp_path / "torn"
    shutil.copytree(run_directory, torn)
    with open(torn / "episodes.jsonl", "a", encoding="utf-8") as lines:
        lines.write('{"format":2,"agent"')
    assert main([str(torn), str(tmp_path / "from-torn")]) == 2
    assert capsys.readouterr().err.count("error:") == 3

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
    assert capsys.readouterr().err.count("error:") == 2


def test_a_last_line_that_is_cut_off_is_left_out(
    run_directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torn = tmp_path / "torn"
    shutil.copytree(run_directory, torn)
    with open(torn / "episodes.jsonl", "a", encoding="utf-8") as lines:
        lines.write('{"format":2,"agent"')
    _, *whole = export(run_directory, tmp_path / "whole")
    assert main([str(torn), str(tmp_path / "out")]) == 0
    told = capsys.readouterr()
    assert "note: the last line of" in told.err and "cut off" in told.err and "scores as recorded" in told.out
    assert [(tmp_path / "out" / path.name).read_bytes() for path in whole] == [path.read_bytes() for path in whole]


@pytest.mark.parametrize("damaged", ['{"format":2,"agent"', "{}", "5", "[" * 100_000])
def test_another_line_that_cannot_be_read_is_named(
    damaged: str, run_directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (run_directory / "episodes.jsonl").read_text(encoding="utf-8")
    (tmp_path / "episodes.jsonl").write_text(f"\n{damaged}\n{text}", encoding="utf-8")
    assert main([str(tmp_path), str(tmp_path / "out")]) == 2
    assert f"{tmp_path / 'episodes.jsonl'}: line 2 " in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_episodes_are_written_some_at_a_time(
    run_directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, *whole = export(run_directory, tmp_path / "whole")
    for name, most in (("GROUP", 4), ("GROUP_CHARACTERS", 1)):
        monkeypatch.setattr(f"probity_sandbox.parquet.{name}", most)
        _, *parts = export(run_directory, tmp_path / name)
        for one, other in zip(whole, parts, strict=True):
            assert pq.read_table(one).equals(pq.read_table(other)) and pq.ParquetFile(other).num_row_groups > 1

"""A run as Parquet files: `python -m probity_sandbox.parquet RUNDIR OUT`, with `pip install probity-sandbox[parquet]`.

`OUT/episodes.parquet` has a row for each episode: its keys, its digest, and each metric as a number that is null
where it is not scored, beside the reason. `OUT/traces.parquet` has the traces as JSON text. Rows stand in the order
of task, levels, trial and agent. The run directory stays the truth: what is here was taken from it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

#: Episodes that are written at one time.
GROUP = 1024

#: What rows are sorted by.
ORDER = ("task", "levels", "trial", "agent")
KEYS = ("agent", "task", "environment", "trial", "seed", "user", "end", "digest", "levels")


def records(run: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The episodes of a run directory, each with where its line begins."""
    with open(run / "episodes.jsonl", "rb") as lines:
        at = 0
        for line in lines:
            if line.strip():
                yield at, json.loads(line)
            at += len(line)


def traces(run: Path, places: list[int]) -> Iterator[dict[str, str]]:
    """The traces of the episodes whose lines begin there."""
    with open(run / "episodes.jsonl", "rb") as lines:
        for place in places:
            lines.seek(place)
            record = json.loads(lines.readline())
            trace = json.dumps(record["trace"], ensure_ascii=False, separators=(",", ":"))
            yield {"digest": record["digest"], "agent": record["agent"], "trace": trace}


def keys(record: Mapping[str, Any]) -> dict[str, Any]:
    """What tells an episode from others, and how it ended."""
    header, events = record["trace"]["header"], record["trace"]["events"]
    ends = [event["reason"] for event in events if event["type"] == "end"]
    return {
        "agent": record["agent"],
        "task": header["task"],
        "environment": header["environment"],
        "trial": record["trial"],
        "seed": header["seed"],
        "user": header.get("user"),
        "end": ends[-1] if ends else None,
        "digest": record["digest"],
        "levels": json.dumps(header["levels"], sort_keys=True),
    }


def factor(name: str) -> str:
    """The column of a factor, apart from those of the keys."""
    return f"factor_{name}" if name in KEYS else name


def row(record: Mapping[str, Any]) -> dict[str, Any]:
    """An episode without its trace."""
    found: dict[str, Any] = keys(record)
    found |= {factor(name): level for name, level in record["factors"].items() if name != "environment"}
    for name, reading in record["scores"]["metrics"].items():
        found[f"score_{name}"] = reading.get("value")
        found[f"why_not_{name}"] = reading.get("reason")
    return found


def schema(rows: list[dict[str, Any]]) -> pa.Schema:
    """Columns in the order in which episodes first have them; what is text and what is a number is told by its name."""
    names = dict.fromkeys(name for row in rows for name in row)
    kinds = {"trial": pa.uint32(), "seed": pa.uint64()}
    return pa.schema([(n, pa.float64() if n.startswith("score_") else kinds.get(n, pa.string())) for n in names])


def export(run: Path, out: Path) -> tuple[int, Path, Path]:
    """Writes both files, which must not exist yet; how many episodes they hold, and where they are."""
    found = [(row(record), at) for at, record in records(run)]
    found.sort(key=lambda pair: [pair[0][name] for name in ORDER])
    rows, places = [row for row, _ in found], [at for _, at in found]
    out.mkdir(parents=True, exist_ok=True)
    paths = out / "episodes.parquet", out / "traces.parquet"
    for path in paths:
        if path.exists():
            raise FileExistsError(f"{path} exists already")
    pq.write_table(pa.Table.from_pylist(rows, schema(rows)), paths[0], compression="zstd")
    columns = pa.schema([("digest", pa.string()), ("agent", pa.string()), ("trace", pa.string())])
    told = traces(run, places)
    with pq.ParquetWriter(paths[1], columns, compression="zstd") as writer:
        while group := list(islice(told, GROUP)):
            writer.write_table(pa.Table.from_pylist(group, columns))
    return len(rows), *paths


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("usage: python -m probity_sandbox.parquet RUNDIR OUT", file=sys.stderr)
        return 2
    try:
        count, episodes, told = export(Path(arguments[0]), Path(arguments[1]))
    except (OSError, ValueError, KeyError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{count} episodes: {episodes}, {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

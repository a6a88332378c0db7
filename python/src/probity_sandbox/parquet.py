"""A run as Parquet files: `python -m probity_sandbox.parquet RUNDIR OUT`, with `pip install probity-sandbox[parquet]`.

`OUT/episodes.parquet` has a row for each episode: its keys, its digest, and each metric as a number that is null
where it is not scored, beside the reason. `OUT/traces.parquet` has the traces as JSON text. Rows stand in the order
of task, levels, trial and agent. The run directory stays the truth: what is here was taken from it, the scores as they
were recorded. A last line that is cut off is left out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

#: Episodes that are written at one time, and the characters of traces after which no more are taken.
GROUP = 1024
GROUP_CHARACTERS = 64 * 1024 * 1024

#: What rows are sorted by.
ORDER = ("task", "levels", "trial", "agent")
#: The columns of the traces.
TOLD = ("digest", "agent", "trace")
KEYS = ("agent", "task", "environment", "trial", "seed", "user", "end", "digest", "levels")


class Line(NamedTuple):
    """Where an episode stands in its file, and what has to be known of all before one is written."""

    order: tuple[Any, ...]
    at: int
    names: tuple[str, ...]


def lines(path: Path) -> Iterator[Line]:
    """The episodes of a file; a last line that is cut off is none.

    Raises `ValueError` for another line that cannot be read.
    """
    known: dict[tuple[str, ...], tuple[str, ...]] = {}
    at = 0
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                print(f"note: the last line of {path} is cut off and left out", file=sys.stderr)
            elif line.strip():
                try:
                    found = row(json.loads(line))
                except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
                    raise ValueError(f"{path}: line {number} is no episode: {error!r}") from error
                names = tuple(found)
                yield Line(tuple(found[name] for name in ORDER), at, known.setdefault(names, names))
            at += len(line)


def groups(path: Path, places: Iterable[int]) -> Iterator[tuple[list[dict[str, Any]], list[dict[str, str]]]]:
    """The rows and the traces of the episodes whose lines begin there, some at a time."""
    rows: list[dict[str, Any]] = []
    traces: list[dict[str, str]] = []
    size = 0
    with open(path, "rb") as file:
        for place in places:
            file.seek(place)
            record = json.loads(file.readline())
            trace = json.dumps(record["trace"], ensure_ascii=False, separators=(",", ":"))
            rows.append(row(record))
            traces.append({"digest": record["digest"], "agent": record["agent"], "trace": trace})
            size += len(trace)
            if len(rows) == GROUP or size >= GROUP_CHARACTERS:
                yield rows, traces
                rows, traces, size = [], [], 0
    if rows:
        yield rows, traces


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


def schema(shapes: Iterable[Sequence[str]]) -> pa.Schema:
    """Columns in the order in which episodes first have them; what is text and what is a number is told by its name."""
    names = dict.fromkeys(name for shape in dict.fromkeys(shapes) for name in shape)
    kinds = {"trial": pa.uint32(), "seed": pa.uint64()}
    return pa.schema([(n, pa.float64() if n.startswith("score_") else kinds.get(n, pa.string())) for n in names])


def export(run: Path, out: Path) -> tuple[int, Path, Path]:
    """Writes both files, which must not exist yet; how many episodes they hold, and where they are."""
    source = run / "episodes.jsonl"
    found = sorted(lines(source))
    out.mkdir(parents=True, exist_ok=True)
    paths = out / "episodes.parquet", out / "traces.parquet"
    for path in paths:
        if path.exists():
            raise FileExistsError(f"{path} exists already")
    columns = schema(line.names for line in found), pa.schema([(name, pa.string()) for name in TOLD])
    with (
        pq.ParquetWriter(paths[0], columns[0], compression="zstd") as episodes,
        pq.ParquetWriter(paths[1], columns[1], compression="zstd") as told,
    ):
        for rows, traces in groups(source, (line.at for line in found)):
            episodes.write_table(pa.Table.from_pylist(rows, columns[0]))
            told.write_table(pa.Table.from_pylist(traces, columns[1]))
    return len(found), *paths


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("usage: python -m probity_sandbox.parquet RUNDIR OUT", file=sys.stderr)
        return 2
    try:
        count, episodes, told = export(Path(arguments[0]), Path(arguments[1]))
    except (OSError, ValueError, KeyError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{count} episodes, scores as recorded: {episodes}, {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

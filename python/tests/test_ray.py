"""A plan on a cluster of two nodes, of which one is lost: what comes out is the run of one process."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import program, run
from probity_sandbox.binary import find_binary, find_root
from probity_sandbox.part import End, Piece, Tail, play
from probity_sandbox.parts import Parts, Plan, Stopped
from probity_sandbox.ray import Limits, main, parser

pytestmark = pytest.mark.filterwarnings("default")

FEW = ("--agent", "oracle", "--agent", "noop", "--agent", "fault:wrong_value", "--env", "finance/bank")
SAME = ("run.json", "episodes.jsonl", "report.json", "report.html")


def planned(folder: Path, *flags: str) -> Path:
    root = find_root()
    command = [str(find_binary()), "plan", *([] if root is None else ["--root", str(root)]), *flags]
    subprocess.run([*command, "--out", str(folder / "plan.json")], check=True, capture_output=True)
    return folder / "plan.json"


def driving(plan: Path, out: Path, *flags: str, **variables: str) -> subprocess.Popen[str]:
    """A driver in a process of its own, whose parts are beside the plan."""
    command = [sys.executable, "-m", "probity_sandbox.ray", "run", "--plan", str(plan), "--out", str(out)]
    return subprocess.Popen(
        [*command, "--parts", str(plan.with_name("parts")), *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **variables},
        text=True,
    )


def ended(driver: subprocess.Popen[str], code: int) -> str:
    out, err = driver.communicate(timeout=300)
    assert driver.returncode == code, out + err
    return out + err


def waited(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 120
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)


def assert_same(one: Path, other: Path) -> None:
    for file in SAME:
        assert (one / file).read_bytes() == (other / file).read_bytes(), file


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head that plays nothing, and no other node."""
    pytest.importorskip("ray", reason="ray is not installed")
    from ray.cluster_utils import Cluster

    before = os.environ.copy()
    # Else every other program goes first.
    os.environ["RAY_worker_niceness"] = "0"
    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    yield cluster
    cluster.shutdown()
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def nodes(cluster: Any) -> Iterator[list[Any]]:
    nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
    yield nodes
    for node in nodes:
        if node in cluster.worker_nodes:
            cluster.remove_node(node, allow_graceful=False)


def test_a_node_is_lost_and_the_run_is_that_of_one_process(cluster: Any, nodes: list[Any], tmp_path: Path) -> None:
    plan, merged = planned(tmp_path, *FEW, "--trials", "3"), tmp_path / "merged"
    driver = driving(plan, merged, "--address", cluster.address)
    # Both nodes have sent something when one goes.
    waited(lambda: len(list(tmp_path.glob("parts/*/*/episodes.jsonl"))) == 2)
    cluster.remove_node(nodes[1], allow_graceful=False)
    # What is played is the plan that it was.
    content = plan.read_bytes()
    plan.write_bytes(b"{}")
    told = ended(driver, 0)
    assert re.search(r"it was lost when [0-9]+ were played: \w+\n  try 2 of 5 in 1 s", told), told
    assert "digest sha256:" in told
    assert_same(run(tmp_path / "whole", *FEW, "--trials", "3"), merged)
    # Whoever asks again plays nothing.
    plan.write_bytes(content)
    again = ended(driving(plan, merged, "--address", cluster.address), 0)
    assert "is the whole run of this plan already" in again
    files = {path: path.stat().st_mtime_ns for path in tmp_path.glob("parts/*/*/*")}
    again = ended(driving(plan, tmp_path / "again", "--address", cluster.address), 0)
    assert "note: 0 parts were played now" in again
    assert files == {path: path.stat().st_mtime_ns for path in tmp_path.glob("parts/*/*/*")}
    assert_same(merged, tmp_path / "again")
    # What is taken away of them is played, and nothing else.
    lost = sorted(tmp_path.glob("parts/*/*/part.json"))[0].parent
    (lost / "part.json").unlink()
    (lost / "episodes.jsonl").write_bytes((lost / "episodes.jsonl").read_bytes()[:-100])
    again = ended(driving(plan, tmp_path / "mended", "--address", cluster.address), 0)
    assert "note: 1 parts were played now" in again
    assert_same(merged, tmp_path / "mended")


def test_a_stopped_driver_goes_on_and_a_second_one_waits(cluster: Any, nodes: list[Any], tmp_path: Path) -> None:
    plan, merged = planned(tmp_path, *FEW, "--trials", "3"), tmp_path / "merged"
    driver = driving(plan, merged, "--address", cluster.address)
    waited(lambda: bool(list(tmp_path.glob("parts/*/plan.json"))))
    assert "another process has the parts" in ended(driving(plan, tmp_path / "other"), 3)
    waited(lambda: bool(list(tmp_path.glob("parts/*/*/part.json"))))
    driver.send_signal(signal.SIGINT)
    assert "interrupted; the same command goes on" in ended(driver, 130)
    assert not merged.exists()
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.glob("parts/*/*/part.json")}
    assert kept
    ended(driving(plan, merged, "--address", cluster.address, "-q"), 0)
    assert all(path.stat().st_mtime_ns == before for path, before in kept.items())
    assert_same(run(tmp_path / "whole", *FEW, "--trials", "3"), merged)


def test_what_is_never_right_stops_all_and_what_passes_is_tried_again(
    cluster: Any, nodes: list[Any], tmp_path: Path
) -> None:
    plan = planned(tmp_path, *FEW, "--limit", "4")
    tried = tmp_path / "tried"
    other = f"if sys.argv[1] != 'run':\n    os.execv({str(find_binary().absolute())!r}, sys.argv)\n"
    text = f"import os, sys\n{other}open({str(tried)!r}, 'a').write(os.environ['PAID'] + '\\n')\n"
    text += "print('error: ' + os.environ['WORDS'], file=sys.stderr)\nsys.exit(int(os.environ['CODE']))\n"
    stub = program(tmp_path, text)
    for code in (2, 1, 3):
        tried.unlink(missing_ok=True)
        flags = ["--address", cluster.address, "--env", "CODE", "--env", "WORDS", "--env", "PAID", "--tries", "2"]
        flags += ["--env", "PROBITY_BIN"]
        words = f"these are its words {code}"
        paid = {"PROBITY_BIN": str(stub), "CODE": str(code), "WORDS": words, "PAID": "a-key-of-mine"}
        told = ended(driving(plan, tmp_path / "out", *flags, **paid), code)
        lines = tried.read_text().splitlines()
        assert words in told and "a-key-of-mine" not in told and set(lines) == {"a-key-of-mine"}, told
        assert ("given up after 2 tries" in told) == (code == 3)
        assert code == 3 or len(lines) <= 3, lines
        assert not list(tmp_path.glob("parts/*/*/part.json")) and not (tmp_path / "out").exists()


def test_a_part_sends_its_files_and_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not even a line fits into one piece.
    for module in ("part", "parts"):
        monkeypatch.setattr(f"probity_sandbox.{module}.PIECE", 1000)
    plan = Plan.read(planned(tmp_path, *FEW, "--limit", "6"))
    with Parts(tmp_path / "parts", plan) as parts:
        with pytest.raises(Stopped, match="another process"):
            Parts(tmp_path / "parts", plan)
        played(plan, parts, tmp_path / "out")


def played(plan: Plan, parts: Parts, out: Path) -> None:
    assert parts.merge(out, True) is None
    units = list(parts.missing([]))
    assert len(units) == plan.units == 18
    part = parts.new(b"".join(units))
    for said in play(plan.content, part.units, 1, {}):
        if isinstance(said, Piece):
            part.take(said)
    assert isinstance(said, End) and said.code == 0
    last = said.last
    whole = {path.name: path.read_bytes() for path in part.folder.iterdir()}
    assert set(whole) == {"run.json", "episodes.jsonl"} and part.done == whole["episodes.jsonl"].count(b"\n")
    # One that was stopped within a line, and one whose lines are no more.
    for left in (whole["episodes.jsonl"][:-3000], b"{}\n" * 9):
        (part.folder / "episodes.jsonl").write_bytes(left)
        (begun,) = parts.open()
        for said in play(plan.content, begun.units, 1, {}, *begun.begun()):
            if isinstance(said, Piece):
                begun.take(said)
        assert {path.name: path.read_bytes() for path in part.folder.iterdir()} == whole
    begun.end(last)
    assert parts.open() == [] and parts.merge(out, True) == 0


def test_a_file_is_sent_as_it_is_in_the_end(tmp_path: Path) -> None:
    path, sent = tmp_path / "episodes.jsonl", bytearray()

    def look(tail: Tail, is_last: bool) -> list[int]:
        starts = []
        for piece in tail.pieces(is_last):
            del sent[piece.start :]
            sent.extend(piece.content)
            starts.append(piece.start)
        return starts

    tail = Tail(path)
    assert look(tail, False) == []
    path.write_bytes(b"one\ntwo\n")
    assert look(tail, False) == [0]
    with open(path, "ab") as file:
        file.write(b"three\n")
    assert look(tail, False) == [8] and look(tail, False) == []
    # Another file in its place: with the same beginning only the rest is sent, else all of it.
    for content, starts in ((b"one\ntwo\nthree\nfour\n", [14]), (b"four\none\nthree\ntwo\n", [0]), (b"one\n", [0])):
        (tmp_path / "new").write_bytes(content)
        (tmp_path / "new").replace(path)
        assert look(tail, False) == starts and bytes(sent) == content
    # Changed in place, as no look in between can tell.
    path.write_bytes(b"two\nsix\n")
    assert look(tail, True) == [0] and bytes(sent) == path.read_bytes()
    tail.close()


def test_the_program_of_the_package_starts() -> None:
    program = Path(__file__).parents[1] / "data" / "scripts" / "probity-ray"
    # Installers put their Python into this line.
    assert program.read_text().startswith("#!python\n") and os.access(program, os.X_OK)
    ended = subprocess.run([sys.executable, program, "run", "--help"], capture_output=True, text=True, check=True)
    assert "--requests-per-minute" in ended.stdout


def test_limits_hold_for_all_parts_together(tmp_path: Path) -> None:
    def limits(*flags: str, rate: int | None = None, user: int | None = None) -> Limits:
        asked = parser().parse_args(["run", "--plan", "p", "--out", "o", *flags])
        provider = {"concurrency": 4, "requests_per_minute": rate}
        model = {"provider": {"concurrency": 1, "requests_per_minute": user}} if user else None
        return Limits.of(Plan(b"", "", 1, {"provider": provider, "user_model": model}), asked)

    assert limits() == (4, None, 0)
    assert limits("--concurrency", "10") == (4, 2, 0)
    assert limits("--concurrency", "3") == (3, 1, 0)
    assert limits("--concurrency", "10", "--jobs", "2") == (2, 5, 0)
    assert limits("--requests-per-minute", "100", rate=30) == (4, 3, 2)
    assert limits("--requests-per-minute", "100", "--concurrency", "8", rate=30, user=10) == (4, 2, 6)
    for rate in (None, 101):
        with pytest.raises(Stopped, match="no rate for each of its providers"):
            limits("--requests-per-minute", "100", rate=rate)


def test_what_cannot_be_played_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = planned(tmp_path, *FEW, "--limit", "1")
    content = plan.read_text()
    parts = ["--parts", str(tmp_path / "parts")]

    def refused(code: int, words: str, out: str = "out", *flags: str) -> None:
        assert main(["run", "--plan", str(plan), "--out", str(tmp_path / out), *parts, *flags]) == code
        told = capsys.readouterr().err
        assert words in told and "Traceback" not in told, told

    with Parts(tmp_path / "other", Plan.read(plan)) as held:
        for name in ("../../mine", "part.json"):
            with pytest.raises(Stopped, match="is no file of a part"):
                held.new(b"a b #0\n").take(Piece(name, 0, b""))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("mine")
    refused(2, "is no run of this plan", "mine")
    refused(2, "is no run of this plan", "plan.json")
    refused(2, "there is no such variable here", "out", "--env", "NO_SUCH_VARIABLE")
    refused(2, "no rate for each of its providers", "out", "--requests-per-minute", "5")
    digest = json.loads(content)["digest"]
    for wrong in ("[]", "{}", "{", content.replace(digest, "../../../x"), content.replace(digest, "sha256:0")):
        plan.write_text(wrong)
        refused(2, "is no plan")
    plan.write_text(content.replace('"seed": 0', '"seed": 1', 1))
    refused(2, "it was changed")
    plan.unlink()
    refused(2, "No such file")
    assert not (tmp_path / "out").exists()


def test_what_is_missing_in_the_end_is_played_once_more_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds: list[int] = []

    class Idle:
        """A cluster that loses everything."""

        tasks = 0

        def __init__(self, *_: object) -> None:
            self.play = lambda: rounds.append(len(rounds))

    monkeypatch.setattr("probity_sandbox.ray.Driver", Idle)
    plan = planned(tmp_path, *FEW, "--limit", "1")
    assert main(["run", "--plan", str(plan), "--out", str(tmp_path / "out"), "--parts", str(tmp_path / "parts")]) == 1
    told = capsys.readouterr()
    assert rounds == [0, 1] and len(told.out.splitlines()) == 3 and "these units are missing" in told.err


def test_without_ray_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    plan = planned(tmp_path, *FEW, "--limit", "1")
    assert main(["run", "--plan", str(plan), "--out", str(tmp_path / "out"), "--parts", str(tmp_path / "parts")]) == 2
    assert "pip install 'probity-sandbox[ray]'" in capsys.readouterr().err

"""A plan on a cluster of two nodes, of which one is lost: what comes out is the run of one process."""

from __future__ import annotations

import errno
import gc
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conftest import program, run
from probity_sandbox.binary import find_binary, find_root
from probity_sandbox.part import End, Piece, play
from probity_sandbox.parts import Part, Parts, Plan, Stopped
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
    # Both nodes play when one goes.
    waited(lambda: len(list(tmp_path.glob("parts/*/*[0-9a-f]/part.json"))) >= 2)
    cluster.remove_node(nodes[1], allow_graceful=False)
    # What is played is the plan that it was.
    content = plan.read_bytes()
    plan.write_bytes(b"{}")
    told = ended(driver, 0)
    assert re.search(r"it was lost: \w+\n  try 2 of 5 in 1 s", told), told
    assert "digest sha256:" in told
    assert_same(run(tmp_path / "whole", *FEW, "--trials", "3"), merged)
    # Whoever asks again plays nothing.
    plan.write_bytes(content)
    again = ended(driving(plan, merged, "--address", cluster.address), 0)
    assert "is the whole run of this plan already" in again
    files = {path: path.stat().st_mtime_ns for path in tmp_path.glob("parts/*/*[0-9a-f]/*")}
    again = ended(driving(plan, tmp_path / "again", "--address", cluster.address), 0)
    assert "note: 0 parts were played now" in again
    assert files == {path: path.stat().st_mtime_ns for path in tmp_path.glob("parts/*/*[0-9a-f]/*")}
    assert_same(merged, tmp_path / "again")
    # What is taken away of them is played, and nothing else.
    lost = sorted(tmp_path.glob("parts/*/*[0-9a-f]/part.json"))[0].parent
    (lost / "part.json").write_bytes((lost / "part.json").read_bytes()[:-100])
    again = ended(driving(plan, tmp_path / "mended", "--address", cluster.address), 0)
    assert re.search("note: [1-9][0-9]* parts were played now", again) and (lost / "part.json").stat().st_size, again
    assert_same(merged, tmp_path / "mended")


def test_a_stopped_driver_goes_on_and_a_second_one_is_refused(cluster: Any, nodes: list[Any], tmp_path: Path) -> None:
    plan, merged = planned(tmp_path, *FEW, "--trials", "3"), tmp_path / "merged"
    driver = driving(plan, merged, "--address", cluster.address)
    waited(lambda: bool(list(tmp_path.glob("parts/*/plan.json"))))
    assert "another process has the parts" in ended(driving(plan, tmp_path / "other"), 3)
    waited(lambda: bool(list(tmp_path.glob("parts/*/*[0-9a-f]/part.json"))))
    driver.send_signal(signal.SIGINT)
    assert "interrupted; the same command goes on" in ended(driver, 130)
    assert not merged.exists()
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.glob("parts/*/*[0-9a-f]/part.json")}
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
        assert ("2 tries" in told) == (code == 3)
        assert len(lines) <= (9 if code == 3 else 3), lines
        assert not list(tmp_path.glob("parts/*/*[0-9a-f]/part.json")) and not (tmp_path / "out").exists()


class Lost(Exception):
    """What Ray raises where a node is gone, or where a task has raised something, which is its cause."""

    def __init__(self, cause: Exception | None = None) -> None:
        super().__init__(cause)
        self.cause = cause


class Fake:
    """A Ray of one process and one processor, whose first tasks are played but lost, or fail with what is given."""

    exceptions = SimpleNamespace(RayError=Lost)

    def __init__(self, *losses: Exception, processors: int = 1) -> None:
        self.losses, self.lists, self.cancelled = list(losses), list[bytes](), 0
        self.cluster_resources = lambda: {"CPU": processors}
        self.init = lambda **asked: setattr(self, "address", asked["address"])

    def remote(self, function: Callable[..., Iterator[Any]]) -> Any:
        def started(_: Any, *given: Any) -> Iterator[Any]:
            self.lists.append(given[0])
            told = function(_, *given)
            if self.losses:
                # With files of which some were sent.
                yield from islice(told, 2)
                yield self.losses.pop(0)
            yield from told

        return SimpleNamespace(options=lambda **_: SimpleNamespace(remote=started))

    def put(self, value: Any) -> Any:
        return value

    def get(self, value: Any) -> Any:
        if isinstance(value, Exception):
            raise value
        return value

    def wait(self, tasks: list[Any], num_returns: int = 1, timeout: float = 0) -> tuple[list[Any], list[Any]]:
        return tasks[:num_returns], tasks[num_returns:]

    def cancel(self, _: Any) -> None:
        self.cancelled += 1


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Fake]]:
    def given(*losses: Exception, processors: int = 1) -> Fake:
        fake = Fake(*losses, processors=processors)
        monkeypatch.setitem(sys.modules, "ray", fake)
        return fake

    monkeypatch.setattr("probity_sandbox.ray.LONGEST_PAUSE", 0.0)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    before = signal.getsignal(signal.SIGTERM)
    yield given
    signal.signal(signal.SIGTERM, before)


def drive(plan: Path, out: Path, *flags: str) -> int:
    return main(["run", "--plan", str(plan), "--out", str(out), "--parts", str(plan.with_name("parts")), *flags])


def stub(folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, text: str) -> None:
    """A `probity` that does something else for one of its commands."""
    other = f"OWN = {str(find_binary().absolute())!r}\nif sys.argv[1] != {command!r}:\n    os.execv(OWN, sys.argv)\n"
    monkeypatch.setenv("PROBITY_BIN", str(program(folder, f"import os, subprocess, sys\n{other}{text}")))


def test_what_is_lost_is_played_again_and_leaves_no_hole(
    tmp_path: Path, ray: Callable[..., Fake], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    # Not even a line fits into one piece.
    monkeypatch.setattr("probity_sandbox.part.PIECE", 1000)
    root = find_root()
    at = [] if root is None else ["--root", str(root)]
    with subprocess.Popen([str(find_binary()), "mock", "--json", *at], stdout=subprocess.PIPE, text=True) as mock:
        assert mock.stdout is not None
        try:
            url = next(line.split('"')[3] for line in mock.stdout if "base_url" in line)
            flags = ["--agent", "openai:mock", "--base-url", url]
            flags += ["--env", "finance/bank", "--limit", "4"]
            plan, out = planned(tmp_path, *flags), tmp_path / "out"
            fake = ray(Lost(), Lost(MemoryError()))
            assert drive(plan, out, "--jobs", "1") == 0
        finally:
            mock.terminate()
    told = capfd.readouterr().err
    assert "it was lost: Lost" in told and "it failed: MemoryError()" in told and "try 2 of 5" in told
    # A list that was lost is played whole, and no other twice.
    assert len(fake.lists) - len(set(fake.lists)) == 2 and vars(fake)["address"] == "local"
    lines = [json.loads(line) for line in (out / "cassette.jsonl").read_text().splitlines()]
    assert len({line["unit"] for line in lines}) == 4
    again = run(tmp_path / "again", *flags[:2], *flags[4:], "--cassette", str(out / "cassette.jsonl"))
    assert (again / "report.json").read_bytes() == (out / "report.json").read_bytes()


def test_a_part_without_episodes_is_one(tmp_path: Path, ray: Callable[..., Fake]) -> None:
    flags = ("--agent", "fault:both_exclusive", "--env", "finance/bank", "--trials", "4")
    plan, fake = planned(tmp_path, *flags), ray()
    assert drive(plan, tmp_path / "out") == 0
    sizes = [path.stat().st_size for path in tmp_path.glob("parts/*/*[0-9a-f]/episodes.jsonl")]
    assert 0 in sizes and len(sizes) == len(fake.lists)
    assert_same(run(tmp_path / "whole", *flags), tmp_path / "out")
    # From long to short.
    counts = [units.count(b"\n") for units in fake.lists]
    assert sum(counts) == 112 and counts == sorted(counts, reverse=True) and counts[-1] == 1


def test_lists_are_no_more_than_a_command_line_takes(
    tmp_path: Path, ray: Callable[..., Fake], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("probity_sandbox.ray.MOST_PARTS", 3)
    fake, plan = ray(), planned(tmp_path, *FEW, "--limit", "6")
    assert drive(plan, tmp_path / "out") == 0
    assert [units.count(b"\n") for units in fake.lists] == [6, 6, 6]


def test_a_name_may_hold_any_character(tmp_path: Path, ray: Callable[..., Fake]) -> None:
    flags = ("--agent", "oracle", "--as", "or\tac\u0007le", "--env", "finance/bank", "--limit", "2")
    ray()
    assert drive(planned(tmp_path, *flags), tmp_path / "out") == 0
    assert_same(run(tmp_path / "whole", *flags), tmp_path / "out")


def test_what_a_merge_ends_with_is_said_again(
    tmp_path: Path, ray: Callable[..., Fake], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    plan, out = planned(tmp_path, *FEW, "--limit", "1"), tmp_path / "out"
    fake = ray()
    stub(tmp_path, monkeypatch, "merge", "os.kill(os.getpid(), 9)\n")
    assert drive(plan, out) == 3
    told = capfd.readouterr().err
    assert "`probity merge` was ended by SIGKILL" in told and "memory" in told
    monkeypatch.undo()
    fake = ray()
    stub(tmp_path, monkeypatch, "merge", "subprocess.run([OWN, *sys.argv[1:]])\nsys.exit(3)\n")
    for words in ("note: 0 parts were played now", "its merge ended with 3: nothing is played"):
        assert drive(plan, out) == 3
        assert words in capfd.readouterr().err
    assert not fake.lists
    # Nobody knows what another merge ended with.
    next(tmp_path.glob("parts/*/merged.json")).unlink()
    assert drive(plan, out) == 2
    assert "was not made of the parts" in capfd.readouterr().err


def test_what_never_passes_is_not_tried_again(
    tmp_path: Path, ray: Callable[..., Fake], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = planned(tmp_path, *FEW, "--limit", "6")

    def refused(fake: Fake, code: int, *words: str) -> None:
        assert drive(plan, tmp_path / "out", "-q", "--tries", "2", "--env", "PROBITY_BIN") == code
        told = capsys.readouterr().err
        assert all(word in told for word in words) and "Traceback" not in told and "note: " not in told, told
        assert fake.cancelled or code == 3

    monkeypatch.setenv("PROBITY_BIN", str(find_binary().absolute()))
    refused(ray(Lost(ImportError("no such module"))), 2, "no such module", "of one version on every node")
    words = "RuntimeError: The remote function failed to import on the worker."
    refused(ray(Lost(RuntimeError(words))), 2, "of one version on every node")
    # All parts fail: after three of them it is over, and the last reason is told.
    fake = ray(*(Lost(MemoryError()) for _ in range(99)))
    refused(fake, 3, "3 parts were given up, each after 2 tries, at last part ", "MemoryError()")
    assert 4 <= len(fake.lists) <= 8 and fake.cancelled
    # Nothing of the cluster answers any more.
    fake = ray()
    monkeypatch.setattr(fake, "cluster_resources", lambda: fake.get(Lost()))
    refused(fake, 3, "the cluster does not answer", "help: the same command goes on")
    fake = ray()
    monkeypatch.setattr(fake, "put", lambda _: fake.get(Lost()))
    refused(fake, 3, "the cluster does not answer")
    for error, code in ((ValueError("no port"), 2), (ConnectionError("no head"), 3)):
        monkeypatch.setattr(fake, "init", lambda error=error, **_: fake.get(error))
        assert drive(plan, tmp_path / "out", "--address", "here") == code
        assert str(error) in capsys.readouterr().err
    assert not list(tmp_path.glob("parts/*/*[0-9a-f]/part.json"))


def test_a_program_that_cannot_be_executed_is_named(tmp_path: Path) -> None:
    plan, broken = planned(tmp_path, *FEW, "--limit", "1"), tmp_path / "broken"
    broken.write_bytes(b"\x7fELF")
    broken.chmod(0o755)
    (end,) = play(plan.read_bytes(), b"", 1, 0.0, {"PROBITY_BIN": str(broken)})
    assert isinstance(end, End) and end.code == 2 and end.node
    assert str(broken) in end.said and "cannot be executed" in end.said and "Traceback" not in end.said
    (end,) = play(plan.read_bytes(), b"", 1, 0.0, {"PROBITY_BIN": str(tmp_path / "none")})
    assert isinstance(end, End) and end.code == 2


def test_errors_of_the_system_pass_or_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = planned(tmp_path, *FEW, "--limit", "1")
    for error, code in ((errno.ENOSPC, 3), (errno.EDQUOT, 3), (errno.EACCES, 2), (errno.EROFS, 2)):
        failing = OSError(error, os.strerror(error))
        monkeypatch.setattr("probity_sandbox.ray.Parts", lambda *_, failing=failing: Fake().get(failing))
        assert drive(plan, tmp_path / "out") == code
        assert "\n  help: " in capsys.readouterr().err
        monkeypatch.setattr("probity_sandbox.part.played", lambda *_, failing=failing: Fake().get(failing))
        (end,) = play(b"", b"", 1, 0.0, {})
        assert isinstance(end, End) and end.code == code


def test_silence_is_told(
    tmp_path: Path, ray: Callable[..., Fake], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("probity_sandbox.ray.SILENCE", 0.0)
    monkeypatch.setattr("probity_sandbox.ray.SPARSE", 0.0)
    fake = ray(processors=0)
    plan, own, times = planned(tmp_path, *FEW, "--limit", "1"), fake.wait, iter(range(9))
    monkeypatch.setattr(fake, "wait", lambda *of, **how: ([], []) if next(times) < 1 else own(*of, **how))
    assert drive(plan, tmp_path / "out") == 0
    told = capsys.readouterr().err
    assert "no part has ended for a minute, of 1 on a cluster of 0 processors" in told
    assert "note: 0 of 3 units, 1 parts handed out, 0 tried again" in told


def test_a_part_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    with open(tmp_path / "list", "w+b") as units:
        plan = Plan.read(planned(tmp_path, *FEW, "--limit", "1"), units)
        with Parts(tmp_path / "parts", plan) as parts:
            with pytest.raises(Stopped, match="another process"):
                Parts(tmp_path / "parts", plan)
            part = Part(b"".join(parts.missing()))
            assert part.size == 3 and len(part.name) == 16
            for name in ("../../mine", "plan.json", "/mine"):
                with pytest.raises(Stopped, match="is no file of a part"):
                    parts.take(part, iter([Piece(name, b"")]))
            whole = list(play(plan.content, part.units, 1, 0.0, {}))
            # Without its end, or with one that says otherwise, it is none.
            assert parts.take(part, iter(whole[:-1])) is None
            assert parts.take(part, iter([*whole[:-1], End(3, "")])) == End(3, "")
            assert parts.ended() == [] and len(list(parts.missing())) == 3
            assert parts.take(part, iter(whole)) == whole[-1]
            assert parts.ended() == [part.name] and not list(parts.missing())
            # What was cut by a lost disk is played again, over what is left.
            (parts.folder / part.name / "part.json").write_bytes(b"{")
            assert parts.ended() == [] and len(list(parts.missing())) == 3
            parts.take(part, iter(whole))
            assert parts.ended() == [part.name]


def test_a_part_that_is_left_half_read_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = planned(tmp_path, *FEW, "--limit", "1").read_bytes()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "parts"))
    (tmp_path / "parts").mkdir()
    with open(tmp_path / "list", "w+b") as units:
        listed = b"".join(Plan.read(tmp_path / "plan.json", units).units)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        # In a circle, which the collector takes apart in an order of its own.
        held: list[Any] = [play(plan, listed, 1, 0.0, {})]
        held.append(held)
        assert isinstance(next(held[0]), Piece) and any((tmp_path / "parts").iterdir())
        del held
        gc.collect()
    assert not list((tmp_path / "parts").iterdir()) and not warned, warned


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
        return Limits.of({"provider": provider, "user_model": model}, asked)

    assert limits() == (4, None, 0)
    assert limits("--concurrency", "10") == (4, 2, 0)
    assert limits("--concurrency", "3") == (3, 1, 0)
    assert limits("--concurrency", "10", "--jobs", "2") == (2, 5, 0)
    assert limits("--requests-per-minute", "100", rate=30) == (4, 3, 2)
    assert limits("--requests-per-minute", "100", "--concurrency", "8", rate=30, user=10) == (4, 2, 6)
    for rate in (None, 101):
        with pytest.raises(Stopped, match="no rate for each of its providers"):
            limits("--requests-per-minute", "100", rate=rate)


def test_what_cannot_be_played_is_refused_before_anything_is_played(
    tmp_path: Path, ray: Callable[..., Fake], capfd: pytest.CaptureFixture[str]
) -> None:
    plan, fake = planned(tmp_path, *FEW, "--limit", "1"), ray()
    content = plan.read_text()

    def refused(code: int, words: str, out: str = "out", *flags: str) -> None:
        assert drive(plan, tmp_path / out, *flags) == code
        told = capfd.readouterr().err
        assert words in told and "Traceback" not in told and "error: error" not in told, told

    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for mine in ("mine", "plan.json", "link"):
        refused(2, "is no run of this plan", mine)
    refused(2, "cannot be made in", "mine/file/out")
    run(tmp_path / "other", "--agent", "noop", "--env", "finance/bank", "--limit", "1")
    refused(2, "is no run of this plan", "other")
    refused(2, "there is no such variable here", "out", "--env", "NO_SUCH_VARIABLE")
    refused(2, "no rate for each of its providers", "out", "--requests-per-minute", "5")
    digest = json.loads(content)["digest"]
    for wrong in ("[]", "{}", "{", content.replace(digest, "../../../x"), content.replace('"seed": 0', '"seed": 1', 1)):
        plan.write_text(wrong)
        refused(2, "plan.json")
    plan.unlink()
    refused(2, "there is no such file")
    assert not (tmp_path / "out").exists() and not (tmp_path / "parts").exists() and not fake.lists
    # An empty folder will do.
    plan.write_text(content)
    (tmp_path / "out").mkdir()
    assert drive(plan, tmp_path / "out") == 0


def test_without_ray_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    plan = planned(tmp_path, *FEW, "--limit", "1")
    assert main(["run", "--plan", str(plan), "--out", str(tmp_path / "out"), "--parts", str(tmp_path / "parts")]) == 2
    assert "pip install 'probity-sandbox[ray]'" in capsys.readouterr().err

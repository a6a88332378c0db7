"""The process behind an `Environment`: where it is found, and what becomes of those who wait when it dies."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from conftest import TASKS, program
from probity_sandbox import BinaryNotFound, Environment, ProbityError, ServerDied
from probity_sandbox.binary import BINARY_VARIABLE, find_binary


def is_alive(pid: int) -> bool:
    """Whether there is such a process that is not just waiting to be buried."""
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


def is_gone(pid: int) -> bool:
    """Whether it ends within some seconds."""
    deadline = time.monotonic() + 60
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not is_alive(pid)


def test_a_server_that_is_killed_fails_all_who_wait_and_who_come(stub: Path) -> None:
    with Environment(binary=stub) as environment, environment.open(TASKS[0]) as episode:
        os.kill(environment.server_pid, signal.SIGKILL)
        with pytest.raises(ServerDied) as caught:
            while True:
                episode.fork()
        assert caught.value.code == "server_died" and "-9" in caught.value.message
        with pytest.raises(ServerDied):
            environment.open(TASKS[0])


def test_whoever_waits_for_an_answer_hears_of_the_death(tmp_path: Path) -> None:
    text = "import sys\nsys.stdin.readline()\nsys.stdin.readline()\nsys.exit('out of memory')\n"
    with Environment(binary=program(tmp_path, text)) as environment, ThreadPoolExecutor(2) as threads:
        waiting = [threads.submit(environment.instances) for _ in range(2)]
        for future in waiting:
            with pytest.raises(ServerDied, match="ended with 1: out of memory"):
                future.result(timeout=30)


def test_a_server_that_says_nonsense_is_ended(tmp_path: Path) -> None:
    text = "import sys\nsys.stdin.readline()\nprint('Segmentation fault', flush=True)\nsys.stdin.readline()\n"
    with Environment(binary=program(tmp_path, text)) as environment:
        with pytest.raises(ServerDied, match="Segmentation fault"):
            environment.instances()
        assert not is_alive(environment.server_pid)


def test_what_the_program_says_against_its_start_is_told(tmp_path: Path) -> None:
    with Environment(root=tmp_path) as environment:
        with pytest.raises(ProbityError) as caught:
            environment.open(TASKS[0])
        assert caught.value.message


def test_a_closed_environment_is_gone(stub: Path) -> None:
    environment = Environment(binary=stub)
    episode = environment.open(TASKS[0])
    pid = environment.server_pid
    environment.close()
    environment.close()
    assert not is_alive(pid)
    with pytest.raises(ServerDied, match="closed"):
        environment.instances()
    episode.close()


def test_an_environment_that_nobody_has_ends(stub: Path) -> None:
    environment = Environment(binary=stub)
    pid = environment.server_pid
    del environment
    assert is_gone(pid)


def test_a_program_that_forgets_to_close_leaves_nothing_behind(stub: Path) -> None:
    text = f"from probity_sandbox import Environment\ne = Environment(binary={str(stub)!r})\n"
    text += f"e.open({TASKS[0]!r})\nprint(e.server_pid)"
    ended = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, timeout=60)
    assert not is_alive(int(ended.stdout))


def test_a_server_ends_when_its_owner_is_killed() -> None:
    text = f"import time\nfrom probity_sandbox import Environment\ne = Environment()\ne.open({TASKS[0]!r})\n"
    text += "print(e.server_pid, flush=True)\ntime.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline())
        assert is_alive(pid)
        owner.kill()
    assert is_gone(pid)


def test_an_interrupt_leaves_the_episodes_alone(stub: Path) -> None:
    text = f"""
import signal, time
from probity_sandbox import Environment
# Whoever started the tests may have had interrupts ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
with Environment(binary={str(stub)!r}) as environment, environment.open({TASKS[0]!r}) as episode:
    try:
        print("ready", flush=True)
        time.sleep(60)
    except KeyboardInterrupt:
        episode.say("I am back.")
        print("said", flush=True)
"""
    command = [sys.executable, "-c", text]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as owner:
        assert owner.stdout is not None and owner.stdout.readline() == "ready\n"
        os.killpg(owner.pid, signal.SIGINT)
        assert owner.stdout.readline() == "said\n"
    assert owner.returncode == 0


def test_an_interrupt_while_a_request_is_written_fails_those_who_come(tmp_path: Path) -> None:
    """Half a line is in the pipe of a busy server: what came after it would be glued to it, and wait for ever."""
    is_there = tmp_path / "is_there"
    busy = f"import time; open({str(is_there)!r}, 'w').close(); time.sleep(600)"
    text = f"""
import os, signal, threading, time
from probity_sandbox import Environment, ServerDied
signal.signal(signal.SIGINT, signal.default_int_handler)
environment = Environment(binary={str(program(tmp_path, busy))!r})
def interrupt():
    while not os.path.exists({str(is_there)!r}):
        time.sleep(0.01)
    time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    environment.ask("step", {{"episode": "e1", "message": {{"text": "x" * 900_000}}}})
except KeyboardInterrupt:
    try:
        environment.instances()
    except ServerDied:
        print("told")
environment.close()
"""
    ended = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stdout) == (0, "told\n"), ended.stderr


def test_a_busy_server_is_closed_while_a_request_is_written(tmp_path: Path) -> None:
    environment = Environment(binary=program(tmp_path, "import time; time.sleep(600)"))
    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(environment.ask, "step", {"message": {"text": "x" * 900_000}})
        time.sleep(0.3)
        begun = time.monotonic()
        environment.close()
        assert time.monotonic() - begun < 60
        with pytest.raises(ServerDied, match="closed"):
            future.result(timeout=60)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_fork_of_the_process_may_not_use_it(stub: Path) -> None:
    text = f"""
import os, sys
from probity_sandbox import Environment, ServerDied
environment = Environment(binary={str(stub)!r})
pid = os.fork()
if pid == 0:
    try:
        environment.instances()
    except ServerDied as error:
        os._exit(7 if error.code == "another_process" else 1)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
assert environment.instances() == []
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", text], check=True, timeout=60)


def test_a_pickled_environment_is_another_server(stub: Path) -> None:
    with Environment(binary=stub) as environment, pickle.loads(pickle.dumps(environment)) as copy:
        assert copy.server_pid != environment.server_pid
        assert copy.instances(TASKS[0]) == environment.instances(TASKS[0])
        with environment.anew() as another:
            assert another.server_pid not in (copy.server_pid, environment.server_pid)


def test_where_the_program_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = program(tmp_path, "")
    monkeypatch.setenv(BINARY_VARIABLE, str(there))
    assert find_binary() == there
    monkeypatch.setenv(BINARY_VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(BinaryNotFound, match="is no program"):
        find_binary()
    monkeypatch.delenv(BINARY_VARIABLE)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sysconfig.get_path", lambda *_: str(tmp_path / "scripts"))
    assert find_binary() == there
    (tmp_path / "scripts").mkdir()
    beside = program(tmp_path / "scripts", "")
    assert find_binary() == beside
    beside.unlink()
    there.unlink()
    with pytest.raises(BinaryNotFound) as caught:
        find_binary()
    assert caught.value.help is not None and BINARY_VARIABLE in caught.value.help


def test_what_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(ServerDied, match="cannot be started"):
        Environment(binary=tmp_path / "nothing")

"""An episode that its caller plays, message by message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .dialogue import Brief, Call, Heard, Score
from .errors import ServerDied

if TYPE_CHECKING:
    from .environment import Environment


class Episode:
    """One dialogue with a user. It is opened by `Environment.open`, and holds its place until it is closed."""

    def __init__(self, environment: Environment, opening: Mapping[str, Any]) -> None:
        self._environment = environment
        self._opening = dict(opening)
        self._open()

    def _open(self) -> None:
        answer = self._environment.ask("open", self._opening)
        self._id: str = answer["episode"]
        self._is_open = True
        self.brief = Brief.read(answer["brief"])
        self._stand(answer)

    def _stand(self, answer: Mapping[str, Any]) -> None:
        self.heard = Heard.read(answer)
        self.done: bool = answer["done"]
        #: The hash of the world's state: once it is over, that of its trace's `final_state`.
        self.state_hash: str = answer["state_hash"]
        #: The share of the wanted calls that were made, of an environment with `shaping`; 0 once it is over.
        self.potential: float | None = answer.get("potential")
        #: Why it is over, once it is.
        self.end: str | None = answer.get("end")
        self.detail: str | None = answer.get("detail")

    def _ask(self, request: str, **fields: Any) -> dict[str, Any]:
        return self._environment.ask(request, {"episode": self._id, **fields})

    @property
    def id(self) -> str:
        """How the server calls it."""
        return self._id

    @property
    def task(self) -> str:
        """The task that is played."""
        return str(self._opening["task"])

    @property
    def opening(self) -> Mapping[str, Any]:
        """With what it was opened."""
        return self._opening

    def step(self, text: str | None = None, calls: Iterable[Call] = ()) -> Heard | None:
        """Makes one message: words, calls, or both. Words alone end the turn. None once the episode is over."""
        message: dict[str, Any] = {} if text is None else {"text": text}
        made = [{"tool": call.tool, "arguments": dict(call.arguments)} for call in calls]
        if made:
            message["calls"] = made
        self._stand(self._ask("step", message=message))
        return self.heard

    def say(self, text: str) -> str | None:
        """Ends the turn with words, and hears the user's; None once the episode is over."""
        heard = self.step(text)
        return None if heard is None else heard.user

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Calls one tool, and hears what came of it. A refusal is `{"error": ..}`; None once the episode is over."""
        heard = self.step(calls=[Call(tool, arguments)])
        return heard.observations[0] if heard is not None and heard.observations else None

    def fork(self, count: int = 1) -> list[Episode]:
        """That many more, which stand where this one stands and go on by themselves."""
        return [self._copy(id) for id in self._ask("fork", count=count)["episodes"]]

    def _copy(self, id: str) -> Episode:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__, _id=id)
        return copy

    def undo(self, count: int = 1) -> Heard | None:
        """Takes back that many of the agent's messages."""
        self._stand(self._ask("undo", count=count))
        return self.heard

    def give_up(self) -> None:
        """The agent ends the episode."""
        self._stand(self._ask("end"))

    def score(self, record: bool = False) -> Score:
        """What it was worth, once it is over."""
        answer = self._ask("score", record=record)
        reward = answer["reward"]
        return Score(
            None if reward is None else float(reward),
            answer["scores"],
            answer["digest"],
            answer["end"],
            answer.get("record"),
        )

    def reset(self) -> Heard | None:
        """Begins again, with the same task, levels, trial and seed."""
        self.close()
        self._open()
        return self.heard

    def close(self) -> None:
        """Lets the server forget it."""
        if self._is_open:
            self._is_open = False
            try:
                self._ask("close")
            except ServerDied:
                # It went with its server.
                pass

    def __enter__(self) -> Episode:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

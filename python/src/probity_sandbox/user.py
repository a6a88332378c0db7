"""The user of a task, for whoever has a world of their own."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from .environment import Environment


class User:
    """Says what the user of a task says, and answers. `kind` is a user of the suite: `scripted` or `contract`.

    It is an episode whose agent calls nothing: whatever your agent does happens in your world, and its words come
    here. `words` are the user's last words, None once they have ended the dialogue.
    """

    def __init__(self, kind: str, task: str, *, environment: Environment | None = None, **opening: Any) -> None:
        self._own = Environment() if environment is None else None
        environment = environment or self._own
        assert environment is not None
        try:
            self._episode = environment.open(task, user=kind, **opening)
        except BaseException:
            self._close_own()
            raise
        self.words = None if self._episode.heard is None else self._episode.heard.user

    def reply(self, text: str) -> str | None:
        """The user's next words; None at the end."""
        self.words = self._episode.say(text)
        return self.words

    @property
    def end(self) -> str | None:
        """Why the dialogue is over, once it is."""
        return self._episode.end

    def _close_own(self) -> None:
        if self._own is not None:
            self._own.close()

    def close(self) -> None:
        self._episode.close()
        self._close_own()

    def __enter__(self) -> User:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

"""What can go wrong: each error has a code, a message and, mostly, a line of help."""

from __future__ import annotations


class ProbityError(Exception):
    """Anything that this package raises by itself."""

    def __init__(self, code: str, message: str, help: str | None = None) -> None:
        super().__init__(code, message, help)
        self.code = code
        self.message = message
        self.help = help

    def __str__(self) -> str:
        return f"{self.code}: {self.message}" + (f" ({self.help})" if self.help else "")


class Refused(ProbityError):
    """A request was refused, and nothing has happened. Its codes are those of docs/SERVE.md: what the server could not
    read at all is a `bad_request` before it is sent."""


class ServerDied(ProbityError):
    """The server is gone, and all its episodes with it."""


class BinaryNotFound(ProbityError):
    """There is no `probity` to start."""

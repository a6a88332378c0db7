"""A deterministic sandbox that examines and trains agents which use tools.

`Environment` starts the program `probity`, `Episode` is one dialogue in it, `User` its user alone. What other
libraries need stands in modules of its own: `gym`, `trl`, `verifiers`, `openenv`, `parquet`, `ray`.
"""

from importlib.metadata import PackageNotFoundError, version

from .dialogue import Brief, Call, Heard, Instance, Score, Tool
from .environment import Environment
from .episode import Episode
from .errors import BinaryNotFound, ProbityError, Refused, ServerDied
from .user import User

__version__ = "0.1.0"

__all__ = [
    "BinaryNotFound",
    "Brief",
    "Call",
    "Environment",
    "Episode",
    "Heard",
    "Instance",
    "ProbityError",
    "Refused",
    "Score",
    "ServerDied",
    "Tool",
    "User",
]



def _has_verifiers() -> bool:
    """Whether verifiers is there, and not an older one, which knows no such tasksets."""
    try:
        found = version("verifiers").split(".")[:2]
    except PackageNotFoundError:
        return False
    return all(part.isdigit() for part in found) and [int(part) for part in found] >= [0, 4]


# verifiers looks for the taskset here, by the name of the package.
if _has_verifiers():
    __all__ += ["ProbityTaskset"]


def __getattr__(name: str) -> object:
    """The taskset, which is loaded where somebody asks for it."""
    if name == "ProbityTaskset":
        from .verifiers import ProbityTaskset

        return ProbityTaskset
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

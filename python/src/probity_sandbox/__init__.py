"""A deterministic sandbox that examines and trains agents which use tools.

`Environment` starts the program `probity`, `Episode` is one dialogue in it, `User` its user alone. What other
libraries need stands in modules of its own: `gym`, `trl`, `openenv`, `parquet`, `ray`.
"""

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

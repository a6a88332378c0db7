"""Where the `probity` program is, and the suite that it plays."""

from __future__ import annotations

import os
import shutil
import sysconfig
from collections.abc import Mapping
from pathlib import Path

from .errors import BinaryNotFound

#: The variable that names the program, before it is looked for.
BINARY_VARIABLE = "PROBITY_BIN"
#: The variable that names the folder with `environments/`, `scripts/` and `tasks/`.
ROOT_VARIABLE = "PROBITY_ROOT"


def find_binary(variables: Mapping[str, str] = os.environ) -> Path:
    """The program that `PROBITY_BIN` names, else the one that was installed with this package, else that on `PATH`."""
    named = variables.get(BINARY_VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise BinaryNotFound("binary_not_found", f"{BINARY_VARIABLE} names `{named}`, which is no program")
        return Path(found)
    user = sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))
    places = os.pathsep.join([sysconfig.get_path("scripts"), user])
    found = shutil.which("probity", path=places) or shutil.which("probity")
    if found is None:
        help = f"install a wheel of probity-sandbox, build it from source, or set {BINARY_VARIABLE}"
        raise BinaryNotFound("binary_not_found", "there is no `probity` beside Python and none on PATH", help)
    return Path(found)


def find_root() -> Path | None:
    """The folder that `PROBITY_ROOT` names, else the suite that is part of this package; None is the working folder."""
    named = os.environ.get(ROOT_VARIABLE)
    if named:
        return Path(named)
    own = Path(__file__).parent / "suite"
    return own if (own / "environments").is_dir() else None

"""Where Node and the npm package `colkit` are: told by an argument, by the environment, or found."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from ._errors import BridgeError

_SCRIPT = Path("bin", "colkit.js")


@dataclass(frozen=True)
class NodeSettings:
    """What a caller says of both; None: COLKIT_NODE, COLKIT_PACKAGE, or what is found. Travels to workers."""

    node: str | None = None
    package: str | None = None

    def command(self) -> tuple[str, ...]:
        """The command of the server. Raises BridgeError that says what is missing."""
        return (_node(self.node), str(_script(self.package)), "serve-arrow")


def _node(told: str | None) -> str:
    named = told or os.environ.get("COLKIT_NODE")
    found = shutil.which(named or "node")
    if found is not None:
        return found
    what = f"{named!r} is no program" if named else "there is no `node` on the PATH"
    raise BridgeError(
        "ERR_NODE_NOT_FOUND",
        f"{what}: colkit reads files by Node 20.19 or newer; install it (https://nodejs.org), or name its program "
        "by node=... or the environment variable COLKIT_NODE",
    )


def _script(told: str | None) -> Path:
    named = told or os.environ.get("COLKIT_PACKAGE")
    if named:
        path = Path(named)
        script = path if path.suffix == ".js" else path / _SCRIPT
        if script.is_file():
            return script.resolve()
        raise _no_package(f"{named!r} is not the folder of the npm package colkit: there is no {script}")
    here = Path.cwd()
    for folder in (here, *here.parents):
        script = folder / "node_modules" / "colkit" / _SCRIPT
        if script.is_file():
            return script.resolve()
    # What `npm install --global colkit` made: on POSIX a link, on Windows a script beside node_modules.
    program = shutil.which("colkit")
    if program is not None:
        linked = Path(program).resolve()
        beside = Path(program).parent / "node_modules" / "colkit" / _SCRIPT
        for script in (linked, beside):
            if script.is_file() and script.parts[-2:] == _SCRIPT.parts:
                return script
    raise _no_package(f"it is in no node_modules of {here} and the folders above, and no `colkit` is on the PATH")


def _no_package(what: str) -> BridgeError:
    return BridgeError(
        "ERR_PACKAGE_NOT_FOUND",
        f"{what}; `npm install colkit` (here, or with --global), or name its folder by package=... or the environment "
        "variable COLKIT_PACKAGE",
    )

"""The programs that come with the library: found beside it, and run."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, List, Sequence

from ._library import Error, library


def _folders() -> List[Path]:
    """Folders in which programs may be: named by the environment, beside the library, or in `bin` of its prefix."""
    chosen = os.environ.get("STAGGER_PROGRAMS")
    if chosen:
        return [Path(chosen)]
    place = Path(library._name)
    if not place.is_absolute() and not place.exists():
        return []
    folders = list(place.resolve().parents)
    return folders[:1] + [folder / "bin" for folder in folders[1:4]]


def find_program(name: str) -> str:
    """The path of `stagger` or `stagger-view`."""
    for folder in _folders():
        if os.access(folder / name, os.X_OK):
            return str(folder / name)
    found = None if os.environ.get("STAGGER_PROGRAMS") else shutil.which(name)
    if not found:
        raise Error(f"the program {name} is not found: set STAGGER_PROGRAMS to the folder in which it is")
    return found


def run_program(name: str, arguments: Sequence[Any], allowed: Sequence[int] = (0,)) -> int:
    """Runs a program to its end and returns its exit status. Raises an Error with what it says if that is no allowed
    one."""
    command = [find_program(name), *map(str, arguments)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
    )
    if done.returncode not in allowed:
        said = done.stderr.decode(errors="replace").strip()
        raise Error(said or f"{name} has ended with the exit status {done.returncode}")
    return done.returncode

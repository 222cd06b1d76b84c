"""Pictures of scenes and traces, drawn without a display by `stagger-view`."""

from __future__ import annotations

import os
import struct
import tempfile
import zlib
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from . import _library as lib
from ._library import Error
from ._program import run_program

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_NONE, _LEFT, _UP, _MEAN, _PAETH = range(5)  # how a row of a PNG is predicted


def _pack(content: bytes) -> Tuple[int, int, bytes]:
    """Width, height and the packed rows of a PNG with 8 bits of red, green and blue, as stagger-view writes it."""
    if content[:8] != _SIGNATURE:
        raise Error("the picture is no PNG")
    place, size, rows = 8, (0, 0), []
    while place < len(content):
        length, kind = struct.unpack_from(">I4s", content, place)
        data = content[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            *size, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", data)
            if (depth, color, interlaced) != (8, 2, 0):
                raise Error("the picture is no PNG of 8 bits of red, green and blue")
        elif kind == b"IDAT":
            rows.append(data)
        place += 12 + length
    return size[0], size[1], zlib.decompress(b"".join(rows))


def _predict(how: np.ndarray, left: np.ndarray, up: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """What each pixel is predicted to be from those to its left, above, and above to the left."""
    to_left, to_up, to_corner = np.abs(up - corner), np.abs(left - corner), np.abs(left + up - 2 * corner)
    paeth = np.where((to_left <= to_up) & (to_left <= to_corner), left, np.where(to_up <= to_corner, up, corner))
    return np.choose(how, [np.zeros_like(left), left, up, (left + up) >> 1, paeth])


def read_png(content: bytes) -> np.ndarray:
    """The pixels of a PNG, (height, width, 3) uint8."""
    width, height, packed = _pack(content)
    rows = np.frombuffer(packed, dtype=np.uint8).reshape(height, 1 + 3 * width)
    how, data = rows[:, 0].astype(np.intp), rows[:, 1:].reshape(height, width, 3).astype(np.int16)
    pixels = np.zeros((height + 1, width + 1, 3), dtype=np.int16)  # with a row above and a column to the left
    # A pixel depends on its neighbours to the left and above only, so that all on a diagonal are found at once.
    for diagonal in range(width + height - 1):
        y = np.arange(max(0, diagonal - width + 1), min(height, diagonal + 1))
        x = diagonal - y
        guess = _predict(how[y][:, None], pixels[y + 1, x], pixels[y, x + 1], pixels[y, x])
        pixels[y + 1, x + 1] = (data[y, x] + guess) & 255
    return pixels[1:, 1:].astype(np.uint8)


def _names(what: str, value: Any) -> List[str]:
    try:
        values = [value] if isinstance(value, str) else list(value)
    except TypeError:
        raise Error(f"{what} is a text, not {value!r}") from None
    for each in values:
        lib.text(what, each)
    return values


def draw(
    trace: str,
    time: float,
    width: int = 640,
    height: int = 360,
    camera: Optional[str] = None,
    follow: Optional[str] = None,
    hide: Sequence[str] = ("target", "measured", "debug", "labels"),
    color: str = "none",
) -> np.ndarray:
    """A picture of a trace at a time, see Scene.render."""
    width, height = lib.whole("a width", width, 16, 16384), lib.whole("a height", height, 16, 16384)
    options = ["--size", f"{width}x{height}", "--from", repr(lib.real("a time", time))]
    for option, value in (("--camera", camera), ("--follow", follow), ("--color", color)):
        if value is not None:
            lib.text(option.strip("-"), value)
            options += [option, value]
    hidden = _names("a layer", hide)
    if hidden:
        options += ["--hide", ",".join(hidden)]
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "picture.png")
        run_program("stagger-view", [trace, "--offscreen", "--png", picture, *options])
        with open(picture, "rb") as file:
            return read_png(file.read())

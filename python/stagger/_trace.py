"""Traces: recorded runs to read."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref
from typing import Any, Dict, Optional, Tuple, Union

import numpy as np

from . import _library as lib
from ._library import Error, Handle, call, library
from ._picture import draw

_ATTRIBUTES = ("scene_name", "status", "seed", "dt", "frame_rate", "stagger_version", "format", "format_version")


class Trace:
    """A trace, open for reading. `with` closes it at its end."""

    def __init__(self, path: Union[str, os.PathLike]) -> None:
        place = lib.text("a path", path)
        self.path = os.fspath(path)
        with lib.TRACES:
            pointer = call("trace_open", place)
            self._handle = Handle(pointer, "trace", _close)
            self._handle.shared.lock = lib.TRACES

    def close(self) -> None:
        self._handle.close()
        self._handle = _closed

    def __enter__(self) -> "Trace":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<stagger.Trace {self.path}, {'closed' if self._handle.closed else f'{len(self)} frames'}>"

    def __len__(self) -> int:
        """Number of frames."""
        with self._handle as pointer:
            return library.stagger_trace_frame_count(pointer)

    @property
    def attributes(self) -> Dict[str, str]:
        """What is known of the run as a whole, as text: "scene_name", "status", "seed", "dt" (s), "frame_rate" (Hz)."""
        return {name: self.attribute(name) for name in _ATTRIBUTES if self.attribute(name)}

    def attribute(self, name: str) -> str:
        """An attribute of the trace, as text; "" when there is none."""
        with self._handle as pointer:
            return library.stagger_trace_attribute(pointer, lib.text("an attribute", name)).decode(errors="replace")

    @property
    def names(self) -> Tuple[str, ...]:
        """Paths of the datasets: "/time", "/characters/man/com/position" ..."""
        names = []
        with self._handle as pointer:
            while True:
                name = library.stagger_trace_dataset(pointer, len(names))
                if name is None:
                    return tuple(names)
                names.append(name.decode())

    def path_of(self, name: str) -> str:
        """The path of a dataset, of a path or of its end ("joints/error") if only one dataset ends so."""
        names, wanted = self.names, os.fsdecode(lib.text("a dataset", name))
        if wanted in names:
            return wanted
        found = [path for path in names if path.endswith("/" + wanted.lstrip("/"))]
        if len(found) == 1:
            return found[0]
        if found:
            raise Error(f"{name!r} is one of {', '.join(found)}: say which")
        raise Error(f"the trace has no dataset {name!r}: there are {', '.join(names)}")

    def _shape(self, path: str) -> Tuple[int, lib.View]:
        rows, view = ctypes.c_int64(), lib.View()
        with self._handle as pointer:
            call("trace_shape", pointer, os.fsencode(path), byref(rows), byref(view))
            return rows.value, view

    def read(self, name: str, first: int = 0, count: Optional[int] = None) -> np.ndarray:
        """Rows of a dataset as doubles, (rows, *shape of a row): a row is a frame for what changes in time. Shapes of
        rows leave out axes of length 1, as in Character.view."""
        path = self.path_of(name)
        with self._handle:
            rows, view = self._shape(path)
            first = lib.whole("the first row", first, 0, rows)
            count = rows - first if count is None else lib.whole("the number of rows", count, 0, rows - first)
            values = np.empty((count, *view.shape))
            with self._handle as pointer:
                call("trace_read", pointer, os.fsencode(path), first, count, values.ctypes.data)
        return values

    @property
    def time(self) -> np.ndarray:
        """s of each frame, (frames,)."""
        return self.read("/time")

    def unit(self, name: str) -> str:
        """The unit of a dataset."""
        path = self.path_of(name)
        with self._handle:
            return (self._shape(path)[1].unit or b"").decode()

    def description(self, name: str) -> str:
        """What a dataset is."""
        path = self.path_of(name)
        with self._handle:
            return (self._shape(path)[1].description or b"").decode()

    def render(self, time: float = 0, **options: Any) -> np.ndarray:
        """A picture at a time (s), (height, width, 3) uint8, the same bits each time. options: as of Scene.render."""
        with self._handle:
            return draw(self.path, time, **options)

    def to_dataframe(self, name: str) -> Any:
        """A dataset as pandas.DataFrame, a column for each value; of frames with their times (s) as the index."""
        import pandas

        values = self.read(name)
        index = pandas.Index(self.time, name="time") if len(values) == len(self) else None
        columns = [".".join(map(str, place)) or "value" for place in np.ndindex(values.shape[1:])]
        return pandas.DataFrame(values.reshape(len(values), -1), index=index, columns=columns)


def _close(pointer: int, free: Any = library.stagger_trace_close, lock: Any = lib.TRACES) -> None:
    with lock:
        free(pointer)


_closed = lib.ended("trace")

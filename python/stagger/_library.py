"""The shared library, found and declared, and what all calls of it share: handles, errors, conversions."""

from __future__ import annotations

import ctypes
import math
import os
import sys
import threading
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p
from pathlib import Path
from typing import Any, Callable, List, Mapping, Optional, Sequence, Tuple

import numpy as np

SONAME = "libstagger.so.0"


class Error(ValueError):
    """What is wrong, and what is allowed; for a mistake in a file with its line and column."""


# ---- The library ----


def _candidates() -> List[str]:
    """Places of the library: named by the environment, installed beside this package, built in its source tree."""
    chosen = os.environ.get("STAGGER_LIBRARY")
    if chosen:
        return [chosen]
    architecture = getattr(sys.implementation, "_multiarch", "")
    places = []
    for folder in list(Path(__file__).resolve().parents)[1:6]:
        for below in ("", architecture, "lib64", "build/release"):
            places.append(str(folder / below / SONAME))
    return [place for place in places if os.path.exists(place)] + [SONAME]


def _load() -> ctypes.CDLL:
    causes = []
    for place in _candidates():
        try:
            return ctypes.CDLL(place)
        except OSError as cause:
            causes.append(str(cause))
    raise ImportError(f"Stagger's library is not found ({'; '.join(causes)}): set STAGGER_LIBRARY to {SONAME}")


class View(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("type", c_int),
        ("rows", c_int),
        ("columns", c_int),
        ("unit", c_char_p),
        ("description", c_char_p),
    ]

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(("f4", "f8", "u1", "i4", "u8")[self.type])

    @property
    def shape(self) -> Tuple[int, ...]:
        """Without axes of length 1: (parts, 3), (3,), () of a number."""
        return tuple(length for length in (self.rows, self.columns) if length != 1)


class JointRow(ctypes.Structure):
    _fields_ = [
        ("parent", c_int),
        ("turns", c_bool * 3),
        ("lower", c_double * 3),
        ("upper", c_double * 3),
        ("torque", c_double),
        ("stiffness", c_double),
        ("damping", c_double),
        ("axes", c_double * 3 * 3),
        ("axis_torque", c_double * 3),
        ("armature", c_double * 3),
    ]


class RolloutWish(ctypes.Structure):
    _fields_ = [
        ("count", c_int),
        ("moments", c_int),
        ("every", c_int),
        ("character", c_int),
        ("states", POINTER(c_char_p)),
        ("state_sizes", POINTER(c_size_t)),
        ("state_count", c_int),
        ("controls", c_void_p),
        ("control_count", c_int),
        ("views", POINTER(c_char_p)),
        ("outputs", POINTER(c_void_p)),
        ("output_sizes", POINTER(c_size_t)),
        ("view_count", c_int),
        ("made", c_void_p),
        ("save_every", c_int),
        ("saved", POINTER(c_void_p)),
        ("saved_sizes", POINTER(c_size_t)),
    ]


library = _load()
_ERROR = POINTER(c_void_p)
_TEXTS = POINTER(c_char_p)

# Name of a function, without stagger_: its result and its arguments.
_DECLARED = {
    "version": (c_char_p,),
    "error_text": (c_char_p, c_void_p),
    "error_free": (None, c_void_p),
    "scene_open": (c_void_p, c_char_p, _TEXTS, c_int, _ERROR),
    "scene_parse": (c_void_p, c_char_p, c_char_p, _TEXTS, c_int, _ERROR),
    "scene_close": (None, c_void_p),
    "scene_reset": (c_bool, c_void_p, c_int64, _ERROR),
    "scene_step": (c_int, c_void_p, c_int),
    "scene_stop_reason": (c_char_p, c_void_p),
    "scene_time": (c_double, c_void_p),
    "scene_time_step": (c_double, c_void_p),
    "scene_duration": (c_double, c_void_p),
    "scene_seed": (c_int64, c_void_p),
    "scene_set": (c_bool, c_void_p, c_char_p, c_char_p, POINTER(c_bool), _ERROR),
    "character_count": (c_int, c_void_p),
    "character_name": (c_char_p, c_void_p, c_int),
    "part_count": (c_int, c_void_p, c_int),
    "part_name": (c_char_p, c_void_p, c_int, c_int),
    "joint": (c_bool, c_void_p, c_int, c_int, POINTER(JointRow), _ERROR),
    "scene_view": (c_bool, c_void_p, c_int, c_char_p, POINTER(View), _ERROR),
    "view_name": (c_char_p, c_void_p, c_int, c_int),
    "apply_impulse": (c_bool, c_void_p, c_int, c_int, c_void_p, c_void_p, _ERROR),
    "push": (c_bool, c_void_p, c_int, c_int, c_void_p, c_void_p, c_double, _ERROR),
    "set_intent": (c_bool, c_void_p, c_int, c_double, c_double, c_double, _ERROR),
    "set_joint_offset": (c_bool, c_void_p, c_int, c_int, c_void_p, _ERROR),
    "scene_finish": (c_bool, c_void_p, _ERROR),
    "metric": (c_bool, c_void_p, c_int, c_char_p, POINTER(c_double), _ERROR),
    "scene_outcome": (c_void_p, c_void_p, _ERROR),
    "text_free": (None, c_void_p),
    "scene_record": (c_bool, c_void_p, c_char_p, _ERROR),
    "scene_state_size": (c_size_t, c_void_p),
    "scene_save": (c_bool, c_void_p, c_void_p, c_size_t, _ERROR),
    "scene_restore": (c_bool, c_void_p, c_char_p, c_size_t, _ERROR),
    "trace_open": (c_void_p, c_char_p, _ERROR),
    "trace_close": (None, c_void_p),
    "trace_frame_count": (c_int64, c_void_p),
    "trace_attribute": (c_char_p, c_void_p, c_char_p),
    "trace_dataset": (c_char_p, c_void_p, c_int),
    "trace_shape": (c_bool, c_void_p, c_char_p, POINTER(c_int64), POINTER(View), _ERROR),
    "trace_read": (c_bool, c_void_p, c_char_p, c_int64, c_int64, c_void_p, _ERROR),
    "batch_open": (c_void_p, c_char_p, _TEXTS, c_int, c_int, c_int, _ERROR),
    "batch_parse": (c_void_p, c_char_p, c_char_p, _TEXTS, c_int, c_int, c_int, _ERROR),
    "batch_close": (None, c_void_p),
    "batch_threads": (c_int, c_void_p),
    "batch_scene": (c_void_p, c_void_p, c_int),
    "batch_step": (c_int, c_void_p, c_int, c_void_p),
    "batch_step_each": (c_int, c_void_p, c_void_p, c_void_p),
    "batch_reset_some": (c_bool, c_void_p, c_void_p, c_void_p, c_int, _ERROR),
    "batch_restore": (c_bool, c_void_p, POINTER(c_char_p), POINTER(c_size_t), c_int, _ERROR),
    "batch_set_joint_offsets": (c_bool, c_void_p, c_int, c_void_p, c_int, _ERROR),
    "batch_gather": (c_bool, c_void_p, c_int, c_char_p, c_void_p, c_size_t, _ERROR),
    "states_free": (None, POINTER(c_void_p), c_size_t),
    "batch_rollout": (c_bool, c_void_p, POINTER(RolloutWish), _ERROR),
}

for _name, (_result, *_arguments) in _DECLARED.items():
    _function = getattr(library, "stagger_" + _name)
    _function.restype = _result
    _function.argtypes = _arguments


def call(name: str, *arguments: Any) -> Any:
    """A function that takes an error as its last argument: its result, or the error as an exception."""
    error = c_void_p()
    result = getattr(library, "stagger_" + name)(*arguments, byref(error))
    if result:
        return result
    text = (library.stagger_error_text(error) or b"").decode(errors="replace")
    library.stagger_error_free(error)
    raise Error(text or "out of memory")


def version() -> str:
    """The version of the library that runs: "0.1.0"."""
    return library.stagger_version().decode()


# ---- Handles ----

# HDF5 need not be safe for threads: what writes or reads traces is done by one at a time.
TRACES = threading.RLock()


class Shared:
    """What a batch and its copies share: one thread at a time, and whether it is closed."""

    __slots__ = ("lock", "closed")

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.closed = False


class Handle:
    """A scene, batch or trace of the library. It is freed when nobody refers to it any more: views do, too.

    `with handle as pointer` uses it, by one thread at a time; after `close` that raises an Error.
    """

    def __init__(self, pointer: int, what: str, free: Optional[Callable], batch: Optional["Handle"] = None) -> None:
        self._pointer = pointer
        self._what = what
        self._free = free
        self._process = os.getpid()
        self._batch = batch  # of a copy, whose memory it is
        self._own_end = False
        self.shared = batch.shared if batch else Shared()
        self._held: List[Any] = []  # the locks under which it is used: a recording changes the lock

    @property
    def closed(self) -> bool:
        return self._own_end or self.shared.closed

    def close(self) -> None:
        self._own_end = True
        if self._batch is None:
            self.shared.closed = True

    def __enter__(self) -> int:
        shared = self.shared
        lock = shared.lock
        lock.acquire()
        if self._own_end or shared.closed:
            lock.release()
            raise Error(f"the {self._what} is closed")
        self._held.append(lock)
        return self._pointer

    def __exit__(self, *_: Any) -> None:
        self._held.pop().release()

    def __del__(self) -> None:
        # A child process has no threads of a batch or a recording that could be ended.
        if self._free and self._process == os.getpid():
            self._free(self._pointer)


def ended(what: str) -> Handle:
    """What stands for a handle that was closed, so that its memory is given back."""
    handle = Handle(0, what, None)
    handle.close()
    return handle


# ---- Arguments ----


def text(what: str, value: Any) -> bytes:
    if not isinstance(value, (str, os.PathLike)):
        raise Error(f"{what} is a text, not {value!r}")
    try:
        encoded = os.fsencode(value)
    except UnicodeEncodeError:
        raise Error(f"{what} is not in UTF-8: {value!r}") from None
    if b"\0" in encoded:
        raise Error(f"{what} has a zero byte: {value!r}")
    return encoded


def texts(values: Sequence[bytes]) -> Any:
    return (c_char_p * max(len(values), 1))(*values)


def whole(what: str, value: Any, low: int = 0, high: int = 2**31 - 1) -> int:
    try:
        number = value.__index__()
    except (AttributeError, TypeError):
        number = None
    if number is None or isinstance(value, bool):
        raise Error(f"{what} is a whole number, not {value!r}")
    if not low <= number <= high:
        raise Error(f"{what} is from {low} to {high}, not {number}")
    return number


def is_list(value: Any) -> bool:
    """Whether it is a list of something: an array counts, a text does not."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def mapping(what: str, value: Any) -> Mapping[Any, Any]:
    """A dict; None is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise Error(f"{what} are a dict, not {value!r}")
    return value


def real(what: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise Error(f"{what} is a number, not {value!r}") from None
    if not math.isfinite(number):
        raise Error(f"{what} is a finite number, not {number}")
    return number


def numbers(what: str, value: Any, shapes: Sequence[Tuple[int, ...]]) -> np.ndarray:
    """Doubles of one of the shapes, in order and finite."""
    try:
        array = np.ascontiguousarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise Error(f"{what} is an array of numbers, not {value!r}") from None
    array = array.reshape(np.shape(value))  # numpy makes arrays of one number one-dimensional
    if array.shape not in shapes:
        raise Error(f"{what} has the shape {' or '.join(map(str, shapes))}, not {array.shape}")
    if not np.isfinite(array).all():
        raise Error(f"{what} has a number that is not finite")
    return array


def setting(value: Any) -> str:
    """A value as YAML."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(real("a setting", value))
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {setting(item)}" for key, item in value.items()) + "}"
    if is_list(value):
        return "[" + ", ".join(setting(item) for item in value) + "]"
    raise Error(f"a setting is a number, text, list or dict, not {value!r}")


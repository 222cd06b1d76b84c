"""Scenes and their characters."""

from __future__ import annotations

import ctypes
import json
import os
import tempfile
from ctypes import byref
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _library as lib
from ._library import Error, Handle, call, library
from ._picture import draw

Part = Union[str, int]
_step = library.stagger_scene_step


class Description:
    """What a scene is opened from: a file or a text, and overrides."""

    def __init__(
        self, source: Any, name: str, seed: Optional[int], settings: Optional[Mapping[str, Any]]
    ) -> None:
        self.is_text = isinstance(source, str) and "\n" in source
        self.source = lib.text("a scene", source)
        self.path = lib.text("a scene's name", name) if self.is_text else self.source
        self.overrides: List[bytes] = []
        for key, value in lib.mapping("settings", settings).items():
            self.overrides.append(lib.text("a setting", f"{key}={lib.setting(value)}"))
        if seed is not None:
            self.overrides.append(b"seed=%d" % lib.whole("a seed", seed))

    @property
    def name(self) -> str:
        return os.path.splitext(os.path.basename(os.fsdecode(self.path)))[0]

    def open(self, kind: str, *numbers: int) -> int:
        """The pointer of a new scene or batch."""
        place = (self.source, self.path) if self.is_text else (self.source,)
        overrides = (lib.texts(self.overrides), len(self.overrides))
        return call(f"{kind}_{'parse' if self.is_text else 'open'}", *place, *overrides, *numbers)


class Scene:
    """A scene that runs.

    scene: a name ("hit_run"), a path, or a text in YAML (anything with a line break).
    seed: 0 .. 2147483647, all random numbers of the run; None: that of the scene.
    set: overrides of parameters, {"world.solver": "reduced", "events": []}, applied in their order.
    name: of a text, in errors.

    `scene["runner"]` is a character, `len(scene)` their number. `with` closes the scene at its end; a closed scene
    raises an Error, but its views stay readable. A scene may be used by several threads, one after the other.
    """

    _handle: Handle

    def __init__(
        self,
        scene: Union[str, os.PathLike],
        seed: Optional[int] = None,
        set: Optional[Mapping[str, Any]] = None,
        name: str = "scene.yaml",
    ) -> None:
        self._description = Description(scene, name, seed, set)
        self._begin(Handle(self._description.open("scene"), "scene", library.stagger_scene_close), [])

    def _begin(self, handle: Handle, changes: List[Tuple[str, Any]]) -> None:
        self._handle = handle
        self._changes = changes  # resets and parameters, for a copy
        self._recording: Optional[Recording] = None
        self._rollout: Any = None  # the batch of stagger.rollout
        with handle as pointer:
            count = library.stagger_character_count(pointer)
            self._names = [library.stagger_character_name(pointer, i).decode() for i in range(count)]
            self._dt = library.stagger_scene_time_step(pointer)

    # ---- Life ----

    def close(self) -> None:
        """Ends the scene, and a recording. Its memory is freed when the last of its views is gone."""
        if not self._handle.closed and self._recording:
            self._recording.close()
        self._rollout = None
        self._handle.close()
        self._handle = _closed

    def __enter__(self) -> "Scene":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        name = self._description.name
        if self._handle.closed:
            return f"<stagger.Scene {name}, closed>"
        return f"<stagger.Scene {name}, seed {self.seed}, {self.time:.3f} s: {', '.join(self._names)}>"

    def __reduce__(self) -> Tuple[Any, ...]:
        return _copy, (self._description, list(self._changes), self.save())

    # ---- Time ----

    def step(self, steps: int = 1) -> int:
        """Makes so many physics steps, and returns `steps`. Raises an Error when the run is finished or stops."""
        if type(steps) is not int or steps != 1:  # the frequent call is spared the check
            steps = lib.whole("the number of steps", steps)
        with self._handle as pointer:
            made = _step(pointer, steps)
            if made < steps:
                reason = library.stagger_scene_stop_reason(pointer).decode()
                why = f"has stopped: {reason}" if reason else "is finished: reset it, or restore a state"
                raise Error(f"after {made} of {steps} steps the scene {why}")
        return made

    def run(self, seconds: float) -> int:
        """Steps for so many seconds of simulated time, to the nearest step; returns how many steps these were."""
        return self.step(lib.whole("the number of steps", round(lib.real("a duration", seconds) / self._dt)))

    def reset(self, seed: Optional[int] = None) -> None:
        """Restarts at time 0, with another seed or the present one. A recording ends, as interrupted."""
        number = self.seed if seed is None else lib.whole("a seed", seed)
        self._end_recording("scene_reset", number)
        self._changes = [change for change in self._changes if change[0] == "set"] + [("reset", number)]

    def set(self, path: str, value: Any) -> bool:
        """Sets a parameter ("characters.runner.drive.strength", 0.5). False: it takes effect at the next reset."""
        live = ctypes.c_bool()
        key, content = lib.text("a parameter", path), lib.text("a value", lib.setting(value))
        with self._handle as pointer:
            call("scene_set", pointer, key, content, byref(live))
        self._changes.append(("set", (key, content)))
        return live.value

    @property
    def time(self) -> float:
        """s simulated so far."""
        with self._handle as pointer:
            return library.stagger_scene_time(pointer)

    @property
    def time_step(self) -> float:
        """s, length of a physics step."""
        with self._handle as pointer:
            self._dt = library.stagger_scene_time_step(pointer)
            return self._dt

    @property
    def duration(self) -> float:
        """s, duration given in the scene's file; a scene can be stepped beyond it."""
        with self._handle as pointer:
            return library.stagger_scene_duration(pointer)

    @property
    def seed(self) -> int:
        with self._handle as pointer:
            return library.stagger_scene_seed(pointer)

    @property
    def stop_reason(self) -> str:
        """Why the run stopped (a part too fast, a number not finite); "" if it did not."""
        with self._handle as pointer:
            return library.stagger_scene_stop_reason(pointer).decode()

    # ---- States ----

    def save(self) -> bytes:
        """The state: everything that the scene's future depends on. The scene is not changed."""
        with self._handle as pointer:
            size = library.stagger_scene_state_size(pointer)
            buffer = ctypes.create_string_buffer(max(size, 1))
            call("scene_save", pointer, buffer, size)
        return buffer.raw[:size]

    def restore(self, state: bytes) -> None:
        """Continues from a saved state of this scene or of one with the same description, overrides and seed, to the
        bit. Parameters that were set stay as they are. A recording ends, as interrupted."""
        self._end_recording("scene_restore", *_state(state))

    def _end_recording(self, function: str, *arguments: Any) -> None:
        """Calls a function that ends a recording."""
        with self._handle as pointer:
            call(function, pointer, *arguments)
            self._dt = library.stagger_scene_time_step(pointer)
        if self._recording:
            self._recording._ended()

    def render(
        self,
        width: int = 640,
        height: int = 360,
        camera: Optional[str] = None,
        follow: Optional[str] = None,
        hide: Sequence[str] = ("target", "measured", "debug", "labels"),
        color: str = "none",
    ) -> np.ndarray:
        """A picture of the present state, (height, width, 3) uint8, the same bits each time: drawn without a display by
        the program stagger-view, which takes somewhat less than a second of a processor. The scene is not changed.

        camera: "side", "front", "back", "top", "chase", "first_person" or one of the scene; None: the first of the
        scene, or "side". follow: the character that it follows; None: the first. hide: layers ("target", "measured",
        "hits", "debug", "labels" ...). color: of the body, "none", "blend", "torque", "strength" or
        "error"."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "moment.h5")
            with _copy(self._description, self._changes, self.save()) as copy:
                copy.record(path).close()
            return draw(path, self.time, width, height, camera, follow, hide, color)

    # ---- Characters ----

    @property
    def characters(self) -> Tuple[str, ...]:
        """Names of the characters."""
        return tuple(self._names)

    def __getitem__(self, name: Union[str, int]) -> "Character":
        if isinstance(name, str):
            if name not in self._names:
                raise Error(f"there is no character {name!r}: the scene has {', '.join(self._names)}")
            return Character(self, self._names.index(name))
        return Character(self, lib.whole("a character", name, 0, len(self._names) - 1))

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator["Character"]:
        return iter([Character(self, i) for i in range(len(self._names))])

    # ---- Results ----

    def record(self, path: Union[str, os.PathLike]) -> "Recording":
        """Records the run from now on into a trace (HDF5), with the present state as its first frame. An older trace
        of that name is replaced. Close the result, or use it by `with`: that finishes the scene."""
        with lib.TRACES, self._handle as pointer:
            call("scene_record", pointer, lib.text("a path", path))
            lock = self._handle.shared.lock
            self._handle.shared.lock = lib.TRACES
        self._recording = Recording(self, os.fspath(path), lock)
        return self._recording

    def finish(self) -> None:
        """Closes the metrics, and a recording. Then `outcome`, `metric` and `hits` are available, and the scene makes
        no more steps until it is reset or a state is restored."""
        with self._handle as pointer:
            call("scene_finish", pointer)
        if self._recording:
            self._recording._ended()

    def outcome(self) -> Dict[str, Any]:
        """All results, as `stagger run --metrics` writes them: "characters" (metrics by name; None: does not apply),
        "hits", "expect", "ok". The scene must be finished."""
        with self._handle as pointer:
            content = call("scene_outcome", pointer)
            found = json.loads(ctypes.string_at(content).decode())
            library.stagger_text_free(content)
        return found

    def metric(self, name: str) -> float:
        """A metric of the scene's only character, see Character.metric."""
        if len(self._names) != 1:
            raise Error(f"the scene has {len(self._names)} characters: use scene[{self._names[0]!r}].metric")
        return self[0].metric(name)

    def hits(self) -> List[Dict[str, Any]]:
        """The hits of the run with their figures: "character", "part", "time" (s), "impulse" (N s) ... The scene must
        be finished."""
        return self.outcome()["hits"]


_closed = lib.ended("scene")


def _copy(description: Description, changes: List[Tuple[str, Any]], state: bytes) -> Scene:
    """The scene that was pickled."""
    scene = Scene.__new__(Scene)
    scene._description = description
    scene._begin(Handle(description.open("scene"), "scene", library.stagger_scene_close), list(changes))
    repeat(scene._handle, changes)
    scene.restore(state)
    return scene


def repeat(handle: Handle, changes: List[Tuple[str, Any]]) -> None:
    """Sets parameters and resets as was done with another scene."""
    for kind, content in changes:
        with handle as pointer:
            if kind == "reset":
                call("scene_reset", pointer, content)
            else:
                call("scene_set", pointer, *content, None)


def _state(state: Any) -> Tuple[bytes, int]:
    if not isinstance(state, (bytes, bytearray, memoryview)):
        raise Error(f"a state is the bytes that save() returned, not {type(state).__name__}")
    content = bytes(state)
    return content, len(content)


class Recording:
    """A recording that is under way. `close`, or the end of `with`, finishes the scene and completes the trace. To go
    on afterwards, restore a state that was saved before."""

    def __init__(self, scene: Scene, path: Any, lock: Any) -> None:
        self.path = path
        self._scene: Optional[Scene] = scene
        self._lock = lock

    def _ended(self) -> None:
        if self._scene:
            self._scene._handle.shared.lock = self._lock
            self._scene._recording = None
            self._scene = None

    def close(self) -> None:
        """Completes the trace; nothing if it has ended already."""
        if self._scene:
            self._scene.finish()

    def __enter__(self) -> "Recording":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<stagger.Recording {self.path}, {'under way' if self._scene else 'ended'}>"


class Joint(NamedTuple):
    """The joint of a part, and its drive at full strength."""

    parent: str  # the part to which it attaches
    turns: np.ndarray  # (3,) bool: whether it turns about its axes x, y and z
    lower: np.ndarray  # (3,) rad: its range about each of these axes, from the bind pose; 0 where it does not turn
    upper: np.ndarray
    torque: float  # N m: limit of its drive, as the norm over the axes
    stiffness: float  # N m/rad
    damping: float  # N m s/rad
    axes: np.ndarray  # (3, 3): rows are its axes, unit vectors in the parent's frame
    axis_torque: np.ndarray  # (3,) N m: limit of its drive about each axis, at most torque; 0 where it does not turn
    armature: np.ndarray  # (3,) kg m^2: inertia of its rotors about each axis


class Character:
    """A character of a scene, which it keeps alive. Made by `scene[name]`."""

    def __init__(self, scene: Scene, index: int) -> None:
        self._scene = scene
        self._index = index
        self._parts: Optional[Tuple[str, ...]] = None

    @property
    def name(self) -> str:
        return self._scene._names[self._index]

    @property
    def index(self) -> int:
        return self._index

    def __repr__(self) -> str:
        return f"<stagger.Character {self.name} of {self._scene!r}>"

    @property
    def parts(self) -> Tuple[str, ...]:
        """Names of the parts, parents first; part 0 is the pelvis or another root, and has no joint."""
        if self._parts is None:
            with self._scene._handle as pointer:
                count = library.stagger_part_count(pointer, self._index)
                self._parts = tuple(
                    library.stagger_part_name(pointer, self._index, i).decode() for i in range(count)
                )
        return self._parts

    def part(self, part: Part) -> int:
        """The index of a part, of its name or index."""
        if isinstance(part, str):
            if part not in self.parts:
                raise Error(f"{self.name} has no part {part!r}: there are {', '.join(self.parts)}")
            return self.parts.index(part)
        return lib.whole("a part", part, 0, len(self.parts) - 1)

    def joint(self, part: Part) -> Joint:
        """The joint of a part, which attaches it to its parent. The pelvis, or another root, has none."""
        row = lib.JointRow()
        number = self.part(part)
        with self._scene._handle as pointer:
            call("joint", pointer, self._index, number, byref(row))
        arrays = (np.array(row.turns, dtype=bool), np.array(row.lower), np.array(row.upper))
        own = (np.array(row.axes), np.array(row.axis_torque), np.array(row.armature))
        return Joint(self.parts[row.parent], *arrays, row.torque, row.stiffness, row.damping, *own)

    # ---- The state as arrays ----

    @property
    def views(self) -> Tuple[str, ...]:
        """Names of the views: "parts/position", "joints/angle", "com/position" ..."""
        names: List[str] = []
        with self._scene._handle as pointer:
            while True:
                name = library.stagger_view_name(pointer, self._index, len(names))
                if name is None:
                    return tuple(names)
                names.append(name.decode())

    def view(self, name: str) -> np.ndarray:
        """The state under its name in a trace, as an array of the library's memory that shows each later step, reset
        and restore; it cannot be written. It stays readable, and keeps its last values, when the scene is closed.

        Shapes leave out axes of length 1: (parts, 3) of "parts/position", (3,) of "com/position", () of a number."""
        view = self._find(name)
        size = view.rows * view.columns * view.dtype.itemsize
        buffer = (ctypes.c_char * size).from_address(view.data)
        buffer._handle = self._scene._handle  # the memory lives as long as the array
        return np.frombuffer(memoryview(buffer).toreadonly(), dtype=view.dtype).reshape(view.shape)

    def unit(self, view: str) -> str:
        """The unit of a view: "m"."""
        return self._find(view).unit.decode()

    def description(self, view: str) -> str:
        """What a view is: "Centre of mass, world"."""
        return self._find(view).description.decode()

    def _find(self, name: str) -> lib.View:
        view = lib.View()
        with self._scene._handle as pointer:
            try:
                call("scene_view", pointer, self._index, lib.text("a view", name), byref(view))
            except Error:
                pass
            else:
                return view
        raise Error(f"{self.name} has no view {name!r}: there are {', '.join(self.views)}")

    # ---- Actions and strikes ----

    def impulse(self, part: Part, impulse: Sequence[float], point: Optional[Sequence[float]] = None) -> None:
        """A bullet: the whole impulse (3,) N s, world, in the next step, at a point (3,) m, world, or at the part's
        centre of mass. It counts as a hit, and is recorded."""
        number, strike, place = self._strike(part, impulse, point)
        with self._scene._handle as pointer:
            call("apply_impulse", pointer, self._index, number, strike.ctypes.data, _data(place))

    def push(
        self, part: Part, impulse: Sequence[float], duration: float, point: Optional[Sequence[float]] = None
    ) -> None:
        """A push: the impulse (3,) N s, world, evenly over `duration` s, up to 60, from the next step on."""
        number, strike, place = self._strike(part, impulse, point)
        time = lib.real("a duration", duration)
        with self._scene._handle as pointer:
            call("push", pointer, self._index, number, strike.ctypes.data, _data(place), time)

    def _strike(self, part: Part, impulse: Any, point: Any) -> Tuple[int, np.ndarray, Optional[np.ndarray]]:
        place = None if point is None else lib.numbers("a point", point, [(3,)])
        return self.part(part), lib.numbers("an impulse", impulse, [(3,)]), place

    def set_intent(self, speed: float = 0, strafe: float = 0, heading: float = 0) -> None:
        """What the character is to do from now on: m/s forward, m/s to its left, rad about up (0: +z)."""
        wish = [lib.real("an intent", value) for value in (speed, strafe, heading)]
        with self._scene._handle as pointer:
            call("set_intent", pointer, self._index, *wish)

    def set_joint_offset(self, part: Part, offset: Sequence[float]) -> None:
        """Turns the target of a part's joint by a rotation vector (3,) rad, parent's frame, at most pi long, from now
        on until it is set again; zeros remove it."""
        number, turn = self.part(part), lib.numbers("an offset", offset, [(3,)])
        with self._scene._handle as pointer:
            call("set_joint_offset", pointer, self._index, number, turn.ctypes.data)

    # ---- Results ----

    def metric(self, name: str) -> float:
        """A metric ("fell", "recovery_time"); NaN when it does not apply to the run. The scene must be finished."""
        value = ctypes.c_double()
        with self._scene._handle as pointer:
            call("metric", pointer, self._index, lib.text("a metric", name), byref(value))
        return value.value

    def hits(self) -> List[Dict[str, Any]]:
        """The character's hits, see Scene.hits."""
        return [hit for hit in self._scene.hits() if hit["character"] == self.name]


def _data(array: Optional[np.ndarray]) -> Optional[int]:
    return None if array is None else array.ctypes.data

"""Batches and rollouts: many copies of a scene, stepped by several threads."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _library as lib
from ._library import Error, Handle, call, library
from ._scene import Character, Description, Scene, _state, repeat

States = Union[bytes, Sequence[bytes]]


class Batch:
    """`copies` independent copies of a scene, stepped by `threads` threads (0: one for each processor), which stay. No
    result depends on their number, to the bit.

    scene, seed, set, name: as for Scene, all copies alike; or a Scene, whose present state the copies get.
    `batch[i]` is a copy, with all that a Scene can do; `len(batch)` their number.
    """

    def __init__(
        self,
        scene: Any,
        copies: int,
        threads: int = 0,
        seed: Optional[int] = None,
        set: Optional[Mapping[str, Any]] = None,
        name: str = "scene.yaml",
    ) -> None:
        whose = scene if isinstance(scene, Scene) else None
        if whose is not None and (seed is not None or lib.mapping("settings", set)):
            raise Error("a batch of a Scene has its seed and its parameters")
        copies, threads = lib.whole("the number of copies", copies, 1, 65536), lib.whole("threads", threads, 0, 256)
        self._description = whose._description if whose is not None else Description(scene, name, seed, set)
        state = whose.save() if whose is not None else None
        self._handle = Handle(self._description.open("batch", copies, threads), "batch", library.stagger_batch_close)
        self._copies: List[Scene] = []
        with self._handle as pointer:
            pointers = [library.stagger_batch_scene(pointer, i) for i in range(copies)]
        handles = [Handle(pointer, "batch", None, self._handle) for pointer in pointers]
        for handle in handles:
            copy = Scene.__new__(Scene)
            copy._description = self._description
            copy._begin(handle, list(whose._changes) if whose is not None else [])
            repeat(handle, copy._changes)
            self._copies.append(copy)
        if state is not None:
            self.restore(state)

    # ---- Life ----

    def close(self) -> None:
        """Ends the batch and its copies. The memory is freed when the last view of a copy is gone."""
        for copy in self._copies:
            copy.close()
        self._copies = []
        self._handle.close()
        self._handle = _closed

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle.closed:
            return f"<stagger.Batch of {self._description.name}, closed>"
        return f"<stagger.Batch of {self._description.name}, {len(self)} copies, {self.threads} threads>"

    @property
    def threads(self) -> int:
        """Number of threads, the calling one included."""
        with self._handle as pointer:
            return library.stagger_batch_threads(pointer)

    def __len__(self) -> int:
        return len(self._copies)

    def __getitem__(self, copy: int) -> Scene:
        with self._handle:
            return self._copies[lib.whole("a copy", copy, -len(self), len(self) - 1)]

    def __iter__(self) -> Iterator[Scene]:
        return iter(list(self._copies))

    # ---- Time and states ----

    def step(self, steps: Union[int, Sequence[int]] = 1) -> np.ndarray:
        """Makes so many physics steps of each copy, or of each as many as its number in (copies,) says. Returns how
        many each made, (copies,): fewer if it was stopped."""
        made = np.zeros(len(self), dtype=np.intc)
        if lib.is_list(steps):
            each = self._whole_numbers("the numbers of steps", steps, 0)
            with self._handle as pointer:
                library.stagger_batch_step_each(pointer, each.ctypes.data, made.ctypes.data)
            return made
        steps = lib.whole("the number of steps", steps)
        with self._handle as pointer:
            library.stagger_batch_step(pointer, steps, made.ctypes.data)
        return made

    def _whole_numbers(self, what: str, values: Any, low: int) -> np.ndarray:
        """One for each copy, as C has them."""
        if len(values) != len(self):
            raise Error(f"{what} are whole numbers, one for each of {len(self)} copies, not {values!r}")
        return np.array([lib.whole("each of " + what, value, low) for value in values], dtype=np.intc)

    def reset(self, seeds: Optional[Sequence[int]] = None, copies: Optional[Sequence[int]] = None) -> None:
        """Restarts all copies at time 0, or only those of the indices `copies`, with a seed for each or their present
        ones."""
        chosen = list(range(len(self)))
        if copies is not None:
            if not lib.is_list(copies):
                raise Error(f"copies are a list of indices, not {copies!r}")
            chosen = [lib.whole("a copy", copy, 0, len(self) - 1) for copy in copies]
        if seeds is not None and not lib.is_list(seeds):
            raise Error(f"seeds are a list of whole numbers, one for each copy, not {seeds!r}")
        wanted = [self[i].seed for i in chosen] if seeds is None else [lib.whole("a seed", s) for s in seeds]
        if len(wanted) != len(chosen):
            raise Error(f"{len(wanted)} seeds for {len(chosen)} copies: give one for each")
        numbers = (ctypes.c_int * max(len(chosen), 1))(*chosen)
        with self._handle as pointer:
            call("batch_reset_some", pointer, numbers, (ctypes.c_int64 * max(len(wanted), 1))(*wanted), len(chosen))
        for i, seed in zip(chosen, wanted):
            copy = self._copies[i]
            copy._changes = [change for change in copy._changes if change[0] == "set"] + [("reset", seed)]
            if copy._recording:
                copy._recording._ended()

    def save(self) -> List[bytes]:
        """The state of each copy."""
        return [copy.save() for copy in self._copies]

    def restore(self, states: States) -> None:
        """Restores one state into all copies, or one into each, see Scene.restore. A state belongs to a seed: reset
        copies to it first if theirs is another."""
        pointers, sizes, count = _states(states)
        with self._handle as pointer:
            call("batch_restore", pointer, pointers, sizes, count)
        self._end_recordings()

    def _end_recordings(self) -> None:
        for copy in self._copies:
            if copy._recording:
                copy._recording._ended()

    # ---- All copies as arrays ----

    def character(self, character: Union[str, int, None]) -> Character:
        """A character of the first copy; None: the only one of a scene."""
        with self._handle:
            first = self._copies[0]
        if character is None and len(first) != 1:
            raise Error(f"say which character: the scene has {', '.join(first.characters)}")
        return first[0 if character is None else character]

    def set_joint_offsets(self, offsets: Any, character: Union[str, int, None] = None) -> None:
        """Offsets of all joints, see Character.set_joint_offset: rad, (parts, 3) for all copies alike or
        (copies, parts, 3); row 0, of the part without a joint, is 0."""
        whose = self.character(character)
        shape = (len(whose.parts), 3)
        array = lib.numbers("offsets", offsets, [shape, (len(self), *shape)])
        with self._handle as pointer:
            count = 1 if array.ndim == 2 else len(self)
            call("batch_set_joint_offsets", pointer, whose.index, array.ctypes.data, count)

    def gather(
        self, view: str, character: Union[str, int, None] = None, out: Optional[np.ndarray] = None
    ) -> np.ndarray:
        """A view of all copies, (copies, *shape of the view), see Character.view; into `out` if that is given."""
        whose = self.character(character)
        found = whose._find(view)
        array = _output(view, out, (len(self), *found.shape), found.dtype)
        with self._handle as pointer:
            call("batch_gather", pointer, whose.index, lib.text("a view", view), array.ctypes.data, array.nbytes)
        return array

    # ---- Rollouts ----

    def rollout(
        self,
        states: Optional[States] = None,
        controls: Any = None,
        moments: Optional[int] = None,
        every: int = 1,
        views: Sequence[str] = ("parts/position",),
        character: Union[str, int, None] = None,
        out: Optional[Mapping[str, np.ndarray]] = None,
        made: Optional[np.ndarray] = None,
        save_every: int = 0,
    ) -> Dict[str, Any]:
        """N runs of T moments, `every` physics steps apart, as the states and controls say; N may be larger than the
        number of copies.

        states: one, for all runs, or N; None: the copies continue from where they are, N is their number.
        controls: joint offsets in rad, each held for `every` steps, (T, parts, 3) for all runs or (N, T, parts, 3);
        row 0 of each, of the part without a joint, is 0. None: offsets stay as they are, and `moments` is T.
        Returns {view: (N, T, *shape of the view)}, after the steps of each moment; in the arrays of `out` for those
        that it has. made: (N,) intc, gets the number of steps that each run made; if a run stops early, its last values
        are repeated.
        save_every: a divisor of T: returns {"states": N lists of T / save_every states}, too, one for so many moments;
        T saves the ends alone."""
        whose = self.character(character)
        if moments is not None:
            moments = lib.whole("the number of moments", moments, 1)
        wish = lib.RolloutWish(every=lib.whole("every", every, 1), character=whose.index)
        runs = len(self)
        if states is not None:
            wish.states, wish.state_sizes, wish.state_count = _states(states)
            runs = wish.state_count
        if controls is not None:
            turns = _controls(controls, len(whose.parts), moments)
            moments = turns.shape[-3]
            wish.controls, wish.control_count = turns.ctypes.data, 1 if turns.ndim == 3 else len(turns)
            if states is not None and runs == 1:
                runs = wish.control_count
        if moments is None:
            raise Error("give controls, or the number of moments")
        wish.moments, wish.count = moments, lib.whole("runs", runs, 1)
        if not lib.is_list(views):
            raise Error(f"views are a list of names, not {views!r}")
        given = lib.mapping("arrays for results", out)
        found = {view: whose._find(view) for view in views}
        arrays = {
            view: _output(view, given.get(view), (wish.count, wish.moments, *kind.shape), kind.dtype)
            for view, kind in found.items()
        }
        names = [lib.text("a view", view) for view in found]
        wish.views, wish.view_count = lib.texts(names), len(names)
        wish.outputs = (ctypes.c_void_p * max(len(names), 1))(*[array.ctypes.data for array in arrays.values()])
        wish.output_sizes = (ctypes.c_size_t * max(len(names), 1))(*[array.nbytes for array in arrays.values()])
        if made is not None:
            wish.made = _output("made", made, (wish.count,), np.dtype(np.intc)).ctypes.data
        wish.save_every = lib.whole("save_every", save_every)
        saved, read_saved = _places(wish)
        with self._handle as pointer:
            call("batch_rollout", pointer, byref(wish))
        self._end_recordings()
        return {**arrays, "states": read_saved()} if saved else arrays


_closed = lib.ended("batch")


def _states(states: States) -> Tuple[Any, Any, int]:
    """Pointers, sizes and number of saved states."""
    if isinstance(states, (bytes, bytearray, memoryview)):
        states = [states]
    try:
        contents = [_state(state) for state in states]
    except TypeError:
        raise Error(f"states are bytes that save() returned, not {states!r}") from None
    if not contents:
        raise Error("there is no state")
    sizes = (ctypes.c_size_t * len(contents))(*[size for _, size in contents])
    return lib.texts([content for content, _ in contents]), sizes, len(contents)


def _places(wish: lib.RolloutWish) -> Tuple[int, Callable[[], List[List[bytes]]]]:
    """Makes places for the states that a rollout saves. Returns how many of each run, and what reads and frees them."""
    each = wish.moments // wish.save_every if wish.save_every else 0
    count = each * wish.count
    places, sizes = (ctypes.c_void_p * max(count, 1))(), (ctypes.c_size_t * max(count, 1))()
    wish.saved, wish.saved_sizes = places, sizes

    def read() -> List[List[bytes]]:
        states = [ctypes.string_at(place, size) for place, size in zip(places[:count], sizes)]
        library.stagger_states_free(places, count)
        return [states[i : i + each] for i in range(0, count, each)]

    return each, read


def _controls(controls: Any, parts: int, moments: Optional[int]) -> np.ndarray:
    """(T, parts, 3) or (N, T, parts, 3)."""
    given = np.shape(controls)
    if len(given) not in (3, 4) or given[-2:] != (parts, 3) or 0 in given:
        raise Error(f"controls have the shape (T, {parts}, 3) or (N, T, {parts}, 3), not {given}")
    if moments is not None and moments != given[-3]:
        raise Error(f"controls of {given[-3]} moments, not of {moments}")
    return lib.numbers("controls", controls, [given])


def _output(what: str, array: Optional[np.ndarray], shape: Tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An array for results: a new one, or the given one if it is fit."""
    if array is None:
        return np.empty(shape, dtype=dtype)
    fit = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == dtype
    if not fit or not array.flags.c_contiguous or not array.flags.writeable:
        raise Error(f"the array for {what} is a writable C array {shape} of {dtype}")
    return array


def rollout(
    scene: Union[Scene, Batch],
    states: Optional[States] = None,
    controls: Any = None,
    *,
    threads: int = 0,
    **options: Any,
) -> Dict[str, Any]:
    """Batch.rollout for a scene, which it does not change: by a batch that is made for it and kept for the next call.
    states: None: all runs begin at the scene's present state. options: moments, every, views, character, out, made,
    save_every."""
    if isinstance(scene, Batch):
        return scene.rollout(states, controls, **options)
    if not isinstance(scene, Scene):
        raise Error(f"a rollout is made of a Scene or a Batch, not of {type(scene).__name__}")
    present = scene.save() if states is None else states
    count = lib.whole("threads", threads, 0, 256) or min(os.cpu_count() or 1, 256)
    key = (count, tuple(map(repr, scene._changes)))
    if scene._rollout is None or scene._rollout[0] != key:
        scene._rollout = (key, Batch(scene, count, count))
    return scene._rollout[1].rollout(present, controls, **options)

"""Environments for learning, by Gymnasium's contract (1.x), with gymnasium installed or without.

    import stagger

    env = stagger.gym.make("HitRun-v0")
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

    envs = stagger.gym.VectorEnv("HitRun-v0", num_envs=64)  # copies stepped by threads

With gymnasium these classes are subclasses of its Env and VectorEnv, and `gymnasium.make("stagger/HitRun-v0")` knows
them. The tables of observations and actions with their units are in python/gym.md, and in `env.observation_table` and
`env.action_table`.

An action turns the goals of the body's joints; the drives follow the goals within the joints' limits of torque, which
nothing exceeds. Nothing random is left to chance: a seed gives the same episodes to the bit, in an Env as in a
VectorEnv, for any number of threads.
"""

from __future__ import annotations

import enum
import functools
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _library as lib
from ._batch import Batch
from ._library import Error
from ._tasks import STEPS, TASKS, Row, Task, World, find_task

try:
    import gymnasium
except ImportError:
    gymnasium = None

AutoresetMode: Any = getattr(gymnasium.vector, "AutoresetMode", None) if gymnasium else None
if not AutoresetMode:  # as that of gymnasium from 1.1 on

    class AutoresetMode(enum.Enum):  # type: ignore[no-redef]
        """When a VectorEnv begins the next episode of a copy whose episode is over."""

        NEXT_STEP = "NextStep"  # in the next step, whose action it ignores and whose reward is 0
        SAME_STEP = "SameStep"  # at once; infos["final_obs"] has the last observation
        DISABLED = "Disabled"  # by reset(options={"reset_mask": ...})


__all__ = ["AutoresetMode", "Env", "Row", "TASKS", "Task", "VectorEnv", "make"]

_EnvBase: Any = gymnasium.Env if gymnasium else object
_VectorBase: Any = gymnasium.vector.VectorEnv if gymnasium else object


# ---- Spaces ----


class _OwnBox:
    """An array of numbers between two limits: what gymnasium.spaces.Box is, as far as it is needed."""

    def __init__(self, low: Any, high: Any, shape: Sequence[int], dtype: Any) -> None:
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self.low, self.high = np.full(shape, low, self.dtype), np.full(shape, high, self.dtype)
        self._random = np.random.default_rng()

    def seed(self, seed: Optional[int] = None) -> None:
        self._random = np.random.default_rng(seed)

    def sample(self) -> np.ndarray:
        """A random member: even between limits, normal where there are none."""
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        even = self._random.uniform(np.where(bounded, self.low, 0), np.where(bounded, self.high, 1))
        return np.where(bounded, even, self._random.standard_normal(self.shape)).astype(self.dtype)

    def contains(self, x: Any) -> bool:
        fit = isinstance(x, np.ndarray) and x.shape == self.shape and np.can_cast(x.dtype, self.dtype)
        return bool(fit and (x >= self.low).all() and (x <= self.high).all())

    def __contains__(self, x: Any) -> bool:
        return self.contains(x)

    def __eq__(self, other: Any) -> bool:
        alike = isinstance(other, _OwnBox) and (self.shape, self.dtype) == (other.shape, other.dtype)
        return bool(alike and (self.low == other.low).all() and (self.high == other.high).all())

    def __repr__(self) -> str:
        return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


def _box(low: float, high: float, shape: Sequence[int], dtype: Any) -> Any:
    if gymnasium:
        return gymnasium.spaces.Box(low, high, tuple(shape), dtype)
    return _OwnBox(low, high, shape, dtype)


# ---- Arguments ----


def _check_actions(actions: Any, shape: Tuple[int, ...]) -> np.ndarray:
    return lib.numbers("an action" if len(shape) == 1 else "actions", actions, [shape])


def _check_options(options: Any, allowed: Sequence[str]) -> Dict[str, Any]:
    given = dict(lib.mapping("options", options))
    unknown = [key for key in given if key not in allowed]
    if unknown:
        raise Error(f"there is no option {unknown[0]!r}: there are {', '.join(allowed)}")
    return given


def _check_render_mode(mode: Any) -> Optional[str]:
    if mode not in (None, "rgb_array"):
        raise Error(f"a render mode is None or 'rgb_array', not {mode!r}")
    return mode


def _random(seed: Optional[int]) -> np.random.Generator:
    """Random numbers as gymnasium makes them of a seed."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))


def _scene_seed(random: np.random.Generator) -> int:
    return int(random.integers(0, 2**31))


class Env(_EnvBase):
    """An environment: one copy of a task's scene.

    render_mode: None or "rgb_array".
    controller: "none", the goals of the joints are the clip's or the bind pose, and the actions all that balances; or
    "stagger", the actions are added to what Stagger's own balance or skill does.
    speed: m/s wanted ahead, where one goes.
    set: overrides of the scene's parameters, {"terrain.amplitude": 0.03, "characters.body.drive.strength": 0.8}.

    observation: (observations,) float64, see `observation_table`.
    action: (actions,) float32 in [-1, 1], see `action_table`; what is beyond is limited to that.
    info: "terms", the weighted terms of the reward by name, whose sum it is; "time", s of the episode; "scene_seed",
    that of its scene; "is_success", it stands.
    """

    metadata: Dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 30}
    name = ""
    spec: Any = None

    def __init__(
        self,
        render_mode: Optional[str] = None,
        controller: str = "none",
        speed: Optional[float] = None,
        set: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self.render_mode = _check_render_mode(render_mode)
        self._world = World(self.name, 1, 1, controller, speed, set)
        self.observation_table, self.action_table = self._world.observation_table, self._world.action_table
        self.action_unit = self._world.action_unit  # rad that an action of 1 turns a joint's goal
        self.observation_space = _box(-np.inf, np.inf, (len(self.observation_table),), np.float64)
        self.action_space = _box(-1, 1, (len(self.action_table),), np.float32)
        self._np_random: Optional[np.random.Generator] = None
        self._np_random_seed: Optional[int] = None
        self._count = -1  # actions of this episode; below 0: there is none

    @property
    def unwrapped(self) -> "Env":
        return self

    @property
    def np_random(self) -> np.random.Generator:
        if self._np_random is None:
            self._np_random = _random(None)
        return self._np_random

    @np_random.setter
    def np_random(self, random: np.random.Generator) -> None:
        self._np_random, self._np_random_seed = random, -1

    @property
    def scene(self) -> Any:
        """The stagger.Scene, to look at: views, save, metrics."""
        return self._world.batch[0]

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[np.ndarray, Dict[str, Any]]:
        """Begins an episode. seed: of all random numbers from now on. options: {"scene_seed": 0 .. 2147483647}, that of
        the scene of this episode."""
        given = _check_options(options, ["scene_seed"])
        if seed is not None:
            self._np_random, self._np_random_seed = _random(lib.whole("a seed", seed, 0, 2**63 - 1)), seed
        drawn = _scene_seed(self.np_random)
        self._world.begin([0], [lib.whole("scene_seed", given.get("scene_seed", drawn))])
        self._count = 0
        observation = self._world.observe()[0]
        return observation, self._info({})

    def _info(self, terms: Dict[str, np.ndarray]) -> Dict[str, Any]:
        info = {"time": self._count * STEPS * self._world.time_step, "scene_seed": self.scene.seed}
        if terms:
            info["terms"] = {name: float(values[0]) for name, values in terms.items()}
        return info

    def step(self, action: Any) -> Tuple[np.ndarray, float, bool, bool, Dict[str, Any]]:
        """Does an action for 1/30 s. Returns observation, reward, terminated (fallen, or the scene has stopped),
        truncated (the time is over), info."""
        actions = _check_actions(action, self.action_space.shape)
        if self._count < 0:
            raise Error("there is no episode: call reset first")
        observations, terms, failed = self._world.step(actions[None], np.ones(1, dtype=bool))
        self._count += 1
        truncated = self._count >= self._world.limit
        info = self._info(terms)
        info["is_success"] = bool(self._world.standing[0])
        return observations[0], sum(info["terms"].values()), bool(failed[0]), truncated, info

    def render(self) -> Optional[np.ndarray]:
        """A picture of the present state, (height, width, 3) uint8, the same bits each time; None without
        render_mode="rgb_array". See Scene.render."""
        return self.scene.render() if self.render_mode else None

    def close(self) -> None:
        self._world.batch.close()
        self._count = -1

    def __enter__(self) -> "Env":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __str__(self) -> str:
        return f"<stagger.gym {self.name}>"

    __repr__ = __str__


class Stand(Env):
    """Stands under light pushes."""

    name = "Stand-v0"


class PushRecovery(Env):
    """Stands, and is pushed hard at the pelvis."""

    name = "PushRecovery-v0"


class Walk(Env):
    """Walks straight ahead."""

    name = "Walk-v0"


class Run(Env):
    """Runs straight ahead."""

    name = "Run-v0"


class HitRun(Env):
    """Runs over bumps while bullets hit it."""

    name = "HitRun-v0"


class GetUp(Env):
    """Lies, and gets up."""

    name = "GetUp-v0"


class Terrain(Env):
    """Walks over bumps."""

    name = "Terrain-v0"


_CLASSES = {kind.name: kind for kind in (Stand, PushRecovery, Walk, Run, HitRun, GetUp, Terrain)}


class VectorEnv(_VectorBase):
    """`num_envs` environments of a name, stepped by `threads` threads (0: one for each processor). Copy i, reset with
    the seed s, gives the same bits as an Env that was reset with s + i.

    autoreset_mode: when the next episode of a copy begins whose episode is over, an AutoresetMode or its text:
    "NextStep", "SameStep" or "Disabled"; declared in `metadata`.
    Other arguments: as of Env.

    observations: (num_envs, observations) float64; actions: (num_envs, actions) float32.
    infos: "terms", {name: (num_envs,)}; "time", "scene_seed", "is_success", (num_envs,); with "SameStep" also
    "final_obs" and "final_info" of the copies in the mask "_final_obs", whose episode has ended in this step.
    """

    def __init__(
        self,
        name: str,
        num_envs: int = 1,
        threads: int = 0,
        autoreset_mode: Union[AutoresetMode, str] = AutoresetMode.NEXT_STEP,
        render_mode: Optional[str] = None,
        controller: str = "none",
        speed: Optional[float] = None,
        set: Optional[Mapping[str, Any]] = None,
    ) -> None:
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            allowed = ", ".join(mode.value for mode in AutoresetMode)
            raise Error(f"an autoreset mode is one of {allowed}, not {autoreset_mode!r}") from None
        self.render_mode = _check_render_mode(render_mode)
        self.metadata = {**Env.metadata, "autoreset_mode": self.autoreset_mode}
        self.name, self.spec = name, None
        self._counts = np.zeros(0)
        self._world = World(name, num_envs, threads, controller, speed, set)
        self.num_envs = len(self._world.batch)
        self.observation_table, self.action_table = self._world.observation_table, self._world.action_table
        self.action_unit = self._world.action_unit
        size, actions = len(self.observation_table), len(self.action_table)
        self.single_observation_space = _box(-np.inf, np.inf, (size,), np.float64)
        self.single_action_space = _box(-1, 1, (actions,), np.float32)
        self.observation_space = _box(-np.inf, np.inf, (self.num_envs, size), np.float64)
        self.action_space = _box(-1, 1, (self.num_envs, actions), np.float32)
        self._random = [_random(None) for _ in range(self.num_envs)]
        self._counts = np.full(self.num_envs, -1)
        self._over = np.ones(self.num_envs, dtype=bool)  # the episode of a copy is over, and the next not begun
        self._seeds = np.zeros(self.num_envs, dtype=np.int64)

    @property
    def batch(self) -> Batch:
        """The copies; batch[i] is a stagger.Scene."""
        return self._world.batch

    def reset(
        self, *, seed: Union[int, Sequence[Optional[int]], None] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[np.ndarray, Dict[str, Any]]:
        """Begins an episode of each copy. seed: s for s, s + 1 ..., or one for each copy. options: {"reset_mask":
        (num_envs,) bool}, only of these copies."""
        mask = _check_options(options, ["reset_mask"]).get("reset_mask")
        chosen = np.ones(self.num_envs, dtype=bool)
        if mask is not None:
            chosen = np.asarray(mask)
            if chosen.shape != (self.num_envs,) or chosen.dtype != bool:
                raise Error(f"reset_mask is an array of {self.num_envs} bool, not {mask!r}")
        for i, given in enumerate(self._list_seeds(seed)):
            if given is not None and chosen[i]:
                self._random[i] = _random(given)
        self._begin(chosen)
        return self._world.observe(), self._infos()

    def _list_seeds(self, seed: Any) -> List[Optional[int]]:
        if seed is None:
            return [None] * self.num_envs
        if not lib.is_list(seed):
            first = lib.whole("a seed", seed, 0, 2**62)
            return [first + i for i in range(self.num_envs)]
        seeds = [None if each is None else lib.whole("a seed", each, 0, 2**63 - 1) for each in seed]
        if len(seeds) != self.num_envs:
            raise Error(f"{len(seeds)} seeds for {self.num_envs} environments: give one for each, or one number")
        return seeds

    def _begin(self, chosen: np.ndarray) -> None:
        copies = np.flatnonzero(chosen)
        seeds = [_scene_seed(self._random[i]) for i in copies]
        self._world.begin([int(i) for i in copies], seeds)
        self._seeds[copies] = seeds
        self._counts[copies] = 0
        self._over[copies] = False

    def _infos(self) -> Dict[str, Any]:
        return {"time": self._counts * STEPS * self._world.time_step, "scene_seed": self._seeds.copy()}

    def step(
        self, actions: Any
    ) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Dict[str, Any]]:
        """Does an action of each copy for 1/30 s. Returns observations, rewards, terminations, truncations, infos."""
        wanted = _check_actions(actions, self.action_space.shape)
        if (self._counts < 0).any():
            raise Error("there is no episode: call reset first")
        acting = ~self._over
        if self.autoreset_mode == AutoresetMode.DISABLED and not acting.all():
            over = ", ".join(map(str, np.flatnonzero(self._over)))
            raise Error(f"the episodes of {over} are over: reset them by the option reset_mask")
        if not acting.all():
            self._begin(~acting)
        observations, terms, failed = self._world.step(wanted, acting)
        self._counts[acting] += 1
        terms = {name: np.where(acting, values, 0.0) for name, values in terms.items()}
        terminations = failed & acting
        truncations = (self._counts >= self._world.limit) & acting
        self._over = terminations | truncations
        rewards = sum(terms.values())
        infos = {**self._infos(), "terms": terms, "is_success": self._world.standing}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._over.any():
            observations, infos = self._begin_at_once(observations, infos)
        return observations, rewards, terminations, truncations, infos

    def _begin_at_once(self, observations: np.ndarray, infos: Dict[str, Any]) -> Tuple[np.ndarray, Dict[str, Any]]:
        """Begins the next episodes in the step in which the present ones end."""
        over = self._over.copy()
        final = {key: value for key, value in infos.items()}
        self._begin(over)
        infos = {**infos, **self._infos(), "final_obs": observations, "_final_obs": over}
        infos.update({"final_info": final, "_final_info": over})
        return self._world.observe(), infos

    def render(self) -> Optional[Tuple[np.ndarray, ...]]:
        """A picture of each copy, see Env.render."""
        return tuple(copy.render() for copy in self._world.batch) if self.render_mode else None

    def close(self, **_: Any) -> None:
        self.closed = True  # gymnasium's base closes what is not
        if hasattr(self, "_world"):
            self._world.batch.close()
            self._counts[:] = -1

    def __enter__(self) -> "VectorEnv":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<stagger.gym {self.name}, {self.num_envs} copies, autoreset {self.autoreset_mode.value}>"


def make(name: str, **options: Any) -> Env:
    """The environment of a name: "HitRun-v0". options: as of Env."""
    find_task(name)
    return _CLASSES[name](**options)


def _register() -> None:
    """Makes the environments known to gymnasium, as "stagger/HitRun-v0"."""
    for name, kind in _CLASSES.items():
        if f"stagger/{name}" not in gymnasium.registry:
            gymnasium.register(
                id=f"stagger/{name}", entry_point=kind, vector_entry_point=functools.partial(VectorEnv, name)
            )


if gymnasium:
    _register()

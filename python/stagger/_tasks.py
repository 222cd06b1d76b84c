"""What environments are about: the scenes of their tasks, what is observed of them, and the terms of their rewards."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _library as lib
from ._batch import Batch
from ._library import Error
from ._scene import Joint

# ---- Tasks ----


class Task(NamedTuple):
    """What an environment is about."""

    purpose: str
    seconds: float  # an episode's longest duration
    terms: Mapping[str, float]  # terms of the reward, see `Terms`, and their weights
    clip: str = ""  # that the goals of the joints follow; without one, the bind pose
    speed: float = 0  # m/s wanted ahead
    terrain: str = "{kind: flat}"
    events: str = ""
    settle: float = 0.2  # s that pass before the first observation, with actions of 0
    lies: bool = False  # it begins lying, and low is no failure
    low: float = 0.6  # share of the pelvis's height below which one has fallen
    tilt: float = 60  # deg by which the pelvis is tilted when one has fallen
    gain: float = 0.25  # share of the body's gains when only actions balance it, so that they are gentle
    own: Tuple[str, ...] = ()  # lines of the character that has Stagger's own controller; without them there is none


# A light push before the first observation, so that no two episodes begin alike.
_NUDGE = (
    "{kind: push, character: body, part: pelvis, time: [0, 0.05], direction: [0, 360], impulse: [0, 8], duration: 0.1}"
)
_WALKED = {"alive": 0.3, "velocity": 1.0, "upright": 0.2, "pose": 0.5, "power": 0.02, "change": 0.02}
_STOOD = {
    "alive": 0.3,
    "over_feet": 0.5,
    "still": 0.3,
    "upright": 0.2,
    "height": 0.2,
    "pose": 0.3,
    "power": 0.02,
    "change": 0.02,
}
# With it the ankles resist a lean by 580 N m/rad, less than the 680 N m/rad with which the weight topples the body: as
# people do, it has to balance. With 0.25 the joints stand by themselves.
_SOFT = 0.08

TASKS: Dict[str, Task] = {
    "Stand-v0": Task(
        "Stands.",
        10,
        _STOOD,
        low=0.85,
        tilt=30,
        gain=_SOFT,
        own=("balance: {enabled: true}",),
    ),
    "PushRecovery-v0": Task(
        "Is pushed hard at the pelvis while it stands.",
        5,
        _STOOD,
        events="{kind: push, character: body, part: pelvis, time: [0.5, 1], direction: [0, 360], "
        "impulse: [30, 120], duration: 0.1}",
        gain=_SOFT,
        own=("balance: {enabled: true}",),
    ),
    "Walk-v0": Task(
        "Walks straight ahead.",
        10,
        _WALKED,
        clip="clips/walk.yaml",
        speed=1.2,
        own=("balance: {enabled: true}",),
    ),
    "Run-v0": Task(
        "Runs straight ahead.",
        10,
        _WALKED,
        clip="clips/run.yaml",
        speed=3.5,
        own=("skill: skills/run.yaml",),
    ),
    "HitRun-v0": Task(
        "Runs over bumps of 1.5 cm while bullets hit it.",
        10,
        _WALKED,
        clip="clips/run.yaml",
        speed=3.5,
        terrain="{kind: noise, amplitude: 0.015, wavelength: 0.8, cell: 0.1, x: [-6, 6], z: [-5, 45]}",
        events="{kind: impulse, character: body, part: any, from: 1, every: [0.8, 2], impulse: [2, 15], "
        "direction: [0, 360], elevation: [-20, 20]}",
        own=("skill: skills/run.yaml",),
    ),
    "GetUp-v0": Task(
        "Lies, fallen to a side that chance has chosen, and gets up.",
        8,
        {"head": 1.0, "upright": 0.3, "stands": 1.0, "power": 0.02, "change": 0.02},
        events="{kind: push, character: body, part: chest, time: 0.02, direction: [0, 360], impulse: [120, 200], "
        "duration: 0.1}",
        settle=2.5,
        lies=True,
    ),
    "Terrain-v0": Task(
        "Walks over bumps of 6 cm, which differ from episode to episode.",
        10,
        _WALKED,
        clip="clips/walk.yaml",
        speed=1.2,
        terrain="{kind: noise, amplitude: 0.06, wavelength: 2, cell: 0.1, flat_radius: 1, x: [-4, 4], z: [-3, 16]}",
        own=("balance: {enabled: true}", "layers: [{kind: foot_placement}]"),
    ),
}


def find_task(name: Any) -> Task:
    if not isinstance(name, str) or name not in TASKS:
        raise Error(f"there is no environment {name!r}: there are {', '.join(TASKS)}")
    return TASKS[name]


_CONTROLLERS = ("none", "stagger")


def _scene_text(task: Task, controller: str, speed: float) -> str:
    """The scene, as a file has it."""
    # While it lies its muscles are as strong as ever, and do not let go.
    fall = "fall: {enabled: false, lying_strength: 1, release: 60}"
    lines = [f"drive: {{stiffness: {task.gain!r}, damping: {task.gain!r}}}", fall]
    if controller == "stagger":
        lines = list(task.own)
    if task.clip:
        lines.append(f"animation: {{move: {task.clip}}}")
    events = ([] if task.lies else [_NUDGE]) + ([task.events] if task.events else [])
    return (
        f"purpose: {task.purpose}\nduration: 3600\nworld: {{dt: 1/240, solver: reduced}}\nterrain: {task.terrain}\n"
        f"characters:\n  - name: body\n    body: bodies/human.yaml\n    intent: {{speed: {speed!r}}}\n"
        + "".join(f"    {line}\n" for line in lines)
        + "events:\n"
        + "".join(f"  - {event}\n" for event in events)
    )


# ---- Rotations, x y z w, of arrays (..., 4) ----


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Of vectors (..., 3); numpy's own takes several times as long for few of them."""
    (ax, ay, az), (bx, by, bz) = (np.moveaxis(v, -1, 0) for v in (a, b))
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def _rotate(q: np.ndarray, v: Sequence[float]) -> np.ndarray:
    """A vector rotated by quaternions."""
    axis, w, vector = q[..., :3], q[..., 3:], np.asarray(v, dtype=float)
    twice = 2 * _cross(axis, vector)
    return vector + w * twice + _cross(axis, twice)


def _difference(target: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Rotation vectors (..., 3) from the present rotation to the target, in the frame that both have."""
    a, aw, b, bw = target[..., :3], target[..., 3:], -present[..., :3], present[..., 3:]
    axis = aw * b + bw * a + _cross(a, b)
    w = aw * bw - (a * b).sum(-1, keepdims=True)
    axis = np.where(w < 0, -axis, axis)
    sine = np.sqrt((axis * axis).sum(-1, keepdims=True))
    angle = 2 * np.arctan2(sine, np.abs(w))
    return axis * np.where(sine > 1e-9, angle / np.maximum(sine, 1e-9), 2)


# ---- What all environments share ----

_VIEWS = (
    "parts/position",
    "parts/rotation",
    "parts/linear_velocity",
    "parts/angular_velocity",
    "pose/target/rotation",
    "pose/measured/rotation",
    "joints/angle",
    "joints/velocity",
    "joints/torque",
    "joints/strength",
    "feet/position",
    "feet/ground_height",
    "feet/clearance",
    "feet/planted",
    "feet/phase",
    "com/position",
    "com/velocity",
)
STEPS = 8  # physics steps of an action: 30 Hz
_REACH, _FARTHEST = 4.0, 1.0  # an action of 1, as a share of the angle of full torque, and at most so many rad
_STANDING = 0.9  # share of the head's height above which one stands who was lying


def _finite(values: np.ndarray) -> np.ndarray:
    """With 0 for what is not finite, as it may be in a scene that has stopped."""
    return values if np.isfinite(values).all() else np.where(np.isfinite(values), values, 0)


class Row(NamedTuple):
    """A number of an observation or an action."""

    name: str
    unit: str


def _vector_rows(name: str, unit: str, axes: str = "xyz") -> List[Row]:
    return [Row(f"{name} {axis}", unit) for axis in axes]


class Terms:
    """The terms of the reward, each (copies,), for the state after an action. All are 1 at best, except for the costs
    `power` (kW) and `change` (mean square of an action's change), which are 0 at best and negative."""

    def __init__(self, world: "World", state: Dict[str, np.ndarray], changes: np.ndarray) -> None:
        self.world, self.state, self.changes = world, state, changes

    def alive(self) -> np.ndarray:
        return np.where(self.world.fallen(self.state), 0.0, 1.0)

    def upright(self) -> np.ndarray:
        return np.maximum(self.state["up"][:, 1], 0)

    def height(self) -> np.ndarray:
        return np.exp(-20 * (self.state["height"] - self.world.height) ** 2)

    def still(self) -> np.ndarray:
        level = self.state["com/velocity"][:, [0, 2]]
        return np.exp(-4 * (level * level).sum(-1))

    def over_feet(self) -> np.ndarray:
        off = self.state["com/position"][:, [0, 2]] - self.state["feet/position"][:, :, [0, 2]].mean(1)
        return np.exp(-50 * (off * off).sum(-1))

    def velocity(self) -> np.ndarray:
        off = self.state["com/velocity"][:, [0, 2]] - [0, self.world.speed]
        return np.exp(-2 * (off * off).sum(-1))

    def pose(self) -> np.ndarray:
        return np.exp(-0.5 * (self.state["error"] ** 2).sum(-1))

    def head(self) -> np.ndarray:
        return np.clip(self.state["head"] / self.world.head_height, 0, 1)

    def stands(self) -> np.ndarray:
        return np.where(self.world.stands(self.state), 1.0, 0.0)

    def power(self) -> np.ndarray:
        return -self.state["power"] / 1000

    def change(self) -> np.ndarray:
        return -self.changes


class World:
    """Copies of a task's scene, their observations and rewards."""

    def __init__(
        self,
        name: str,
        copies: int,
        threads: int,
        controller: str,
        speed: Optional[float],
        settings: Optional[Mapping[str, Any]],
    ) -> None:
        self.task = find_task(name)
        if controller not in _CONTROLLERS:
            raise Error(f"a controller is one of {', '.join(_CONTROLLERS)}, not {controller!r}")
        if controller == "stagger" and not self.task.own:
            able = ", ".join(each for each, task in TASKS.items() if task.own)
            raise Error(f"Stagger has no controller of its own for {name}: it has for {able}")
        if speed is not None and not self.task.clip:
            able = ", ".join(each for each, task in TASKS.items() if task.clip)
            raise Error(f"{name} stays where it is: a speed is wanted by {able}")
        self.speed = self.task.speed if speed is None else lib.real("a speed", speed)
        text = _scene_text(self.task, controller, self.speed)
        self.batch = Batch(text, copies, threads, set=settings, name=f"{name}.yaml")
        self.body = self.batch.character(None)
        self.time_step = self.batch[0].time_step
        self._outputs = [(view.encode(), self.batch.gather(view, 0)) for view in _VIEWS]
        self._find_joints()
        self._state_of_bind_pose()
        self.limit = round(self.task.seconds / (STEPS * self.time_step))  # actions of an episode
        self.actions = np.zeros((copies, len(self.action_table)))
        self.standing = np.ones(copies, dtype=bool)
        self.observation_table = self._observation_rows()

    def _find_joints(self) -> None:
        parts = self.body.parts
        parents = set()
        self.joints: List[Joint] = [self.body.joint(i) for i in range(1, len(parts))]
        for joint in self.joints:
            parents.add(joint.parent)
        self.parent = np.array([parts.index(joint.parent) for joint in self.joints])
        self.axes = [(i, axis) for i, joint in enumerate(self.joints) for axis in range(3) if joint.turns[axis]]
        self.axis_joint, self.axis = np.array(self.axes).T
        # Head and hands, which carry nothing, follow the goals alone.
        moved = [(i, axis) for i, axis in self.axes if parts[i + 1] in parents or parts[i + 1].startswith("foot")]
        self.action_part, self.action_axis = np.array(moved).T + [[1], [0]]
        units = [_REACH * self.joints[i].torque / max(self.joints[i].stiffness, 1e-9) for i, _ in moved]
        self.action_unit = np.minimum(units, _FARTHEST)
        self.action_table = [Row(f"{parts[i + 1]} {'xyz'[axis]}", "rad") for i, axis in moved]
        self.head = parts.index("head")

    def _state_of_bind_pose(self) -> None:
        """Heights of pelvis and head where the episode of a standing body would begin, over the ground."""
        state = self._gather()
        self.height, self.head_height = float(state["height"][0]), float(state["head"][0])

    def _observation_rows(self) -> List[Row]:
        parts = self.body.parts
        axes = [f"{parts[i + 1]} {'xyz'[axis]}" for i, axis in self.axes]
        rows = _vector_rows("pelvis up", "-") + _vector_rows("pelvis forward", "-")
        rows += _vector_rows("pelvis velocity", "m/s") + _vector_rows("pelvis turn", "rad/s")
        rows += _vector_rows("com place", "m") + _vector_rows("com velocity", "m/s")
        rows += [Row(f"{axis} angle", "rad") for axis in axes] + [Row(f"{axis} rate", "rad/s") for axis in axes]
        rows += [Row(f"{axis} error", "rad") for axis in axes]
        rows += [Row(f"{part} height", "m") for part in parts]
        for side in ("left", "right"):
            rows += _vector_rows(f"{side} foot place", "m")
        for name, unit in (("clearance", "m"), ("load", "-"), ("phase sine", "-"), ("phase cosine", "-")):
            rows += [Row(f"{side} foot {name}", unit) for side in ("left", "right")]
        rows += [Row("speed", "m/s")] + [Row(f"{part} strength", "-") for part in parts[1:]]
        return rows + [Row(f"last {action.name}", "-") for action in self.action_table]

    # ---- State ----

    def _gather(self) -> Dict[str, np.ndarray]:
        """The views of all copies, and what follows from them."""
        with self.batch._handle as pointer:
            for name, values in self._outputs:
                lib.call("batch_gather", pointer, 0, name, values.ctypes.data, values.nbytes)
        state = dict(zip(_VIEWS, (values for _, values in self._outputs)))
        place, rotation = state["parts/position"], state["parts/rotation"]
        ground = state["feet/ground_height"].astype(float).sum(-1) / 2
        state["heights"] = place[:, :, 1] - ground[:, None]
        state["height"], state["head"] = state["heights"][:, 0], state["heights"][:, self.head]
        state["up"] = _rotate(rotation[:, 0], [0, 1, 0])
        state["forward"] = _rotate(rotation[:, 0], [0, 0, 1])
        target, measured = (state[f"pose/{which}/rotation"].astype(float) for which in ("target", "measured"))
        error = _difference(target, measured)
        # In the order of rows, so that a sum has the same bits for any number of copies.
        state["error"] = np.ascontiguousarray(error[:, self.axis_joint, self.axis])
        turn = state["parts/angular_velocity"]
        state["power"] = np.abs((state["joints/torque"] * (turn[:, 1:] - turn[:, self.parent])).sum(-1)).sum(-1)
        return state

    def fallen(self, state: Dict[str, np.ndarray]) -> np.ndarray:
        if self.task.lies:
            return np.zeros(len(self.batch), dtype=bool)
        tilted = state["up"][:, 1] < np.cos(np.radians(self.task.tilt))
        return tilted | (state["height"] < self.task.low * self.height)

    def stands(self, state: Dict[str, np.ndarray]) -> np.ndarray:
        return (state["head"] > _STANDING * self.head_height) & (state["up"][:, 1] > 0.8)

    def _observe(self, state: Dict[str, np.ndarray]) -> np.ndarray:
        copies = len(self.batch)
        pelvis = state["parts/position"][:, 0]
        phase = 2 * np.pi * state["feet/phase"].astype(float) * (1.0 if self.task.clip else 0.0)
        angle, rate = (state[f"joints/{what}"][:, self.axis_joint, self.axis] for what in ("angle", "velocity"))
        columns = [
            state["up"],
            state["forward"],
            state["parts/linear_velocity"][:, 0],
            state["parts/angular_velocity"][:, 0],
            state["com/position"] - pelvis,
            state["com/velocity"],
            angle,
            rate,
            state["error"],
            state["heights"],
            (state["feet/position"] - pelvis[:, None]).reshape(copies, -1),
            state["feet/clearance"],
            state["feet/planted"],
            np.sin(phase),
            np.cos(phase),
            np.full((copies, 1), self.speed),
            state["joints/strength"],
            self.actions,
        ]
        return _finite(np.concatenate(columns, axis=1))

    # ---- Episodes ----

    def begin(self, chosen: Sequence[int], seeds: Sequence[int]) -> None:
        """Begins episodes of some copies by the seeds of their scenes."""
        if not len(chosen):
            return
        self.batch.reset(seeds, chosen)
        steps = np.zeros(len(self.batch), dtype=np.intc)
        steps[list(chosen)] = round(self.task.settle / self.time_step)
        self.batch.step(steps)
        self.actions[list(chosen)] = 0

    def observe(self) -> np.ndarray:
        return self._observe(self._gather())

    def step(self, actions: np.ndarray, acting: np.ndarray) -> Tuple[np.ndarray, Dict[str, np.ndarray], np.ndarray]:
        """Does the actions in [-1, 1], (copies, actions), of those copies that act. Returns all observations, the
        weighted terms of their rewards, and which copies have failed."""
        kept = np.where(acting[:, None], np.clip(actions, -1, 1), self.actions)
        difference = kept - self.actions
        changes = (difference * difference).sum(-1) / kept.shape[1]
        self.actions = kept
        offsets = np.zeros((len(self.batch), len(self.body.parts), 3))
        offsets[:, self.action_part, self.action_axis] = kept * self.action_unit
        self.batch.set_joint_offsets(offsets, 0)
        steps = np.where(acting, STEPS, 0).astype(np.intc)
        made = self.batch.step(steps)
        state = self._gather()
        terms = Terms(self, state, changes)
        weighted = {name: _finite(weight * getattr(terms, name)()) for name, weight in self.task.terms.items()}
        failed = self.fallen(state) | (made < steps)
        self.standing = self.stands(state) & ~failed
        return self._observe(state), weighted, failed

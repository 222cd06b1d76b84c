"""Random calls of the library from Python, good and bad: wrong shapes, closed handles, numbers that are not finite,
names that do not exist. Bad input has to raise a ValueError, and nothing may end or stop the interpreter.

python3 fuzz_door.py [--seconds 60] [--seed 1] [--calls 150]
python3 fuzz_door.py --again SEED [--calls 150]

Each seed's calls are made in a child process. A seed whose child crashed, hung or raised something else is printed with
its last calls, and the exit status is 1; `--again` makes its calls in this process, printing each.
"""

import argparse
import ctypes
import math
import os
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile
import threading
import time
import traceback

import numpy as np

import stagger
from stagger import _library as lib

HANGS = 300  # s
SCENES = ("stand", "stand_push", "hit_stand", "hit_run", "fall_random")
TEXT = """purpose: A man stands.
duration: 1
world: {dt: 1/240, solver: reduced}
terrain: {kind: flat}
characters:
  - name: man
    body: bodies/human.yaml
"""
SETTINGS = (
    ("world.solver", ["reduced", "step", "iterative", "exact"]),
    ("world.dt", ["1/240", "1/60", "1/1000", 0, -1, math.inf]),
    ("world.gravity", [9.81, 0, -9.81, 1e30]),
    ("world.friction", [0, 0.9, 100]),
    ("terrain.kind", ["flat", "noise", "stairs", "tesseract"]),
    ("characters.man.drive.strength", [0, 0.5, 1, 10, 11]),
    ("characters.man.drive.stiffness", [0, 0.1, 100]),
    ("characters.man.balance.enabled", [True, False]),
    ("characters.man.body", ["bodies/lizard.yaml", "bodies/nobody.yaml"]),
    ("events", [[], {}, [{"kind": "push", "character": "man", "part": "any", "time": 0.1, "impulse": [1, 2]}]]),
    ("duration", [0, 0.1, 1, -1]),
    ("seed", [0, 5, -1]),
)
VIEWS = ("parts/position", "joints/angle", "joints/torque", "feet/planted", "com/position", "nothing", "", "parts")
PARTS = ("pelvis", "chest", "head", "foot_l", "hand_r", "tail", "", 0, 1, 5, 15, -1, 16)
METRICS = ("fell", "recovery_time", "distance", "nothing", "")
ODD = (
    None, True, False, -1, 0, 1, 2, 7, -(2**31), 2**31 - 1, 2**31, 2**63, -(2**70), 0.5, -0.0, 1e-320, 1e308, math.nan,
    math.inf, -math.inf, 1j, "", "chest", "\0", "\ud800", "ä" * 300, "a\nb: [", b"", b"state", (), [], [1, 2], [[]],
    [1, "x", None], [math.nan] * 3, [1e300] * 3, {}, {"a": 1}, {"scene_seed": -1}, object(), np.float32(3), np.zeros(3),
    np.zeros(0), np.full(3, np.nan), np.zeros((16, 3)), np.ones((2, 16, 3)), np.zeros((1, 3)), np.array("text"),
    np.zeros(3, complex), np.zeros(26), np.ones((3, 26)), np.arange(6)[::2], range(3), slice(None), len,
    pathlib.Path("nowhere"), float("1e-9"),
)  # fmt: skip


class Calls:
    """The objects of a child, and its random numbers. What was closed stays among them, to be used again."""

    def __init__(self, seed, folder):
        self.random, self.folder = random.Random(seed), folder
        self.scenes, self.batches = [stagger.Scene(TEXT)], [stagger.Batch(TEXT, 2, 2)]
        self.envs, self.traces, self.views = [stagger.gym.VectorEnv("Stand-v0", 2)], [], []
        self.states = [b"", self.scenes[0].save()]

    # ---- Arguments: mostly such as are allowed ----

    def some(self, *allowed, odd=0.1):
        return self.random.choice(ODD if self.random.random() < odd else allowed)

    def few(self, *allowed):
        """Numbers that decide how long a call takes, or how much memory."""
        value = self.some(*allowed)
        return value if not isinstance(value, (int, float)) or not 100 < abs(value) < math.inf else -1

    def number(self):
        return self.some(0, 1, -1, self.random.gauss(0, 1), self.random.gauss(0, 100))

    def vector(self, *shape):
        if self.random.random() < 0.1:
            return self.random.choice(ODD)
        array = np.array([self.random.gauss(0, 1) for _ in range(math.prod(shape))]).reshape(shape)
        if self.random.random() < 0.1 and array.size:
            array.flat[self.random.randrange(array.size)] = self.random.choice([math.nan, math.inf, 1e200])
        return array

    def settings(self):
        chosen = self.random.sample(SETTINGS, self.random.choice([0, 0, 0, 1, 2]))
        return self.some(None, {key: self.some(*values, odd=0.1) for key, values in chosen}, odd=0.05)

    def text(self):
        """A scene's text, from which something may have been cut, or in which something was changed."""
        text, kind = TEXT, self.random.random()
        place, length = self.random.randrange(len(text)), self.random.randrange(20)
        if kind < 0.2:
            return text[:place] + text[place + length :]
        if kind < 0.4:
            return text[:place] + self.random.choice(":{}[]-#&*!|>'\"%@`\t\n9e.") + text[place:]
        return text

    def state(self):
        state = self.random.choice(self.states)
        if not state or self.random.random() < 0.8:
            return state
        place = self.random.randrange(len(state))
        flipped = bytes([state[place] ^ 1 << self.random.randrange(8)])
        return self.some(state[:place], state + b"more", state[:place] + flipped + state[place + 1 :])

    def known(self, things):
        """Seldom one that is closed, while another is open."""
        if not things:
            raise lib.Error("there is none yet")
        still = [thing for thing in things if not is_closed(thing)]
        return self.random.choice(still if still and self.random.random() < 0.95 else things)

    def scene(self):
        if self.batches and self.random.random() < 0.3:
            return self.known(self.batches)[self.few(0, 0, -1)]
        if all(map(is_closed, self.scenes)):
            self.scenes.append(stagger.Scene(TEXT))
        return self.known(self.scenes)

    def character(self):
        return self.scene()[self.some(0, 0, 0, "man", "nobody", odd=0.1)]

    def path(self):
        return self.some(os.path.join(self.folder, "one.h5"), os.path.join(self.folder, "two.h5"), self.folder, odd=0.1)

    # ---- Calls ----

    def open_scene(self):
        source = self.some(self.text(), self.text(), *SCENES, odd=0.05)
        self.scenes = self.scenes[-3:] + [stagger.Scene(source, self.some(None, 1, odd=0.1), self.settings())]

    def open_batch(self):
        source = self.some(TEXT, self.scene() if self.scenes else TEXT, "stand", odd=0.05)
        copies, threads = self.few(1, 2, 3), self.few(0, 1, 2, 3)
        self.batches = self.batches[-1:] + [stagger.Batch(source, copies, threads, set=self.settings())]

    def open_trace(self):
        self.traces = self.traces[-2:] + [stagger.Trace(self.path())]

    def open_env(self):
        name = self.some(*stagger.gym.TASKS, odd=0.05)
        options = {"controller": self.some("none", "stagger", odd=0.1), "speed": self.some(None, 1, odd=0.1)}
        if self.random.random() < 0.5:
            env = stagger.gym.make(name, **options)
        else:
            mode = self.some("NextStep", "SameStep", "Disabled", odd=0.1)
            env = stagger.gym.VectorEnv(name, self.few(1, 3), self.few(0, 1, 2), mode, **options)
        self.envs = self.envs[-1:] + [env]

    def close(self):
        self.known(self.scenes + self.batches + self.traces + self.envs).close()

    def step(self):
        self.scene().step(self.few(0, 1, 1, 8, 30))

    def run(self):
        self.scene().run(self.few(0, 0.01, 0.1))

    def reset(self):
        self.scene().reset(self.some(None, 0, 7))

    def set(self):
        path, values = self.random.choice(SETTINGS)
        self.scene().set(self.some(path, "nothing", odd=0.1), self.some(*values))

    def look(self):
        scene = self.scene()
        facts = ("time", "time_step", "duration", "seed", "stop_reason", "characters", "finish", "outcome", "hits")
        found = getattr(scene, self.random.choice(facts))
        (found() if callable(found) else found, repr(scene), len(scene))

    def save(self):
        self.states = self.states[-4:] + [self.scene().save()]

    def restore(self):
        self.scene().restore(self.state())

    def copy(self):
        self.scenes = self.scenes[-3:] + [pickle.loads(pickle.dumps(self.scene()))]

    def record(self):
        recording = self.scene().record(self.path())
        if self.random.random() < 0.5:
            recording.close()

    def view(self):
        self.views = self.views[-20:] + [self.character().view(self.some(*VIEWS))]

    def look_at_views(self):
        """Also those of scenes that are closed."""
        for view in self.views:
            view.sum()

    def ask_character(self):
        character, asked = self.character(), self.random.randrange(5)
        if asked == 0:
            character.joint(self.some(*PARTS))
        elif asked == 1:
            character.metric(self.some(*METRICS))
        elif asked == 2:
            character.unit(self.some(*VIEWS)), character.description(self.some(*VIEWS))
        else:
            (character.views, character.parts) if asked == 3 else character.hits()

    def strike(self):
        character, part, impulse = self.character(), self.some(*PARTS), self.vector(3)
        point = self.some(None, self.vector(3), odd=0.1)
        if self.random.random() < 0.5:
            character.impulse(part, impulse, point)
        else:
            character.push(part, impulse, self.some(0.1, 1, 59, 61, 0), point)

    def steer(self):
        if self.random.random() < 0.5:
            self.character().set_intent(self.number(), self.number(), self.number())
        else:
            self.character().set_joint_offset(self.some(*PARTS), self.vector(3))

    def use_batch(self):
        batch, kind = self.known(self.batches), self.random.randrange(6)
        copies = len(batch)
        each = [self.few(0, 1, 5) for _ in range(copies)]
        if kind == 0:
            batch.step(self.some(each, self.few(1, 8), odd=0.0))
        elif kind == 1:
            batch.reset(self.some(None, each), self.some(None, list(range(copies)), [0, 0], [5]))
        elif kind == 2:
            batch.restore(self.some(self.state(), [self.state() for _ in range(copies)]))
        elif kind == 3:
            shape = self.random.choice([(16, 3), (copies, 16, 3), (copies, 3), (15, 3)])
            offsets = self.vector(*shape)
            if isinstance(offsets, np.ndarray) and offsets.ndim > 1 and offsets.size:
                offsets[..., 0, :] = 0
            batch.set_joint_offsets(offsets, self.some(None, "man", 0))
        elif kind == 4:
            out = self.some(None, np.empty((copies, 16, 3)), np.empty((copies, 3)))
            batch.gather(self.some(*VIEWS), self.some(None, 0), out)
        else:
            self.states = self.states[-4:] + batch.save()

    def rollout(self):
        source = self.known(self.batches + self.scenes)
        runs, moments = self.random.choice([1, 2, 5]), self.random.choice([1, 2, 4])
        controls = self.some(None, self.vector(moments, 16, 3), self.vector(runs, moments, 16, 3))
        if isinstance(controls, np.ndarray) and controls.ndim > 2 and controls.size:
            controls[..., 0, :] = 0
        stagger.rollout(
            source,
            self.some(None, self.state(), [self.state() for _ in range(runs)]),
            controls,
            moments=self.few(None, moments, 1),
            every=self.few(1, 2, 8),
            views=self.some(["parts/position"], list(VIEWS[:4]), [], ["nothing"]),
            save_every=self.few(0, 0, 1, moments, 3),
            out=self.some(None, {"parts/position": np.empty((runs, moments, 16, 3))}, odd=0.05),
        )

    def use_trace(self):
        trace = self.known(self.traces)
        (len(trace), trace.attributes, repr(trace))
        name = self.some("time", "com/position", "parts/position", "nothing", "", *trace.names[:30])
        trace.unit(name), trace.description(name)
        trace.read(name, self.some(0, 1, 10**6), self.some(None, 0, 1, 10**6))

    def use_env(self):
        env = self.known(self.envs)
        copies = (getattr(env, "num_envs", 1),)
        if self.random.random() < 0.3:
            mask = np.array([self.random.random() < 0.5 for _ in range(copies[0])])
            options = self.some(None, {"scene_seed": self.some(3)}, {"reset_mask": self.some(mask)}, {"more": 1})
            env.reset(seed=self.some(None, 1, [1] * copies[0]), options=options)
        else:
            env.step(self.vector(*(copies if isinstance(env, stagger.gym.VectorEnv) else ()), 26))

    def race(self):
        """Two threads with one scene or batch, of which one may close it."""
        thing = self.known(self.scenes + self.batches)
        others = 4 * [thing.save, thing.reset, lambda: repr(thing)] + [thing.close]
        jobs = [lambda: thing.step(20), self.random.choice(others)]
        threads = [threading.Thread(target=suppressed, args=(job,)) for job in jobs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def raw(self):
        """The C functions themselves, with indices and numbers of any size, and a place for the error or none."""
        scene = self.known(self.scenes)
        whole = lambda: self.random.choice([0, 0, 0, 1, 2, 15, 16, 255, -1, -(2**31), 2**31 - 1])  # noqa: E731
        real = lambda: self.random.choice([0.0, 1.0, -3.0, math.nan, math.inf, -1e308])  # noqa: E731
        three = lambda: (ctypes.c_double * 3)(real(), real(), real())  # noqa: E731
        names = [b"", b"man", b"chest", b"fell", b"parts/position", b"\xff", b"x" * 5000]
        name = lambda: self.random.choice(names)  # noqa: E731
        error = self.random.choice([None, ctypes.byref(ctypes.c_void_p())])
        place = ctypes.create_string_buffer(100000)
        calls = {
            "character_name": lambda: (whole(),),
            "part_count": lambda: (whole(),),
            "part_name": lambda: (whole(), whole()),
            "joint": lambda: (whole(), whole(), lib.JointRow(), error),
            "scene_view": lambda: (whole(), name(), lib.View(), error),
            "view_name": lambda: (whole(), whole()),
            "apply_impulse": lambda: (whole(), whole(), three(), self.random.choice([None, three()]), error),
            "push": lambda: (whole(), whole(), three(), self.random.choice([None, three()]), real(), error),
            "set_intent": lambda: (whole(), real(), real(), real(), error),
            "set_joint_offset": lambda: (whole(), whole(), three(), error),
            "metric": lambda: (whole(), name(), ctypes.c_double(), error),
            "scene_set": lambda: (name(), name(), self.random.choice([None, ctypes.c_bool()]), error),
            "scene_reset": lambda: (whole(), error),
            "scene_step": lambda: (self.random.choice([0, 1, -1, -(2**31)]),),
            "scene_save": lambda: (place, self.random.choice([0, 1, 1000, 100000]), error),
            "scene_restore": lambda: (place.raw, self.random.choice([0, 1, 1000, 100000]), error),
        }
        chosen = self.random.choice(list(calls))
        with scene._handle as pointer:
            if pointer:
                getattr(lib.library, f"stagger_{chosen}")(pointer, *calls[chosen]())


def is_closed(thing):
    return getattr(getattr(thing, "_handle", None), "closed", False)


CALLS = [name for name in vars(Calls) if not name.startswith("_")]
CALLS = CALLS[CALLS.index("open_scene") :]
OPENING = {"open_scene", "open_batch", "open_env", "open_trace", "copy"}  # these take longer than others
WEIGHTS = [1 if name in OPENING else 0.3 if name == "close" else 4 for name in CALLS]


def suppressed(job):
    """A job in which an Error is expected, and printed; others end the process."""
    try:
        job()
    except lib.Error as error:
        print("  ", ascii(str(error))[:100], flush=True)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


def make_calls(seed, count):
    """A child's work. It prints the name of each call before it makes it, and its error."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        calls = Calls(seed, folder)
        for number in range(count):
            name = calls.random.choices(CALLS, WEIGHTS)[0]
            print(number, name, flush=True)
            suppressed(getattr(calls, name))
        os.chdir("/")


def child_failed(seed, count):
    """Makes a seed's calls in a child; what it says if it fails."""
    command = [sys.executable, "-X", "faulthandler", __file__, "--again", str(seed), "--calls", str(count)]
    try:
        child = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=HANGS)
    except subprocess.TimeoutExpired as late:
        return f"it hangs after {(late.stdout or b'').decode(errors='replace').splitlines()[-1:]}"
    if child.returncode == 0:
        return ""
    return f"exit status {child.returncode} after {child.stdout.splitlines()[-5:]}\n{child.stderr[-3000:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1, help="the first")
    parser.add_argument("--calls", type=int, default=150, help="of a seed")
    parser.add_argument("--again", type=int)
    given = parser.parse_args()
    if given.again is not None:
        return make_calls(given.again, given.calls)
    end, seed, failed = time.monotonic() + given.seconds, given.seed, 0
    while seed == given.seed or time.monotonic() < end:
        fault = child_failed(seed, given.calls)
        if fault:
            failed += 1
            print(f"seed {seed}: {fault}", flush=True)
        seed += 1
    print(f"{seed - given.seed} seeds of {given.calls} calls, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

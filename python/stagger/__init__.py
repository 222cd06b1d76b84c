"""Stagger in Python: scenes, characters, batches, rollouts, traces, studies, and environments for learning.

    import stagger

    scene = stagger.Scene("hit_run", seed=7, set={"world.solver": "reduced"})
    runner = scene["runner"]
    while scene.time < 5:
        scene.step()
    runner.impulse("chest", [0, 0, -12])  # N s
    with scene.record("hit.h5"):
        scene.run(3)
    print(runner.metric("fell"), stagger.Trace("hit.h5").read("joints/error").shape)

SI units, radians, y up; rotations are quaternions x y z w. Bad input raises `Error`, a ValueError that says what is
allowed. The library runs without Python's lock, so that scenes of several threads are stepped side by side.
"""

from typing import Any

from ._library import Error, version
from ._scene import Character, Joint, Recording, Scene
from ._batch import Batch, rollout
from ._study import Study
from ._trace import Trace

__all__ = ["Batch", "Character", "Error", "Joint", "Recording", "Scene", "Study", "Trace", "rollout", "version"]
__version__ = version()


def __getattr__(name: str) -> Any:
    """`stagger.gym`, which takes gymnasium with it, is loaded when it is used."""
    if name == "gym":
        import importlib

        return importlib.import_module(".gym", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

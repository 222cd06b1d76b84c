"""How fast the library is from Python: the figures of python/speed.md.

python3 speed.py

What calls cost, in processor time: the least of many short turns, since other work on the machine only adds. Then
steps a second of a batch by the clock, as ./dev bench batch measures them from C.
"""

import os
import statistics
import time

import stagger

CALL_TURNS, TURNS, THREADS = 60, 7, (1, 2)
QUIET = {"events": [], "expect": [], "world.solver": "reduced"}


def least(work, count):
    """us of processor time for each of `count` calls."""
    costs = []
    for _ in range(CALL_TURNS):
        begin = time.process_time()
        for _ in range(count):
            work()
        costs.append((time.process_time() - begin) / count)
    return 1e6 * min(costs)


def measure_calls():
    scene = stagger.Scene("stand_push", set=QUIET)
    character = scene[0]
    scene.step(240)
    step = least(lambda: scene.step(100), 1) / 100
    call = least(lambda: scene.step(0), 1000)
    print(f"a step, of 100 in a call       {step:7.2f} us")
    print(f"a step, each by a call         {least(scene.step, 100):7.2f} us")
    print(f"a call alone                   {call:7.2f} us, {100 * call / step:.1f} % of a step")
    state, view = scene.save(), character.view("parts/position")
    print(f"with a view: a step, of 100    {least(lambda: scene.step(100), 1) / 100:7.2f} us")
    for name, work, count in (
        ("reading a number of a view", lambda: view[0, 1], 1000),
        ("Character.set_joint_offset", lambda: character.set_joint_offset(3, [0.01, 0, 0]), 100),
        ("Scene.save", scene.save, 20),
        ("Scene.restore", lambda: scene.restore(state), 20),
        ("Scene.reset", scene.reset, 1),
    ):
        print(f"{name:29}  {least(work, count):7.2f} us")


def measure_batches():
    print("copies  threads  steps a second")
    for copies in (1, 16, 256):
        batches = [stagger.Batch("stand_push", copies, threads, set=QUIET) for threads in THREADS]
        steps = 1024 // copies
        rates = [[], []]
        for _ in range(TURNS):
            for found, batch in zip(rates, batches):
                begin = time.monotonic()
                batch.step(steps)
                found.append(copies * steps / (time.monotonic() - begin))
        for threads, found in zip(THREADS, rates):
            print(f"{copies:6}  {threads:7}  {statistics.median(found):14.0f}")


if __name__ == "__main__":
    print(f"Stagger {stagger.version()}, {os.cpu_count()} processors")
    measure_calls()
    measure_batches()

"""How does a standing man's response grow with the size of a push? From several moments the same man is pushed at the
chest from the front with seven sizes, and compared with himself without the push: how far is his chest moved, how far
are joints turned, at most, and when? With a file name also a plot, if matplotlib is there.

python3 dose_response.py [dose.png]
"""

import sys

import numpy as np
import stagger

SIZES = [0, 5, 10, 20, 30, 40, 60, 80]  # N s, over 0.05 s; 0: not pushed
MOMENTS = 8
STEPS, EVERY = 60, 4  # of each trial, 1 s

scene = stagger.Scene("hit_stand", set={"events": [], "expect": [], "world.solver": "reduced"})
chest = scene["man"].part("chest")
moved = np.zeros((MOMENTS, len(SIZES), STEPS))  # m
turned = np.zeros_like(moved)  # deg, of the joint that is turned most
with stagger.Batch(scene, len(SIZES)) as batch:
    for moment in range(MOMENTS):
        scene.run(0.37)
        batch.restore(scene.save())
        for size, copy in zip(SIZES, batch):
            copy["man"].push("chest", [0, 0, -size], 0.05)
        for step in range(STEPS):
            batch.step(EVERY)
            place, angle = batch.gather("parts/position")[:, chest], batch.gather("joints/angle")
            moved[moment, :, step] = np.linalg.norm(place - place[0], axis=-1)
            turned[moment, :, step] = np.degrees(np.linalg.norm(angle - angle[0], axis=-1).max(-1))

time = (np.argmax(moved, axis=-1) + 1) * EVERY * scene.time_step
print("push, N s    chest moved, m (range)     joint turned, deg    farthest after, s")
for i, size in enumerate(SIZES[1:], 1):
    peak = moved[:, i].max(-1)
    spread = f"{np.median(peak):.3f} ({peak.min():.3f}-{peak.max():.3f})"
    print(f"{size:9}    {spread:23}    {np.median(turned[:, i].max(-1)):17.1f}    {np.median(time[:, i]):17.2f}")

if len(sys.argv) > 1:
    try:
        from matplotlib import pyplot
    except ImportError:
        sys.exit("there is no matplotlib for a plot")
    pyplot.plot(SIZES, moved.max(-1).T, "o-", color="grey", alpha=0.4)
    pyplot.plot(SIZES, np.median(moved.max(-1), axis=0), "o-", color="black")
    pyplot.gca().set(xlabel="push at the chest, N s", ylabel="chest moved, m (grey: each moment; black: median)")
    pyplot.savefig(sys.argv[1])

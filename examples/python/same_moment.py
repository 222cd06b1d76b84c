"""The same moment, 64 pushes: from one saved state, copies of a standing man are pushed from 16 sides with 4 sizes."""

import numpy as np
import stagger

SIDES, SIZES = 16, [30, 60, 90, 120]  # N s, over 0.1 s

scene = stagger.Scene("stand_push", set={"events": [], "expect": [], "world.solver": "reduced"})
scene.run(1)
moment = scene.save()

with stagger.Batch(scene, SIDES * len(SIZES)) as batch:
    batch.restore(moment)
    for i, copy in enumerate(batch):
        angle = 2 * np.pi * (i % SIDES) / SIDES  # 0: forward, a quarter of a turn: to his left
        push = SIZES[i // SIDES] * np.array([np.sin(angle), 0, np.cos(angle)])
        copy["man"].push("pelvis", push, 0.1)
    start = batch.gather("com/position")
    batch.step(round(3 / scene.time_step))
    way = batch.gather("com/position") - start
    for copy in batch:
        copy.finish()
    fell = np.array([copy["man"].metric("fell") for copy in batch]).reshape(len(SIZES), SIDES)

moved = np.linalg.norm(way[:, [0, 2]], axis=1).reshape(len(SIZES), SIDES)
print("push, N s    fell    moved in 3 s, m (median of those who stand)")
for size, falls, distance in zip(SIZES, fell, moved):
    standing = distance[falls == 0]
    median = f"{np.median(standing):.2f}" if len(standing) else "-"
    print(f"{size:9}  {int(falls.sum()):2} of {SIDES}    {median}")

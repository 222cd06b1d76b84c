"""Which pushes does a standing man withstand? A small table; with a file name also a plot, if matplotlib is there.

python3 push_table.py [pushes.png]
"""

import sys

import numpy as np
import stagger

SIDES = {"forward": [0, 0, 1], "left": [1, 0, 0], "backward": [0, 0, -1], "right": [-1, 0, 0]}
IMPULSES = [40, 80, 120, 160]  # N s, over 0.1 s

scene = stagger.Scene("stand_push", set={"events": [], "expect": [], "world.solver": "reduced"})
man = scene["man"]
scene.run(1)
standing = scene.save()
moved = np.zeros((len(SIDES), len(IMPULSES)))  # m
print("push      " + "".join(f"{impulse:>10} N s" for impulse in IMPULSES))
for row, (side, direction) in enumerate(SIDES.items()):
    for column, impulse in enumerate(IMPULSES):
        scene.restore(standing)
        before = man.view("com/position").copy()
        man.push("pelvis", np.multiply(direction, impulse), 0.1)
        scene.run(4)
        scene.finish()
        moved[row, column] = np.nan if man.metric("fell") else np.linalg.norm(man.view("com/position") - before)
    print(f"{side:10}" + "".join("         falls" if np.isnan(x) else f"{x:>12.2f} m" for x in moved[row]))

if len(sys.argv) > 1:
    try:
        from matplotlib import pyplot
    except ImportError:
        sys.exit("there is no matplotlib for a plot")
    pyplot.plot(IMPULSES, moved.T, "o-", label=list(SIDES))
    pyplot.gca().set(xlabel="push at the pelvis, N s", ylabel="moved in 4 s, m (none: fell)")
    pyplot.legend()
    pyplot.savefig(sys.argv[1])

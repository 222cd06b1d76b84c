"""How many episodes of the environments end by a fall with actions of 0, and when: the figures of python/gym.md.

python3 gym_falls.py [ENVIRONMENT]...
"""

import sys

import numpy as np

from stagger import gym

EPISODES = 40

print("environment       controller  fallen   first, s  median, s   last, s")
for name in sys.argv[1:] or gym.TASKS:
    task = gym.find_task(name)
    for controller in ["none", "stagger"] if task.own else []:
        with gym.VectorEnv(name, EPISODES, autoreset_mode="Disabled", controller=controller) as envs:
            envs.reset(seed=100)
            seconds = np.full(EPISODES, np.nan)
            for _ in range(round(30 * task.seconds)):
                # Those that have fallen begin again, and count no more.
                infos = envs.step(np.zeros(envs.action_space.shape, np.float32))[2:]
                fallen = infos[0]
                first = fallen & np.isnan(seconds)
                seconds[first] = infos[2]["time"][first]
                if (fallen | infos[1]).any():
                    envs.reset(options={"reset_mask": fallen | infos[1]})
            fell = ~np.isnan(seconds)
            times = [] if not fell.any() else [np.nanmin(seconds), np.nanmedian(seconds), np.nanmax(seconds)]
            columns = "  ".join(f"{time:9.2f}" for time in times)
            print(f"{name:16}  {controller:10}  {fell.sum():6}  {columns}", flush=True)

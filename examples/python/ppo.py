"""Learns a task of stagger.gym by proximal policy optimisation (Schulman and others 2017), with PyTorch.

python3 ppo.py [--task Stand-v0] [--samples 160000] [--joints foot] [--see pelvis com foot left right] [--seed 1]
               [--threads 0] [--plot curve.svg] [--save policy.pt]

All joints act unless some are named. The policy of standing sees pelvis, centre of mass and feet: the more is seen, and
the more joints act, the more samples it takes to find out what helps. --see "" is all, as other tasks need it.

Prints as it learns, and at the end how many of 20 other episodes are stood through without noise, and for how long on
average, before and after. A seed gives the same policy on one machine.
"""

import argparse
import sys
import time

import numpy as np
import stagger

try:
    import torch
except ImportError:
    sys.exit("this example needs PyTorch, which is not there: apt-get install python3-torch")

COPIES, STEPS = 64, 32  # samples of an iteration: their product
EPOCHS, BATCH = 5, 512
GAMMA, LAMBDA, CLIP = 0.95, 0.95, 0.2
DEVIATION, DEVIATIONS = 0.1, (0.03, 0.2)  # standard deviation of actions: the first, and its limits
DIVERGENCE = 0.03  # of the policy from that which drew the samples: to this the step size is adapted
RATE, RATES = 5e-4, (1e-4, 2e-3)  # step size of the actor: the first, and its limits
CRITIC_RATE = 1e-3


class Normaliser:
    """Observations less their mean, by their standard deviation, of all that were seen, limited to +-5."""

    def __init__(self, size):
        self.count, self.mean, self.squares = 1e-4, np.zeros(size), np.ones(size) * 1e-4

    def learn(self, values):
        count = len(values)
        change = values.mean(0) - self.mean
        total = self.count + count
        self.squares += values.var(0) * count + change**2 * self.count * count / total
        self.mean += change * count / total
        self.count = total

    def __call__(self, values):
        scaled = (values - self.mean) / self.scale()
        return torch.as_tensor(np.clip(scaled, -5, 5), dtype=torch.float32)

    def scale(self):
        return np.sqrt(self.squares / self.count + 1e-4)


def network(inputs, outputs, last):
    """Two hidden layers. last: factor of the last layer's first weights."""
    layers = [torch.nn.Linear(inputs, 128), torch.nn.ELU(), torch.nn.Linear(128, 64), torch.nn.ELU()]
    layers.append(torch.nn.Linear(64, outputs))
    with torch.no_grad():
        layers[-1].weight *= last
        layers[-1].bias.zero_()
    return torch.nn.Sequential(*layers)


def descend(optimizer, loss):
    """A step down a loss; long gradients are shortened."""
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], 1)
    optimizer.step()


def begin_so(rows, beginnings):
    """Indices of the rows of a table whose names begin in one of these ways."""
    return [i for i, row in enumerate(rows) if row.name.startswith(tuple(beginnings))]


class Learner:
    """seen: indices of the observations that it goes by; acting: of the actions that it decides upon, others stay 0."""

    def __init__(self, seen, acting, actions):
        self.seen, self.acting, self.actions = seen, acting, actions
        self.normaliser = Normaliser(len(seen))
        self.actor, self.critic = network(len(seen), len(acting), 0.01), network(len(seen), 1, 1)
        self.log_deviation = torch.nn.Parameter(torch.full((len(acting),), float(np.log(DEVIATION))))
        self.optimizer = torch.optim.Adam([*self.actor.parameters(), self.log_deviation], lr=RATE)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=CRITIC_RATE)

    def see(self, observations):
        return self.normaliser(observations[:, self.seen])

    @torch.no_grad()
    def act(self, inputs):
        """Actions with noise, and their means."""
        means = self.actor(inputs)
        return means + torch.randn(means.shape) * self.log_deviation.exp(), means

    @torch.no_grad()
    def best(self, observations):
        return self.spread(self.actor(self.see(observations)))

    def spread(self, actions):
        """Actions as the environments take them."""
        whole = np.zeros((len(actions), self.actions))
        whole[:, self.acting] = actions.numpy()
        return whole

    @torch.no_grad()
    def value(self, inputs):
        return self.critic(inputs)[..., 0].numpy()

    def log_density(self, actions, means):
        """Without a constant, which cancels."""
        return -(0.5 * ((actions - means) / self.log_deviation.exp()) ** 2 + self.log_deviation).sum(-1)

    def learn(self, inputs, actions, means, advantages, returns):
        with torch.no_grad():
            densities = self.log_density(actions, means)
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        for epoch in range(EPOCHS):
            for chosen in torch.randperm(len(inputs)).split(BATCH):
                present = self.actor(inputs[chosen])
                ratio = (self.log_density(actions[chosen], present) - densities[chosen]).exp()
                gain = torch.min(ratio * advantages[chosen], ratio.clamp(1 - CLIP, 1 + CLIP) * advantages[chosen])
                descend(self.optimizer, -gain.mean())
                descend(self.critic_optimizer, ((self.critic(inputs[chosen])[:, 0] - returns[chosen]) ** 2).mean())
                with torch.no_grad():
                    self.log_deviation.clamp_(*np.log(DEVIATIONS))
                    moved = (present - means[chosen]) / self.log_deviation.exp()
                self.adapt_rate(float((0.5 * moved**2).sum(-1).mean()), epoch)

    def adapt_rate(self, divergence, epoch):
        """In the first epoch the policy has not moved yet."""
        group = self.optimizer.param_groups[0]
        if divergence > 2 * DIVERGENCE:
            group["lr"] = max(group["lr"] / 1.3, RATES[0])
        elif divergence < 0.5 * DIVERGENCE and epoch > 0:
            group["lr"] = min(group["lr"] * 1.1, RATES[1])


def collect(envs, learner, observations):
    """An iteration's samples, the observations that follow, the mean reward, and how long episodes were."""
    shape = (STEPS, envs.num_envs)
    rewards, after_end, ends = np.zeros(shape), np.zeros(shape), np.zeros(shape, bool)
    seen, kept, lengths = [observations], [], []
    for step in range(STEPS):
        inputs = learner.see(observations)
        actions, means = learner.act(inputs)
        kept.append((inputs, actions, means))
        observations, rewards[step], terminations, truncations, infos = envs.step(learner.spread(actions))
        seen.append(observations)
        ends[step] = terminations | truncations
        if ends[step].any():
            # Nothing follows a fall; an episode that was cut short would have gone on.
            final = learner.value(learner.see(infos["final_obs"]))
            after_end[step] = np.where(terminations, 0, final)
            lengths += list(infos["final_info"]["time"][ends[step]])
    inputs, actions, means = (torch.stack(part) for part in zip(*kept))
    values = learner.value(torch.cat([inputs, learner.see(observations)[None]]))
    following = np.where(ends, after_end, values[1:])
    surprises = rewards * (1 - GAMMA) + GAMMA * following - values[:-1]
    advantages, carried = np.zeros(shape), 0
    for step in reversed(range(STEPS)):
        carried = surprises[step] + GAMMA * LAMBDA * np.where(ends[step], 0, carried)
        advantages[step] = carried
    learner.normaliser.learn(np.concatenate(seen[:-1])[:, learner.seen])
    arrays = (torch.as_tensor(array, dtype=torch.float32) for array in (advantages, advantages + values[:-1]))
    samples = [part.flatten(0, 1) for part in (inputs, actions, means, *arrays)]
    return samples, observations, rewards.mean(), lengths


def stood_through(task, learner, threads, episodes=20):
    """How many episodes do not end by a failure, without noise, and how long they are on average."""
    with stagger.gym.VectorEnv(task, episodes, threads, autoreset_mode="NextStep") as envs:
        observations, _ = envs.reset(seed=10**6)
        fine, going, seconds = np.zeros(episodes, bool), np.ones(episodes, bool), np.zeros(episodes)
        while going.any():
            observations, _, terminations, truncations, infos = envs.step(learner.best(observations))
            fine |= going & truncations & ~terminations
            seconds[going] = infos["time"][going]
            going &= ~(terminations | truncations)
    return f"{fine.sum()} of {episodes} ({seconds.mean():.1f} s)"


def plot(path, task, rows):
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as pyplot

    samples, lengths = np.array(rows).T
    figure, axes = pyplot.subplots(figsize=(6, 3), layout="constrained")
    axes.plot(samples / 1000, lengths, ".-")
    axes.set(xlabel="samples, thousands", ylabel="mean episode, s", xlim=0, ylim=0, title=task)
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="Stand-v0", choices=stagger.gym.TASKS)
    parser.add_argument("--samples", type=int, default=160_000)
    parser.add_argument("--joints", nargs="+", default=[""], help="beginnings of the names of actions")
    parser.add_argument("--see", nargs="+", default=["pelvis", "com", "foot", "left", "right"], help="of observations")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--plot")
    parser.add_argument("--save")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)  # the other processors are the simulation's
    rows = []
    with stagger.gym.VectorEnv(given.task, COPIES, given.threads, autoreset_mode="SameStep") as envs:
        seen, acting = begin_so(envs.observation_table, given.see), begin_so(envs.action_table, given.joints)
        learner = Learner(seen, acting, len(envs.action_table))
        observations, _ = envs.reset(seed=given.seed)
        learner.normaliser.learn(observations[:, learner.seen])
        before = stood_through(given.task, learner, given.threads)
        for iteration in range(1, max(given.samples // (COPIES * STEPS), 1) + 1):
            samples, observations, reward, lengths = collect(envs, learner, observations)
            learner.learn(*samples)
            ended = "none has ended"
            if lengths:
                rows.append((iteration * COPIES * STEPS, np.mean(lengths)))
                ended = f"episodes of {np.mean(lengths):.2f} s"
            print(
                f"{iteration * COPIES * STEPS:8} samples: reward {reward:.3f}, {ended}, "
                f"deviation {learner.log_deviation.exp().mean():.3f}, "
                f"step size {learner.optimizer.param_groups[0]['lr']:.1e}",
                flush=True,
            )
    after = stood_through(given.task, learner, given.threads)
    print(f"stood through without noise: before {before}, after {after}")
    print(f"{time.process_time():.0f} s of a processor", file=sys.stderr)
    if given.plot and rows:
        plot(given.plot, given.task, rows)
    if given.save:
        sight = {"mean": learner.normaliser.mean, "scale": learner.normaliser.scale()}
        torch.save({"actor": learner.actor.state_dict(), **sight}, given.save)


if __name__ == "__main__":
    main()

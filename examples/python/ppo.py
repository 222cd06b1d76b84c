"""Learns a task of stagger.gym by proximal policy optimisation (Schulman and others 2017), with PyTorch.

python3 ppo.py [--task Stand-v0] [--samples 1000000] [--seed 1] [--threads 0] [--save policy.pt]

Prints the mean reward and length of episodes as it learns, and at the end how many of 20 other episodes are stood
through without noise, before and after. A seed gives the same policy on one machine.
"""

import argparse
import sys

import numpy as np
import stagger

try:
    import torch
except ImportError:
    sys.exit("this example needs PyTorch, which is not there: apt-get install python3-torch")

COPIES, STEPS = 32, 64  # samples of an iteration: their product
EPOCHS, BATCH = 6, 512
GAMMA, LAMBDA, CLIP = 0.98, 0.95, 0.2
FIRST_DEVIATION = 0.08  # of actions


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
        scaled = (values - self.mean) / np.sqrt(self.squares / self.count + 1e-4)
        return torch.as_tensor(np.clip(scaled, -5, 5), dtype=torch.float32)


def network(inputs, outputs, last):
    """Two hidden layers. last: size of the last layer's first weights."""
    layers = [torch.nn.Linear(inputs, 128), torch.nn.ELU(), torch.nn.Linear(128, 64), torch.nn.ELU()]
    layers.append(torch.nn.Linear(64, outputs))
    with torch.no_grad():
        layers[-1].weight *= last
        layers[-1].bias.zero_()
    return torch.nn.Sequential(*layers)


class Learner:
    def __init__(self, observations, actions):
        self.normalise = Normaliser(observations)
        self.actor, self.critic = network(observations, actions, 0.01), network(observations, 1, 1)
        self.deviation = torch.nn.Parameter(torch.full((actions,), float(np.log(FIRST_DEVIATION))))
        self.parameters = [*self.actor.parameters(), *self.critic.parameters(), self.deviation]
        self.optimizer = torch.optim.Adam(self.parameters, lr=5e-4)

    def policy(self, inputs):
        return torch.distributions.Normal(self.actor(inputs), self.deviation.exp())

    @torch.no_grad()
    def value(self, observations):
        return self.critic(self.normalise(observations))[:, 0].numpy()

    @torch.no_grad()
    def act(self, observations):
        """Actions with noise, the logarithms of their densities, and the inputs of the networks."""
        inputs = self.normalise(observations)
        policy = self.policy(inputs)
        actions = policy.sample()
        return actions.numpy(), policy.log_prob(actions).sum(-1), inputs

    @torch.no_grad()
    def best(self, observations):
        return self.actor(self.normalise(observations)).numpy()

    def learn(self, inputs, actions, densities, advantages, returns):
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        for _ in range(EPOCHS):
            for chosen in torch.randperm(len(inputs)).split(BATCH):
                policy = self.policy(inputs[chosen])
                ratio = (policy.log_prob(actions[chosen]).sum(-1) - densities[chosen]).exp()
                gain = torch.min(ratio * advantages[chosen], ratio.clamp(1 - CLIP, 1 + CLIP) * advantages[chosen])
                error = (self.critic(inputs[chosen])[:, 0] - returns[chosen]) ** 2
                loss = error.mean() - gain.mean()
                self.optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.parameters, 1)
                self.optimizer.step()


def collect(envs, learner, observations):
    """An iteration's samples, and the observations that follow."""
    shape = (STEPS, envs.num_envs)
    rewards, values, following, ends = np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape, bool)
    kept, seen, lengths = [], [], []
    for step in range(STEPS):
        seen.append(observations)
        actions, densities, inputs = learner.act(observations)
        kept.append((inputs, torch.as_tensor(actions), densities))
        values[step] = learner.value(observations)
        observations, rewards[step], terminations, truncations, infos = envs.step(actions)
        ends[step] = terminations | truncations
        # What follows an end is the last observation of that episode; nothing follows a fall.
        after = np.where(ends[step][:, None], infos["final_obs"], observations) if ends[step].any() else observations
        following[step] = np.where(terminations, 0, learner.value(after))
        if ends[step].any():
            lengths += list(infos["final_info"]["time"][ends[step]])
    rewards *= 1 - GAMMA
    advantages, carried = np.zeros(shape), 0
    for step in reversed(range(STEPS)):
        surprise = rewards[step] + GAMMA * following[step] - values[step]
        carried = surprise + GAMMA * LAMBDA * np.where(ends[step], 0, carried)
        advantages[step] = carried
    learner.normalise.learn(np.concatenate(seen))
    samples = [torch.cat(part) for part in zip(*kept)]
    arrays = [torch.as_tensor(array.ravel(), dtype=torch.float32) for array in (advantages, advantages + values)]
    return samples + arrays, observations, rewards.mean() / (1 - GAMMA), lengths


def stood_through(task, learner, threads, episodes=20):
    """How many episodes do not end by a failure, without noise."""
    with stagger.gym.VectorEnv(task, episodes, threads, autoreset_mode="NextStep") as envs:
        observations, _ = envs.reset(seed=10**6)
        fine, going = np.zeros(episodes, bool), np.ones(episodes, bool)
        while going.any():
            observations, _, terminations, truncations, _ = envs.step(learner.best(observations))
            fine |= going & truncations & ~terminations
            going &= ~(terminations | truncations)
    return f"{fine.sum()} of {episodes}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="Stand-v0", choices=stagger.gym.TASKS)
    parser.add_argument("--samples", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--save")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)  # the processors are the simulation's
    with stagger.gym.VectorEnv(given.task, COPIES, given.threads, autoreset_mode="SameStep") as envs:
        learner = Learner(len(envs.observation_table), len(envs.action_table))
        observations, _ = envs.reset(seed=given.seed)
        learner.normalise.learn(observations)
        before = stood_through(given.task, learner, given.threads)
        for iteration in range(1, max(given.samples // (COPIES * STEPS), 1) + 1):
            samples, observations, reward, lengths = collect(envs, learner, observations)
            learner.learn(*samples)
            length = f"{np.mean(lengths):.2f} s" if lengths else "-"
            print(
                f"{iteration * COPIES * STEPS:8} samples: reward {reward:.3f}, episodes of {length}, "
                f"deviation {learner.deviation.exp().mean():.3f}",
                flush=True,
            )
    after = stood_through(given.task, learner, given.threads)
    print(f"stood through without noise: before {before}, after {after}")
    if given.save:
        torch.save({"actor": learner.actor.state_dict(), "mean": learner.normalise.mean}, given.save)


if __name__ == "__main__":
    main()

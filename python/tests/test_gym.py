"""Environments for learning: Gymnasium's contract, bits, limits of torque, and what their numbers are."""

import math
import os
import re
import subprocess
import sys
import unittest
import warnings
from pathlib import Path

import numpy as np

import stagger
from stagger import gym

try:
    import gymnasium
except ImportError:
    gymnasium = None

NAMES = ("Stand-v0", "PushRecovery-v0", "Walk-v0", "Run-v0", "HitRun-v0", "GetUp-v0", "Terrain-v0")


def random_actions(env, seed, count):
    return np.random.default_rng(seed).uniform(-1, 1, (count, len(env.action_table))).astype(np.float32)


def play(env, seed, actions):
    """All that an episode returns, for comparison."""
    found = [env.reset(seed=seed)]
    for action in actions:
        found.append(env.step(action))
        if found[-1][2] or found[-1][3]:
            break
    return found


def equal(a, b):
    """Whether two results are the same, to the bit."""
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(equal, a, b))
    return a == b


class Contract(unittest.TestCase):
    """What gymnasium.utils.env_checker.check_env asks for."""

    def check_spaces(self, env):
        for space in (env.observation_space, env.action_space):
            self.assertEqual(space.low.shape, space.shape)
            self.assertEqual(space.high.shape, space.shape)
            self.assertTrue((space.low < space.high).all())
            space.seed(3)
            sample = space.sample()
            self.assertIn(sample, space)
            space.seed(3)
            np.testing.assert_array_equal(space.sample(), sample)
        self.assertEqual(env.action_space.dtype, np.float32)
        self.assertTrue((env.action_space.low == -1).all() and (env.action_space.high == 1).all())
        self.assertNotIn(np.zeros(3), env.action_space)
        self.assertNotIn(np.full(env.action_space.shape, 2, np.float32), env.action_space)

    def check_reset(self, env):
        first, info = env.reset(seed=123)
        self.assertIn(first, env.observation_space)
        self.assertTrue(np.isfinite(first).all())
        self.assertIsInstance(info, dict)
        state = env.np_random.bit_generator.state
        self.assertIsNotNone(env.unwrapped._np_random)
        again, _ = env.reset(seed=123)
        self.assertTrue(equal(first, again), "the same seed gives another first observation")
        self.assertEqual(env.np_random.bit_generator.state, state)
        other, _ = env.reset(seed=456)
        self.assertFalse(equal(first, other), "another seed gives the same first observation")
        env.reset()
        third, _ = env.reset(options={})
        self.assertFalse(equal(other, third), "the next episode is the same")
        return first

    def check_steps(self, env):
        for action in random_actions(env, 1, 3):
            observation, reward, terminated, truncated, info = env.step(action)
            self.assertIn(observation, env.observation_space)
            self.assertIs(type(reward), float)
            self.assertTrue(math.isfinite(reward))
            self.assertIs(type(terminated), bool)
            self.assertIs(type(truncated), bool)
            self.assertEqual(reward, sum(info["terms"].values()))
            self.assertEqual(set(info["terms"]), set(gym.TASKS[env.name].terms))

    def test_each_environment(self):
        self.assertEqual(tuple(gym.TASKS), NAMES)
        for name in NAMES:
            with self.subTest(name), gym.make(name) as env:
                self.assertIs(env.unwrapped, env)
                self.assertIn(name, str(env))
                self.assertEqual(env.metadata["render_modes"], ["rgb_array"])
                self.assertEqual(env.metadata["render_fps"], round(1 / (8 * env.scene.time_step)))
                self.assertIsNone(env.render_mode)
                self.assertIsNone(env.render())
                self.check_spaces(env)
                first = self.check_reset(env)
                self.assertEqual(len(first), len(env.observation_table))
                self.check_steps(env)
                actions = random_actions(env, 2, 12)
                self.assertTrue(equal(play(env, 9, actions), play(env, 9, actions)))
                self.assertEqual(type(env).name, name)

    @unittest.skipUnless(gymnasium, "gymnasium is not installed")
    def test_check_env(self):
        from gymnasium.utils.env_checker import check_env

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that observations have no limits
            for name in NAMES:
                check_env(gymnasium.make(f"stagger/{name}").unwrapped, skip_render_check=True)

    def test_subclasses_where_gymnasium_is_installed(self):
        # A stand-in of it: its classes, its spaces, its list of environments.
        program = """
import enum, sys, types
import numpy as np

class Env:
    pass

class VectorEnv:
    closed = False

    def __del__(self):
        if not self.closed:
            self.close()

class Box:
    def __init__(self, low, high, shape, dtype):
        self.shape, self.dtype = shape, dtype

class AutoresetMode(enum.Enum):
    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"

gymnasium, vector = types.ModuleType("gymnasium"), types.ModuleType("gymnasium.vector")
gymnasium.Env, gymnasium.spaces, gymnasium.registry = Env, types.SimpleNamespace(Box=Box), {}
vector.VectorEnv, vector.AutoresetMode, gymnasium.vector = VectorEnv, AutoresetMode, vector
gymnasium.register = lambda id, **entry: gymnasium.registry.update({id: entry})
sys.modules.update({"gymnasium": gymnasium, "gymnasium.vector": vector})
import stagger
env = gymnasium.registry["stagger/Walk-v0"]["entry_point"]()
envs = gymnasium.registry["stagger/Walk-v0"]["vector_entry_point"](num_envs=2)
assert isinstance(env, Env) and isinstance(envs, VectorEnv) and len(gymnasium.registry) == 7
assert isinstance(env.action_space, Box) and isinstance(envs.single_observation_space, Box)
assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
for wrong in ({"num_envs": 0}, {"autoreset_mode": "never"}):
    try:
        stagger.gym.VectorEnv("Walk-v0", **wrong)
    except ValueError:
        pass
first, _ = env.reset(seed=1)
assert (envs.reset(seed=1)[0][0] == first).all()
"""
        program = program.replace("import stagger\n", "import stagger\nstagger.gym\n")
        subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


class Meaning(unittest.TestCase):
    def test_observations_are_what_their_table_says(self):
        env = gym.make("HitRun-v0", controller="stagger")
        env.reset(seed=3)
        actions = random_actions(env, 3, 5) * 0.1
        for action in actions:
            observation = env.step(action)[0]
        found = {row.name: value for row, value in zip(env.observation_table, observation)}
        self.assertEqual(len(found), len(observation))
        body = env.scene["body"]
        view = {name: body.view(name).astype(float) for name in body.views}
        ground = view["feet/ground_height"].mean()
        place, parts = view["parts/position"], body.parts
        expected = {
            "pelvis height": place[0, 1] - ground,
            "head height": place[parts.index("head"), 1] - ground,
            "foot_r height": place[parts.index("foot_r"), 1] - ground,
            "pelvis velocity z": view["parts/linear_velocity"][0, 2],
            "pelvis turn y": view["parts/angular_velocity"][0, 1],
            "com place x": view["com/position"][0] - place[0, 0],
            "com velocity z": view["com/velocity"][2],
            "thigh_l z angle": view["joints/angle"][parts.index("thigh_l") - 1, 2],
            "forearm_r x rate": view["joints/velocity"][parts.index("forearm_r") - 1, 0],
            "left foot place z": view["feet/position"][0, 2] - place[0, 2],
            "right foot place y": view["feet/position"][1, 1] - place[0, 1],
            "left foot clearance": view["feet/clearance"][0],
            "right foot load": view["feet/planted"][1],
            "left foot phase sine": np.sin(2 * np.pi * view["feet/phase"][0]),
            "right foot phase cosine": np.cos(2 * np.pi * view["feet/phase"][1]),
            "speed": 3.5,
            "hand_l strength": view["joints/strength"][parts.index("hand_l") - 1],
            "last thigh_r x": float(actions[-1][[row.name for row in env.action_table].index("thigh_r x")]),
        }
        x, y, z, w = view["parts/rotation"][0]
        expected["pelvis up x"], expected["pelvis up y"] = 2 * (x * y - z * w), 1 - 2 * (x * x + z * z)
        expected["pelvis forward z"] = 1 - 2 * (x * x + y * y)
        for name, value in expected.items():
            self.assertAlmostEqual(found[name], value, places=6, msg=name)
        # The angles of the errors are those that are recorded; hinges turn about one axis only.
        errors = view["joints/error"]
        for part in ("abdomen", "thigh_r", "upper_arm_l"):
            size = math.hypot(*(found[f"{part} {axis} error"] for axis in "xyz"))
            self.assertAlmostEqual(size, errors[parts.index(part) - 1], places=4, msg=part)

    def test_an_error_of_a_joint_points_to_its_goal(self):
        with gym.make("Stand-v0") as env:
            env.reset(seed=1)
            names = [row.name for row in env.observation_table]
            bent = names.index("forearm_l x angle")
            action = np.zeros(len(env.action_table), np.float32)
            action[[row.name for row in env.action_table].index("forearm_l x")] = -1
            before = env.step(np.zeros_like(action))[0]
            for _ in range(15):
                after = env.step(action)[0]
            self.assertLess(after[bent], before[bent] - 0.3)
            # The goal without the action is the bind pose, so that the error is the way back.
            self.assertAlmostEqual(after[names.index("forearm_l x error")], -after[bent], places=5)

    def test_terms(self):
        with gym.make("Walk-v0", controller="stagger") as env:
            env.reset(seed=2)
            zero = np.zeros(env.action_space.shape, np.float32)
            for _ in range(60):
                _, _, terminated, _, info = env.step(zero)
                self.assertFalse(terminated)
            body = env.scene["body"]
            weights, velocity = gym.TASKS["Walk-v0"].terms, body.view("com/velocity")
            self.assertEqual(info["terms"]["alive"], weights["alive"])
            self.assertEqual(info["terms"]["change"], 0)
            off = velocity[0] ** 2 + (velocity[2] - 1.2) ** 2
            self.assertAlmostEqual(info["terms"]["velocity"], weights["velocity"] * math.exp(-2 * off), places=9)
            self.assertTrue(info["is_success"])
            turn, torque = body.view("parts/angular_velocity"), body.view("joints/torque")
            power = sum(
                abs(np.dot(torque[i - 1], turn[i] - turn[body.parts.index(body.joint(i).parent)]))
                for i in range(1, len(body.parts))
            )
            self.assertAlmostEqual(info["terms"]["power"], -weights["power"] * power / 1000, places=6)
            action = zero.copy()
            action[0] = 0.5
            info = env.step(action)[4]
            self.assertAlmostEqual(info["terms"]["change"], -weights["change"] * 0.25 / len(action), places=9)

    def test_standing_is_to_be_learnt(self):
        # Without actions all fall; pressed against a lean and its speed, the feet alone let all stand.
        with gym.VectorEnv("Stand-v0", 6) as envs:
            observed = {row.name: i for i, row in enumerate(envs.observation_table)}
            acted = {row.name: i for i, row in enumerate(envs.action_table)}
            middle = [[observed[f"{side} foot place {axis}"] for side in ("left", "right")] for axis in "xz"]
            place, speed = ([observed[f"com {what} {axis}"] for axis in "xz"] for what in ("place", "velocity"))
            for gain, stood in ((0, 0), (1, 6)):
                observations, _ = envs.reset(seed=3)
                standing = np.ones(6, bool)
                for _ in range(300):
                    lean = observations[:, place] - observations[:, middle].mean(2)
                    needed = gain * (lean + 0.3 * observations[:, speed])
                    actions = np.zeros(envs.action_space.shape)
                    for side in "lr":
                        actions[:, acted[f"foot_{side} x"]] = needed[:, 1]
                        actions[:, acted[f"foot_{side} z"]] = -needed[:, 0]
                    observations, _, terminations, _, infos = envs.step(actions)
                    standing &= ~terminations
                    if gain and standing.all():
                        off = (lean**2).sum(-1)
                self.assertEqual(standing.sum(), stood)
            # The last lean is that before the last action, and hardly another.
            np.testing.assert_allclose(infos["terms"]["over_feet"], 0.5 * np.exp(-50 * off), atol=1e-3)

    def test_torques_stay_within_their_limits(self):
        for name in ("Stand-v0", "GetUp-v0"):
            with self.subTest(name), gym.make(name) as env:
                env.reset(seed=4)
                body = env.scene["body"]
                limits = np.array([body.joint(part).torque for part in body.parts[1:]])
                torque, most = body.view("joints/torque"), np.zeros(len(limits))
                for action in np.sign(random_actions(env, 5, 25)):
                    env.step(action)
                    most = np.maximum(most, np.linalg.norm(torque, axis=1) / limits)
                self.assertLess(most.max(), 1 + 1e-6)
                self.assertGreater(most.max(), 0.9)

    def test_stagger_s_own_controllers_keep_going(self):
        for name, task in gym.TASKS.items():
            if not task.own:
                continue
            with self.subTest(name), gym.make(name, controller="stagger") as env:
                found = play(env, 1, np.zeros((90, len(env.action_table)), np.float32))
                self.assertEqual(len(found), 91)
                self.assertTrue(found[-1][4]["is_success"])
                way = found[-1][0][[row.name for row in env.observation_table].index("com velocity z")]
                self.assertLess(abs(way - task.speed), 0.5)

    def test_failures_and_ends(self):
        with gym.make("Run-v0") as env:
            found = play(env, 1, np.zeros((300, len(env.action_table)), np.float32))
            self.assertTrue(found[-1][2])
            self.assertFalse(found[-1][3] or found[-1][4]["is_success"])
            self.assertEqual(found[-1][4]["terms"]["alive"], 0)
            self.assertAlmostEqual(found[-1][4]["time"], (len(found) - 1) / 30)
        with gym.make("GetUp-v0") as env:
            first = env.reset(seed=1)[0]
            names = [row.name for row in env.observation_table]
            self.assertLess(first[names.index("head height")], 0.5)
            env._world.limit = 4
            found = play(env, 1, random_actions(env, 1, 9))
            self.assertEqual((len(found), found[-1][2], found[-1][3]), (5, False, True))

    def test_parameters(self):
        with gym.make("Walk-v0", controller="stagger", speed=0.7, set={"characters.body.drive.strength": 0.5}) as env:
            observation = env.reset(seed=1)[0]
            self.assertEqual(observation[[row.name for row in env.observation_table].index("speed")], 0.7)
            self.assertEqual(env.scene["body"].joint("shin_l").torque, 125)
        with gym.make("Stand-v0") as env:
            info = env.reset(seed=1, options={"scene_seed": 77})[1]
            self.assertEqual((info["scene_seed"], env.scene.seed), (77, 77))

    def test_tables_of_the_page(self):
        page = (Path(__file__).parents[1] / "gym.md").read_text()
        env = gym.make("Stand-v0")
        for title, rows in (("observation", env.observation_table), ("action", env.action_table)):
            table = re.search(rf"^\| {title} .*?\n\n", page, re.M | re.S).group(0).strip().splitlines()[2:]
            cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
            counts, units = [int(line[1]) for line in cells], [line[2] for line in cells]
            self.assertEqual(sum(counts), len(rows), title)
            flat = [unit for count, unit in zip(counts, units) for _ in range(count)]
            self.assertEqual(flat, [row.unit for row in rows], title)
        for name in NAMES:
            self.assertIn(f"`{name}`", page)
        for terms in gym.TASKS.values():
            for term in terms.terms:
                self.assertIn(f"| `{term}` |", page)


class Vectors(unittest.TestCase):
    def test_same_bits_as_single_ones_for_any_threads(self):
        for threads in (1, 2, 3):
            with gym.VectorEnv("HitRun-v0", 3, threads) as envs:
                actions = np.stack([random_actions(envs, i, 8) for i in range(3)], axis=1) * 0.3
                rows = [envs.reset(seed=5)[0]]
                results = [envs.step(action) for action in actions]
                for i in range(3):
                    with gym.make("HitRun-v0") as env:
                        observation, info = env.reset(seed=5 + i)
                        self.assertTrue(equal(rows[0][i], observation))
                        for action, result in zip(actions[:, i], results):
                            observation, reward, terminated, truncated, info = env.step(action)
                            self.assertTrue(equal(result[0][i], observation))
                            self.assertEqual(result[1][i], reward)
                            self.assertEqual((result[2][i], result[3][i]), (terminated, truncated))
                            for term, value in info["terms"].items():
                                self.assertEqual(result[4]["terms"][term][i], value)
                            self.assertEqual(result[4]["scene_seed"][i], info["scene_seed"])
                            self.assertEqual(result[4]["time"][i], info["time"])
                            self.assertEqual(result[4]["is_success"][i], info["is_success"])

    def falling(self, mode):
        """Runners that fall, each at its own time."""
        envs = gym.VectorEnv("Run-v0", 3, 2, autoreset_mode=mode)
        envs.reset(seed=8)
        return envs, np.stack([random_actions(envs, i, 40) for i in range(3)], axis=1)

    def test_next_step(self):
        envs, actions = self.falling(gym.AutoresetMode.NEXT_STEP)
        self.assertEqual(envs.metadata["autoreset_mode"], gym.AutoresetMode.NEXT_STEP)
        over, ends = np.zeros(3, bool), 0
        before = envs._seeds.copy()
        for action in actions:
            observations, rewards, terminations, truncations, infos = envs.step(action)
            self.assertEqual(observations.shape, envs.observation_space.shape)
            for i in np.flatnonzero(over):
                self.assertEqual((rewards[i], infos["time"][i], terminations[i]), (0, 0, False))
                self.assertNotEqual(infos["scene_seed"][i], before[i])
                with gym.make("Run-v0") as env:  # it is the first observation of that scene
                    env.reset(options={"scene_seed": int(infos["scene_seed"][i])})
                    single = env._world.observe()[0]
                self.assertTrue(equal(observations[i], single))
            over, before = terminations | truncations, infos["scene_seed"].copy()
            ends += over.sum()
        self.assertGreater(ends, 3)

    def test_same_step(self):
        envs, actions = self.falling("SameStep")
        following, _ = self.falling("NextStep")
        same, ended = True, False
        for action in actions:
            one, two = envs.step(action), following.step(action)
            over = one[2] | one[3]
            np.testing.assert_array_equal(one[2], two[2])
            if not over.any():
                self.assertNotIn("final_obs", one[4])
                continue
            ended = True
            np.testing.assert_array_equal(one[4]["_final_obs"], over)
            self.assertTrue(equal(one[4]["final_obs"], two[0]))
            self.assertTrue(equal(one[4]["final_info"]["terms"], two[4]["terms"]))
            self.assertTrue(equal(one[0][~over], two[0][~over]))
            self.assertTrue((one[4]["time"][over] == 0).all() and (one[4]["final_info"]["time"][over] > 0).all())
            third = following.step(action)  # begins those that have ended
            self.assertTrue(equal(one[0][over], third[0][over]))
            break
        self.assertTrue(ended)

    def test_disabled(self):
        envs, actions = self.falling("Disabled")
        for action in actions:
            over = np.logical_or(*envs.step(action)[2:4])
            if over.any():
                break
        with self.assertRaisesRegex(ValueError, "reset_mask"):
            envs.step(action)
        times = envs._counts.copy()
        observations, infos = envs.reset(options={"reset_mask": over})
        np.testing.assert_array_equal(infos["time"] == 0, over)
        np.testing.assert_array_equal(envs._counts[~over], times[~over])
        envs.step(action)
        for wrong in ([1, 0, 1], np.ones(2, bool), "all"):
            with self.assertRaisesRegex(ValueError, "3 bool"):
                envs.reset(options={"reset_mask": wrong})

    def test_seeds(self):
        with gym.VectorEnv("Stand-v0", 2, 1) as envs:
            one = envs.reset(seed=3)[0]
            self.assertTrue(equal(envs.reset(seed=[3, 4])[0], one))
            other = envs.reset(seed=[3, None])[0]
            self.assertTrue(equal(other[0], one[0]))
            self.assertFalse(equal(other[1], one[1]))
            for wrong in ([1], [1, 2, 3], -1, 1.5, ["a", "b"]):
                with self.assertRaises(ValueError):
                    envs.reset(seed=wrong)


class BadInput(unittest.TestCase):
    def test_it_says_what_is_allowed(self):
        with self.assertRaisesRegex(ValueError, "HitRun-v0"):
            gym.make("Fly-v0")
        with self.assertRaisesRegex(ValueError, "Stand-v0"):
            gym.VectorEnv(["Stand-v0"], 2)
        with self.assertRaisesRegex(ValueError, "none, stagger"):
            gym.make("Walk-v0", controller="mine")
        with self.assertRaisesRegex(ValueError, "it has for Stand-v0"):
            gym.make("GetUp-v0", controller="stagger")
        with self.assertRaisesRegex(ValueError, "rgb_array"):
            gym.make("Walk-v0", render_mode="human")
        with self.assertRaisesRegex(ValueError, "Walk-v0, Run-v0"):
            gym.make("Stand-v0", speed=1)
        with self.assertRaisesRegex(ValueError, "finite"):
            gym.make("Walk-v0", speed=math.nan)
        with self.assertRaisesRegex(ValueError, "NextStep, SameStep, Disabled"):
            gym.VectorEnv("Walk-v0", 2, autoreset_mode="Sometimes")
        with self.assertRaisesRegex(ValueError, "1 to 65536"):
            gym.VectorEnv("Walk-v0", 0)
        with self.assertRaisesRegex(ValueError, "no_such_key"):
            gym.make("Walk-v0", set={"world.no_such_key": 1})

    def test_actions_and_episodes(self):
        env = gym.make("Stand-v0")
        size = len(env.action_table)
        with self.assertRaisesRegex(ValueError, "call reset first"):
            env.step(np.zeros(size))
        env.reset(seed=1)
        for wrong in (np.zeros(size - 1), np.zeros((1, size)), np.full(size, math.nan), "x", None, [[]]):
            with self.assertRaises(ValueError):
                env.step(wrong)
        for wrong in (-1, 1.5, "1"):
            with self.assertRaisesRegex(ValueError, "a seed is"):
                env.reset(seed=wrong)
        with self.assertRaisesRegex(ValueError, "there are scene_seed"):
            env.reset(options={"speed": 1})
        with self.assertRaisesRegex(ValueError, "a dict"):
            env.reset(options=7)
        with self.assertRaises(ValueError):
            env.reset(options={"scene_seed": -1})
        # None of these has changed anything, and actions beyond the limits are limited.
        far = env.step(np.full(size, 9.0))[0]
        env.reset(seed=1)
        self.assertTrue(equal(far, env.step(np.ones(size, np.float32))[0]))
        env.close()
        env.close()
        for use in (env.reset, lambda: env.step(np.zeros(size))):
            with self.assertRaises(ValueError):
                use()
        envs = gym.VectorEnv("Stand-v0", 2)
        with self.assertRaisesRegex(ValueError, "call reset first"):
            envs.step(np.zeros((2, size)))
        envs.reset()
        for wrong in (np.zeros(size), np.zeros((3, size)), np.full((2, size), math.inf)):
            with self.assertRaises(ValueError):
                envs.step(wrong)
        envs.close()
        with self.assertRaises(ValueError):
            envs.reset()


if __name__ == "__main__":
    unittest.main()

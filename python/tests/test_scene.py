"""Scenes and characters from Python."""

import gc
import math
import os
import pickle
import tempfile
import threading
import unittest
import weakref

import numpy as np

import stagger

TEXT = """duration: 2
seed: 5
characters:
  - {name: one, body: bodies/human.yaml}
  - {name: two, body: bodies/human.yaml, start: {position: [3, 0, 0]}}
"""
QUIET = {"events": [], "expect": []}


def bits(scene):
    """All positions and velocities, to be compared to the bit."""
    names = ("parts/position", "parts/rotation", "parts/linear_velocity", "parts/angular_velocity")
    return b"".join(character.view(name).tobytes() for character in scene for name in names)


class Opening(unittest.TestCase):
    def test_a_scene_by_name(self):
        with stagger.Scene("stand_push", seed=7, set={"world.solver": "reduced", **QUIET}) as scene:
            self.assertEqual((scene.seed, scene.time, scene.characters), (7, 0, ("man",)))
            self.assertAlmostEqual(scene.time_step, 1 / 240)
            self.assertEqual(scene.step(), 1)
            self.assertEqual(scene.run(0.5), 120)
            self.assertAlmostEqual(scene.time, 121 / 240)
            self.assertIn("stand_push, seed 7", repr(scene))
            self.assertEqual(scene.stop_reason, "")
        self.assertIn("closed", repr(scene))
        scene.close()  # once more does nothing

    def test_a_scene_from_text(self):
        scene = stagger.Scene(TEXT, name="made.yaml")
        self.assertEqual((len(scene), scene.seed, scene.duration), (2, 5, 2))
        self.assertEqual([character.name for character in scene], ["one", "two"])
        self.assertEqual(scene[1].name, "two")
        self.assertEqual(scene["two"].parts[0], "pelvis")
        self.assertEqual(scene["two"].part("pelvis"), 0)

    def test_what_cannot_be_opened_says_why(self):
        with self.assertRaisesRegex(ValueError, "no_such_scene"):
            stagger.Scene("no_such_scene")
        with self.assertRaisesRegex(stagger.Error, r"made.yaml:1:"):
            stagger.Scene("characters: 7\n", name="made.yaml")
        with self.assertRaisesRegex(stagger.Error, "world.dt"):
            stagger.Scene("stand", set={"world.dt": 1})
        for wrong in (7, None, "stand\0"):
            with self.assertRaises(stagger.Error):
                stagger.Scene(wrong)
        for seed in (-1, 2**31, 1.5, "1"):
            with self.assertRaisesRegex(stagger.Error, "a seed is"):
                stagger.Scene("stand", seed=seed)
        with self.assertRaisesRegex(stagger.Error, "finite"):
            stagger.Scene("stand", set={"world.friction": math.nan})
        with self.assertRaises(stagger.Error):
            stagger.Scene("stand", set={"world.friction": object()})

    def test_version(self):
        self.assertRegex(stagger.version(), r"^\d+\.\d+\.\d+$")
        self.assertEqual(stagger.__version__, stagger.version())


class Views(unittest.TestCase):
    def test_they_show_each_step_and_cannot_be_written(self):
        scene = stagger.Scene("stand_push", set=QUIET)
        man = scene["man"]
        position, com, planted = man.view("parts/position"), man.view("com/position"), man.view("feet/planted")
        self.assertEqual((position.shape, position.dtype), ((len(man.parts), 3), np.float64))
        self.assertEqual((com.shape, planted.shape, planted.dtype), ((3,), (2,), np.uint8))
        self.assertEqual((man.unit("com/position"), man.view("joints/angle").shape), ("m", (len(man.parts) - 1, 3)))
        self.assertIn("mass", man.description("com/position"))
        before = position.copy()
        scene.step(60)
        self.assertFalse(np.array_equal(before, position))
        self.assertEqual(position.ctypes.data, man.view("parts/position").ctypes.data)
        scene.reset()
        np.testing.assert_array_equal(before, position)
        with self.assertRaises(ValueError):
            position[0] = 0
        with self.assertRaises(ValueError):
            position.flags.writeable = True
        self.assertIn("parts/position", man.views)
        for name in man.views:
            self.assertLessEqual(man.view(name).ndim, 2)

    def test_they_outlive_the_scene(self):
        scene = stagger.Scene("stand")
        height = scene[0].view("com/position")[1:2]
        last = float(height[0])
        scene.close()
        del scene
        trash = [bytearray(1 << 16) for _ in range(200)]  # would be where the scene was
        self.assertEqual(float(height[0]), last)
        del trash

    def test_memory_is_given_back(self):
        scene = stagger.Scene("stand")
        handle = weakref.ref(scene._handle)
        view = scene[0].view("com/position")[1:]
        scene.close()
        self.assertIsNotNone(handle())
        del view
        self.assertIsNone(handle())
        batch = stagger.Batch("stand", 2, 2)
        handle, view = weakref.ref(batch._handle), batch[1][0].view("com/position")
        del batch
        gc.collect()
        self.assertGreater(view[1], 0.5)
        del view
        self.assertIsNone(handle())

    def test_the_character_keeps_its_scene(self):
        man = stagger.Scene("stand")[0]
        self.assertGreater(man.view("com/position")[1], 0.5)

    def test_unknown_names_say_which_there_are(self):
        scene = stagger.Scene("stand")
        with self.assertRaisesRegex(stagger.Error, "stander"):
            scene["nobody"]
        with self.assertRaises(stagger.Error):
            scene[1]
        with self.assertRaisesRegex(stagger.Error, "parts/position"):
            scene[0].view("parts/colour")
        with self.assertRaisesRegex(stagger.Error, "pelvis"):
            scene[0].impulse("tail", [1, 0, 0])


class Actions(unittest.TestCase):
    def setUp(self):
        self.scene = stagger.Scene("stand_push", set=QUIET)
        self.man = self.scene["man"]

    def test_an_impulse_is_a_hit(self):
        self.scene.step(10)
        self.man.impulse("chest", np.array([0, 0, 12.0]))
        self.scene.run(1)
        with self.assertRaisesRegex(stagger.Error, "stagger_scene_finish"):
            self.man.metric("fell")
        self.scene.finish()
        self.assertEqual(self.man.metric("fell"), 0)
        self.assertEqual(self.scene.metric("fell"), 0)
        self.assertTrue(math.isnan(self.man.metric("time_of_fall")))
        (hit,) = self.man.hits()
        self.assertEqual((hit["part"], self.scene.hits()), ("chest", [hit]))
        self.assertAlmostEqual(hit["impulse"], 12)
        self.assertEqual(self.scene.outcome()["characters"]["man"]["fell"], 0)
        with self.assertRaisesRegex(stagger.Error, "finished"):
            self.scene.step()
        with self.assertRaisesRegex(stagger.Error, "beauty"):
            self.man.metric("beauty")

    def test_a_push_at_a_point(self):
        self.man.push(0, (0, 0, 30), 0.1, point=self.man.view("parts/position")[0])
        self.scene.run(0.1)
        self.assertGreater(self.man.view("com/velocity")[2], 0.2)

    def test_joints(self):
        scene = stagger.Scene("stand", set={"characters.stander.drive.strength": 0.5})
        body = scene[0]
        knee, ankle = body.joint("shin_l"), body.joint("foot_r")
        self.assertEqual((knee.parent, knee.torque, knee.stiffness, knee.damping), ("thigh_l", 125, 4800, 240))
        np.testing.assert_array_equal(knee.turns, [True, False, False])
        np.testing.assert_allclose([knee.lower[0], knee.upper[0]], np.radians([0, 145]))
        np.testing.assert_array_equal(knee.axes, np.eye(3))
        np.testing.assert_array_equal(knee.axis_torque, [knee.torque, 0, 0])
        np.testing.assert_array_equal(knee.armature, np.zeros(3))
        np.testing.assert_array_equal(ankle.turns, [True, False, True])
        np.testing.assert_allclose(ankle.upper, np.radians([50, 0, 25]))
        for wrong in ("pelvis", 0, "tail", 99, None):
            with self.assertRaises(stagger.Error):
                body.joint(wrong)

    def test_intent_and_offsets(self):
        com = self.man.view("com/position")
        arm = self.man.part("forearm_r")
        before = self.man.view("joints/angle")[arm - 1].copy()
        self.man.set_intent(speed=0.8, heading=math.pi / 2)
        self.man.set_joint_offset("forearm_r", [-0.4, 0, 0])
        self.scene.run(4)
        self.assertGreater(com[0], 0.5)
        self.assertGreater(np.linalg.norm(self.man.view("joints/angle")[arm - 1] - before), 0.1)

    def test_bad_numbers_change_nothing(self):
        other = stagger.Scene("stand_push", set=QUIET)
        for wrong in ([0, 0], [[0, 0, 1]], [0, 0, math.nan], [0, math.inf, 0], "abc", None, 3, [1, 2, "x"]):
            with self.assertRaises(stagger.Error):
                self.man.impulse("chest", wrong)
            with self.assertRaises(stagger.Error):
                self.man.push("chest", wrong, 0.1)
            with self.assertRaises(stagger.Error):
                self.man.set_joint_offset("chest", wrong)
        for duration in (0, -1, 61, math.nan, "long"):
            with self.assertRaises(stagger.Error):
                self.man.push("chest", [0, 0, 1], duration)
        for part in (-1, 99, 2**40, 1.5):
            with self.assertRaises(stagger.Error):
                self.man.impulse(part, [0, 0, 1])
        with self.assertRaisesRegex(stagger.Error, "no joint"):
            self.man.set_joint_offset(0, [0, 0, 0.1])
        with self.assertRaisesRegex(stagger.Error, "at most pi"):
            self.man.set_joint_offset(1, [4, 0, 0])
        with self.assertRaises(stagger.Error):
            self.man.set_intent(math.nan)
        for steps in (-1, 2**31, 0.5, None, np.zeros(3), "1"):
            with self.assertRaises(stagger.Error):
                self.scene.step(steps)
        for seconds in (math.nan, math.inf, -1, "long"):
            with self.assertRaises(stagger.Error):
                self.scene.run(seconds)
        self.scene.step(50)
        other.step(50)
        self.assertEqual(bits(self.scene), bits(other))

    def test_parameters(self):
        self.assertTrue(self.scene.set("characters.man.drive.strength", 0))
        self.assertFalse(self.scene.set("duration", 7))
        with self.assertRaisesRegex(stagger.Error, "colour"):
            self.scene.set("characters.man.drive.colour", 1)
        self.scene.run(2)
        self.assertLess(self.man.view("com/position")[1], 0.7)


class States(unittest.TestCase):
    def test_a_moment_is_begun_again(self):
        scene = stagger.Scene("hit_run", set={"world.solver": "reduced"})
        scene.run(2.9)
        state = scene.save()
        scene.run(1)
        after = bits(scene)
        scene.restore(state)
        scene.run(1)
        self.assertEqual(bits(scene), after)
        scene.finish()
        scene.restore(state)
        self.assertAlmostEqual(scene.time, 2.9, places=2)
        for wrong in (b"", b"nonsense", state[:-1], state[:999] + b"x" + state[1000:], "text", None, 7):
            with self.assertRaises(stagger.Error):
                scene.restore(wrong)
        with self.assertRaisesRegex(stagger.Error, "another scene"):
            stagger.Scene("stand").restore(state)
        scene.run(1)
        self.assertEqual(bits(scene), after)

    def test_resets_repeat(self):
        scene = stagger.Scene("hit_run", set={"world.solver": "reduced"})
        scene.run(0.5)
        first = bits(scene)
        scene.reset(9)
        self.assertEqual(scene.seed, 9)
        scene.run(0.5)
        self.assertNotEqual(bits(scene), first)
        scene.reset(1)
        scene.run(0.5)
        self.assertEqual(bits(scene), first)
        with self.assertRaises(stagger.Error):
            scene.reset(-1)

    def test_pickles(self):
        scene = stagger.Scene("stand_push", seed=3, set=QUIET)
        scene.set("characters.man.drive.strength", 0.9)
        scene.reset(4)
        scene.set("characters.man.drive.damping", 1.1)
        scene.run(0.5)
        other = pickle.loads(pickle.dumps(scene))
        again = pickle.loads(pickle.dumps(other))
        self.assertEqual((other.seed, other.time), (4, scene.time))
        for each in (scene, other, again):
            each.run(0.5)
        self.assertEqual(bits(other), bits(scene))
        self.assertEqual(bits(again), bits(scene))
        text = pickle.loads(pickle.dumps(stagger.Scene(TEXT)))
        self.assertEqual(text.characters, ("one", "two"))


class Ends(unittest.TestCase):
    def test_a_dead_scene_raises(self):
        scene = stagger.Scene("stand_push")
        man, state = scene["man"], scene.save()
        scene.close()
        uses = [
            lambda: scene.step(),
            lambda: scene.run(1),
            lambda: scene.time,
            lambda: scene.seed,
            lambda: scene.save(),
            lambda: scene.restore(state),
            lambda: scene.reset(),
            lambda: scene.set("duration", 1),
            lambda: scene.finish(),
            lambda: scene.outcome(),
            lambda: scene.record("x.h5"),
            lambda: pickle.dumps(scene),
            lambda: man.view("com/position"),
            lambda: man.views,
            lambda: man.impulse(0, [0, 0, 1]),
            lambda: man.set_intent(1),
            lambda: man.set_joint_offset(1, [0, 0, 0]),
            lambda: man.metric("fell"),
            lambda: stagger.Batch(scene, 2),
            lambda: stagger.rollout(scene, moments=1),
        ]
        for use in uses:
            with self.assertRaisesRegex(stagger.Error, "is closed"):
                use()

    def test_threads_side_by_side(self):
        def run(scene, result, i):
            scene.run(0.5)
            result[i] = bits(scene)

        scenes, result = [stagger.Scene("stand_push", set=QUIET) for _ in range(4)], [None] * 4
        threads = [threading.Thread(target=run, args=(scene, result, i)) for i, scene in enumerate(scenes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(result)), 1)

    def test_one_scene_and_many_threads(self):
        scene = stagger.Scene("stand")
        threads = [threading.Thread(target=lambda: [scene.step() for _ in range(50)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertAlmostEqual(scene.time, 200 * scene.time_step)

    def test_a_child_process(self):
        scene, batch = stagger.Scene("stand"), stagger.Batch("stand", 2, 2)
        child = os.fork()
        if child == 0:
            try:
                scene.step()
                del scene, batch
                os._exit(0)
            finally:
                os._exit(1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Recordings(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "hit.h5")

    def test_recorded_and_read(self):
        scene = stagger.Scene("stand_push", set=QUIET)
        com = scene[0].view("com/position")
        with scene.record(self.path) as recording:
            with self.assertRaisesRegex(stagger.Error, "under way"):
                scene.record(self.path)
            self.assertIn("under way", repr(recording))
            scene.run(1)
        self.assertIn("ended", repr(recording))
        recording.close()
        with stagger.Trace(self.path) as trace:
            self.assertEqual(len(trace), 61)
            self.assertEqual(trace.attributes["status"], "complete")
            self.assertEqual((trace.attributes["seed"], trace.attribute("colour")), ("1", ""))
            self.assertIn("/characters/man/com/position", trace.names)
            self.assertEqual(trace.read("com/position").shape, (61, 3))
            np.testing.assert_array_equal(trace.read("com/position", 60)[0], com)
            self.assertEqual(trace.read("parts/position", 10, 5).shape, (5, len(scene[0].parts), 3))
            self.assertEqual(trace.read("joints/error").shape, (61, len(scene[0].parts) - 1))
            self.assertAlmostEqual(trace.time[-1], 1)
            self.assertEqual(trace.unit("com/position"), "m")
            self.assertIn("mass", trace.description("com/position"))
            for name, first, count in (("colour", 0, 1), ("com/position", 62, None), ("com/position", 60, 2)):
                with self.assertRaises(stagger.Error):
                    trace.read(name, first, count)
            try:
                import pandas  # noqa: F401
            except ImportError:
                with self.assertRaises(ImportError):
                    trace.to_dataframe("com/position")
            else:
                self.assertEqual(trace.to_dataframe("com/position").shape, (61, 3))
        for use in (lambda: len(trace), lambda: trace.names, lambda: trace.read("/time"), lambda: trace.attributes):
            with self.assertRaisesRegex(stagger.Error, "is closed"):
                use()

    def test_resets_end_recordings(self):
        scene = stagger.Scene("stand")
        recording = scene.record(self.path)
        scene.step(50)
        scene.reset()
        recording.close()
        scene.step()  # it was not finished
        self.assertEqual(stagger.Trace(self.path).attribute("status"), "interrupted")
        recording = scene.record(self.path)
        scene.close()
        self.assertEqual(stagger.Trace(self.path).attribute("status"), "complete")

    def test_what_cannot_be_recorded_or_read(self):
        scene = stagger.Scene("stand")
        with self.assertRaisesRegex(stagger.Error, "nowhere"):
            scene.record(os.path.join(self.folder.name, "nowhere", "x.h5"))
        scene.step()
        with self.assertRaises(stagger.Error):
            stagger.Trace(self.path)
        with open(self.path, "w") as file:
            file.write("no trace")
        with self.assertRaises(stagger.Error):
            stagger.Trace(self.path)
        with self.assertRaises(stagger.Error):
            scene.record(self.path)


if __name__ == "__main__":
    unittest.main()

"""Batches and rollouts from Python: the same bits as single scenes, for any number of threads."""

import math
import pickle
import unittest

import numpy as np

import stagger

QUIET = {"events": [], "expect": [], "world.solver": "reduced"}


class Batches(unittest.TestCase):
    def test_copies_equal_single_scenes(self):
        for threads in (1, 2, 3):
            with stagger.Batch("hit_assist", 3, threads, set={"world.solver": "reduced"}) as batch:
                self.assertEqual((len(batch), batch.threads), (3, threads))
                batch.reset([4, 5, 6])
                np.testing.assert_array_equal(batch.step(100), [100, 100, 100])
                gathered = batch.gather("parts/position")
                for i, copy in enumerate(batch):
                    single = stagger.Scene("hit_assist", seed=4 + i, set={"world.solver": "reduced"})
                    single.step(100)
                    position = single[0].view("parts/position")
                    np.testing.assert_array_equal(gathered[i], position)
                    np.testing.assert_array_equal(copy[0].view("parts/position"), position)
                    self.assertEqual(copy.seed, 4 + i)

    def test_one_moment_many_pushes(self):
        scene = stagger.Scene("stand_push", set=QUIET)
        scene.step(50)
        batch = stagger.Batch(scene, 4, 2)
        self.assertEqual(batch[3].time, scene.time)
        batch.step(7)
        batch.restore(scene.save())
        for i, copy in enumerate(batch):
            copy["man"].push("chest", [0, 0, 10 * i], 0.1)
        batch.step(60)
        com = batch.gather("com/position", "man")
        self.assertTrue((np.diff(com[:, 2]) > 0).all())
        batch.restore(batch.save()[::-1])
        np.testing.assert_array_equal(batch.gather("com/position"), com[::-1])
        scene["man"].push("chest", [0, 0, 30], 0.1)
        scene.step(60)
        np.testing.assert_array_equal(scene[0].view("com/position"), com[3])
        batch[1].finish()
        np.testing.assert_array_equal(batch.step(1), [1, 0, 1, 1])
        self.assertEqual(batch[1].metric("hits"), 1)
        other = pickle.loads(pickle.dumps(batch[0]))
        self.assertEqual(other.time, batch[0].time)

    def test_copies_that_begin_and_step_by_themselves(self):
        with stagger.Batch("stand_push", 3, 2, set=QUIET) as batch:
            batch.step(10)
            batch.reset(copies=[1])
            np.testing.assert_array_equal([copy.time == 0 for copy in batch], [False, True, False])
            batch.reset([9, 8], [2, 0])
            self.assertEqual([copy.seed for copy in batch], [8, 1, 9])
            np.testing.assert_array_equal(batch.step([0, 5, 12]), [0, 5, 12])
            single = stagger.Scene("stand_push", seed=9, set=QUIET)
            single.step(12)
            np.testing.assert_array_equal(batch[2][0].view("parts/position"), single[0].view("parts/position"))
            other = pickle.loads(pickle.dumps(batch[2]))
            self.assertEqual((other.seed, other.time), (9, batch[2].time))
            batch.reset(copies=[])
            for wrong in ([3], [-1], [0, 0], 1, "1", [0.5], [None]):
                with self.assertRaises(stagger.Error):
                    batch.reset(copies=wrong)
            for wrong in ([1, 2], [1, 2, -1], [1, 2, 3.0], [[1, 2, 3]], ["a", "b", "c"], [1, 2, 2**31], [True] * 3):
                with self.assertRaises(stagger.Error):
                    batch.step(wrong)
            with self.assertRaisesRegex(stagger.Error, "1 seeds for 2 copies"):
                batch.reset([1], [0, 1])
            self.assertEqual([copy.seed for copy in batch], [8, 1, 9])

    def test_parameters_and_seeds_of_a_scene(self):
        scene = stagger.Scene("stand_push", set=QUIET)
        scene.set("characters.man.drive.strength", 0.8)
        scene.reset(8)
        scene.step(20)
        batch = stagger.Batch(scene, 2)
        batch.step(20)
        scene.step(20)
        np.testing.assert_array_equal(batch[1][0].view("parts/position"), scene[0].view("parts/position"))
        batch.reset()
        self.assertEqual([copy.seed for copy in batch], [8, 8])
        with self.assertRaisesRegex(stagger.Error, "has its seed"):
            stagger.Batch(scene, 2, seed=3)

    def test_offsets(self):
        batch = stagger.Batch("stand", 2, 2)
        parts = len(batch[0][0].parts)
        offsets = np.zeros((2, parts, 3))
        offsets[1, 3] = [0.2, 0, 0]
        batch.set_joint_offsets(offsets)
        batch.step(60)
        single = stagger.Scene("stand")
        single[0].set_joint_offset(3, [0.2, 0, 0])
        single.step(60)
        np.testing.assert_array_equal(batch[1][0].view("joints/angle"), single[0].view("joints/angle"))
        batch.set_joint_offsets(offsets[0])
        for wrong in (offsets[:, :-1], offsets[0, 0], np.full((parts, 3), 4), np.full((parts, 3), math.nan), None, "x"):
            with self.assertRaises(stagger.Error):
                batch.set_joint_offsets(wrong)

    def test_bad_input(self):
        for copies, threads in ((0, 1), (65537, 1), (1.5, 1), (1, -1), (1, 257), (None, 1)):
            with self.assertRaises(stagger.Error):
                stagger.Batch("stand", copies, threads)
        with self.assertRaisesRegex(stagger.Error, "no_such_scene"):
            stagger.Batch("no_such_scene", 2)
        batch = stagger.Batch("stand", 2, 1)
        state = batch[0].save()
        for wrong in ([], [state] * 3, b"", "text", [state, b"x"], 7):
            with self.assertRaises(stagger.Error):
                batch.restore(wrong)
        for wrong in ([1], [1, 2, 3], [1, -1], [1, None], 7, object(), "ab", [[1, 2]], [1, [2, 3]], iter([1, 2])):
            with self.assertRaises(stagger.Error):
                batch.reset(wrong)
            if wrong != 7:
                with self.assertRaises(stagger.Error):
                    batch.step(wrong)
        for wrong in (np.empty((2, 3), "f4"), np.empty((3, 3)), np.empty((3, 2)).T, [0]):
            with self.assertRaisesRegex(stagger.Error, "writable C array"):
                batch.gather("com/position", out=wrong)
        out = np.empty((2, 3))
        self.assertIs(batch.gather("com/position", out=out), out)
        for wrong in (5, "no", [("seed", 1)], np.zeros((2, 2))):
            for call in (
                lambda: stagger.Batch("stand", 2, 1, set=wrong),
                lambda: stagger.Batch(stagger.Scene("stand"), 2, 1, set=wrong),
                lambda: batch.rollout(moments=1, out=wrong),
                lambda: batch.rollout(moments=1, views=wrong),
                lambda: batch.rollout(moments=wrong, controls=np.zeros((1, 16, 3))),
            ):
                with self.assertRaises(stagger.Error):
                    call()
        with self.assertRaisesRegex(stagger.Error, "com/position"):
            batch.gather("com/colour")
        with self.assertRaises(stagger.Error):
            batch[2]
        with self.assertRaises(stagger.Error):
            batch.step(-1)
        copy, view = batch[0], batch[0][0].view("com/position")
        batch.close()
        uses = [lambda: batch.step(), lambda: batch[0], lambda: copy.step(), lambda: batch.gather("com/position")]
        for use in uses + [lambda: batch.threads, lambda: batch.rollout(moments=1), lambda: copy.time]:
            with self.assertRaisesRegex(stagger.Error, "is closed"):
                use()
        self.assertEqual(view.shape, (3,))
        self.assertIn("closed", repr(batch) + repr(copy))


class Rollouts(unittest.TestCase):
    def setUp(self):
        self.scene = stagger.Scene("stand_push", set=QUIET)
        self.parts = len(self.scene[0].parts)
        self.controls = np.random.default_rng(1).uniform(-0.1, 0.1, (5, 4, self.parts, 3))
        self.controls[:, :, 0] = 0
        self.states = []
        for _ in range(5):
            self.scene.step(10)
            self.states.append(self.scene.save())

    def test_equal_to_single_scenes(self):
        made = np.zeros(5, np.intc)
        options = {"every": 6, "views": ("parts/position", "com/position")}
        one = stagger.rollout(self.scene, self.states, self.controls, threads=1, made=made, **options)
        two = stagger.rollout(self.scene, self.states, self.controls, threads=2, **options)
        with stagger.Batch("stand_push", 7, 3, set=QUIET) as batch:
            many = stagger.rollout(batch, self.states, self.controls, **options)
        self.assertEqual(one["parts/position"].shape, (5, 4, self.parts, 3))
        self.assertEqual(one["com/position"].shape, (5, 4, 3))
        np.testing.assert_array_equal(made, [24] * 5)
        for name in one:
            np.testing.assert_array_equal(one[name], two[name])
            np.testing.assert_array_equal(one[name], many[name])
        position = self.scene[0].view("parts/position")
        for run, state in enumerate(self.states):
            self.scene.restore(state)
            for moment in range(4):
                for part in range(1, self.parts):
                    self.scene[0].set_joint_offset(part, self.controls[run, moment, part])
                self.scene.step(6)
                np.testing.assert_array_equal(one["parts/position"][run, moment], position)

    def test_states_to_go_on_from(self):
        options = {"every": 6, "views": ["com/position"]}
        whole = stagger.rollout(self.scene, self.states, self.controls, save_every=2, **options)
        self.assertEqual([len(states) for states in whole["states"]], [2] * 5)
        middle = [states[0] for states in whole["states"]]
        rest = stagger.rollout(self.scene, middle, self.controls[:, 2:], save_every=2, **options)
        np.testing.assert_array_equal(rest["com/position"], whole["com/position"][:, 2:])
        self.assertEqual([states[0] for states in rest["states"]], [states[1] for states in whole["states"]])
        self.scene.restore(whole["states"][3][1])
        np.testing.assert_array_equal(self.scene[0].view("com/position"), whole["com/position"][3, -1])
        self.assertNotIn("states", stagger.rollout(self.scene, self.states, self.controls, **options))

    def test_broadcasting(self):
        state, same = self.states[0], self.controls[0]
        com = {"views": ["com/position"]}
        wanted = stagger.rollout(self.scene, [state] * 5, self.controls, **com)["com/position"]
        np.testing.assert_array_equal(stagger.rollout(self.scene, state, self.controls, **com)["com/position"], wanted)
        self.scene.restore(state)
        self.scene.step(0)
        np.testing.assert_array_equal(stagger.rollout(self.scene, None, self.controls, **com)["com/position"], wanted)
        every = stagger.rollout(self.scene, self.states, same, **com)["com/position"]
        np.testing.assert_array_equal(every[0], wanted[0])
        self.assertEqual(stagger.rollout(self.scene, moments=3, **com)["com/position"].shape, (1, 3, 3))
        out = {"com/position": np.empty((5, 4, 3))}
        given = stagger.rollout(self.scene, self.states, same, out=out, **com)
        self.assertIs(given["com/position"], out["com/position"])

    def test_bad_input(self):
        calls = [
            ((self.states[:2], self.controls), {}),
            ((self.states, self.controls[:, :, 1:]), {}),
            ((self.states, self.controls * math.nan), {}),
            ((self.states, self.controls + 1), {}),
            ((self.states, self.controls * 100), {}),
            ((self.states, None), {}),
            ((self.states, self.controls), {"moments": 3}),
            ((self.states, self.controls), {"every": 0}),
            ((self.states, self.controls), {"save_every": 3}),
            ((self.states, self.controls), {"save_every": -1}),
            ((self.states, self.controls), {"save_every": 8}),
            ((self.states, self.controls), {"views": ["com/colour"]}),
            ((self.states, self.controls), {"character": "nobody"}),
            ((self.states, self.controls), {"out": {"parts/position": np.empty(3)}}),
            ((self.states, self.controls), {"made": np.empty(5)}),
            (([b"nonsense"], self.controls), {}),
            ((self.states, [[1, 2], 3]), {}),
        ]
        for arguments, options in calls:
            with self.assertRaises(ValueError):
                stagger.rollout(self.scene, *arguments, **options)
        with self.assertRaises(stagger.Error):
            stagger.rollout("stand", moments=1)
        other = stagger.Scene("stand")
        with self.assertRaisesRegex(stagger.Error, "another scene"):
            stagger.rollout(other, self.states, moments=1)


if __name__ == "__main__":
    unittest.main()

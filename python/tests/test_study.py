"""Studies from Python: run, read, and ordered by their axes."""

import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import stagger

STUDY = """purpose: A doll is dropped.
scene: limp
repeats: 3
set: [duration=0.2]
axes:
  world.friction: {values: [0.3, 1], name: friction}
  characters.doll.start.heading: {from: 0, to: 90, steps: 4, name: heading}
metrics: [doll.peak_pose_error, doll.recovery_time]
"""


class Studies(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_run_and_read(self):
        study = stagger.Study.run(STUDY, self.folder / "one", jobs=1)
        self.assertEqual((len(study), study.axes), (24, ("friction", "heading")))
        self.assertIn("24 trials, axes friction, heading", repr(study))
        np.testing.assert_array_equal(study.values("heading"), [0, 30, 60, 90])
        np.testing.assert_array_equal(study.values("friction"), [0.3, 1])
        self.assertTrue((study["status"] == "complete").all())
        self.assertTrue(np.isnan(study["doll.recovery_time"]).all())  # nothing struck it
        self.assertEqual(study.unit("doll.peak_pose_error"), "deg")
        self.assertEqual(study.unit("friction"), "")
        self.assertEqual(study.summary()[0]["scope"], "all")
        grid = study.grid("doll.peak_pose_error")
        self.assertEqual(grid.shape, (2, 4, 3))
        for row in (0, 7, 23):
            friction, heading = study["friction"][row], study["heading"][row]
            place = (list(study.values("friction")).index(friction), int(heading / 30), int(study["repeat"][row]))
            self.assertEqual(grid[place], study["doll.peak_pose_error"][row])
        # A trial is the scene with its parameters.
        settings = {"duration": 0.2, "world.friction": 0.3, "characters.doll.start.heading": 30}
        with stagger.Scene("limp", seed=int(study["seed"][3]), set=settings) as scene:
            scene.run(0.2)
            scene.finish()
            self.assertEqual(scene.metric("peak_pose_error"), study["doll.peak_pose_error"][3])

    def test_the_same_for_any_jobs_and_of_a_dict(self):
        one = stagger.Study.run(STUDY, self.folder / "one", jobs=1)
        axes = {
            "world.friction": {"values": [0.3, 1], "name": "friction"},
            "characters.doll.start.heading": {"from": 0, "to": np.float64(90), "steps": 4, "name": "heading"},
        }
        given = {"scene": "limp", "repeats": 3, "set": ["duration=0.2"], "axes": axes}
        metrics = {"metrics": ["doll.peak_pose_error", "doll.recovery_time"]}
        two = stagger.Study.run({**given, **metrics}, self.folder / "two", jobs=2, limit=14)
        self.assertEqual(two.grid("time").shape, (2, 4, 3))
        self.assertEqual(np.isnan(two.grid("time")).sum(), 10)
        two = stagger.Study.run({**given, **metrics}, self.folder / "two", jobs=2, resume=True)
        self.assertEqual((self.folder / "one/trials.csv").read_bytes(), (self.folder / "two/trials.csv").read_bytes())
        np.testing.assert_array_equal(one.grid("time"), two.grid("time"))

    def test_bad_input(self):
        path = self.folder / "study.yaml"
        path.write_text(STUDY.replace("limp", "no_such_scene"))
        with self.assertRaisesRegex(stagger.Error, "no_such_scene"):
            stagger.Study.run(path, self.folder / "out")
        with self.assertRaisesRegex(stagger.Error, "study.yaml:5:.*world.no_such_key|world.no_such_key"):
            stagger.Study.run(STUDY.replace("world.friction", "world.no_such_key"), self.folder / "out")
        with self.assertRaisesRegex(stagger.Error, "no_such_study"):
            stagger.Study.run("no_such_study", self.folder / "out")
        with self.assertRaisesRegex(stagger.Error, "no results"):
            stagger.Study(self.folder)
        for wrong in (7, None, "a\0b"):
            with self.assertRaises(stagger.Error):
                stagger.Study.run(wrong, self.folder / "out")
        for options in ({"jobs": -1}, {"jobs": "all"}, {"limit": 0}):
            with self.assertRaises(stagger.Error):
                stagger.Study.run(STUDY, self.folder / "out", **options)
        self.assertFalse((self.folder / "out").exists())
        with mock.patch.dict(os.environ, {"STAGGER_PROGRAMS": str(self.folder)}):
            with self.assertRaisesRegex(stagger.Error, "set STAGGER_PROGRAMS"):
                stagger.Study.run(STUDY, self.folder / "out")
        study = stagger.Study.run(STUDY, self.folder / "out", limit=3)
        for use in (study.__getitem__, study.unit, study.grid):
            with self.assertRaisesRegex(stagger.Error, "there are trial, cell"):
                use("doll.colour")
        with self.assertRaisesRegex(stagger.Error, "there are friction, heading"):
            study.values("trial")
        with self.assertRaisesRegex(stagger.Error, "is text"):
            study.grid("status")
        (self.folder / "out/trials.csv").write_text("a,b\n1,2\n")
        with self.assertRaisesRegex(stagger.Error, "no table of a study"):
            stagger.Study(self.folder / "out")

    def test_axes_that_are_not_crossed(self):
        rows = "".join(f"{i},{i},0,{i},{i / 7},{i * i},complete,1,1\n" for i in range(9))
        (self.folder / "trials.csv").write_text("trial,cell,repeat,seed,a,b,status,ok,time\n" + rows)
        with self.assertRaisesRegex(stagger.Error, "not crossed"):
            stagger.Study(self.folder).grid("time")


if __name__ == "__main__":
    unittest.main()

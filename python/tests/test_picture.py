"""Pictures: the same bits each time, of scenes, traces and environments; and the reading of PNG files."""

import os
import struct
import tempfile
import unittest
import zlib
from unittest import mock

import numpy as np

import stagger
from stagger._picture import read_png


def write_png(pixels, how):
    """A PNG whose row y is packed in the way how[y]."""
    height, width, _ = pixels.shape
    padded = np.zeros((height + 1, width + 1, 3), int)
    padded[1:, 1:] = pixels
    left, up, corner = padded[1:, :-1], padded[:-1, 1:], padded[:-1, :-1]
    guess = left + up - corner
    order = np.abs(np.stack([guess - left, guess - up, guess - corner])).argmin(0)
    paeth = np.choose(order, [left, up, corner])
    packed = b""
    for y in range(height):
        predicted = [np.zeros_like(up), left, up, (left + up) // 2, paeth][how[y]]
        packed += bytes([how[y]]) + ((pixels[y] - predicted[y]) % 256).astype(np.uint8).tobytes()

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    data = zlib.compress(packed)
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    halves = chunk(b"IDAT", data[:9]) + chunk(b"IDAT", data[9:])
    return b"\x89PNG\r\n\x1a\n" + header + halves + chunk(b"IEND", b"")


class Pngs(unittest.TestCase):
    def test_all_ways_of_packing(self):
        random = np.random.default_rng(1)
        for shape in ((7, 5, 3), (5, 11, 3), (1, 1, 3), (12, 1, 3)):
            pixels = random.integers(0, 256, shape).astype(np.uint8)
            for how in ([0] * 12, [1] * 12, [2] * 12, [3] * 12, [4] * 12, random.integers(0, 5, 12).tolist()):
                np.testing.assert_array_equal(read_png(write_png(pixels, how)), pixels)

    def test_others_are_refused(self):
        png = write_png(np.zeros((2, 2, 3), np.uint8), [0, 0])
        with_alpha = png.replace(struct.pack(">BBBBB", 8, 2, 0, 0, 0), struct.pack(">BBBBB", 8, 6, 0, 0, 0))
        self.assertNotEqual(png, with_alpha)
        for wrong in (b"", b"GIF89a", with_alpha):
            with self.assertRaises(stagger.Error):
                read_png(wrong)


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scene = stagger.Scene("stand_push", seed=3, set={"world.solver": "reduced"})
        cls.scene.set("characters.man.drive.strength", 0.9)
        cls.scene.run(0.5)
        try:
            cls.picture = cls.scene.render(160, 90, camera="side")
        except stagger.Error as cause:
            if "is not found" in str(cause) or "OpenGL" in str(cause):
                raise unittest.SkipTest(str(cause)) from None
            raise

    def test_the_same_bits_each_time(self):
        state = self.scene.save()
        self.assertEqual((self.picture.shape, self.picture.dtype), ((90, 160, 3), np.uint8))
        self.assertGreater(len(np.unique(self.picture.reshape(-1, 3), axis=0)), 20)
        np.testing.assert_array_equal(self.scene.render(160, 90, camera="side"), self.picture)
        self.assertEqual(self.scene.save(), state)  # it has not been changed
        with stagger.Batch(self.scene, 2, 1) as batch:
            np.testing.assert_array_equal(batch[1].render(160, 90, camera="side"), self.picture)
            batch[1]["man"].impulse("head", [60, 0, 0])
            batch[1].run(0.3)
            self.assertTrue((batch[1].render(160, 90, camera="side") != self.picture).any())

    def test_cameras_and_layers(self):
        for options in ({"camera": "front"}, {"camera": "side", "hide": []}, {"camera": "side", "color": "torque"}):
            self.assertTrue((self.scene.render(160, 90, **options) != self.picture).any(), options)

    def test_of_a_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            with stagger.Scene("stand_push", seed=3, set={"world.solver": "reduced"}) as scene:
                with scene.record(path):
                    scene.run(0.5)
            with stagger.Trace(path) as trace:
                picture = trace.render(0.5, width=64, height=48, camera="side")
                np.testing.assert_array_equal(trace.render(0.5, width=64, height=48, camera="side"), picture)
                self.assertEqual(picture.shape, (48, 64, 3))

    def test_of_an_environment(self):
        with stagger.gym.make("Walk-v0", render_mode="rgb_array") as env:
            env.reset(seed=1)
            picture = env.render()
            self.assertEqual((picture.shape, picture.dtype), ((360, 640, 3), np.uint8))
            env.reset(seed=1)
            np.testing.assert_array_equal(env.render(), picture)

    def test_bad_input(self):
        for options in ({"camera": "no_such_camera"}, {"hide": ["no_such_layer"]}, {"color": "no_such_color"}):
            with self.assertRaisesRegex(stagger.Error, "no_such"):
                self.scene.render(64, 48, **options)
        sizes = ({"width": 0}, {"height": 1.5}, {"width": 10**6})
        for options in (*sizes, {"camera": 7}, {"follow": "nobody"}, {"hide": 7}, {"hide": [7]}):
            with self.assertRaises(stagger.Error):
                self.scene.render(**options)
        with mock.patch.dict(os.environ, {"STAGGER_PROGRAMS": "nowhere"}):
            with self.assertRaisesRegex(stagger.Error, "stagger-view is not found: set STAGGER_PROGRAMS"):
                self.scene.render()


if __name__ == "__main__":
    unittest.main()

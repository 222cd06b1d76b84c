"""Where everything of ./dev mutants stands, and small helpers."""

import hashlib
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HOME = os.path.join(ROOT, "build", "mutants")
TREE = os.path.join(HOME, "tree")  # the copy
BUILD = os.path.join(HOME, "build")  # as the product is built, each folder a shared library
COUNTING = os.path.join(HOME, "cover")  # the same, counting lines
REACH = os.path.join(HOME, "reach")  # which lines each test reached


def say(text):
    print(text, file=sys.stderr, flush=True)


def digest(*texts):
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def read(path):
    with open(os.path.join(TREE, path), encoding="utf-8") as file:
        return file.read()

"""Draws variations of the scenes, the rows of variations.csv, whose digests `./dev bits` writes and tests hold the program to.

Each key that `stagger inspect SCENE --keys` lists, of whichever scene, stands in at least one row in which its value alone
alters what the run comes to; three such keys of a scene make a row. Further rows put characters onto other ground, under
another solver, with several keys drawn at random. Rows that stand in the table already are kept, so that a new key of the
program adds rows and alters none.
Usage: STAGGER=program DIGEST=program python3 tests/scene/draw_variations.py [--keys] (without: only scenes that have no row)
"""

import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "variations.csv")
SCENES = os.path.join(os.path.dirname(os.path.dirname(HERE)), "scenes")
STAGGER, DIGEST = os.environ["STAGGER"], os.environ["DIGEST"]
TRIES = 12  # scenes in which a key is tried until it alters something
TOGETHER = 3  # keys of a row
FURTHER = 2  # rows of a scene with several keys
LONGEST = 7.0  # s of a run
SLOW = 1.0  # s of a processor: a scene that takes longer for LONGEST runs for a third of it
# What all scenes have, and what says only where files are.
LEFT = re.compile(r"(^|\.)(purpose|duration|name|body|file|image|move|graph|clip|skill|policy|planner|tree)$|^trace\.|^expect|^camera|^view")
GROUND = [
    ["terrain.kind=noise", "terrain.amplitude=0.04"],
    ["terrain.kind=slope", "terrain.pitch=9", "terrain.start=0.4"],
    ["terrain.kind=slope", "terrain.pitch=-8", "terrain.roll=5", "terrain.start=0.4"],
    ["terrain.kind=stairs", "terrain.rise=0.12", "terrain.run=0.33", "terrain.steps=3", "terrain.start=1"],
    ["terrain.kind=blocks", "terrain.amplitude=0.03", "terrain.wavelength=0.6"],
    ["terrain.kind=stones", "terrain.start=0.7", "terrain.length=4"],
    ["terrain.kind=gap", "terrain.start=1.2", "terrain.length=0.5"],
    ["terrain.kind=kerb", "terrain.rise=0.1", "terrain.start=1"],
    ["world.solver=reduced"],
    ["world.solver=iterative"],
    ["world.friction=0.35"],
    ["world.dt=1/200"],
]


def keys_of(scene):
    """(key, value, what it may be) of each key of a scene."""
    shown = subprocess.run([STAGGER, "inspect", scene, "--keys"], capture_output=True, text=True, check=True).stdout
    for line in shown.split("\n"):
        found = re.match(r"([^=\s]+)=(.*?)  # (.*?): ", line)
        if found and not LEFT.search(found[1]):
            yield found[1], found[2], found[3]


def kind_of(key):
    """A key without the names of its character, event or layer."""
    key = re.sub(r"^(characters|events|platforms|ropes|props|obstacles)\.[^.]+\.", r"\1.*.", key)
    return re.sub(r"\.\d+\.", ".#.", re.sub(r"\.layers\.[^.]+\.", ".layers.*.", key))


def said_by(scene, key):
    """How much a scene's file says of a key: where it or its section is named, and something happens, it acts most likely."""
    with open(os.path.join(SCENES, scene + ".yaml"), encoding="utf-8") as file:
        text = file.read()
    words = key.split(".")[-2:] + ["events"]
    return sum(re.search(r"\b%s\b" % re.escape(word), text) is not None for word in words)


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def drawn(value, allowed, random_):
    """Another value of a key, or None."""
    if allowed.startswith("true, false"):
        return "false" if value == "true" else "true"
    if "|" in allowed and " to " not in allowed:
        others = [word for word in allowed.split("|") if word != value]
        return random_.choice(others) if others else None
    limits = re.match(r"(?:[a-z ]+: )?(-?[\d.e+-]+) to (-?[\d.e+-]+)", allowed)
    if not limits:
        return None
    low, high = float(limits[1]), float(limits[2])

    def one(old):
        if old is None:
            return None
        if old == 0:
            new = random_.choice([0.02, 0.1, 0.4]) * min(high, 5) if high > 0 else random_.uniform(low, high)
        else:
            new = old * random_.choice([0.4, 0.7, 1.4, 2.2])
        return min(max(new, low), high)

    def written(new):
        return "%d" % round(new) if re.fullmatch(r"-?\d+", value) and high > 3 and abs(new) >= 1 else "%.4g" % new

    if value.startswith("["):
        olds = [number(part) for part in value.strip("[]").split(",")]
        if any(old is None for old in olds):
            return None
        return "[" + ",".join("%.4g" % one(old) for old in olds) + "]"
    new = one(number(value))
    return None if new is None or number(written(new)) == number(value) else written(new)


def digest(scene, seconds, settings):
    """What a run comes to, as run_varied.sh says it."""
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(["sh", os.path.join(HERE, "run_varied.sh"), "--print", scene, seconds] + settings, cwd=folder,
                              env=dict(os.environ), capture_output=True, text=True, check=True).stdout.strip()


def seconds_of(scene):
    """How long its runs last."""
    begun = os.times()
    digest(scene, "%g" % LONGEST, [])
    spent = os.times()
    taken = spent.children_user - begun.children_user
    return "%g" % (LONGEST if taken < SLOW else LONGEST / 3)


class Scene:
    """A scene's keys with their values and what they may be, and how long its runs last."""

    def __init__(self, name):
        self.name = name
        self.keys = {key: (value, allowed) for key, value, allowed in keys_of(os.path.join(SCENES, name + ".yaml"))}
        self.seconds = seconds_of(name)
        self.known = {}

    def setting(self, key, random_):
        """key=value, or None where none is known."""
        value = drawn(*self.keys[key], random_)
        return None if value is None or " " in value else key + "=" + value

    def comes_to(self, settings):
        """The digest of a run."""
        settings = tuple(settings)
        if settings not in self.known:
            self.known[settings] = digest(self.name, self.seconds, list(settings))
        return self.known[settings]


def acting(kind, places):
    """(scene, settings) of which the last, a key of that kind, alters something, or None."""
    random_ = random.Random(kind)
    random_.shuffle(places)
    places.sort(key=lambda place: -said_by(place[0].name, place[1]))
    for i, (scene, key) in enumerate(places[:TRIES] * 3):
        setting = scene.setting(key, random_)
        ground = random_.choice(GROUND) if i >= TRIES else []
        if setting:
            came = scene.comes_to(ground + [setting])
            if came != scene.comes_to(ground) and not came.startswith("refused"):
                return scene, ground + [setting]
    print("acts nowhere: " + kind, flush=True)
    return None


def further(scene):
    """A row of several keys, or None where they are refused."""
    random_ = random.Random(scene.name)
    for _ in range(FURTHER):
        settings = random_.choice(GROUND) + [scene.setting(key, random_) for key in random_.sample(sorted(scene.keys), 4)]
        settings = [setting for setting in settings if setting]
        if not digest(scene.name, scene.seconds, settings).startswith("refused"):
            yield scene, settings


def main():
    with open(TABLE, encoding="utf-8") as file:
        header, *rows = file.read().splitlines()
    known = {kind_of(setting.split("=")[0]) for row in rows for setting in row.split("\t")[3:]}
    names = [name[:-5] for name in sorted(os.listdir(SCENES)) if name.endswith(".yaml")]
    begun = {row.split("\t")[0] for row in rows}
    new = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        if "--keys" not in sys.argv:
            names = [name for name in names if name not in begun]
        scenes = list(pool.map(Scene, names))
        if "--keys" in sys.argv:
            where = {}
            for scene in scenes:
                for key in scene.keys:
                    where.setdefault(kind_of(key), []).append((scene, key))
            found = {}
            kinds = sorted(set(where) - known)
            for pair in pool.map(acting, kinds, [where[kind] for kind in kinds]):
                if pair and len(pair[1]) > 1:
                    new.append(pair)
                elif pair:
                    found.setdefault(pair[0], []).extend(pair[1])
            for scene, settings in found.items():
                for begin in range(0, len(settings), TOGETHER):
                    new.append((scene, settings[begin : begin + TOGETHER]))
        fresh = [scene for scene in scenes if scene.name not in begun]
        new += [(scene, []) for scene in fresh] + sum(pool.map(lambda scene: list(further(scene)), fresh), [])

        def row(pair):
            scene, settings = pair
            length = scene.seconds if settings else "drawn"
            return "\t".join([scene.name, digest(scene.name, length, settings), length] + settings)

        rows += pool.map(row, new)
    with open(TABLE, "w", encoding="utf-8") as file:
        file.write("\n".join([header] + sorted(rows)) + "\n")


main()

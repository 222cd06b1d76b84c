"""Edits each line of a shipped file, one at a time, and holds what the program makes of it to a table.

A line is left out, the first number of it is made a quarter larger, or its last number changes sign: so each key of a body, a
graph, a study or a scene is once missing and once another, and a reader that let that pass unnoticed, or an error that came
out differently, is found. Of each edited file two digits are kept in edited_files.csv: of the messages, and of a run of a
scene with that file where it is accepted. After a change that is meant, `./dev bits` writes the table.
Usage: STAGGER=program DIGEST=program SOURCE=folder python3 edited_files.py FOLDER [--write]
(FOLDER: bodies, graphs, clips, planners, skills, studies, scenes; with --write: all of them)
"""

import concurrent.futures
import glob
import hashlib
import os
import re
import subprocess
import sys
import tempfile

STAGGER, DIGEST, SOURCE = os.environ["STAGGER"], os.environ["DIGEST"], os.environ["SOURCE"]
SCENES = os.path.join(SOURCE, "scenes")
TABLE = os.path.join(SOURCE, "tests", "e2e", "edited_files.csv")
NUMBER = r"(?<![\w.#-])-?\d+(?:\.\d+)?(?![\w.])"
# Where there are many, those that differ most and are read quickly.
CHOSEN = {
    "clips": ("get_up_prone", "idle_breathe", "lizard_walk", "punch", "walk"),
    "scenes": ("aim", "bridge", "hit_props", "kerb_free", "level_house", "limp", "lizard_rough", "look", "mirror", "mocap",
               "plan_field", "scarf", "seesaw", "spider", "stand_push", "terrain_image", "terrain_platform", "trip"),
    "studies": ("compare_stand", "kerb_free", "laboratory_patch", "optimise_stand", "plan_100", "sensitivity_stand",
                "threshold_stand"),
}
CHARACTER = """
terrain: {kind: flat}
characters:
  - name: it
    body: bodies/%s.yaml
"""
# The scenes that an edited file is tried in, by its folder: %s is the body.
RUNS = {
    "bodies": "duration: 0.3" + CHARACTER.replace("bodies/", "") + """    start: {position: [0, 0.1, 0]}
    balance: {enabled: %s}
events: [{part: %s, time: 0.05, impulse: 4, direction: [1, 0, 1]}]
""",
    "graphs": "duration: 3" + CHARACTER + """    animation: {graph: %s.yaml}
    drive: {kinematic: true}
    intent: {speed: 0.8, turn: 30}
""",
    "clips": "duration: 1.5" + CHARACTER + """    animation: {move: %s.yaml}
    drive: {kinematic: true}
""",
}


def edits(text, folder):
    """(name, text) of each edit."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if folder == "clips" and re.match(r"root_position|joints|rotations", line):
            break
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        before, after = "\n".join(lines[:i] + [""]), "\n".join([""] + lines[i + 1 :])
        yield "out", before.rstrip("\n") + after
        numbers = list(re.finditer(NUMBER, line.split(" #")[0]))
        if numbers:
            first, last = numbers[0], numbers[-1]
            larger = "%.6g" % (1.25 * float(first[0]) if "." in first[0] else float(first[0]) + 1)
            other = "%g" % -float(last[0])
            yield "more", before + line[: first.start()] + larger + line[first.end() :] + after
            yield "sign", before + line[: last.start()] + other + line[last.end() :] + after


def short(data):
    return hashlib.sha256(data).hexdigest()[0]


def told(arguments, folder):
    """The digit of what the program says, and whether it succeeded."""
    done = subprocess.run([STAGGER] + arguments, cwd=folder, capture_output=True, env=dict(os.environ, STAGGER_SCENES=SCENES))
    text = re.sub(rb"in [0-9.]+ s", b"", done.stdout + done.stderr).replace(SCENES.encode(), b"")
    return short(b"%d " % done.returncode + text), done.returncode == 0


def outcome(kind, name, text):
    """Two digits of what the program makes of an edited file."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, name + ".yaml"), "w", encoding="utf-8") as file:
            file.write(text)
        if kind not in RUNS:
            return told(["inspect" if kind == "studies" else "check", name + ".yaml"], folder)[0] + "-"
        body = name if kind == "bodies" else "lizard" if "lizard" in name else "human"
        human = body in ("human", "human_scarf")
        more = (str(human).lower(), "chest" if human or body == "winged" else "spine_2" if body == "lizard" else "body")
        with open(os.path.join(folder, "scene.yaml"), "w", encoding="utf-8") as file:
            file.write(RUNS[kind] % ((body,) + more if kind == "bodies" else (body, name)))
        said, good = told(["check", "scene.yaml"], folder)
        if not good:
            return said + "-"
        ran, good = told(["run", "scene.yaml", "--quiet", "--trace", "it.h5"], folder)
        if not good:
            return said + ran
        return said + short(subprocess.run([DIGEST, "it.h5"], cwd=folder, capture_output=True).stdout)


def files_of(kind):
    """The files of a folder, without what training wrote."""
    for path in sorted(glob.glob(os.path.join(SCENES, "" if kind == "scenes" else kind, "*.yaml"))):
        name = os.path.basename(path)[:-5]
        if not name.endswith("_policy") and (kind not in CHOSEN or name in CHOSEN[kind]):
            yield path, name


def rows_of(kind):
    """A row for each file: its name and the digits of all its edits. Lines that files share are tried once."""
    seen = set()
    jobs = []
    for path, name in files_of(kind):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        tried = []
        for edit, edited in edits(text, kind):
            changed = next((line for line, other in zip(text.split("\n"), edited.split("\n")) if line != other), "")
            if kind == "scenes" and (edit, changed) in seen:
                continue
            seen.add((edit, changed))
            tried.append(edited)
        jobs.append((name, tried))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, tried in jobs:
            yield "%s/%s" % (kind, name), " ".join(pool.map(lambda text: outcome(kind, name, text), tried))


def main():
    kinds = ["bodies", "clips", "graphs", "planners", "scenes", "skills", "studies"] if "--write" in sys.argv else sys.argv[1:2]
    rows = {name: digits for kind in kinds for name, digits in rows_of(kind)}
    with open(TABLE, encoding="utf-8") as file:
        table = dict(line.split(",") for line in file.read().splitlines()[1:])
    if "--write" in sys.argv:
        print("\n".join("%s: edited lines" % name for name in rows if rows[name] != table.get(name)))
        with open(TABLE, "w", encoding="utf-8") as file:
            file.write("file,outcomes\n" + "".join("%s,%s\n" % row for row in sorted(rows.items())))
        return 0
    failed = 0
    for name, digits in rows.items():
        wanted = table.get(name, "").split()
        for i, (got, want) in enumerate(zip(digits.split(), wanted)):
            if got != want:
                print("%s: edit %d comes to %s, not %s" % (name, i, got, want))
                failed += 1
        if len(wanted) != len(digits.split()):
            print("%s has %d edits, the table %d" % (name, len(digits.split()), len(wanted)))
            failed += 1
    if failed:
        print("If that is meant, './dev bits' writes the table, and CHANGELOG.md says what changed.")
    return failed > 0


sys.exit(main())

#!/usr/bin/env python3
"""Plants faults in the product's sources, one at a time, and tells which test notices each of them.

Works on a copy of the tree in build/mutants. Each of the folders is a shared library there, so that a fault costs one
compilation and one link. Tests run from near to far until one fails. The same seed plants the same faults. Comments,
texts, messages and assertions are left alone, and the viewer unless --only names it: most of it draws, which no test
without a display sees. What was found is kept in build/mutants/results.csv, so that a run that was stopped goes on.
"""

import argparse
import csv
import fcntl
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOME = os.path.join(ROOT, "build", "mutants")
TREE = os.path.join(HOME, "tree")
BUILD = os.path.join(HOME, "build")
FOLDERS = ("sim", "anim", "ragdoll", "scenes")  # much of the viewer is drawing: only with --only
KINDS = ("unit", "property", "scene", "e2e")  # in this order
MEMORY = 6 << 30  # bytes that a test may use: a fault must not exhaust the machine
FIELDS = ("file", "line", "fault", "before", "after", "verdict", "by", "seconds", "key")

# ---- Faults ----

SWAPS = {
    "arithmetic": ((" + ", " - "), (" - ", " + "), (" * ", " / "), (" / ", " * "), (" += ", " -= "), (" -= ", " += ")),
    "comparison": ((" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == ")),
    "logic": ((" && ", " || "), (" || ", " && ")),
}
# Lines that only make texts, or checks that are compiled out.
TALK = re.compile(r"error_|printf|assert|warn|text_|html_|state_section|puts\(|#\s*\w|[a-z_]*help|PARAM")
ASSIGNMENT = re.compile(r"^\s*[A-Za-z_*(][\w\->.\[\] +*()]*? [-+*/|&]?= .*;$")
DECLARATION = re.compile(r"^\s*(static |const |struct |enum |unsigned |register )*[A-Za-z_]\w*(\s+\**|\s*\*+\s*)[A-Za-z_]\w*")
CALL = re.compile(r"^\s*[a-z]\w*\(.*\);$")
CLAMP = re.compile(r"\b(fminf?|fmaxf?|min_[a-z]+|max_[a-z]+|clamp\w*|glm_clamp)\(")
FLOATING = re.compile(r"(?<![\w.])(\d+\.\d*(?:e-?\d+)?f?|\d+e-?\d+f?)(?![\w.])")
INTEGER = re.compile(r"(?<![\w.\"'])(\d+)(?![\w.\"'])")
NEGATIVE = re.compile(r"(?<=[(=,?:] )-(?=[\w(])|(?<=\()-(?=[\w(])|(?<=return )-(?=[\w(])")


def blank(text):
    """The text with comments, strings and character constants as spaces, of the same length."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'', re.S)
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def arguments(line, start):
    """The arguments of the call whose bracket opens just before `start`, and where it ends; None if not on the line."""
    depth, begin, found = 1, start, []
    for i in range(start, len(line)):
        if line[i] in "([{":
            depth += 1
        elif line[i] in ")]}":
            depth -= 1
            if depth == 0:
                return found + [line[begin:i].strip()], i
        elif line[i] == "," and depth == 1:
            found.append(line[begin:i].strip())
            begin = i + 1
    return None, -1


def faults_of_line(line, code):
    """All (kind, new line) of a line inside a function; `code` is the line without texts and comments."""
    for kind, swaps in SWAPS.items():
        for before, after in swaps:
            for match in re.finditer(re.escape(before), code):
                yield kind, line[: match.start()] + after + line[match.end() :]
    for match in NEGATIVE.finditer(code):
        yield "sign", line[: match.start()] + line[match.end() :]
    for match in FLOATING.finditer(code):
        suffix = "f" if match.group().endswith("f") else ""
        value = float(match.group().rstrip("f"))
        yield "constant", line[: match.start()] + repr(value * 2 if value else 1.0) + suffix + line[match.end() :]
    declares = DECLARATION.match(code) and not re.match(r"\s*(return|else|case|goto)\b", code)
    for match in INTEGER.finditer(code):
        if code[match.start() - 1] == "[" and declares and "=" not in code[: match.start()]:
            continue  # an array's size
        yield "off by one", line[: match.start()] + str(int(match.group()) + 1) + line[match.end() :]
    for match in CLAMP.finditer(code):
        given, end = arguments(code, match.end())
        if not given:
            continue
        for k, argument in enumerate(given[:1] if "clamp" in match.group() else given):
            if re.fullmatch(r"-?[\d.]+f?|[A-Z_]+|-?INFINITY", argument):
                continue  # the limit
            yield "clamp", line[: match.start()] + "(" + argument + ")" + line[end + 1 :]
    if (ASSIGNMENT.match(code) and not declares) or CALL.match(code):
        indent = len(line) - len(line.lstrip())
        yield "statement", line[:indent] + "(void)0;"
    match = re.match(r"\s*(?:\} else )?if \(", code)
    if match:
        given, end = arguments(code, match.end())
        if given:
            yield "condition", line[: match.end()] + "!(" + line[match.end() : end] + ")" + line[end:]


def faults_of_file(path):
    """All faults of a file: (path, line number, kind, line, new line)."""
    with open(os.path.join(TREE, path), encoding="utf-8") as file:
        text = file.read()
    lines, codes, inside = text.split("\n"), blank(text).split("\n"), False
    for number, (line, code) in enumerate(zip(lines, codes), 1):
        if code.startswith("}"):
            inside = False
        constant = re.match(r"(static )?const (double|float|int) \w+ = ", code)
        if (inside or constant) and not TALK.search(line):
            for kind, changed in faults_of_line(line, code):
                if not constant or kind in ("constant", "off by one"):
                    yield path, number, kind, line, changed
        if re.match(r"[A-Za-z].*\)\s*\{\s*$", code) or (code.rstrip().endswith(") {") and code[:1] == " " and not inside):
            inside = True


def choose(count, seed, only):
    """So many faults, each kind as often as the others while there are any."""
    places = {}
    for path in product_sources(only):
        for fault in faults_of_file(path):
            places.setdefault(fault[2], []).append(fault)
    rng, chosen = random.Random(seed), []
    for kind in sorted(places):
        rng.shuffle(places[kind])
    while places and len(chosen) < count:
        for kind in sorted(places):
            if len(chosen) < count:
                chosen.append(places[kind].pop())
            if not places[kind]:
                del places[kind]
    return chosen


def product_sources(only):
    found = []
    for folder in FOLDERS + (("viewer",) if only and only.startswith("viewer") else ()):
        for where, _, names in os.walk(os.path.join(TREE, folder)):
            found += [os.path.relpath(os.path.join(where, name), TREE) for name in names if name.endswith(".c")]
    return sorted(path for path in found if not only or path.startswith(only))


# ---- The copy ----


def run(command, **more):
    return subprocess.run(command, check=True, stdout=sys.stderr, **more)


def copy_tree():
    """Brings the copy to the state of the tree; what is the same keeps its time, so that it is not built again."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            stdout=subprocess.PIPE, check=False)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.decode().split("\0") if name]
    else:  # an unpacked archive
        names = [os.path.relpath(os.path.join(where, name), ROOT) for where, _, files in os.walk(ROOT) for name in files
                 if not os.path.relpath(where, ROOT).startswith("build")]
    wanted = {name for name in names if os.path.isfile(os.path.join(ROOT, name))}
    for name in wanted:
        source, target = os.path.join(ROOT, name), os.path.join(TREE, name)
        with open(source, "rb") as file:
            content = file.read()
        if os.path.exists(target):
            with open(target, "rb") as file:
                if file.read() == content:
                    continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(source, target)
    for where, _, files in os.walk(TREE):
        for name in files:
            path = os.path.join(where, name)
            if os.path.relpath(path, TREE) not in wanted:
                os.remove(path)


def build_copy(jobs):
    run(["cmake", "-S", TREE, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DSTAGGER_TESTS=ON",
         "-DSTAGGER_SHARED_FOLDERS=ON", "-DCMAKE_SKIP_BUILD_RPATH=ON", "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON",
         "-DSTAGGER_WERROR=OFF"])
    targets = ["stagger", "stagger-view"]
    for kind in ("unit", "property"):
        names = os.listdir(os.path.join(TREE, "tests", kind))
        targets += [kind + "_" + name[5:-2] for name in sorted(names) if re.fullmatch(r"test_\w+\.c", name)]
    environment = dict(os.environ, LD_LIBRARY_PATH=BUILD)
    run(["cmake", "--build", BUILD, "-j", str(jobs), "--target"] + targets, env=environment)


class Commands:
    """How a source is compiled, and its folder's library linked."""

    def __init__(self):
        with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as file:
            self.compile = {os.path.relpath(entry["file"], TREE): entry for entry in json.load(file)}
        self.link = {}
        for folder in FOLDERS + ("viewer",):
            library = "libstagger_%s.so" % folder
            text = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", "-s", library], stdout=subprocess.PIPE,
                                  check=True).stdout.decode().strip().split("\n")[-1]
            self.link[folder] = text

    def plant(self, path, text, place):
        """Builds the folder's library with another text for a file. None if that does not compile, False if it comes to
        the same machine code."""
        entry, folder = self.compile[path], path.split("/")[0]
        original = entry["output"] if "output" in entry else re.search(r" -o (\S+)", entry["command"]).group(1)
        source, made = os.path.join(place, os.path.basename(path)), os.path.join(place, "object.o")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        command = entry["command"].replace(" -o " + original, " -o " + made).replace(entry["file"], source)
        command += " -w"
        if subprocess.run(command, shell=True, cwd=BUILD, stderr=subprocess.DEVNULL).returncode != 0:
            return None
        with open(made, "rb") as one, open(os.path.join(BUILD, original), "rb") as other:
            if one.read() == other.read():
                return False
        library = "libstagger_%s.so" % folder
        command = self.link[folder].replace(" " + original + " ", " " + made + " ")
        command = command.replace("-o " + library, "-o " + os.path.join(place, library))
        subprocess.run(command, shell=True, cwd=BUILD, check=True, stdout=subprocess.DEVNULL)
        return True


# ---- Tests ----


class Tests:
    """All tests, their order for a file, and what is known of them without a fault."""

    def __init__(self, kinds, limit):
        shown = subprocess.run(["ctest", "--test-dir", BUILD, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True)
        self.all, self.limit, self.lock = {}, limit, threading.Lock()
        for test in json.loads(shown.stdout)["tests"]:
            kind = test["name"].split("/")[0]
            if kind in kinds:
                values = {entry["name"]: entry["value"] for entry in test["properties"]}
                self.all[test["name"]] = (test["command"], values.get("ENVIRONMENT", []))
        self.clean = {}  # name -> whether it passes without a fault
        self.seconds = {}  # name -> how long it took when it passed
        self.includes = {}
        for name in self.all:
            kind, short = name.split("/")
            source = os.path.join("tests", kind, "test_%s.c" % short)
            self.includes[name] = self.reached(source, set()) if kind in ("unit", "property") else set()
        self.kinds = kinds

    def reached(self, path, seen):
        """The headers that a test names, also through the tests' own headers."""
        whole = os.path.join(TREE, path)
        if path in seen or not os.path.exists(whole):
            return set()
        seen.add(path)
        with open(whole, encoding="utf-8") as file:
            named = re.findall(r'#include "([^"]+)"', file.read())
        found = set(named)
        for header in named:
            if header.startswith("tests/"):
                found |= self.reached(header, seen)
        return found

    def order(self, path):
        """From near to far: the file's own test, those that name its header or its folder, the others by duration."""
        stem, folder, top = os.path.basename(path)[:-2], os.path.dirname(path), path.split("/")[0]
        words = set(stem.split("_"))

        def distance(name):
            kind, short = name.split("/")
            headers = self.includes[name]
            if short == stem:
                near = 0
            elif path[:-2] + ".h" in headers:
                near = 1
            elif words & set(short.split("_")):
                near = 2
            elif any(os.path.dirname(header) == folder for header in headers):
                near = 3
            else:
                near = 4 if any(header.startswith(top + "/") for header in headers) else 5
            return self.kinds.index(kind), near, self.seconds.get(name, 1), name

        return sorted(self.all, key=distance)

    def run(self, name, place):
        """True if a test passes with the libraries of a place, False if not, None at the time limit."""
        command, more = self.all[name]
        environment = dict(os.environ, LD_LIBRARY_PATH=place + ":" + BUILD, TMPDIR=os.path.join(place, "tmp"))
        environment.update(entry.split("=", 1) for entry in more)
        work = os.path.join(place, "tmp")
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        begun = time.monotonic()
        process = subprocess.Popen(command, cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
        try:
            code = process.wait(self.limit)
        except subprocess.TimeoutExpired:
            code = None
        try:
            os.killpg(process.pid, signal.SIGKILL)  # also the files that it left
        except ProcessLookupError:
            pass
        process.wait()
        if code == 0:
            self.seconds[name] = time.monotonic() - begun
        return None if code is None else code in (0, 77)  # 77: skipped

    def usable(self, name, place):
        """Whether it passes without a fault, in the time it has."""
        with self.lock:
            known = self.clean.get(name)
        if known is None:
            empty = os.path.join(place, "clean")
            os.makedirs(empty, exist_ok=True)
            known = bool(self.run(name, empty))
            with self.lock:
                self.clean[name] = known
            if not known:
                say("%s fails without a fault or takes more than %g s: not used" % (name, self.limit))
        return known

    def catch(self, path, place, budget):
        """The first test that notices, or None."""
        begun = time.monotonic()
        for name in self.order(path):
            if self.clean.get(name) is False:
                continue
            if time.monotonic() - begun > budget:
                return None
            passed = self.run(name, place)
            if not passed and self.usable(name, place):
                return name if passed is False else name + " (time)"
        return None


# ---- Running ----


def say(text):
    print(text, file=sys.stderr, flush=True)


def digest(*texts):
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def read(path):
    with open(os.path.join(TREE, path), encoding="utf-8") as file:
        return file.read()


def tests_digest(options):
    """Of all that decides whether a fault is noticed but the product itself."""
    whole = hashlib.sha256(repr((options.tests, options.budget, options.limit)).encode())
    for where, folders, names in os.walk(os.path.join(TREE, "tests")):
        folders.sort()
        for name in sorted(names):
            with open(os.path.join(where, name), "rb") as file:
                whole.update(file.read())
    return whole.hexdigest()[:8]


def examine(fault, commands, tests, place, options):
    path, number, kind, before, after = fault
    begun = time.monotonic()
    lines = read(path).split("\n")
    lines[number - 1] = after
    for name in os.listdir(place):
        if name.endswith(".so"):
            os.remove(os.path.join(place, name))
    planted = commands.plant(path, "\n".join(lines), place)
    by = tests.catch(path, place, options.budget) if planted else None
    verdict = "not compiled" if planted is None else "equivalent" if not planted else "caught" if by else "survived"
    return dict(file=path, line=number, fault=kind, before=before.strip(), after=after.strip(), verdict=verdict, by=by or "",
                seconds="%.1f" % (time.monotonic() - begun))


class Results:
    """What is known of faults, in a file, so that a run that was stopped goes on."""

    def __init__(self, path, tested):
        self.path, self.tested, self.rows, self.lock = path, tested, {}, threading.Lock()
        if os.path.exists(path):
            with open(path, newline="", encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    self.rows[row["key"]] = row

    def key(self, fault, caught):
        """Another one after the file changed and, for those that no test caught, after the tests did."""
        return digest(*map(str, fault), read(fault[0]), "" if caught else self.tested)

    def find(self, fault):
        return self.rows.get(self.key(fault, True)) or self.rows.get(self.key(fault, False))

    def add(self, fault, row):
        row["key"] = self.key(fault, row["verdict"] != "survived")
        with self.lock:
            new = not os.path.exists(self.path)
            self.rows[row["key"]] = row
            with open(self.path, "a", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, FIELDS)
                if new:
                    writer.writeheader()
                writer.writerow(row)


def tell(row, done, count):
    what = {"caught": "caught by " + row["by"], "survived": "NOT CAUGHT"}.get(row["verdict"], row["verdict"])
    say("%d/%d %s:%s %s: %s -> %s: %s (%s s)" % (done, count, row["file"], row["line"], row["fault"], row["before"],
                                                row["after"], what, row["seconds"]))


def examine_all(faults, options):
    commands, tests = Commands(), Tests(options.tests, options.limit)
    results = Results(os.path.join(HOME, "results.csv"), tests_digest(options))
    waiting, rows, lock = list(enumerate(faults)), {}, threading.Lock()

    def work(place):
        while True:
            with lock:
                if not waiting:
                    return
                index, fault = waiting.pop(0)
            row = None if options.again else results.find(fault)
            if not row:
                row = examine(fault, commands, tests, place, options)
                results.add(fault, row)
            with lock:
                rows[index] = row
                tell(row, len(rows), len(faults))

    workers = []
    for i in range(options.jobs):
        place = os.path.join(HOME, "worker%d" % i)
        os.makedirs(place, exist_ok=True)
        workers.append(threading.Thread(target=work, args=(place,), daemon=True))
        workers[-1].start()
    try:
        for worker in workers:
            worker.join()
    except KeyboardInterrupt:
        say("stopped: the same command goes on from here")
    with lock:
        return [rows[i] for i in sorted(rows)]


def conclude(rows):
    """The survivors on standard output, the share on standard error."""
    count = {verdict: sum(row["verdict"] == verdict for row in rows)
             for verdict in ("caught", "survived", "not compiled", "equivalent")}
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("file", "line", "fault", "before", "after"))
    for row in sorted((row for row in rows if row["verdict"] == "survived"), key=lambda row: (row["file"], int(row["line"]))):
        writer.writerow([row[name] for name in ("file", "line", "fault", "before", "after")])
    tried = count["caught"] + count["survived"]
    say("caught %d of %d (%.0f %%); beside these %d do not compile, %d come to the same machine code" %
        (count["caught"], tried, 100 * count["caught"] / max(tried, 1), count["not compiled"], count["equivalent"]))


def planted_by_hand(path, before, after):
    for number, line in enumerate(read(path).split("\n"), 1):
        if before in line:
            return [(path, number, "by hand", line, line.replace(before, after, 1))]
    sys.exit("mutants: '%s' does not stand in %s" % (before, path))


def main():
    parser = argparse.ArgumentParser(prog="./dev mutants", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=200, help="how many faults (default 200)")
    parser.add_argument("seed", nargs="?", type=int, default=1, help="which ones (default 1)")
    parser.add_argument("--only", metavar="PATH", help="only in files whose path begins so, as sim/metrics or viewer")
    parser.add_argument("--plant", nargs=3, metavar=("FILE", "BEFORE", "AFTER"), help="this fault alone")
    parser.add_argument("--tests", metavar="KINDS", default="unit,property,scene,e2e", help="of %(default)s")
    parser.add_argument("--budget", metavar="SECONDS", type=float, default=600, help="for a fault (default 600)")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=120, help="for a test (default 120)")
    parser.add_argument("--jobs", metavar="N", type=int, default=os.cpu_count() or 2, help="at a time (default: processors)")
    parser.add_argument("--again", action="store_true", help="also those of which the verdict is known")
    options = parser.parse_args()
    options.tests = options.tests.split(",")
    if not set(options.tests) <= set(KINDS):
        parser.error("--tests: allowed are " + ", ".join(KINDS))
    os.makedirs(TREE, exist_ok=True)
    alone = open(os.path.join(HOME, "lock"), "w", encoding="utf-8")
    try:
        fcntl.flock(alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit("mutants: another one is at work in build/mutants")
    copy_tree()
    build_copy(options.jobs)
    faults = planted_by_hand(*options.plant) if options.plant else choose(options.count, options.seed, options.only)
    if not faults:
        sys.exit("mutants: there is nothing to change in '%s'" % options.only)
    rows = examine_all(faults, options)
    conclude(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The tests: which lines each of them reaches, in what order they are tried on a fault, and running them."""

import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import threading
import time

from build import build_counting
from places import BUILD, COUNTING, HOME, REACH, TREE, digest, read, say

KINDS = ("unit", "property", "e2e", "products", "edited", "scene", "varied", "reduced", "balance")
UNFIT = os.path.join(HOME, "unfit.json")
MEMORY = 6 << 30  # bytes that a test may use: a fault must not take the machine down


class Tests:
    def __init__(self, asked, limit):
        shown = subprocess.run(["ctest", "--test-dir", BUILD, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True)
        self.all, self.limit, self.lock = {}, limit, threading.Lock()
        for test in json.loads(shown.stdout)["tests"]:
            if test["name"] in asked or test["name"].split("/")[0] in asked:
                values = {entry["name"]: entry["value"] for entry in test["properties"]}
                self.all[test["name"]] = (test["command"], values.get("ENVIRONMENT", []))
        self.sources = {name: self.sources_of(name) for name in self.all}
        self.digest = {name: digest(*(read(path) for path in sorted(self.sources[name]))) for name in self.all}
        self.clean = {}  # name -> whether it passes without a fault
        self.seconds = {}  # name -> how long it takes without a fault, in seconds of a processor
        self.caught = {}  # file -> {name: how many of its faults it noticed}
        self.unfit = UNFIT  # where those are kept that fail with checks of addresses in any case, as with an own malloc

    def sources_of(self, name):
        """What a test consists of: its program's source with the tests' own headers, or its script and scene."""
        kind, short = name.split("/")
        if kind in ("unit", "property"):
            found, waiting = set(), [os.path.join("tests", kind, "test_%s.c" % short)]
            while waiting:
                path = waiting.pop()
                if path not in found and os.path.exists(os.path.join(TREE, path)):
                    found.add(path)
                    waiting += [header for header in re.findall(r'#include "([^"]+)"', read(path)) if header.startswith("tests/")]
            return found
        words = [os.path.relpath(word, TREE) for word in self.all[name][0] if word.startswith(TREE + "/")]
        tables = {"products": "products.csv", "edited": "edited_files.csv"}
        words += [os.path.join("tests", "e2e", tables[kind])] if kind in tables else []
        return {path for path in words if os.path.isfile(os.path.join(TREE, path))}

    # -- Which lines a test reaches --

    def load_reach(self, jobs):
        """Runs what is not known yet under the counting build, and reads the counts."""
        os.makedirs(REACH, exist_ok=True)
        waiting = [name for name in sorted(self.all) if (self.record(name) or {}).get("hits") is None]
        if waiting:
            build_counting(jobs)
            say("mutants: which lines each of %d tests reaches" % len(waiting))
        count, lock = len(waiting), threading.Lock()

        def work(place):
            while True:
                with lock:
                    if not waiting:
                        return
                    name = waiting.pop(0)
                self.measure_reach(name, place)
                with lock:
                    say("%d/%d %s %.1f s" % (count - len(waiting), count, name, self.seconds.get(name, 0)))

        workers = [threading.Thread(target=work, args=(os.path.join(REACH, "worker%d" % i),), daemon=True) for i in range(jobs)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

        lines = os.path.join(REACH, "lines.json")
        self.lines = known_lines(lines)
        self.reached, self.versions = {}, {}
        for name in self.all:
            with open(self.reach_path(name), encoding="utf-8") as file:
                record = json.load(file)
            self.seconds[name], self.clean[name] = record["seconds"], record["passed"]
            for path, hits in record["hits"].items():
                self.reached.setdefault(path, {})[name] = set(hits)
                self.versions.setdefault(path, {})[name] = record["versions"].get(path)

    def reach_path(self, name):
        return os.path.join(REACH, name.replace("/", "_") + ".json")

    def record(self, name):
        """What is known of a test as it is now, or None."""
        if not os.path.exists(self.reach_path(name)):
            return None
        with open(self.reach_path(name), encoding="utf-8") as file:
            record = json.load(file)
        return record if record["digest"] == self.digest[name] else None

    def measure_reach(self, name, place):
        """One run as it is, for its time and whether it passes, and one that counts."""
        counts = os.path.join(place, "counts")
        prepare_counts(counts)
        known = self.record(name)
        if known:
            passed, self.seconds[name] = known["passed"], known["seconds"]
        else:
            passed, self.seconds[name] = self.run(name, place, {})
        if passed:
            depth = len([part for part in COUNTING.split("/") if part])
            self.run(name, place, {"GCOV_PREFIX": counts, "GCOV_PREFIX_STRIP": str(depth), "LD_LIBRARY_PATH": COUNTING,
                                   "STAGGER": os.path.join(COUNTING, "stagger"),
                                   "STAGGER_VIEW": os.path.join(COUNTING, "stagger-view")}, 10)
        hits = counted_lines(counts)
        record = dict(digest=self.digest[name], seconds=self.seconds[name], passed=bool(passed), hits=hits,
                      versions={path: digest(read(path)) for path in hits})
        with open(self.reach_path(name), "w", encoding="utf-8") as file:
            json.dump(record, file)
        if not passed:
            say("%s fails without a fault or takes more than %g s: not used" % (name, self.limit))

    def reaching(self, path, number):
        """The tests that reach a line: of a statement over several lines its first one counts; of a constant outside of
        functions, or in a file that changed since the counts were taken, any line of the file."""
        here = self.reached.get(path, {})
        known = [line for line in self.lines.get(path, ()) if line <= number]
        version = digest(read(path))
        found = []
        for name, hits in here.items():
            if self.clean[name] and (not known or self.versions[path][name] != version or inside(path, number) is False
                                     or known[-1] in hits or number in hits):
                found.append(name)
        return found

    # -- The order --

    def order(self, path, number):
        """Quickest first, where a test that is about the file, or that noticed one of its faults, is worth ten others."""
        stem, header = os.path.basename(path)[:-2], path[:-2] + ".h"
        words = set(stem.split("_"))

        def cost(name):
            short = name.split("/")[1]
            near = short == stem or header in self.headers(name) or len(words & set(short.split("_"))) > 0
            worth = (10 if near else 1) * (1 + 5 * self.caught.get(path, {}).get(name, 0))
            return (self.seconds[name] + 0.02) / worth, name

        return sorted(self.reaching(path, number), key=cost)

    def headers(self, name):
        return {header for path in self.sources[name] if path.endswith((".c", ".h"))
                for header in re.findall(r'#include "([^"]+)"', read(path))}

    # -- Running --

    def run(self, name, place, more, patience=1):
        """Whether a test passes with the products of a place (None at the time limit), and its seconds of a processor.

        The limit is in processor time of each of its processes, so that other work beside takes nothing from it; by the
        clock, for a test that waits for ever, it is ten times as long. cmocka stops at the first failure."""
        command, given = self.all[name]
        work = os.path.join(place, "tmp")
        environment = dict(os.environ, LD_LIBRARY_PATH=place + ":" + BUILD, TMPDIR=work, CMOCKA_TEST_ABORT="1")
        environment.update(entry.split("=", 1) for entry in given)
        if os.path.exists(os.path.join(place, "stagger")):
            environment["STAGGER"] = os.path.join(place, "stagger")
        environment.update(more)
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        limit = math.ceil(patience * min(self.limit, 2 + 4 * self.seconds.get(name, self.limit)))

        def restrict():
            if "LD_PRELOAD" not in more:  # a checker of addresses takes very many, and limits the memory itself
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

        process = subprocess.Popen(command, cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=restrict)
        code, seconds = ended(process, 10 * limit)
        return None if code in (None, -signal.SIGXCPU, -signal.SIGKILL) else code in (0, 77), seconds  # 77: skipped

    def catch(self, path, number, place, budget, passed, more=None):
        """(the first test that notices or None, how many were not tried). Those that did not notice are added to `passed`
        with their digests, and those that stand there with the same digest are not run again. A budget in seconds of a
        processor ends the search; the nearest test runs in any case. more: variables of their environment."""
        more, mark = more or {}, " checking addresses" if more else ""
        spent, unfit = 0, known_unfit(self.unfit) if more else {}
        waiting = [name for name in self.order(path, number) if passed.get(name + mark) != self.digest[name]]
        if more:  # of programs that start others some would wait for ever
            waiting = [name for name in waiting if name.startswith(("unit/", "property/")) and unfit.get(name) != self.digest[name]]
        for i, name in enumerate(waiting):
            if spent + self.seconds[name] > budget and i > 0:
                return None, len(waiting) - i
            result, seconds = self.run(name, place, more, 3 if more else 1)
            spent += seconds
            if not result and self.still_passes(name, place, more):
                self.learn(path, name)
                return (name if result is False else name + " (time)"), 0
            if not result and more:
                with self.lock, open(self.unfit, "w", encoding="utf-8") as file:
                    json.dump(dict(unfit, **{name: self.digest[name]}), file)
                unfit[name] = self.digest[name]
            passed[name + mark] = self.digest[name]
        return None, 0

    def learn(self, path, name):
        """A test that noticed a fault of a file is tried earlier on the next one."""
        with self.lock:
            of_file = self.caught.setdefault(path, {})
            of_file[name] = of_file.get(name, 0) + 1

    def still_passes(self, name, place, more):
        """Whether a test that failed passes without the fault, so that a busy machine notices nothing."""
        empty = os.path.join(place, "clean")
        os.makedirs(empty, exist_ok=True)
        passes = bool(self.run(name, empty, more, 3 if more else 1)[0])
        if not passes:
            say("%s fails without a fault, too" % name)
        return passes


def known_unfit(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def ended(process, limit):
    """The exit code of a process (None if it still runs after `limit` seconds, and is killed) and the seconds of a processor
    that it and the children it waited for took. What it left behind is killed."""
    begun, done = time.monotonic(), 0
    while not done and time.monotonic() - begun < limit:
        done, status, used = os.wait4(process.pid, os.WNOHANG)
        time.sleep(0 if done else 0.005)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    if not done:
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode if done else None, used.ru_utime + used.ru_stime


def inside(path, number):
    """Whether a line stands in a function: False for a constant at the outermost level."""
    return not re.match(r"(static )?const (double|float|int) \w+ = ", read(path).split("\n")[number - 1])


# ---- Counts ----


def prepare_counts(counts):
    """An empty folder for the counts of one test, with links to what gcov needs beside them."""
    for path in files_of(COUNTING, ".gcno"):
        target = os.path.join(counts, os.path.relpath(path, COUNTING))
        if not os.path.lexists(target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.symlink(path, target)
    for path in files_of(counts, ".gcda"):
        os.remove(path)


def files_of(folder, ending):
    return [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names if name.endswith(ending)]


def gcov(paths):
    """(file of the tree, its lines as gcov gives them) of each of the sources."""
    for begin in range(0, len(paths), 50):
        shown = subprocess.run(["gcov", "--json-format", "--stdout"] + paths[begin : begin + 50], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, cwd=REACH)
        for line in shown.stdout.decode(errors="replace").split("\n"):
            if line.startswith("{"):
                for entry in json.loads(line)["files"]:
                    path = os.path.relpath(os.path.join(COUNTING, entry["file"]), TREE)
                    if path.endswith(".c") and not path.startswith(".."):
                        yield path, entry["lines"]


def counted_lines(counts):
    return {path: hit for path, lines in gcov(files_of(counts, ".c.gcda"))
            for hit in [sorted({line["line_number"] for line in lines if line["count"]})] if hit}


def known_lines(cache):
    """All lines with code, by file."""
    made = files_of(COUNTING, ".gcno")
    newest = max(map(os.path.getmtime, made))
    if not os.path.exists(cache) or os.path.getmtime(cache) < newest:
        found = {path: sorted({line["line_number"] for line in lines}) for path, lines in gcov(made)}
        with open(cache, "w", encoding="utf-8") as file:
            json.dump(found, file)
    with open(cache, encoding="utf-8") as file:
        return json.load(file)

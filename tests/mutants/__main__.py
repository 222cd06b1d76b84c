"""Plants faults in the product's sources, one at a time, and tells which test notices each of them.

Works on a copy of the tree in build/mutants. Each of the folders is a shared library there, so that a fault costs a
compilation and a link. The changed file is compiled with the checks of undefined behaviour of the sanitised build; a fault
that may lead beyond a list, and that no test notices so, once more with those of addresses. A build that counts lines says
once which tests reach which line: only those run on a fault, from quick and near to slow and far, until one fails. The same
seed plants the same faults. Comments, texts, messages and assertions are left alone, and the viewer unless --only names it:
most of it draws, which no test without a display sees. What faults.py leaves out by a rule and what equivalent.csv lists as
proven equivalent is counted apart. What was found is kept in build/mutants/results.csv, so that a run that was stopped goes
on, and after a change of tests only those run again that changed.
"""

import argparse
import csv
import fcntl
import json
import os
import sys
import threading
import time

from build import ADDRESSES, Commands, address_checker, build_copy, copy_tree
from faults import drawn, known_equivalents, leads_beyond, left_out
from places import HOME, TREE, digest, read, say
from trials import KINDS, Tests

EQUIVALENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "equivalent.csv")
FIELDS = ("file", "line", "fault", "before", "after", "verdict", "by", "seconds", "key")
TRIED = ("caught", "survived", "not reached")  # the others say nothing of the tests


def examine(fault, commands, tests, place, options, equivalents, passed):
    path, number, _, before, after = fault
    begun = time.monotonic()
    lines = read(path).split("\n")

    def with_line(line):
        return "\n".join(lines[: number - 1] + [line] + lines[number:])

    def row(verdict, by=""):
        return dict(file=path, line=number, fault=fault[2], before=before.strip(), after=after.strip(), verdict=verdict, by=by,
                    seconds="%.1f" % (time.monotonic() - begun))

    rule = left_out(fault, lambda line: commands.errors(path, with_line(line), place), read(path))
    if rule:
        return row("left out", rule)
    for name in os.listdir(place):
        if name.endswith(".so") or name == "stagger":
            os.remove(os.path.join(place, name))
    planted = commands.plant(path, with_line(after), place)
    if not planted:
        return row("not compiled" if planted is None else "same code")
    reason = equivalents.get((path, before.strip(), after.strip()))
    if reason:
        return row("listed", reason)
    if not tests.reaching(path, number):
        return row("not reached")
    by, untried = tests.catch(path, number, place, options.budget, passed)
    if not by and leads_beyond(fault) and commands.plant(path, with_line(after), place, ADDRESSES):
        by = tests.catch(path, number, place, options.budget / 3, passed, address_checker())[0]  # the near ones do
        by = by and by + " (addresses)"
    return row("caught" if by else "survived", by or ("%d tests untried" % untried if untried else ""))


class Results:
    """What is known of faults, in a file, so that a run that was stopped goes on."""

    def __init__(self):
        self.path, self.rows, self.lock = os.path.join(HOME, "results.csv"), {}, threading.Lock()
        self.passed_path = os.path.join(HOME, "passed")
        os.makedirs(self.passed_path, exist_ok=True)
        if os.path.exists(self.path):
            with open(self.path, newline="", encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    self.rows[row["key"]] = row

    def key(self, fault):
        return digest(*map(str, fault), read(fault[0]))

    def find(self, fault):
        """The row of a fault that needs no other look: it was noticed, or is none."""
        row = self.rows.get(self.key(fault))
        return row if row and row["verdict"] in ("caught", "not compiled", "same code") else None

    def passed(self, fault):
        """The tests, with their digests, that did not notice a fault."""
        path = os.path.join(self.passed_path, self.key(fault) + ".json")
        if not os.path.exists(path):
            return {}
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def add(self, fault, row, passed):
        row["key"] = self.key(fault)
        with open(os.path.join(self.passed_path, row["key"] + ".json"), "w", encoding="utf-8") as file:
            json.dump(passed, file)
        with self.lock:
            new = not os.path.exists(self.path)
            self.rows[row["key"]] = row
            with open(self.path, "a", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, FIELDS)
                if new:
                    writer.writeheader()
                writer.writerow(row)


def tell(row, done, count):
    what = {"caught": "caught by " + row["by"], "survived": ("NOT CAUGHT " + row["by"]).strip(), "not reached": "NOT REACHED"}
    say("%s/%d %s:%s %s: %s -> %s: %s (%s s)" % (done, count, row["file"], row["line"], row["fault"], row["before"],
                                                row["after"], what.get(row["verdict"], row["verdict"]), row["seconds"]))


def examine_all(faults, count, options):
    """Takes faults in their order until so many could be tried, and gives the rows of all that were taken."""
    commands, tests, results = Commands(), Tests(options.tests, options.limit), Results()
    tests.load_reach(options.jobs)
    for row in results.rows.values():
        if row["verdict"] == "caught":
            tests.learn(row["file"], row["by"].split(" ")[0])
    equivalents = known_equivalents(EQUIVALENT)
    rows, under_way, taken, lock = {}, set(), 0, threading.Condition()

    def tried():
        return sum(row["verdict"] in TRIED for row in rows.values())

    def next_fault():
        nonlocal taken
        with lock:
            while tried() + len(under_way) >= count and under_way:
                lock.wait()
            fault = None if tried() >= count else next(faults, None)
            if fault:
                taken += 1
                under_way.add(taken)
            return taken, fault

    def work(place):
        while True:
            index, fault = next_fault()
            if not fault:
                return
            row = None if options.again else results.find(fault)
            if not row:
                passed = {} if options.again else results.passed(fault)
                row = examine(fault, commands, tests, place, options, equivalents, passed)
                results.add(fault, row, passed)
            with lock:
                under_way.discard(index)
                rows[index] = row
                tell(row, tried(), count)
                lock.notify_all()

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
    """What was not noticed on standard output, the share on standard error."""
    def of(verdict):
        return [row for row in rows if row["verdict"] == verdict]

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("file", "line", "fault", "before", "after", "verdict"))
    for row in sorted(of("survived") + of("not reached"), key=lambda row: (row["file"], int(row["line"]))):
        writer.writerow([row[name] for name in ("file", "line", "fault", "before", "after", "verdict")])
    caught, count = len(of("caught")), sum(len(of(verdict)) for verdict in TRIED)
    say("caught %d of %d (%.0f %%); no test reaches %d of the others" %
        (caught, count, 100 * caught / max(count, 1), len(of("not reached"))))
    say("of those not caught, %d ran out of their budget with tests left, which a larger --budget runs" %
        sum(row["by"] != "" for row in of("survived")))
    say("not counted: %d do not compile, %d come to the same machine code, %d are listed as equivalent" %
        (len(of("not compiled")), len(of("same code")), len(of("listed"))))
    for rule in sorted({row["by"] for row in of("left out")}):
        say("left out: %d, %s" % (sum(row["by"] == rule for row in of("left out")), rule))


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
    parser.add_argument("--tests", metavar="LIST", default="unit,property,e2e,products,edited,varied,scene",
                        help="kinds (%s) and single tests, as unit/graph (default: %%(default)s)" % ", ".join(KINDS))
    parser.add_argument("--budget", metavar="SECONDS", type=float, default=30,
                        help="of a processor, for the tests of a fault (default 30)")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=120,
                        help="of a processor, for a test (default 120), which has 4 times what it takes without a fault + 2 s")
    parser.add_argument("--jobs", metavar="N", type=int, default=os.cpu_count() or 2, help="at a time (default: processors)")
    parser.add_argument("--again", action="store_true", help="also those of which the verdict is known")
    options = parser.parse_args()
    options.tests = options.tests.split(",")
    for name in options.tests:
        if name.split("/")[0] not in KINDS:
            parser.error("--tests: '%s' is none of %s, and none of their tests" % (name, ", ".join(KINDS)))
    os.makedirs(TREE, exist_ok=True)
    alone = open(os.path.join(HOME, "lock"), "w", encoding="utf-8")
    try:
        fcntl.flock(alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit("mutants: another one is at work in build/mutants")
    copy_tree()
    build_copy(options.jobs, options.tests)
    faults = planted_by_hand(*options.plant) if options.plant else drawn(TREE, options.seed, options.only)
    rows = examine_all(iter(faults), 1 if options.plant else options.count, options)
    if not rows:
        sys.exit("mutants: there is nothing to change in '%s'" % options.only)
    conclude(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())

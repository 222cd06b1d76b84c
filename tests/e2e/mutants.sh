#!/bin/bash
# The parts of ./dev mutants that decide what counts as caught, on programs made for it; a whole run takes too long here.
# Usage: SOURCE=source-folder mutants.sh
set -u
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' || { echo "SKIP mutants: needs Python 3.9"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$SOURCE/tests/mutants python3 - "$folder" <<'PYTHON'
import os
import sys
import threading

from faults import faults_of_line, leads_beyond, left_out
from trials import Tests

place, failed = sys.argv[1], []


def check(what, found, wanted):
    if found != wanted:
        failed.append(what)
        print("FAIL %s: %s, not %s" % (what, found, wanted))


def faults(line):
    return sorted(faults_of_line(line, line))


check("arithmetic", faults("  return a + b;"), [("arithmetic", "  return a - b;")])
check("a condition and a comparison", faults("  if (a < b) {"),
      [("comparison", "  if (a <= b) {"), ("condition", "  if (!(a < b)) {")])
check("a statement, a clamp and a constant", faults("  x = fmin(y, 0.5);"),
      [("clamp", "  x = (y);"), ("constant", "  x = fmin(y, 1.0);"), ("statement", "  (void)0;")])
check("a statement that gives memory back", left_out(("f.c", 1, "statement", "  free(x);", "  (void)0;"), None),
      "memory that is not given back")
for kind, after in (("constant", "2e-6"), ("off by one", "1e-7")):
    check("an allowance, " + kind, left_out(("f.c", 1, kind, "  if (x > 1e-6)", "  if (x > %s)" % after), None),
          "size of an allowance for rounding")
check("a larger one", left_out(("f.c", 1, "off by one", "  if (x > 1e-4)", "  if (x > 1e-5)"), None), None)
for kind, before, wanted in (("comparison", "  for (int i = 0; i < n; i++)", True), ("off by one", "  x = list[0];", True),
                             ("comparison", "  if (a < b)", False), ("sign", "  x = list[-i];", False)):
    check("beyond a list: " + before, bool(leads_beyond(("f.c", 1, kind, before, ""))), wanted)
continuous = lambda line: "invalid operands to binary % (have 'double' and 'double')"
wholes = lambda line: ""
for before, rule, compiler, what in (
        ("  if (a.x > b.x)", True, continuous, "two continuous quantities"),
        ("  if (a.x > b.x)", False, wholes, "two whole numbers"),
        ("  return c > 2 && turned(q).y > UPRIGHT;", True, continuous, "a computed quantity and a named constant"),
        ("  if (length_2d(v) > 0.7f)", True, continuous, "a computed quantity and a number"),
        ("  if (a + b > STEEP)", True, continuous, "a sum and an angle"),
        ("  if (b * c > HALF)", False, continuous, "a computed quantity and a binary fraction"),
        ("  if (length_2d(v) > 0)", False, continuous, "a computed quantity and 0"),
        ("  if (weight > UPRIGHT)", False, continuous, "a variable and a constant"),
        ("  if (weight > -2 * UPRIGHT) { // as height", False, continuous, "a variable and a product of constants"),
        ("  if (weight > height + UPRIGHT)", True, continuous, "a variable and a sum with a constant"),
        ("  if (weight > 0.5 * height)", True, continuous, "a variable and a share of another"),
        ("  if (weight > height + UPRIGHT)", False, wholes, "whole numbers and a sum"),
        ("  if (fabs(weight) > UPRIGHT)", False, continuous, "a magnitude and a constant"),
        ("  if (turned(q).y > ELSEWHERE)", False, continuous, "a constant of another file"),
        ("  if (count(q) > UPRIGHT)", False, wholes, "whole numbers and a constant")):
    at = before.rindex(" > ")
    fault = ("f.c", 1, "comparison", before, before[:at] + " >= " + before[at + 3 :])
    text = "static const float UPRIGHT = 0.7f, HALF = 0.5f; // m\nstatic const double STEEP = 30 * RAD_PER_DEGREE;\n"
    check(what, left_out(fault, compiler, text), "equality of continuous quantities" if rule else None)
for before, operator, compiler, next_line, rule, what in (
        ("  best = x < best ? x : best;", " < ", wholes, "", True, "the lesser of two"),
        ("  y = 2 * (a + 1 < b ? b : a + 1);", " < ", continuous, "", True, "the greater of a sum and another"),
        ("  y = x > 0 ? x : 0;", " > ", wholes, "", True, "what is above 0 of whole numbers"),
        ("  y = x > 0 ? x : 0;", " > ", continuous, "", False, "what is above 0, or -0"),
        ("  y = x < b ? x : c;", " < ", wholes, "", False, "one of two, and a third"),
        ("  y = x < b ? b : x + 1;", " < ", wholes, "", False, "one of two, and more than the other"),
        ("  y = x < next() ? x : next();", " < ", wholes, "", False, "a call that may do more than give a value"),
        ("  y = x < 1 ? 1 : x > 5 ? 5 : x;", " < ", wholes, "", False, "what may be held below as well"),
        ("  y = x < 1 ? 1 : x > 5 ? 5 : x;", " > ", wholes, "", True, "what is held below"),
        ("  y = n > 0 && x < b ? x : b;", " < ", wholes, "", True, "the lesser of two where there are some"),
        ("  if (x > most)", " > ", wholes, "    x = most;\n  y = 1;", True, "what is set to a limit"),
        ("  if (x > most)", " > ", wholes, "    x = most;\n  else", False, "what is set to a limit, or else"),
        ("  if (n > 0 && x > most)", " > most", wholes, "    x = other;\n  y = 1;", False, "what is set to another")):
    at = before.rindex(operator) + 2
    fault = ("f.c", 1, "comparison", before, before[:at] + "=" + before[at:])
    found = left_out(fault, compiler, before + "\n" + next_line)
    check(what, found == "the lesser or greater of two that are equal", rule)
check("one that does not", left_out(("f.c", 1, "statement", "  x = 1;", "  (void)0;"), None), None)

# Tests of a file: what they do is up to the variable FAULT, which stands for the fault. `seconds`: without a fault.
commands = {
    "unit/passes": "exit 0", "unit/skips": "exit 77", "unit/fails": '[ -z "$FAULT" ]',
    "unit/crashes": '[ -z "$FAULT" ] || kill -SEGV $$', "unit/stops": '[ "$CMOCKA_TEST_ABORT" = 1 ]',
    "unit/spins": '[ -z "$FAULT" ] || while :; do :; done', "unit/always_fails": "exit 1",
}


def tests_of(order):
    tests = Tests.__new__(Tests)
    tests.all = {name: (["sh", "-c", command], []) for name, command in commands.items()}
    tests.seconds = dict.fromkeys(commands, 0.01)
    tests.digest = dict.fromkeys(commands, "as it is")
    tests.limit, tests.lock, tests.caught, tests.tried = 1, threading.Lock(), {}, []
    tests.unfit = os.path.join(place, "unfit.json")
    tests.order = lambda path, number: order

    def run(name, where, more, patience=1):  # without the fault from the folder that still_passes takes
        tests.tried.append(name)
        return Tests.run(tests, name, where, dict(more, FAULT="" if where.endswith("clean") else "1"), patience)

    tests.run = run
    return tests


def verdict(order, budget=60, passed=None, more=None):
    tests = tests_of(order)
    by = tests.catch("f.c", 1, place, budget, {} if passed is None else passed, more)
    return by, tests.tried, tests.caught


for name, wanted in (("passes", True), ("skips", True), ("stops", True), ("fails", False), ("crashes", False), ("spins", None)):
    check("a test that " + name, tests_of([]).run("unit/" + name, place, {})[0], wanted)

check("the first that notices", verdict(["unit/passes", "unit/fails", "unit/crashes"]),
      (("unit/fails", 0), ["unit/passes", "unit/fails", "unit/fails"], {"f.c": {"unit/fails": 1}}))
check("a fault that never ends", verdict(["unit/spins"])[0], ("unit/spins (time)", 0))
check("a test that fails in any case", verdict(["unit/always_fails"])[0], (None, 0))
check("no budget", verdict(["unit/passes", "unit/skips", "unit/fails"], 0)[:2], ((None, 2), ["unit/passes"]))
check("going on", verdict(["unit/passes", "unit/fails"], 60, {"unit/passes": "as it is"})[1], ["unit/fails"] * 2)
check("a test that changed", verdict(["unit/passes"], 60, {"unit/passes": "as it was"})[1], ["unit/passes"])
known = {"unit/passes": "as it is"}
check("once more with other checks", verdict(["unit/passes"], 60, known, {"CHECK": "1"})[1], ["unit/passes"])
check("what is known of both", known, {"unit/passes": "as it is", "unit/passes checking addresses": "as it is"})
check("a test that such checks break", verdict(["unit/always_fails", "unit/passes"], more={"CHECK": "1"})[1],
      ["unit/always_fails", "unit/always_fails", "unit/passes"])
check("is not tried again", verdict(["unit/always_fails", "unit/passes"], more={"CHECK": "1"})[1], ["unit/passes"])
check("but without them", verdict(["unit/always_fails"])[1], ["unit/always_fails"] * 2)
sys.exit(len(failed) > 0)
PYTHON

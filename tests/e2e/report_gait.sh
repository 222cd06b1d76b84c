#!/bin/bash
# The gait section of reports: walk and run of one character, compared with human gait, with values in sane ranges; a
# body without arms; and the message if there is nothing to compare.
# Usage: STAGGER=program SOURCE=source-folder report_gait.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"
export STAGGER_REPORT_PAGE="$folder/no_script"
python=$(command -v /usr/bin/python3 || command -v python3)
[ -n "$python" ] || { echo "SKIP there is no python3"; exit 77; }

run 0 run blend_run --trace blend.h5 --quiet
run 0 report blend.h5 -o blend.html

# Reads the section as a user does, and checks it.
cat >check.py <<'END'
import html.parser, sys

class Section(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.inside, self.groups, self.row, self.cell, self.head = False, [], None, None, None

    def handle_starttag(self, tag, attributes):
        kinds = dict(attributes)
        self.inside = self.inside or kinds.get("id") == "gait"
        if not self.inside:
            return
        if tag == "h4":
            self.head = ""
        elif tag == "figure":
            self.joint = kinds["data-joint"]
        elif tag == "svg":
            self.groups[-1]["pictures"] += "curves" in kinds["class"]
        elif tag == "tr":
            self.row = []
        elif tag in ("td", "th") and self.row is not None:
            self.cell = ["", kinds.get("class") or ""]

    def handle_data(self, data):
        if self.head is not None:
            self.head += data
        if self.cell is not None:
            self.cell[0] += data

    def handle_endtag(self, tag):
        if tag == "section":
            self.inside = False
        if not self.inside:
            return
        if tag == "h4":
            self.groups.append({"head": self.head, "figures": {}, "fits": {}, "pictures": 0})
            self.head = None
        elif tag in ("td", "th") and self.cell is not None:
            self.row.append(self.cell)
            self.cell = None
        elif tag == "tr" and len(self.row) == 7:
            self.groups[-1]["figures"][" ".join(self.row[0][0].split())] = self.row
        elif tag == "tr":
            self.groups[-1]["fits"][self.joint, self.row[0][0]] = self.row

page = Section()
page.feed(open(sys.argv[1], encoding="utf-8").read())
bad = []

def near(group, name, low, high, columns):
    row = group["figures"][name]
    for column in columns:
        value = float(row[column][0].split("\u00b1")[0])
        if not low <= value <= high:
            bad.append(f"{group['head']}: {name} is {value}, not {low} to {high}")

if [group["head"].split(" at ")[0] for group in page.groups] != ["Walking", "Running"]:
    sys.exit(f"groups: {[group['head'] for group in page.groups]}")
OUTPUT, MEASURED, TARGET = 1, 2, 3
for group, speed, cadence, step, stance in (
    (page.groups[0], (1.25, 1.35), (105, 116), (0.66, 0.74), (58, 66)),
    (page.groups[1], (3.2, 3.4), (160, 176), (1.12, 1.24), (34, 42)),
):
    near(group, "speed m/s", *speed, (OUTPUT, MEASURED, TARGET))
    near(group, "cadence steps/min", *cadence, (OUTPUT, TARGET))
    near(group, "step length m", *step, (OUTPUT, MEASURED, TARGET))
    near(group, "stance % of cycle", *stance, (OUTPUT, TARGET))
    near(group, "pelvis, up and down m", 0.03, 0.09, (OUTPUT, MEASURED, TARGET))
    near(group, "arm with opposite thigh r", 0.85, 1, (OUTPUT, MEASURED, TARGET))
    near(group, "arm behind opposite thigh % of cycle", -10, 10, (OUTPUT, MEASURED, TARGET))
    if group["pictures"] != 5:
        bad.append(f"{group['pictures']} plots")
    for joint in ("hip", "knee", "ankle") if group is page.groups[0] else ("hip", "knee", "ankle", "arm", "elbow"):
        correlation = float(group["fits"][joint, "output"][1][0])
        if not 0.9 < correlation <= 1:
            bad.append(f"{group['head']}: {joint} correlates by {correlation}")
walk, run = page.groups
near(walk, "double support % of cycle", 20, 30, (OUTPUT, TARGET))
near(walk, "flight % of cycle", 0, 1, (OUTPUT, TARGET))
near(run, "double support % of cycle", 0, 1, (OUTPUT, TARGET))
near(run, "flight % of cycle", 18, 32, (OUTPUT, TARGET))
near(walk, "arm swing deg", 25, 40, (OUTPUT, MEASURED, TARGET))
near(run, "arm swing deg", 35, 50, (OUTPUT, MEASURED, TARGET))
near(walk, "elbow flexion, mean deg", 20, 30, (OUTPUT, MEASURED, TARGET))
near(run, "elbow flexion, mean deg", 80, 100, (OUTPUT, MEASURED, TARGET))
if ("arm", "output") in walk["fits"]:
    bad.append("there is a normal curve for the arms of walkers")
verdict = walk["figures"]["step length m"][OUTPUT]
if "gait-in" not in verdict[1] or "\u2713" not in verdict[0]:
    bad.append(f"step length is not said to be inside: {verdict}")
for problem in bad:
    print(problem)
sys.exit(len(bad) > 0)
END
"$python" check.py blend.html >checked 2>&1 || fail "gait of blend_run: $(cat checked)"

# A body without arms is compared by its legs alone.
"$python" - "$SOURCE/scenes/bodies/human.yaml" >armless.yaml <<'END'
import re, sys

head, *parts = re.split(r"(?m)^  - name: ", open(sys.argv[1], encoding="utf-8").read())
print(head + "".join("  - name: " + part for part in parts if not re.match("(upper_arm|forearm|hand)_l", part)), end="")
END
run 0 run walk_free --set "characters.man.body=$PWD/armless.yaml" --set expect=[] --duration 6 --trace armless.h5 --quiet
run 0 report armless.h5 -o armless.html
has armless.html 'data-joint="ankle"'
has armless.html 'ankle plantarflexion'
grep -qE 'data-joint="arm"|arm swing|arm with opposite|of the upper arm to the trunk' armless.html && fail "armless.html has arms"

run 0 run stand --duration 1 --trace stand.h5 --quiet
run 0 report stand.h5 -o stand.html
has stand.html 'Too few strides: 0 of the output pose'
run 1 run spider --duration 0.5 --trace spider.h5 --quiet
run 0 report spider.h5 -o spider.html
has spider.html 'Without the two legs of a human'

[ "$failed" -eq 0 ] && echo "gait is held against human gait"
[ "$failed" -eq 0 ]

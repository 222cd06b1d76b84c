#!/bin/bash
# The data in a study's page: the figures of summary.csv, and over axes and directions those that its trials give when
# they are counted again; the tables of the plain page say the same.
# Usage: STAGGER=program SOURCE=source-folder report_study.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"
export STAGGER_REPORT_PAGE="$folder/no_script"
python=$(command -v /usr/bin/python3 || command -v python3)
[ -n "$python" ] || { echo "SKIP there is no python3"; exit 77; }

# Three axes, one of them around, which says forward twice; one drawn; hard pushes end trials.
cat >around.yaml <<'EOF'
scene: hit_stand
repeats: 3
set: [duration=0.8, world.solver=reduced, world.max_speed=4.5, "expect=[man.peak_pose_error < 3]"]
axes:
  events.0.direction: {from: 0, to: 360, steps: 5, name: direction}
  events.0.impulse: {values: [20, 60, 250], name: impulse}
  world.friction: {values: [0.5, 1], name: friction}
  characters.man.drive.strength: {random: {low: 0.8, high: 1.2}, name: strength}
metrics: [man.fell, man.peak_pose_error, man.recovery_strategy]
EOF
cat >plain.yaml <<'EOF'
scene: hit_stand
repeats: 8
set: [duration=0.8, world.solver=reduced]
axes: {world.friction: {values: [0.5, 1], name: friction}}
metrics: [man.fell, man.peak_pose_error]
EOF

cat >compare.py <<'EOF'
import csv, html.parser, itertools, json, math, re, statistics, sys

page, folder = sys.argv[1:]
text = open(page, encoding="utf-8").read()
study = json.loads(re.search(r'id="stagger-data">(.*?)</script>', text, re.S).group(1))["study"]
trials = list(csv.DictReader(open(f"{folder}/trials.csv")))
summary = list(csv.DictReader(open(f"{folder}/summary.csv")))
names = [column["name"] for column in study["columns"]]
crossed = [i for i, axis in enumerate(study["axes"]) if len(axis["values"]) > 1]
checked, problems = 0, []

def check(what, value, wanted):
    global checked
    checked += 1
    wanted = None if wanted in ("", None) else float(wanted)
    nine_digits = 5.1e-9
    if (value is None) != (wanted is None) or (value is not None and not math.isclose(value, wanted, rel_tol=nine_digits)):
        problems.append(f"{what} is {value}, not {wanted}")

def grid_over(axes):
    found = [grid for grid in study["over"] if grid["axes"] == axes]
    if len(found) != 1:
        sys.exit(f"{len(found)} grids over {axes}")
    return found[0]

def measure_of(column, label):
    return next(i for i, measure in enumerate(study["measures"])
                if names[measure["column"]] == column and measure["label"] == label)

def place(axis, value):
    values = study["axes"][axis]["values"]
    return values.index(float(value) if study["axes"][axis]["is_number"] else value)

# Every line of summary.csv whose axes have a grid stands in it.
lines = 0
for row in summary:
    axes = [i for i in crossed if row[study["axes"][i]["name"]] != ""]
    grid = grid_over(axes)
    group = 0
    for axis, size in zip(axes, grid["shape"]):
        group = group * size + place(axis, row[study["axes"][axis]["name"]])
    m = measure_of(row["metric"], row["label"])
    found, what = grid["measures"][m], f'{row["scope"]} {group} {row["metric"]} {row["label"]}'
    kinds = ("share", "share_low", "share_high") if study["measures"][m]["is_share"] else ("median", "median_low", "median_high")
    check(what, grid["trials"][group], row["trials"])
    check(what, found["count"][group], row["count"])
    for name, kind in zip(("value", "low", "high"), kinds):
        check(f"{what} {name}", found[name][group], row[kind])
    for name in ("repeats", "effective", "mean", "deviation", "min", "quartile_1", "quartile_3", "max") if not axes else ():
        check(f"{what} {name}", found[name][0], row[name])
    lines += 1
groups = 1 + sum(len(study["axes"][axis]["values"]) for axis in crossed) + study["cells"]
if lines != groups * len(study["measures"]):
    problems.append(f"{lines} lines of summary.csv, {groups} groups")

# All pairs of axes, and the drawn axis, by counting the trials again.
def counted(rows, measure):
    column = names[measure["column"]]
    whole = [row for row in rows if row["status"] == "complete" or column in ("status", "ok")]
    values = [row[column] for row in whole if row[column] != ""]
    if measure["label"]:
        return len(values), statistics.mean(value.split(":")[0] == measure["label"] for value in values) if values else None
    numbers = [float(value) for value in values]
    pick = statistics.mean if measure["is_share"] else statistics.median
    return len(numbers), pick(numbers) if numbers else None

def recount(grid, rows_of):
    for group, at in enumerate(itertools.product(*map(range, grid["shape"]))):
        rows = rows_of(at)
        check(f"trials over {grid['axes']}", grid["trials"][group], len(rows))
        for m, measure in enumerate(study["measures"]):
            count, value = counted(rows, measure)
            check(f"count over {grid['axes']} {measure}", grid["measures"][m]["count"][group], count)
            check(f"value over {grid['axes']} {measure}", grid["measures"][m]["value"][group], value)

def number_of(row, axis):
    return float(row[study["axes"][axis]["name"]])

pairs = list(itertools.combinations(crossed, 2))
for pair in pairs:
    values = [study["axes"][axis]["values"] for axis in pair]
    recount(grid_over(list(pair)), lambda at: [row for row in trials
            if all(number_of(row, axis) == values[i][at[i]] for i, axis in enumerate(pair))])
drawn = [grid for grid in study["over"] if "bins" in grid]
for grid in drawn:
    low, high = ([float(f"{bin[k]:.9g}") for bin in grid["bins"]] for k in (0, 2))
    recount(grid, lambda at: [row for row in trials
            if low[at[0]] <= float(f'{number_of(row, grid["axes"][0]):.9g}') <= high[at[0]]])
    if sum(grid["trials"]) != len(trials) or max(grid["trials"]) - min(grid["trials"]) > 1:
        problems.append(f"bins of {grid['trials']} trials")

# Directions: 360 deg is 0 deg.
directions = study.get("directions")
if directions:
    axes = study["axes"]
    turn, outward, other = (axes[directions[key]] for key in ("turn", "outward", "other"))
    for k, table in enumerate(directions["tables"]):
        for i, (ring, sector) in enumerate(itertools.product(outward["values"], directions["sectors"])):
            rows = [row for row in trials if float(row[turn["name"]]) % 360 == sector and float(row[outward["name"]]) == ring
                    and (k == 0 or float(row[other["name"]]) == other["values"][k - 1])]
            good = sum(row["ok"] == "1" for row in rows)
            check("count of a direction", table["count"][i], len(rows))
            check("successes", table["successes"][i], good)
            if not table["low"][i] <= good / len(rows) <= table["high"][i]:
                problems.append(f"a share outside of its interval: {table['low'][i]} {good} of {len(rows)} {table['high'][i]}")
            told = [row["man.recovery_strategy"] for row in rows if row["status"] == "complete"]
            for name, counts in table["strategies"].items():
                check(f"strategy {name}", counts[i], told.count(name))

# The plain page has the same in its tables.
class Tables(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tables, self.cell = [], None

    def handle_starttag(self, tag, attributes):
        if tag == "table" and dict(attributes).get("class") == "summary":
            self.tables.append([])
        elif self.tables and tag == "tr":
            self.tables[-1].append([])
        elif self.tables and tag in ("td", "th"):
            self.cell = []

    def handle_data(self, data):
        if self.cell is not None:
            self.cell.append(data)

    def handle_endtag(self, tag):
        if tag in ("td", "th") and self.cell is not None:
            self.tables[-1][-1].append([part for part in self.cell if part.strip()])
            self.cell = None
        elif tag == "section":
            self.cell = None

parser = Tables()
parser.feed(text)
grids = [grid for grid in study["over"] if len(grid["axes"]) < 2]
if len(parser.tables) != len(grids):
    problems.append(f"{len(parser.tables)} tables, {len(grids)} grids")
for grid, table in zip(grids, parser.tables):
    shown = [m for m in range(len(study["measures"])) if study["over"][0]["measures"][m]["count"][0] > 0]
    for m, row in zip(shown, table[1:]):
        is_share = study["measures"][m]["is_share"]
        form = (lambda value: f"{100 * value:.1f}") if is_share else (lambda value: f"{value:.4g}")
        for group, cell in enumerate(row[1:]):
            found = {name: grid["measures"][m][name][group] for name in ("count", "value", "low", "high")}
            wanted = ["\u2013"]
            if found["value"] is not None:
                wanted = [form(found["value"]) + (" %" if is_share else "")]
                if found["low"] is not None:
                    wanted.append(f'{form(found["low"])} to {form(found["high"])}' + (" %" if is_share else ""))
                if found["count"] < grid["trials"][group]:
                    wanted.append(f'n = {found["count"]}')
            checked += 1
            if cell != wanted:
                problems.append(f"the table over {grid['axes']} says {cell}, not {wanted}")
for problem in problems[:10]:
    print("PROBLEM", problem)
print("checked", checked, "pairs", len(pairs), "drawn", len(drawn), "directions", len(directions["tables"]) if directions else 0)
sys.exit(len(problems) > 0)
EOF

for study in around plain; do
  "$STAGGER" sweep $study.yaml --out $study --quiet >log 2>&1
  [ -s $study/summary.csv ] || fail "no summary of $study: $(head -3 log)"
  run 0 report $study -o $study.html
  "$python" compare.py $study.html $study >$study.checked 2>&1 || fail "$study: $(tail -5 $study.checked)"
done
has plain.checked "pairs 0 drawn 0 directions 0"
has around.checked "pairs 3 drawn 1 directions 3"
grep -q ",stopped: " around/trials.csv || fail "no trial was stopped"

# With a script the page has the data, and leaves it to the script to draw them.
mkdir script
echo 'document.title = "with a script";' >script/page.js
STAGGER_REPORT_PAGE=script run 0 report around -o scripted.html
for text in 'id="figures"' 'id="directions"' 'id="study-plots"' 'id="summary"' 'id="trials"' '<noscript>'; do
  has scripted.html "$text"
done
! grep -q '<svg' scripted.html || fail "results are drawn beside the script"
data() { grep -o 'id="stagger-data">.*</script>' "$1" | sed 's/ -o [a-z]*\.html//'; }
[ "$(data scripted.html)" = "$(data around.html)" ] || fail "with a script the data are others"

[ "$failed" -eq 0 ] && echo "a study's page has the figures of its trials"
[ "$failed" -eq 0 ]

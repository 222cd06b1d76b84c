#!/bin/bash
# Every figure of a study's summary.csv, computed again from its trials.csv with numpy and scipy.
# Usage: STAGGER=program SOURCE=source-folder statistics.sh
set -u
[ -x "${STAGGER:-}" ] || { echo "set STAGGER to the program"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export STAGGER_SCENES="$SOURCE/scenes"

python=
for candidate in python3 /usr/bin/python3; do
  "$candidate" -c 'import numpy, scipy.stats' 2>err && { python=$candidate; break; }
done
[ -n "$python" ] || { echo "SKIP statistics: needs Python with numpy and scipy: $(tail -1 err)"; exit 77; }

# Some trials fall, some are stopped as runaways, and to some a metric does not apply.
cat >study.yaml <<'END'
scene: hit_stand
seed: 7
repeats: 8
set: [duration=1.3, "events.0.time=[0.1, 0.3]"]
axes:
  events.0.impulse: {values: [20, 60, 90], name: impulse}
  events.0.direction: {values: [0, 180], name: direction}
  world.max_speed: {values: [100, 5], name: limit}
  characters.man.drive.strength: {random: {low: 0.8, high: 1.2}, name: strength}
END
"$STAGGER" sweep study.yaml --out results --quiet >out 2>err
status=$?
[ "$status" -eq 3 ] || { echo "FAIL stagger sweep: exit status $status, not 3: $(head -3 err)"; exit 1; }

cat >check.py <<'END'
import csv, math, sys
import numpy
from scipy import stats

AXES = ["impulse", "direction", "limit"]
RESAMPLES = 10000
OWN_RESAMPLES = 4000  # tables recomputed here

trials = list(csv.DictReader(open("results/trials.csv", newline="")))
summary = list(csv.DictReader(open("results/summary.csv", newline="")))
failures = []


def number(text):
    return float(text) if text != "" else math.nan


def fail(row, what, value, expected):
    failures.append("%s: %s is %s, not %s" % ({k: v for k, v in row.items() if v}, what, value, expected))


def expect(row, what, expected, tolerance=0):
    value = number(row[what])
    if math.isnan(value) and math.isnan(expected):
        return
    if not abs(value - expected) <= tolerance * max(1, abs(expected)):
        fail(row, what, row[what], repr(expected))


# Wilson's interval of a share in clusters with y successes of n trials each, as described in statistics.h, and the
# number of independent trials with the same interval.
def share_interval(y, n):
    m, count, p = len(n), n.sum(), y.sum() / n.sum()
    if m == count:
        effective = count
    elif m < 2 or p in (0, 1):
        effective = m
    else:
        variance = m / (m - 1) * ((y - p * n) ** 2).sum() / count**2
        simple = p * (1 - p) / (count - 1)
        t = stats.t.ppf(0.975, [count - 1, m - 1])
        effective = min(count, count * simple / variance * (t[0] / t[1]) ** 2) if variance > 1e-15 else count
    z = stats.norm.ppf(0.975)
    middle, reach = p + z**2 / (2 * effective), z * math.sqrt(p * (1 - p) / effective + z**2 / (4 * effective**2))
    return (middle - reach) / (1 + z**2 / effective), (middle + reach) / (1 + z**2 / effective), effective


# The medians that resamples of sorted values can have, and the chance of each: of odd counts the middle value, of even
# ones the mean of the two in the middle, the a-th and the b-th of the values. By counting: a is the k-th smallest of n
# draws and b the next when k of them are up to a, the largest just a, and the others from b on, the smallest just b.
def median_distribution(values):
    n, k = len(values), len(values) // 2
    places = numpy.arange(1, n + 1)
    if n % 2 == 1:
        up_to = stats.binom.sf(k, n, places / n)
        return values, numpy.diff(numpy.concatenate([[0], up_to]))
    below = (places / n) ** k - ((places - 1) / n) ** k
    above = ((n - places + 1) / n) ** k - ((n - places) / n) ** k
    chance = math.comb(n, k) * numpy.outer(below, above)
    lower = numpy.diff(numpy.concatenate([[0], stats.binom.sf(k - 1, n, places / n)]))  # of the k-th smallest
    for a in range(n):
        chance[a, a] = lower[a] - chance[a, a + 1:].sum()
        chance[a, :a] = 0
    medians = numpy.add.outer(values, values) / 2
    order = numpy.argsort(medians, axis=None)
    return medians.flatten()[order], chance.flatten()[order]


# Chances that a resample's median is below x, and that it is not above x.
def chances(medians, chance, x):
    return chance[medians < x - 1e-12 * abs(x)].sum(), chance[medians <= x + 1e-12 * abs(x)].sum()


# Medians of resamples of clusters.
def cluster_medians(values, clusters):
    order = numpy.argsort(values)
    names, places = numpy.unique(clusters, return_inverse=True)
    weights = random.multinomial(len(names), numpy.full(len(names), 1 / len(names)), OWN_RESAMPLES)
    below = numpy.cumsum(weights[:, places[order]], axis=1)
    total, rows = below[:, -1:], values[order]
    return (rows[(below < (total + 1) // 2).sum(axis=1)] + rows[(below < total // 2 + 1).sum(axis=1)]) / 2


# An end of an interval is a quantile of 10000 resamples: a share of all resamples with its standard error, 5 of which
# are exceeded once in two million times. Here the share is exact for single values, else that of the resamples here.
def check_interval(row, values, clusters):
    low, high = number(row["median_low"]), number(row["median_high"])
    m = len(set(clusters))
    if m < 6:
        if not (math.isnan(low) and math.isnan(high)):
            fail(row, "median_low", low, "empty")
        return
    tail = stats.norm.cdf(-stats.t.ppf(0.975, m - 1) * math.sqrt(m / (m - 1)))
    if m == len(values):
        medians, chance = median_distribution(numpy.sort(values))
        assert abs(chance.sum() - 1) < 1e-9, chance.sum()
        variance = tail * (1 - tail) / RESAMPLES
    else:
        medians, chance = cluster_medians(values, clusters), numpy.full(OWN_RESAMPLES, 1 / OWN_RESAMPLES)
        variance = tail * (1 - tail) * (1 / RESAMPLES + 1 / OWN_RESAMPLES)
    margin = 5 * math.sqrt(variance)
    for what, end, share in (("median_low", low, tail), ("median_high", high, 1 - tail)):
        below, up_to = chances(medians, chance, end)
        if not (below <= share + margin and up_to >= share - margin):
            fail(row, what, end, "the quantile of %g: %.4f of all are below, %.4f not above" % (share, below, up_to))


def check_sample(row, values, clusters):
    check_interval(row, values, clusters)
    values = numpy.sort(values)
    n = len(values)
    quantiles = numpy.quantile(values, [0, 0.25, 0.5, 0.75, 1]) if n > 0 else [math.nan] * 5
    expect(row, "mean", values.mean() if n > 0 else math.nan, 1e-14)
    expect(row, "deviation", values.std(ddof=1) if n > 1 else math.nan, 1e-13)
    for what, value in zip(("min", "quartile_1", "median", "quartile_3", "max"), quantiles):
        expect(row, what, value)


def check_share(row, answers, clusters):
    if len(answers) == 0:
        found = [math.nan] * 4
    else:
        places = numpy.unique(clusters, return_inverse=True)[1]
        found = answers.mean(), *share_interval(numpy.bincount(places, answers), numpy.bincount(places))
    for what, value in zip(("share", "share_low", "share_high", "effective"), found):
        expect(row, what, value, 1e-5)


def label(metric, text):
    return text.split(":")[0] if metric == "status" else text


def check(row):
    metric, fixed = row["metric"], {axis: row[axis] for axis in AXES if row[axis] != ""}
    if len(fixed) != {"all": 0, "axis": 1, "cell": len(AXES)}[row["scope"]]:
        fail(row, "scope", row["scope"], fixed)
    group = [trial for trial in trials if all(float(trial[axis]) == float(fixed[axis]) for axis in fixed)]
    expect(row, "trials", len(group))
    # The metrics of incomplete trials do not count.
    group = [t for t in group if t[metric] != "" and (metric in ("status", "ok") or t["status"] == "complete")]
    values, clusters = [trial[metric] for trial in group], numpy.array([int(trial["repeat"]) for trial in group])
    expect(row, "count", len(group))
    expect(row, "repeats", len(set(clusters)))
    if row["label"] != "":
        check_share(row, numpy.array([label(metric, text) == row["label"] for text in values], float), clusters)
    elif row["unit"] == "bool":
        check_share(row, numpy.array([text == "1" for text in values], float), clusters)
    else:
        check_sample(row, numpy.array([float(text) for text in values]), clusters)


random = numpy.random.default_rng(1)
for row in summary:
    check(row)

# Every scope has every metric, and every label that occurs.
columns = list(trials[0])
columns = columns[columns.index("status"):]
texts = [c for c in columns if c == "status" or c.endswith("recovery_strategy")]
rows = sum(len({label(c, t[c]) for t in trials if t[c] != ""}) if c in texts else 1 for c in columns)
scopes = 1 + (3 + 2 + 2) + 12
if len(summary) != rows * scopes:
    failures.append("%d rows, not %d for each of %d scopes" % (len(summary), rows, scopes))

# The test covers these cases.
statuses = {label("status", trial["status"]) for trial in trials}
fell = [trial["man.fell"] for trial in trials]
stopped = [trial["man.fell"] for trial in trials if trial["status"] != "complete"]
if statuses != {"complete", "stopped"} or not 0 < fell.count("1") < len(fell) or "0" not in stopped:
    failures.append("the study has too little in it: %s, %d fell" % (statuses, fell.count("1")))

print("%d rows of %d trials, %d wrong" % (len(summary), len(trials), len(failures)))
print("\n".join(failures[:10]))
sys.exit(len(failures) > 0)
END
"$python" check.py || { echo "FAIL the summary is not that of its trials"; exit 1; }

# The same if it is made again from the finished table.
cp results/summary.csv first.csv
"$STAGGER" sweep study.yaml --out results --resume --quiet >out 2>err
cmp first.csv results/summary.csv || { echo "FAIL made again, the summary is another"; exit 1; }
echo "passed"

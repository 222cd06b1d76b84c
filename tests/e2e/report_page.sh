#!/bin/bash
# Reports in a browser: replay, plots, a study's charts and table, and the page without script or without WebGL.
# Usage: STAGGER=program SOURCE=source-folder report_page.sh; REPORT_PAGE: the folder with page.js and node_modules
set -u
[ -x "${STAGGER:-}" ] || { echo "set STAGGER to the program"; exit 1; }
page="${REPORT_PAGE:-$(dirname "$STAGGER")/report_page}"
chromium=$(command -v chromium || command -v chromium-browser || true)
[ -s "$page/page.js" ] || { echo "SKIP the page of reports was not bundled: $page/page.js is not there"; exit 77; }
[ -d "$page/node_modules/playwright-core" ] || { echo "SKIP playwright-core is not in $page/node_modules"; exit 77; }
[ -n "$chromium" ] || { echo "SKIP there is no chromium"; exit 77; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export STAGGER_SCENES="$SOURCE/scenes" STAGGER_REPORT_PAGE="$page"

die() {
  echo "FAIL $*"
  cat log
  exit 1
}

# A run with a hit at 3 s, and a study with two axes, one of them drawn.
"$STAGGER" run hit_assist --duration 3.6 --trace run.h5 --quiet >log 2>&1
[ -s run.h5 ] || die "no trace"
"$STAGGER" report run.h5 -o run.html >log 2>&1 || die "stagger report run.h5: exit status $?"

cat >small.yaml <<EOF
purpose: Does a push topple a standing man?
scene: hit_stand
repeats: 2
set: [duration=2]
axes:
  events.0.direction: {values: [0, 90, 180, 270], name: direction}
  events.0.impulse: {values: [20, 150], name: impulse}
metrics: [man.fell, man.peak_pose_error, man.recovery_strategy]
traces:
  - {trials: [0, 9]}
EOF
"$STAGGER" sweep small.yaml --out study --quiet >log 2>&1 || die "stagger sweep: exit status $?"
"$STAGGER" report study -o study.html >log 2>&1 || die "stagger report study: exit status $?"

# The trace's values, read by another program; without h5py the page's own data are the reference.
/usr/bin/python3 - >truth.json 2>/dev/null <<'EOF' || echo null >truth.json
import h5py, json
with h5py.File("run.h5") as trace:
    runner = trace["characters/runner"]
    frames = [0, 60, 181, 200]
    print(json.dumps({
        "time": [float(trace["time"][i]) for i in frames],
        "root": [runner["pose/output/root_position"][i].ravel().tolist() for i in frames],
        "target": [runner["pose/target/root_position"][i].ravel().tolist() for i in frames],
        "force": [runner["assist/force"][i].ravel().tolist() for i in frames]}))
EOF

CHROMIUM="$chromium" NODE_PATH="$page/node_modules" PLAYWRIGHT="$page/node_modules/playwright-core/index.mjs" \
  node "$SOURCE/tests/e2e/report_page.mjs" run.html study.html truth.json

#!/bin/bash
# Figures beside those of people: on standard output, in the page and as JSON, of a trace and of a study.
# Usage: STAGGER=program SOURCE=source-folder report_human.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

# A scene that names its protocol has the section in any case; the table is printed where it is asked for.
run 0 run laboratory/platform_sideways --duration 2 --quiet --trace side.h5
run 0 report side.h5 --no-pictures -o plain.html
has plain.html "Beside people"
grep -q "Beside people" out && fail "a table nobody asked for"
run 0 report side.h5 --no-pictures --human -o side.html
has side.html "Beside people"
has out "Beside people (protocol: platform_sideways)"
has out "time to lift-off of the first step"
has out "10.1186/s12877-020-01650-4"
has out "figures that were read in their sources or derived from them"

# As JSON, which replaces its like and nothing else.
run 0 report side.h5 --human -o side.json
run 0 report side.h5 --human -o side.json
python3 - <<'END' || fail "side.json"
import json
report = json.load(open("side.json"))
assert report["format"] == "stagger-human" and report["protocol"] == "platform_sideways", report
figures = {figure["metric"]: figure for figure in report["figures"]}
assert set(figures) == {"first_step_lift_off", "first_step_length"}, figures
counted = [figure for figure in report["figures"] if figure["counted"]]
assert report["score"] == {"inside": sum(figure["inside"] for figure in counted), "of": len(counted)}, report
lift_off = figures["first_step_lift_off"]
assert lift_off["band"] == [161, 513] and lift_off["inside"] == (161 <= lift_off["value"] <= 513), lift_off
END
echo '{}' >other.json
run 2 report side.h5 --human -o other.json

# Figures that need the run without its hit, for which the scene is run again.
run 0 run laboratory/head_push --duration 2 --quiet --trace head.h5
run 0 report head.h5 --human -o head.json
has out "first change of the neck's torque"
run 0 report head.h5 --no-pictures -o head.html
has head.html "No figure of people fits this run"

# The same for an obstacle, through which his feet pass in the other run; which strategy fits depends on its phase.
run 0 run laboratory/trip_early --set expect=[] --quiet --trace trip.h5
run 0 report trip.h5 --human -o trip.json
python3 - <<'END' || fail "trip.json"
import json
figures = {figure["metric"]: figure for figure in json.load(open("trip.json"))["figures"]}
assert set(figures) == {"struck_leg_command_onset", "trip_elevates"}, figures
onset = figures["struck_leg_command_onset"]
assert onset["band"] == [60, 140] and 0 < onset["value"] < 800 and "Schillings" in onset["source"], onset
END

# No protocol: no section.
run 0 run stand_push --duration 2 --set 'expect=[]' --quiet --trace push.h5
run 0 report push.h5 --no-pictures -o push.html
grep -q "Beside people" push.html && fail "a section nobody asked for"

# A study: medians and the trials inside.
cat >sizes.yaml <<'END'
scene: laboratory/push
repeats: 2
set: [duration=2.5]
axes:
  events.0.impulse: {values: [50, 70, 90], name: impulse}
metrics: [man.fell, man.first_step_lift_off, man.first_step_length]
END
run 0 sweep sizes.yaml --out sizes
run 0 report sizes --human -o sizes.html
has out "how far size decides when the step begins (R2)"
has sizes.html "Beside people"
run 0 report sizes --human -o sizes.json
has sizes.json '"protocol":	"push"'

[ $failed -eq 0 ]

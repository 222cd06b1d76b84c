#!/bin/bash
# stagger report: one file that is complete by itself, with the values of the run, of traces and of studies.
# Usage: STAGGER=program SOURCE=source-folder report.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"
export STAGGER_REPORT_PAGE="$folder/no_script"

has() { grep -qF -- "$2" "$1" || fail "no '$2' in $1: $(head -c 300 "$1")"; }
lacks() { ! grep -qF -- "$2" "$1" || fail "'$2' in $1"; }

# Whether a page is well formed: balanced tags, unique ids, pictures that are XML, data that are JSON, no external
# references. Prints its contents.
cat >check.py <<'END'
import base64, html.parser, json, re, struct, sys, xml.etree.ElementTree as xml

VOID = {"meta", "img", "br", "link", "input", "hr"}
text = open(sys.argv[1], encoding="utf-8").read()
problems = []

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids = [], []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("src", "href") and not value.startswith(("data:", "#")):
                problems.append(f"{tag} {name} leads outside: {value[:60]}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            problems.append(f"</{tag}> closes nothing, line {self.getpos()[0]}")

page = Page()
page.feed(text)
page.close()
if page.open:
    problems.append(f"not closed: {page.open}")
if len(set(page.ids)) != len(page.ids):
    problems.append(f"ids twice: {sorted(page.ids)}")
if re.search(r"https?://", text):
    problems.append("an address: " + re.search(r".{30}https?://.{30}", text, re.S).group())
for picture in re.findall(r"<svg.*?</svg>", text, re.S):
    try:
        xml.fromstring(picture.replace("&#160;", " "))
    except xml.ParseError as error:
        problems.append(f"SVG: {error}: {picture[:80]}")
if re.search(r"\bnan\b|\binf\b", re.sub(r"<script.*?</script>|<pre>.*?</pre>", "", text, flags=re.S)):
    problems.append("nan or inf in the page")
data = json.loads(re.search(r'<script type="application/json" id="stagger-data">(.*?)</script>', text, re.S).group(1))

def arrays(value, path=""):
    if isinstance(value, dict) and "data" in value and "shape" in value:
        yield path, value
    elif isinstance(value, (dict, list)):
        for key, item in (value.items() if isinstance(value, dict) else enumerate(value)):
            yield from arrays(item, f"{path}/{key}")

for path, array in arrays(data):
    count = 1
    for size in array["shape"]:
        count *= size
    if len(base64.b64decode(array["data"], validate=True)) != count * {"f32": 4, "i32": 4, "i16": 2}[array["type"]]:
        problems.append(f"{path}: not {array['shape']} of {array['type']}")
if data["format"] != "stagger-report" or data["version"] != 2:
    problems.append("no report's data")
for problem in problems[:10]:
    print("PROBLEM", problem)
print("kind", data["kind"], "title", data["title"], "traces", len(data["traces"]))
if "study" in data:
    print("done", data["study"]["done"], "of", data["study"]["trials"], "rows", len(data["study"]["rows"]["status"]))
print("pictures", text.count("<svg"), "images", text.count("<img"))
END
python=$(command -v /usr/bin/python3 || command -v python3)
[ -n "$python" ] || echo "SKIP the check of pages: there is no python3"
check() {
  [ -n "$python" ] || return
  "$python" check.py "$1" >checked 2>&1 || fail "$1: $(tail -3 checked)"
  if grep -q PROBLEM checked; then fail "$1: $(grep PROBLEM checked)"; fi
}

# Usage.
run 0 report --help
has out "usage: stagger report TRACE.h5 | STUDY_DIR"
run 2 report
is err "stagger report: a trace or the folder of a study is missing
see 'stagger report --help'"
run 2 report a.h5 b.h5
has err "more than one input: b.h5"
run 2 report a.h5 -o -
has err "a page needs a file"
run 2 report .
has err "use --out"

# A trace: the page has the values of the run.
run 1 run hit_run --duration 4 --trace hit.h5 --metrics hit.json --set 'expect=[fell == 0, distance > 50]' --quiet
cp hit.h5 kept.h5
run 0 report hit.h5 --no-pictures
has out "hit.html: "
has err "no replay and no interactive plots"
lacks err "no pictures"
cmp -s hit.h5 kept.h5 || fail "the report changed the trace"
check hit.html
[ -z "$python" ] || has checked "kind trace title hit_run traces 1"
for text in "<!DOCTYPE html>" "<h1>hit_run</h1>" "1 of 2 expectations does not hold" "hand_r" "distance &gt; 50" \
  'id="replay" hidden' "peak_pose_error" "peak pose error, RMS over joints" "deg RMS" "largest joint" \
  "Curves are of the recorded frames, 60 a second" "stagger report hit.h5 --no-pictures" "bodies/human.yaml"; do
  has hit.html "$text"
done
lacks hit.html "<img"
value=$(sed -n 's/.*"peak_torque":[^0-9]*\([0-9]*\)\.\([0-9]\).*/\1/p' hit.json | head -1)
[ -n "$value" ] || fail "no peak_torque in hit.json"
grep -A1 '>peak_torque<' hit.html | grep -q "$value\." || fail "the page has another peak_torque than $value"
size=$(stat -c %s hit.html)
[ "$size" -lt 2500000 ] || fail "the page of 4 s has $size bytes"

# The same again, bit for bit; an older page is replaced, nothing else.
cp hit.html first.html
run 0 report hit.h5 --no-pictures
cmp -s hit.html first.html || fail "two reports of one trace differ"
cp hit.json other.html
run 2 report hit.h5 -o other.html
is err "other.html: exists and is not a report of Stagger, so it is not replaced"
cmp -s hit.json other.html || fail "a report changed JSON"
run 2 report hit.h5 -o hit.h5
cmp -s hit.h5 kept.h5 || fail "a report changed its trace"
run 2 report hit.h5 -o nowhere/page.html
absent nowhere
run 3 report hit.h5 -o /dev/full

# Foreign texts stay text.
cat >evil.yaml <<'END'
purpose: "</script><script>alert(1)</script> & <img src=x> \"'"
duration: 0.5
characters: [{name: doll, body: bodies/human.yaml}]
END
run 0 run evil.yaml --trace evil.h5 --quiet
run 0 report evil.h5 -o evil.html --no-pictures
check evil.html
lacks evil.html "<script>alert"
lacks evil.html "<img src=x"

# Runs that did not end.
run 3 run limp.yaml --set world.max_speed=2 --set 'expect=[recovery_time < 1]' --trace stopped.h5 --quiet
run 0 report stopped.h5 --no-pictures
check stopped.html
has stopped.html "stopped: "
has stopped.html "not reached"
"$STAGGER" run hit_run --duration 36000 --trace killed.h5 --quiet >/dev/null 2>&1 &
process=$!
wait_for_frames killed.h5 60
kill -9 "$process"
wait "$process" 2>/dev/null
run 0 report killed.h5 --no-pictures
check killed.html
has killed.html "running"
has killed.html "its metrics were not recorded"

# No trace, no study.
run 2 report nothing.h5
has err "nothing.h5"
absent nothing.html
run 2 report hit.json
has err "hit.json: not an HDF5 file"
head -c 40000 hit.h5 >short.h5
run 2 report short.h5
absent short.html
mkdir empty
run 2 report empty
is err "empty: is not the folder of a study: it has no study.yaml that can be read"
absent empty.html

# Pictures: without a viewer that can draw there are figures, and a note with the reason.
mkdir bin
cp "$STAGGER" bin/stagger
printf '#!/bin/sh\nexit 2\n' >bin/stagger-view
chmod +x bin/stagger-view
bin/stagger report hit.h5 -o drawn.html >out 2>err || fail "a report without pictures: $(cat err)"
has err "no pictures, drawn figures instead: stagger-view cannot draw here"
has drawn.html 'class="figures"'
lacks drawn.html "<img"
rm -f bin/stagger-view
printf '\x89PNG\r\n\x1a\n 12345' >picture.png
printf '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" != --png ] || cp "%s" "$2"; shift; done\n' "$folder/picture.png" >bin/stagger-view
chmod +x bin/stagger-view
bin/stagger report hit.h5 -o pictured.html >out 2>err || fail "a report with pictures: $(cat err)"
has pictured.html "data:image/png;base64,$(base64 <picture.png)"
check pictured.html

# The script, if there is one.
mkdir script
echo 'document.title = "with a script";' >script/page.js
echo '.with-a-script { color: red; }' >script/page.css
STAGGER_REPORT_PAGE=script "$STAGGER" report hit.h5 -o scripted.html --no-pictures >out 2>err || fail "$(cat err)"
is err ""
has scripted.html 'document.title = "with a script";'
has scripted.html ".with-a-script"

# A study, first half of it.
cat >small.yaml <<'END'
purpose: Does he fall?
scene: stand
set: [duration=0.5]
repeats: 2
axes:
  characters.stander.drive.strength: {values: [0.9, 1], name: strength}
  world.solver: [step, iterative]
metrics: [stander.fell, stander.peak_pose_error]
traces: [{trials: [0, 5]}]
END
run 0 sweep small.yaml --out study --limit 5 --jobs 1 --quiet
run 0 report study --no-pictures
check study.html
[ -z "$python" ] || has checked "done 5 of 8 rows 5"
has study.html "5 of 8 trials so far"
run 0 sweep small.yaml --out study --resume --jobs 1 --quiet
run 0 report study/ -o whole.html
check whole.html
[ -z "$python" ] || has checked "kind study title small traces 2"
[ -z "$python" ] || has checked "done 8 of 8 rows 8"
for text in "complete: 8 trials" "Does he fall?" 'id="figures"' 'id="study-plots"' '<title>over strength and world.solver</title>' "Trial 5: " \
  "stagger sweep small.yaml"; do
  has whole.html "$text"
done
cp whole.html again.html
run 0 report study/ -o whole.html
cmp -s whole.html again.html || fail "two reports of one study differ"
grep -q "kept traces are in this page" whole.html && fail "all traces are there"
sed -i 's/repeats: 2/repeats: 4/; s/trials: .*}/repeats: 4}/' small.yaml
run 0 sweep small.yaml --out many --jobs 2 --quiet
run 0 report many --no-pictures
has many.html "12 of the 16 kept traces are in this page, spread evenly over their list from the lowest to the highest"
# Files that were moved away since: the study is complete with its traces.
mv small.yaml elsewhere.yaml
STAGGER_SCENES="$folder/none" run 0 report study -o moved.html
# A trace that is damaged is reported, the rest is shown.
head -c 30000 study/traces/trial_000005.h5 >part && mv part study/traces/trial_000005.h5
run 0 report study -o damaged.html
has err "no replay of trial 5: "
check damaged.html
echo "9,9" >>study/trials.csv
run 2 report study -o damaged.html
has err "trials.csv"

[ "$failed" -eq 0 ] && echo "reports say what was run"
[ "$failed" -eq 0 ]

#!/bin/bash
# A study of responses: dose-response curves, distances of parts, times of peaks; the same for any number of workers.
# Usage: STAGGER=program SOURCE=source-folder dose.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"
export STAGGER_REPORT_PAGE="$folder/no_script"

# Two parts, two sizes, from the front and from behind, twice each.
sed 's/\[head, .*shin_l\]/[head, thigh_l]/; s/from: 0, to: 315, steps: 8/values: [0, 180]/; s/\[5, 10, .*80\]/[10, 20]/
  s/repeats: 8/repeats: 2/; s/duration=3/duration=2.1/' "$SOURCE/scenes/studies/dose.yaml" >small.yaml
run 0 sweep small.yaml --jobs 2 --out two
has out "Responses over impulse: median of the mean angle over joints and 0.8 s, deg"
has out "Part-dependence: mean distance of responses to hits on two parts over their mean size"
run 0 sweep small.yaml --jobs 1 --out one --limit 5 --quiet
run 0 sweep small.yaml --jobs 1 --out one --resume --quiet
for file in trials.csv trials.h5 summary.csv responses.bin dose.csv; do
  cmp -s "one/$file" "two/$file" || fail "$file depends on the number of workers"
done
[ "$(grep -c ',complete,' two/trials.csv)" -eq 16 ] || fail "not 16 trials: $(cat two/trials.csv)"

# Harder pushes move him more; the head's response is not the thigh's.
figure() { awk -F, -v key="$1" 'index($0, key ",") == 1 {print $8}' two/dose.csv; }
above() { awk -v value="$1" -v least="$2" 'BEGIN {exit !(value != "" && value > least)}' || fail "$3: '$1', not above $2"; }
above "$(figure hit_response_size,head,,20,all,deg)" "$(figure hit_response_size,head,,10,all,deg)" "20 N s on the head"
above "$(figure hit_response_size,thigh_l,,20,all,deg)" "$(figure hit_response_size,thigh_l,,10,all,deg)" "20 N s on the thigh"
above "$(figure distance,head,thigh_l,20,front,deg)" 1 "distance of head and thigh"
above "$(figure part_dependence,,,20,front,)" 0.5 "part-dependence"
# Impulses change fastest: of each pair of trials the larger one is two rows below. Column 11 is the size of the response.
rising=$(awk -F, 'NR > 1 {size[$1] = $11} END {for (i = 0; i < 16; i++) if (i % 4 < 2) n += size[i + 2] > size[i]; print n / 8}' \
  two/trials.csv)
[ "$(figure rising,,,,all,share)" = "$rising" ] || fail "of 8 pairs rise $(figure rising,,,,all,share), not $rising"

# trials.h5 has the responses of which the figures are made.
python=$(command -v /usr/bin/python3 || command -v python3)
if [ -n "$python" ] && "$python" -c 'import h5py' 2>/dev/null; then
  "$python" - <<'END' || fail "the responses of trials.h5 are not those of trials.csv"
import h5py, numpy
file = h5py.File("two/trials.h5")
block = file["responses"]
assert block.shape == (16, 48, 16, 3) and block.dtype == numpy.int16 and len(block.attrs["labels"]) == 16, block
angles = numpy.linalg.norm(block[:].astype(float) * block.attrs["scale"], axis=3)
sizes = numpy.degrees(angles[:, :, 1:].mean(axis=(1, 2)))
assert numpy.allclose(sizes, file["man.hit_response_size"], atol=0.005), (sizes, file["man.hit_response_size"][:])
END
fi

# The page has curves, matrices and times; the picture stands alone.
run 0 report two -o two.html --no-pictures
for text in 'id="dose"' "Dose-response curves" "Times of peaks" ">thigh_l<" "Part-dependence" "struck part"; do has two.html "$text"; done
run 0 report two -o two.svg
has two.svg '<svg xmlns="http://www.w3.org/2000/svg" class="dose"'
[ -z "$python" ] || "$python" -c 'import xml.etree.ElementTree as xml; xml.parse("two.svg")' || fail "two.svg is no XML"

# Without the responses the page says so, and has all else.
rm two/responses.bin
run 0 report two -o less.html --no-pictures
has err "no doses: two/responses.bin: No such file"
grep -qF 'id="dose"' less.html && fail "doses without responses"

# A study that does not ask for responses has none.
sed -i '/^responses/d' small.yaml
run 0 sweep small.yaml --out plain --limit 1 --quiet
absent plain/responses.bin

[ $failed -eq 0 ] && echo "responses grow with the push and differ by the part"
exit $((failed > 0))

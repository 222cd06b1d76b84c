#!/bin/bash
# A real recording (a boxer, from Debian's assimp-testmodels) is retargeted and followed by the physical body: ten seconds
# without a fall, close to the recording, with a limited assist that is reported. Needs STAGGER.
set -eu
bvh=/usr/share/assimp/models/BVH/Boxing_Toes.bvh
if [ ! -f $bvh ]; then
  echo "SKIP $bvh is not there"
  exit 77
fi
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

cat >boxer.yaml <<YAML
import: $bvh
loop: false
keep_root: true
from: 2
to: 12
YAML
cat >scene.yaml <<'YAML'
purpose: A recorded boxer on a physical body.
duration: 10
terrain: {kind: flat}
characters:
  - {name: man, body: bodies/human.yaml, animation: {move: boxer.yaml}, hit_reaction: {tone: 0.7}, assist: {enabled: true, force: 600, torque: 150}}
expect:
  - man.fell == 0
  - man.rms_pose_error < 2       # deg
  - man.mean_assist_force < 300  # N, of a body of 736 N
  - man.peak_assist_force < 600.1
YAML
"$STAGGER" run scene.yaml --trace run.h5 --quiet || fail "the boxer does not hold"
"$STAGGER" inspect run.h5 | grep -q "boxer.yaml" || fail "the trace does not carry the clip"
rm boxer.yaml # the trace stands alone
"$STAGGER" replay run.h5 | grep -q "every step is the same" || fail "the replay differs"
echo "ok"

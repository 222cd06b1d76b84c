#!/bin/bash
# The same bits on every processor: no function of the C library that depends on the processor is called, and recorded
# scenes are repeated without AVX2 and fused multiply-add.
# Usage: STAGGER=program SOURCE=source-folder processors.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"
build=$(dirname "$STAGGER")

# The panels of the viewer are C++ of Dear ImGui and simulate nothing.
functions='_*(a?(sin|cos|tan)h?|sincos|atan2|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|hypot|cbrt)(f|l)?(_finite)?'
for folder in sim anim ragdoll scenes viewer; do
  find "$build/CMakeFiles/stagger_$folder.dir" -name '*.c.o' -exec nm -u {} + | awk '{ print $2 }' | grep -xE "$functions" &&
    fail "$folder calls these of the C library: sim/base/elementary.h"
done

replay_without() {
  run 0 run "$1" --quiet --duration 3 --set "world.solver=$2" --set expect=[] --trace run.h5
  GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4 run 0 replay run.h5
  rm -f run.h5
}
for scene in fall_getup limp hit_props slope_free hit_run; do
  for solver in step iterative reduced; do replay_without "$scene" "$solver"; done
done

[ "$failed" -eq 0 ] && echo "15 runs repeated"
[ "$failed" -eq 0 ]

#!/bin/sh
# Holds the #include lines to the design: viewer -> scenes -> ragdoll -> anim -> sim, no file includes to the left, and
# each library is included only where it belongs. Usage: SOURCE=folder include_chain.sh
set -eu
cd "${SOURCE:-$(dirname "$0")/..}"
status=0

includes() {
  find "$@" -name '*.[ch]' -o -name '*.cpp' 2>/dev/null | sort | xargs -r grep -nHE '^[[:space:]]*#[[:space:]]*include'
}

# forbid WHY PATTERN EXCEPT FOLDER...: no #include in the folders matches PATTERN, but for the files matching EXCEPT.
forbid() {
  why=$1 pattern=$2 except=$3
  shift 3
  found=$(includes "$@" | grep -E "include[[:space:]]*$pattern" | grep -vE "^($except):") || return 0
  echo "$why:"
  echo "$found" | sed 's/^/  /'
  status=1
}
nothing='-'

forbid "sim includes to the left" '"(anim|ragdoll|scenes|viewer|tests)/' $nothing sim
forbid "anim includes to the left" '"(ragdoll|scenes|viewer|tests)/' $nothing anim
forbid "ragdoll includes to the left" '"(scenes|viewer|tests)/' $nothing ragdoll
forbid "scenes includes to the left" '"(viewer|tests)/' $nothing scenes
forbid "viewer includes the command line or the tests" '"(scenes/cli|tests)/' $nothing viewer
forbid "the library of scenes includes its command line" '"scenes/cli/' 'scenes/cli/[^:]*' scenes

for folder in graph layers planner; do
  others=$(echo '(graph|layers|planner)' | sed "s/$folder|//; s/|$folder//")
  if [ -d anim/$folder ]; then
    forbid "anim/$folder includes its neighbours" "\"anim/$others/" $nothing anim/$folder
  fi
done
forbid "the core of anim includes graph, layers or planner" '"anim/(graph|layers|planner)/' \
  'anim/(graph|layers|planner)/[^:]*' anim
forbid "anim knows the physical world by more than its Ground" '"sim/(world/|terrain/terrain)' $nothing anim

judges='ragdoll/character/(character|character_(metrics|feet|state))\.[ch]|ragdoll/character/foot_platform\.[ch]'
forbid "control includes the judge's headers" '"(ragdoll/character/character_(metrics|feet)\.h|sim/metrics/)' "$judges" ragdoll

forbid "SDL and OpenGL outside viewer" '[<"](SDL|epoxy/|GL/|imgui)' $nothing sim anim ragdoll scenes tests
forbid "HDF5 outside sim" '[<"](hdf5|H5)' $nothing anim ragdoll scenes viewer
forbid "ODE outside sim and ragdoll" '[<"]ode/' $nothing anim scenes viewer
forbid "MPI outside scenes" '[<"]mpi' $nothing sim anim ragdoll viewer tests
forbid "libyaml outside sim/base/document*.c" '[<"]yaml' 'sim/base/document[a-z_]*\.c' sim anim ragdoll scenes viewer
forbid "cglm in sim outside convert.h" '[<"]cglm/' 'sim/world/convert\.h' sim
forbid "an include that does not start at the top folder" '"([^/"]*"|\.)' $nothing sim anim ragdoll scenes viewer

# ODE's functions and types by name as well, but in comments and in GLSL (dFdx).
names=$(grep -rnE '\bd[A-Z][A-Za-z0-9]+(\(|ID\b)|\bdReal\b|\bdVector3\b|\bdMass\b' anim scenes viewer \
  --include='*.c' --include='*.h' --include='*.cpp' | grep -vE ':[0-9]+:[[:space:]]*//|dFd[xy]\(' || true)
if [ -n "$names" ]; then
  echo "ODE's names outside sim and ragdoll (sim/world/world_body.h has what they are wanted for):"
  echo "$names" | sed 's/^/  /'
  status=1
fi

[ $status -eq 0 ] && echo "the #include lines keep to the chain"
exit $status

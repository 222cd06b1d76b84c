#!/bin/bash
# Scenes on the reduced solver: their expectations hold there too. Pushes with recovery steps, props, a trip, a limp
# fall, a body of four legs, stepping stones, bodies that push each other. Usage: STAGGER=program SOURCE=source-folder
# reduced_solver.sh
# shellcheck source=tests/e2e_common.sh
. "$SOURCE/tests/e2e_common.sh"

for scene in stand_push hit_props trip limp lizard_attack terrain_stones crowd_collision; do
  run 0 run $scene --quiet --set world.solver=reduced
done

# A fall twice: the same to the bit.
run 0 run limp --quiet --set world.solver=reduced --trace first.h5
run 0 run limp --quiet --set world.solver=reduced --trace second.h5
run 0 compare first.h5 second.h5

[ "$failed" -eq 0 ]

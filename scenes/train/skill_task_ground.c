// The ground of each copy of a scene in which a skill learns.
#include <math.h>
#include <stdio.h>

#include "scenes/train/skill_task_internal.h"
#include "sim/base/rng.h"

static void change(SkillGround *changes, const char *key, double value) {
  snprintf(changes->text[changes->count++], sizeof changes->text[0], "%s=%.6g", key, value);
}

SkillGround skill_task_ground(const SkillTask *task, int index) {
  const SkillStage *stage = &task->stage;
  SkillGround changes = {.count = 0};
  char consumer[64];
  snprintf(consumer, sizeof consumer, "ground.%d.%d", task->stage_number, index);
  Rng rng = rng_make((uint64_t)task->seed, consumer);
  double share = rng_unit(&rng) * stage->roughness, slope = rng_range(&rng, stage->slope[0], stage->slope[1]);
  double bearing = rng_range(&rng, -M_PI / 2, M_PI / 2); // of the rise: ahead 0, to the left above 0
  bool slopes = index % 2 == 1 && stage->slope[0] != stage->slope[1];
  const TerrainDef *ground = &task->scene->terrain;
  bool stairs = ground->kind == TERRAIN_STAIRS;
  const char *kind = slopes ? "slope" : share <= 0 ? "flat" : stairs ? "stairs" : "noise";
  snprintf(changes.text[changes.count++], sizeof changes.text[0], "terrain.kind=%s", kind);
  change(&changes, "terrain.roll", slopes ? slope * sin(bearing) : 0);
  if (slopes)
    change(&changes, "terrain.pitch", slope * cos(bearing));
  else if (stairs)
    change(&changes, "terrain.rise", (index / 2 % 2 == 0 ? 1 : -1) * share * ground->rise);
  else
    change(&changes, "terrain.amplitude", share * ground->amplitude);
  change(&changes, "seed", rng_index(&rng, 1000000));
  if (slopes && task->rises) // who falls does so on the slope, not on the level ground before it
    change(&changes, "terrain.start", -1000);
  return changes;
}

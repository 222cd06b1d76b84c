// What the metrics see of each frame.
#include <string.h>

#include "ragdoll/character/character.h"
#include "ragdoll/character/character_feet.h"

void character_sample_metrics(Character *character) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  bool shows_body = pose_is_same(&character->measured, &character->output);
  ModelPose measured, output;
  pose_legs_to_model(skeleton, &character->measured, &measured);
  if (!shows_body)
    pose_legs_to_model(skeleton, &character->output, &output);
  const Pose *poses[3] = {&character->target, &character->measured, &character->output};
  MetricsFrame frame = {
      .time = character->world->time, .joint_count = skeleton->count, .ground_height = character->root_position[1]};
  for (int i = 0; i < 3; i++) {
    frame.rotation[i] = (const float(*)[4])(const void *)poses[i]->rotation;
    memcpy(frame.root_position[i], poses[i]->position[0].raw, sizeof frame.root_position[i]);
  }
  character_sample_feet(character, &measured, shows_body ? &measured : &output, &frame);
  metrics_frame(character->metrics, &frame);
}

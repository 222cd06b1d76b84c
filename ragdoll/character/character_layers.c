// Fills in the inputs of layers, applies them to the target pose, and fades them as script and graph require.
#include "ragdoll/character/character_layers.h"

#include <string.h>

#include "ragdoll/character/character_fall.h"
#include "ragdoll/character/character_jump.h"
#include "ragdoll/character/character_root.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

LayerStep character_layer_step(const Character *character, double dt, Pose *pose_w, FootPlan *plans) {
  const Intent *intent = &character->intent;
  LayerStep step = {.skeleton = &character->def->body->skeleton,
                    .ground = &character->ground,
                    .dt = dt,
                    .heading = character->root.heading,
                    .turn_rate = character->root.turn_rate,
                    .wanted_heading = character_wanted_heading(character),
                    .look_yaw = intent->look_yaw * RAD_PER_DEGREE,
                    .look_pitch = intent->look_pitch * RAD_PER_DEGREE,
                    .targets = character->targets,
                    .target_count = character->target_count,
                    .pelvis_drop = character->sensed.pelvis_drop,
                    .animation_m = &character->animation_m,
                    .pose_w = pose_w,
                    .plans = plans};
  double wanted[3];
  character_wanted_velocity(character, wanted);
  step.wanted_velocity[0] = wanted[0];
  step.wanted_velocity[1] = wanted[2];
  memcpy(step.root_position, character->root.position, sizeof step.root_position);
  memcpy(step.root_velocity, character->root.velocity, sizeof step.root_velocity);
  memcpy(step.ground_velocity, character->root.ground_velocity, sizeof step.ground_velocity);
  return step;
}

// The index of a layer among those that the graph fades; -1: none.
static int find_track(const GraphDef *graph, const char *layer) {
  for (int i = 0; graph && i < graph_layer_count(graph); i++)
    if (strcmp(graph_layer_name(graph, i), layer) == 0)
      return i;
  return -1;
}

// The wanted weight of a layer is that of scene, script and user, multiplied by the factor of the graph's present
// states. It is 0 while falling, getting up and jumping; layers restart when the character stands.
static void want(Character *character) {
  bool idle = character_fall_leads(character) || !character_jump_has_layers(character);
  for (int i = 0; i < character->layers.count; i++) {
    int track = character->layer_track[i];
    float left = idle ? 0 : track >= 0 ? character->play.graph.layers[track] : 1;
    layers_want(&character->layers, i, (double)(character->layer_wanted[i] * left));
  }
}

bool character_layers_init(Character *character, Error *error) {
  LayerStep step = character_layer_step(character, 0, &character->target, character->foot_plans);
  LayerList *layers = &character->layers;
  if (!layers_init(layers, &character->def->layers, &step))
    return error_set(error, "out of memory for the layers of character %s", character->def->name);
  for (int i = 0; i < layers->count; i++) {
    character->layer_wanted[i] = layers->layers[i].wanted;
    character->layer_track[i] = find_track(character->def->graph, layers->layers[i].def->name);
  }
  want(character);
  for (int i = 0; i < layers->count; i++)
    layers->layers[i].weight = layers->layers[i].wanted;
  return true;
}

// Converts the pose in the world to the root's frame.
static void take_over(Character *character) {
  character->animation_m = character->target;
  character_root_frame(character, &character->animation_m);
}

void character_layers_apply(Character *character, double dt) {
  if (character->layers.count == 0)
    return;
  LayerStep step = character_layer_step(character, dt, &character->target, character->foot_plans);
  if (dt > 0 && character->def->root.follow > 0)
    layers_rebase(&character->layers, &character->root.rebase);
  want(character);
  layers_apply(&character->layers, &step);
  take_over(character);
}

void character_layers_want(Character *character) {
  for (int i = 0; i < character->layers.count; i++)
    character->layer_wanted[i] = (float)character->def->layers.layers[i].blend.weight;
}

void character_layers_fade(void *context, const char *layer, double weight) {
  Character *character = context;
  int index = layers_find(&character->layers, layer);
  if (index >= 0)
    character->layer_wanted[index] = (float)weight;
}

// Connects a character to its animation graph: inputs in each step, events, and the rotation of the root by clips.
#include "ragdoll/character/character_graph.h"

#include <math.h>
#include <string.h>

#include "ragdoll/character/character_root.h"
#include "sim/base/numbers.h"

// m/s: slower clips and roots count as on the spot.
static const double ON_THE_SPOT = 0.05;

// Largest pace of a clip at which feet are synchronised with the root.
static const double FASTEST_PACE = 1.6;

// rad/s: clips that turn more slowly do not turn the root.
static const double SLOWEST_TURN = 0.05;

static const char *const PARAMETERS[GRAPH_INPUT_COUNT] = {
    [GRAPH_SPEED] = "speed",
    [GRAPH_FORWARD] = "forward",
    [GRAPH_LEFT] = "left",
    [GRAPH_TURN] = "turn",
    [GRAPH_STAGGER] = "stagger",
    [GRAPH_STAGGER_LEFT] = "stagger_left",
    [GRAPH_STAGGER_FORWARD] = "stagger_forward",
    [GRAPH_DOWN] = "down",
};

static double root_speed(const Character *character) {
  return hypot(character->root.speed[0], character->root.speed[1]);
}

static void find_inputs(const Character *character, double inputs[GRAPH_INPUT_COUNT]) {
  const float *stagger = character->hit_reaction.stagger;
  double left = (double)(stagger[STAGGER_LEFT] - stagger[STAGGER_RIGHT]);
  double forward = (double)(stagger[STAGGER_FORWARD] - stagger[STAGGER_BACKWARD]);
  double most = fmax(fabs(left), fabs(forward));
  double turn = remainder(character_wanted_heading(character) - character->root.heading, 2 * M_PI);
  inputs[GRAPH_SPEED] = root_speed(character);
  inputs[GRAPH_FORWARD] = character->root.speed[0];
  inputs[GRAPH_LEFT] = character->root.speed[1];
  inputs[GRAPH_TURN] = turn / RAD_PER_DEGREE;
  // opposite hits cancel, so that the direction never flips
  inputs[GRAPH_STAGGER] = fmin(1, fabs(left) + fabs(forward));
  inputs[GRAPH_STAGGER_LEFT] = most > 0 ? left / most : 0;
  inputs[GRAPH_STAGGER_FORWARD] = most > 0 ? forward / most : 0;
  inputs[GRAPH_DOWN] = character->down ? 1 : 0;
}

static void set_inputs(const Character *character, Graph *graph) {
  double inputs[GRAPH_INPUT_COUNT];
  find_inputs(character, inputs);
  for (int i = 0; i < GRAPH_INPUT_COUNT; i++) {
    if (character->graph_inputs[i] >= 0)
      graph_set(graph, character->graph_inputs[i], inputs[i]);
  }
}

void character_graph_inputs(Character *character) {
  const GraphDef *graph = character->def->graph;
  for (int i = 0; i < GRAPH_INPUT_COUNT; i++)
    character->graph_inputs[i] = graph ? graph_parameter(graph, PARAMETERS[i]) : -1;
}

Graph *character_graph_create(const Character *character, Error *error) {
  Graph *graph = graph_create(character->def->graph, character->world->seed, character->def->name, error);
  for (int i = 0; graph && i < graph_parameter_count(character->def->graph); i++)
    graph_set(graph, i, character->def->graph_values[i]);
  if (!graph)
    return NULL;
  set_inputs(character, graph);
  graph_begin(graph);
  return graph;
}

// Pace, clip seconds per second, at which the feet do not slip.
static double find_pace(const Character *character) {
  if (character->play.graph.root_motion.share > 0) // the root moves with the clip
    return 1;
  double clip_speed = character->play.graph.clip_speed;
  return clip_speed > ON_THE_SPOT ? fmin(root_speed(character) / clip_speed, FASTEST_PACE) : 1;
}

// A character that has been hit or is losing its balance makes no gestures.
static bool is_disturbed(const Character *character) {
  const Balancer *balance = &character->balance;
  bool catches =
      balance->def.enabled && balance->mode == BALANCE_STEPPING && !balance->walking && !balance->realigning_feet;
  for (int i = 0; i < RESPONSES_MAX_BLOWS; i++)
    catches = catches || character->responses.blows[i].active;
  return catches;
}

void character_graph_step(Character *character, double dt) {
  set_inputs(character, character->graph);
  graph_disturb(character->graph, is_disturbed(character));
  graph_change_pace(character->graph, character_change_pace(character));
  graph_step(character->graph, dt, find_pace(character), &character->play.graph);
  pose_copy(&character->play.graph.pose, &character->animation_m);
}

void character_graph_event(void *character, const char *name) {
  Graph *graph = ((Character *)character)->graph;
  if (graph)
    graph_event(graph, name);
}

bool character_graph_turns(const Character *character, double *turn_rate) {
  *turn_rate = character->play.graph.root_turn_rate;
  bool turned_already = character->play.graph.root_motion.share > 0; // by the clips' root motion
  return character->graph && !turned_already && root_speed(character) < ON_THE_SPOT && fabs(*turn_rate) > SLOWEST_TURN;
}

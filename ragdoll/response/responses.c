// Stores the last blows and applies the responses to the target pose in order.
#include "ragdoll/response/responses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ragdoll/response/responses_internal.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

PARAM_TABLE(responses_params, ResponsesDef, RESPONSES_PARAMS, "responses",
            "Responses of a struck character, beside the passive reaction of its body.")

static const double FORGOTTEN = 5;       // s after which a blow is forgotten
static const double CALMING_TIME = 0.5;  // s until somebody who was about to fall attends to other things again
static const double PAIN_EXPONENT = 1.5; // small blows hurt hardly at all
static const double INSIDE = 0.5;        // share of a part's half size within which a point is inside, not on its skin
static const double SHARP_TIME = 0.02;   // s: a blow that lasts longer hurts by its force, not by its impulse

void responses_init(Responses *responses, const ResponsesDef *def, const BodyDef *body, uint64_t seed, int index) {
  char name[32];
  snprintf(name, sizeof name, "responses.%d", index);
  *responses = (Responses){
      .def = *def, .rng = rng_make(seed, name), .thrown = {.x = 0, .z = 1}, .arms_uneven = {1, 1}, .calm_time = 60};
  responses->able = fall_body_find(&responses->body, body);
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    responses->strength[i] = 1;
}

// A random factor around 1.
static double vary(Responses *responses) {
  double most = responses->def.variation;
  return rng_range(&responses->rng, 1 - most, 1 + most);
}

// The blow that an impulse belongs to; a new one takes the place of the oldest.
static Blow *find_blow(Responses *responses, int part, int event) {
  Blow *oldest = &responses->blows[0];
  for (int i = 0; i < RESPONSES_MAX_BLOWS; i++) {
    Blow *blow = &responses->blows[i];
    if (blow->active && blow->part == part && blow->event == event)
      return blow;
    if (oldest->active && (!blow->active || blow->age > oldest->age))
      oldest = blow;
  }
  *oldest = (Blow){.active = true, .part = part, .event = event, .late = vary(responses), .size = vary(responses)};
  for (int i = 0; i < 2; i++)
    responses->arms_uneven[i] = vary(responses) * vary(responses);
  return oldest;
}

// Where the skin was touched, m, part's frame: a push that acts inside a part, as one without a point does, touched the
// side that it comes from. The section of the part counts as an ellipse.
static vec3s touched_place(const Ragdoll *ragdoll, int part, vec3s impulse_l, vec3s point_l) {
  const PartDef *struck = &ragdoll->def->parts[part];
  const ShapeDef *shape = &struck->shapes[0];
  vec3s center = vec3_from_ode(ragdoll->com_l[part]), out = glms_vec3_sub(point_l, center);
  double reach[2] = {shape_half_size(shape, 0), shape_half_size(shape, 2)};
  double level = hypot((double)impulse_l.x, (double)impulse_l.z);
  double depth = hypot((double)out.x / reach[0], (double)out.z / reach[1]);
  if (struck->shape_count == 0 || depth > INSIDE || !(level > 0))
    return point_l;
  double way[2] = {-(double)impulse_l.x / level, -(double)impulse_l.z / level};
  double distance = 1 / hypot(way[0] / reach[0], way[1] / reach[1]);
  return (vec3s){{center.x + (float)(distance * way[0]), point_l.y, center.z + (float)(distance * way[1])}};
}

void responses_strike(Responses *responses, const Ragdoll *ragdoll, int part, int event, const double impulse[3],
                      const double point[3]) {
  if (!responses->able || !responses->def.enabled || !(length3(impulse) > 0))
    return;
  Blow *blow = find_blow(responses, part, event);
  vec3s arm_w = glms_vec3_sub(vec3_from_ode(point), response_place(ragdoll, part));
  versors to_part = glms_quat_conjugate(response_rotation(ragdoll, part));
  vec3s impulse_l = glms_quat_rotatev(to_part, vec3_from_ode(impulse));
  blow->point_l = touched_place(ragdoll, part, impulse_l, glms_quat_rotatev(to_part, arm_w));
  for (int axis = 0; axis < 3; axis++)
    blow->impulse[axis] += impulse[axis];
  double share = length3(blow->impulse) / (responses->def.tolerance * sqrt(ragdoll->def->parts[part].mass));
  blow->jolt = 1 - exp(-pow(share, PAIN_EXPONENT));
  blow->pain = fmax(blow->pain, 1 - exp(-pow(share / (1 + blow->age / SHARP_TIME), PAIN_EXPONENT)));
  blow->hand = response_choose_hand(responses, ragdoll, blow);
}

void responses_step(Responses *responses, const ResponseStep *step) {
  if (!responses->able || !responses->def.enabled)
    return;
  memset(responses->tension, 0, sizeof responses->tension);
  memset(responses->lifts, 0, sizeof responses->lifts);
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    responses->strength[i] = 1;
  responses->busy = fmax(step->beyond, responses->busy - step->h / CALMING_TIME);
  response_arms(responses, step);
  for (int i = 0; i < RESPONSES_MAX_BLOWS; i++) {
    Blow *blow = &responses->blows[i];
    if (!blow->active)
      continue;
    response_startle(responses, blow, step);
    response_bow(responses, blow, step);
    response_look(responses, blow, step);
    response_guard(responses, blow, step);
    response_reach(responses, blow, step);
    response_buckle(responses, blow, step);
    response_hop(responses, blow, step);
    blow->age += step->h;
    blow->active = blow->age < FORGOTTEN;
  }
}

void responses_state(Responses *responses, StateStream *stream) {
  state_rng(&responses->rng, stream);
  STATE(stream, responses->arms_out, responses->arms_velocity, responses->arms_uneven, responses->arms_time,
        responses->calm_time, responses->thrown.x, responses->thrown.z, responses->busy, responses->tension,
        responses->strength, responses->lifts);
  for (int i = 0; i < RESPONSES_MAX_BLOWS; i++) {
    Blow *blow = &responses->blows[i];
    STATE(stream, blow->active, blow->event, blow->age, blow->impulse, blow->point_l.raw, blow->pain, blow->jolt,
          blow->late, blow->size);
    state_int(stream, &blow->part, 0, BODY_MAX_PARTS - 1);
    STATE_CHOICE(stream, blow->hand, RESPONSE_NO_HAND + 1);
  }
}

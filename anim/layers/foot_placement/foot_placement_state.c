// Saves and restores foot placement: each foot with its lock, its swing, its ground and sole profile, and the springs
// of the pelvis.
#include "anim/layers/foot_placement/foot_placement_internal.h"

static void sole_state(SoleProfile *sole, StateStream *stream) {
  STATE(stream, sole->known, sole->lift, sole->rise, sole->uneven, sole->blocked, sole->at, sole->yaw,
        sole->supported_rays);
}

static void ground_state(FootGround *ground, StateStream *stream) {
  STATE(stream, ground->found, ground->place, ground->normal, ground->velocity, ground->turn_rate, ground->supported,
        ground->supported_rays, ground->support_span, ground->drop, ground->blocked, ground->met);
  STATE(stream, ground->start, ground->hit);
  STATE_CHOICE(stream, ground->refusal, FOOT_REFUSAL_COUNT);
  sole_state(&ground->sole, stream);
}

static void hull_state(SwingHull *hull, StateStream *stream) {
  state_int(stream, &hull->count, 0, FOOT_CORNERS);
  STATE(stream, hull->along, hull->height, hull->length, hull->way, hull->normal);
}

static void foot_state(PlacedFoot *foot, StateStream *stream) {
  STATE(stream, foot->active, foot->plant_weight, foot->plant_goal, foot->plant_speed, foot->weight, foot->place,
        foot->normal, foot->shift, foot->turn, foot->nudge, foot->lead);
  STATE(stream, foot->standing, foot->let_go, foot->dragged, foot->touched, foot->lost, foot->refused, foot->lock_shift,
        foot->lock_turn, foot->base_shift, foot->base_turn, foot->held, foot->held_yaw, foot->support_span, foot->drop,
        foot->dip);
  STATE(stream, foot->from, foot->from_normal, foot->spot_moved, foot->spot, foot->progress, foot->begin,
        foot->animated, foot->shown, foot->offset, foot->lacking, foot->extension);
  STATE(stream, foot->hip.raw, foot->goal.raw, foot->goal_rotation.raw, foot->push.value, foot->push.velocity);
  STATE_CHOICE(stream, foot->refusal, FOOT_REFUSAL_COUNT);
  hull_state(&foot->hull, stream);
  ground_state(&foot->ground, stream);
}

void foot_placement_state(const FootPlacementDef *def, FootPlacement *placement, StateStream *stream) {
  STATE(stream, placement->begun, placement->settles, placement->mask, placement->drop, placement->drop_velocity,
        placement->held_drop, placement->shift, placement->shift_velocity, placement->ahead);
  for (int i = 0; i < def->count; i++)
    foot_state(&placement->feet[i], stream);
}

// Foot placement: fits the feet of what plays to uneven ground and keeps the animation's style. The animation stands on
// its own level ground, at the height of the leading root; each foot is carried over to the true one, its sole on it.
//
//   - {kind: foot_placement}
//   - {kind: foot_placement, rotation_limit: 30, plant: false}
//
// Three rays for each foot, from `ray_start_height` above the ankle down to foot_height + extra_ray_distance below it:
// at the ankle (height), a foot length ahead (pitch), half a foot's width to the side (roll). Yaw is the animation's.
// Who knows the foot's plan (foot_plan.h) has planted feet locked in the world, and swings that rise over what lies on
// their way and come down where the foot will stand. The pelvis sinks so that the leg that is worst off reaches.
//
// Sources: parameters and steps of the Mec Foot Placer article and asset, as collected in its public documentation.
#ifndef STAGGER_ANIM_LAYERS_FOOT_PLACEMENT_H
#define STAGGER_ANIM_LAYERS_FOOT_PLACEMENT_H

#include "anim/layers/layer.h"

#define FOOT_PLACEMENT_PARAMS(ROW, T)                                                                                  \
  ROW(T, VECTOR, up, "[0, 1, 0]", -1, 1, "-", "Against the rays; made a unit vector.")                                 \
  ROW(T, REAL, ray_start_height, "0.5", 0, 10, "m", "Rays start so far above the ankle.")                              \
  ROW(T, REAL, foot_length, "0", 0, 2, "m", "From the ankle's ray to the toe's. 0: as the skeleton's sole has it.")    \
  ROW(T, REAL, foot_half_width, "0", 0, 1, "m", "To the side ray. 0: as the skeleton's sole has it.")                  \
  ROW(T, REAL, foot_height, "0", 0, 1, "m", "Ankle over sole. 0: as the skeleton's sole has it.")                      \
  ROW(T, REAL, extra_ray_distance, "0.3", -1, 10, "m", "Rays end so far below the animation's sole.")                  \
  ROW(T, REAL, rotation_limit, "45", 0, 89, "deg", "Farthest that a foot is tilted with the ground.")                  \
  ROW(T, REAL, steepest, "60", 0, 89, "deg", "Steeper ground is a wall: it carries no foot.")                          \
  ROW(T, REAL, transition_time, "0.2", 0, 10, "s", "From the animation to the ground when a ray hits, and back.")      \
  ROW(T, VECTOR, hint_offset, "[0, 0, 0]", -10, 10, "m", "Added to where the knees point, root's frame.")              \
  ROW(T, BOOL, plant, "true", 0, 1, "", "Whether standing feet are locked in the world.")                              \
  ROW(T, REAL, plant_distance, "0.3", 0, 10, "m", "A planted foot lets go when the animation's is farther away.")      \
  ROW(T, REAL, plant_angle, "60", 0, 180, "deg", "A planted foot lets go when the animation's has turned farther.")    \
  ROW(T, REAL, pelvis_drop, "0.3", 0, 10, "m", "Farthest that the pelvis sinks so that feet reach.")                   \
  ROW(T, REAL, pelvis_damp, "0.1", 0, 10, "s", "Time of the spring that smooths the pelvis' height.")                  \
  ROW(T, REAL, stretch, "0.99", 0.5, 1, "-", "Longest distance from hip to ankle, of the leg's length.")

typedef struct FootPlacementDef {
  FOOT_PLACEMENT_PARAMS(PARAM_FIELD, FootPlacementDef)
  Leg legs[SKELETON_MAX_LEGS];
  int count;
} FootPlacementDef;

typedef struct FootPlacement FootPlacement; // its state, plain data, see below

extern const ParamTable foot_placement_params;

// The eight functions of a foot placer, for who drives it by hand (demos, tests, games). foot: index of the leg; others
// are ignored, or inactive. speed: 1/s of the weight's way from 0 to 1; 0 or less: at once.
void foot_placement_set_active(FootPlacement *placement, int foot, bool active);
bool foot_placement_is_active(const FootPlacement *placement, int foot);
void foot_placement_enable_plant(FootPlacement *placement, int foot, double speed);
void foot_placement_disable_plant(FootPlacement *placement, int foot, double speed);
void foot_placement_set_plant_weight(FootPlacement *placement, int foot, double weight); // 0 .. 1, at once
double foot_placement_get_plant_weight(const FootPlacement *placement, int foot);
void foot_placement_set_ray_mask(FootPlacement *placement, unsigned mask); // GROUND_ALL at first; see ground.h
unsigned foot_placement_get_ray_mask(const FootPlacement *placement);

// Def: FootPlacementDef, state: FootPlacement. Rows of the trace: legs.
extern const LayerKind foot_placement_layer;

#endif

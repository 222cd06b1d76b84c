// Between the biped's files: how a step of it is made.
#ifndef STAGGER_ANIM_LAYERS_BIPED_BIPED_INTERNAL_H
#define STAGGER_ANIM_LAYERS_BIPED_BIPED_INTERNAL_H

#include "anim/layers/biped/biped.h"

#define BIPED_GRAVITY 9.81 // m/s^2

static inline double mix(double a, double b, double share) { return a + (b - a) * share; }

// rad, of a foot that stands (progress of its stance 0 .. 1) or swings, toes up; and its slope per unit of progress.
double biped_stance_pitch(const BipedGait *gait, double progress);
double biped_swing_pitch(const BipedGait *gait, double progress);
double biped_swing_pitch_slope(const BipedGait *gait, double progress);

// 0 .. 1 of a foot's stance.
double biped_stance_progress(const BipedGait *gait, const BipedFoot *foot);

// From the flat foot's footprint (middle of the sole) to its ankle, level frame of the foot's yaw: z forward, y up; for
// a foot pitched about the edge on which it stands.
void biped_roll(const BipedLeg *leg, double pitch, double *y, double *z);

// Where a foot rests under the body, x and z of the world, for a root at `position` with a heading.
void biped_rest(const BipedDef *def, const BipedGait *gait, int leg, const double position[3], double heading,
                double rest[2]);

// The smoothed root, the gait and the phase go on; then the feet.
void biped_walk(const BipedDef *def, Biped *biped, const LayerStep *step);

// No foot goes faster, m/s.
double biped_most_speed(const LayerStep *step);

// A foot begins to swing, from a phase of its cycle to another, which is above 1 in the next cycle.
void biped_lift_foot(const BipedDef *def, Biped *biped, const LayerStep *step, int leg, double lift_phase,
                     double land_phase);

// The pelvis: rotation against the bind pose and place of the middle of the hips, world.
typedef struct BipedHips {
  versors turn; // of the model frame
  vec3s place;  // m
} BipedHips;

// Before it sinks for its legs.
BipedHips biped_hips(const BipedDef *def, const Biped *biped, const LayerStep *step);

// Heels rise and the pelvis sinks so that legs reach; a foot that cannot be reached lets go.
void biped_reach(const BipedDef *def, Biped *biped, const LayerStep *step, BipedHips *hips);

// Puts the root joint, the trunk, the head and the arms.
void biped_place_body(const BipedDef *def, const Biped *biped, const LayerStep *step, const BipedHips *hips);

// Puts the joints of the legs.
void biped_place_legs(const BipedDef *def, Biped *biped, const LayerStep *step, const BipedHips *hips);

#endif

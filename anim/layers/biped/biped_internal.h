// Declarations shared by the biped's files: the parts of its step.
#ifndef STAGGER_ANIM_LAYERS_BIPED_BIPED_INTERNAL_H
#define STAGGER_ANIM_LAYERS_BIPED_BIPED_INTERNAL_H

#include "anim/layers/biped/biped.h"

#define BIPED_GRAVITY 9.81 // m/s^2

// Pitch in rad, toes up, of a standing or a swinging foot (progress 0 .. 1 of its stance or swing); and its slope per
// unit of progress.
double biped_stance_pitch(const BipedGait *gait, double progress);
double biped_swing_pitch(const BipedGait *gait, double progress);
double biped_swing_pitch_slope(const BipedGait *gait, double progress);

// Progress of a foot's stance, 0 .. 1.
double biped_stance_progress(const BipedGait *gait, const BipedFoot *foot);

// Vector from the level foot's footprint (middle of the sole) to the ankle of the foot pitched about the edge on which
// it stands. Horizontal frame of the foot's yaw: z forward, y up.
void biped_roll(const BipedLeg *leg, double pitch, double *y, double *z);

// Rest position of a foot, x and z of the world, for a root at `position` with a heading.
void biped_rest(const BipedDef *def, const BipedGait *gait, int leg, const double position[3], double heading,
                double rest[2]);

// Advances the smoothed root, the gait, its phase, and the feet.
void biped_walk(const BipedDef *def, Biped *biped, const LayerStep *step);

// Limit of a foot's speed, m/s.
double biped_most_speed(const LayerStep *step);

// A foot begins to swing, from one phase of its cycle to another, which is above 1 if in the next cycle.
void biped_lift_foot(const BipedDef *def, Biped *biped, const LayerStep *step, int leg, double lift_phase,
                     double land_phase);

// The pelvis: rotation relative to the bind pose, and the middle of the hips, world frame.
typedef struct BipedHips {
  versors turn; // of the model frame
  vec3s place;  // m
} BipedHips;

// The hips before they are lowered for the legs.
BipedHips biped_hips(const BipedDef *def, const Biped *biped, const LayerStep *step);

// Raises heels and lowers the pelvis so that legs reach; a foot that cannot be reached lets go.
void biped_reach(const BipedDef *def, Biped *biped, const LayerStep *step, BipedHips *hips);

// Poses the root joint, the trunk, the head and the arms.
void biped_place_body(const BipedDef *def, const Biped *biped, const LayerStep *step, const BipedHips *hips);

// Poses the joints of the legs.
void biped_place_legs(const BipedDef *def, Biped *biped, const LayerStep *step, const BipedHips *hips);

#endif

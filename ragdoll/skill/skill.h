// A skill: a small neural network, trained by reinforcement learning, that moves a body as an animation wants it, with
// nothing but the torques of the joints. Some ten times a second it reads what the body does compared with its target,
// and turns the goals of the joints away from the target; the drives do the rest, within their exact limits.
//
// Everything is seen from the frame that the character is heading to (x left, y up, z ahead). An animation that repeats
// itself after half a cycle with left and right exchanged, as walking and running do, can be learnt from one half: in
// the other half the network sees the world in a mirror (`mirror`).
#ifndef STAGGER_RAGDOLL_SKILL_SKILL_H
#define STAGGER_RAGDOLL_SKILL_SKILL_H

#include "anim/clip.h"
#include "ragdoll/body/sense_noise.h"
#include "ragdoll/skill/skill_network.h"
#include "sim/terrain/ground.h"

// The first inputs of every skill, and the number of each: height of the pelvis over its target (m), its rotation to
// the target (rad), its up and forward axes, its velocity (m/s) and angular velocity (rad/s) relative to the target's.
enum {
  SKILL_HEIGHT,
  SKILL_TILT,
  SKILL_UP = SKILL_TILT + 3,
  SKILL_FORWARD = SKILL_UP + 3,
  SKILL_VELOCITY = SKILL_FORWARD + 3,
  SKILL_TURN = SKILL_VELOCITY + 3,
};

// Inputs of joint rates are rates times this.
#define SKILL_RATE_UNIT 0.1

// The last inputs of a skill that sees the slope (`slope`): rise of the ground ahead and to the left, m/m. A network
// that has learnt without them takes this for their standard deviation when it learns on.
enum { SKILL_SLOPE_INPUTS = 2 };
#define SKILL_SLOPE_DEVIATION 0.1f

enum { SKILL_MAX_INPUTS = NETWORK_MAX_INPUTS, SKILL_MAX_ACTIONS = NETWORK_MAX_OUTPUTS, SKILL_NAME_SIZE = 64 };

#define SKILL_PARAMS(ROW, T)                                                                                           \
  ROW(T, REAL, rate, "30", 5, 240, "Hz", "Decisions per second, rounded to a whole number of steps.")                  \
  ROW(T, REAL, delay, "0", 0, 0.2, "s",                                                                                \
      "Age of what a decision is made of, as senses and nerves are late: at most 4 decisions, rounded to whole "       \
      "steps.")                                                                                                        \
  ROW(T, REAL, gain, "1", 0.01, 10, "-", "Factor on stiffness and damping of joints that carry no legs.")              \
  ROW(T, REAL, leg_gain, "0.25", 0.01, 10, "-", "Factor on stiffness and damping of the legs' joints.")                \
  ROW(T, REAL, reach, "1", 0.01, 4, "-",                                                                               \
      "Torque that an action of 1 asks for at first, as a share of the joint's strength: it turns the joint's goal "   \
      "by strength / stiffness times this.")                                                                           \
  ROW(T, REAL, farthest, "0.5", 0.01, 3, "rad", "Largest rotation of a goal by an action of 1.")                       \
  ROW(T, REAL, pace, "0.3", 0, 0.9, "-", "Largest change of the animation's pace by the last action.")                 \
  ROW(T, BOOL, mirror, "false", 0, 1, "", "The second half of the cycle is the first, mirrored.")                      \
  ROW(T, REAL, mirror_sway, "0", 0, 10, "m/s",                                                                         \
      "For what is the same on both sides, as standing: the network sees the world in a mirror once the pelvis moves " \
      "to the left faster than this, until it moves to the right as fast. 0: never.")                                  \
  ROW(T, BOOL, slope, "false", 0, 1, "",                                                                               \
      "The network also sees how the ground rises around the pelvis, ahead and to the left.")                          \
  ROW(T, RANGE, speed, "[0, 10]", -10, 10, "m/s", "Speeds for which the skill was made; others are limited to these.") \
  ROW(T, REAL, acceleration, "100", 0.1, 100, "m/s^2", "Largest change of the speed while the skill leads.")           \
  ROW(T, REAL, turn_rate, "40", 0, 360, "deg/s", "Largest turn rate of the heading while the skill leads.")

typedef struct SkillParams {
  SKILL_PARAMS(PARAM_FIELD, SkillParams)
} SkillParams;

extern const ParamTable skill_params;

// What was seen at one moment.
typedef struct SkillSight {
  float inputs[SKILL_MAX_INPUTS];
  bool mirrored; // they are those of the world in a mirror
} SkillSight;

// Most decisions by which what is seen may be late.
enum { SKILL_MOST_LATE = 4 };

// One input of the network, or one of its outputs.
typedef struct SkillChannel {
  char name[SKILL_NAME_SIZE]; // "thigh_l error x"
  int twin;                   // the channel that takes its place in the mirror
  float sign;                 // and the sign there
} SkillChannel;

// What a skill sees and does; it depends on the body and the parameters only.
typedef struct SkillTable {
  SkillChannel inputs[SKILL_MAX_INPUTS], actions[SKILL_MAX_ACTIONS];
  int input_count, action_count;
  int error_at, rate_at, end_at;       // index of the first input of these: one for each axis, and three for each end
  int ends[BODY_MAX_PARTS], end_count; // parts that carry no other part: feet, hands, head
  int axis_part[3 * BODY_MAX_PARTS], axis[3 * BODY_MAX_PARTS], axis_count; // all axes of all joints
  int action_axis[SKILL_MAX_ACTIONS];   // index of the axis whose goal an action turns; the last action is the pace's
  float action_unit[SKILL_MAX_ACTIONS]; // rad of an action of 1
  double length;                        // m: of the legs
} SkillTable;

typedef struct SkillDef {
  char name[SKELETON_NAME_SIZE];
  SkillParams params;
  const BodyDef *body;
  const BodyDef *trained_with; // another body than `body`, with the same joints; or the same
  const Clip *clip;            // it leads when this clip plays
  SkillTable table;
  SkillNetwork network;
} SkillDef;

// What is wanted of the body and where it stands, once per decision.
typedef struct SkillView {
  const Ragdoll *ragdoll;
  const Ground *ground;
  const JointGoal *goals;        // that follow the target: rotations and velocities of joints
  const float *strength;         // of the joints, 0..1
  const double (*foot_force)[3]; // N, of each leg
  versors pelvis;                // target of the pelvis, heading's frame
  vec3s pelvis_turn;             // rad/s of the target, heading's frame
  vec3s pelvis_velocity;         // m/s of the target, heading's frame
  double pelvis_height;          // m over the ground, of the target
  const Pose *target_m;          // in the root's frame
  double heading, turn_rate;     // rad, rad/s
  double speed;                  // m/s that is wanted along the heading
  double phase;                  // 0..1: time of the clip
  bool mirrored;                 // the animation is mirrored
  const SenseNoise *noise;       // of what is seen of trunk and joints, by the sizes of `senses`; NULL: none
  const DriveDef *senses;
} SkillView;

// Makes the table for a body. Errors: the body has more axes than a network has inputs or outputs.
bool skill_table_make(SkillTable *table, const BodyDef *body, const SkillParams *params, Error *error);

// Whether the network sees the world in a mirror at this moment.
bool skill_sees_mirror(const SkillDef *def, const SkillView *view);

// The inputs of the network, [input_count], finite. last: the actions of the previous decision, [action_count].
void skill_observe(const SkillDef *def, const SkillView *view, const float last[], float inputs[]);

// Actions of the network as actions on the body: in a mirror left and right are exchanged. mirrored: as returned by
// skill_sees_mirror at the time of the observation.
void skill_actions(const SkillDef *def, bool mirrored, const float outputs[], float actions[]);

// The rotations (parent's frame) by which actions turn the goals of the joints, and the factor of the animation's pace.
void skill_interpret(const SkillDef *def, const float actions[], versors turns[BODY_MAX_PARTS], double *pace);

// Turns goals that follow the target, and gives the joints the skill's gains.
void skill_turn_goals(const SkillDef *def, const versors turns[BODY_MAX_PARTS], JointGoal goals[]);

#endif

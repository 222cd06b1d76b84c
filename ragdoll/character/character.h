// A character: its commands (clips, intent), its body (ragdoll, drives, assist), its reaction to hits, and the
// resulting three poses.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_H

#include "anim/clip.h"
#include "anim/graph/graph.h"
#include "anim/graph/inertia.h"
#include "anim/jump_arc.h"
#include "anim/layers/layer_list.h"
#include "anim/layers/look_at/look.h"
#include "anim/planner/policy.h"
#include "ragdoll/balance/balance.h"
#include "ragdoll/body/assist.h"
#include "ragdoll/body/drive.h"
#include "ragdoll/body/inverse_dynamics.h"
#include "ragdoll/body/ragdoll.h"
#include "ragdoll/body/reflex.h"
#include "ragdoll/character/intent.h"
#include "ragdoll/reaction/fall.h"
#include "ragdoll/reaction/fall_pose.h"
#include "ragdoll/reaction/hit_reaction.h"
#include "ragdoll/reaction/muscle_tone.h"
#include "ragdoll/response/responses.h"
#include "ragdoll/shown/foot_lock.h"
#include "ragdoll/skill/skill.h"
#include "sim/base/rng.h"
#include "sim/terrain/ground.h"

#define START_PARAMS(ROW, T)                                                                                           \
  ROW(T, VECTOR, position, "[0, 0, 0]", -2000, 2000, "m",                                                              \
      "Initial position; y is the height above the ground, not above a roof 1 m or more over it; on a mesh, the "      \
      "height of the world, raised to the floor there.")                                                               \
  ROW(T, REAL, heading, "0", -360, 360, "deg", "Initial heading, positive to the left.")

typedef struct StartDef {
  START_PARAMS(PARAM_FIELD, StartDef)
} StartDef;

// How the body differs from its description. The judge and the records know it; control does not: inverse dynamics,
// feed-forward, balance, reflexes, the assist and skills reckon with the masses of the description.
#define ACTUAL_PARAMS(ROW, T)                                                                                          \
  ROW(T, REAL, mass, "1", 0.2, 5, "-",                                                                                 \
      "Factor on the masses and moments of inertia of all parts. Control does not know it.")

typedef struct ActualDef {
  ACTUAL_PARAMS(PARAM_FIELD, ActualDef)
} ActualDef;

// How the leading root follows the intent and the body.
#define ROOT_PARAMS(ROW, T)                                                                                            \
  ROW(T, REAL, ground_smoothing, "0.15", 0.01, 2, "s", "Damping time of the root's height over uneven ground.")        \
  ROW(T, REAL, turn_rate, "180", 1, 3600, "deg/s", "Largest turn rate of the root toward the intended heading.")       \
  ROW(T, REAL, acceleration, "4", 0.1, 1e6, "m/s^2", "Largest acceleration of the root toward the intended speed.")    \
  ROW(T, REAL, follow, "0", 0, 100, "s",                                                                               \
      "Time constant with which the root moves and turns to where its body is, with the feet of its layers; 0: "       \
      "never.")                                                                                                        \
  ROW(T, REAL, leash, "0.25", 0.01, 10, "m", "The root waits for a body that lags behind it by more than this.")       \
  ROW(T, REAL, jump, "0", 0, 1.6, "m",                                                                                 \
      "Widest gap in the ground ahead that is jumped over, with `animation.jump`; 0: none. Below 0.45 m it is "        \
      "stepped "                                                                                                       \
      "over.")

typedef struct RootDef {
  ROOT_PARAMS(PARAM_FIELD, RootDef)
} RootDef;

extern const ParamTable start_params, actual_params, root_params;

enum { CHARACTER_MAX_GOALS = 16, CHARACTER_MAX_SKILLS = 8 };

// Description of a character; immutable and shared.
typedef struct CharacterDef {
  char name[SKELETON_NAME_SIZE];
  const BodyDef *body;
  const GraphDef *graph;                     // the animation; NULL: `move`
  double graph_values[GRAPH_MAX_PARAMETERS]; // initial values of its parameters
  const Clip *move;                          // NULL: the bind pose
  const Clip *stand;                         // what plays while `move` rests; NULL: the bind pose
  const Clip *jump;                          // posture of trunk and arms in a jump; NULL: it does not jump
  const Clip *stagger[STAGGER_COUNT];        // unstable variants of `move` with the same phase, may be NULL
  StartDef start;
  ActualDef actual;
  RootDef root;
  Intent intent;
  int script_next;     // index of the script's next step
  IntentScript script; // changes of the intent
  DriveDef drive;
  AssistDef assist;
  BalanceDef balance;
  FallDef fall;
  const Clip *get_up[GET_UP_COUNT];             // both or none; without them the character stays where it falls
  const SkillDef *skills[CHARACTER_MAX_SKILLS]; // each leads the body while its clip plays
  int skill_count;
  bool on_floor[SKELETON_MAX_JOINTS]; // parts that `move` brings to the ground, besides feet; see character_floor.h
  HitReactionDef hit_reaction;
  ResponsesDef responses;
  LayerListDef layers;                  // on top of the animation
  const PlannerDef *planner;            // finds its own way to goals; NULL: it follows the intent
  const Policy *policy;                 // what the planner has learnt; NULL: nothing yet
  double goals[CHARACTER_MAX_GOALS][2]; // m: x, z, in order
  int goal_count;
} CharacterDef;

// Inputs of a graph that are set in every step, see character_graph.h.
enum {
  GRAPH_SPEED,
  GRAPH_FORWARD,
  GRAPH_LEFT,
  GRAPH_TURN,
  GRAPH_STAGGER,
  GRAPH_STAGGER_LEFT,
  GRAPH_STAGGER_FORWARD,
  GRAPH_DOWN,
  GRAPH_INPUT_COUNT
};

// The state of falling and getting up, see character_fall.h. Names in capitals are the states in which a field is used.
typedef struct CharacterFall {
  FallMachine machine;
  FallBody body;
  bool guards;              // the body can guard itself; otherwise it lies until it is close to its animation again
  double landed;            // FALLING: s since a part other than the feet first touched the ground
  double fall_direction[2]; // FALLING: x and z, unit vector
  Pose held_pose;           // FALLING: the guard; LYING: the pose in which the body came to rest; world
  GetUpEntry entry;         // RISING: clip and time at which it began
  float clip_time;          // RISING: s
  bool assisted;            // RISING: the assist helps
  versors tilt;             // RISING: tilt of the ground on which the body gets up, root's frame
  double lift;              // RISING: m by which bumps of that ground are higher than the ground under the root
  double clip_gap;          // RISING: m between the body and its pose in the clip
  bool facing;              // it has got up and not moved since: it keeps the heading that it had
  double kept_heading;      // rad
  double intended;          // deg: the intent's heading at that time
  Pose from_m;              // the pose from which the target blends since the state changed, root's frame
  double since, match;      // s since the state changed, and duration of the blend
  float strength;           // of the drives, 0..1
} CharacterFall;

// Where a foot stands: the middle of its sole, m, and the direction of its toes, rad about up; world.
typedef struct FootStand {
  double sole[3], yaw;
} FootStand;

// A foot in a jump, see character_jump.h.
typedef struct JumpFoot {
  FootStand held, take_off, landing; // until its step to the place of take-off; there; after the flight
  double step_begin, step_end;       // s since the jump began: that step; equal: it needs none
  double tilt;                       // rad, toes up: of the held foot as the jump began
  vec3s from, velocity;              // m, m/s: of the ankle as its swing began, world
  versors turn;                      // of the foot then
} JumpFoot;

// The state of a jump, see character_jump.h.
typedef struct CharacterJump {
  bool active, returns;           // it has just ended, and the animation is to lead again
  double time;                    // s since it began
  double crouched;                // s: when the crouch is deepest and the arc begins
  double heading;                 // rad
  JumpArc arc;                    // from the place of take-off
  double place[3];                // m: the root there; y: height of the ground
  double com[3], com_velocity[3]; // m, m/s: of the target as the jump began
  JumpFoot feet[SKELETON_MAX_LEGS];
  Inertia inertia; // leads from the animation into the jump, and back
} CharacterJump;

// What a skill does at present, see character_skill.h.
typedef struct CharacterSkill {
  const SkillDef *active;                 // NULL: none leads the body
  int steps_left;                         // until the next decision
  double delay;                           // s: age of what a decision is made of
  bool looked;                            // in this step
  bool sways_left;                        // the last fast sideways motion of the pelvis was to the left (`mirror_sway`)
  SkillSight sights[SKILL_MOST_LATE + 1]; // what was seen for the coming decisions, the oldest first
  int sight_count;
  bool decided;                     // actions of the coming decision are known, from elsewhere
  float actions[SKILL_MAX_ACTIONS]; // on the body, not in the mirror
  versors turns[BODY_MAX_PARTS];    // parent's frame: by these the goals are turned
  double pace;                      // factor of the animation's pace
  vec3s pelvis_before;              // target one step earlier, root's frame, m
} CharacterSkill;

// Whether balance leads an upright body, see character_lead.h.
typedef struct CharacterLead {
  bool balance;       // it leads at present
  bool catches;       // in place of a skill, until the body is calm
  double calm_time;   // s for which it has been calm
  double velocity[2]; // m/s, world x and z over the ground: what a body of that root moves with
} CharacterLead;

// The state of a planned character, see character_plan.h.
typedef struct CharacterPlan {
  Planner planner;
  Sense sense;       // the last sensing
  bool fresh;        // it has not been used yet
  bool detours;      // it follows a route around obstacles on the straight line
  bool stuck;        // there is no way to its goal: it stands
  double stuck_time; // s spent in that state
  int reached;       // number of goals
  double clearance;  // m, the least distance to an obstacle so far; NAN: there was none
  long changes;      // number of changes between moves
} CharacterPlan;

// The leading root: the place at which the animation stands on the ground. Only character_root.c writes it; its driver,
// and the platform under it, return the wanted motion (see RootMotion and PlatformRide).
typedef struct RootState {
  double position[3]; // m, world; y is the smoothed height of the ground
  double velocity[3]; // m/s
  double heading;     // rad about up
  double turn_rate;   // rad/s
  double speed[2];    // m/s along the heading and to the left of it; they follow the intent
  bool airborne;      // it falls freely, to much lower ground or off the end of the terrain
  RootRebase rebase;  // in this step: displacement to where the body is

  // Motion of platforms under the root, see character_platform.h.
  double ground_velocity[3]; // m/s of the platform under the root, in the coming step
  double ground_turn;        // rad/s of the same platform, to the left
  double intent_turn;        // rad: its rotation since the root came onto it; the intent is rotated likewise
  double platform_travel[3], platform_turn; // m, rad: displacement and rotation of the root by platforms so far
} RootState;

// The animation before layers, fall and balance. Written by character_play.c and, for their kinds of animation, by
// character_graph.c, character_plan.c and character_balance.c.
typedef struct PlayState {
  double phase_time;              // s since the beginning of the move clip
  double stand_time;              // the same of the stand clip
  double moving, moving_velocity; // 0..1, 1/s: share of the move clip in the animation; the rest stands still
  Look look;
  GraphOutput graph;     // of the graph's last step; for a planned character only its contacts are set
  FootLandings landings; // of the leading clip
} PlayState;

// The state of the body after a step, as far as control may know it: values that sensors on a body could measure. SI
// units, world frame. Only character_sense.c writes it.
typedef struct BodyState {
  Pose pose; // in the world: entry 0 is the pelvis
  double com[3], com_velocity[3];
  bool foot_loaded[SKELETON_MAX_LEGS];      // which feet carry load
  bool foot_caught[SKELETON_MAX_LEGS];      // which feet are stopped by an obstacle
  double foot_force[SKELETON_MAX_LEGS][3];  // N: on the feet, from whatever carries them
  double air_time[SKELETON_MAX_LEGS];       // s: since the feet last carried load
  double held[2];                           // m, x and z: moment of a cable's force about the ground, over the weight
  double other_load;                        // N: load on parts other than feet, mean of the last 0.1 s
  bool fallen;                              // that load is a considerable part of the body's weight
  double drag_time;                         // s for which a drag by the user still has an effect, 0: none
  float joint_error[BODY_MAX_PARTS];        // rad, entry 0 unused
  double pelvis_drop, pelvis_drop_velocity; // m, m/s: height of the pelvis below its target, smoothed
} BodyState;

// State of a kinematic body before it was set for a step. Only character_hand.c writes it.
typedef struct Hand {
  double com[3];                // m, world
  double linear[3], angular[3]; // N s; N m s about `com`
} Hand;

// The output pose. Only character_shown.c writes it.
typedef struct Shown {
  Pose pose;                   // in the world: entry 0 is the pelvis
  float blend[BODY_MAX_PARTS]; // physical share of each joint; it follows the hit reaction's
  FootLock foot_lock;
} Shown;

// Data of the metrics, which control must not know, see character_metrics.h.
typedef struct CharacterMetrics CharacterMetrics;

// Each member has one writer; see the comment of its type.
typedef struct Character {
  // Set once.
  const CharacterDef *def;
  World *world;
  Ground ground;
  int index;                  // its owner index in the world
  const double (*targets)[3]; // m, world: the scene's points, at which layers look or aim
  int target_count;
  int graph_inputs[GRAPH_INPUT_COUNT]; // the graph's parameters; -1: the graph lacks it
  int layer_track[LAYERS_MAX];         // index among the layers that the graph fades; -1: none

  // Commands, which may be changed between steps.
  Intent intent;                      // limited to the ranges of its table in every step
  int script_next;                    // index of the script's next step
  float layer_wanted[LAYERS_MAX];     // from scene, script and user; the graph's states may reduce it
  vec3s joint_offset[BODY_MAX_PARTS]; // rad, parent's frame: rotation vectors added to the goals, set from outside

  // Controllers and actuators.
  Ragdoll *ragdoll;
  Drive drive;
  PoseMotion motion; // of the target
  SenseNoise senses; // of reflexes and skills
  Reflexes reflexes;
  Assist assist;
  Balancer balance;
  HitReaction hit_reaction;
  MuscleTone tone;
  Responses responses;
  CharacterFall fall;
  CharacterJump jump;
  CharacterSkill skill;
  CharacterLead lead;
  CharacterPlan plan; // of a planned character, which then also sets play.graph.contact
  Graph *graph;       // NULL: the move clip plays
  LayerList layers;
  bool down;    // falling, lying or getting up: balance and animation do not lead the body
  bool unseen;  // nobody looks at the shown pose and the metrics, which are not computed: in training
  bool held_up; // the root keeps its height, while the initial velocity for a start above the ground is being found

  RootState root;
  PlayState play;

  // Targets of the step: made from the animation by layers, fall and balance, in this order.
  Pose animation_m;                       // the target in the root's frame
  FootPlan foot_plans[SKELETON_MAX_LEGS]; // of this step
  AssistTarget assist_target;
  JointGoal joint_goals[BODY_MAX_PARTS]; // of this step, entry 0 unused
  Pose target;                           // in the world, at the end of the step
  Pose previous_target;                  // one step earlier

  BodyState sensed;
  Hand hand; // for a kinematic body, of this step
  Shown shown;
  CharacterMetrics *judged; // must not be read by controllers
} Character;

// targets: points at which its layers may look or aim, m, world; they may move, but their memory must remain valid
// during the character's life, like def. index: its owner index in the world. NULL and an error when the world is full
// or the assist's part is missing.
Character *character_create(const CharacterDef *def, World *world, Ground ground, const double (*targets)[3],
                            int target_count, int index, Error *error);
void character_destroy(Character *character);

// Takes over changed parameters of drive, assist, balance and hit reaction from `def` (others are read from it in each
// step), but not the intent, nor whether balance is enabled. Error: the body lacks the assist's part.
bool character_retune(Character *character, Error *error);

// A moment of a clip that a character plays, for trials that begin in the middle of a motion.
typedef struct CharacterPlace {
  double position[3]; // m: x, height over the ground, z
  double heading;     // rad about up
  double speed;       // m/s along the heading; the intent becomes the same
  double phase;       // 0..1: share of the clip that has passed
} CharacterPlace;

// Puts a character that has been created or restored, and has not moved yet, to such a moment, with the velocity of its
// animation. Errors: it plays no clip; out of memory.
bool character_place(Character *character, const CharacterPlace *place, Error *error);

// Call before the world's step: animation, target pose, drives, assist. Reads only the measurements of the last step.
void character_pre_step(Character *character);

// Sets a rotation vector (rad, parent's frame) that is added to the goal of a joint from the next step on.
void character_set_joint_offset(Character *character, int joint, vec3s offset);

// Call after the world's step: measured pose, hits of this step, output pose, metrics of the step.
void character_post_step(Character *character);

// The clip that determines the steps of the feet: the graph's leading clip, or the move clip.
typedef struct SteppingClip {
  const Clip *clip;  // NULL: there is none at present
  bool mirrored;     // left and right are swapped
  double time, pace; // s since its beginning; clip seconds per second
} SteppingClip;

SteppingClip character_stepping_clip(const Character *character);

// The heading that the character should have, rad about up, world.
double character_wanted_heading(const Character *character);

// The wanted velocity over the ground, before the limits of the root: m/s, world axes.
void character_wanted_velocity(const Character *character, double velocity[3]);

// The rotation from the root's frame to the world for a heading (rad about up).
versors character_heading_rotation(double heading);

// Predicted positions of the root now and after each further interval (s), if the intent does not change and nothing
// stops it: `count` points on the ground, m, world.
void character_path(const Character *character, double interval, double points_w[][3], int count);

// Draws the goal of the gaze, the predicted path of the next 2 s (DEBUG_PATH), and the torque of the assist as an arc
// about its axis (DEBUG_ASSIST, 1 rad for 50 N m).
void character_debug(const Character *character, DebugDraw *draw);

#endif

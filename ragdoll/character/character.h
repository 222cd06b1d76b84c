// A character: what it is asked to do (clips, intent), the body that does it (ragdoll, drives, assist), what hits do
// to it, and the three poses that come of it.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_H

#include "anim/clip.h"
#include "anim/graph/graph.h"
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
#include "sim/base/rng.h"
#include "sim/terrain/ground.h"

#define START_PARAMS(ROW, T)                                                                                           \
  ROW(T, VECTOR, position, "[0, 0, 0]", -2000, 2000, "m",                                                              \
      "Where the character stands at first; y counts from the ground, up, not from a roof 1 m or more above it.")      \
  ROW(T, REAL, heading, "0", -360, 360, "deg", "The direction it faces at first.")

typedef struct StartDef {
  START_PARAMS(PARAM_FIELD, StartDef)
} StartDef;

// How the leading root follows intent and body.
#define ROOT_PARAMS(ROW, T)                                                                                            \
  ROW(T, REAL, ground_smoothing, "0.15", 0.01, 2, "s", "Damping time of the root's height over uneven ground.")        \
  ROW(T, REAL, turn_rate, "180", 1, 3600, "deg/s", "Largest turn of the root toward the intended heading.")            \
  ROW(T, REAL, acceleration, "4", 0.1, 1e6, "m/s^2", "Largest change of the root's speed toward the intended one.")    \
  ROW(T, REAL, follow, "0", 0, 100, "s",                                                                               \
      "Time in which the root goes, and turns, to where its body is, with the feet of its layers; 0: never.")          \
  ROW(T, REAL, leash, "0.25", 0.01, 10, "m", "The root waits for a body that lags behind it by more than this.")

typedef struct RootDef {
  ROOT_PARAMS(PARAM_FIELD, RootDef)
} RootDef;

extern const ParamTable start_params, root_params;

enum { CHARACTER_MAX_GOALS = 16 };

// Description of a character, all immutable and shared.
typedef struct CharacterDef {
  char name[SKELETON_NAME_SIZE];
  const BodyDef *body;
  const GraphDef *graph;                     // what plays; NULL: `move`
  double graph_values[GRAPH_MAX_PARAMETERS]; // of its parameters at first
  const Clip *move;                          // NULL: the bind pose
  const Clip *stagger[STAGGER_COUNT];        // unstable variants of move in the same phase, may be NULL
  StartDef start;
  RootDef root;
  Intent intent;
  int script_next;     // step of the script that comes next
  IntentScript script; // how it changes
  DriveDef drive;
  AssistDef assist;
  BalanceDef balance;
  FallDef fall;
  const Clip *get_up[GET_UP_COUNT]; // both or none: then it stays where it falls
  HitReactionDef hit_reaction;
  ResponsesDef responses;
  LayerListDef layers;                  // on top of what plays
  const PlannerDef *planner;            // where it goes by itself; NULL: as intended
  const Policy *policy;                 // what that has learnt; NULL: nothing yet
  double goals[CHARACTER_MAX_GOALS][2]; // m: x, z; one after the other
  int goal_count;
} CharacterDef;

// What a graph is told in every step, see character_graph.h.
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

// How a character falls and gets up, see character_fall.h. Names in capitals are the states in which a field counts.
typedef struct CharacterFall {
  FallMachine machine;
  FallBody body;
  bool guards;              // the body can guard itself; otherwise it just lies, until it is back at its animation
  double landed;            // FALLING: s since more than the feet first touched the ground
  double fall_direction[2]; // FALLING: x and z, unit vector
  Pose held_pose;           // FALLING: the guard; LYING: how the body came to lie; world
  GetUpEntry entry;         // RISING: where in which clip it began
  float clip_time;          // RISING: s
  bool assisted;            // RISING: the assist helps
  versors tilt;             // RISING: of the ground on which the body gets up, root's frame
  double lift;              // RISING: m by which the bumps of that ground rise over the ground under the root
  double clip_gap;          // RISING: m between the body and its pose in the clip
  bool facing;              // it has got up and not gone anywhere since: it keeps its heading of then
  double kept_heading;      // rad
  double intended;          // deg: the intent's heading at that time
  Pose from_m;              // the pose from which the target comes since the state changed, root's frame
  double since, match;      // s since the state changed, and until the target has left from_m behind
  float strength;           // of the drives, 0..1
} CharacterFall;

// How a character goes by its planner, see character_plan.h.
typedef struct CharacterPlan {
  Planner planner;
  Sense sense;       // the last look around
  bool fresh;        // nothing has come of it yet
  bool detours;      // it goes along a route around what shuts the straight way
  bool stuck;        // no way leads to its goal: it stands
  double stuck_time; // s in which it was so
  int reached;       // so many goals
  double clearance;  // m, the least so far to anything in the way; NAN: there was nothing
  long changes;      // from one move to another
} CharacterPlan;

// The leading root: where animation stands on the ground. Only character_root.c writes it; what drives it, and the
// platform under it, return what they want of it (see RootMotion and PlatformRide).
typedef struct RootState {
  double position[3]; // m, world; y is the smoothed ground
  double velocity[3]; // m/s
  double heading;     // rad about up
  double turn_rate;   // rad/s
  double speed[2];    // m/s along the heading and to the left of it: they follow the intent
  bool airborne;      // it falls freely to ground that is far below, or from the end of the terrain
  RootRebase rebase;  // of this step: to where the body is

  // How platforms carry it, see character_platform.h.
  double ground_velocity[3]; // m/s of the platform under the root, in the coming step
  double ground_turn;        // rad/s of the same, to the left
  double intent_turn;        // rad that it has turned since the root came upon it: the intent turns along
  double platform_travel[3], platform_turn; // m, rad: how platforms have carried the root so far
} RootState;

// What plays before layers, fall and balance. Written by character_play.c and, for their kinds of animation, by
// character_graph.c, character_plan.c and character_balance.c.
typedef struct PlayState {
  double phase_time;              // s into the move clip
  double moving, moving_velocity; // 0..1, 1/s: share of the move clip in the animation, the rest stands on the spot
  Look look;
  GraphOutput graph;     // of the graph's last step; a planned character has only its contacts
  FootLandings landings; // of the clip that leads
} PlayState;

// What a step did to the body, as far as control may know it: what sensors on a body would measure. SI units, world.
// Only character_sense.c writes it.
typedef struct BodyState {
  Pose pose; // in the world: entry 0 is the pelvis
  double com[3], com_velocity[3];
  bool foot_loaded[SKELETON_MAX_LEGS];      // which feet carry
  bool foot_caught[SKELETON_MAX_LEGS];      // which are held up by something that stands in their way
  double foot_force[SKELETON_MAX_LEGS][3];  // N: on the feet, by whatever carries them
  double air_time[SKELETON_MAX_LEGS];       // s: since the feet last carried
  double other_load;                        // N: what parts other than feet bear, mean of the last 0.1 s
  bool fallen;                              // that load is a part of its weight
  double drag_time;                         // s for which a drag by the user still counts, 0: nobody drags it
  float joint_error[BODY_MAX_PARTS];        // rad, entry 0 unused
  double pelvis_drop, pelvis_drop_velocity; // m, m/s: how far the pelvis is below its target, smoothed
} BodyState;

// What a kinematic body had before the hand that moves it set it for a step. Only character_hand.c writes it.
typedef struct Hand {
  double com[3];                // m, world
  double linear[3], angular[3]; // N s; N m s about `com`
} Hand;

// The pose that is shown. Only character_shown.c writes it.
typedef struct Shown {
  Pose pose;                   // in the world: entry 0 is the pelvis
  float blend[BODY_MAX_PARTS]; // physical share of each joint: follows the hit reaction's
  FootLock foot_lock;
} Shown;

// What only the judge knows, see character_metrics.h.
typedef struct CharacterMetrics CharacterMetrics;

// Each part has its own writer; see the comment of its type.
typedef struct Character {
  // Set once.
  const CharacterDef *def;
  World *world;
  Ground ground;
  int index;                  // owner number in the world
  const double (*targets)[3]; // m, world: the scene's points, which layers look at or aim at
  int target_count;
  int graph_inputs[GRAPH_INPUT_COUNT]; // the graph's parameters; -1: it does not ask for that
  int layer_track[LAYERS_MAX];         // the layer among those that the graph fades; -1: it does not

  // What is wanted: may be changed between steps.
  Intent intent;                      // every step brings it into the ranges of its table
  int script_next;                    // step of the script that comes next
  float layer_wanted[LAYERS_MAX];     // by scene, script and user; the graph's states may leave less of it
  vec3s joint_offset[BODY_MAX_PARTS]; // rad, parent's frame: rotation vectors on top of the goals, by whoever sets them

  // Controllers, and what they act on.
  Ragdoll *ragdoll;
  Drive drive;
  PoseMotion motion; // of the target
  Reflexes reflexes;
  Assist assist;
  Balancer balance;
  HitReaction hit_reaction;
  MuscleTone tone;
  Responses responses;
  CharacterFall fall;
  CharacterPlan plan; // of a planned character: it then sets play.graph.contact
  Graph *graph;       // NULL: the move clip plays
  LayerList layers;
  bool down;    // falls, lies or gets up: wants nothing, balance and animation do not lead it
  bool held_up; // the root keeps its height: while the velocity of a start off the ground is found

  RootState root;
  PlayState play;

  // What the step aims at: made from what plays by layers, fall and balance, in this order.
  Pose animation_m;                       // the target in the root's frame
  FootPlan foot_plans[SKELETON_MAX_LEGS]; // of this step
  AssistTarget assist_target;
  JointGoal joint_goals[BODY_MAX_PARTS]; // of this step, entry 0 unused
  Pose target;                           // in the world, at the end of the step
  Pose previous_target;                  // one step earlier

  BodyState sensed;
  Hand hand; // of this step, of a kinematic body
  Shown shown;
  CharacterMetrics *judged; // no controller reads it
} Character;

// targets: points that its layers may look at or aim at, m, world; they may move, but stay where they are in memory,
// and outlive the character as def does. index: its owner number in the world. NULL and an error when the world is full
// or the assist's part is missing.
Character *character_create(const CharacterDef *def, World *world, Ground ground, const double (*targets)[3],
                            int target_count, int index, Error *error);
void character_destroy(Character *character);

// Takes over changed parameters of drive, assist, balance and hit reaction from `def`, which it otherwise reads as it
// goes; not the intent, nor whether it balances. Errors: the body has no part for the assist.
bool character_retune(Character *character, Error *error);

// Before the world's step: animation, target pose, drives, assist. Reads only the last step's measured state.
void character_pre_step(Character *character);

// Sets what is added to the goal of a joint from the next step on: a rotation vector in its parent's frame, rad.
void character_set_joint_offset(Character *character, int joint, vec3s offset);

// After it: measured pose, hits of this step, shown pose, metrics of the step.
void character_post_step(Character *character);

// The clip whose steps the feet take: the one that leads the graph, or the move clip.
typedef struct SteppingClip {
  const Clip *clip;  // NULL: there is none now
  bool mirrored;     // left and right are swapped
  double time, pace; // s into it, and its seconds per second
} SteppingClip;

SteppingClip character_stepping_clip(const Character *character);

// Where it is to face: rad about up, world.
double character_wanted_heading(const Character *character);

// What is wanted, as if the root obeyed at once: m/s over the ground, world's axes.
void character_wanted_velocity(const Character *character, double velocity[3]);

// The turn of the root's frame to the world; rad about up.
versors character_heading_rotation(double heading);

// Where the root will be now and after each further interval (s), if the intent stays and nothing holds it up: points
// on the ground, m, world. `count` of them.
void character_path(const Character *character, double interval, double points_w[][3], int count);

// Draws what the character's layers think: goal of the gaze,
// its way in the next 2 s (DEBUG_PATH), and the torque of its assist as an arc about its axis (DEBUG_ASSIST, 1 rad for
// 50 N m).
void character_debug(const Character *character, DebugDraw *draw);

#endif

// The contents of a graph's instance, and the stages of its step:
//   update   inputs, weights of blends, decisions of machines (at the moment of the last shown pose)
//   advance  time passes
//   pose     the pose to show
//   motion   the other data of clips: root motion, contacts, phase
#ifndef STAGGER_ANIM_GRAPH_GRAPH_INTERNAL_H
#define STAGGER_ANIM_GRAPH_GRAPH_INTERNAL_H

#include "anim/graph/graph_def_internal.h"

typedef struct NodeState {
  double time;                            // s: clip time, for a clip that follows no phase
  double phase;                           // cycles since the beginning, for a node that leads a sync group
  double phase_before;                    // the phase one step earlier
  double cycle;                           // s: duration of a cycle at pace 1, for a node that leads a sync group; 0:
                                          // none
  bool wrapped;                           // a looping clip passed its end in the last step
  double ran;                             // 0..1: share of the last step in which the clip ran; below 1 where it ended
  bool playing;                           // a clip that is played once at an event is playing
  float amount;                           // add, layer, mirror: present amount, 0..1
  float child_weight[GRAPH_MAX_CHILDREN]; // blends
  float weight;                           // weight in the shown pose
} NodeState;

// The root motion of clips, as fast as it is at their very ends.
typedef struct RootMotionRate {
  float share;     // 0..1: total weight of the clips that move the root
  vec3s velocity;  // m/s
  float turn_rate; // rad/s
} RootMotionRate;

typedef struct MachineState {
  int state, from;                     // from: the state that fades out; -1: none
  double age;                          // s in the state
  double fade_age;                     // s
  const GraphTransition *fade;         // the transition in progress
  Inertia inertia;                     // offset added to the blended states
  vec3s velocity_offset;               // m/s and rad/s: remaining excess of the former root motion; it decays as the
                                       // inertia does
  float turn_offset;                   //
  RootMotionRate taken_offset;         // the same for the root motion that the root has to obey
  float root_turn;                     // rad: turn of the root in this step
  bool refused[GRAPH_MAX_TRANSITIONS]; // the request still lasts and has been refused: it counts once

  // The last shown pose and the one before, `interval` s apart; history: how many of them are valid.
  Pose shown, before;
  double interval;
  int history;
  long step; // number of the step in which `shown` was shown
} MachineState;

struct Graph {
  const GraphDef *def;
  uint64_t seed;
  char name[64];
  double values[GRAPH_MAX_PARAMETERS];
  uint64_t events; // one bit for each event since the last step
  long steps, refusals;
  double dt, pace;    // of this step
  double change_pace; // of clips that change the velocity of the root
  bool disturbed;     // idle nodes make no gestures
  NodeState *nodes;
  MachineState *machines;
  Idle *idles;
  Pose *stack; // [def->pose_need]
  int stack_used;
};

// A moment relative to the present one, for evaluations that do not change state.
typedef struct Moment {
  double lead;  // s later than now
  double shift; // cycles later than now, within the enclosing sync group (the other foot's step of a mirrored node)
  float weight; // weight of the node in the shown pose
  bool shown;   // the result is shown, so machines store it
} Moment;

// The data of a clip other than its pose, or the weighted mix of such data.
typedef struct ClipMotion {
  vec3s velocity;                   // m/s
  vec3s made_for;                   // m/s for which the clips were made, without the offset that transitions add
  float turn_rate;                  // rad/s
  float root_turn;                  // rad: turn of the root in this step
  RootMotionRate root_motion;       // of all clips that move the root
  RootMotionRate taken;             // of the clips in states with `root_motion`, which the root has to obey
  float contact[SKELETON_MAX_LEGS]; // > 0: the foot stands; absolute value: cycles until it changes, at most 0.5
  float weight;                     // of the heaviest clip, which determines `safe`, `left`, `ran`
  bool safe;                        // the clip may be left now
  double left;                      // s until its end; 0: it has ended or wrapped around
  double ran;                       // 0..1: share of the step in which it ran
  GraphVelocityChange change;       // of the heaviest clip, too
  float cycle_weight;               // weight of the heaviest clip with a cycle, which determines the fields below; 0:
                                    // none
  double phase, cycle;              // 0..1, s
  const Clip *lead;                 // the clip itself
  bool lead_mirrored;               // the clip is shown with left and right swapped
  double lead_time, lead_pace;      // s since its beginning; clip seconds per second
} ClipMotion;

// counts: it plays in the blends above it. Weights of children are found for those only.
void graph_update(Graph *graph, int node, bool counts, double dt);
void graph_advance(Graph *graph, int node, double dt);
void graph_pose(Graph *graph, int node, Moment moment, Pose *pose);
ClipMotion graph_clip_motion(const Graph *graph, int node, double shift);
void clip_motion_add(ClipMotion *sum, const ClipMotion *motion, float weight);       // begin with sum = {0}
void root_motion_add(RootMotionRate *sum, const RootMotionRate *rate, float weight); // the same

// Starts a node at a phase (< 0: none given), or from its beginning. Clips that play once obey the phase only on
// request
// (`once`), and start in their first cycle.
void graph_enter(Graph *graph, int node, double phase, bool once);

void machine_enter(Graph *graph, int node);
void machine_update(Graph *graph, int node, double dt);
void machine_advance(Graph *graph, int node, double dt);
void machine_pose(Graph *graph, int node, Moment moment, Pose *pose);
ClipMotion machine_clip_motion(const Graph *graph, int node);

// Factors for the weights of the character's layers from the states that are shown: [def->layer_count], 0..1.
void machines_layers(const Graph *graph, float *layers);

// The weight of the state that fades out; 0 when there is none.
float machine_fade(const Graph *graph, int node);

// Clip seconds per second of a clip in no sync group.
double clip_rate(const Graph *graph, const GraphNode *clip);

// A clip's time in s at a moment given as in Moment.
double clip_moment(const Graph *graph, int node, double lead, double shift);

// Temporary poses; release them in reverse order of taking.
Pose *stack_take(Graph *graph, int count);
void stack_release(Graph *graph, int count);

static inline double wrap_phase(double phase) { return phase - floor(phase); }

#endif

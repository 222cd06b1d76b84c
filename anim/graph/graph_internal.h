// The inside of a graph's instance, and the stages of its step:
//   update   inputs, weights of blends, decisions of machines (at the moment of the last shown pose)
//   advance  time passes
//   pose     what is shown
//   motion   the rest of what clips hold: root motion, contacts, phase
#ifndef STAGGER_ANIM_GRAPH_GRAPH_INTERNAL_H
#define STAGGER_ANIM_GRAPH_GRAPH_INTERNAL_H

#include "anim/graph/graph_def_internal.h"

typedef struct NodeState {
  double time;                            // s: of a clip that follows no phase
  double phase;                           // cycles since the beginning: of a node that leads a group
  double phase_before;                    // of the step before
  double cycle;                           // s of one cycle at pace 1: of a node that leads a group; 0: none
  bool wrapped;                           // a looping clip passed its end in the last step
  double ran;                             // 0..1 of the last step in which the clip ran: less where it ended
  bool playing;                           // what plays once at an event
  float amount;                           // add, layer, mirror: present weight
  float child_weight[GRAPH_MAX_CHILDREN]; // blends
  float weight;                           // in the shown pose, of what it is part of
} NodeState;

// How clips move the root, to their very ends.
typedef struct RootMotionRate {
  float share;     // 0..1: of the clips that do
  vec3s velocity;  // m/s
  float turn_rate; // rad/s
} RootMotionRate;

typedef struct MachineState {
  int state, from;                     // from: the state that fades out; -1: none
  double age;                          // s in the state
  double fade_age;                     // s
  const GraphTransition *fade;         // what fades
  Inertia inertia;                     // on top of both
  vec3s velocity_offset;               // m/s that the root went faster before, and rad/s; they go as the inertia does
  float turn_offset;                   //
  RootMotionRate taken_offset;         // the same of what the root has to obey
  float root_turn;                     // rad, of this step
  bool refused[GRAPH_MAX_TRANSITIONS]; // asked for now and refused already: counts once

  // What was shown last, and before, `interval` s apart; history: how many of them there are.
  Pose shown, before;
  double interval;
  int history;
  long step; // of `shown`
} MachineState;

struct Graph {
  const GraphDef *def;
  uint64_t seed;
  char name[64];
  double values[GRAPH_MAX_PARAMETERS];
  uint64_t events; // one bit for each, since the last step
  long steps, refusals;
  double dt, pace; // of this step
  bool disturbed;  // nobody makes gestures now
  NodeState *nodes;
  MachineState *machines;
  Idle *idles;
  Pose *stack; // [def->pose_need]
  int stack_used;
};

// A moment relative to the present one, for evaluations that change no state.
typedef struct Moment {
  double lead;  // s later
  double shift; // cycles later, of the group around (the other foot's step of a mirrored node)
  float weight; // of the node in what is shown
  bool shown;   // this one is shown: machines remember it
} Moment;

// What a clip holds beside its pose, and the weighted mix of it.
typedef struct ClipMotion {
  vec3s velocity;                   // m/s
  vec3s made_for;                   // m/s, without what transitions add
  float turn_rate;                  // rad/s
  float root_turn;                  // rad, at once
  RootMotionRate root_motion;       // of all clips,
  RootMotionRate taken;             // and of those in states with `root_motion`, which the root has to obey
  float contact[SKELETON_MAX_LEGS]; // > 0: the foot stands; cycles to where that changes, at most 0.5
  float weight;                     // of the heaviest clip, which decides:
  bool safe;                        // whether it may be left
  double left;                      // s until it ends; 0: it ended or began again
  double ran;                       // 0..1 of the step in which it ran
  float cycle_weight;               // of the heaviest clip with a cycle; 0: none. It decides:
  double phase, cycle;              // 0..1, s
  const Clip *lead;                 // the clip itself
  bool lead_mirrored;               // it is shown with left and right swapped
  double lead_time, lead_pace;      // s; clip seconds per second
} ClipMotion;

void graph_update(Graph *graph, int node, double dt);
void graph_advance(Graph *graph, int node, double dt);
void graph_pose(Graph *graph, int node, Moment moment, Pose *pose);
ClipMotion graph_clip_motion(const Graph *graph, int node, double shift);
void clip_motion_add(ClipMotion *sum, const ClipMotion *motion, float weight);       // begin with sum = {0}
void root_motion_add(RootMotionRate *sum, const RootMotionRate *rate, float weight); // the same

// Puts a node at its beginning, or, when it goes on and on, at a phase (< 0: none).
void graph_enter(Graph *graph, int node, double phase);

void machine_enter(Graph *graph, int node);
void machine_update(Graph *graph, int node, double dt);
void machine_advance(Graph *graph, int node, double dt);
void machine_pose(Graph *graph, int node, Moment moment, Pose *pose);
ClipMotion machine_clip_motion(const Graph *graph, int node);

// How much of each layer of the character the states that are shown leave: [def->layer_count], 0..1.
void machines_layers(const Graph *graph, float *layers);

// The weight of the state that fades out; 0 when none does.
float machine_fade(const Graph *graph, int node);

// A clip's time in s at a moment.
double clip_moment(const Graph *graph, int node, double lead, double shift);

// Temporary poses; release as many as were taken, last one first.
Pose *stack_take(Graph *graph, int count);
void stack_release(Graph *graph, int count);

static inline double wrap_phase(double phase) { return phase - floor(phase); }

#endif

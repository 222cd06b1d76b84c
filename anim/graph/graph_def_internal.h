// The inside of a graph's definition: a tree of nodes in one array, parents before children. A named node that is used
// twice is there twice, so that every node has one parent and a state of its own.
#ifndef STAGGER_ANIM_GRAPH_GRAPH_DEF_INTERNAL_H
#define STAGGER_ANIM_GRAPH_GRAPH_DEF_INTERNAL_H

#include "anim/graph/graph.h"
#include "anim/graph/sync.h"

enum { GRAPH_MAX_EVENTS = 64, GRAPH_MAX_CONDITIONS = 8, GRAPH_UNIT_SIZE = 16 };

typedef struct GraphParameter {
  char name[SKELETON_NAME_SIZE];
  char unit[GRAPH_UNIT_SIZE];
  double value, min, max; // value: the default
} GraphParameter;

// Where a node takes a number from: a constant, a parameter, or a channel of an idle randomizer.
typedef enum GraphSource {
  SOURCE_CONSTANT,
  SOURCE_PARAMETER,
  SOURCE_IDLE_SHIFT,
  SOURCE_IDLE_LOOK_X,
  SOURCE_IDLE_LOOK_Y,
  SOURCE_IDLE_OVERLAY, // its weight when overlay `index` plays, else 0
} GraphSource;

typedef struct GraphInput {
  GraphSource source;
  int index;    // of the parameter or the overlay
  int idle;     // of the randomizer
  double value; // the constant
} GraphInput;

typedef enum GraphKind {
  GRAPH_CLIP,
  GRAPH_BLEND,   // children at positions of one parameter
  GRAPH_BLEND2,  // children at points of two parameters
  GRAPH_ADD,     // child 0 and, on top, the difference of child 1 to a reference pose
  GRAPH_LAYER,   // child 0 and, over some joints, child 1
  GRAPH_MIRROR,  // child 0, left and right swapped
  GRAPH_IDLE,    // child 0, whose inputs the randomizer drives
  GRAPH_MACHINE, // its states' nodes
  GRAPH_KINDS
} GraphKind;

extern const char *const graph_kind_names[GRAPH_KINDS];

typedef struct GraphNode {
  GraphKind kind;
  char name[SKELETON_NAME_SIZE]; // of the node; of its clip or "" when it has none
  int parent;                    // -1: none
  int child_count, child[GRAPH_MAX_STATES];
  int group; // the node whose phase this one follows (itself: it leads); -1: none
  GraphInput input[2];
  const Clip *clip;                // clip
  SyncTrack track;                 // clip
  double speed;                    // clip: clip seconds per second, when it follows no phase
  double start;                    // clip: s
  float at[GRAPH_MAX_CHILDREN][2]; // blend, blend2; of blend only [][0]
  bool directional;                // blend2
  Pose *reference;                 // add
  int event;                       // add, layer: plays once at this event; -1: always
  double fade;                     // s: add, layer: in and out of what plays once; mirror: from side to side
  float mask[SKELETON_MAX_JOINTS]; // layer: 0..1
  int idle, machine;               // index of its state
  int overlay_count;               // idle
  struct GraphMachine *states;     // machine
  IdleDef *randomizer;             // idle
} GraphNode;

typedef enum GraphCompare { COMPARE_GREATER, COMPARE_LESS, COMPARE_AT_LEAST, COMPARE_AT_MOST } GraphCompare;

typedef struct GraphCondition {
  int parameter;
  GraphCompare compare;
  double value;
} GraphCondition;

typedef enum GraphBlending { BLENDING_INERTIA, BLENDING_FADE, BLENDING_CUT } GraphBlending;
typedef enum GraphFadeCurve { FADE_SMOOTH, FADE_LINEAR } GraphFadeCurve;

// Everything that is asked for must hold.
typedef struct GraphTransition {
  uint32_t from; // one bit for each state
  int to;
  GraphCondition conditions[GRAPH_MAX_CONDITIONS];
  int condition_count;
  int event;    // -1: none
  double after; // s that the state must have lasted
  double end;   // s before the end of the clip, from when on it may go; -1: whenever
  bool has_phase;
  double phase[2]; // of the leading cycle, [from, to), may wrap
  bool safe;       // only inside of the clip's safe interval

  GraphBlending blending;
  GraphFadeCurve curve;
  double time;     // s
  double turn;     // rad that the root turns at once
  bool keep_phase; // the new state goes on at the old one's phase when both have one
} GraphTransition;

typedef struct GraphMachine {
  int state_count, start; // states: the node's children
  char state_names[GRAPH_MAX_STATES][SKELETON_NAME_SIZE];
  uint32_t root_motion;                             // one bit for each state: its clips move the root
  float layers[GRAPH_MAX_STATES][GRAPH_MAX_LAYERS]; // 0..1: what a state leaves of the character's layers
  int transition_count;
  GraphTransition transitions[GRAPH_MAX_TRANSITIONS]; // in order of priority
} GraphMachine;

struct GraphDef {
  char name[SKELETON_NAME_SIZE];
  const Skeleton *skeleton;
  GraphParameter parameters[GRAPH_MAX_PARAMETERS];
  int parameter_count;
  char events[GRAPH_MAX_EVENTS][SKELETON_NAME_SIZE];
  int event_count;
  char layers[GRAPH_MAX_LAYERS][SKELETON_NAME_SIZE]; // those that states fade
  int layer_count;
  GraphNode *nodes; // [GRAPH_MAX_NODES]; node 0 is the output
  int node_count, idle_count, machine_count;
  int pose_need; // temporary poses for an evaluation
  char warnings[1024];
};

// The event's index; with add, a new one when it is not known yet. -1: unknown or full.
int graph_event_index(GraphDef *def, const char *name, bool add);

// A sentence for graph_warnings.
void graph_warn(GraphDef *def, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

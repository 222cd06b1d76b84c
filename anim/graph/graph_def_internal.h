// The contents of a graph's definition: a tree of nodes in one array, parents before children. A named node that is
// used twice is stored twice, so that every node has one parent and a state of its own.
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

// The source of a node's number: a constant, a parameter, or a channel of an idle randomizer.
typedef enum GraphSource {
  SOURCE_CONSTANT,
  SOURCE_PARAMETER,
  SOURCE_IDLE_SHIFT,
  SOURCE_IDLE_LOOK_X,
  SOURCE_IDLE_LOOK_Y,
  SOURCE_IDLE_OVERLAY, // the overlay's weight while overlay `index` plays, else 0
} GraphSource;

typedef struct GraphInput {
  GraphSource source;
  int index;    // index of the parameter or the overlay
  int idle;     // index of the randomizer
  double value; // the constant
} GraphInput;

typedef enum GraphKind {
  GRAPH_CLIP,
  GRAPH_BLEND,   // children at positions along one parameter
  GRAPH_BLEND2,  // children at points in the plane of two parameters
  GRAPH_ADD,     // child 0 plus the difference of child 1 from a reference pose
  GRAPH_LAYER,   // child 0, overlaid on some joints by child 1
  GRAPH_MIRROR,  // child 0 with left and right swapped
  GRAPH_IDLE,    // child 0, whose inputs the randomizer sets
  GRAPH_MACHINE, // one child for each state
  GRAPH_KINDS
} GraphKind;

extern const char *const graph_kind_names[GRAPH_KINDS];

typedef struct GraphNode {
  GraphKind kind;
  char name[SKELETON_NAME_SIZE]; // name of the node or its clip, "" when it has none
  int parent;                    // -1: none
  int child_count, child[GRAPH_MAX_STATES];
  int group; // index of the node whose phase this node follows (its own index: it leads); -1: none
  GraphInput input[2];
  const Clip *clip;                // clip
  SyncTrack track;                 // clip
  double speed;                    // clip: clip seconds per second while it follows no phase
  double start;                    // clip: start time, s
  float at[GRAPH_MAX_CHILDREN][2]; // blend, blend2: positions of the children; blend uses [][0] only
  bool directional;                // blend2: polar weights (direction and speed)
  Pose *reference;                 // add: the reference pose
  int event;                       // add, layer: the event at which it plays once; -1: it always plays
  double fade;                     // s: add, layer: fade in and out of a clip played once; mirror: time from one side
                                   // to the other
  float mask[SKELETON_MAX_JOINTS]; // layer: weight of each joint, 0..1
  int idle, machine;               // index of its instance state
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

// Where a new state starts: at its beginning, or at the old state's phase, if both have one.
typedef enum GraphStart {
  START_BEGINNING,
  START_IN_PHASE,       // also clips that play once, in their first cycle
  START_LOOPS_IN_PHASE, // the default: only clips that loop
} GraphStart;

// All conditions given must hold.
typedef struct GraphTransition {
  uint32_t from; // one bit for each state
  int to;
  GraphCondition conditions[GRAPH_MAX_CONDITIONS];
  int condition_count;
  int event;    // -1: none
  double after; // s: least time in the state
  double end;   // s before the clip's end from which the transition is allowed; -1: at any time
  bool has_phase;
  double phase[2]; // interval of the leading cycle's phase, [from, to); may wrap around
  bool safe;       // only inside the clip's safe interval

  GraphBlending blending;
  GraphFadeCurve curve;
  double time; // s: duration
  double turn; // rad: the root's turn at the moment of the switch
  GraphStart start;
} GraphTransition;

typedef struct GraphMachine {
  int state_count, start; // each state is a child of the node
  char state_names[GRAPH_MAX_STATES][SKELETON_NAME_SIZE];
  uint32_t root_motion;                             // one bit for each state: its clips move the root
  float layers[GRAPH_MAX_STATES][GRAPH_MAX_LAYERS]; // 0..1: factors for the weights of the character's layers in each
                                                    // state
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
  char layers[GRAPH_MAX_LAYERS][SKELETON_NAME_SIZE]; // the layers that states fade
  int layer_count;
  GraphNode *nodes; // [GRAPH_MAX_NODES]; node 0 is the output
  int node_count, idle_count, machine_count;
  int pose_need; // number of temporary poses that an evaluation needs
  char warnings[1024];
};

// The event's index; with add, an unknown event is added. -1: unknown, or the list is full.
int graph_event_index(GraphDef *def, const char *name, bool add);

// Adds a sentence to graph_warnings.
void graph_warn(GraphDef *def, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

// An animation graph: a tree of nodes that blends clips, read from a YAML file (format: scenes/graphs/README.md). There
// are nodes for clips, blends by one or two parameters, additive and masked layers, mirroring, the idle randomizer and
// state machines. Synchronised clips are kept in phase by the marks of their foot strikes. A definition is immutable
// and shared; an instance holds the state of one character.
#ifndef STAGGER_ANIM_GRAPH_GRAPH_H
#define STAGGER_ANIM_GRAPH_GRAPH_H

#include "anim/clip.h"
#include "anim/graph/idle.h"
#include "anim/graph/inertia.h"
#include "sim/base/state.h"

enum {
  GRAPH_MAX_NODES = 128,
  GRAPH_MAX_CHILDREN = 16,
  GRAPH_MAX_PARAMETERS = 32,
  GRAPH_MAX_STATES = 32,
  GRAPH_MAX_TRANSITIONS = 96,
  GRAPH_MAX_LAYERS = 16,
  GRAPH_MAX_ACTIVE = 64
};

typedef struct GraphDef GraphDef; // its contents: graph_def_internal.h

// Finds the clips that a graph names. NULL and an error at the node. context: passed on from graph_read.
typedef const Clip *GraphClipFinder(void *context, const Node *node, Error *error);

// Reads a graph file for a skeleton. Errors name file, line and column: unknown kinds, parameters and joints, cycles. A
// state that cannot be reached is a warning in graph_warnings.
GraphDef *graph_read(FileSet *files, const char *name, const Skeleton *skeleton, GraphClipFinder *find, void *context,
                     Error *error);
void graph_def_free(GraphDef *def);
const char *graph_warnings(const GraphDef *def);

// Parameters: numbers set by the character or the user. graph_parameter gives -1 for a name that the graph does not
// have.
int graph_parameter(const GraphDef *def, const char *name);
int graph_parameter_count(const GraphDef *def);
const char *graph_parameter_name(const GraphDef *def, int parameter);
double graph_parameter_default(const GraphDef *def, int parameter);
void graph_parameter_range(const GraphDef *def, int parameter, double range[2]);
bool graph_has_event(const GraphDef *def, const char *event);

// The names of the character's layers that states of the graph fade, in the order of GraphOutput.layers.
int graph_layer_count(const GraphDef *def);
const char *graph_layer_name(const GraphDef *def, int layer);

// The state of one character's graph. Its size is fixed; no memory is allocated in a step.
typedef struct Graph Graph;

Graph *graph_create(const GraphDef *def, uint64_t seed, const char *name, Error *error);
void graph_destroy(Graph *graph);
void graph_reset(Graph *graph); // back to the state in which it was created
void graph_begin(Graph *graph); // to the beginning, keeping the present parameters

void graph_set(Graph *graph, int parameter, double value); // clamped to the parameter's range; NaN is ignored
double graph_get(const Graph *graph, int parameter);
void graph_event(Graph *graph, const char *event); // takes effect in the next step; unknown events are ignored
void graph_disturb(Graph *graph, bool disturbed);  // while disturbed, idle nodes make no gestures
void graph_change_pace(Graph *graph, double pace); // clip seconds per second of clips that change the root's velocity

// The root motion that a step requires while states with `root_motion` are shown.
typedef struct GraphRootMotion {
  float share;   // 0..1: share of the root's motion that comes from the clips; the rest comes from the intent
  vec3s shift_l; // m, in the root's frame before the step
  double turn;   // rad about up
} GraphRootMotion;

// How far the clip is that goes over to another velocity of the root (`accelerates`), in clip seconds.
typedef struct GraphVelocityChange {
  double wait; // until the root may begin to change its velocity; <= 0: it has begun
  double left; // until it has the velocity it wants; <= 0: no such clip leads
} GraphVelocityChange;

// The output of a step.
typedef struct GraphOutput {
  Pose pose;                       // in the root's frame
  vec3s root_velocity_l;           // m/s of the mixed clips at pace 1, in the root's frame; 0: on the spot
  double clip_speed;               // m/s for which the mixed clips were made, without the offset that a transition adds
  double root_turn_rate;           // rad/s at pace 1
  double root_turn;                // rad that the root turns at once in this step (one-frame turns)
  double phase;                    // 0..1 of the leading cycle, 0 at the left foot's strike; 0 without one
  double cycle;                    // s: duration of the leading cycle at this pace; 0 without one, and at pace 0
  const Clip *lead;                // the clip of that cycle, if its share of the pose is large enough to lead the feet
  bool lead_mirrored;              // the clip is shown with left and right swapped
  double lead_time, lead_pace;     // s since the clip's beginning; clip seconds per second
  bool contact[SKELETON_MAX_LEGS]; // which feet stand, from the clips' contacts, mixed by weight
  bool may_cancel;                 // the present state may be left (the clip is in a safe interval)
  GraphRootMotion root_motion;
  GraphVelocityChange change;
  float layers[GRAPH_MAX_LAYERS]; // 0..1: factor of each layer's own weight; 1 where no state gives one
} GraphOutput;

// Advances by dt at a pace (clip seconds per second for nodes with `sync: true`, which follow the speed) and evaluates.
// So that feet do not slip, either set pace = speed / clip_speed of the step before, or use pace 1 and move the root by
// root_velocity_l. dt, pace >= 0; anything else counts as 0.
void graph_step(Graph *graph, double dt, double pace, GraphOutput *output);

// What plays now, for inspection, trace and viewer: nodes with their weight in the pose, clips with their time,
// machines' states with the time since their beginning. The weights of clips sum to 1; those of additive poses and
// layers are not part of that sum. Writes at most `most` entries and returns their number.
typedef struct GraphActive {
  const char *name; // of the node or state
  const char *kind; // "clip", "state", ...
  float weight;     // 0..1
  float time;       // s, of a clip or state
} GraphActive;
int graph_active(const Graph *graph, GraphActive *active, int most);

// The same for recording: all clips, and the states of all machines, in a fixed order.
enum { GRAPH_MAX_TRACKS = 256, GRAPH_TRACK_NAME_SIZE = 80 };
int graph_track_count(const GraphDef *def);
void graph_track_name(const GraphDef *def, int track, char name[GRAPH_TRACK_NAME_SIZE]); // "walk", "acting.standing"
void graph_track_weights(const Graph *graph, float *weights);                            // [graph_track_count]

// Number of refused requests since the beginning: requests for transitions outside safe intervals.
long graph_refusals(const Graph *graph);

// Saves the graph or restores it into a graph of the same definition, seed and name.
void graph_state(Graph *graph, StateStream *stream);

// The same for the output of the graph's last step.
void graph_output_state(const Graph *graph, GraphOutput *output, StateStream *stream);

#endif

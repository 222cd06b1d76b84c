// What plays: a tree of nodes that mixes clips, made from a YAML file (format: scenes/graphs/README.md). Clips, blends
// by one or two parameters, additive and masked layers, mirroring, the idle randomizer, state machines. Feet of synced
// clips stay in step by their marks. A definition is immutable and shared; an instance holds the state of one
// character.
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

typedef struct GraphDef GraphDef; // graph_def.h has its inside

// Finds the clips that a graph names; NULL and an error at the node. context: the loader's.
typedef const Clip *GraphClipFinder(void *context, const Node *node, Error *error);

// Reads a graph file for a skeleton. Errors: file, line and column; unknown kinds, parameters, joints, cycles; a state
// that cannot be reached is a warning in graph_warnings.
GraphDef *graph_read(FileSet *files, const char *name, const Skeleton *skeleton, GraphClipFinder *find, void *context,
                     Error *error);
void graph_free(GraphDef *def);
const char *graph_warnings(const GraphDef *def);

// Parameters: numbers that the character or the user sets. -1: the graph does not know it.
int graph_parameter(const GraphDef *def, const char *name);
int graph_parameter_count(const GraphDef *def);
const char *graph_parameter_name(const GraphDef *def, int parameter);
double graph_parameter_default(const GraphDef *def, int parameter);
void graph_parameter_range(const GraphDef *def, int parameter, double range[2]);
bool graph_has_event(const GraphDef *def, const char *event);

// The layers of the character that states of the graph fade, by name; in the order of GraphOutput.layers.
int graph_layer_count(const GraphDef *def);
const char *graph_layer_name(const GraphDef *def, int layer);

// The state of one character. Fixed size, nothing is allocated in a step.
typedef struct Graph Graph;

Graph *graph_create(const GraphDef *def, uint64_t seed, const char *name, Error *error);
void graph_destroy(Graph *graph);
void graph_reset(Graph *graph); // as it was created
void graph_begin(Graph *graph); // from the beginning, with the parameters as they are now

void graph_set(Graph *graph, int parameter, double value); // kept within its range; NaN is ignored
double graph_get(const Graph *graph, int parameter);
void graph_event(Graph *graph, const char *event); // acts in the next step; unknown ones are ignored
void graph_disturb(Graph *graph, bool disturbed);  // as long as it is, idle nodes make no gestures

// The root motion of a step that states with `root_motion` require.
typedef struct GraphRootMotion {
  float share;   // 0..1 of the root's way that belongs to the clips; the rest is the intent's
  vec3s shift_l; // m, in the root's frame as it was before
  double turn;   // rad about up
} GraphRootMotion;

// The result of a step.
typedef struct GraphOutput {
  Pose pose;                       // in the root's frame
  vec3s root_velocity_l;           // m/s that the mixed clips move at pace 1, in the root's frame; 0: on the spot
  double clip_speed;               // m/s that the mixed clips were made for, without what a transition adds
  double root_turn_rate;           // rad/s at pace 1
  double root_turn;                // rad that the root turns at once in this step (one-frame turns)
  double phase;                    // 0..1 of the leading cycle, 0 at the left foot's strike; 0 without one
  double cycle;                    // s of the leading cycle at this pace; 0 without one, and at pace 0
  const Clip *lead;                // the clip of that cycle, when it makes up a good part of the pose
  bool lead_mirrored;              // it is shown with left and right swapped
  double lead_time, lead_pace;     // s into it, and its seconds per second
  bool contact[SKELETON_MAX_LEGS]; // which feet stand: the clips' spans, mixed by weight
  bool may_cancel;                 // the present state may be left (safe interval)
  GraphRootMotion root_motion;
  float layers[GRAPH_MAX_LAYERS]; // 0..1 of the weight that each layer has otherwise; 1 where no state says so
} GraphOutput;

// Lets dt pass at a pace (clip seconds per second for nodes that keep step with the speed, those with `sync: true`) and
// evaluates. So that feet do not slip: pace = speed / clip_speed of the step before; or the root moves as the clips do,
// by root_velocity_l, at pace 1. dt, pace >= 0, else 0.
void graph_step(Graph *graph, double dt, double pace, GraphOutput *output);

// What plays now, for inspection, trace and viewer: nodes with their weight in the pose, clips with their time, the
// states of machines (with the time spent in them). The weights of clips sum to 1; those of added poses and layers come
// on top. At most `most`; returns how many.
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

// Refused requests since the beginning: transitions asked for outside of safe intervals.
long graph_refusals(const Graph *graph);

// Saves or restores: into a graph of the same definition, seed and name.
void graph_state(Graph *graph, StateStream *stream);

// The same of what its last step brought. clip_of: the graph's clips, by which `lead` is written.
void graph_output_state(const Graph *graph, GraphOutput *output, StateStream *stream);

#endif

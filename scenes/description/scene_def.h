// The description of a scene: plain data read from a scene file with its overrides, and the assets that it names.
#ifndef STAGGER_SCENES_DESCRIPTION_SCENE_DEF_H
#define STAGGER_SCENES_DESCRIPTION_SCENE_DEF_H

#include "scenes/description/camera_def.h"
#include "scenes/description/event_def.h"
#include "scenes/description/expect.h"
#include "scenes/description/prop_def.h"
#include "scenes/description/rope_def.h"
#include "scenes/description/target_def.h"
#include "sim/terrain/terrain.h"
#include "sim/trace/trace.h"
#include "sim/world/world.h"

enum { SCENE_MAX_CHARACTERS = 256, SCENE_MAX_EXPECTS = 64, SCENE_MAX_ASSETS = 512 };

typedef enum AssetKind { ASSET_BODY, ASSET_CLIP, ASSET_GRAPH, ASSET_PLANNER, ASSET_POLICY, ASSET_SKILL } AssetKind;

// An object read from a file that the scene names.
typedef struct SceneAsset {
  AssetKind kind;
  const char *file;  // name
  const void *owner; // what it was read for: a Skeleton, for a policy the PlannerDef, for a skill the BodyDef; NULL for
                     // bodies
  void *object;      // BodyDef, Clip, GraphDef, PlannerDef, Policy, SkillDef
  char excess[200];  // for a recorded clip: joints far outside their ranges, see retarget_excess_text
  char note[300];    // and how it was understood, see retarget_note_text
} SceneAsset;

#define RUN_PARAMS(ROW, T)                                                                                             \
  ROW(T, TEXT, purpose, "\"\"", 0, 0, "", "What the scene shows or tests, in one sentence.")                           \
  ROW(T, INT, seed, "1", 0, 2147483647, "-", "All random numbers of a run come from it.")                              \
  ROW(T, REAL, duration, "10", 0.001, 360000, "s", "Simulated time.")

#define RECORD_PARAMS(ROW, T)                                                                                          \
  ROW(T, REAL, rate, "60", 0.01, 10000, "Hz",                                                                          \
      "Frames of the trace per second; their interval is rounded to a whole number of steps.")                         \
  ROW(T, REAL, states, "0", 0, 3600, "s",                                                                              \
      "Time between two saved states of the whole scene in the trace, from which `stagger run --from` continues; 0: "  \
      "none.")

// Kinds of experiments with people. A scene that copies one names it, and is then compared with what they did: see
// scenes/report/human_bands.h.
#define PROTOCOLS(P)                                                                                                   \
  P(PUSH, push)                                                                                                        \
  P(LEAN_RELEASE, lean_release)                                                                                        \
  P(WAIST_PULL, waist_pull)                                                                                            \
  P(PLATFORM_BACKWARD, platform_backward)                                                                              \
  P(PLATFORM_SIDEWAYS, platform_sideways)                                                                              \
  P(WALK_PUSH, walk_push)                                                                                              \
  P(TRIP, trip)                                                                                                        \
  P(RUN_PUSH, run_push)                                                                                                \
  P(FALL, fall)                                                                                                        \
  P(FALL_SIDEWAYS, fall_sideways)                                                                                      \
  P(PUNCH, punch)                                                                                                      \
  P(HEADER, header)                                                                                                    \
  P(HEAD_PUSH, head_push)                                                                                              \
  P(GET_UP, get_up)

#define PROTOCOL_NUMBER(id, name) PROTOCOL_##id,
#define PROTOCOL_CHOICE(id, name) "|" #name

typedef enum Protocol { PROTOCOL_NONE, PROTOCOLS(PROTOCOL_NUMBER) } Protocol;

#define PROTOCOL_PARAMS(ROW, T)                                                                                        \
  ROW(T, CHOICE, name, "none", 0, 0, "none" PROTOCOLS(PROTOCOL_CHOICE),                                                \
      "The kind of experiment that the scene copies; `stagger report` then puts what people did there beside it.")     \
  ROW(T, REAL, onset, "0", 0, 360000, "s",                                                                             \
      "When the blow begins, where no hit is it, as of a platform that moves: reactions are timed from then. 0: from " \
      "the first hit.")

typedef struct ProtocolDef {
  PROTOCOL_PARAMS(PARAM_FIELD, ProtocolDef)
} ProtocolDef;

typedef struct RunDef {
  RUN_PARAMS(PARAM_FIELD, RunDef)
} RunDef;

typedef struct RecordDef {
  RECORD_PARAMS(PARAM_FIELD, RecordDef)
} RecordDef;

extern const ParamTable run_params, record_params, protocol_params;

// Immutable after loading, except for `files`, through which a scene reads its terrain's image, and for the values of
// parameters, which edits change (see scenes/run/edits.h). Fields computed from parameters (such as steps_per_frame) do
// not change with those.
typedef struct SceneDef {
  char path[512]; // where it was read from
  char name[64];  // file name without folder and ".yaml"
  char *text;     // the document after overrides; reading it gives the same scene
  uint64_t
      hash;     // of the document and the assets' files, but for what is only said of a run: equal scenes, equal hashes
  char *source; // the text of the file, before overrides
  char **overrides;
  int override_count;
  RunDef run;
  WorldDef world;
  TerrainDef terrain;
  RecordDef record;
  ProtocolDef protocol;
  int steps_per_frame;
  long steps_per_state; // a multiple of steps_per_frame; 0: the trace has no states
  long step_count;      // of the whole run
  CharacterDef *characters;
  int character_count;
  EventDef events[EVENTS_MAX];
  int event_count;
  CameraDef cameras[SCENE_MAX_CAMERAS];
  int camera_count;
  TargetDef targets[SCENE_MAX_TARGETS];
  int target_count;
  PlatformDef platforms[SCENE_MAX_PLATFORMS];
  int platform_count;
  PropDef props[SCENE_MAX_PROPS];
  int prop_count;
  RopeDef ropes[SCENE_MAX_ROPES];
  int rope_count;
  Expect expects[SCENE_MAX_EXPECTS];
  int expect_count;

  // Each file is read once and shared by the characters. Assets come after those that they refer to. The first
  // `borrowed_assets` of them belong to another description, see scene_def_variant.
  FileSet files;
  SceneAsset assets[SCENE_MAX_ASSETS];
  int asset_count, borrowed_assets;
} SceneDef;

// Finds a scene file: tries the path as given, then in the scenes folder, then both with ".yaml" appended. NULL with an
// error when there is none, or when the path is too long for a SceneDef.
const File *scene_find(FileSet *found, const char *path, Error *error);

// Reads a scene file and applies overrides in order ("world.dt=0.002", see document_set). For the path see scene_find.
// NULL with file, line and column on error. Free with scene_def_free.
SceneDef *scene_def_read(const char *path, const char *const *overrides, int override_count, Error *error);

// The scene of a trace, from the text and the files contained in the trace; nothing is read from the disk.
SceneDef *scene_def_from_trace(TraceReader *reader, Error *error);

// The same with overrides.
SceneDef *scene_def_from_trace_with(TraceReader *reader, const char *const *overrides, int override_count,
                                    Error *error);

// The scene of a text. The function takes over `files`, also on error. path: for messages and the scene's name.
SceneDef *scene_def_from_text(const char *path, const char *text, FileSet *files, const char *const *overrides,
                              int override_count, Error *error);

// Reads the scene again from its source with other overrides; files that are in its set are not read again.
SceneDef *scene_def_reread(const SceneDef *def, const char *const *overrides, int override_count, Error *error);

// The same, but bodies, clips and graphs of def are used directly instead of read again: def must outlive the result,
// which is equal to the last bit.
SceneDef *scene_def_variant(const SceneDef *def, const char *const *overrides, int override_count, Error *error);

void scene_def_free(SceneDef *def);

// The folder in which a scene's files are looked up first: that of the scene file. False: the path is too long.
bool scene_folder(const char *path, char *folder, size_t size);

// Parameter tables of a scene file's sections, used by the loader and by the reference.
typedef struct SceneSection {
  const char *key; // in the scene or in the character
  const ParamTable *table;
  size_t offset; // into SceneDef or CharacterDef
} SceneSection;

extern const SceneSection scene_sections[], character_sections[];
extern const int scene_section_count, character_section_count;

#endif

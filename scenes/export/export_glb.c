// A trace as glTF 2.0 binary; for its content see glb_scene.h.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/export/export.h"
#include "scenes/export/glb_scene.h"
#include "scenes/export/round_trip.h"

// The content of a file.
typedef struct Content {
  TraceReader *reader;
  const SceneDef *def;
  TraceMotion *motions[SCENE_MAX_CHARACTERS];
  int motion_count;
  GroundMesh ground;
  int object_count;
  bool is_alone; // one character without its surroundings
} Content;

static void add_provenance(GlbScene *scene, const Content *content) {
  GlbWriter *glb = &scene->glb;
  const TraceMotion *motion = content->motions[0];
  cJSON *extras = glb_object(glb, scene->scene, "extras");
  glb_text(glb, extras, "scene", content->def->name);
  glb_number(glb, extras, "seed", content->def->run.seed);
  glb_text(glb, extras, "pose", trace_pose_names[motion->pose]);
  glb_text(glb, extras, "status", trace_text(content->reader, "status"));
  glb_text(glb, extras, "stagger_version", trace_text(content->reader, "stagger_version"));
  glb_number(glb, extras, "frame_rate", motion->frame_rate);
  glb_number(glb, extras, "start_time", motion->time[0]);
}

static void add_cameras(GlbScene *scene, const Content *content) {
  const SceneDef *def = content->def;
  for (int i = 0; i < def->camera_count; i++) {
    const CameraDef *camera = &def->cameras[i];
    if (camera->subject < 0)
      glb_scene_camera(scene, camera, NULL, 0);
    // without cameras that follow characters which are not exported
    for (int m = 0; m < content->motion_count && camera->subject >= 0; m++) {
      const CharacterDef *subject = &def->characters[camera->subject];
      if (strcmp(content->motions[m]->character, subject->name) == 0)
        glb_scene_camera(scene, camera, content->motions[m], subject->start.heading);
    }
  }
}

static bool add_surroundings(GlbScene *scene, Content *content, Error *error) {
  const TerrainKind kind = (TerrainKind)content->def->terrain.kind;
  if (content->ground.columns > 0)
    glb_scene_ground(scene, &content->ground, kind == TERRAIN_STAIRS || kind == TERRAIN_BLOCKS);
  if (content->ground.triangle_count > 0)
    glb_scene_level(scene, &content->ground);
  add_cameras(scene, content);
  return glb_scene_objects(scene, content->reader, &content->object_count, error);
}

static bool build(Content *content, char **bytes, size_t *size, Error *error) {
  GlbScene scene;
  glb_scene_begin(&scene, content->def->name, content->motions[0]->time, content->motions[0]->frame_count);
  for (int i = 0; i < content->motion_count && !scene.glb.failed; i++) {
    char prefix[TRACE_NAME_SIZE + 1] = "";
    if (content->motion_count > 1)
      snprintf(prefix, sizeof prefix, "%s_", content->motions[i]->character);
    glb_scene_character(&scene, content->motions[i], i, prefix);
  }
  const bool good = content->is_alone || add_surroundings(&scene, content, error);
  add_provenance(&scene, content);
  if (!glb_end(&scene.glb, bytes, size))
    return error_set(error, "out of memory, or over the 4 GB that a GLB file can have");
  if (!good) {
    free(*bytes);
    *bytes = NULL;
  }
  return good;
}

// ---- From the trace ----

static bool read_motions(Content *content, const ExportOptions *options, Error *error) {
  const SceneDef *def = content->def;
  const int count = options->character ? 1 : def->character_count;
  for (int i = 0; i < count; i++) {
    const char *name = options->character ? options->character : def->characters[i].name;
    content->motions[i] = trace_motion_read(content->reader, def, name, options->pose, error);
    if (!content->motions[i])
      return false;
    content->motion_count++;
  }
  if (count == 0)
    error_set(error, "the scene has no characters");
  return content->motions[0] != NULL;
}

// Each of several characters is read back separately, since the reader takes a single tree of joints from a file.
static void measure(const Content *content, ExportResult *result) {
  RoundTrip trip = {0};
  Error error = {0};
  bool good = true;
  if (content->motion_count == 1)
    good = round_trip_measure("export.glb", result->bytes, result->size, 1, content->motions[0], &trip, &error);
  for (int i = 0; i < content->motion_count && content->motion_count > 1 && good; i++) {
    Content alone = {.reader = content->reader, .def = content->def, .motion_count = 1, .is_alone = true};
    alone.motions[0] = content->motions[i];
    char *bytes = NULL;
    size_t size;
    good = build(&alone, &bytes, &size, &error) &&
           round_trip_measure("export.glb", bytes, size, 1, content->motions[i], &trip, &error);
    free(bytes);
  }
  round_trip_tell(&trip, &error, result->round_trip, sizeof result->round_trip);
}

static void describe(const Content *content, ExportResult *result) {
  const TraceMotion *first = content->motions[0];
  char ground[64] = "", objects[64] = "";
  if (content->ground.columns > 0)
    snprintf(ground, sizeof ground, ", ground every %g m", content->ground.spacing);
  if (content->ground.triangle_count > 0)
    snprintf(ground, sizeof ground, ", ground of %ld triangles", content->ground.triangle_count);
  if (content->object_count > 0)
    snprintf(objects, sizeof objects, ", %d object%s", content->object_count, content->object_count > 1 ? "s" : "");
  snprintf(result->contents, sizeof result->contents, "%s%s, %s pose, %d frames at %g Hz%s%s%s", first->character,
           content->motion_count > 1 ? " and others" : "", trace_pose_names[first->pose], first->frame_count,
           first->frame_rate, ground, objects, content->def->camera_count > 0 ? ", cameras" : "");
}

bool export_glb(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error) {
  Content content = {.reader = reader, .def = def};
  const bool good = read_motions(&content, options, error) && glb_scene_times_differ(content.motions[0], error) &&
                    ground_mesh_under(def, (const TraceMotion *const *)content.motions, content.motion_count,
                                      &content.ground, error) &&
                    build(&content, &result->bytes, &result->size, error);
  if (good) {
    describe(&content, result);
    measure(&content, result);
  }
  for (int i = 0; i < content.motion_count; i++)
    trace_motion_free(content.motions[i]);
  ground_mesh_free(&content.ground);
  return good;
}

// Opens a trace, a scene or a motion as a source, and shows one of its frames.
#include "viewer/source/source.h"
#include "ragdoll/character/character_metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/description/lookup.h"
#include "scenes/record/record_objects.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"
#include "sim/world/world_body.h"
#include "viewer/source/motion_view.h"
#include "viewer/source/objects.h"
#include "viewer/source/source_frame.h"

static const double SLIVER = 1e-6; // s; times are written with few digits
static const uint32_t DRAG_COLOR = 0xc08a00ff;

// Data of the source that others do not access.
struct SourceOwned {
  SceneDef *def;                           // of a trace
  Terrain *terrain;                        // of a trace
  HitMark *hits;                           // of a trace: all; of a run: buffer for those shown at present
  FrameIndex index;                        // indices of the channels
  MotionView *motion;                      // NULL: not a motion file
  long generation;                         // the run's generation for which the index was made
  double *metrics;                         // of a trace: [characters][metric_row_count]
  TraceObject objects[RECORD_MAX_OBJECTS]; // of a trace
  int object_count;
  FrameCharacter characters[SCENE_MAX_CHARACTERS]; // in the last image
};

// ---- Traces ----

// The character and part that an event strikes or a cable holds; false of a drag, or when the scene lacks them.
static bool find_struck(const SceneDef *def, const TraceEvent *event, HitMark *hit) {
  const bool shown = strcmp(event->kind, "drag") != 0;
  for (int i = 0; i < def->character_count && shown; i++) {
    if (strcmp(event->character, def->characters[i].name) != 0)
      continue;
    hit->character = i;
    hit->part = skeleton_find(&def->characters[i].body->skeleton, event->part);
    return hit->part >= 0;
  }
  return false;
}

// The struck point relative to the part, from the part's place in the frame nearest to the hit's start.
static bool find_offset(Source *source, HitMark *hit, vec3s point_w, Error *error) {
  FrameCharacter frame;
  int near = frames_near(source->frames, hit->start);
  if (!frame_read_parts(source->frames, &source->owned->index, hit->character, near, &frame, error))
    return false;
  hit->offset_l = hit_offset(point_w, frame.part_positions[hit->part], frame.part_rotations[hit->part]);
  return true;
}

static bool collect_hits(Source *source, const TraceEvent *events, int count, Error *error) {
  HitMark *hits = source->owned->hits;
  for (int i = 0; i < count; i++) {
    const TraceEvent *event = &events[i];
    const bool holds = strcmp(event->kind, "cable") == 0, pulls = strcmp(event->kind, "pull") == 0;
    HitMark hit = {.push = strcmp(event->kind, "push") == 0 || pulls,
                   .cable = holds || pulls,
                   .holds = holds,
                   .start = event->time,
                   .end = event->time,
                   .impulse_w = {{event->impulse[0], event->impulse[1], event->impulse[2]}}};
    if (!find_struck(source->def, event, &hit))
      continue;
    int before = source->hit_count;
    source->hit_count = hits_add(hits, before, count, &hit);
    vec3s point = {{event->point[0], event->point[1], event->point[2]}};
    if (source->hit_count > before && !find_offset(source, &hits[before], point, error))
      return false;
  }
  return true;
}

static bool read_hits(Source *source, Error *error) {
  int count;
  TraceEvent *events = trace_events(source->reader, &count);
  if (count == 0)
    return true;
  source->hits = source->owned->hits = calloc((size_t)count, sizeof(HitMark));
  bool ok =
      source->hits ? collect_hits(source, events, count, error) : error_set(error, "%s: out of memory", source->path);
  free(events);
  return ok;
}

static bool read_metrics(Source *source, Error *error) {
  size_t count = (size_t)source->def->character_count * (size_t)metric_row_count;
  double *metrics = source->owned->metrics = calloc(count > 0 ? count : 1, sizeof *metrics);
  if (!metrics)
    return error_set(error, "%s: out of memory", source->path);
  for (int i = 0; i < source->def->character_count; i++) {
    for (int row = 0; row < metric_row_count; row++) {
      char name[2 * METRICS_NAME_SIZE + 1];
      snprintf(name, sizeof name, "%s.%s", source->def->characters[i].name, metric_rows[row].name);
      double *value = &metrics[i * metric_row_count + row];
      if (trace_values(source->reader, "/metrics", name, value, 1) != 1)
        *value = NAN; // the run was cut short, or an older version did not have it
    }
  }
  return true;
}

static bool open_trace(Source *source, Error *error) {
  source->reader = trace_open(source->path, error);
  if (source->reader)
    source->def = source->owned->def = scene_def_from_trace(source->reader, error);
  if (!source->def)
    return false;
  uint64_t seed = (uint64_t)source->def->run.seed;
  source->owned->terrain = terrain_create(&source->def->terrain, seed, &source->owned->def->files, error);
  source->terrain = source->owned->terrain;
  if (source->terrain)
    source->frames = frames_of_trace(source->reader, error);
  struct SourceOwned *owned = source->owned;
  if (source->frames)
    owned->object_count = objects_find(source->reader, source->frames, owned->objects, RECORD_MAX_OBJECTS);
  return source->frames && frame_index(&source->owned->index, source->frames, source->def, error) &&
         read_hits(source, error) && read_metrics(source, error);
}

// ---- Runs ----

// Copies the hits with their total impulse: to active ones the impulse of future steps is added.
static void complete_hits(Source *source) {
  const Live *live = source->live;
  const Events *events = &live->scene->events;
  double time = live->scene->world->time;
  memcpy(source->owned->hits, live->hits, sizeof live->hits);
  source->hit_count = live->hit_count;
  for (int i = 0; i < events->active_count; i++) {
    const ActiveEvent *event = &events->active[i];
    if (event->kind == EVENT_PULL) // its impulse is not known before
      continue;
    vec3s impulse = vec3_from_doubles(event->impulse_w);
    HitMark rest = {.character = event->target,
                    .part = event->part,
                    .push = event->kind == EVENT_PUSH,
                    .start = time,
                    .end = time,
                    .offset_l = vec3_from_doubles(event->offset_l),
                    .impulse_w = glms_vec3_scale(impulse, (float)(1 - event->given))};
    source->hit_count = hits_add(source->owned->hits, source->hit_count, LIVE_MAX_HITS, &rest);
  }
}

bool source_refresh(Source *source, Error *error) {
  Live *live = source->live;
  if (!live)
    return true;
  source->def = live->def;
  source->terrain = live->scene->terrain;
  source->frames = live->frames;
  complete_hits(source);
  if (source->owned->generation == live->generation)
    return true;
  source->owned->generation = live->generation;
  return frame_index(&source->owned->index, source->frames, source->def, error);
}

static bool open_run(Source *source, const char *const *overrides, int override_count, Error *error) {
  source->live = live_open(source->path, overrides, override_count, error);
  source->hits = source->owned->hits = calloc(LIVE_MAX_HITS, sizeof(HitMark));
  if (source->live && !source->hits)
    return error_set(error, "%s: out of memory", source->path);
  return source->live && source_refresh(source, error);
}

// ---- Motion files ----

static bool open_motion(Source *source, Error *error) {
  source->owned->motion = motion_view_open(source->path, error);
  if (!source->owned->motion)
    return false;
  source->def = motion_view_def(source->owned->motion);
  source->terrain = motion_view_terrain(source->owned->motion);
  source->frames = motion_view_frames(source->owned->motion);
  return frame_index(&source->owned->index, source->frames, source->def, error);
}

unsigned source_layers(const Source *source) {
  return source->owned->motion ? 1u << (LAYER_DEBUG + DEBUG_SKELETON) : 0;
}

// ---- All sources ----

// Whether a name has a trace's ending: for an empty or incomplete file the error should not be that it is no scene.
static bool is_named_trace(const char *path) {
  size_t length = strlen(path);
  return length > 3 && strcmp(path + length - 3, ".h5") == 0;
}

Source *source_open(const char *path, const char *const *overrides, int override_count, Error *error) {
  Source *source = calloc(1, sizeof *source);
  if (source)
    source->owned = calloc(1, sizeof *source->owned);
  if (!source || !source->owned) {
    free(source);
    error_set(error, "%s: out of memory", path);
    return NULL;
  }
  snprintf(source->path, sizeof source->path, "%s", path);
  bool is_trace = trace_is_hdf5(path) || is_named_trace(path);
  bool is_motion = !is_trace && motion_view_is_for(path);
  bool ok = false;
  if ((is_trace || is_motion) && override_count > 0)
    error_set(error, "%s: only a scene has parameters to set", path);
  else
    ok = is_trace    ? open_trace(source, error)
         : is_motion ? open_motion(source, error)
                     : open_run(source, overrides, override_count, error);
  if (ok)
    return source;
  source_close(source, NULL);
  return NULL;
}

bool source_close(Source *source, Error *error) {
  if (!source)
    return true;
  if (source->reader)
    frames_free(source->frames);
  motion_view_close(source->owned->motion);
  bool ended = live_close(source->live, error);
  free(source->owned->metrics);
  free(source->owned->hits);
  terrain_destroy(source->owned->terrain);
  scene_def_free(source->owned->def);
  if (source->reader)
    trace_reader_close(source->reader);
  free(source->owned);
  free(source);
  return ended;
}

bool source_find_character(const Source *source, const char *name, int *character, Error *error) {
  const char *names[SCENE_MAX_CHARACTERS];
  char where[sizeof source->path + 8];
  int count = source->def->character_count;
  for (int i = 0; i < count; i++)
    names[i] = source->def->characters[i].name;
  snprintf(where, sizeof where, " in %s", source->path);
  int found = lookup_name("character", name, where, names, count, error);
  if (found >= 0)
    *character = found;
  return found >= 0;
}

bool source_find_camera(const Source *source, const char *name, const Subject *subject, CameraRig *rig, Error *error) {
  const SceneDef *def = source->def;
  if (camera_rig_from_name(rig, name, def, subject))
    return true;
  const char *names[CAMERA_KIND_COUNT + SCENE_MAX_CAMERAS + 2] = {"orbit", "first_person"};
  char where[sizeof source->path + 8];
  int count = 2;
  for (int i = 0; i < CAMERA_KIND_COUNT; i++)
    names[count++] = camera_style((CameraKind)i).name;
  for (int i = 0; i < def->camera_count; i++)
    names[count++] = def->cameras[i].name;
  snprintf(where, sizeof where, " in %s", source->path);
  lookup_name("camera", name, where, names, count, error);
  return false;
}

double source_end(const Source *source) {
  if (source->live) // edits change dt in the description, but in the world only after a reset
    return (double)source->def->step_count * source->live->scene->world->def.dt;
  return frames_time(source->frames, frames_end(source->frames) - 1);
}

static bool run_live_to(Source *source, double time, Error *error) {
  Live *live = source->live;
  double step = live->scene->world->def.dt;
  double near = frames_time(live->frames, frames_near(live->frames, time));
  if (fabs(near - time) <= step / 2)
    return true;
  if (live->scene->world->time > time && !live_reset(live, -1, error))
    return false;
  long steps = lround(time / step) - live->scene->world->steps;
  if (live_advance(live, steps) < steps)
    return error_set(error, "%s: the simulation stopped at %.3f s: %s", source->path, live->scene->world->time,
                     live->stop_reason);
  return source_refresh(source, error);
}

bool source_run_to(Source *source, double time, Error *error) {
  double end = source_end(source);
  if (!(time >= 0 && time <= end + SLIVER))
    return error_set(error, "there is no picture at %g s, the run goes from 0 to %g s", time, end);
  return !source->live || run_live_to(source, time, error);
}

typedef struct Seen {
  PictureObject objects[OBJECTS_MAX + SCENE_MAX_PLATFORMS];
  int count;
} Seen;

static void see_objects(const Source *source, int frame, Seen *seen) {
  const ObjectList *now = source->live ? live_objects(source->live, frame) : NULL;
  for (int i = 0; now && i < now->count; i++)
    seen->objects[seen->count++] = now->objects[i];
  for (int i = 0; i < source->owned->object_count && seen->count < OBJECTS_MAX; i++)
    seen->count += objects_read(source->frames, &source->owned->objects[i], frame, &seen->objects[seen->count]);
}

// Platforms that no force moves follow their description, independent of all else.
static void see_platforms(const SceneDef *def, double time, Seen *seen) {
  for (int i = 0; i < def->platform_count; i++) {
    const PlatformDef *platform = &def->platforms[i];
    double position[3], rotation[4];
    if (platform->mass > 0)
      continue;
    platform_def_place(platform, fmax(time, 0), position, rotation);
    seen->objects[seen->count++] = (PictureObject){.position_w = vec3_from_doubles(position),
                                                   .rotation = quat_from_ode(rotation),
                                                   .size = vec3_from_doubles(platform->size),
                                                   .box = true,
                                                   .ground = true,
                                                   .name = platform->name};
  }
}

// Where an end of a rope is: `point` from the middle of the object of that name, or in the world. False when the object
// is not there.
static bool find_end(const Seen *seen, const char *name, const double point[3], vec3s *end_w) {
  *end_w = vec3_from_doubles(point);
  for (int i = 0; i < seen->count && name[0]; i++) {
    const PictureObject *object = &seen->objects[i];
    if (!object->name || strcmp(object->name, name) != 0)
      continue;
    *end_w = glms_vec3_add(object->position_w, glms_quat_rotatev(object->rotation, *end_w));
    return true;
  }
  return name[0] == '\0';
}

static void show_objects(const Source *source, int frame, Picture *picture) {
  Seen seen = {.count = 0};
  see_objects(source, frame, &seen);
  see_platforms(source->def, picture->time, &seen);
  for (int i = 0; i < seen.count; i++)
    picture_add_object(picture, &seen.objects[i]);
  for (int i = 0; i < source->def->rope_count; i++) {
    const RopeDef *rope = &source->def->ropes[i];
    vec3s from, to;
    if (find_end(&seen, rope->from, rope->at, &from) && find_end(&seen, rope->to, rope->to_at, &to))
      picture_add_rope(picture, from, to);
  }
}

static bool is_present(const Source *source, int frame) {
  return source->live && frame == frames_end(source->frames) - 1;
}

const char *source_skill(const Source *source, int character, double time) {
  if (!is_present(source, frames_near(source->frames, time)) || character >= source->live->scene->character_count)
    return NULL;
  const SkillDef *skill = source->live->scene->characters[character]->skill.active;
  return skill ? skill->name : NULL;
}

static void write_skill(const Source *source, int character, double time, Picture *picture) {
  const char *skill = source_skill(source, character, time);
  snprintf(picture->lead, sizeof picture->lead, "%s%s", skill ? "skill " : "", skill ? skill : "");
}

// Shows the controllers' state and the user's actions, which are known for the run's present only.
static void show_thoughts(const Source *source, int frame, Picture *picture) {
  const Live *live = source->live;
  if (!is_present(source, frame))
    return;
  for (int i = 0; i < live->scene->character_count; i++)
    character_debug(live->scene->characters[i], &picture->debug);
  const Drag *drag = &live->poke.drag;
  if (!drag->active)
    return;
  double held[3];
  world_body_point_to_world(live->scene->world, drag->body, drag->point_l, held);
  debug_group(&picture->debug, DEBUG_POKE);
  debug_line(&picture->debug, held, drag->goal_w, 0.012f, DRAG_COLOR);
  debug_point(&picture->debug, held, 0.02f, DRAG_COLOR);
  debug_point(&picture->debug, drag->goal_w, 0.03f, DRAG_COLOR);
  debug_label(&picture->debug, drag->goal_w, DRAG_COLOR, "%.0f N", length3(drag->force_w));
}

bool source_picture(Source *source, double time, const SourceLook *look, Picture *picture, Error *error) {
  int frame = frames_near(source->frames, time);
  picture->terrain = source->terrain;
  picture->time = frames_time(source->frames, frame);
  picture->coloring = look->coloring;
  picture_describe(picture, source->def, look->subject);
  picture->has_hits |= source->hit_count > 0;
  write_skill(source, look->subject, time, picture);
  hits_write_caption(source->hits, source->hit_count, source->def, picture);
  const FrameIndex *index = &source->owned->index;
  FrameCharacter *characters = source->owned->characters;
  for (int i = 0; i < source->def->character_count; i++) {
    FrameCharacter *character = &characters[i];
    if (!frame_read(source->frames, index, i, frame, character, error) ||
        (i == look->subject && !frame_look_at(source->frames, index, character, frame, picture, error)))
      return false;
    frame_show(character, look, picture);
    if (source->def->character_count > 1 && !(look->tint.w > 0)) // of runs over each other only the first is named
      picture_add_name(picture, character->def, character->part_positions, i == look->subject);
    hits_show(source->hits, source->hit_count, i, character->part_positions, character->part_rotations, picture);
  }
  if (!frame_show_balance(source->frames, index, frame, characters, picture, error))
    return false;
  if (source->owned->motion)
    motion_view_show(source->owned->motion, frame, picture);
  show_objects(source, frame, picture);
  show_thoughts(source, frame, picture);
  return true;
}

double source_metric(const Source *source, int character, int row) {
  double value = NAN;
  if (source->live)
    metrics_value(source->live->scene->characters[character]->judged->metrics, metric_rows[row].name, &value);
  else
    value = source->owned->metrics[character * metric_row_count + row];
  return value;
}

// Shows a motion file: its own skeleton, and beside it our body with the retargeted clip.
#include "viewer/source/motion_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/retarget/clip_import.h"
#include "viewer/source/frames_internal.h"

static const char BODY[] = "bodies/human.yaml";
static const double CLIP_RATE = 60;      // Hz, for showing a clip without a recording
static const double SPEED_WINDOW = 0.35; // s before and after a moment for computing its speed
static const uint32_t BONE_COLOR = 0x1d2733ff;
static const float BESIDE = 0.9f; // m between the body and the recording, to the left

struct MotionView {
  SceneDef def;
  FileSet files;
  Terrain *terrain;
  Motion *motion; // NULL: only a clip is shown
  BodyDef *body;
  Clip *clip; // NULL: the motion does not fit the human body
  Frames *frames;
  vec3s *positions; // [motion's joints], scratch
  versors *rotations;
  vec3s low, high; // m, bounding box of the recording in all of its frames
  vec3s place;     // m, where the body's path begins
};

// ---- Frames ----

// First member: what all kinds of frames share.
typedef struct MotionFrames {
  Frames frames;
  const MotionView *view;
  double rate; // Hz
  vec3s *positions;
  versors *rotations;
} MotionFrames;

static double frame_time(const Frames *frames, int frame) { return frame / ((const MotionFrames *)frames)->rate; }

// Recordings keep their horizontal motion in the keys; clips store the root's motion separately.
static Pose clip_pose(const MotionView *view, double time) {
  Pose pose;
  clip_sample(view->clip, (float)time, &pose);
  vec3s way = glms_vec3_add(view->place, glms_vec3_scale(view->clip->root_velocity_l, (float)time));
  pose_transform(&pose, way, glms_quat_identity());
  return pose;
}

static const float *frame_values(Frames *frames, int channel, int frame, Error *error) {
  (void)error; // everything is in memory
  MotionFrames *own = (MotionFrames *)frames;
  if (strcmp(frames->channels[channel].shown.path, "/motion/position") == 0) {
    motion_place(own->view->motion, frame, own->positions, own->rotations);
    return own->positions[0].raw;
  }
  Pose pose = clip_pose(own->view, frame_time(frames, frame));
  memcpy(own->rotations, pose.rotation, sizeof(versors) * (size_t)pose.count);
  return own->rotations[0].raw;
}

static int no_contacts(Frames *frames, int frame, FrameContact *contacts, int most, Error *error) {
  (void)frames, (void)frame, (void)contacts, (void)most, (void)error;
  return 0;
}

static void free_frames(Frames *frames) {
  free(((MotionFrames *)frames)->positions);
  free(((MotionFrames *)frames)->rotations);
}

static bool add_channel(Frames *frames, const char *path, int rows, int width, const char *unit, const char *what) {
  TraceChannel channel = {.path = path, .shape = {rows, width}, .unit = unit, .description = what};
  StoredChannel *stored = frames_add_channel(frames, &channel, true);
  if (!stored)
    return false;
  stored->shown.names = calloc((size_t)rows, sizeof *stored->shown.names);
  return stored->shown.names != NULL;
}

static bool declare_channels(MotionFrames *own, const MotionView *view) {
  Frames *frames = &own->frames;
  if (view->motion) {
    int count = view->motion->joint_count;
    if (!add_channel(frames, "/motion/position", count, 3, "m", "Of the recorded joints, world"))
      return false;
    for (int i = 0; i < count; i++)
      snprintf(frames->channels[frames->channel_count - 1].shown.names[i], TRACE_NAME_SIZE, "%.*s", TRACE_NAME_SIZE - 1,
               view->motion->joints[i].name);
  }
  if (view->clip) {
    const Skeleton *skeleton = &view->body->skeleton;
    if (!add_channel(frames, "/clip/rotation", skeleton->count, 4, "x y z w", "Of the body's joints, in their parents"))
      return false;
    for (int i = 0; i < skeleton->count; i++)
      snprintf(frames->channels[frames->channel_count - 1].shown.names[i], TRACE_NAME_SIZE, "%s", skeleton->names[i]);
  }
  frames_sort_channels(frames);
  return true;
}

static Frames *make_frames(const MotionView *view, Error *error) {
  static const FramesKind kind = {frame_values, frame_time, no_contacts, free_frames};
  MotionFrames *own = calloc(1, sizeof *own);
  size_t joints = SKELETON_MAX_JOINTS;
  if (view->motion && (size_t)view->motion->joint_count > joints)
    joints = (size_t)view->motion->joint_count;
  if (own) {
    own->frames.kind = &kind;
    own->view = view;
    own->rate = view->motion ? view->motion->frame_rate : CLIP_RATE;
    own->frames.end =
        view->motion ? view->motion->frame_count : (int)lround((double)view->clip->duration * CLIP_RATE) + 1;
    own->positions = malloc(joints * sizeof *own->positions);
    own->rotations = malloc(joints * sizeof *own->rotations);
  }
  if (own && own->positions && own->rotations && declare_channels(own, view))
    return &own->frames;
  if (own)
    frames_free(&own->frames);
  error_set(error, "out of memory");
  return NULL;
}

// ---- Opening ----

bool motion_view_is_for(const char *path) {
  if (motion_is_known(path))
    return true;
  FileSet files = {0};
  const File *file = files_read(&files, path, NULL);
  Document document;
  bool is_clip = false;
  if (file && document_read(&document, path, file, NULL)) {
    is_clip = node_find(document.root, "root_position") || node_find(document.root, "import");
    document_free(&document);
  }
  files_free(&files);
  return is_clip;
}

// The bounding box of all frames.
static void find_box(MotionView *view) {
  view->low = (vec3s){{INFINITY, INFINITY, INFINITY}};
  view->high = glms_vec3_negate(view->low);
  for (int frame = 0; frame < view->motion->frame_count; frame++) {
    motion_place(view->motion, frame, view->positions, view->rotations);
    for (int i = 0; i < view->motion->joint_count; i++) {
      view->low = glms_vec3_minv(view->low, view->positions[i]);
      view->high = glms_vec3_maxv(view->high, view->positions[i]);
    }
  }
}

static bool read_motion(MotionView *view, const char *path, Error *error) {
  if (!motion_is_known(path))
    return true;
  const File *file = motion_gather(&view->files, files_read(&view->files, path, error), error);
  view->motion = file ? motion_read(file, NULL, error) : NULL;
  if (!view->motion)
    return false;
  size_t count = (size_t)view->motion->joint_count;
  view->positions = malloc(count * sizeof *view->positions);
  view->rotations = malloc(count * sizeof *view->rotations);
  if (!view->positions || !view->rotations)
    return error_set(error, "%s: out of memory", path);
  find_box(view);
  return true;
}

// The human body performing the recording, frame by frame, on its own path beside it.
static Clip *imitate(MotionView *view, Error *error) {
  RetargetMap map;
  RetargetOptions options = retarget_options_default();
  options.loop = false;
  options.keep_root = true;
  const Skeleton *skeleton = &view->body->skeleton;
  if (!retarget_map(&map, view->motion, skeleton, NULL, error))
    return NULL;
  Clip *clip = retarget(view->motion, &map, skeleton, NULL, &options, NULL, error);
  if (!clip)
    return NULL;
  motion_place(view->motion, 0, view->positions, view->rotations);
  vec3s root = view->positions[map.source[0] >= 0 ? map.source[0] : 0], own = clip->keys[0].position[0];
  view->place = (vec3s){{root.x - own.x + BESIDE, 0, root.z - own.z}};
  return clip;
}

static void describe(MotionView *view, const char *path, const char *problem) {
  const char *slash = strrchr(path, '/');
  snprintf(view->def.path, sizeof view->def.path, "%s", path);
  snprintf(view->def.name, sizeof view->def.name, "%.*s", (int)sizeof view->def.name - 1, slash ? slash + 1 : path);
  char *text = view->def.run.purpose;
  size_t size = sizeof view->def.run.purpose;
  const Motion *motion = view->motion;
  if (!motion)
    snprintf(text, size, "A clip of %.2f s.", (double)view->clip->duration);
  else if (view->clip)
    snprintf(text, size, "%s, %d joints, %.4g Hz; to its left the human body.", motion->format, motion->joint_count,
             motion->frame_rate);
  else
    snprintf(text, size, "%s, %d joints, %.4g Hz; not for the human body: %s.", motion->format, motion->joint_count,
             motion->frame_rate, problem);
}

static bool open_view(MotionView *view, const char *path, Error *error) {
  TerrainDef flat;
  param_defaults(&terrain_params, &flat);
  view->terrain = terrain_create(&flat, 1, &view->files, error);
  if (!view->terrain || !files_read(&view->files, path, error) || !read_motion(view, path, error))
    return false;
  FileSet *files = &view->files;
  const char *slash = strrchr(path, '/'); // files named by a clip are beside it; the body is in the scenes folder
  snprintf(files->folder, sizeof files->folder, "%.*s", slash ? (int)(slash - path) : 0, path);
  view->body = body_read(files, BODY, error);
  if (!view->body)
    return false;
  Error problem = {0};
  view->clip =
      view->motion ? imitate(view, &problem) : clip_load(files, path, &view->body->skeleton, NULL, NULL, &problem);
  if (!view->clip && !view->motion)
    return error_set(error, "%s", problem.text);
  describe(view, path, problem.text);
  view->frames = make_frames(view, error);
  return view->frames != NULL;
}

MotionView *motion_view_open(const char *path, Error *error) {
  MotionView *view = calloc(1, sizeof *view);
  if (!view) {
    error_set(error, "%s: out of memory", path);
    return NULL;
  }
  if (open_view(view, path, error))
    return view;
  motion_view_close(view);
  return NULL;
}

void motion_view_close(MotionView *view) {
  if (!view)
    return;
  frames_free(view->frames);
  if (view->motion)
    motion_free(view->motion);
  clip_free(view->clip);
  if (view->body)
    body_free(view->body);
  terrain_destroy(view->terrain);
  files_free(&view->files);
  free(view->positions);
  free(view->rotations);
  free(view);
}

const SceneDef *motion_view_def(const MotionView *view) { return &view->def; }
const Terrain *motion_view_terrain(const MotionView *view) { return view->terrain; }
Frames *motion_view_frames(const MotionView *view) { return view->frames; }

// ---- Showing ----

// Mean horizontal speed around a frame, m/s.
static float recording_speed(const MotionView *view, int frame) {
  const Motion *motion = view->motion;
  int reach = (int)ceil(SPEED_WINDOW * motion->frame_rate), last = motion->frame_count - 1;
  int before = frame > reach ? frame - reach : 0, after = frame + reach < last ? frame + reach : last;
  if (after <= before)
    return 0;
  motion_place(motion, before, view->positions, view->rotations);
  vec3s from = view->positions[0];
  motion_place(motion, after, view->positions, view->rotations);
  vec3s to = view->positions[0];
  return hypotf(to.x - from.x, to.z - from.z) * (float)(motion->frame_rate / (after - before));
}

static void show_recording(const MotionView *view, int frame, Picture *picture) {
  const Motion *motion = view->motion;
  picture->speed = recording_speed(view, frame);
  motion_place(motion, frame, view->positions, view->rotations);
  float height = fmaxf(view->high.y - view->low.y, 0.1f);
  debug_group(&picture->debug, DEBUG_SKELETON);
  for (int i = 0; i < motion->joint_count; i++) {
    double at[3], from[3];
    vec3_to_doubles(view->positions[i], at);
    debug_point(&picture->debug, at, 0.009f * height, BONE_COLOR);
    if (motion->joints[i].parent < 0)
      continue;
    vec3_to_doubles(view->positions[motion->joints[i].parent], from);
    debug_line(&picture->debug, from, at, 0.007f * height, BONE_COLOR);
  }
  vec3s middle = view->positions[0];
  picture->subject = (Subject){
      .center_w = {{middle.x, view->low.y + 0.5f * height, middle.z}}, .height = height, .width = 1.2f * height};
}

static void show_body(const MotionView *view, int frame, Picture *picture) {
  Pose pose = clip_pose(view, frames_time(view->frames, frame));
  picture_add_character(picture, &(PictureCharacter){.body = view->body, .output = &pose, .coloring = COLORING_NONE});
  if (view->motion)
    return;
  picture_look_at(picture, pose.position[0], 0, view->body);
  picture->speed = hypotf(view->clip->root_velocity_l.x, view->clip->root_velocity_l.z);
}

void motion_view_show(const MotionView *view, int frame, Picture *picture) {
  picture->terrain = view->terrain;
  if (view->motion)
    show_recording(view, frame, picture);
  if (view->clip)
    show_body(view, frame, picture);
}

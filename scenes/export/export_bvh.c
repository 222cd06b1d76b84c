// A trace as BVH in centimetres, as most programs expect. Joints have the names of the body's parts. A part without
// children gets an End Site at its far end, so that its bone has a length.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/motion/motion.h"
#include "scenes/export/export.h"
#include "scenes/export/round_trip.h"
#include "scenes/export/trace_markers.h"

static const double UNIT = 0.01; // m per unit of the file

enum { PIECE = 2048 }; // frames

static const char END_SITE[] = "EndSite_"; // prefix from which motion_write_bvh makes an End Site

static MotionJoint make_joint(const char *prefix, const char *name, int parent, vec3s position, versors rotation) {
  MotionJoint joint = {
      .parent = parent, .bind_position_l = glms_vec3_scale(position, (float)(1 / UNIT)), .bind_rotation_l = rotation};
  snprintf(joint.name, sizeof joint.name, "%s%s", prefix, name);
  return joint;
}

static void make_joints(const BodyDef *body, Motion *bvh) {
  const Skeleton *skeleton = &body->skeleton;
  for (int j = 0; j < skeleton->count; j++)
    bvh->joints[bvh->joint_count++] = make_joint("", skeleton->names[j], skeleton->parent[j],
                                                 skeleton->bind_position_l[j], skeleton->bind_rotation_l[j]);
  for (int j = 0; j < skeleton->count; j++)
    if (part_is_last(body, j))
      bvh->joints[bvh->joint_count++] =
          make_joint(END_SITE, skeleton->names[j], j, part_far_end(&body->parts[j]), glms_quat_identity());
}

static void fill_frame(const TraceMotion *motion, int frame, Motion *bvh) {
  const size_t first = (size_t)frame * (size_t)bvh->joint_count;
  Pose local;
  trace_motion_pose(motion, frame, &local);
  for (int j = 0; j < bvh->joint_count; j++) {
    const bool is_joint = j < motion->joint_count; // false: an End Site
    bvh->position_l[first + (size_t)j] = bvh->joints[j].bind_position_l;
    bvh->rotation_l[first + (size_t)j] = is_joint ? local.rotation[j] : glms_quat_identity();
  }
  bvh->position_l[first] = glms_vec3_scale(local.position[0], (float)(1 / UNIT));
}

// A motion with room for a piece, and as yet without frames.
static Motion *make_motion(const TraceMotion *motion) {
  Motion *bvh = calloc(1, sizeof *bvh);
  if (!bvh)
    return NULL;
  bvh->frame_rate = motion->frame_rate;
  const size_t most = 2 * (size_t)motion->joint_count; // with End Sites
  bvh->joints = calloc(most, sizeof *bvh->joints);
  bvh->position_l = calloc(most * PIECE, sizeof *bvh->position_l);
  bvh->rotation_l = calloc(most * PIECE, sizeof *bvh->rotation_l);
  if (!bvh->joints || !bvh->position_l || !bvh->rotation_l) {
    motion_free(bvh);
    return NULL;
  }
  make_joints(motion->body, bvh);
  return bvh;
}

// ---- Piece by piece: neither the text of an hour nor what a reader makes of it fits into memory ----

typedef struct BvhExport {
  TraceMotion *motion; // one piece
  int frame_count;     // of all
  Motion *bvh;
  BvhWriter *writer;
  TextBuffer text;
  char *head; // the joints as written, up to the number of frames
  RoundTrip trip;
  Error problem; // of reading it back
} BvhExport;

// What a program reads that gets the joints and these frames alone.
static void read_back(BvhExport *export) {
  const TraceMotion *piece = export->motion;
  TextBuffer whole = {0};
  text_print(&whole, "%sFrames: %d\nFrame Time: %.10g\n", export->head, piece->frame_count, 1 / piece->frame_rate);
  text_append(&whole, export->text.bytes, export->text.size);
  RoundTrip trip = {0};
  if (whole.failed)
    error_set(&export->problem, "out of memory");
  else if (round_trip_measure("export.bvh", whole.bytes, whole.size, UNIT, piece, &trip, &export->problem)) {
    export->trip.distance = fmax(export->trip.distance, trip.distance);
    export->trip.angle = fmax(export->trip.angle, trip.angle);
    export->trip.moments += trip.moments;
  }
  text_free(&whole);
}

static bool not_written(Error *error) {
  error_set(error, "the temporary file cannot be written: %s", strerror(errno));
  return error_unwritten(error);
}

static bool settle(ExportResult *result, Error *error) { return fflush(result->file) == 0 || not_written(error); }

// Moves the text that was made into the file.
static bool move_text(BvhExport *export, ExportResult *result, Error *error) {
  if (export->text.failed)
    return error_set(error, "out of memory");
  if (fwrite(export->text.bytes, 1, export->text.size, result->file) != export->text.size)
    return not_written(error);
  result->size += export->text.size;
  export->text.size = 0;
  return true;
}

static bool write_head(BvhExport *export, ExportResult *result, Error *error) {
  export->writer = bvh_begin(export->bvh, export->frame_count, &export->text);
  const char *end = export->writer && !export->text.failed ? strstr(export->text.bytes, "Frames: ") : NULL;
  export->head = end ? strndup(export->text.bytes, (size_t)(end - export->text.bytes)) : NULL;
  return export->head ? move_text(export, result, error) : error_set(error, "out of memory");
}

static bool write_frames(BvhExport *export, ExportResult *result, Error *error) {
  const int frames = export->frame_count, pieces = (frames + PIECE - 1) / PIECE;
  bool good = true;
  for (int i = 0; i < pieces && good; i++) {
    const int first = (int)((long)frames * i / pieces), end = (int)((long)frames * (i + 1) / pieces);
    if (!trace_motion_load(export->motion, first, end - first, error))
      return false;
    export->bvh->frame_count = export->motion->frame_count;
    for (int f = 0; f < export->motion->frame_count; f++)
      fill_frame(export->motion, f, export->bvh);
    bvh_add(export->writer, export->bvh);
    if (!export->text.failed && export->problem.text[0] == '\0')
      read_back(export);
    good = move_text(export, result, error);
  }
  return good;
}

bool export_bvh(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error) {
  TraceMotion *motion = trace_motion_open(reader, def, options->character, options->pose, error);
  if (!motion)
    return false;
  Motion *bvh = make_motion(motion);
  BvhExport export = {.motion = motion, .frame_count = trace_frame_count(reader), .bvh = bvh};
  bool good = bvh || error_set(error, "out of memory");
  result->file = good ? tmpfile() : NULL;
  good = good && (result->file || not_written(error));
  good = good && write_head(&export, result, error) && write_frames(&export, result, error) && settle(result, error);
  if (good) {
    const bool is_first = !options->character && def->character_count > 1;
    snprintf(result->contents, sizeof result->contents, "%s%s, %s pose, %d frames at %g Hz, cm", motion->character,
             is_first ? ", the first of several" : "", trace_pose_names[motion->pose], export.frame_count,
             motion->frame_rate);
    round_trip_tell(&export.trip, &export.problem, result->round_trip, sizeof result->round_trip);
  }
  bvh_end(export.writer);
  motion_free(bvh);
  free(export.head);
  text_free(&export.text);
  trace_motion_free(motion);
  return good;
}

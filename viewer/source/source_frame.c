// Reads the channels of a character's frame, and adds its poses, forces and marks to a picture.
#include "viewer/source/source_frame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes/description/trace_motion.h"
#include "viewer/source/balance_marks.h"

static const double MOTION_WINDOW = 0.35; // s before and after a moment over which speed and heading are computed
static const float SLOW = 0.3f;           // m/s; below this, the heading is that of the body
static const float WORST_ERROR = 0.349f;  // rad, 20 degrees: heat 1 of COLORING_ERROR

enum { PATH_SIZE = 192, MAX_ROW = 4 * SKELETON_MAX_JOINTS, MAX_CONTACTS = 1024 };

typedef enum Rows { ROWS_ROOT, ROWS_OF_JOINTS, ROWS_OF_PARTS } Rows;

static const struct {
  const char *path;
  Rows rows;
  int width;
} VALUES[FRAME_VALUE_COUNT] = {
    [FRAME_OUTPUT_POSITION] = {"pose/output/root_position", ROWS_ROOT, 3},
    [FRAME_OUTPUT_ROOT] = {"pose/output/root_rotation", ROWS_ROOT, 4},
    [FRAME_OUTPUT_ROTATION] = {"pose/output/rotation", ROWS_OF_JOINTS, 4},
    [FRAME_TARGET_POSITION] = {"pose/target/root_position", ROWS_ROOT, 3},
    [FRAME_TARGET_ROOT] = {"pose/target/root_rotation", ROWS_ROOT, 4},
    [FRAME_TARGET_ROTATION] = {"pose/target/rotation", ROWS_OF_JOINTS, 4},
    [FRAME_PART_POSITION] = {"parts/position", ROWS_OF_PARTS, 3},
    [FRAME_PART_ROTATION] = {"parts/rotation", ROWS_OF_PARTS, 4},
    [FRAME_BLEND] = {"joints/blend", ROWS_OF_JOINTS, 1},
    [FRAME_TORQUE] = {"joints/torque", ROWS_OF_JOINTS, 3},
    [FRAME_STRENGTH] = {"joints/strength", ROWS_OF_JOINTS, 1},
    [FRAME_ERROR] = {"joints/error", ROWS_OF_JOINTS, 1},
    [FRAME_ASSIST_FORCE] = {"assist/force", ROWS_ROOT, 3},
    [FRAME_COM_POSITION] = {"com/position", ROWS_ROOT, 3},
    [FRAME_COM_VELOCITY] = {"com/velocity", ROWS_ROOT, 3},
};

// Number of values in one frame.
static int value_size(FrameValue value, const BodyDef *body) {
  int rows = VALUES[value].rows == ROWS_ROOT       ? 1
             : VALUES[value].rows == ROWS_OF_PARTS ? body->part_count
                                                   : body->part_count - 1;
  return rows * VALUES[value].width;
}

bool frame_index(FrameIndex *index, const Frames *frames, const SceneDef *def, Error *error) {
  index->def = def;
  for (int i = 0; i < def->character_count; i++) {
    for (int k = 0; k < FRAME_VALUE_COUNT; k++) {
      char path[PATH_SIZE];
      snprintf(path, sizeof path, "/characters/%s/%s", def->characters[i].name, VALUES[k].path);
      int size = value_size((FrameValue)k, def->characters[i].body);
      int channel = index->channels[i][k] = size > 0 ? frames_find(frames, path) : -1;
      if (size > 0 && channel < 0)
        return error_set(error, "the trace has no %s", path);
      if (size == 0)
        continue;
      const FrameChannel *found = frames_channel(frames, channel);
      if (found->rows * found->width != size)
        return error_set(error, "the trace's %s does not fit its body: %d numbers a frame, not %d", path,
                         found->rows * found->width, size);
    }
  }
  return true;
}

// Leaves `values` unchanged when the body has no such rows.
static bool read_value(Frames *frames, const FrameIndex *index, int character, FrameValue value, int frame,
                       float *values, Error *error) {
  int channel = index->channels[character][value];
  return channel < 0 || frames_read(frames, channel, frame, values, error);
}

// first: the channel of the pose's root position; those of root and joints follow.
static bool read_pose(Frames *frames, const FrameIndex *index, int character, FrameValue first, int frame, Pose *pose,
                      Error *error) {
  float root[4], rotations[MAX_ROW];
  *pose = pose_bind(&index->def->characters[character].body->skeleton);
  if (!read_value(frames, index, character, first, frame, pose->position[0].raw, error) ||
      !read_value(frames, index, character, first + 1, frame, root, error) ||
      !read_value(frames, index, character, first + 2, frame, rotations, error))
    return false;
  trace_pose_join(root, rotations, pose->count, pose->rotation);
  return true;
}

bool frame_read_parts(Frames *frames, const FrameIndex *index, int character, int frame, FrameCharacter *values,
                      Error *error) {
  values->def = &index->def->characters[character];
  float positions[MAX_ROW], rotations[MAX_ROW];
  if (!read_value(frames, index, character, FRAME_PART_POSITION, frame, positions, error) ||
      !read_value(frames, index, character, FRAME_PART_ROTATION, frame, rotations, error))
    return false;
  for (int i = 0; i < values->def->body->part_count; i++) {
    memcpy(values->part_positions[i].raw, positions + 3 * i, 3 * sizeof(float));
    memcpy(values->part_rotations[i].raw, rotations + 4 * i, 4 * sizeof(float));
  }
  return true;
}

bool frame_read(Frames *frames, const FrameIndex *index, int character, int frame, FrameCharacter *values,
                Error *error) {
  float torques[MAX_ROW] = {0};
  if (!frame_read_parts(frames, index, character, frame, values, error) ||
      !read_pose(frames, index, character, FRAME_OUTPUT_POSITION, frame, &values->output, error) ||
      !read_pose(frames, index, character, FRAME_TARGET_POSITION, frame, &values->target, error) ||
      !read_value(frames, index, character, FRAME_BLEND, frame, values->blend, error) ||
      !read_value(frames, index, character, FRAME_STRENGTH, frame, values->strength, error) ||
      !read_value(frames, index, character, FRAME_ERROR, frame, values->error, error) ||
      !read_value(frames, index, character, FRAME_TORQUE, frame, torques, error) ||
      !read_value(frames, index, character, FRAME_ASSIST_FORCE, frame, values->assist_force.raw, error) ||
      !read_value(frames, index, character, FRAME_COM_POSITION, frame, values->com.raw, error) ||
      !read_value(frames, index, character, FRAME_COM_VELOCITY, frame, values->com_velocity.raw, error))
    return false;
  for (int i = 0; i + 1 < values->def->body->part_count; i++)
    values->torque[i] = glms_vec3_norm((vec3s){{torques[3 * i], torques[3 * i + 1], torques[3 * i + 2]}});
  return true;
}

// The value shown by a joint's colour, 0 .. 1.
static float joint_heat(const FrameCharacter *character, PictureColoring coloring, int joint) {
  double limit = character->def->body->parts[joint + 1].joint.strength * character->def->drive.strength;
  switch (coloring) {
  case COLORING_BLEND:
    return character->blend[joint];
  case COLORING_TORQUE:
    return limit > 0 ? character->torque[joint] / (float)limit : 0;
  case COLORING_STRENGTH:
    return 1 - character->strength[joint];
  case COLORING_ERROR:
    return character->error[joint] / WORST_ERROR;
  default:
    return 0;
  }
}

void frame_show(const FrameCharacter *character, const SourceLook *look, Picture *picture) {
  float heat[BODY_MAX_PARTS] = {0};
  for (int i = 0; i + 1 < character->def->body->part_count; i++)
    heat[i] = joint_heat(character, look->coloring, i);
  PictureCharacter shown = {
      .body = character->def->body,
      .output = &character->output,
      .target = &character->target,
      .part_positions = character->part_positions,
      .part_rotations = character->part_rotations,
      .heat = heat,
      .coloring = look->coloring,
      .tint = look->tint,
      .assist_force = character->assist_force,
  };
  if (look->coloring == COLORING_BLEND && picture_is_free(character->def) && !(shown.tint.w > 0))
    shown.tint = picture_free_tint();
  picture_add_character(picture, &shown);
  if (look->skin)
    skin_show(look->skin, shown.body, shown.output, picture, NULL);
}

// The root's motion around a moment: speed over the ground, and its heading, or that of the root when it is slow.
static bool find_motion(Frames *frames, const FrameIndex *index, const FrameCharacter *character, int frame,
                        float *speed, float *heading, Error *error) {
  int who = (int)(character->def - index->def->characters);
  double time = frames_time(frames, frame);
  int before = frames_near(frames, time - MOTION_WINDOW), after = frames_near(frames, time + MOTION_WINDOW);
  vec3s from, to;
  if (!read_value(frames, index, who, FRAME_OUTPUT_POSITION, before, from.raw, error) ||
      !read_value(frames, index, who, FRAME_OUTPUT_POSITION, after, to.raw, error))
    return false;
  vec3s way = glms_vec3_sub(to, from);
  double duration = frames_time(frames, after) - frames_time(frames, before);
  *speed = duration > 0 ? (float)(hypot((double)way.x, (double)way.z) / duration) : 0;
  vec3s forward = *speed > SLOW ? way : glms_quat_rotatev(character->target.rotation[0], (vec3s){{0, 0, 1}});
  *heading = atan2f(forward.x, forward.z);
  return true;
}

bool frame_look_at(Frames *frames, const FrameIndex *index, const FrameCharacter *character, int frame,
                   Picture *picture, Error *error) {
  float heading;
  if (!find_motion(frames, index, character, frame, &picture->speed, &heading, error))
    return false;
  const BodyDef *body = character->def->body;
  picture_look_at(picture, character->output.position[0], heading, body);
  int head = skeleton_find(&body->skeleton, "head");
  picture->subject.has_head = head >= 0;
  if (head < 0)
    return true;
  vec3s positions[BODY_MAX_PARTS];
  versors rotations[BODY_MAX_PARTS];
  picture_place_parts(body, &character->output, positions, rotations);
  picture->subject.head_w = positions[head];
  picture->subject.head_rotation = rotations[head];
  return true;
}

// Contacts are summed since the previous frame; the first frame has none.
static double frame_duration(const Frames *frames, int frame) {
  return frame > frames_first(frames) ? frames_time(frames, frame) - frames_time(frames, frame - 1) : 0;
}

// Marks platforms, whose indices follow the parts of all characters, as ground.
static void take_platforms_for_ground(const SceneDef *def, FrameContact *contacts, int count) {
  int parts = 0;
  for (int i = 0; i < def->character_count; i++)
    parts += def->characters[i].body->part_count;
  for (int i = 0; i < count; i++)
    if (contacts[i].other >= parts && contacts[i].other < parts + def->platform_count)
      contacts[i].other = WORLD_GROUND;
}

bool frame_show_balance(Frames *frames, const FrameIndex *index, int frame, const FrameCharacter *characters,
                        Picture *picture, Error *error) {
  FrameContact contacts[MAX_CONTACTS];
  int count = frames_contacts(frames, frame, contacts, MAX_CONTACTS, error);
  if (count < 0)
    return false;
  take_platforms_for_ground(index->def, contacts, count);
  int first_body = 0;
  for (int i = 0; i < index->def->character_count; i++) {
    const BodyDef *body = characters[i].def->body;
    Balance balance = {.weight = body->mass * fabs(index->def->world.gravity[1]),
                       .time = frame_duration(frames, frame)};
    vec3_to_doubles(characters[i].com, balance.com);
    vec3_to_doubles(characters[i].com_velocity, balance.com_velocity);
    balance.ground_height = NAN;
    if (picture->terrain)
      terrain_height_below(picture->terrain, balance.com[0], balance.com[2], balance.com[1], &balance.ground_height,
                           NULL);
    balance_take_contacts(&balance, contacts, count, body, first_body);
    balance_mark(&balance, &picture->debug);
    first_body += body->part_count;
  }
  return true;
}

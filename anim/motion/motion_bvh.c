// Writes a motion as BVH. That format's rest pose has offsets but no rotations, so the frame of every bone is turned to
// be parallel to the world's axes in the rest pose: positions are unchanged, and rotations become relative to the rest
// pose.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/motion/motion_internal.h"

// Rotations are q = R(first axis) R(second) R(third). At 90 degrees about the second axis the other two angles are
// undetermined (gimbal lock). That axis is chosen so that this hardly happens: limbs do not twist that far (y), and a
// body does not lie on its side that often (z).
typedef struct EulerOrder {
  int axes[3];
  double sign; // sign of the permutation of the axes
  const char *channels;
} EulerOrder;

static const EulerOrder ROOT_ORDER = {{1, 2, 0}, 1, "Yrotation Zrotation Xrotation"};
static const EulerOrder JOINT_ORDER = {{2, 1, 0}, -1, "Zrotation Yrotation Xrotation"};

static const EulerOrder *order_of(int joint) { return joint == 0 ? &ROOT_ORDER : &JOINT_ORDER; }

struct BvhWriter {
  const Motion *motion; // its joints
  versors *bind;        // world rotations of the rest pose
  bool *moves;          // joints whose position in the parent's frame changes: they get six channels
  double (*last)[3];    // angles of the previous frame, deg
  int *order, count;    // the joints in the order of the text, which is also that of the numbers in each row
  TextBuffer *text;
};

static versors parent_bind(const BvhWriter *writer, int joint) {
  const int parent = writer->motion->joints[joint].parent;
  return parent >= 0 ? writer->bind[parent] : glms_quat_identity();
}

static bool has_children(const Motion *motion, int joint) {
  for (int j = joint + 1; j < motion->joint_count; j++)
    if (motion->joints[j].parent == joint)
      return true;
  return false;
}

static bool is_end_site(const BvhWriter *writer, int joint) {
  return strncmp(writer->motion->joints[joint].name, "EndSite_", 8) == 0 && !writer->moves[joint] &&
         !has_children(writer->motion, joint) && joint > 0;
}

static void put_name(TextBuffer *text, const char *name) {
  char word[MOTION_NAME_SIZE];
  size_t i = 0;
  for (; name[i] != '\0' && i + 1 < sizeof word; i++)
    word[i] = isgraph((unsigned char)name[i]) && !strchr("{}", name[i]) ? name[i] : '_';
  word[i] = '\0';
  text_print(text, "%s\n", word);
}

static void put_joint(BvhWriter *writer, int joint, int depth) {
  const Motion *motion = writer->motion;
  TextBuffer *text = writer->text;
  const vec3s offset = glms_quat_rotatev(parent_bind(writer, joint), motion->joints[joint].bind_position_l);
  const int indent = 2 * (depth < 60 ? depth : 60);
  if (is_end_site(writer, joint)) {
    text_print(text, "%*sEnd Site\n%*s{\n%*s  OFFSET %.7f %.7f %.7f\n%*s}\n", indent, "", indent, "", indent, "",
               (double)offset.x, (double)offset.y, (double)offset.z, indent, "");
    return;
  }
  writer->order[writer->count++] = joint;
  text_print(text, "%*s%s ", indent, "", joint == 0 ? "ROOT" : "JOINT");
  put_name(text, motion->joints[joint].name);
  text_print(text, "%*s{\n%*s  OFFSET %.7f %.7f %.7f\n", indent, "", indent, "", (double)offset.x, (double)offset.y,
             (double)offset.z);
  text_print(text, "%*s  CHANNELS %s%s\n", indent, "", writer->moves[joint] ? "6 Xposition Yposition Zposition " : "3 ",
             order_of(joint)->channels);
  bool is_leaf = true;
  for (int j = joint + 1; j < motion->joint_count; j++)
    if (motion->joints[j].parent == joint) {
      put_joint(writer, j, depth + 1);
      is_leaf = false;
    }
  if (is_leaf) // many readers want an End Site; its length of 0 distinguishes it from real bones
    text_print(text, "%*s  End Site\n%*s  {\n%*s    OFFSET 0 0 0\n%*s  }\n", indent, "", indent, "", indent, "", indent,
               "");
  text_print(text, "%*s}\n", indent, "");
}

static void rotation_matrix(versors q, double m[3][3]) {
  double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
  const double length = sqrt(x * x + y * y + z * z + w * w);
  x /= length, y /= length, z /= length, w /= length;
  const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy(m, rows, sizeof rows);
}

// Angles in degrees about the order's axes. Computed in double: close to 90 degrees about the second axis the other two
// angles are large and nearly cancel. last: angles of the previous frame, which decide where the solution is not
// unique.
static void euler_angles(versors q, const EulerOrder *order, const double last[3], double angles[3]) {
  const int i = order->axes[0], j = order->axes[1], k = order->axes[2];
  const double sign = order->sign;
  double m[3][3];
  rotation_matrix(q, m);
  const double cosine = hypot(m[j][k], m[k][k]);
  angles[1] = atan2(sign * m[i][k], cosine);
  if (cosine > 1e-9) {
    angles[0] = atan2(-sign * m[j][k], m[k][k]);
    angles[2] = atan2(-sign * m[i][j], m[i][i]);
  } else { // gimbal lock: only the sum or difference of the other two is determined
    angles[0] = last[0] * M_PI / 180;
    const double c = cos(angles[0]), s = sign * sin(angles[0]);
    angles[2] = atan2(sign * (c * m[j][i] + s * m[k][i]), c * m[j][j] + s * m[k][j]);
  }
  for (int n = 0; n < 3; n++)
    angles[n] *= 180 / M_PI;
}

// Chooses among equivalent angles those closest to the previous frame, so that the curves have no jumps.
static void follow_angles(const double last[3], double angles[3]) {
  double other[3] = {angles[0] + 180, 180 - angles[1], angles[2] + 180};
  double distance = 0, other_distance = 0;
  for (int i = 0; i < 3; i++) {
    angles[i] += 360 * round((last[i] - angles[i]) / 360);
    other[i] += 360 * round((last[i] - other[i]) / 360);
    distance += fabs(angles[i] - last[i]);
    other_distance += fabs(other[i] - last[i]);
  }
  if (other_distance < distance)
    memcpy(angles, other, sizeof other);
}

static void put_frame(BvhWriter *writer, const Motion *motion, int frame) {
  for (int i = 0; i < writer->count; i++) {
    const int joint = writer->order[i];
    const size_t sample = (size_t)frame * (size_t)motion->joint_count + (size_t)joint;
    const versors before = parent_bind(writer, joint);
    if (writer->moves[joint]) {
      const vec3s p = glms_quat_rotatev(before, motion->position_l[sample]);
      text_print(writer->text, "%.7f %.7f %.7f ", (double)p.x, (double)p.y, (double)p.z);
    }
    const versors q = glms_quat_normalize(
        glms_quat_mul(glms_quat_mul(before, motion->rotation_l[sample]), glms_quat_conjugate(writer->bind[joint])));
    double angles[3];
    euler_angles(q, order_of(joint), writer->last[joint], angles);
    follow_angles(writer->last[joint], angles);
    memcpy(writer->last[joint], angles, sizeof angles);
    text_print(writer->text, "%.6f %.6f %.6f%c", angles[0], angles[1], angles[2], i + 1 < writer->count ? ' ' : '\n');
  }
}

static void find_moving(const Motion *motion, bool *moves) {
  moves[0] = true;
  for (int f = 0; f < motion->frame_count; f++)
    for (int j = 1; j < motion->joint_count; j++) {
      const vec3s p = motion->position_l[(size_t)f * (size_t)motion->joint_count + (size_t)j];
      moves[j] |= glms_vec3_distance(p, motion->joints[j].bind_position_l) > 5e-5f;
    }
}

BvhWriter *bvh_begin(const Motion *motion, int frame_count, TextBuffer *text) {
  const size_t joints = (size_t)motion->joint_count;
  vec3s *positions = calloc(joints, sizeof *positions);
  BvhWriter *writer = calloc(1, sizeof *writer);
  if (writer) {
    *writer = (BvhWriter){.motion = motion,
                          .bind = calloc(joints, sizeof *writer->bind),
                          .moves = calloc(joints, sizeof *writer->moves),
                          .last = calloc(joints, sizeof *writer->last),
                          .order = calloc(joints, sizeof *writer->order),
                          .text = text};
  }
  if (!positions || !writer || !writer->bind || !writer->moves || !writer->last || !writer->order) {
    free(positions);
    bvh_end(writer);
    return NULL;
  }
  motion_place_bind(motion, positions, writer->bind);
  find_moving(motion, writer->moves);
  text_print(text, "HIERARCHY\n");
  put_joint(writer, 0, 0);
  text_print(text, "MOTION\nFrames: %d\nFrame Time: %.10g\n", frame_count, 1 / motion->frame_rate);
  free(positions);
  return writer;
}

void bvh_add(BvhWriter *writer, const Motion *piece) {
  for (int f = 0; f < piece->frame_count; f++)
    put_frame(writer, piece, f);
}

void bvh_end(BvhWriter *writer) {
  if (!writer)
    return;
  free(writer->bind);
  free(writer->moves);
  free(writer->last);
  free(writer->order);
  free(writer);
}

char *motion_write_bvh(const Motion *motion) {
  TextBuffer text = {0};
  BvhWriter *writer = bvh_begin(motion, motion->frame_count, &text);
  if (writer)
    bvh_add(writer, motion);
  bvh_end(writer);
  if (!writer || text.failed) {
    text_free(&text);
    return NULL;
  }
  return text.bytes;
}

// The inputs and actions of a skill: tables made from the body, measurements, and the goals of the joints.
#include "ragdoll/skill/skill.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "anim/mirror.h"
#include "sim/base/numbers.h"
#include "sim/base/wide.h"
#include "sim/world/convert.h"

PARAM_TABLE(skill_params, SkillParams, SKILL_PARAMS, "control", "How a skill controls a body.")

static const float MOST_ACTION = 4;    // actions beyond this are limited to it
static const float MOST_RATE = 50;     // rad/s, of differences of joint velocities
static const float MOST_HEIGHT = 0.4f; // m, of soles over the ground
static const float MOST_LOAD = 3;      // body weights, of a foot
static const float MOST_RISE = 1;      // m/m, of the ground around the pelvis
static const double RISE_REACH = 0.3;  // m: its heights are taken so far from the pelvis
static const double RISE_ABOVE = 0.3;  // m: and found where they are no higher than this above the pelvis

// Signs of the components of a vector and of a rotation in the mirror, whose plane is x = 0.
static const float VECTOR_SIGNS[3] = {-1, 1, 1}, TURN_SIGNS[3] = {1, -1, -1};

static bool carries_parts(const BodyDef *body, int part) {
  for (int i = part + 1; i < body->part_count; i++)
    if (body->parts[i].parent == part)
      return true;
  return false;
}

static int find_axis(const SkillTable *table, int part, int axis) {
  for (int i = 0; i < table->axis_count; i++)
    if (table->axis_part[i] == part && table->axis[i] == axis)
      return i;
  return -1;
}

static int index_of(const int list[], int count, int value) {
  for (int i = 0; i < count; i++)
    if (list[i] == value)
      return i;
  return -1;
}

// ---- Tables ----

// Inputs beyond the last that a network can have are only counted.
static void add_input(SkillTable *table, int twin_offset, float sign, const char *name) {
  if (table->input_count++ >= SKILL_MAX_INPUTS)
    return;
  SkillChannel *input = &table->inputs[table->input_count - 1];
  input->twin = table->input_count - 1 + twin_offset;
  input->sign = sign;
  snprintf(input->name, sizeof input->name, "%s", name);
}

// Three inputs, for x, y and z.
static void add_vector(SkillTable *table, int twin_offset, const float signs[3], const char *name) {
  for (int i = 0; i < 3; i++) {
    char text[SKILL_NAME_SIZE];
    snprintf(text, sizeof text, "%.56s %c", name, "xyz"[i]);
    add_input(table, twin_offset, signs[i], text);
  }
}

// One input for each axis of each joint.
static void add_axes(SkillTable *table, const BodyDef *body, const char *name) {
  for (int i = 0; i < table->axis_count; i++) {
    const PartDef *part = &body->parts[table->axis_part[i]];
    int twin = find_axis(table, part->twin, table->axis[i]);
    char text[SKILL_NAME_SIZE];
    snprintf(text, sizeof text, "%.31s %s %c", part->name, name, "xyz"[table->axis[i]]);
    add_input(table, (twin < 0 ? i : twin) - i, TURN_SIGNS[table->axis[i]], text);
  }
}

// A vector for each end of the body.
static void add_ends(SkillTable *table, const BodyDef *body) {
  for (int i = 0; i < table->end_count; i++) {
    int twin = index_of(table->ends, table->end_count, body->parts[table->ends[i]].twin);
    char text[SKILL_NAME_SIZE];
    snprintf(text, sizeof text, "%.31s place", body->parts[table->ends[i]].name);
    add_vector(table, 3 * ((twin < 0 ? i : twin) - i), VECTOR_SIGNS, text);
  }
}

// What the soles do: velocity, height of heel and toe over the ground, load.
static void add_legs(SkillTable *table, const Skeleton *skeleton) {
  static const struct {
    const char *name;
    int count;
  } groups[] = {{"velocity", 3}, {"heel height", 1}, {"toe height", 1}, {"load", 1}};
  for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
    for (int i = 0; i < skeleton->leg_count; i++) {
      char text[SKILL_NAME_SIZE];
      int offset = groups[k].count * (mirror_leg(skeleton, i) - i);
      snprintf(text, sizeof text, "%.31s leg %s", skeleton->legs[i].name, groups[k].name);
      if (groups[k].count == 3)
        add_vector(table, offset, VECTOR_SIGNS, text);
      else
        add_input(table, offset, 1, text);
    }
}

static bool add_actions(SkillTable *table, const BodyDef *body, const SkillParams *params) {
  int twin_of_axis[3 * BODY_MAX_PARTS];
  for (int i = 0; i < table->axis_count; i++) {
    int part = table->axis_part[i];
    const JointDef *joint = &body->parts[part].joint;
    twin_of_axis[i] = -1;
    if (!carries_parts(body, part) && !body->parts[part].foot)
      continue; // hands and head follow the animation
    if (table->action_count == SKILL_MAX_ACTIONS - 1)
      return false;
    twin_of_axis[i] = table->action_count;
    SkillChannel *action = &table->actions[table->action_count];
    snprintf(action->name, sizeof action->name, "%.31s %c", body->parts[part].name, "xyz"[table->axis[i]]);
    action->sign = TURN_SIGNS[table->axis[i]];
    double stiffness = joint->stiffness * (body->parts[part].carries ? params->leg_gain : params->gain);
    double unit = stiffness > 0 ? params->reach * joint->strength / stiffness : 0;
    table->action_unit[table->action_count] = (float)fmin(unit, params->farthest);
    table->action_axis[table->action_count++] = i;
  }
  for (int i = 0; i < table->action_count; i++) {
    int axis = table->action_axis[i], part = table->axis_part[axis];
    int twin = find_axis(table, body->parts[part].twin, table->axis[axis]);
    table->actions[i].twin = twin < 0 || twin_of_axis[twin] < 0 ? i : twin_of_axis[twin];
  }
  SkillChannel *pace = &table->actions[table->action_count];
  snprintf(pace->name, sizeof pace->name, "pace");
  pace->twin = table->action_count++;
  pace->sign = 1;
  return true;
}

// The actions of the last decision are inputs, too, in the mirror in which the next one is made.
static void add_last_actions(SkillTable *table) {
  for (int i = 0; i < table->action_count; i++) {
    char text[SKILL_NAME_SIZE];
    snprintf(text, sizeof text, "last %.56s", table->actions[i].name);
    add_input(table, table->actions[i].twin - i, table->actions[i].sign, text);
  }
}

// How the ground rises, as those that see it have as their last inputs.
static void add_slope(SkillTable *table) {
  add_input(table, 0, 1, "ground rise ahead");
  add_input(table, 0, -1, "ground rise left");
}

static void add_pelvis(SkillTable *table) {
  add_input(table, 0, 1, "pelvis height");
  add_vector(table, 0, TURN_SIGNS, "pelvis error");
  add_vector(table, 0, VECTOR_SIGNS, "pelvis up");
  add_vector(table, 0, VECTOR_SIGNS, "pelvis forward");
  add_vector(table, 0, VECTOR_SIGNS, "pelvis velocity");
  add_vector(table, 0, TURN_SIGNS, "pelvis turn");
}

static void add_command(SkillTable *table, const BodyDef *body) {
  static const char *const phases[4] = {"phase sine", "phase cosine", "phase sine 2", "phase cosine 2"};
  for (int i = 0; i < 4; i++)
    add_input(table, 0, 1, phases[i]);
  add_input(table, 0, 1, "speed");
  add_input(table, 0, -1, "turn rate");
  for (int i = 1; i < body->part_count; i++) {
    char text[SKILL_NAME_SIZE];
    snprintf(text, sizeof text, "%.31s strength", body->parts[i].name);
    add_input(table, body->parts[i].twin - i, 1, text);
  }
}

// Lists the ends of the body, and the axes of its joints.
static void find_ends(SkillTable *table, const BodyDef *body) {
  for (int i = 1; i < body->part_count; i++) {
    if (!carries_parts(body, i))
      table->ends[table->end_count++] = i;
    for (int axis = 0; axis < 3; axis++)
      if (joint_turns(&body->parts[i].joint, axis)) {
        table->axis_part[table->axis_count] = i;
        table->axis[table->axis_count++] = axis;
      }
  }
}

static double longest_leg(const Skeleton *skeleton) {
  double length = 0;
  for (int i = 0; i < skeleton->leg_count; i++)
    length = fmax(length, (double)skeleton_leg_length(skeleton, &skeleton->legs[i]));
  return length > 0 ? length : 1;
}

bool skill_table_make(SkillTable *table, const BodyDef *body, const SkillParams *params, Error *error) {
  *table = (SkillTable){.length = longest_leg(&body->skeleton)};
  find_ends(table, body);
  const bool fits = add_actions(table, body, params);
  add_pelvis(table);
  table->error_at = table->input_count;
  add_axes(table, body, "error");
  table->rate_at = table->input_count;
  add_axes(table, body, "rate");
  table->end_at = table->input_count;
  add_ends(table, body);
  add_legs(table, &body->skeleton);
  add_command(table, body);
  add_last_actions(table);
  if (params->slope)
    add_slope(table);
  return (fits && table->input_count <= SKILL_MAX_INPUTS) ||
         error_set(error, "%s: the body has too many joints for a skill, which has at most %d inputs and %d actions",
                   body->name, SKILL_MAX_INPUTS, SKILL_MAX_ACTIONS);
}

// ---- Observation ----

static float limit(float x, float most) { return fmaxf(-most, fminf(most, x)); }

// Writes inputs one after the other.
typedef struct Writer {
  float *values;
  int count;
} Writer;

static void put(Writer *writer, double value) { writer->values[writer->count++] = (float)value; }

static void put_vector(Writer *writer, vec3s v) {
  for (int i = 0; i < 3; i++)
    writer->values[writer->count++] = v.raw[i];
}

static void see_pelvis(const SkillView *view, versors back, Writer *writer) {
  const Ragdoll *ragdoll = view->ragdoll;
  dBodyID pelvis = ragdoll->ode[0];
  double place[3], over = 0;
  dVector3 velocity;
  ragdoll_point(ragdoll, 0, GLMS_VEC3_ZERO, place);
  view->ground->height(view->ground->context, place[0], place[2], place[1], &over, NULL);
  dBodyGetPointVel(pelvis, place[0], place[1], place[2], velocity);
  versors world = quat_from_ode(dBodyGetQuaternion(pelvis));
  vec3s spin = vec3_from_ode(dBodyGetAngularVel(pelvis));
  if (view->noise) {
    world = glms_quat_mul(quat_exp(sense_noise_trunk(view->noise, view->senses)), world);
    spin = glms_vec3_add(spin, sense_noise_turn(view->noise, view->senses));
  }
  versors rotation = glms_quat_mul(back, world);
  put(writer, place[1] - over - view->pelvis_height);
  put_vector(writer, quat_log(glms_quat_mul(view->pelvis, glms_quat_conjugate(rotation))));
  put_vector(writer, glms_quat_rotatev(rotation, (vec3s){{0, 1, 0}}));
  put_vector(writer, glms_quat_rotatev(rotation, (vec3s){{0, 0, 1}}));
  put_vector(writer, glms_vec3_sub(glms_quat_rotatev(back, vec3_from_ode(velocity)), view->pelvis_velocity));
  vec3s turn = glms_quat_rotatev(back, spin);
  put_vector(writer, glms_vec3_sub(turn, view->pelvis_turn));
}

// Rotations and angular velocities of the joints that are missing to their goals.
static void see_joints(const SkillDef *def, const SkillView *view, Writer *writer) {
  const Ragdoll *ragdoll = view->ragdoll;
  vec3s error[BODY_MAX_PARTS], rate[BODY_MAX_PARTS];
  for (int i = 1; i < def->body->part_count; i++) {
    dBodyID child = ragdoll->ode[i], parent = ragdoll->ode[def->body->parts[i].parent];
    dQuaternion q;
    dVector3 w;
    quad_quaternion_within(dBodyGetQuaternion(parent), dBodyGetQuaternion(child), q);
    const dReal *wc = dBodyGetAngularVel(child), *wp = dBodyGetAngularVel(parent);
    dBodyVectorFromWorld(parent, wc[0] - wp[0], wc[1] - wp[1], wc[2] - wp[2], w);
    error[i] = quat_log(glms_quat_mul(view->goals[i].rotation, glms_quat_conjugate(quat_from_ode(q))));
    if (view->noise)
      error[i] = glms_vec3_sub(error[i], sense_noise_joint(view->noise, view->senses, i));
    rate[i] = glms_vec3_sub(view->goals[i].angular_velocity_l, vec3_from_ode(w));
    error[i] = joint_point_in(&def->body->parts[i].joint, error[i]);
    rate[i] = joint_point_in(&def->body->parts[i].joint, rate[i]);
  }
  const SkillTable *table = &def->table;
  for (int i = 0; i < table->axis_count; i++)
    put(writer, (double)error[table->axis_part[i]].raw[table->axis[i]]);
  for (int i = 0; i < table->axis_count; i++)
    put(writer, SKILL_RATE_UNIT * (double)limit(rate[table->axis_part[i]].raw[table->axis[i]], MOST_RATE));
}

// Where the ends are as seen from the pelvis, beside where they are in the target.
static void see_ends(const SkillDef *def, const SkillView *view, versors back, Writer *writer) {
  double pelvis[3];
  ModelPose wanted;
  ragdoll_point(view->ragdoll, 0, GLMS_VEC3_ZERO, pelvis);
  pose_to_model(&def->body->skeleton, view->target_m, &wanted);
  for (int i = 0; i < def->table.end_count; i++) {
    int part = def->table.ends[i];
    double place[3];
    ragdoll_point(view->ragdoll, part, GLMS_VEC3_ZERO, place);
    vec3s from = {{(float)(place[0] - pelvis[0]), (float)(place[1] - pelvis[1]), (float)(place[2] - pelvis[2])}};
    vec3s to = glms_vec3_sub(wanted.position[part], wanted.position[0]);
    put_vector(writer, glms_vec3_sub(glms_quat_rotatev(back, from), to));
  }
}

static void see_legs(const SkillDef *def, const SkillView *view, versors back, Writer *writer) {
  const Skeleton *skeleton = &def->body->skeleton;
  const Ragdoll *ragdoll = view->ragdoll;
  double weight = def->body->mass * 9.81;
  for (int i = 0; i < skeleton->leg_count; i++) {
    double place[3];
    dVector3 velocity;
    int ankle = skeleton->legs[i].ankle;
    ragdoll_point(ragdoll, ankle, GLMS_VEC3_ZERO, place);
    dBodyGetPointVel(ragdoll->ode[ankle], place[0], place[1], place[2], velocity);
    put_vector(writer, glms_quat_rotatev(back, vec3_from_ode(velocity)));
  }
  for (int end = 0; end < 2; end++)
    for (int i = 0; i < skeleton->leg_count; i++) {
      const Leg *leg = &skeleton->legs[i];
      double place[3], over = 0;
      ragdoll_point(ragdoll, leg->ankle, end == 0 ? leg->heel_l : leg->toe_l, place);
      if (!view->ground->height(view->ground->context, place[0], place[2], place[1] + 0.3, &over, NULL))
        over = place[1] - (double)MOST_HEIGHT;
      put(writer, (double)limit((float)(place[1] - over), MOST_HEIGHT));
    }
  for (int i = 0; i < skeleton->leg_count; i++)
    put(writer, (double)limit((float)(view->foot_force[i][1] / weight), MOST_LOAD));
}

static void see_command(const SkillDef *def, const SkillView *view, Writer *writer) {
  double angle = 2 * M_PI * view->phase;
  if (def->params.mirror)
    angle *= 2; // both halves look the same
  if (!def->clip->loop)
    angle *= 0.5;
  for (int k = 1; k <= 2; k++) {
    put(writer, sin(k * angle));
    put(writer, cos(k * angle));
  }
  put(writer, view->speed - (double)def->clip->root_velocity_l.z);
  put(writer, view->turn_rate);
  for (int i = 1; i < def->body->part_count; i++)
    put(writer, (double)view->strength[i]);
}

// Rise of the ground along a level direction (x, z), m/m. Where a side has no ground, it is taken to be as high as
// under the pelvis.
static float rise_along(const SkillView *view, const double pelvis[3], double under, const double along[2]) {
  double height[2];
  for (int i = 0; i < 2; i++) {
    double way = i == 0 ? -RISE_REACH : RISE_REACH, x = pelvis[0] + way * along[0], z = pelvis[2] + way * along[1];
    if (!view->ground->height(view->ground->context, x, z, pelvis[1] + RISE_ABOVE, &height[i], NULL))
      height[i] = under;
  }
  return limit((float)((height[1] - height[0]) / (2 * RISE_REACH)), MOST_RISE);
}

static void see_slope(const SkillView *view, Writer *writer) {
  double pelvis[3], under;
  ragdoll_point(view->ragdoll, 0, GLMS_VEC3_ZERO, pelvis);
  if (!view->ground->height(view->ground->context, pelvis[0], pelvis[2], pelvis[1] + RISE_ABOVE, &under, NULL))
    under = pelvis[1];
  const double ahead[2] = {sin(view->heading), cos(view->heading)}, left[2] = {ahead[1], -ahead[0]};
  put(writer, (double)rise_along(view, pelvis, under, ahead));
  put(writer, (double)rise_along(view, pelvis, under, left));
}

bool skill_sees_mirror(const SkillDef *def, const SkillView *view) {
  return view->mirrored != (def->params.mirror && view->phase >= 0.5);
}

void skill_observe(const SkillDef *def, const SkillView *view, const float last[], float inputs[]) {
  const SkillTable *table = &def->table;
  float raw[SKILL_MAX_INPUTS];
  Writer writer = {raw, 0};
  versors back = {{0, (float)sin(-view->heading / 2), 0, (float)cos(view->heading / 2)}};
  see_pelvis(view, back, &writer);
  see_joints(def, view, &writer);
  see_ends(def, view, back, &writer);
  see_legs(def, view, back, &writer);
  see_command(def, view, &writer);
  for (int i = 0; i < table->action_count; i++)
    put(&writer, (double)last[i]);
  if (def->params.slope)
    see_slope(view, &writer);
  assert(writer.count == table->input_count);
  bool mirrored = skill_sees_mirror(def, view);
  for (int i = 0; i < table->input_count; i++) {
    float value = mirrored ? raw[table->inputs[i].twin] * table->inputs[i].sign : raw[i];
    inputs[i] = isfinite(value) ? value : 0;
  }
}

// ---- Action ----

void skill_actions(const SkillDef *def, bool mirrored, const float outputs[], float actions[]) {
  const SkillChannel *channels = def->table.actions;
  for (int i = 0; i < def->table.action_count; i++) {
    float action = mirrored ? outputs[channels[i].twin] * channels[i].sign : outputs[i];
    actions[i] = isfinite(action) ? limit(action, MOST_ACTION) : 0;
  }
}

void skill_interpret(const SkillDef *def, const float actions[], versors turns[BODY_MAX_PARTS], double *pace) {
  const SkillTable *table = &def->table;
  int last = table->action_count - 1;
  vec3s vectors[BODY_MAX_PARTS] = {0}; // rad
  for (int i = 0; i < last; i++) {
    int axis = table->action_axis[i];
    vectors[table->axis_part[axis]].raw[table->axis[axis]] = actions[i] * table->action_unit[i];
  }
  for (int i = 0; i < def->body->part_count; i++)
    turns[i] = quat_exp(joint_point_out(&def->body->parts[i].joint, vectors[i]));
  *pace = 1 + def->params.pace * (double)limit(actions[last], 1);
}

void skill_turn_goals(const SkillDef *def, const versors turns[BODY_MAX_PARTS], JointGoal goals[]) {
  for (int i = 1; i < def->body->part_count; i++) {
    double gain = def->body->parts[i].carries ? def->params.leg_gain : def->params.gain;
    goals[i].rotation = glms_quat_normalize(glms_quat_mul(turns[i], goals[i].rotation));
    goals[i].stiffness *= gain;
    goals[i].damping *= gain;
  }
}

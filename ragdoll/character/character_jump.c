// The course of a jump: when and from where it begins, and the root that goes with the centre of mass.
#include "ragdoll/character/character_jump.h"

#include <math.h>
#include <string.h>

#include "ragdoll/character/character_balance.h"
#include "ragdoll/character/character_plan.h"
#include "ragdoll/character/character_skill.h"
#include "sim/base/numbers.h"
#include "sim/base/plane2.h"
#include "sim/world/convert.h"

const char *const jump_marks[JUMP_PHASE_COUNT - 1] = {"crouched", "take_off", "touch_down", "absorbed"};

// s from standing until the deepest crouch.
static const double CROUCH_TIME = 0.6;

// A walker comes to a stop within a mean speed of this share of its own, in no more than this time.
static const double STOPPING_SPEED = 0.55, LONGEST_STOP = 1.2, STOPPING_TIME = 0.9; // s

// m, rad: a foot this near to its place of take-off stays where it is.
static const double NEAR_ENOUGH = 0.03, TURNED_ENOUGH = 0.15;

// Share of the crouch in which feet step to their places, one after the other; and of its turn, in which one swings.
static const double STEPPING = 0.94, SWINGING = 0.96;

// A gap is ground lower than this; a narrower one is stepped over. Its edges are found in steps, then exactly.
static const double GAP_DEPTH = 0.35, STEPPED_OVER = 0.45, EDGE_GRAIN = 0.04; // m

// m: from toes to the near edge at take-off, and from the far edge to the heels on landing.
static const double BEFORE_EDGE = 0.05, BEYOND_EDGE = 0.1;

// m/s: the speed at which a gap is approached, with this braking, m/s^2.
static const double APPROACH_SPEED = 1.3, APPROACH_BRAKING = 2;

static const double BLEND_TIME = 0.35; // s: from the animation into the jump

bool character_jumps(const Character *character) { return character->jump.active; }

bool character_jump_has_layers(const Character *character) {
  const double still = 0.3; // share of standing up after which the root stands
  double share;
  return !character->jump.active || (jump_phase(&character->jump, &share) == JUMP_STANDS_UP && share > still);
}

const char *jump_clip_problem(const Clip *clip) {
  float before = 0;
  for (int i = 0; i < JUMP_PHASE_COUNT - 1; i++) {
    const ClipMark *found = clip_mark(clip, jump_marks[i]);
    if (!found || found->time <= before)
      return "has to have the marks crouched, take_off, touch_down and absorbed, one after the other";
    before = found->time;
  }
  return before < clip->duration && !clip->loop ? NULL : "has to go on after the mark absorbed, and not be a loop";
}

void character_pose_com(const Character *character, const Pose *pose, double com[3]) {
  const BodyDef *body = character->def->body;
  ModelPose model;
  pose_to_model(&body->skeleton, pose, &model);
  double sum[3] = {0};
  for (int i = 0; i < body->part_count; i++) {
    const double *com_l = character->ragdoll->com_l[i];
    vec3s center = glms_vec3_add(model.position[i], glms_quat_rotatev(model.rotation[i], vec3_from_doubles(com_l)));
    for (int axis = 0; axis < 3; axis++)
      sum[axis] += body->parts[i].mass * (double)center.raw[axis];
  }
  for (int axis = 0; axis < 3; axis++)
    com[axis] = sum[axis] / body->mass;
}

Pose jump_rest(const Character *character) {
  Pose rest;
  clip_sample(character->def->jump, 0, &rest);
  return rest;
}

// A point from the root's frame to the world.
static void place_point(const double root[3], double heading, const double point_m[3], double point_w[3]) {
  double level[2] = {point_m[0], point_m[2]}, turned[2];
  turn_level(heading, level, turned);
  point_w[0] = root[0] + turned[0];
  point_w[1] = root[1] + point_m[1];
  point_w[2] = root[2] + turned[1];
}

static bool ground_at(const Character *character, const double place[3], double *height) {
  const Ground *ground = &character->ground;
  return ground->height(ground->context, place[0], place[2], character->root.position[1] + GROUND_OVER_ROOT, height,
                        NULL);
}

// ---- Phases ----

static double phase_end(const CharacterJump *jump, int phase) {
  const double lengths[JUMP_PHASE_COUNT] = {jump->crouched, JUMP_PUSH, jump->arc.flight, jump->arc.absorb, JUMP_RISE};
  double end = 0;
  for (int i = 0; i <= phase; i++)
    end += lengths[i];
  return end;
}

JumpPhase jump_phase(const CharacterJump *jump, double *share) {
  int phase = JUMP_CROUCHES;
  while (phase < JUMP_STANDS_UP && jump->time >= phase_end(jump, phase))
    phase++;
  double begin = phase > 0 ? phase_end(jump, phase - 1) : 0;
  *share = min_d((jump->time - begin) / (phase_end(jump, phase) - begin), 1);
  return (JumpPhase)phase;
}

// The cubic from a with velocity u to b with velocity v, in `span` s.
static double cubic(double a, double u, double b, double v, double time, double span) {
  double s = min_d(time / span, 1);
  return a + (b - a) * smooth_step(s) + span * s * (1 - s) * (u * (1 - s) - v * s);
}

void jump_com(const Character *character, double time, double com_w[3]) {
  const CharacterJump *jump = &character->jump;
  Pose rest = jump_rest(character);
  double com_m[3], ahead, above, goal[3];
  character_pose_com(character, &rest, com_m);
  jump_arc_place(&jump->arc, time - jump->crouched, &ahead, &above);
  com_m[1] += above;
  com_m[2] += ahead;
  place_point(jump->place, jump->heading, com_m, goal);
  const double starts[3] = {jump->arc.start * sin(jump->heading), 0, jump->arc.start * cos(jump->heading)};
  for (int i = 0; i < 3; i++)
    com_w[i] = time < jump->crouched
                   ? cubic(jump->com[i], jump->com_velocity[i], goal[i], starts[i], time, jump->crouched)
                   : goal[i];
}

// ---- Where it begins and ends ----

// Where a foot of the pose of rest stands.
static FootStand rest_stand(const Character *character, const Leg *leg, const ModelPose *rest, const double root[3]) {
  FootPoints points = foot_points(leg, rest->position[leg->ankle], rest->rotation[leg->ankle]);
  FootStand stand;
  double middle[2];
  foot_print(leg, &points, middle, &stand.yaw);
  place_point(root, character->jump.heading, (const double[3]){middle[0], 0, middle[1]}, stand.sole);
  stand.yaw += character->jump.heading;
  double height;
  if (ground_at(character, stand.sole, &height) && fabs(height - root[1]) < GAP_DEPTH)
    stand.sole[1] = height;
  return stand;
}

// Where a foot of the present target stands, or would if it came down.
static FootStand present_stand(const Leg *leg, const ModelPose *now, double *tilt) {
  FootPoints points = foot_points(leg, now->position[leg->ankle], now->rotation[leg->ankle]);
  FootStand stand;
  double middle[2], length = (double)glms_vec3_distance(points.heel, points.toe);
  foot_print(leg, &points, middle, &stand.yaw);
  stand.sole[0] = middle[0];
  stand.sole[1] = (double)fminf(points.heel.y, points.toe.y);
  stand.sole[2] = middle[1];
  *tilt = angle_of_sine((double)(points.toe.y - points.heel.y) / length);
  return stand;
}

static bool is_near(const FootStand *a, const FootStand *b) {
  return hypot(a->sole[0] - b->sole[0], a->sole[2] - b->sole[2]) < NEAR_ENOUGH &&
         fabs(remainder(a->yaw - b->yaw, 2 * M_PI)) < TURNED_ENOUGH;
}

// Of the feet that have yet to step the one that goes first: one that swings already, else the farthest.
static int next_to_step(const Character *character, const bool steps[]) {
  int next = -1;
  double farthest = -1;
  for (int i = 0; i < character->def->body->skeleton.leg_count; i++) {
    const JumpFoot *foot = &character->jump.feet[i];
    double way = hypot(foot->held.sole[0] - foot->take_off.sole[0], foot->held.sole[2] - foot->take_off.sole[2]);
    way += character->foot_plans[i].standing ? 0 : HUGE_VAL;
    if (steps[i] && way > farthest) {
      farthest = way;
      next = i;
    }
  }
  return next;
}

// The feet: where they are, where they will stand, and when they step there.
static void begin_feet(Character *character, const double landing[3], double dt) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  CharacterJump *jump = &character->jump;
  Pose rest = jump_rest(character);
  ModelPose rest_m, now, before;
  pose_to_model(skeleton, &rest, &rest_m);
  pose_legs_to_model(skeleton, &character->target, &now);
  pose_legs_to_model(skeleton, &character->previous_target, &before);
  bool steps[SKELETON_MAX_LEGS];
  int count = 0;
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    JumpFoot *foot = &jump->feet[i];
    *foot = (JumpFoot){.from = now.position[leg->ankle], .turn = now.rotation[leg->ankle]};
    foot->velocity = glms_vec3_scale(glms_vec3_sub(foot->from, before.position[leg->ankle]), (float)(1 / dt));
    foot->held = present_stand(leg, &now, &foot->tilt);
    foot->take_off = rest_stand(character, leg, &rest_m, jump->place);
    foot->landing = rest_stand(character, leg, &rest_m, landing);
    steps[i] = !character->foot_plans[i].standing || !is_near(&foot->held, &foot->take_off);
    if (!steps[i])
      foot->take_off = foot->held;
    count += steps[i];
  }
  for (int turn = 0; turn < count; turn++) {
    int next = next_to_step(character, steps);
    JumpFoot *foot = &jump->feet[next];
    double span = STEPPING * jump->crouched / count;
    foot->step_begin = turn * span;
    foot->step_end = foot->step_begin + SWINGING * span;
    steps[next] = false;
  }
}

// What a jump of now would come to: false where there is no ground to land on, or people could not jump there.
static bool plan(Character *character, const JumpGoal *goal, const double place[3], double landing[3]) {
  CharacterJump *jump = &character->jump;
  double gravity = -character->world->def.gravity[1], height;
  jump->heading = character->root.heading;
  memcpy(jump->place, place, sizeof jump->place);
  if (!ground_at(character, jump->place, &jump->place[1]))
    jump->place[1] = character->root.position[1];
  place_point(jump->place, jump->heading, (const double[3]){0, 0, goal->distance}, landing);
  if (!(gravity > 0) || !ground_at(character, landing, &height))
    return false;
  landing[1] = height;
  return jump_arc_find(goal, height - jump->place[1], gravity, &jump->arc) == JUMP_POSSIBLE;
}

// Whether its animation leads it, and can jump.
static bool is_able(const Character *character) {
  return character->def->jump && !character->jump.active && !character->down && !character_balances(character) &&
         !character_plans(character) && !character_has_skill(character);
}

static bool may_begin(const Character *character) { return is_able(character) && !character->root.airborne; }

// The centre of mass of the target, and its velocity.
static void find_com(Character *character) {
  CharacterJump *jump = &character->jump;
  double before[3];
  character_pose_com(character, &character->target, jump->com);
  character_pose_com(character, &character->previous_target, before);
  for (int i = 0; i < 3; i++)
    jump->com_velocity[i] = (jump->com[i] - before[i]) / character->world->def.dt;
}

// From now on the jump leads, `time` s after its beginning. landing: m, of the root.
static void leave_animation(Character *character, double time, double crouched, const double landing[3]) {
  CharacterJump *jump = &character->jump;
  const double dt = character->world->def.dt;
  jump->active = true;
  jump->time = time;
  jump->crouched = crouched;
  begin_feet(character, landing, dt);
  Pose posture;
  character_jump_posture(character, &posture);
  inertia_begin(&jump->inertia, &character->target, &character->previous_target, &posture, &posture, (float)dt,
                (float)BLEND_TIME);
}

// Begins a jump from a place of the root (m), with the deepest crouch `crouched` s from now.
static void begin(Character *character, const JumpGoal *goal, const double place[3], double crouched) {
  double landing[3];
  if (!plan(character, goal, place, landing))
    return;
  find_com(character);
  leave_animation(character, 0, crouched, landing);
}

// The root has no ground any more: from now on it falls as in a jump's flight, and lands. Where there is no ground
// below it only falls.
static void begin_fall(Character *character) {
  CharacterJump *jump = &character->jump;
  const double gravity = -character->world->def.gravity[1];
  Pose rest = jump_rest(character);
  double com_m[3], landing[3], height;
  if (!(gravity > 0) || !ground_at(character, character->root.position, &height))
    return;
  find_com(character);
  jump->heading = character->root.heading;
  character_pose_com(character, &rest, com_m);
  double ahead = jump->com_velocity[0] * sin(jump->heading) + jump->com_velocity[2] * cos(jump->heading);
  double from[3], above = jump->com[1] - com_m[1] - character->root.position[1];
  place_point((const double[3]){0}, jump->heading, (const double[3]){com_m[0], 0, com_m[2] + ahead * JUMP_LEAD}, from);
  for (int i = 0; i < 3; i++)
    jump->place[i] = i == 1 ? character->root.position[1] : jump->com[i] - from[i];
  for (int i = 0; i < 3; i++) { // the height of the ground depends on where he comes down, and that on the height
    jump_arc_fall(ahead, jump->com_velocity[1], above, height - jump->place[1], gravity, &jump->arc);
    place_point(jump->place, jump->heading, (const double[3]){0, 0, jump->arc.distance}, landing);
    if (!ground_at(character, landing, &height))
      return;
  }
  landing[1] = jump->place[1] + jump->arc.step;
  leave_animation(character, JUMP_PUSH, 0, landing);
}

static double speed_of(const Character *character) {
  return hypot(character->root.velocity[0], character->root.velocity[2]);
}

// The time in which the root comes to a stop within `way` m.
static double stopping_time(const Character *character, double way) {
  double speed = speed_of(character) * STOPPING_SPEED;
  return max_d(CROUCH_TIME, speed > 0 ? min_d(way / speed, LONGEST_STOP) : 0);
}

void character_jump(void *context, const JumpGoal *goal) {
  Character *character = context;
  if (!may_begin(character))
    return;
  double way = speed_of(character) * STOPPING_SPEED * STOPPING_TIME, place[3];
  place_point(character->root.position, character->root.heading, (const double[3]){0, 0, way}, place);
  begin(character, goal, place, stopping_time(character, way));
}

// ---- Gaps ----

// Whether there is ground at that distance ahead of the root.
static bool carries(const Character *character, double ahead) {
  const double *root = character->root.position;
  double place[3], height;
  place_point(root, character->root.heading, (const double[3]){0, 0, ahead}, place);
  return ground_at(character, place, &height) && height > root[1] - GAP_DEPTH;
}

// The first distance from `from` to `to` at which the ground begins or ends; HUGE_VAL: none.
static double find_edge(const Character *character, double from, double to) {
  bool carried = carries(character, from);
  const int grains = (int)ceil((to - from) / EDGE_GRAIN);
  for (int grain = 0; grain < grains; grain++) {
    double low = from + grain * EDGE_GRAIN, high = low + EDGE_GRAIN;
    if (carries(character, high) == carried)
      continue;
    for (int i = 0; i < 6; i++) { // to 0.6 mm
      double middle = (low + high) / 2;
      if (carries(character, middle) == carried)
        low = middle;
      else
        high = middle;
    }
    return carried ? low : high; // on the ground, not beside it
  }
  return HUGE_VAL;
}

// Extent of the soles in the pose of rest, m ahead of the root: back and front.
static void sole_extent(const Character *character, double extent[2]) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  Pose rest = jump_rest(character);
  ModelPose model;
  pose_legs_to_model(skeleton, &rest, &model);
  extent[0] = HUGE_VAL;
  extent[1] = -HUGE_VAL;
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    FootPoints points = foot_points(leg, model.position[leg->ankle], model.rotation[leg->ankle]);
    extent[0] = min_d(extent[0], (double)points.heel.z);
    extent[1] = max_d(extent[1], (double)points.toe.z);
  }
}

// A gap ahead over which the root will jump: how far ahead it takes off, and how far it jumps, m.
static bool find_gap(const Character *character, double *take_off, JumpGoal *goal) {
  const double widest = character->def->root.jump;
  if (!(widest > 0) || !may_begin(character) || !(character->root.speed[0] > 0) || !carries(character, 0))
    return false;
  double speed = speed_of(character), look = 1 + speed * speed / (2 * APPROACH_BRAKING);
  double near = find_edge(character, 0, look);
  double far = isfinite(near) ? find_edge(character, near + EDGE_GRAIN, near + widest + EDGE_GRAIN) : HUGE_VAL;
  if (!(far - near >= STEPPED_OVER && far - near <= widest))
    return false;
  double extent[2];
  sole_extent(character, extent);
  *take_off = near - extent[1] - BEFORE_EDGE;
  goal->distance = far - extent[0] + BEYOND_EDGE - *take_off;
  goal->rise = 0;
  return true;
}

double character_jump_approach(const Character *character) {
  double way;
  JumpGoal goal;
  if (!find_gap(character, &way, &goal))
    return HUGE_VAL;
  return sqrt(APPROACH_SPEED * APPROACH_SPEED + 2 * APPROACH_BRAKING * max_d(way - STOPPING_TIME, 0));
}

static void look_ahead(Character *character) {
  double way, place[3];
  JumpGoal goal;
  if (!find_gap(character, &way, &goal) || way > speed_of(character) * STOPPING_SPEED * STOPPING_TIME)
    return;
  way = max_d(way, 0);
  place_point(character->root.position, character->root.heading, (const double[3]){0, 0, way}, place);
  begin(character, &goal, place, stopping_time(character, way));
}

void character_jump_step(Character *character, double dt) {
  CharacterJump *jump = &character->jump;
  if (character->root.airborne && is_able(character))
    begin_fall(character);
  else if (!jump->active)
    look_ahead(character);
  if (!jump->active)
    return;
  jump->time += dt;
  if (character->down || jump->time >= phase_end(jump, JUMP_STANDS_UP))
    jump->active = false;
}

// ---- The root ----

// Height of the root: of the ground, and in flight on a ballistic arc from ground to ground.
static double root_height(const CharacterJump *jump) {
  const JumpArc *arc = &jump->arc;
  double share, ahead, above;
  JumpPhase phase = jump_phase(jump, &share);
  if (phase != JUMP_FLIES)
    return jump->place[1] + (phase < JUMP_FLIES ? 0 : arc->step);
  jump_arc_place(arc, jump->time - jump->crouched, &ahead, &above);
  return jump->place[1] + above - arc->take_off - share * (arc->touch_down - arc->take_off);
}

RootMotion character_jump_root(Character *character, const RootStep *step) {
  const CharacterJump *jump = &character->jump;
  RootMotion motion = character_root_rest(character);
  Pose rest = jump_rest(character);
  double com_m[3], com_w[3], from[3], share;
  character_pose_com(character, &rest, com_m);
  jump_com(character, jump->time, com_w);
  place_point((const double[3]){0}, jump->heading, com_m, from);
  for (int i = 0; i < 3; i++) {
    motion.position[i] = i == 1 ? root_height(jump) : com_w[i] - from[i];
    motion.velocity[i] = (motion.position[i] - step->before.position[i]) / step->dt;
  }
  motion.heading = jump->heading;
  motion.airborne = jump_phase(jump, &share) == JUMP_FLIES;
  return motion;
}

// ---- State ----

void character_jump_state(Character *character, StateStream *stream) {
  CharacterJump *jump = &character->jump;
  const Skeleton *skeleton = &character->def->body->skeleton;
  STATE(stream, jump->active, jump->returns, jump->time, jump->crouched, jump->heading, jump->place, jump->com,
        jump->com_velocity);
  JumpArc *arc = &jump->arc;
  STATE(stream, arc->gravity, arc->flight, arc->absorb, arc->ahead, arc->up, arc->down, arc->take_off, arc->touch_down,
        arc->crouch, arc->absorbed, arc->lean, arc->start, arc->distance, arc->step);
  for (int i = 0; i < skeleton->leg_count; i++) {
    JumpFoot *foot = &jump->feet[i];
    FootStand *stands[] = {&foot->held, &foot->take_off, &foot->landing};
    for (size_t k = 0; k < sizeof stands / sizeof *stands; k++)
      STATE(stream, stands[k]->sole, stands[k]->yaw);
    STATE(stream, foot->step_begin, foot->step_end, foot->tilt, foot->from.raw, foot->velocity.raw, foot->turn.raw);
  }
  inertia_state(&jump->inertia, skeleton->count, stream);
}

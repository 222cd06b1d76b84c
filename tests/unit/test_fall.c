// Falling and getting up: the state machine, the guard, the choice of the clip, and a whole fall.
#include "anim/mirror.h"
#include "ragdoll/character/character_fall.h"
#include "ragdoll/character/character_root.h"
#include "ragdoll/character/character_sense.h"
#include "ragdoll/reaction/fall_tone.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "tests/fixture.h"

static const double DT = 1 / 240.0;

// Steps the machine until it leaves its state, at most for that many seconds. Returns the time it took.
static double run_until_change(FallMachine *machine, const FallDef *def, const FallSense *sense, double most) {
  for (double time = DT; time < most; time += DT)
    if (fall_step(machine, def, sense, DT))
      return time;
  return INFINITY;
}

static void test_falls_lies_gets_up_and_stands(void **state) {
  (void)state;
  FallDef def;
  param_defaults(&fall_params, &def);
  FallMachine machine = {0};
  FallSense sense = {.speed = 1, .at_ease = true, .can_rise = true};
  assert_true(isinf(run_until_change(&machine, &def, &sense, 1)));
  sense.lost = true;
  sense.at_ease = false;
  assert_true(run_until_change(&machine, &def, &sense, 1) < 1.5 * DT);
  assert_true(machine.state == FALL_FALLING && machine.reason == FALL_LOST);
  sense.loaded = true; // on the ground, but still moving
  assert_true(isinf(run_until_change(&machine, &def, &sense, 1)));
  sense.speed = 0.1;
  assert_true(fabs(run_until_change(&machine, &def, &sense, 1) - def.settle_time) < 2 * DT);
  assert_true(machine.state == FALL_LYING && machine.reason == FALL_SETTLED);
  assert_true(fabs(run_until_change(&machine, &def, &sense, 1) - def.rest) < 2 * DT);
  assert_true(machine.state == FALL_RISING && machine.reason == FALL_RESTED);
  sense.loaded = sense.lost = false;
  assert_true(isinf(run_until_change(&machine, &def, &sense, 5))); // the clip takes its time
  sense.risen = true;
  assert_true(run_until_change(&machine, &def, &sense, 1) < 1.5 * DT);
  assert_true(machine.state == FALL_UPRIGHT && machine.reason == FALL_STANDING);
}

static void test_thrown_stuck_caught(void **state) {
  (void)state;
  FallDef def;
  param_defaults(&fall_params, &def);
  FallMachine machine = {.state = FALL_RISING, .loaded = FALL_LOAD_TIME};
  FallSense sense = {.loaded = true, .thrown = true, .can_rise = true, .speed = 1};
  assert_true(fall_step(&machine, &def, &sense, DT));
  assert_true(machine.state == FALL_FALLING && machine.reason == FALL_THROWN);

  sense = (FallSense){.loaded = true, .waits = true, .can_rise = true};
  machine = (FallMachine){.state = FALL_RISING, .loaded = FALL_LOAD_TIME};
  int tries = 0;
  def.patience = 1.1;
  while (machine.state == FALL_RISING && tries < 10) {
    double time = run_until_change(&machine, &def, &sense, 2);
    assert_true(fabs(time - def.patience) < 1.5 * DT);
    assert_int_equal(machine.reason, FALL_STUCK);
    tries++;
  }
  assert_true(machine.state == FALL_FALLING && tries > 1); // some tries from where it is, then it lies down

  machine = (FallMachine){.state = FALL_FALLING};
  sense = (FallSense){.at_ease = true};
  assert_true(fall_step(&machine, &def, &sense, DT));
  assert_true(machine.state == FALL_UPRIGHT && machine.reason == FALL_CAUGHT);

  def.get_up = false; // by which the character reports that it can rise
  machine = (FallMachine){.state = FALL_LYING, .loaded = FALL_LOAD_TIME};
  sense = (FallSense){.loaded = true};
  assert_true(isinf(run_until_change(&machine, &def, &sense, 10)));
}

// Force of the ground on a hand for some steps (N), and how long (s) it counts as a fall within a second.
static double fallen_time(Fixture *f, double force, int steps) {
  WorldDef *def = &f->world->def;
  Contact *contact = &f->world->contacts[0];
  f->world->contact_count = 1;
  *contact = (Contact){.body = f->character->ragdoll->body[fixture_part(f, "hand_l")], .other = WORLD_GROUND};
  double time = 0;
  for (int i = 0; i < 240; i++) {
    contact->impulse[1] = i < steps ? force * def->dt : 0;
    character_sense(f->character);
    time += f->character->sensed.fallen ? def->dt : 0;
  }
  return time;
}

// A light contact is no fall, however large its force for an instant; an impact that would stop a falling arm is one at
// once, and so is a contact that carries some weight for a while.
static void test_a_graze_is_no_fall(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  assert_true(fallen_time(&f, 200, 1) == 0);
  assert_true(fallen_time(&f, 20, 12) == 0);
  assert_true(fallen_time(&f, 10, 240) == 0);
  assert_true(fallen_time(&f, 3000, 1) > 0.15);
  assert_true(fabs(fallen_time(&f, 300, 120) - 0.8) < 0.1); // 0.5 s, and until it is forgotten
  fixture_end(&f);
}

static void load_clips(Fixture *f, Clip *clips[GET_UP_COUNT]) {
  static const char *const names[GET_UP_COUNT] = {"clips/get_up_prone.yaml", "clips/get_up_supine.yaml"};
  Error error = {0};
  for (int i = 0; i < GET_UP_COUNT; i++) {
    clips[i] = clip_read(&f->files, names[i], &f->body->skeleton, &error);
    fixture_check(&error);
    f->character_def.get_up[i] = clips[i];
  }
}

// The chest goes 2.5 m/s that way, and 1 m/s down.
static FallView look_at_fall(const Pose *pose, vec3s way) {
  vec3s velocity = glms_vec3_add(glms_vec3_scale(way, 2.5f), (vec3s){{0, -1, 0}});
  return (FallView){.pose_w = pose, .way_w = way, .chest_velocity_w = velocity};
}

// Hands come out to the side it falls to and down; the head goes the other way.
static void test_guard_reaches_for_the_ground(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  FallBody fall;
  assert_true(fall_body_find(&fall, f.body));
  assert_true(fabs(fall.leg_length - 0.93) < 1e-3);
  const Skeleton *skeleton = &f.body->skeleton;
  for (int i = 0; i < 16; i++) {
    double angle = 2 * M_PI * i / 16;
    vec3s way = {{(float)sin(angle), 0, (float)cos(angle)}};
    Pose bind_pose = pose_bind(skeleton), pose = bind_pose;
    ModelPose model;
    FallView view = look_at_fall(&bind_pose, way);
    fall_guard(&fall, &view, &pose);
    pose_to_model(skeleton, &pose, &model);
    float out[2];
    for (int side = 0; side < 2; side++) {
      int hand = fixture_part(&f, side ? "hand_r" : "hand_l");
      vec3s reach = glms_vec3_sub(model.position[hand], model.position[fall.arms[side]]);
      out[side] = glms_vec3_dot(reach, way);
      assert_true(reach.y < 0.05f);
    }
    assert_true(fmaxf(out[0], out[1]) > 0.25f); // m: at least one hand well before the body
    vec3s top = {{0, 0.2f, 0}};
    vec3s head = glms_quat_rotatev(model.rotation[fall.head], top);
    assert_true(glms_vec3_dot(head, way) < -0.05f);
    for (int joint = 1; joint < f.body->part_count; joint++) { // in its ranges
      vec3s turn = quat_log(pose.rotation[joint]);
      const JointDef *def = &f.body->parts[joint].joint;
      for (int axis = 0; axis < 3 && def->limited; axis++)
        assert_true((double)turn.raw[axis] > def->limit[axis][0] - 1e-3 &&
                    (double)turn.raw[axis] < def->limit[axis][1] + 1e-3);
    }
  }
  fixture_end(&f);
}

// Also of a trunk that lies already the head bends away from the ground by 30 deg or more: chin to the chest on the
// back, back on the belly, up on a side.
static void test_guard_keeps_the_head_off_the_ground(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  FallBody fall;
  assert_true(fall_body_find(&fall, f.body));
  const vec3s ways[] = {{{0, 0, -1}}, {{0, 0, 1}}, {{1, 0, 0}}, {{-1, 0, 0}}};
  for (int i = 0; i < 4; i++)
    for (int tilt = 0; tilt <= 90; tilt += 30) {
      vec3s axis = glms_vec3_cross((vec3s){{0, 1, 0}}, ways[i]);
      Pose now = pose_bind(&f.body->skeleton), pose = now;
      now.rotation[0] = quat_exp(glms_vec3_scale(axis, (float)(tilt * RAD_PER_DEGREE)));
      FallView view = look_at_fall(&now, ways[i]);
      fall_guard(&fall, &view, &pose);
      float away = -glms_vec3_dot(quat_log(pose.rotation[fall.head]), axis);
      assert_true(away > 30 * (float)RAD_PER_DEGREE);
    }
  fixture_end(&f);
}

// In a sideways fall it sits down over the leg of that side, and bends away from it.
static void test_guard_sits_down_over_the_near_leg(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  FallBody fall;
  assert_true(fall_body_find(&fall, f.body));
  const Skeleton *skeleton = &f.body->skeleton;
  for (int near = 0; near < 2; near++) {
    float side = near ? -1 : 1;
    Pose bind_pose = pose_bind(skeleton), pose = bind_pose;
    ModelPose model;
    FallView view = look_at_fall(&bind_pose, (vec3s){{side, 0, 0}});
    fall_guard(&fall, &view, &pose);
    pose_to_model(skeleton, &pose, &model);
    float knee[2], aside[2];
    for (int i = 0; i < 2; i++) {
      const Leg *leg = &skeleton->legs[i];
      int left = skeleton->bind_position_l[leg->hip].x > 0 ? 0 : 1;
      knee[left] = quat_angle_between(pose.rotation[leg->knee], glms_quat_identity());
      aside[left] = side * (model.position[leg->knee].x - model.position[leg->hip].x);
    }
    assert_true(knee[near] > 1.2f && knee[1 - near] > 0.4f && knee[1 - near] < 0.5f * knee[near]);
    assert_true(fabsf(aside[near]) < 0.01f && aside[1 - near] < -0.08f); // m
    vec3s shoulders = glms_vec3_sub(model.position[fall.arms[near]], model.position[fall.arms[1 - near]]);
    assert_true(asinf(shoulders.y / glms_vec3_norm(shoulders)) > 20 * (float)RAD_PER_DEGREE); // the near one is higher
  }
  fixture_end(&f);
}

// The guard of a fall to the other side is the mirror image, and it is the same whichever way the body faces.
static void test_guard_is_alike_on_all_sides(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  FallBody fall;
  assert_true(fall_body_find(&fall, f.body));
  const Skeleton *skeleton = &f.body->skeleton;
  Rng rng = rng_make(5, "guard");
  for (int i = 0; i < 100; i++) {
    float angle = (float)rng_range(&rng, -3, 3);
    vec3s way = {{sinf(angle), 0, cosf(angle)}};
    Pose now = pose_bind(skeleton), other = now, away = now, pose = now, image = now, turned = now;
    now.rotation[0] = quat_exp((vec3s){{(float)rng_range(&rng, -1, 1), (float)rng_range(&rng, -0.4, 0.4), 0}});
    now.rotation[fall.chest] = quat_exp((vec3s){{(float)rng_range(&rng, -0.3, 0.3), 0, 0}});
    mirror_pose(skeleton, &now, &other);
    versors about = quat_exp((vec3s){{0, 2.1f, 0}});
    away = now;
    away.position[0] = glms_quat_rotatev(about, now.position[0]);
    away.rotation[0] = glms_quat_mul(about, now.rotation[0]);
    FallView view = look_at_fall(&now, way);
    fall_guard(&fall, &view, &pose);
    view = look_at_fall(&other, mirror_vector(way));
    fall_guard(&fall, &view, &image);
    mirror_pose(skeleton, &image, &image);
    view = look_at_fall(&away, glms_quat_rotatev(about, way));
    fall_guard(&fall, &view, &turned);
    for (int joint = 1; joint < pose.count; joint++) {
      assert_true(quat_angle_between(pose.rotation[joint], image.rotation[joint]) < 3e-3f);
      assert_true(quat_angle_between(pose.rotation[joint], turned.rotation[joint]) < 3e-3f);
    }
  }
  fixture_end(&f);
}

// Knees that are bent more than the guard wants stay so: who bows over as he falls forward does not stretch out.
static void test_guard_does_not_stretch_bent_legs(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  FallBody fall;
  assert_true(fall_body_find(&fall, f.body));
  const Skeleton *skeleton = &f.body->skeleton;
  Pose now = pose_bind(skeleton), pose = now;
  for (int i = 0; i < 2; i++) {
    now.rotation[skeleton->legs[i].hip] = quat_exp((vec3s){{-1.6f, 0, 0}});
    now.rotation[skeleton->legs[i].knee] = quat_exp((vec3s){{1.7f, 0, 0}});
  }
  FallView view = look_at_fall(&now, (vec3s){{0, 0, 1}});
  fall_guard(&fall, &view, &pose);
  for (int i = 0; i < 2; i++) {
    assert_true(fabsf(quat_log(pose.rotation[skeleton->legs[i].hip]).x + 1.6f) < 1e-4f);
    assert_true(fabsf(quat_log(pose.rotation[skeleton->legs[i].knee]).x - 1.7f) < 1e-4f);
  }
  fixture_end(&f);
}

// No joint turns faster than its rate, and all arrive.
static void test_guard_is_taken_at_a_rate(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  FallBody fall;
  assert_true(fall_body_find(&fall, f.body));
  Pose bind = pose_bind(&f.body->skeleton), goal = bind, pose = bind;
  FallView view = look_at_fall(&bind, (vec3s){{0, 0, -1}});
  fall_guard(&fall, &view, &goal);
  double rates[BODY_MAX_PARTS] = {0}, most = 0;
  for (int i = 1; i < pose.count; i++)
    rates[i] = fall_tone(&fall, i, 3).rate;
  for (int k = 0; k < 240; k++) {
    Pose before = pose;
    fall_pose_approach(f.body, &goal, rates, DT, &pose);
    for (int i = 1; i < pose.count; i++) {
      double rate = (double)quat_angle_between(before.rotation[i], pose.rotation[i]) / DT;
      assert_true(rate < 1.01 * rates[i] + 0.1); // rad/s: 0.1 is what single precision turns
      most = fmax(most, rate / rates[i]);
    }
  }
  assert_true(most > 0.95);
  for (int i = 1; i < pose.count; i++)
    assert_true(quat_angle_between(pose.rotation[i], goal.rotation[i]) < 0.02f);
  fixture_end(&f);
}

// A hand goes as fast as it is told to, by shoulder or elbow; knees of who falls are softer than a tenth of those of
// who stands, and those of a heavier body stiffer.
static void test_tone_of_a_fall(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  FallBody fall;
  assert_true(fall_body_find(&fall, f.body));
  assert_true(fabs(fall.arm_length - 0.58) < 1e-3); // m, shoulder to wrist
  assert_true(fabs(fall_tone(&fall, fall.arms[0], 2.9).rate - 5) < 0.01);
  int knee = f.body->skeleton.legs[0].knee;
  FallTone tone = fall_tone(&fall, knee, 3);
  assert_true(tone.stiffness > 0 && tone.stiffness < 0.1 * f.body->parts[knee].joint.stiffness);
  BodyDef heavy = *f.body;
  heavy.mass *= 2;
  fall.body = &heavy;
  assert_true(fabs(fall_tone(&fall, knee, 3).stiffness - 2 * tone.stiffness) < 1e-9);
  fixture_end(&f);
}

// What is held up sinks to how the body lies, with the time constant of letting go; shins that stand up from who lies
// on his belly come down, and those of who lies on his back stay as gravity has them.
static void test_muscles_let_go(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  FallBody fall;
  assert_true(fall_body_find(&fall, f.body));
  const Skeleton *skeleton = &f.body->skeleton;
  int knee = skeleton->legs[0].knee;
  for (int prone = 0; prone < 2; prone++) {
    Pose held = pose_bind(skeleton), lies = held;
    lies.rotation[0] = quat_exp((vec3s){{prone ? GLM_PI_2f : -GLM_PI_2f, 0, 0}});
    lies.rotation[fall.head] = quat_exp((vec3s){{0.5f, 0, 0}});
    lies.rotation[knee] = held.rotation[knee] = quat_exp((vec3s){{1.6f, 0, 0}});
    for (int k = 0; k < 84; k++) // 0.35 s
      fall_pose_yield(&fall, &lies, DT, 0.35, false, &held);
    assert_true(fabsf(quat_log(held.rotation[fall.head]).x - 0.5f * (1 - expf(-1))) < 1e-3f);
    Pose tucked = held;
    fall_pose_yield(&fall, &lies, DT, 0.35, true, &tucked);
    assert_true(quat_angle_between(tucked.rotation[fall.head], held.rotation[fall.head]) < 1e-6f);
    assert_true(quat_angle_between(tucked.rotation[knee], held.rotation[knee]) > 0 || !prone);
    float bent = quat_log(held.rotation[knee]).x;
    assert_true(prone ? bent < 1.2f && bent > 0.5f : fabsf(bent - 1.6f) < 1e-3f);
  }
  fixture_end(&f);
}

// From a raised arm to one behind the body the way leads down in front, where the short one leads over the back, 80 deg
// beyond what a shoulder can do; and nothing turns faster than the distance says.
static void test_joints_go_inside_their_ranges(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  Pose from = pose_bind(&f.body->skeleton), to = from, before = from;
  int arm = fixture_part(&f, "upper_arm_r");
  const JointDef *joint = &f.body->parts[arm].joint;
  from.rotation[arm] = quat_exp((vec3s){{-2.9f, -0.1f, 0.4f}});
  to.rotation[arm] = quat_exp((vec3s){{0.8f, -0.5f, -0.7f}});
  versors halfway = quat_slerp(from.rotation[arm], to.rotation[arm], 0.5f);
  assert_true((double)quat_log(halfway).x > joint->limit[0][1] + 0.3);
  enum { STEPS = 50 };
  float most = 1.02f * fall_pose_distance(f.body, &from, &to) / STEPS; // the fastest step is faster than its eighth
  assert_true(most * STEPS > quat_angle_between(from.rotation[arm], to.rotation[arm]));
  for (int i = 0; i <= STEPS; i++) {
    Pose pose;
    fall_pose_between(f.body, &from, &to, (float)i / STEPS, &pose);
    vec3s turn = quat_log(pose.rotation[arm]);
    for (int axis = 0; axis < 3; axis++)
      assert_true((double)turn.raw[axis] > joint->limit[axis][0] && (double)turn.raw[axis] < joint->limit[axis][1]);
    assert_true(quat_angle_between((i > 0 ? before : from).rotation[arm], pose.rotation[arm]) < (i > 0 ? most : 1e-3f));
    before = pose;
  }
  assert_true(quat_angle_between(before.rotation[arm], to.rotation[arm]) < 1e-3f);
  fixture_end(&f);
}

// Any moment of a clip before a foot stands, mirrored or not, anywhere, with joints off by up to 10 deg, is found
// again: the pelvis lies as it does there. This defines prone, supine and side.
static void test_lying_poses_are_matched(void **state) {
  (void)state;
  Fixture f;
  Clip *clips[GET_UP_COUNT];
  fixture_init(&f);
  load_clips(&f, clips);
  FallBody fall;
  assert_true(fall_body_find(&fall, f.body));
  Rng rng = rng_make(3, "lying");
  for (int i = 0; i < 60; i++) {
    const Clip *clip = clips[i % 2];
    GetUpEntry truth = {.clip = clip, .mirrored = i % 4 > 1};
    float time = (float)rng_range(&rng, 0, (double)get_up_first_stand(clip));
    Pose pose, found;
    get_up_sample(&truth, time, &pose);
    for (int joint = 1; joint < pose.count; joint++) {
      vec3s off = {{(float)rng_range(&rng, -0.1, 0.1), (float)rng_range(&rng, -0.1, 0.1), 0}};
      pose.rotation[joint] = glms_quat_mul(pose.rotation[joint], quat_exp(off));
    }
    pose_transform(&pose, (vec3s){{3, 0.7f, -2}}, character_heading_rotation(rng_range(&rng, -M_PI, M_PI)));
    GetUpEntry entry = get_up_match(&fall, f.character_def.get_up, &pose, 0.7);
    get_up_sample(&entry, entry.time, &found);
    vec3s up = {{0, 1, 0}};
    float cosine = glms_vec3_dot(glms_quat_rotatev(glms_quat_conjugate(found.rotation[0]), up),
                                 glms_quat_rotatev(glms_quat_conjugate(pose.rotation[0]), up));
    assert_true(cosine > cosf(0.35f)); // rad
    assert_true(fabsf(found.position[0].y - (pose.position[0].y - 0.7f)) < 0.08f);
  }
  fixture_end(&f);
  for (int i = 0; i < GET_UP_COUNT; i++)
    clip_free(clips[i]);
}

// Who lies on his face gets up by the clip for that, though the other one has rolled over to it, too.
static void test_a_clip_is_entered_until_it_has_rolled_over(void **state) {
  (void)state;
  Fixture f;
  Clip *clips[GET_UP_COUNT];
  fixture_init(&f);
  load_clips(&f, clips);
  FallBody fall;
  assert_true(fall_body_find(&fall, f.body));
  for (int i = 0; i < 10; i++) {
    GetUpEntry rolled = {.clip = clips[GET_UP_SUPINE], .mirrored = i % 2 == 1};
    Pose pose;
    get_up_sample(&rolled, 1.62f + 0.04f * (float)i, &pose); // s: on his belly
    assert_ptr_equal(get_up_match(&fall, f.character_def.get_up, &pose, 0).clip, clips[GET_UP_PRONE]);
  }
  fixture_end(&f);
  for (int i = 0; i < GET_UP_COUNT; i++)
    clip_free(clips[i]);
}

static void push(Fixture *f, vec3s impulse, int steps) {
  int chest = fixture_part(f, "chest");
  for (int i = 0; i < steps; i++) {
    Impulse part = {.body = f->character->ragdoll->body[chest], .event = 1};
    memcpy(part.point, dBodyGetPosition(f->character->ragdoll->ode[chest]), sizeof part.point);
    for (int k = 0; k < 3; k++)
      part.impulse[k] = (double)impulse.raw[k] / steps;
    assert_true(world_apply_impulse(f->world, &part));
    assert_true(fixture_step(f));
  }
}

// Measures of a whole fall, and the largest turn of a target's joint on the way into the clip, deg per 1/60 s.
typedef struct FallRun {
  bool seen[4];            // states
  double fell, hand, head; // s: falling, first touch of a hand and of the head; INFINITY: never
  double pelvis;           // s: the same
  double entry_turn;
} FallRun;

static void watch_contacts(const Fixture *f, FallRun *run) {
  int head = fixture_part(f, "head"), hands[2] = {fixture_part(f, "hand_l"), fixture_part(f, "hand_r")};
  for (int i = 0; i < f->world->contact_count; i++) {
    const Contact *contact = &f->world->contacts[i];
    int part = f->world->bodies[contact->body].part;
    if (contact->other != WORLD_GROUND)
      continue;
    if (part == 0 && run->seen[FALL_FALLING])
      run->pelvis = fmin(run->pelvis, f->world->time);
    if (part == head)
      run->head = fmin(run->head, f->world->time);
    if (part == hands[0] || part == hands[1])
      run->hand = fmin(run->hand, f->world->time);
  }
}

static void run_fall(Fixture *f, double duration, FallRun *run) {
  Pose before = f->character->target;
  for (int i = 0; i < (int)(duration / DT); i++) {
    assert_true(fixture_step(f));
    const CharacterFall *fall = &f->character->fall;
    if (fall->machine.state == FALL_FALLING && !run->seen[FALL_FALLING])
      run->fell = f->world->time;
    run->seen[fall->machine.state] = true;
    watch_contacts(f, run);
    if (f->character->down) // it wants to turn nowhere, in any lying position
      assert_true(character_wanted_heading(f->character) == f->character->root.heading);
    if (i % 4 == 3) { // 60 Hz
      if (fall->machine.state == FALL_RISING && fall->since > 0.03 && fall->since < fall->match)
        run->entry_turn =
            fmax(run->entry_turn, (double)fall_pose_distance(f->body, &before, &f->character->target) / RAD_PER_DEGREE);
      before = f->character->target;
    }
  }
}

static void start_man(Fixture *f, Clip *clips[GET_UP_COUNT]) {
  fixture_init(f);
  load_clips(f, clips);
  AssistDef *assist = &f->character_def.assist;
  assist->enabled = true;
  assist->force = 100;
  assist->torque = 40;
  f->character_def.fall.force = 600;
  f->character_def.fall.torque = 150;
  fixture_start(f);
}

static void end_man(Fixture *f, Clip *clips[GET_UP_COUNT]) {
  fixture_end(f);
  for (int i = 0; i < GET_UP_COUNT; i++)
    clip_free(clips[i]);
}

// Pushed forward he has his hands on the ground before his head, within the 0.2 to 0.7 s that people need, lies, enters
// the clip by at most 2 deg per 1/60 s, and stands.
static void test_pushed_man_gets_up(void **state) {
  (void)state;
  Fixture f;
  Clip *clips[GET_UP_COUNT];
  start_man(&f, clips);
  FallRun run = {.hand = INFINITY, .head = INFINITY, .pelvis = INFINITY};
  push(&f, (vec3s){{0, 0, 120}}, 24);
  run_fall(&f, 8, &run);
  assert_true(run.seen[FALL_FALLING] && run.seen[FALL_LYING] && run.seen[FALL_RISING]);
  assert_int_equal(f.character->fall.machine.state, FALL_UPRIGHT);
  assert_true(f.character->sensed.com[1] > 0.9);
  assert_true(run.hand - run.fell < 0.7 && run.hand < run.head);
  assert_true(run.entry_turn > 0.5 && run.entry_turn <= 2);
  end_man(&f, clips);
}

// Pushed to a side he has a hand on the ground at least 0.05 s before his pelvis, as young people have (Feldman and
// Robinovitch 2007, J. Biomech. 40:2612: 0.05 s on average); when he lies no foot is left in the air.
static void test_hand_lands_before_the_pelvis(void **state) {
  (void)state;
  for (int side = -1; side <= 1; side += 2) {
    Fixture f;
    fixture_init(&f);
    fixture_start(&f);
    FallRun run = {.hand = INFINITY, .head = INFINITY, .pelvis = INFINITY};
    push(&f, (vec3s){{(float)side * 130, 0, 0}}, 24);
    run_fall(&f, 4, &run);
    assert_true(run.pelvis - run.hand > 0.05 && run.pelvis < 2);
    assert_int_equal(f.character->fall.machine.state, FALL_LYING);
    for (int i = 0; i < 2; i++) {
      const Leg *leg = &f.body->skeleton.legs[i];
      double toe[3], heel[3];
      ragdoll_point(f.character->ragdoll, leg->ankle, leg->toe_l, toe);
      ragdoll_point(f.character->ragdoll, leg->ankle, leg->heel_l, heel);
      assert_true(fmin(toe[1], heel[1]) < 0.25); // m: on the ground, or on the other foot
    }
    fixture_end(&f);
  }
}

// Struck again while he gets up he falls, and gets up again.
static void test_struck_again_he_gets_up_again(void **state) {
  (void)state;
  Fixture f;
  Clip *clips[GET_UP_COUNT];
  start_man(&f, clips);
  FallRun run = {.hand = INFINITY, .head = INFINITY, .pelvis = INFINITY};
  push(&f, (vec3s){{0, 0, 120}}, 24);
  while (f.character->fall.machine.state != FALL_RISING || f.character->sensed.com[1] < 0.6) { // m: up from his knees
    run_fall(&f, DT, &run);
    assert_true(f.world->time < 8);
  }
  push(&f, (vec3s){{-240, 0, 60}}, 24);
  FallRun again = {.hand = INFINITY, .head = INFINITY, .pelvis = INFINITY};
  run_fall(&f, 9, &again);
  assert_true(again.seen[FALL_FALLING] && again.seen[FALL_LYING] && again.seen[FALL_RISING]);
  assert_int_equal(f.character->fall.machine.state, FALL_UPRIGHT);
  end_man(&f, clips);
}

// m: the largest depth of trunk, hands and feet of the target in the ground. The joints lie inside of them.
static double deepest_joint(const Fixture *f) {
  static const char *const parts[] = {"chest", "head", "hand_l", "hand_r", "foot_l", "foot_r"};
  ModelPose model;
  double deepest = -INFINITY;
  pose_to_model(&f->body->skeleton, &f->character->target, &model);
  for (int i = 0; i < 6; i++) {
    vec3s joint = model.position[fixture_part(f, parts[i])];
    double height;
    assert_true(terrain_height(f->terrain, (double)joint.x, (double)joint.z, &height, NULL));
    deepest = fmax(deepest, height - (double)joint.y);
  }
  return deepest;
}

// On a slope the clip lies as the ground does: over his length of 1.8 m 15 deg make 46 cm.
static void test_clips_lie_on_the_slope(void **state) {
  (void)state;
  Fixture f;
  Clip *clips[GET_UP_COUNT];
  fixture_init(&f);
  load_clips(&f, clips);
  f.terrain_def.kind = TERRAIN_SLOPE;
  f.terrain_def.pitch = 15;
  f.terrain_def.start = -100;
  fixture_start(&f);
  const CharacterFall *fall = &f.character->fall;
  push(&f, (vec3s){{0, 0, -140}}, 24);
  while (fall->machine.state != FALL_RISING || fall->since < fall->match) {
    assert_true(fixture_step(&f));
    assert_true(f.world->time < 6);
  }
  assert_true(quat_angle_between(fall->tilt, glms_quat_identity()) > 14 * (float)RAD_PER_DEGREE);
  assert_true(deepest_joint(&f) < 0.03);
  const Skeleton *skeleton = &f.body->skeleton;
  const vec3s up = {{0, 1, 0}};
  int kneeling = 0;
  for (int k = 0; k < 200; k++) { // later he kneels upright, over his knees
    Pose clip;
    character_fall_rise_at(f.character, k / 200.0);
    get_up_sample(&fall->entry, fall->clip_time, &clip);
    float upright = glms_quat_rotatev(clip.rotation[0], up).y;
    if (upright < 0.9f || (double)clip.position[0].y > 0.55 * fall->body.leg_length)
      continue;
    kneeling++;
    assert_true(fabsf(glms_quat_rotatev(f.character->target.rotation[0], up).y - upright) < 0.01f);
    Pose *fitted = &f.character->target;
    versors heading = character_heading_rotation(f.character->root.heading);
    for (int i = 0; i < skeleton->leg_count; i++) {
      const int joints[2] = {skeleton->legs[i].ankle, skeleton->legs[i].knee};
      for (int j = 0; j < 2; j++) {
        vec3s level, sloped;
        versors rotation;
        double ground;
        pose_joint_transform(skeleton, &clip, joints[j], &level, &rotation);
        pose_joint_transform(skeleton, fitted, joints[j], &sloped, &rotation);
        if (level.y > (j == 0 ? 1 : 0.1f)) // a knee that is not on the ground
          continue;
        assert_true(terrain_height(f.terrain, (double)sloped.x, (double)sloped.z, &ground, NULL));
        assert_true(fabs((double)sloped.y - ground - (double)level.y) < 0.025);
        vec3s over = glms_quat_rotatev(heading, glms_vec3_sub(clip.position[0], level));
        vec3s off = glms_vec3_sub(glms_vec3_sub(fitted->position[0], sloped), over);
        assert_true(j == 0 || hypot((double)off.x, (double)off.z) < 0.05); // tilted with the ground: 0.12
      }
    }
  }
  assert_true(kneeling > 10);
  end_man(&f, clips);
}

// The thigh whose foot is brought forward is turned in the world as in the clip, although the pelvis leans; its knee
// bends by at least 5 deg more, which lifts the foot by 4 cm, and never less.
static void test_thighs_step_over_the_ground(void **state) {
  (void)state;
  Fixture f;
  Clip *clips[GET_UP_COUNT];
  start_man(&f, clips);
  const CharacterFall *fall = &f.character->fall;
  const Skeleton *skeleton = &f.body->skeleton;
  push(&f, (vec3s){{0, 0, 120}}, 24);
  float most = 0, lifted = 0;
  while (f.world->time < 8) {
    Pose clip, before = f.character->sensed.pose;
    bool rises = fall->machine.state == FALL_RISING && fall->since > fall->match;
    assert_true(fixture_step(&f));
    if (!rises || fall->machine.state != FALL_RISING || fall->since < fall->match)
      continue;
    get_up_sample(&fall->entry, fall->clip_time, &clip);
    for (int i = 0; i < skeleton->leg_count; i++) {
      int hip = skeleton->legs[i].hip;
      versors wanted = glms_quat_mul(f.character->target.rotation[0], clip.rotation[hip]);
      versors led = glms_quat_mul(before.rotation[0], f.character->target.rotation[hip]);
      float made_good = quat_angle_between(clip.rotation[hip], f.character->target.rotation[hip]);
      float lean = quat_angle_between(before.rotation[0], f.character->target.rotation[0]);
      assert_true(fabsf(made_good + quat_angle_between(wanted, led) - lean) < 1e-2f);
      most = fmaxf(most, made_good);
      int knee = skeleton->legs[i].knee;
      float more = quat_log(f.character->target.rotation[knee]).x - quat_log(clip.rotation[knee]).x;
      assert_true(more > -1e-3f && more < 20 * (float)RAD_PER_DEGREE);
      lifted = fmaxf(lifted, more);
    }
  }
  assert_true(most > 2 * (float)RAD_PER_DEGREE);
  assert_true(lifted > 5 * (float)RAD_PER_DEGREE);
  end_man(&f, clips);
}

// Without clips he stays where he falls.
static void test_stays_down_without_clips(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  FallRun run = {.hand = INFINITY, .head = INFINITY, .pelvis = INFINITY};
  push(&f, (vec3s){{0, 0, -120}}, 24);
  run_fall(&f, 5, &run);
  assert_true(run.seen[FALL_FALLING] && !run.seen[FALL_RISING]);
  assert_int_equal(f.character->fall.machine.state, FALL_LYING);
  assert_true(f.character->down);
  fixture_end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_falls_lies_gets_up_and_stands),
      cmocka_unit_test(test_thrown_stuck_caught),
      cmocka_unit_test(test_a_graze_is_no_fall),
      cmocka_unit_test(test_guard_reaches_for_the_ground),
      cmocka_unit_test(test_guard_keeps_the_head_off_the_ground),
      cmocka_unit_test(test_guard_sits_down_over_the_near_leg),
      cmocka_unit_test(test_guard_is_alike_on_all_sides),
      cmocka_unit_test(test_guard_does_not_stretch_bent_legs),
      cmocka_unit_test(test_guard_is_taken_at_a_rate),
      cmocka_unit_test(test_tone_of_a_fall),
      cmocka_unit_test(test_muscles_let_go),
      cmocka_unit_test(test_joints_go_inside_their_ranges),
      cmocka_unit_test(test_lying_poses_are_matched),
      cmocka_unit_test(test_a_clip_is_entered_until_it_has_rolled_over),
      cmocka_unit_test(test_pushed_man_gets_up),
      cmocka_unit_test(test_hand_lands_before_the_pelvis),
      cmocka_unit_test(test_struck_again_he_gets_up_again),
      cmocka_unit_test(test_clips_lie_on_the_slope),
      cmocka_unit_test(test_thighs_step_over_the_ground),
      cmocka_unit_test(test_stays_down_without_clips),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

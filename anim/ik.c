// Two-bone inverse kinematics, solved in closed form: the bend of the middle joint from the law of cosines, then the
// turn of the whole limb toward its target, with soft limits near full stretch.
#include "anim/ik.h"

#include <assert.h>
#include <math.h>

#include "anim/lanes.h"

static const double MARGIN = 0.01;       // m by which the longest reach is short of the stretched-out limb
static const double MARGIN_SHARE = 0.01; // the same as a share of the reach, for small limbs
static const double FOLDED = 1e-5;       // share of the longest reach by which the shortest reach exceeds the fully
                                         // folded limb
static const double STRAIGHT = 1e-4;     // sine of the angle below which two directions define no plane
static const double SHORT = 1e-6;        // m: bones and distances shorter than this have no direction
static const double MOST_STRETCH = 10;
static const double OPPOSITE = 1e-13; // 1 + cosine below which two directions are opposite, so that the turn between
                                      // them has no unique axis

// Inlining is forced: without it the compiler makes calls of the larger steps of a job, which take a sixth longer.
#define INLINED static inline __attribute__((always_inline))

// One instruction each, since they need not handle NaNs as fmin and fmax must.
static inline double least(double a, double b) { return a < b ? a : b; }
static inline double most(double a, double b) { return a > b ? a : b; }

// ---- Vectors and rotations in double: angles of limbs are often small differences ----

typedef struct Vec {
  double x, y, z;
} Vec;

// A unit quaternion.
typedef struct Turn {
  Vec v;
  double w;
} Turn;

// Sine and cosine of half an angle.
typedef struct Half {
  double sine, cosine;
} Half;

static inline Vec vec_from(vec3s v) { return (Vec){(double)v.x, (double)v.y, (double)v.z}; }
static inline Vec vec_between(vec3s from, vec3s to) {
  return (Vec){(double)to.x - (double)from.x, (double)to.y - (double)from.y, (double)to.z - (double)from.z};
}
static inline Vec vec_scale(Vec a, double s) { return (Vec){a.x * s, a.y * s, a.z * s}; }
static inline Vec vec_add(Vec a, Vec b) { return (Vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline Vec vec_add_scaled(Vec a, Vec b, double s) { return (Vec){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s}; }
static inline double vec_dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double vec_length(Vec a) { return sqrt(vec_dot(a, a)); }
static inline Vec vec_across(Vec a, Vec unit) { return vec_add_scaled(a, unit, -vec_dot(a, unit)); }
static inline Vec vec_cross(Vec a, Vec b) {
  return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline vec3s point_at(vec3s origin, Vec v) {
  return (vec3s){{(float)((double)origin.x + v.x), (float)((double)origin.y + v.y), (float)((double)origin.z + v.z)}};
}

INLINED Turn turn_mul(Turn a, Turn b) {
  return (Turn){
      {a.w * b.v.x + a.v.x * b.w + a.v.y * b.v.z - a.v.z * b.v.y,
       a.w * b.v.y - a.v.x * b.v.z + a.v.y * b.w + a.v.z * b.v.x,
       a.w * b.v.z + a.v.x * b.v.y - a.v.y * b.v.x + a.v.z * b.w},
      a.w * b.w - vec_dot(a.v, b.v),
  };
}

INLINED Vec turn_vec(Turn t, Vec p) {
  Vec c = vec_scale(vec_cross(t.v, p), 2);
  return vec_add(vec_add_scaled(p, c, t.w), vec_cross(t.v, c));
}

// Turns a joint's rotation further and normalises it again. Its length is off by rounding only, so the first term of
// the series of 1/sqrt suffices.
INLINED versors turn_joint(Turn t, versors rotation) {
  Lanes q = lanes_load(rotation.raw), wzyx = LANES_PICK(q, q, 3, 2, 1, 0), zwxy = LANES_PICK(q, q, 2, 3, 0, 1),
        yxwz = LANES_PICK(q, q, 1, 0, 3, 2);
  Lanes turned = (float)t.w * q + (float)t.v.x * (Lanes){1, -1, 1, -1} * wzyx +
                 (float)t.v.y * (Lanes){1, 1, -1, -1} * zwxy + (float)t.v.z * (Lanes){-1, 1, 1, -1} * yxwz;
  Lanes sum = turned * turned;
  sum += LANES_PICK(sum, sum, 2, 3, 0, 1);
  sum += LANES_PICK(sum, sum, 1, 0, 3, 2);
  turned *= 1.5f - 0.5f * sum;
  versors result;
  lanes_store(result.raw, turned);
  return result;
}

// Half of the angle with this sine and cosine, both given times `size`, without trigonometric functions. Close to half
// a turn w is inaccurate by rounding; the actual length of (sine, w) is therefore used for normalising.
INLINED Half half_angle(double sine, double cosine, double size) {
  double w = size + cosine;
  if (!(w > OPPOSITE * size)) // half a turn; with a zero vector no turn
    return cosine < 0 ? (Half){1, 0} : (Half){0, 1};
  double scale = 1 / sqrt(sine * sine + w * w);
  return (Half){sine * scale, w * scale};
}

static inline Turn turn_about(Vec axis, Half half) { return (Turn){vec_scale(axis, half.sine), half.cosine}; }

// The product of t and a turn about an axis, which is applied first.
INLINED Turn turn_after(Turn t, Vec axis, Half half) {
  Vec across = vec_add_scaled(vec_cross(t.v, axis), axis, t.w);
  return (Turn){vec_add_scaled(vec_scale(across, half.sine), t.v, half.cosine),
                t.w * half.cosine - vec_dot(t.v, axis) * half.sine};
}

static inline Half half_sum(Half a, Half b) {
  return (Half){a.sine * b.cosine + a.cosine * b.sine, a.cosine * b.cosine - a.sine * b.sine};
}

// ---- The limb in the plane of its bend ----

// Axes of the limb: n, about which a positive turn of the lower bone bends the limb; x, perpendicular to n, along the
// upper bone; and y. Bones may have a component along n when the hinge is not perpendicular to them.
typedef struct Limb {
  Vec upper;              // from the root to the middle
  Vec x, y, n;            // unit
  Vec lower_l, end_l;     // from the middle to the end and from the root to the end, in these axes
  Vec towards_l;          // direction of the end, any length but zero
  double a, b;            // lengths of the bones perpendicular to n
  double longest, folded; // m from the root: distances of the end when stretched out and when fully folded
  bool fallback;          // n is the hinge axis, because a straight limb defines no bending plane
  bool degenerate;        // the limb cannot bend
} Limb;

INLINED Vec from_limb(const Limb *limb, Vec v_l) {
  return vec_add_scaled(vec_add_scaled(vec_scale(limb->x, v_l.x), limb->y, v_l.y), limb->n, v_l.z);
}

// The direction of v, or the fallback when v is too short.
static Vec unit_or(Vec v, Vec fallback) {
  double length = vec_length(v);
  return length > SHORT ? vec_scale(v, 1 / length) : fallback;
}

// A unit vector perpendicular to the unit vector x, nearest to v or, when v is parallel to x, to one of the axes.
static Vec unit_across(Vec x, Vec v) {
  const Vec towards[] = {v, {1, 0, 0}, {0, 1, 0}};
  int i = 0;
  Vec across = vec_across(v, x);
  while (!(vec_length(across) > STRAIGHT * vec_length(towards[i])) && i < 2)
    across = vec_across(towards[++i], x);
  across = vec_scale(across, 1 / vec_length(across));
  across = vec_across(across, x); // a second pass: normalising enlarges the rounding error along x
  return vec_scale(across, 1 / vec_length(across));
}

// The shortest turn from a direction of any length to a unit vector. For opposite directions it is half a turn; `axis`
// then decides the side on which it goes.
INLINED Turn arc(Vec from, Vec to, Vec axis) {
  double size = vec_length(from), w = size + vec_dot(from, to);
  if (!(w > OPPOSITE * size))
    return (Turn){unit_across(to, vec_cross(from, axis)), 0};
  Vec sine = vec_cross(from, to);
  double scale = 1 / sqrt(vec_dot(sine, sine) + w * w);
  return (Turn){vec_scale(sine, scale), w * scale};
}

static bool is_zero(vec3s v) { return v.x == 0 && v.y == 0 && v.z == 0; }

static Vec hinge_axis(const TwoBoneJob *job) {
  vec3s hinge = is_zero(job->hinge) ? (vec3s){{1, 0, 0}} : job->hinge;
  Lanes axis = lanes_turn(lanes_load(job->mid_rotation.raw), lanes_from_point(hinge));
  return unit_or((Vec){(double)axis[0], (double)axis[1], (double)axis[2]}, (Vec){1, 0, 0});
}

// Measures the limb for bending about the given axis n.
static void measure_about(Limb *limb, Vec lower, Vec n) {
  Vec upper_across = vec_across(limb->upper, n), lower_across = vec_across(lower, n);
  limb->a = vec_length(upper_across);
  limb->b = vec_length(lower_across);
  limb->degenerate = !(limb->a > SHORT && limb->b > SHORT);
  limb->n = n;
  limb->x = limb->a > SHORT ? vec_scale(upper_across, 1 / limb->a) : unit_across(n, lower_across);
  limb->y = vec_cross(n, limb->x);
  limb->lower_l = (Vec){vec_dot(lower, limb->x), vec_dot(lower, limb->y), vec_dot(lower, n)};
  limb->end_l = vec_add((Vec){limb->a, 0, vec_dot(limb->upper, n)}, limb->lower_l);
  double sum = limb->a + limb->b, difference = limb->a - limb->b, along = limb->end_l.z;
  limb->longest = sqrt(sum * sum + along * along);
  limb->folded = sqrt(difference * difference + along * along);
}

// A straight limb bends about the part of its hinge axis that is perpendicular to it.
static void measure_straight(Limb *limb, Vec lower, Vec hinge) {
  Vec along = unit_or(limb->upper, unit_or(lower, (Vec){0, -1, 0}));
  measure_about(limb, lower, unit_across(along, hinge));
  limb->fallback = true;
}

// Takes the axis from the present bend. False when the limb is straight or a bone has no length.
INLINED bool measure_bent(Limb *limb, Vec lower) {
  Vec normal = vec_cross(limb->upper, lower);
  double aa = vec_dot(limb->upper, limb->upper), bb = vec_dot(lower, lower), nn = vec_dot(normal, normal);
  if (!(nn > STRAIGHT * STRAIGHT * aa * bb && aa > SHORT * SHORT && bb > SHORT * SHORT))
    return false;
  double area = sqrt(nn), per_area = 1 / area;
  limb->a = sqrt(aa);
  limb->b = sqrt(bb);
  double per_a = 1 / limb->a;
  limb->n = vec_scale(normal, per_area);
  limb->x = vec_scale(limb->upper, per_a);
  limb->y = vec_cross(limb->n, limb->x);
  limb->lower_l = (Vec){vec_dot(limb->upper, lower) * per_a, area * per_a, 0};
  limb->end_l = (Vec){limb->a + limb->lower_l.x, limb->lower_l.y, 0};
  limb->longest = limb->a + limb->b;
  limb->folded = fabs(limb->a - limb->b);
  return true;
}

INLINED Limb measure_limb(const TwoBoneJob *job) {
  Limb limb;
  limb.upper = vec_between(job->root, job->mid);
  limb.fallback = limb.degenerate = false;
  Vec lower = vec_between(job->mid, job->end);
  if (job->mode == TWO_BONE_HINGE)
    measure_about(&limb, lower, hinge_axis(job));
  else if (!measure_bent(&limb, lower))
    measure_straight(&limb, lower, hinge_axis(job));
  // An end on the root has no direction; a limb of two equal bones then leaves the root along y.
  Vec end = limb.end_l;
  double across = end.x * end.x + end.y * end.y, along = limb.degenerate ? end.z * end.z : 0;
  bool has_direction = across + along > FOLDED * FOLDED * limb.longest * limb.longest;
  limb.towards_l = has_direction ? end : (Vec){0, 1, end.z};
  return limb;
}

// Longest and shortest distance of the end from the root.
static inline double farthest_reach(const Limb *limb) {
  return limb->longest - least(least(MARGIN, MARGIN_SHARE * limb->longest), least(limb->a, limb->b));
}
static inline double nearest_reach(const Limb *limb) { return limb->folded + FOLDED * limb->longest; }

// ---- Turning it ----

// The limb with a new bend; its upper bone has not moved yet.
typedef struct Bent {
  Half fold;          // of the lower bone's turn about n
  Vec lower_l, end_l; // in the limb's axes
} Bent;

// Bends the limb, by the law of cosines, so that its end is at the given distance from the root.
INLINED Bent bend_limb(const Limb *limb, double distance) {
  if (limb->degenerate)
    return (Bent){{0, 1}, limb->lower_l, limb->end_l};
  double a = limb->a, b = limb->b, along = limb->end_l.z;
  double cosine = (distance * distance - along * along - a * a - b * b) / (2 * a * b);
  cosine = least(most(cosine, -1), 1);
  double x = b * cosine, y = b * sqrt((1 - cosine) * (1 + cosine));
  double old_x = limb->lower_l.x, old_y = limb->lower_l.y;
  return (Bent){
      half_angle(old_x * y - old_y * x, old_x * x + old_y * y, b * b), {x, y, limb->lower_l.z}, {a + x, y, along}};
}

// The roll about the unit vector `on` that takes the side to which the middle points to the side of the pole. The
// limb's direction `from` has been swung onto `on` before.
INLINED Half roll_to_pole(Vec from, Vec side, Vec on, Vec pole_across) {
  double size = vec_length(from), w = size + vec_dot(from, on);
  if (w > OPPOSITE * size) // the swing turns the side as well
    side = vec_add_scaled(side, vec_add_scaled(from, on, size), -vec_dot(side, on) / w);
  double sine = vec_dot(vec_cross(side, pole_across), on), cosine = vec_dot(side, pole_across);
  return half_angle(sine, cosine, sqrt(sine * sine + cosine * cosine));
}

// Lays the direction laid_l of the bent limb on the unit vector `on` and writes the joints' rotations. Returns the turn
// of the upper bone.
INLINED Turn turn_limb(TwoBoneJob *job, const Limb *limb, Half fold, Vec laid_l, Vec on) {
  // First a turn in the bending plane to the direction of the old end, then the shortest turn from there to the new
  // direction: the new plane thus depends on the direction alone, not on the distance. Where the shortest turn is not
  // unique the middle stays on its side.
  Half level = {0, 1};
  if (!limb->degenerate) {
    double x = laid_l.x, y = laid_l.y, to_x = limb->towards_l.x, to_y = limb->towards_l.y;
    double size = sqrt(x * x + y * y), to_size = sqrt(to_x * to_x + to_y * to_y);
    level = half_angle(x * to_y - y * to_x, x * to_x + y * to_y, size * to_size);
    laid_l = (Vec){to_x * size, to_y * size, laid_l.z * to_size};
  }
  Vec from = from_limb(limb, laid_l);
  Turn swing = arc(from, on, limb->n);

  job->pole_fallback = limb->fallback;
  if (!is_zero(job->pole)) {
    Vec pole = vec_from(job->pole), pole_across = vec_across(pole, on);
    job->pole_fallback = !(vec_dot(pole_across, pole_across) > STRAIGHT * STRAIGHT * vec_dot(pole, pole));
    if (!job->pole_fallback)
      swing = turn_mul(turn_about(on, roll_to_pole(from, vec_cross(from, limb->n), on, pole_across)), swing);
  }

  Turn upper = turn_after(swing, limb->n, level), lower = turn_after(swing, limb->n, half_sum(level, fold));
  job->new_root_rotation = turn_joint(upper, job->root_rotation);
  job->new_mid_rotation = turn_joint(lower, job->mid_rotation);
  job->new_end_rotation = job->keep_end_rotation ? job->end_rotation : turn_joint(lower, job->end_rotation);
  return upper;
}

// ---- The two jobs ----

// The distance, without stretching, to which the end goes for a wanted distance.
INLINED double reach_softly(const Limb *limb, double wanted, double soft, TwoBoneClamp *clamped) {
  double farthest = farthest_reach(limb), nearest = least(nearest_reach(limb), farthest);
  double begin = farthest * (1 - least(most(soft, 0), 0.5));
  *clamped = TWO_BONE_NOT_CLAMPED;
  if (wanted < nearest) {
    *clamped = TWO_BONE_TOO_NEAR;
    return nearest;
  }
  if (wanted <= begin)
    return wanted;
  // A parabola: slope 1 where the soft range begins, slope 0 at the farthest reach, twice the soft width further on.
  double width = farthest - begin, way = wanted - begin;
  *clamped = way < 2 * width ? TWO_BONE_SOFTENED : TWO_BONE_TOO_FAR;
  return *clamped == TWO_BONE_SOFTENED ? begin + way - way * way / (4 * width) : farthest;
}

// The unit direction of v or, when v is too short, of the limb's end.
INLINED Vec direction_of(Vec v, double length, const Limb *limb) {
  if (length > SHORT)
    return vec_scale(v, 1 / length);
  Vec towards = from_limb(limb, limb->towards_l);
  return vec_scale(towards, 1 / vec_length(towards));
}

void two_bone_solve(TwoBoneJob *job) {
  Limb limb = measure_limb(job);
  Vec to_target = vec_between(job->root, job->target);
  double wanted = vec_length(to_target), stretched = 1, reach;
  if (limb.degenerate) {
    job->clamped = TWO_BONE_DEGENERATE;
    reach = vec_length(limb.end_l);
  } else {
    reach = reach_softly(&limb, wanted, (double)job->soft, &job->clamped);
  }
  if (job->stretch > 1 && wanted > reach && !limb.degenerate) {
    double factor = least((double)job->stretch, MOST_STRETCH);
    stretched = least(wanted / reach, factor);
    if (wanted <= reach * factor)
      job->clamped = TWO_BONE_NOT_CLAMPED;
  }

  Bent bent = bend_limb(&limb, reach);
  Vec direction = direction_of(to_target, wanted, &limb);
  Turn turn = turn_limb(job, &limb, bent.fold, limb.degenerate ? limb.towards_l : bent.end_l, direction);
  job->new_mid = point_at(job->root, vec_scale(turn_vec(turn, limb.upper), stretched));
  job->new_end = point_at(job->root, vec_scale(direction, reach * stretched));
  job->stretched = (float)stretched;
  job->reached = job->clamped == TWO_BONE_NOT_CLAMPED;
  job->error = (float)fabs(wanted - reach * stretched);
}

// The point on the line of the lower bone, beyond its end, that is at this distance from the root: its distance from
// the end in lengths of the lower bone; 0 when the end is farther away already.
INLINED double way_beyond_end(const Bent *bent, double distance) {
  double missing = distance * distance - vec_dot(bent->end_l, bent->end_l);
  if (!(missing > 0))
    return 0;
  double along = vec_dot(bent->end_l, bent->lower_l), squared = vec_dot(bent->lower_l, bent->lower_l);
  double root = sqrt(along * along + squared * missing);
  return along > 0 ? missing / (along + root) : (root - along) / squared;
}

void two_bone_aim(AimJob *aim) {
  TwoBoneJob *job = &aim->limb;
  Limb limb = measure_limb(job);
  double reach = least(most((double)aim->reach * limb.longest, nearest_reach(&limb)), farthest_reach(&limb));
  Bent bent = bend_limb(&limb, reach);

  // The vector of the bent limb that is laid on the direction: its lower bone or, for an aim at a point, the point on
  // the lower bone's line that is as far from the root as the point aimed at.
  Vec laid_l = bent.lower_l;
  job->clamped = TWO_BONE_NOT_CLAMPED;
  if (limb.degenerate) {
    laid_l = limb.towards_l;
    job->clamped = TWO_BONE_DEGENERATE;
  } else if (aim->distance > 0) {
    double way = way_beyond_end(&bent, (double)aim->distance);
    laid_l = vec_add_scaled(bent.end_l, bent.lower_l, way);
    if (!(way > 0))
      job->clamped = TWO_BONE_TOO_NEAR;
  }

  Vec direction = vec_from(aim->direction);
  direction = direction_of(direction, vec_length(direction), &limb);
  Turn turn = turn_limb(job, &limb, bent.fold, laid_l, direction);
  job->new_mid = point_at(job->root, turn_vec(turn, limb.upper));
  job->new_end = point_at(job->root, turn_vec(turn, from_limb(&limb, bent.end_l)));
  job->stretched = 1;
  job->reached = job->clamped == TWO_BONE_NOT_CLAMPED;
  job->error = 0;
  if (!job->reached)
    job->error = (float)atan2(vec_length(vec_cross(bent.lower_l, laid_l)), vec_dot(bent.lower_l, laid_l));
  Vec beside = vec_cross(bent.end_l, laid_l);
  aim->hand_distance = (float)sqrt(vec_dot(beside, beside) / vec_dot(laid_l, laid_l));
}

// ---- What can be seen of it ----

static const uint32_t IK_COLOR = 0xb8651bff, CLAMPED_COLOR = 0xd62728ff;
static const float SHOWN_POLE = 0.15f; // m

const char *two_bone_clamp_name(TwoBoneClamp clamped) {
  static const char *const names[TWO_BONE_CLAMP_COUNT] = {"", "too far", "too near", "softened", "degenerate"};
  return names[clamped];
}

void two_bone_debug(const TwoBoneJob *job, DebugDraw *draw) {
  uint32_t color = job->reached ? IK_COLOR : CLAMPED_COLOR;
  vec3s along = glms_vec3_sub(job->new_end, job->root), out = glms_vec3_sub(job->new_mid, job->root);
  float squared = glms_vec3_norm2(along);
  if (squared > 0)
    out = glms_vec3_muladds(along, -glms_vec3_dot(out, along) / squared, out);
  out = glms_vec3_scale(glms_vec3_normalize(is_zero(job->pole) ? out : job->pole), SHOWN_POLE);
  double mid[3], tip[3], end[3], target[3];
  for (int k = 0; k < 3; k++) {
    mid[k] = (double)job->new_mid.raw[k];
    tip[k] = mid[k] + (double)out.raw[k];
    end[k] = (double)job->new_end.raw[k];
    target[k] = (double)job->target.raw[k];
  }
  debug_group(draw, DEBUG_IK);
  debug_arrow(draw, mid, tip, 0.01f, job->pole_fallback ? CLAMPED_COLOR : IK_COLOR);
  debug_point(draw, target, 0.02f, color);
  if (!job->reached) {
    debug_line(draw, end, target, 0.006f, color);
    debug_label(draw, target, color, "%s, %.0f mm", two_bone_clamp_name(job->clamped), 1000 * (double)job->error);
  }
}

// ---- Legs ----

static const float LEG_REACH = 0.999f; // of the leg's length
static const float TINY = 1e-6f;       // m: shorter vectors have no direction
static const float HINGED = 0.94f;     // cosine of the angle between bend axis and knee's x axis up to which a leg
                                       // counts as hinged
static const float UNBENT = 0.02f;     // sine of the bend below which a leg is straight

// Transform of a joint in the pose's outer space. Unlike pose_joint_transform it normalises every rotation on the way,
// so the results differ in the last bits.
static void joint_transform_normalized(const Skeleton *skeleton, const Pose *pose, int joint, vec3s *position,
                                       versors *rotation) {
  *position = glms_vec3_zero();
  *rotation = glms_quat_identity();
  for (int i = joint; i >= 0; i = skeleton->parent[i]) {
    *position = glms_vec3_add(pose->position[i], glms_quat_rotatev(pose->rotation[i], *position));
    *rotation = glms_quat_normalize(glms_quat_mul(pose->rotation[i], *rotation));
  }
}

// The knee's rotation that brings the ankle to a distance from the hip: the angle about the knee's x axis, the solution
// in flexion (positive). thigh_l, shin_l: bones in the knee joint's bind frame.
static float knee_angle(vec3s thigh_l, vec3s shin_l, float distance) {
  float a = hypotf(thigh_l.y, thigh_l.z), b = hypotf(shin_l.y, shin_l.z);
  if (a < TINY || b < TINY)
    return 0;
  float sideways = thigh_l.x + shin_l.x;
  float reach = sqrtf(fmaxf(distance * distance - sideways * sideways, 0)); // in the plane of the hinge
  reach = fmaxf(fminf(reach, LEG_REACH * (a + b)), fabsf(a - b));
  float cosine = (reach * reach - a * a - b * b) / (2 * a * b);
  float bend = acosf(fmaxf(cosine, -1)); // 0: straight, which it never is
  float bind = atan2f(thigh_l.y * shin_l.z - thigh_l.z * shin_l.y, thigh_l.y * shin_l.y + thigh_l.z * shin_l.z);
  return bend - bind;
}

float leg_reach_hinged(const Skeleton *skeleton, const Leg *leg, vec3s ankle_w, versors foot_rotation_w, Pose *pose_w) {
  int hip = leg->hip, knee = leg->knee, ankle = leg->ankle;
  assert(skeleton->parent[knee] == hip && skeleton->parent[ankle] == knee);

  vec3s hip_w;
  versors thigh_w;
  joint_transform_normalized(skeleton, pose_w, hip, &hip_w, &thigh_w);
  vec3s to_ankle = glms_vec3_sub(ankle_w, hip_w);

  // Knee: a pure hinge.
  versors knee_bind = skeleton->bind_rotation_l[knee];
  vec3s thigh_l = glms_quat_rotatev(glms_quat_conjugate(knee_bind), pose_w->position[knee]);
  float angle = knee_angle(thigh_l, pose_w->position[ankle], glms_vec3_norm(to_ankle));
  versors knee_turn = {{sinf(angle / 2), 0, 0, cosf(angle / 2)}};
  versors knee_rotation = glms_quat_mul(knee_bind, knee_turn);

  // Hip: the shortest way to the target, which carries the plane of the leg along.
  vec3s reached_l = glms_vec3_add(pose_w->position[knee], glms_quat_rotatev(knee_rotation, pose_w->position[ankle]));
  versors swing = glms_vec3_norm(to_ankle) > TINY ? quat_shortest_arc(glms_quat_rotatev(thigh_w, reached_l), to_ankle)
                                                  : glms_quat_identity();
  versors new_thigh_w = glms_quat_normalize(glms_quat_mul(swing, thigh_w));

  // Ankle: the foot's rotation as asked for.
  versors shin_w = glms_quat_mul(new_thigh_w, knee_rotation);
  versors parent_w = glms_quat_mul(thigh_w, glms_quat_conjugate(pose_w->rotation[hip]));
  pose_w->rotation[hip] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(parent_w), new_thigh_w));
  pose_w->rotation[knee] = knee_rotation;
  pose_w->rotation[ankle] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(shin_w), foot_rotation_w));
  vec3s reached_w = glms_vec3_add(hip_w, glms_quat_rotatev(new_thigh_w, reached_l));
  return glms_vec3_distance(reached_w, ankle_w);
}

// The axis about which the bind pose bends a leg, in the knee's frame; as long as the bones times the sine of the bend.
static vec3s bind_bend(const Skeleton *skeleton, const Leg *leg) {
  versors to_knee = glms_quat_conjugate(skeleton->bind_rotation_l[leg->knee]);
  vec3s thigh = quat_turn(to_knee, skeleton->bind_position_l[leg->knee]);
  return glms_vec3_cross(thigh, skeleton->bind_position_l[leg->ankle]);
}

bool leg_is_hinged(const Skeleton *skeleton, const Leg *leg) {
  vec3s bend = bind_bend(skeleton, leg);
  float size = glms_vec3_norm(bend), thigh = glms_vec3_norm(skeleton->bind_position_l[leg->knee]),
        shin = glms_vec3_norm(skeleton->bind_position_l[leg->ankle]);
  return size <= UNBENT * thigh * shin || bend.x > HINGED * size;
}

float leg_reach_sprawled(const Skeleton *skeleton, const Leg *leg, vec3s ankle_w, versors foot_rotation_w, vec3s pole_p,
                         Pose *pose_w) {
  int hip = leg->hip, knee = leg->knee, ankle = leg->ankle;
  vec3s carrier_place;
  versors carrier;
  pose_joint_transform(skeleton, pose_w, skeleton->parent[hip], &carrier_place, &carrier);
  TwoBoneJob job = {.target = ankle_w, .pole = quat_turn(carrier, pole_p), .hinge = bind_bend(skeleton, leg)};
  job.root = glms_vec3_add(carrier_place, quat_turn(carrier, pose_w->position[hip]));
  job.root_rotation = glms_quat_normalize(glms_quat_mul(carrier, pose_w->rotation[hip]));
  job.mid = glms_vec3_add(job.root, quat_turn(job.root_rotation, pose_w->position[knee]));
  job.mid_rotation = glms_quat_normalize(glms_quat_mul(job.root_rotation, pose_w->rotation[knee]));
  job.end = glms_vec3_add(job.mid, quat_turn(job.mid_rotation, pose_w->position[ankle]));
  job.end_rotation = foot_rotation_w;
  two_bone_solve(&job);

  versors thigh = job.new_root_rotation, shin = job.new_mid_rotation;
  pose_w->rotation[hip] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(carrier), thigh));
  pose_w->rotation[knee] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(thigh), shin));
  pose_w->rotation[ankle] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(shin), foot_rotation_w));
  return job.error;
}

float leg_reach(const Skeleton *skeleton, const Leg *leg, vec3s ankle_w, versors foot_rotation_w, Pose *pose_w) {
  return leg_is_hinged(skeleton, leg)
             ? leg_reach_hinged(skeleton, leg, ankle_w, foot_rotation_w, pose_w)
             : leg_reach_sprawled(skeleton, leg, ankle_w, foot_rotation_w, GLMS_VEC3_ZERO, pose_w);
}

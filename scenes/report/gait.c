// Finds stances and strides in a motion, takes their figures and curves, groups them by speed, and compares curves with
// normal ones.
#include "scenes/report/gait.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/base/stride.h"

static const double SHORTEST_STANCE = 0.06;                 // s: feet scrape for a frame or two when they leave
static const double SLOWEST = 0.3;                          // m/s
static const double SPEED_CHANGE = 0.1;                     // of the speed, between the halves of a stride
static const double WAY_CHANGE = 10 * RAD_PER_DEGREE;       // between them, and of the pelvis' heading
static const double ASKEW = 20 * RAD_PER_DEGREE;            // from the way to the heading: more is no forward gait
static const double EARLIEST_STEP = 0.3, LATEST_STEP = 0.7; // of the cycle: the other foot's strike
static const double MID_STANCE = 0.3;                       // of the cycle, after the strike
static const double WIDEST_GAP = 0.15, WIDEST_GROUP = 0.4;  // m/s
static const double SAME_TIME = 2;                          // s
static const double LEAST_SWING = 1;                        // deg: arms that swing by less have no phase
static const double LOW = 0.04, AT_REST = 0.5, LOWEST_WITHIN = 1; // m, m/s, s: of a standing foot's lower end

const GaitFigureInfo gait_figures[GAIT_FIGURES] = {
    [GAIT_SPEED] = {"speed", "m/s", "Way of the pelvis over the ground, by the time of the stride.", 2},
    [GAIT_CADENCE] = {"cadence", "steps/min", "Steps of both feet.", 1},
    [GAIT_STRIDE_TIME] = {"stride time", "s", "From a strike of a foot to its next one.", 3},
    [GAIT_STEP_LENGTH] = {"step length", "m", "From a footprint to the next one of the other foot, along the way.", 3},
    [GAIT_STEP_WIDTH] = {"step width", "m", "From a footprint to the line between two of the other foot.", 3},
    [GAIT_STANCE] = {"stance", "% of cycle", "Share of the stride in which the foot stands.", 1},
    [GAIT_SWING] = {"swing", "% of cycle", "Share of the stride in which it swings.", 1},
    [GAIT_DOUBLE_SUPPORT] = {"double support", "% of cycle", "Share in which both feet stand, both phases.", 1},
    [GAIT_FLIGHT] = {"flight", "% of cycle", "Share in which no foot stands, both phases.", 1},
    [GAIT_PELVIS_VERTICAL] = {"pelvis, up and down", "m", "From its lowest to its highest place, slope taken off.", 3},
    [GAIT_PELVIS_LATERAL] = {"pelvis, side to side", "m", "From its leftmost to its rightmost place off its way.", 3},
    [GAIT_HIP_FLEXION] = {"hip flexion", "deg", "Most in the cycle.", 1},
    [GAIT_HIP_EXTENSION] = {"hip extension", "deg", "Least flexion in the cycle; negative is extended.", 1},
    [GAIT_KNEE_LOADING] = {"knee flexion, loading", "deg", "Most in the first 30 % of the cycle.", 1},
    [GAIT_KNEE_SWING] = {"knee flexion, swing", "deg", "Most from 40 % of the cycle on.", 1},
    [GAIT_ANKLE_DORSIFLEXION] = {"ankle dorsiflexion", "deg", "Most from 6 to 60 % of the cycle.", 1},
    [GAIT_ANKLE_PLANTARFLEXION] = {"ankle plantarflexion", "deg", "Least dorsiflexion from 30 to 80 % of the cycle.",
                                   1},
    [GAIT_ARM_SWING] = {"arm swing", "deg", "Range of the upper arm's sagittal angle to the trunk in the cycle.", 1},
    [GAIT_ELBOW_SWING] = {"elbow, range", "deg", "Range of the elbow's flexion in the cycle.", 1},
    [GAIT_ELBOW_MEAN] = {"elbow flexion, mean", "deg", "Mean over the cycle.", 1},
    [GAIT_ARM_MATCH] =
        {"arm with opposite thigh", "r",
         "Correlation of the arm's angle with the other side's hip flexion over the cycle: 1 is together, "
         "-1 the arm goes forward while that thigh goes back.",
         2},
    [GAIT_ARM_LAG] = {"arm behind opposite thigh", "% of cycle",
                      "How much later the arm's angle goes through its cycle than the other side's hip flexion, by the "
                      "parts of both that repeat once in a stride: from -25 to 75, 0 is together, 50 is opposed.",
                      1},
};

const GaitPeak *gait_peak(GaitFigure figure) {
  static const GaitPeak peaks[GAIT_FIGURES] = {
      [GAIT_HIP_FLEXION] = {GAIT_HIP, false, 0, 50},          [GAIT_HIP_EXTENSION] = {GAIT_HIP, true, 0, 50},
      [GAIT_KNEE_LOADING] = {GAIT_KNEE, false, 0, 15},        [GAIT_KNEE_SWING] = {GAIT_KNEE, false, 20, 50},
      [GAIT_ANKLE_DORSIFLEXION] = {GAIT_ANKLE, false, 3, 30}, [GAIT_ANKLE_PLANTARFLEXION] = {GAIT_ANKLE, true, 15, 40},
  };
  return peaks[figure].last > 0 ? &peaks[figure] : NULL;
}

int gait_peak_point(const GaitPeak *peak, const double curve[GAIT_POINTS]) {
  int found = peak->first;
  for (int i = peak->first; i <= peak->last; i++)
    if (peak->lowest ? curve[i] < curve[found] : curve[i] > curve[found])
      found = i;
  return found;
}

// Times between frames.

typedef struct Place {
  int frame, next; // the same where there is but one
  double share;    // of the way from one to the other, 0 to 1
} Place;

static Place find_place(const GaitMotion *motion, double time) {
  int low = 0, high = motion->frame_count - 1;
  while (low + 1 < high) {
    const int middle = (low + high) / 2;
    if (motion->frames[middle].time <= time)
      low = middle;
    else
      high = middle;
  }
  const double interval = motion->frames[high].time - motion->frames[low].time;
  return (Place){low, high, interval > 0 ? fmin(fmax((time - motion->frames[low].time) / interval, 0), 1) : 0};
}

static void place_at(const GaitMotion *motion, int which, double time, double point[3]) {
  const Place place = find_place(motion, time);
  for (int k = 0; k < 3; k++)
    point[k] =
        mix_d(motion->frames[place.frame].place[which][k], motion->frames[place.next].place[which][k], place.share);
}

// Stances.

void gait_find_stances(GaitFrame *frames, int frame_count, GaitSide side) {
  int from = 0, to = 0;
  for (int i = 0; i < frame_count; i++) {
    GaitFrame *frame = &frames[i];
    while (frame->time - frames[from].time > LOWEST_WITHIN)
      from++;
    while (to + 1 < frame_count && frames[to + 1].time - frame->time <= LOWEST_WITHIN)
      to++;
    double lowest = INFINITY; // of where it rests: feet may be deeper on their way
    for (int k = from; k <= to; k++)
      lowest = frames[k].speed[side] < 0.5 * AT_REST ? fmin(lowest, frames[k].height[side]) : lowest;
    frame->stands[side] = frame->height[side] < lowest + LOW && frame->speed[side] < AT_REST;
  }
}

typedef struct Stance {
  double begin, end; // s: half way between the frames where it begins or ends
  bool struck, left; // false: it stood in the first frame, or does in the last
} Stance;

// The stances of a foot in order of time. NULL: no memory.
static Stance *list_stances(const GaitMotion *motion, GaitSide side, int *count) {
  const GaitFrame *frames = motion->frames;
  Stance *stances = calloc((size_t)motion->frame_count + 1, sizeof *stances);
  *count = 0;
  for (int i = 0; stances && i < motion->frame_count; i++) {
    if (!frames[i].stands[side])
      continue;
    const bool begins = i == 0 || !frames[i - 1].stands[side];
    const double begin = i == 0 ? frames[0].time : 0.5 * (frames[i - 1].time + frames[i].time);
    if (begins && (*count == 0 || begin - stances[*count - 1].end > STRIDE_SHORTEST_SWING))
      stances[(*count)++] = (Stance){.begin = begin, .struck = i > 0};
    const bool is_last = i + 1 == motion->frame_count;
    stances[*count - 1].end = is_last ? frames[i].time : 0.5 * (frames[i].time + frames[i + 1].time);
    stances[*count - 1].left = !is_last;
  }
  int kept = 0;
  for (int i = 0; i < *count; i++)
    if (stances[i].end - stances[i].begin >= SHORTEST_STANCE || !stances[i].left || !stances[i].struck)
      stances[kept++] = stances[i];
  *count = kept;
  return stances;
}

static double overlap(const Stance *a, const Stance *b, double from, double to) {
  return fmax(0, fmin(fmin(a->end, b->end), to) - fmax(fmax(a->begin, b->begin), from));
}

// A candidate of a stride, with what is needed of both feet.
typedef struct Candidate {
  GaitSide side;
  const Stance *own, *next; // of the foot that strikes at 0 and 100 %
  const Stance *other;      // of the other foot, which strikes between
  double both, other_time;  // s on both feet, and on the other one
} Candidate;

static bool find_other(Candidate *candidate, const Stance *others, int count) {
  const double begin = candidate->own->begin, end = candidate->next->begin;
  const Stance whole = {.begin = begin, .end = end};
  candidate->other = NULL;
  candidate->both = candidate->other_time = 0;
  for (int i = 0; i < count; i++) {
    candidate->both += overlap(&others[i], candidate->own, begin, end);
    candidate->other_time += overlap(&others[i], &whole, begin, end);
    if (!others[i].struck || others[i].begin <= begin || others[i].begin >= end)
      continue;
    if (candidate->other)
      return false; // it steps twice
    candidate->other = &others[i];
  }
  const double share = candidate->other ? (candidate->other->begin - begin) / (end - begin) : 0;
  return share >= EARLIEST_STEP && share <= LATEST_STEP;
}

// Steadiness.

static double angle_between(const double a[2], const double b[2]) {
  return fabs(atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]));
}

static bool is_steady(const GaitMotion *motion, double begin, double end) {
  double points[3][3], halves[2][2];
  for (int i = 0; i < 3; i++)
    place_at(motion, GAIT_PELVIS, mix_d(begin, end, 0.5 * i), points[i]);
  for (int i = 0; i < 2; i++) {
    halves[i][0] = (points[i + 1][0] - points[i][0]) / (0.5 * (end - begin));
    halves[i][1] = (points[i + 1][2] - points[i][2]) / (0.5 * (end - begin));
  }
  const double first = length_2d(halves[0]), last = length_2d(halves[1]), speed = 0.5 * (first + last);
  return speed >= SLOWEST && fabs(last - first) <= SPEED_CHANGE * speed &&
         angle_between(halves[0], halves[1]) <= WAY_CHANGE;
}

static bool is_forward(const GaitMotion *motion, double begin, double end) {
  double from[3], to[3];
  place_at(motion, GAIT_PELVIS, begin, from);
  place_at(motion, GAIT_PELVIS, end, to);
  const double way = atan2(to[0] - from[0], to[2] - from[2]);
  const int first = find_place(motion, begin).frame, last = find_place(motion, end).frame;
  for (int i = first; i <= last; i++)
    if (motion->frames[i].disturbed || fabs(wrap_angle(motion->frames[i].heading - way)) > ASKEW)
      return false;
  return fabs(wrap_angle(motion->frames[last].heading - motion->frames[first].heading)) <= WAY_CHANGE;
}

// Figures.

// The place of a foot in the middle of its stance or, where it stays and stands about, of one within the cycle.
static void footprint(const GaitMotion *motion, const Candidate *candidate, GaitSide side, const Stance *stance,
                      double point[3]) {
  const double cycle = candidate->next->begin - candidate->own->begin;
  const double time = stance->begin + fmin(0.5 * (stance->end - stance->begin), MID_STANCE * cycle);
  place_at(motion, (int)side, time, point);
}

// Step length: to the last footprint from the other foot's.
static void measure_steps(const GaitMotion *motion, const Candidate *candidate, double *figures) {
  double first[3], other[3], last[3];
  footprint(motion, candidate, candidate->side, candidate->own, first);
  footprint(motion, candidate, candidate->side, candidate->next, last);
  footprint(motion, candidate, candidate->side == GAIT_LEFT ? GAIT_RIGHT : GAIT_LEFT, candidate->other, other);
  const double way[2] = {last[0] - first[0], last[2] - first[2]}, length = length_2d(way);
  const double step[2] = {last[0] - other[0], last[2] - other[2]};
  figures[GAIT_STEP_LENGTH] = length > 0 ? (step[0] * way[0] + step[1] * way[1]) / length : 0;
  figures[GAIT_STEP_WIDTH] = length > 0 ? fabs(step[0] * way[1] - step[1] * way[0]) / length : 0;
}

// How far the pelvis leaves the straight line between its first and last place, which slopes and drift tilt.
static void measure_pelvis(const GaitMotion *motion, double begin, double end, double *figures) {
  double from[3], to[3], low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  place_at(motion, GAIT_PELVIS, begin, from);
  place_at(motion, GAIT_PELVIS, end, to);
  const double way[2] = {to[0] - from[0], to[2] - from[2]}, length = length_2d(way);
  for (int i = 0; i < GAIT_POINTS; i++) {
    double point[3];
    const double share = (double)i / (GAIT_POINTS - 1);
    place_at(motion, GAIT_PELVIS, mix_d(begin, end, share), point);
    const double off[2] = {point[1] - mix_d(from[1], to[1], share),
                           ((point[0] - from[0]) * way[1] - (point[2] - from[2]) * way[0]) / length};
    for (int k = 0; k < 2; k++) {
      low[k] = fmin(low[k], off[k]);
      high[k] = fmax(high[k], off[k]);
    }
  }
  figures[GAIT_PELVIS_VERTICAL] = high[0] - low[0];
  figures[GAIT_PELVIS_LATERAL] = high[1] - low[1];
  figures[GAIT_SPEED] = length / (end - begin);
}

static void measure_times(const Candidate *candidate, double *figures) {
  const double cycle = candidate->next->begin - candidate->own->begin;
  const double stance = candidate->own->end - candidate->own->begin;
  figures[GAIT_STRIDE_TIME] = cycle;
  figures[GAIT_CADENCE] = stride_cadence(GAIT_SIDES, 1, cycle);
  figures[GAIT_STANCE] = 100 * stance / cycle;
  figures[GAIT_SWING] = 100 - figures[GAIT_STANCE];
  figures[GAIT_DOUBLE_SUPPORT] = 100 * candidate->both / cycle;
  figures[GAIT_FLIGHT] = 100 * fmax(0, cycle - stance - candidate->other_time + candidate->both) / cycle;
}

static void sample_angle(const GaitMotion *motion, const GaitStride *stride, GaitSide side, int joint,
                         double curve[GAIT_POINTS]) {
  for (int i = 0; i < GAIT_POINTS; i++) {
    const Place place = find_place(motion, mix_d(stride->begin, stride->end, (double)i / (GAIT_POINTS - 1)));
    curve[i] = mix_d(motion->frames[place.frame].angle[side][joint], motion->frames[place.next].angle[side][joint],
                     place.share);
  }
}

static void sample_curves(const GaitMotion *motion, GaitStride *stride) {
  for (int joint = 0; joint < GAIT_JOINTS; joint++)
    sample_angle(motion, stride, stride->side, joint, stride->curves.degrees[joint]);
  for (int f = 0; f < GAIT_FIGURES; f++) {
    const GaitPeak *peak = gait_peak((GaitFigure)f);
    if (peak) {
      const double *curve = stride->curves.degrees[peak->joint];
      stride->figures[f] = curve[gait_peak_point(peak, curve)];
    }
  }
}

// Arms. The last point of a curve is the first one of the next stride, and does not count in means.

static double curve_range(const double curve[GAIT_POINTS]) {
  double low = curve[0], high = curve[0];
  for (int i = 1; i < GAIT_POINTS; i++) {
    low = fmin(low, curve[i]);
    high = fmax(high, curve[i]);
  }
  return high - low;
}

static double curve_mean(const double curve[GAIT_POINTS]) {
  double sum = 0;
  for (int i = 0; i < GAIT_POINTS - 1; i++)
    sum += curve[i];
  return sum / (GAIT_POINTS - 1);
}

// Pearson's r. NAN: a curve is constant.
static double correlate(const double a[GAIT_POINTS], const double b[GAIT_POINTS]) {
  const double means[2] = {curve_mean(a), curve_mean(b)};
  double products[3] = {0, 0, 0};
  for (int i = 0; i < GAIT_POINTS - 1; i++) {
    const double off[2] = {a[i] - means[0], b[i] - means[1]};
    products[0] += off[0] * off[0];
    products[1] += off[1] * off[1];
    products[2] += off[0] * off[1];
  }
  const double size = sqrt(products[0] * products[1]);
  return size > 1e-9 ? products[2] / size : NAN;
}

// The share of the cycle at which the part of a curve that repeats once in it is highest.
static double crest(const double curve[GAIT_POINTS]) {
  double cosine = 0, sine = 0;
  for (int i = 0; i < GAIT_POINTS - 1; i++) {
    const double turn = 2 * M_PI * i / (GAIT_POINTS - 1);
    cosine += curve[i] * cos(turn);
    sine += curve[i] * sin(turn);
  }
  return atan2(sine, cosine) / (2 * M_PI);
}

// The arm of the stride's side beside the thigh of the other one. Without arms all figures become NAN. The lag's range
// is broken far from 0 and 50 %, so that neither arms in step nor opposed ones jump by a whole cycle between strides.
static void measure_arm(const GaitMotion *motion, GaitStride *stride) {
  const double *arm = stride->curves.degrees[GAIT_ARM], *elbow = stride->curves.degrees[GAIT_ELBOW];
  double thigh[GAIT_POINTS];
  sample_angle(motion, stride, stride->side == GAIT_LEFT ? GAIT_RIGHT : GAIT_LEFT, GAIT_HIP, thigh);
  const bool swings = curve_range(arm) >= LEAST_SWING;
  const double lag = crest(arm) - crest(thigh);
  stride->figures[GAIT_ARM_SWING] = curve_range(arm);
  stride->figures[GAIT_ELBOW_SWING] = curve_range(elbow);
  stride->figures[GAIT_ELBOW_MEAN] = curve_mean(elbow);
  stride->figures[GAIT_ARM_MATCH] = swings ? correlate(arm, thigh) : NAN;
  stride->figures[GAIT_ARM_LAG] = swings ? 100 * (lag - floor(lag + 0.25)) : NAN;
}

static void measure(const GaitMotion *motion, const Candidate *candidate, int pose, GaitStride *stride) {
  *stride = (GaitStride){
      .pose = pose, .side = candidate->side, .begin = candidate->own->begin, .end = candidate->next->begin};
  measure_times(candidate, stride->figures);
  measure_steps(motion, candidate, stride->figures);
  measure_pelvis(motion, stride->begin, stride->end, stride->figures);
  sample_curves(motion, stride);
  measure_arm(motion, stride);
  stride->runs = stride->figures[GAIT_FLIGHT] > stride->figures[GAIT_DOUBLE_SUPPORT];
}

static bool is_finite(const GaitStride *stride) {
  for (int f = 0; f < GAIT_LEG_FIGURES; f++)
    if (!isfinite(stride->figures[f]))
      return false;
  return true;
}

static int compare_times(const void *a, const void *b) {
  const GaitStride *first = a, *second = b;
  return (first->begin > second->begin) - (first->begin < second->begin);
}

int gait_find_strides(const GaitMotion *motion, double from, double to, int pose, GaitStride *strides, int most) {
  int counts[GAIT_SIDES], found = 0;
  Stance *stances[GAIT_SIDES] = {list_stances(motion, GAIT_LEFT, &counts[0]),
                                 list_stances(motion, GAIT_RIGHT, &counts[1])};
  for (int side = 0; side < GAIT_SIDES && stances[0] && stances[1]; side++)
    for (int i = 0; i + 1 < counts[side] && found < most; i++) {
      Candidate candidate = {.side = (GaitSide)side, .own = &stances[side][i], .next = &stances[side][i + 1]};
      const double begin = candidate.own->begin, end = candidate.next->begin;
      if (!candidate.own->struck || begin < from || begin >= to || end - begin < GAIT_SHORTEST_STRIDE ||
          end - begin > STRIDE_LONGEST || !find_other(&candidate, stances[1 - side], counts[1 - side]) ||
          !is_steady(motion, begin, end) || !is_forward(motion, begin, end))
        continue;
      measure(motion, &candidate, pose, &strides[found]);
      found += is_finite(&strides[found]);
    }
  free(stances[0]);
  free(stances[1]);
  qsort(strides, (size_t)found, sizeof *strides, compare_times);
  return found;
}

void gait_settle(GaitStride *strides, int count, int leader) {
  for (int i = 0; i < count; i++) {
    double nearest = SAME_TIME;
    for (int k = 0; k < count; k++) {
      const double apart = fabs(strides[k].begin - strides[i].begin);
      if (strides[k].pose == leader && apart < nearest &&
          fabs(strides[k].figures[GAIT_SPEED] - strides[i].figures[GAIT_SPEED]) < WIDEST_GROUP) {
        nearest = apart;
        strides[i].runs = strides[k].runs;
      }
    }
  }
}

// Groups.

static int compare_gaits(const void *a, const void *b) {
  const GaitStride *first = a, *second = b;
  if (first->runs != second->runs)
    return first->runs ? 1 : -1;
  const double difference = first->figures[GAIT_SPEED] - second->figures[GAIT_SPEED];
  return (difference > 0) - (difference < 0);
}

// Mean and standard deviation (n - 1) of what `value` finds in the strides of a pose; strides that lack it are left
// out.
typedef double (*StrideValue)(const GaitStride *stride, int index, int point);

static double figure_value(const GaitStride *stride, int index, int point) {
  (void)point;
  return stride->figures[index];
}

static double curve_value(const GaitStride *stride, int index, int point) {
  return stride->curves.degrees[index][point];
}

static void find_mean(const GaitStride *strides, int count, int pose, StrideValue value, int index, int point,
                      double *mean, double *deviation) {
  double sum = 0, square = 0;
  int members = 0;
  for (int i = 0; i < count; i++)
    if (strides[i].pose == pose && isfinite(value(&strides[i], index, point))) {
      sum += value(&strides[i], index, point);
      members++;
    }
  *mean = members > 0 ? sum / members : NAN;
  for (int i = 0; i < count; i++)
    if (strides[i].pose == pose && isfinite(value(&strides[i], index, point))) {
      const double off = value(&strides[i], index, point) - *mean;
      square += off * off;
    }
  *deviation = members > 1 ? sqrt(square / (members - 1)) : 0;
}

static void average(const GaitStride *strides, int count, int pose, GaitMean *mean) {
  *mean = (GaitMean){0};
  for (int i = 0; i < count; i++)
    mean->count += strides[i].pose == pose;
  if (mean->count < GAIT_LEAST_STRIDES) {
    mean->count = 0;
    return;
  }
  for (int f = 0; f < GAIT_FIGURES; f++)
    find_mean(strides, count, pose, figure_value, f, 0, &mean->mean[f], &mean->deviation[f]);
  for (int joint = 0; joint < GAIT_JOINTS; joint++)
    for (int i = 0; i < GAIT_POINTS; i++)
      find_mean(strides, count, pose, curve_value, joint, i, &mean->curve.degrees[joint][i],
                &mean->curve_deviation.degrees[joint][i]);
}

// False: too few strides.
static bool make_group(const GaitStride *strides, int count, GaitGroup *group) {
  int members = 0;
  *group = (GaitGroup){.runs = strides[0].runs, .begin = INFINITY, .end = -INFINITY};
  for (int pose = 0; pose < GAIT_MAX_POSES; pose++) {
    average(strides, count, pose, &group->poses[pose]);
    members += group->poses[pose].count;
  }
  for (int i = 0; i < count; i++) {
    group->speed += strides[i].figures[GAIT_SPEED] / count;
    group->begin = fmin(group->begin, strides[i].begin);
    group->end = fmax(group->end, strides[i].end);
  }
  return members > 0;
}

static int group_size(const GaitGroup *group) {
  int size = 0;
  for (int pose = 0; pose < GAIT_MAX_POSES; pose++)
    size += group->poses[pose].count;
  return size;
}

// Adds a group at the end; when there is no room the smallest goes.
static void keep_group(GaitGroup groups[GAIT_MAX_GROUPS], int *count, const GaitGroup *group) {
  if (*count == GAIT_MAX_GROUPS) {
    int smallest = 0;
    for (int i = 1; i < *count; i++)
      if (group_size(&groups[i]) < group_size(&groups[smallest]))
        smallest = i;
    if (group_size(group) <= group_size(&groups[smallest]))
      return;
    memmove(&groups[smallest], &groups[smallest + 1], (size_t)(*count - smallest - 1) * sizeof *groups);
    --*count;
  }
  groups[(*count)++] = *group;
}

int gait_group(GaitStride *strides, int count, GaitGroup groups[GAIT_MAX_GROUPS]) {
  int found = 0;
  qsort(strides, (size_t)count, sizeof *strides, compare_gaits);
  for (int begin = 0, end; begin < count; begin = end) {
    const GaitStride *first = &strides[begin];
    for (end = begin + 1; end < count && strides[end].runs == first->runs; end++)
      if (strides[end].figures[GAIT_SPEED] - strides[end - 1].figures[GAIT_SPEED] > WIDEST_GAP ||
          strides[end].figures[GAIT_SPEED] - first->figures[GAIT_SPEED] > WIDEST_GROUP)
        break;
    GaitGroup group;
    if (make_group(first, end - begin, &group))
      keep_group(groups, &found, &group);
  }
  return found;
}

// Comparison.

GaitFit gait_compare(const double curve[GAIT_POINTS], const double mean[GAIT_POINTS],
                     const double deviation[GAIT_POINTS]) {
  enum { COUNT = GAIT_POINTS - 1 };
  GaitFit fit = {.correlation = correlate(curve, mean)};
  for (int i = 0; i < COUNT; i++) {
    const double off = curve[i] - mean[i];
    fit.rms += off * off / COUNT;
    fit.within_1 += (fabs(off) <= deviation[i]) / (double)COUNT;
    fit.within_2 += (fabs(off) <= 2 * deviation[i]) / (double)COUNT;
  }
  fit.rms = sqrt(fit.rms);
  return fit;
}

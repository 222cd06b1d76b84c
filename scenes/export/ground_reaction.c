// Sums the contacts of a trace into the force, the centre of pressure and the free moment under each foot.
#include "scenes/export/ground_reaction.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/export/trace_list.h"
#include "sim/base/numbers.h"

// Ground contacts push up. If the vertical part of a force is below this share, the foot hit a wall or an edge, and
// there is no ground plane in which a centre of pressure could be.
static const double LEAST_VERTICAL = 0.2;

// Which bodies in the list of contacts count as ground.
typedef struct GroundNumbers {
  TraceReader *reader;
  int numbers[1 + WORLD_MAX_PLATFORMS];
  int count;
} GroundNumbers;

// Sums over the contacts of a frame and group. Moments are about a nearby anchor, so that precision is kept.
typedef struct ContactMoment {
  double impulse[3];  // N s
  double moment[3];   // N m s
  double centroid[3]; // sum of |J| (p - anchor)
  double weight;      // sum of |J|
} ContactMoment;

static void add_cross(const double a[3], const double b[3], double out[3]) {
  out[0] += a[1] * b[2] - a[2] * b[1];
  out[1] += a[2] * b[0] - a[0] * b[2];
  out[2] += a[0] * b[1] - a[1] * b[0];
}

static void add_contact(ContactMoment *sum, const double anchor[3], const double position[3], const double impulse[3]) {
  const double size = length3(impulse);
  double arm[3];
  for (int k = 0; k < 3; k++) {
    arm[k] = position[k] - anchor[k];
    sum->impulse[k] += impulse[k];
    sum->centroid[k] += size * arm[k];
  }
  add_cross(arm, impulse, sum->moment);
  sum->weight += size;
}

// Mean force over `duration`. The point is at the height of the centroid, where the force has the summed moment about x
// and z.
static GroundReaction reaction_of(const ContactMoment *sum, const double anchor[3], double duration) {
  GroundReaction reaction = {.force = {0}};
  memcpy(reaction.point, anchor, sizeof reaction.point);
  if (!(sum->weight > 0 && duration > 0))
    return reaction;
  const double *j = sum->impulse, *m = sum->moment;
  double arm[3], missing[3];
  for (int k = 0; k < 3; k++)
    arm[k] = sum->centroid[k] / sum->weight;
  if (j[1] > LEAST_VERTICAL * length3(j)) {
    arm[0] = (m[2] + arm[1] * j[0]) / j[1];
    arm[2] = (arm[1] * j[2] - m[0]) / j[1];
  }
  memcpy(missing, m, sizeof missing);
  add_cross(j, arm, missing); // m - arm x j
  for (int k = 0; k < 3; k++) {
    reaction.force[k] = j[k] / duration;
    reaction.torque[k] = missing[k] / duration;
    reaction.point[k] += arm[k];
  }
  return reaction;
}

// The group of each part: that of its leg if it is a foot, otherwise the last one.
static void group_parts(const BodyDef *body, int group[BODY_MAX_PARTS]) {
  for (int p = 0; p < body->part_count; p++)
    group[p] = body->skeleton.leg_count;
  for (int l = 0; l < body->skeleton.leg_count; l++)
    group[body->skeleton.legs[l].ankle] = l;
}

static int part_of(const BodyDef *body, const ListColumn *column, long row, const char *character) {
  char owner[TRACE_NAME_SIZE], part[TRACE_NAME_SIZE];
  trace_list_text(column, row, owner, part);
  return strcmp(owner, character) == 0 ? skeleton_find(&body->skeleton, part) : -1;
}

// Called for each "/objects/NAME/position" of a platform.
static void note_platform(void *context, const char *path) {
  GroundNumbers *ground = context;
  char group[TRACE_NAME_SIZE + 16];
  double is_ground, number;
  const char *end = strrchr(path, '/');
  if (strncmp(path, "/objects/", 9) != 0 || strcmp(end, "/position") != 0 ||
      snprintf(group, sizeof group, "%.*s", (int)(end - path), path) >= (int)sizeof group)
    return;
  if (trace_values(ground->reader, group, "ground", &is_ground, 1) == 1 && is_ground == 1 &&
      trace_values(ground->reader, group, "number", &number, 1) == 1 && number >= INT_MIN && number <= INT_MAX &&
      ground->count <= WORLD_MAX_PLATFORMS)
    ground->numbers[ground->count++] = (int)number;
}

static GroundNumbers find_ground(TraceReader *reader) {
  GroundNumbers ground = {.reader = reader, .numbers = {WORLD_GROUND}, .count = 1};
  trace_visit(reader, note_platform, &ground);
  return ground;
}

static bool is_ground(const GroundNumbers *ground, int32_t number) {
  for (int i = 0; i < ground->count; i++)
    if (ground->numbers[i] == number)
      return true;
  return false;
}

static bool add_contacts(const TraceList *list, const GroundNumbers *ground, const char *character, const BodyDef *body,
                         const double (*contacts_at)[3], ContactMoment *sums, Error *error) {
  const ListColumn *part = trace_list_column(list, "part"), *other = trace_list_column(list, "other");
  const ListColumn *position = trace_list_column(list, "position"), *impulse = trace_list_column(list, "impulse");
  const bool has_all = list->frame && part && part->names && other && other->type == TRACE_INT32 && position &&
                       position->type == TRACE_FLOAT64 && position->width == 3 && impulse &&
                       impulse->type == TRACE_FLOAT64 && impulse->width == 3;
  if (!has_all)
    return error_set(error, "the trace's /contacts are invalid");
  int group[BODY_MAX_PARTS];
  group_parts(body, group);
  const size_t groups = (size_t)body->skeleton.leg_count + 1;
  for (long r = 0; r < list->rows; r++) {
    if (list->frame[r] < 0 || !is_ground(ground, ((const int32_t *)other->values)[r]))
      continue;
    const int p = part_of(body, part, r, character);
    if (p < 0)
      continue;
    const size_t at = (size_t)list->frame[r] * groups + (size_t)group[p];
    add_contact(&sums[at], contacts_at[at], (const double *)position->values + 3 * r,
                (const double *)impulse->values + 3 * r);
  }
  return true;
}

static GroundReactions *create(int frame_count, int group_count) {
  GroundReactions *reactions = calloc(1, sizeof *reactions);
  if (!reactions)
    return NULL;
  reactions->frame_count = frame_count;
  reactions->group_count = group_count;
  reactions->values = calloc((size_t)frame_count * (size_t)group_count + 1, sizeof *reactions->values);
  if (reactions->values)
    return reactions;
  free(reactions);
  return NULL;
}

GroundReactions *ground_reactions_read(TraceReader *reader, const char *character, const BodyDef *body,
                                       const double *time, const double (*contacts_at)[3], Error *error) {
  const int frames = trace_frame_count(reader), groups = body->skeleton.leg_count + 1;
  TraceList *list = trace_list_read(reader, "contacts", error);
  if (!list)
    return NULL;
  GroundReactions *reactions = create(frames, groups);
  ContactMoment *sums = calloc((size_t)frames * (size_t)groups + 1, sizeof *sums);
  const bool has_memory = reactions && sums;
  if (!has_memory)
    error_set(error, "out of memory");
  const GroundNumbers ground = find_ground(reader);
  const bool good = has_memory && add_contacts(list, &ground, character, body, contacts_at, sums, error);
  for (int f = 0; good && f < frames; f++)
    for (int g = 0; g < groups; g++) {
      const size_t at = (size_t)f * (size_t)groups + (size_t)g;
      reactions->values[at] = reaction_of(&sums[at], contacts_at[at], f > 0 ? time[f] - time[f - 1] : 0);
    }
  free(sums);
  trace_list_free(list);
  if (good)
    return reactions;
  ground_reactions_free(reactions);
  return NULL;
}

// Default points of contact: under the middle of each sole, and at the root for other parts.
static double (*contact_places(const TraceMotion *motion))[3] {
  const Skeleton *skeleton = &motion->body->skeleton;
  const size_t groups = (size_t)skeleton->leg_count + 1;
  double(*places)[3] = calloc((size_t)motion->frame_count * groups, sizeof *places);
  for (int f = 0; places && f < motion->frame_count; f++) {
    vec3s positions[BODY_MAX_PARTS];
    versors rotations[BODY_MAX_PARTS];
    trace_motion_place(motion, f, positions, rotations);
    for (size_t g = 0; g < groups; g++) {
      const Leg *leg = g + 1 < groups ? &skeleton->legs[g] : NULL;
      const vec3s place =
          !leg ? positions[0]
               : glms_vec3_add(positions[leg->ankle], glms_quat_rotatev(rotations[leg->ankle], leg->sole_l));
      for (int k = 0; k < 3; k++)
        places[(size_t)f * groups + g][k] = (double)place.raw[k];
    }
  }
  return places;
}

GroundReactions *ground_reactions_under(TraceReader *reader, const TraceMotion *motion, Error *error) {
  double(*places)[3] = contact_places(motion);
  if (!places) {
    error_set(error, "out of memory");
    return NULL;
  }
  GroundReactions *reactions =
      ground_reactions_read(reader, motion->character, motion->body, motion->time, (const double(*)[3])places, error);
  free(places);
  return reactions;
}

void ground_reactions_free(GroundReactions *reactions) {
  if (!reactions)
    return;
  free(reactions->values);
  free(reactions);
}

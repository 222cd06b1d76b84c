// Reads moves (format: scenes/planners/README.md).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "anim/mirror.h"
#include "anim/planner/moves.h"
#include "sim/base/numbers.h"

enum { LIST_MAX = 16 };

typedef struct MoveReader {
  MoveSet *set;
  MoveClipFinder *find;
  void *context;
  Error *error;
} MoveReader;

// Reads a number or a list of numbers within a range; `otherwise` is the value when it is absent.
static bool read_list(MoveReader *reader, const Node *map, const char *key, double otherwise, double most,
                      double values[LIST_MAX], int *count) {
  const Node *node = node_find(map, key);
  values[0] = otherwise;
  *count = 1;
  if (!node)
    return true;
  if (node->kind == NODE_LIST && (node->count < 1 || node->count > LIST_MAX))
    return node_error(node, reader->error, "expected 1 to %d numbers", LIST_MAX);
  *count = node->kind == NODE_LIST ? node->count : 1;
  if (node->kind == NODE_LIST ? !node_reals(node, values, *count, reader->error)
                              : !node_real(node, values, reader->error))
    return false;
  for (int i = 0; i < *count; i++)
    if (fabs(values[i]) > most)
      return node_error(node, reader->error, "%g is out of range, allowed is %g to %g", values[i], -most, most);
  return true;
}

// Reads a moment of a clip: seconds, or the name of a mark.
static bool read_moment(MoveReader *reader, const Node *map, const char *key, const Clip *clip, double *moment) {
  const Node *node = node_find(map, key);
  if (!node)
    return true;
  const ClipMark *mark = node->kind == NODE_SCALAR ? clip_mark(clip, node->text) : NULL;
  if (mark) {
    *moment = (double)mark->time;
    return true;
  }
  const char *names[CLIP_MAX_MARKS];
  for (int i = 0; i < clip->mark_count; i++)
    names[i] = clip->marks[i].name;
  if (node->kind == NODE_SCALAR && !strchr("+-.0123456789", node->text[0]))
    return node_error(node, reader->error, "the clip has no mark '%s'%s", node->text,
                      name_hint(node->text, names, clip->mark_count).text);
  return node_real(node, moment, reader->error);
}

static bool read_span(MoveReader *reader, const Node *node, Move *move) {
  const Clip *clip = move->clip;
  double duration = (double)clip->duration, most = duration * (clip->loop ? 2 : 1);
  move->to = duration;
  if (!read_moment(reader, node, "from", clip, &move->from) || !read_moment(reader, node, "to", clip, &move->to))
    return false;
  if (clip->loop && move->to <= move->from)
    move->to += duration;
  move->cancel = clip->loop ? move->to : fmax((double)clip->safe_from, move->from);
  if (!clip->loop && !node_find(node, "cancel") && clip->safe_from <= 0)
    move->cancel = move->to; // may be left only at its end, unless the file says otherwise
  if (!read_moment(reader, node, "cancel", clip, &move->cancel))
    return false;
  const double rounding = 1e-4; // s: times of clips are floats
  bool inside = move->from >= 0 && move->to <= most + rounding && move->cancel <= move->to + rounding;
  move->cancel = fmin(move->cancel, move->to);
  if (inside && move->from < move->cancel)
    return true;
  return node_error(node, reader->error, "a span must be 0 <= from < cancel <= to in a clip of %g s; it is %g, %g, %g",
                    duration, move->from, move->cancel, move->to);
}

// The index of a phase, which is added if it is new; -1: there are too many.
static int find_phase(MoveSet *set, const char *name) {
  for (int i = 0; i < set->phase_count; i++)
    if (strcmp(set->phases[i], name) == 0)
      return i;
  if (set->phase_count == MOVES_MAX_PHASES)
    return -1;
  snprintf(set->phases[set->phase_count], SKELETON_NAME_SIZE, "%s", name);
  return set->phase_count++;
}

// Speed of the pelvis over the ground along the root's heading, m/s.
static double pelvis_speed(const Move *move, double time) {
  const double half = 1.0 / 120;
  double a = move->clip->loop ? time - half : fmax(time - half, 0);
  double b = move->clip->loop ? time + half : fmin(time + half, (double)move->clip->duration);
  Pose before, after;
  clip_sample(move->clip, (float)(a < 0 ? a + (double)move->clip->duration : a), &before);
  clip_sample(move->clip, (float)b, &after);
  return move->pace *
         ((double)(after.position[0].z - before.position[0].z) / (b - a) + (double)move->clip->root_velocity_l.z);
}

static bool add_move(MoveReader *reader, const Node *node, const Move *model, const char *phase, bool mirrored) {
  MoveSet *set = reader->set;
  if (set->count == MOVES_MAX)
    return node_error(node, reader->error, "more than %d moves", MOVES_MAX);
  Move *move = &set->moves[set->count++];
  *move = *model;
  char side[SKELETON_NAME_SIZE];
  snprintf(side, sizeof side, "%s", phase);
  if (mirrored) {
    mirror_mark_name(phase, side);
    move->mirrored = true;
    move->left = -move->left;
    move->turn = -move->turn;
    move->bend = -move->bend;
    strncat(move->name, ".mirrored", sizeof move->name - strlen(move->name) - 1);
  }
  move->phase = find_phase(set, side);
  return move->phase >= 0 || node_error(node, reader->error, "more than %d phases", MOVES_MAX_PHASES);
}

// Adds one move at one pace and curvature and, if wanted, its mirror image.
static bool add_moves(MoveReader *reader, const Node *node, const Move *span, const char *phase, bool mirror) {
  Move move = *span;
  vec3s velocity = move.clip->root_velocity_l;
  move.forward = move.pace * (double)velocity.z;
  move.left = move.pace * (double)velocity.x;
  move.turn = move.bend + move.pace * (double)move.clip->root_turn_rate;
  move.entry = pelvis_speed(&move, move.from);
  move.exit = pelvis_speed(&move, move.cancel);
  return add_move(reader, node, &move, phase, false) && (!mirror || add_move(reader, node, &move, phase, true));
}

static bool read_texts(MoveReader *reader, const Node *node, char name[SKELETON_NAME_SIZE],
                       char phase[SKELETON_NAME_SIZE]) {
  const Node *names[] = {node_find(node, "name"), node_find(node, "phase")};
  char *texts[] = {name, phase};
  for (int i = 0; i < 2; i++) {
    if (!names[i])
      return node_error(node, reader->error, "a move needs a '%s'", i == 0 ? "name" : "phase");
    if (!node_text(names[i], texts[i], SKELETON_NAME_SIZE, reader->error) ||
        !node_check_name(names[i], texts[i], reader->error))
      return false;
  }
  return true;
}

static bool read_move(MoveReader *reader, const Node *node) {
  static const char *const keys[] = {"name", "clip",  "from",   "to",   "cancel", "pace",
                                     "bend", "phase", "mirror", "hold", NULL};
  if (node->kind != NODE_MAP)
    return node_error(node, reader->error, "expected a move: {name, clip, phase, ...}");
  if (!node_check_keys(node, keys, reader->error))
    return false;
  Move span = {0};
  char name[SKELETON_NAME_SIZE], phase[SKELETON_NAME_SIZE];
  double paces[LIST_MAX], bends[LIST_MAX];
  int pace_count, bend_count;
  bool mirror = false;
  const Node *clip = node_find(node, "clip"), *mirrored = node_find(node, "mirror"), *hold = node_find(node, "hold");
  if (!read_texts(reader, node, name, phase))
    return false;
  if (!clip)
    return node_error(node, reader->error, "a move needs a 'clip'");
  span.clip = reader->find(reader->context, clip, reader->error);
  if (!span.clip || !read_span(reader, node, &span) || !read_list(reader, node, "pace", 1, 4, paces, &pace_count) ||
      !read_list(reader, node, "bend", 0, 360, bends, &bend_count) ||
      (mirrored && !node_bool(mirrored, &mirror, reader->error)) ||
      (hold && !node_bool(hold, &span.holds, reader->error)))
    return false;
  for (int p = 0; p < pace_count; p++)
    for (int b = 0; b < bend_count; b++) {
      if (paces[p] < 0.05)
        return node_error(node_find(node, "pace"), reader->error, "a pace must be 0.05 to 4");
      char *end = span.name + snprintf(span.name, sizeof span.name, "%s", name);
      if (pace_count > 1)
        end += snprintf(end, sizeof span.name - (size_t)(end - span.name), "_%g", paces[p]);
      if (bend_count > 1)
        snprintf(end, sizeof span.name - (size_t)(end - span.name), "%+g", bends[b]);
      span.pace = paces[p];
      span.bend = bends[b] * RAD_PER_DEGREE;
      if (!add_moves(reader, node, &span, phase, mirror))
        return false;
    }
  return true;
}

// Checks that at least one move can follow every move.
static bool check_changes(MoveReader *reader, const Node *list) {
  const MoveSet *set = reader->set;
  if (!set->moves[0].holds)
    return node_error(list->first, reader->error, "the planner begins with the first move: it needs 'hold: true'");
  for (int a = 0; a < set->count; a++) {
    int open = 0;
    for (int b = 0; b < set->count; b++)
      open += moves_change(set, a, b)->open;
    if (open == 0)
      return node_error(list, reader->error, "no move can follow '%s': feet or speed would jump", set->moves[a].name);
  }
  return true;
}

bool moves_read(MoveSet *set, const Node *list, const MoveLimits *limits, const Skeleton *skeleton,
                MoveClipFinder *find, void *context, Error *error) {
  *set = (MoveSet){.skeleton = skeleton, .limits = *limits};
  MoveReader reader = {set, find, context, error};
  if (list->kind != NODE_LIST || list->count == 0)
    return node_error(list, error, "expected a list of moves");
  for (const Node *item = list->first; item; item = item->next)
    if (!read_move(&reader, item))
      return false;
  if (!moves_find_changes(set))
    return error_set(error, "no memory for %d moves", set->count);
  return check_changes(&reader, list);
}

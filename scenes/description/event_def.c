// Reads events: their targets, times and strengths, and checks that the keys belong to the kind of event.
#include "scenes/description/event_def.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes/description/lookup.h"

PARAM_TABLE(event_params, EventDef, EVENT_PARAMS, "events",
            "Impulses on a character; a value of each range is drawn for every event.")

const EventKey event_keys[] = {
    {"part", "", "any", "The part that is struck: its name, `any`, or a list of names to draw from."},
    {"point", "m", "",
     "Where, from the part's centre of mass in the part's frame; without it a push acts at the centre of "
     "mass and a bullet or ball near it, up to 30 % of the shape's smallest half-size off its line."},
};
const int event_key_count = (int)(sizeof event_keys / sizeof event_keys[0]);

static const char *const other_keys[] = {"part", "point", NULL};

static bool find_character(EventDef *def, const Node *map, const CharacterDef *characters, int count, Error *error) {
  const Node *node = node_find(map, "character");
  if (!node && count != 1)
    return node_error(map, error, "'character' is missing: with several characters, say who is struck");
  def->target = !node ? 0 : lookup_character(def->character, characters, count, node, error);
  if (def->target < 0)
    return false;
  snprintf(def->character, sizeof def->character, "%s", characters[def->target].name);
  return true;
}

static bool add_part(EventDef *def, const Node *node, const BodyDef *body, Error *error) {
  char name[PARAM_TEXT_SIZE];
  if (!node_text(node, name, sizeof name, error))
    return false;
  int part = lookup_part(name, body, node, error);
  for (int i = 0; i < def->part_count && part >= 0; i++)
    if (def->parts[i] == part)
      return node_error(node, error, "part '%s' is named twice", name);
  if (part >= 0)
    def->parts[def->part_count++] = part;
  return part >= 0;
}

// Reads `any`, a name, or a list of names.
static bool read_parts(EventDef *def, const Node *node, const BodyDef *body, Error *error) {
  if (!node || (node->kind == NODE_SCALAR && strcmp(node->text, "any") == 0)) {
    for (int i = 0; i < body->part_count; i++)
      def->parts[def->part_count++] = i;
    return true;
  }
  if (node->kind != NODE_LIST)
    return add_part(def, node, body, error);
  if (node->count == 0)
    return node_error(node, error, "the list of parts is empty");
  for (const Node *item = node->first; item; item = item->next)
    if (!add_part(def, item, body, error))
      return false;
  return true;
}

static bool read_point(EventDef *def, const Node *node, Error *error) {
  if (!node)
    return true;
  def->has_point = true;
  if (!node_reals(node, def->point, 3, error))
    return false;
  for (int i = 0; i < 3; i++)
    if (fabs(def->point[i]) > 10)
      return node_error(node_at(node, i), error, "%g m is out of range, allowed is -10 to 10 m", def->point[i]);
  return true;
}

// A single event has `time`, a random list `every`.
static bool check_times(EventDef *def, const Node *map, Error *error) {
  def->repeated = node_find(map, "every") != NULL;
  const Node *time = node_find(map, "time");
  if (!time && !def->repeated)
    return node_error(map, error, "'time' is missing: an event has a 'time', or 'every' for a random list");
  if (time && def->repeated)
    return node_key_error(time, error, "an event has a 'time', or 'every' for a random list, not both");
  static const char *const list_keys[] = {"from", "until", "count"};
  for (int i = 0; i < 3 && !def->repeated; i++) {
    const Node *key = node_find(map, list_keys[i]);
    if (key)
      return node_key_error(key, error, "'%s' belongs to a random list: it needs 'every'", list_keys[i]);
  }
  if (def->repeated && def->until < def->from)
    return node_error(node_find(map, "until"), error, "%g s is before 'from', %g s", def->until, def->from);
  return true;
}

// Each kind of event has keys of its own.
static bool check_kind(const EventDef *def, const Node *map, Error *error) {
  static const char *const ball_keys[] = {"mass", "speed", "radius", "distance"};
  const Node *duration = node_find(map, "duration"), *impulse = node_find(map, "impulse");
  if (duration && def->kind != EVENT_PUSH)
    return node_key_error(duration, error,
                          "'duration' belongs to a push; a bullet is spread by the character's "
                          "hit_reaction.spread");
  if (def->kind != EVENT_PROJECTILE && !impulse)
    return node_error(map, error, "'impulse' is missing: the size of the event in N s");
  if (def->kind == EVENT_PROJECTILE && impulse)
    return node_key_error(impulse, error, "a projectile's impulse comes from its 'mass' and 'speed'");
  for (int i = 0; i < 4 && def->kind != EVENT_PROJECTILE; i++) {
    const Node *key = node_find(map, ball_keys[i]);
    if (key)
      return node_key_error(key, error, "'%s' belongs to an event of kind projectile", ball_keys[i]);
  }
  return true;
}

bool event_def_read(EventDef *def, const Node *map, const CharacterDef *characters, int count, Error *error) {
  *def = (EventDef){0};
  param_defaults(&event_params, def);
  if (!param_read(&event_params, def, map, other_keys, error))
    return false;
  return check_kind(def, map, error) && check_times(def, map, error) &&
         find_character(def, map, characters, count, error) &&
         read_parts(def, node_find(map, "part"), characters[def->target].body, error) &&
         read_point(def, node_find(map, "point"), error);
}

// Reads events: their targets, times and strengths, and checks that the keys belong to the kind of event.
#include "scenes/description/event_def.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes/description/lookup.h"
#include "sim/base/numbers.h"

static const double MOST_ASIDE = 45; // deg

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

// Whether a key of the table says something of a kind of event; keys that all kinds have are not listed.
static bool belongs(const char *key, EventKind kind) {
  static const struct {
    const char *key;
    bool kinds[EVENT_KINDS];
  } own[] = {
      {"impulse", {[EVENT_IMPULSE] = true, [EVENT_PUSH] = true}},
      {"duration", {[EVENT_PUSH] = true, [EVENT_PULL] = true}},
      {"travel", {[EVENT_PULL] = true}},
      {"mass", {[EVENT_PROJECTILE] = true}},
      {"speed", {[EVENT_PROJECTILE] = true}},
      {"radius", {[EVENT_PROJECTILE] = true}},
      {"distance", {[EVENT_PROJECTILE] = true}},
      {"lean", {[EVENT_RELEASE] = true}},
      {"elevation", {[EVENT_IMPULSE] = true, [EVENT_PUSH] = true, [EVENT_PROJECTILE] = true}},
  };
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    if (strcmp(own[i].key, key) == 0)
      return own[i].kinds[kind];
  return true;
}

bool event_def_has(const EventDef *def, const char *key) {
  static const char *const list_keys[] = {"every", "from", "until", "count"};
  for (int i = 0; i < 4; i++)
    if (strcmp(list_keys[i], key) == 0)
      return def->repeated;
  return (strcmp(key, "time") != 0 || !def->repeated) && belongs(key, (EventKind)def->kind);
}

// What to say of a key that another kind of event has.
static bool refuse_key(const EventDef *def, const Node *key, const char *name, Error *error) {
  if (strcmp(name, "duration") == 0)
    return node_key_error(
        key, error,
        "'duration' belongs to a push or a pull; a bullet is spread by the character's hit_reaction.spread");
  if (strcmp(name, "impulse") == 0)
    return node_key_error(key, error,
                          def->kind == EVENT_RELEASE ? "a release has a 'lean', no impulse"
                          : def->kind == EVENT_PULL  ? "a pull has a 'travel', and takes the impulse that it needs"
                                                     : "a projectile's impulse comes from its 'mass' and 'speed'");
  return node_key_error(key, error, "'%s' belongs to an event of kind %s", name,
                        strcmp(name, "lean") == 0        ? "release"
                        : strcmp(name, "travel") == 0    ? "pull"
                        : strcmp(name, "elevation") == 0 ? "impulse, push or projectile; a cable is level"
                                                         : "projectile");
}

static bool check_kind(const EventDef *def, const Node *map, Error *error) {
  for (int i = 0; i < event_params.count; i++) {
    const char *name = event_params.rows[i].name;
    const Node *key = node_find(map, name);
    if (key && !belongs(name, (EventKind)def->kind))
      return refuse_key(def, key, name, error);
  }
  if (belongs("impulse", (EventKind)def->kind) && !node_find(map, "impulse"))
    return node_error(map, error, "'impulse' is missing: the size of the event in N s");
  const Node *every = node_find(map, "every");
  if (def->kind == EVENT_RELEASE && every)
    return node_key_error(every, error, "a release happens once, at a 'time'");
  return true;
}

// Whoever is held must balance, which feels the cable; it leans on it forward and backward only.
static bool check_held(const EventDef *def, const Node *map, const CharacterDef *characters, Error *error) {
  const CharacterDef *character = &characters[def->target];
  if (def->kind != EVENT_RELEASE)
    return true;
  if (!character->balance.enabled || character->drive.kinematic)
    return node_error(map, error, "a release needs a character that balances by itself: set %s's balance.enabled",
                      character->name);
  for (int i = 0; i < 2; i++)
    if (fabs(sin(def->direction[i] * RAD_PER_DEGREE)) > sin(MOST_ASIDE * RAD_PER_DEGREE))
      return node_error(node_find(map, "direction"), error,
                        "%g deg is a lean to a side; a release leans forward or backward, within %g deg",
                        def->direction[i], MOST_ASIDE);
  return true;
}

bool event_def_read(EventDef *def, const Node *map, const CharacterDef *characters, int count, Error *error) {
  *def = (EventDef){0};
  param_defaults(&event_params, def);
  if (!param_read(&event_params, def, map, other_keys, error))
    return false;
  return check_kind(def, map, error) && check_times(def, map, error) &&
         find_character(def, map, characters, count, error) && check_held(def, map, characters, error) &&
         read_parts(def, node_find(map, "part"), characters[def->target].body, error) &&
         read_point(def, node_find(map, "point"), error);
}

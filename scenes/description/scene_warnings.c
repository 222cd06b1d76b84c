// Looks for settings that are allowed in a scene but probably not intended, and writes one sentence for each.
#include "scenes/description/scene_warnings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/output/explanations.h"
#include "sim/base/numbers.h"

static const double STANDING_SPEED = 0.05; // m/s; a slower clip counts as standing
static const double FARTHEST_POINT = 0.05; // m from a part's shapes: skin, clothes, a held shield

static void print_lines(const char *lines, const char *file, FILE *out) {
  while (*lines != '\0') {
    size_t length = strcspn(lines, "\n");
    explained_printf(out, "%s: warning: %.*s", file, (int)length, lines);
    lines += length + (lines[length] == '\n');
  }
}

// Whether a part could be the foot of a leg, which is hip, knee and ankle.
static bool has_two_above(const Skeleton *skeleton, int joint) {
  const int parent = skeleton->parent[joint];
  return parent >= 0 && skeleton->parent[parent] >= 0;
}

static void warn_of_body(const SceneDef *def, const BodyDef *body, const char *file, FILE *out) {
  if (def->world.solver == SOLVER_ITERATIVE)
    print_lines(body->mass_warnings, file, out);
  print_lines(body->warnings, file, out);
  for (int i = 0; i < body->part_count && body->skeleton.leg_count == 0; i++)
    if (body->parts[i].foot && has_two_above(&body->skeleton, i))
      explained_printf(out, "%s: warning: %s is a foot, but the body has no legs: it is not placed on the ground", file,
                       body->parts[i].name);
}

static void warn_of_skill(const SkillDef *skill, const char *file, FILE *out) {
  if (skill->trained_with != skill->body)
    explained_printf(out, "%s: warning: the skill was trained with the body %s; %s may need a training of its own",
                     file, skill->trained_with->name, skill->body->name);
}

// Warns of keys that the terrain's kind does not read, and names the kinds that do.
static void warn_of_terrain(const SceneDef *def, FILE *out) {
  enum { SLOPE = 1 << TERRAIN_SLOPE, STAIRS = 1 << TERRAIN_STAIRS, BLOCKS = 1 << TERRAIN_BLOCKS };
  enum { NOISE = 1 << TERRAIN_NOISE, IMAGE = 1 << TERRAIN_IMAGE, STONES = 1 << TERRAIN_STONES };
  enum { GAP = 1 << TERRAIN_GAP, KERB = 1 << TERRAIN_KERB, MESH = 1 << TERRAIN_MESH, GRIDS = MESH - 1 };
  static const struct {
    const char *key;
    unsigned kinds;
  } keys[] = {
      {"x", GRIDS},
      {"z", GRIDS},
      {"cell", GRIDS},
      {"endless", GRIDS},
      {"pitch", SLOPE},
      {"roll", SLOPE},
      {"amplitude", NOISE | BLOCKS},
      {"wavelength", NOISE | BLOCKS},
      {"octaves", NOISE},
      {"rise", STAIRS | KERB},
      {"run", STAIRS | KERB},
      {"steps", STAIRS},
      {"landing", STAIRS},
      {"start", SLOPE | STAIRS | STONES | GAP | KERB},
      {"length", STONES | GAP},
      {"across", GAP | KERB},
      {"depth", STONES | GAP},
      {"size", STONES},
      {"spacing", STONES},
      {"jitter", STONES},
      {"flat_radius", NOISE | BLOCKS},
      {"image", IMAGE},
      {"image_height", IMAGE},
      {"file", MESH},
      {"scale", MESH},
  };
  TerrainDef defaults;
  param_defaults(&terrain_params, &defaults);
  char kind[PARAM_TEXT_SIZE];
  param_write_row(param_find(&terrain_params, "kind"), &def->terrain, kind, sizeof kind);
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    const Param *row = param_find(&terrain_params, keys[i].key);
    char value[2 * PARAM_TEXT_SIZE], standard[2 * PARAM_TEXT_SIZE];
    param_write_row(row, &def->terrain, value, sizeof value);
    param_write_row(row, &defaults, standard, sizeof standard);
    if ((keys[i].kinds & 1u << def->terrain.kind) == 0 && strcmp(value, standard) != 0)
      explained_printf(out, "%s: warning: terrain.%s does nothing: terrain of kind %s does not read it", def->path,
                       row->name, kind);
  }
}

// Distance of an event's point from the shapes of a part, of which every part has some, m. Of a shape that is turned
// its extents count, which is less.
static double distance_of_point(const double point[3], const PartDef *part) {
  double nearest = HUGE_VAL;
  for (int i = 0; i < part->shape_count; i++) {
    double beyond[3];
    for (int axis = 0; axis < 3; axis++) {
      const double off = part->com[axis] + point[axis] - part->shapes[i].center_m[axis];
      beyond[axis] = fmax(0, fabs(off) - shape_half_size(&part->shapes[i], axis));
    }
    nearest = fmin(nearest, length3(beyond));
  }
  return nearest;
}

static void warn_of_point(const SceneDef *def, int index, FILE *out) {
  const EventDef *event = &def->events[index];
  for (int i = 0; i < event->part_count && event->has_point; i++) {
    const PartDef *part = &def->characters[event->target].body->parts[event->parts[i]];
    const double distance = distance_of_point(event->point, part);
    if (distance > FARTHEST_POINT)
      explained_printf(out, "%s: warning: events.%d: its point is %.2g m outside of %s", def->path, index, distance,
                       part->name);
  }
}

static void warn_of_events(const SceneDef *def, FILE *out) {
  for (int i = 0; i < def->event_count; i++) {
    const EventDef *event = &def->events[i];
    double earliest = event->repeated ? event->from : event->time[0];
    warn_of_point(def, i, out);
    if (earliest >= def->run.duration)
      explained_printf(out, "%s: warning: events.%d never happens: it begins at %g s, the run ends at %g s", def->path,
                       i, earliest, def->run.duration);
    else if (event->kind == EVENT_PUSH && !event->repeated && event->time[1] + event->duration[1] > def->run.duration)
      explained_printf(out, "%s: warning: events.%d is cut off: it may last until %g s, the run ends at %g s",
                       def->path, i, event->time[1] + event->duration[1], def->run.duration);
  }
}

static void warn_of_script(const SceneDef *def, const CharacterDef *character, FILE *out) {
  for (int i = 0; i < character->script.count; i++) {
    const IntentStep *step = &character->script.steps[i];
    if (step->time >= def->run.duration)
      explained_printf(out, "%s: warning: step %d of the script of %s never comes: it is at %g s, the run ends at %g s",
                       def->path, i, character->name, step->time, def->run.duration);
    if (step->event[0] != '\0' && (!character->graph || !graph_has_event(character->graph, step->event)))
      explained_printf(out,
                       "%s: warning: event '%s' in the script of %s has no effect: its animation has no such event",
                       def->path, step->event, character->name);
  }
}

// Warns of speeds beyond the range of a character that walks by itself.
static void warn_of_speeds(const SceneDef *def, const CharacterDef *character, FILE *out) {
  double least = character->intent.speed, most = least;
  for (int i = 0; i < character->script.count; i++) {
    least = fmin(least, character->script.steps[i].intent.speed);
    most = fmax(most, character->script.steps[i].intent.speed);
  }
  if (character->balance.enabled && (least < BALANCE_LEAST_SPEED || most > BALANCE_MOST_SPEED))
    explained_printf(
        out, "%s: warning: %s should walk at %g m/s; a character that balances by itself walks at %g to %g m/s",
        def->path, character->name, most > BALANCE_MOST_SPEED ? most : least, BALANCE_LEAST_SPEED, BALANCE_MOST_SPEED);
}

// Whether the character makes steps of its own, so that it can reach the wanted speed.
static bool can_go(const CharacterDef *character) {
  for (int i = 0; i < character->layers.count; i++) {
    const char *kind = character->layers.layers[i].kind->name;
    if (strcmp(kind, "biped") == 0 || strcmp(kind, "stepper") == 0)
      return true;
  }
  return character->graph || character->move || character->planner || character->balance.enabled;
}

// Warns of a speed that nothing can produce, and of a clip of walking without a speed.
static void warn_of_going(const SceneDef *def, const CharacterDef *character, FILE *out) {
  double most = hypot(character->intent.speed, character->intent.strafe);
  for (int i = 0; i < character->script.count; i++) {
    const Intent *intent = &character->script.steps[i].intent;
    most = fmax(most, hypot(intent->speed, intent->strafe));
  }
  if (most > 0 && character->body->skeleton.leg_count > 0 && !can_go(character))
    explained_printf(
        out,
        "%s: warning: %s should move at %g m/s, but nothing moves its legs: it has no 'animation', 'planner' or "
        "'balance', and no layer biped or stepper",
        def->path, character->name, most);
  const Clip *clip = character->move;
  const double own = clip ? hypot((double)clip->root_velocity_l.x, (double)clip->root_velocity_l.z) : 0;
  if (most == 0 && own > STANDING_SPEED)
    explained_printf(out,
                     "%s: warning: %s stands still: its 'move' keeps step with the speed of 'intent', which is 0; "
                     "as it was made it goes at %.3g m/s",
                     def->path, character->name, own);
}

static void warn_of_faded_layers(const SceneDef *def, const CharacterDef *character, FILE *out) {
  for (int i = 0; character->graph && i < graph_layer_count(character->graph); i++) {
    const char *name = graph_layer_name(character->graph, i);
    bool found = false;
    for (int k = 0; k < character->layers.count; k++)
      found |= strcmp(character->layers.layers[k].name, name) == 0;
    if (!found)
      explained_printf(out, "%s: warning: the animation of %s fades a layer '%s', which it does not have", def->path,
                       character->name, name);
  }
}

// Whether a layer always has its full weight: neither a script nor the animation fades it.
static bool counts_always(const CharacterDef *character, const LayerDef *layer) {
  for (int i = 0; i < character->script.count; i++)
    for (int k = 0; k < character->script.steps[i].fade_count; k++)
      if (strcmp(character->script.steps[i].fades[k].name, layer->name) == 0)
        return false;
  for (int i = 0; character->graph && i < graph_layer_count(character->graph); i++)
    if (strcmp(graph_layer_name(character->graph, i), layer->name) == 0)
      return false;
  return layer->blend.weight > 0;
}

// The first joint, leg or arm that two layers of one kind both move; NULL: none.
static const char *shared_row(const LayerDef *a, const LayerDef *b, const Skeleton *skeleton) {
  for (int i = 0; a->kind == b->kind && i < a->kind->rows(a->values); i++)
    for (int k = 0; k < b->kind->rows(b->values); k++) {
      const char *name = a->kind->row_name(a->values, skeleton, i);
      if (strcmp(name, b->kind->row_name(b->values, skeleton, k)) == 0)
        return name;
    }
  return NULL;
}

static void warn_of_equal_layers(const SceneDef *def, const CharacterDef *character, FILE *out) {
  const LayerListDef *list = &character->layers;
  for (int i = 0; i < list->count; i++)
    for (int k = i + 1; k < list->count; k++) {
      const LayerDef *a = &list->layers[i], *b = &list->layers[k];
      const char *row = shared_row(a, b, &character->body->skeleton);
      if (row && counts_always(character, a) && counts_always(character, b))
        explained_printf(out, "%s: warning: layers '%s' and '%s' of %s, both of kind %s, move the same: %s", def->path,
                         a->name, b->name, character->name, a->kind->name, row);
    }
}

void scene_warnings(const SceneDef *def, FILE *out) {
  for (int i = 0; i < def->asset_count; i++)
    if (def->assets[i].kind == ASSET_GRAPH)
      print_lines(graph_warnings(def->assets[i].object), def->assets[i].file, out);
  for (int i = 0; i < def->asset_count; i++)
    if (def->assets[i].note[0] != '\0')
      fprintf(out, "%s: note: %s\n", def->assets[i].file, def->assets[i].note);
  for (int i = 0; i < def->asset_count; i++)
    if (def->assets[i].excess[0] != '\0')
      explained_printf(out, "%s: warning: the recording goes beyond the ranges of the joints, which bend it: %s",
                       def->assets[i].file, def->assets[i].excess);
  for (int i = 0; i < def->character_count; i++)
    warn_of_script(def, &def->characters[i], out);
  for (int i = 0; i < def->character_count; i++)
    warn_of_speeds(def, &def->characters[i], out);
  for (int i = 0; i < def->character_count; i++)
    warn_of_going(def, &def->characters[i], out);
  for (int i = 0; i < def->character_count; i++)
    warn_of_faded_layers(def, &def->characters[i], out);
  for (int i = 0; i < def->character_count; i++)
    warn_of_equal_layers(def, &def->characters[i], out);
  for (int i = 0; i < def->asset_count; i++)
    if (def->assets[i].kind == ASSET_SKILL)
      warn_of_skill(def->assets[i].object, def->assets[i].file, out);
  for (int i = 0; i < def->asset_count; i++)
    if (def->assets[i].kind == ASSET_BODY)
      warn_of_body(def, def->assets[i].object, def->assets[i].file, out);
  warn_of_terrain(def, out);
  warn_of_events(def, out);
}

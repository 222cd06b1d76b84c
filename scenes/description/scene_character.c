// Reads one character of a scene: its body and animation, then the sections of its parameters.
#include "scenes/description/scene_character.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "ragdoll/character/character_floor.h"
#include "ragdoll/character/character_jump.h"
#include "ragdoll/character/character_skill.h"
#include "scenes/description/hit_reaction_read.h"
#include "scenes/description/lookup.h"
#include "scenes/description/scene_assets.h"

static const double SLOWEST_GOING = 0.05; // m/s; a slower clip counts as standing

// hit_reaction has keys that are not in its table: see hit_reaction_read.
const SceneSection character_sections[] = {
    {"start", &start_params, offsetof(CharacterDef, start)},
    {"actual", &actual_params, offsetof(CharacterDef, actual)},
    {"root", &root_params, offsetof(CharacterDef, root)},
    {"intent", &intent_params, offsetof(CharacterDef, intent)},
    {"drive", &drive_params, offsetof(CharacterDef, drive)},
    {"assist", &assist_params, offsetof(CharacterDef, assist)},
    {"balance", &balance_params, offsetof(CharacterDef, balance)},
    {"fall", &fall_params, offsetof(CharacterDef, fall)},
    {"hit_reaction", &hit_reaction_params, offsetof(CharacterDef, hit_reaction)},
    {"responses", &responses_params, offsetof(CharacterDef, responses)},
};
const int character_section_count = (int)(sizeof character_sections / sizeof character_sections[0]);

static const char *const character_keys[] = {"name",         "body",      "start",  "actual",  "root",    "animation",
                                             "intent",       "script",    "drive",  "assist",  "balance", "fall",
                                             "hit_reaction", "responses", "layers", "planner", "skill",   NULL};
static const char *const animation_keys[] = {"graph", "parameters", "move", "stand", "jump", "stagger", NULL};
static const char *const fall_keys[] = {"prone", "supine", NULL};
static const char *const stagger_keys[] = {"left", "forward", "right", "backward", NULL};

bool scene_expect_kind(const Node *node, NodeKind kind, const char *what, Error *error) {
  static const char *const kinds[] = {"a value", "a list", "a map of keys and values"};
  return node->kind == kind || node_error(node, error, "'%s' must be %s", what, kinds[kind]);
}

bool scene_read_section(const SceneSection *section, char *values, const Node *map, const char *const *other_keys,
                        Error *error) {
  const Node *node = node_find(map, section->key);
  return !node || (scene_expect_kind(node, NODE_MAP, section->key, error) &&
                   param_read(section->table, values + section->offset, node, other_keys, error));
}

static bool check_name(const SceneDef *def, const char *name, const Node *node, Error *error) {
  if (!node_check_name(node, name, error))
    return false;
  for (int i = 0; i < def->character_count; i++)
    if (strcmp(def->characters[i].name, name) == 0)
      return node_error(node, error, "there is a character '%s' already", name);
  return true;
}

static bool read_clip(SceneDef *def, const Node *map, const char *key, const Skeleton *skeleton, const Clip **clip,
                      Error *error) {
  const Node *node = node_find(map, key);
  if (!node)
    return true;
  *clip = scene_clip(def, node, skeleton, error);
  return *clip != NULL;
}

// Reads values of a graph's parameters; those not given keep the graph's defaults.
static bool read_parameters(CharacterDef *character, const Node *map, Error *error) {
  int count = character->graph ? graph_parameter_count(character->graph) : 0;
  for (int i = 0; i < count; i++)
    character->graph_values[i] = graph_parameter_default(character->graph, i);
  if (!map)
    return true;
  if (!character->graph)
    return node_key_error(map, error, "'parameters' belong to a 'graph'");
  if (!scene_expect_kind(map, NODE_MAP, "parameters", error))
    return false;
  const char *names[GRAPH_MAX_PARAMETERS + 1] = {NULL};
  for (int i = 0; i < count; i++)
    names[i] = graph_parameter_name(character->graph, i);
  if (!node_check_keys(map, names, error))
    return false;
  for (const Node *item = map->first; item; item = item->next) {
    int parameter = graph_parameter(character->graph, item->key);
    double value, range[2];
    if (!node_real(item, &value, error))
      return false;
    graph_parameter_range(character->graph, parameter, range);
    if (value < range[0] || value > range[1])
      return node_error(item, error, "%g is out of range, allowed is %g to %g", value, range[0], range[1]);
    character->graph_values[parameter] = value;
  }
  return true;
}

static bool check_jump_clip(const CharacterDef *character, const Node *map, Error *error) {
  const char *problem = character->jump ? jump_clip_problem(character->jump) : NULL;
  return !problem ||
         node_error(node_find(map, "jump"), error, "the clip '%s' of a jump %s", character->jump->name, problem);
}

static bool read_animation(SceneDef *def, CharacterDef *character, const Node *map, Error *error) {
  if (!map)
    return true;
  if (!scene_expect_kind(map, NODE_MAP, "animation", error) || !node_check_keys(map, animation_keys, error))
    return false;
  const Skeleton *skeleton = &character->body->skeleton;
  const Node *graph = node_find(map, "graph"), *move = node_find(map, "move");
  if (graph && move)
    return node_key_error(graph, error, "either 'graph' or 'move' plays, not both");
  if (graph)
    character->graph = scene_graph(def, graph, skeleton, error);
  if (graph && !character->graph)
    return false;
  if (!read_parameters(character, node_find(map, "parameters"), error) ||
      !read_clip(def, map, "move", skeleton, &character->move, error) ||
      !read_clip(def, map, "stand", skeleton, &character->stand, error) ||
      !read_clip(def, map, "jump", skeleton, &character->jump, error) || !check_jump_clip(character, map, error))
    return false;
  if (character->stand && !character->move)
    return node_error(node_find(map, "stand"), error, "'stand' plays while 'move' rests, which is missing");
  character_floor_find(character);
  const Node *stagger = node_find(map, "stagger");
  if (!stagger)
    return true;
  if (!scene_expect_kind(stagger, NODE_MAP, "stagger", error) || !node_check_keys(stagger, stagger_keys, error))
    return false;
  if (!character->move)
    return node_error(stagger, error, "'stagger' varies 'move', which is missing");
  for (int i = 0; i < STAGGER_COUNT; i++)
    if (!read_clip(def, stagger, stagger_keys[i], skeleton, &character->stagger[i], error))
      return false;
  return true;
}

// Reads the clips for getting up.
static bool read_fall(SceneDef *def, CharacterDef *character, const Node *map, Error *error) {
  const Node *fall = node_find(map, "fall");
  for (int i = 0; i < GET_UP_COUNT; i++)
    if (!read_clip(def, fall, fall_keys[i], &character->body->skeleton, &character->get_up[i], error))
      return false;
  return !character->get_up[GET_UP_PRONE] == !character->get_up[GET_UP_SUPINE] ||
         node_error(fall, error,
                    "'prone' and 'supine' need each other: the character can come to lie on its face or on its back");
}

// The part of an assist must exist, but only if the assist is used: a body may lack the default part.
static bool check_assist(const CharacterDef *character, const Node *map, Error *error) {
  const Node *section = node_find(map, "assist"), *part = node_find(section, "part");
  if (!character->assist.enabled && !part)
    return true;
  return lookup_part(character->assist.part, character->body, part ? part : section, error) >= 0;
}

// Finds the layers that a script fades.
static bool check_fades(const CharacterDef *character, const Node *script, Error *error) {
  const LayerListDef *layers = &character->layers;
  const char *names[LAYERS_MAX + 1] = {NULL};
  for (int i = 0; i < layers->count; i++)
    names[i] = layers->layers[i].name;
  for (const Node *step = script ? script->first : NULL; step; step = step->next) {
    const Node *fades = node_find(step, "layers");
    if (fades && !node_check_keys(fades, names, error))
      return false;
  }
  return true;
}

// Finds the joints whose tone a script changes.
static bool check_tones(const CharacterDef *character, const Node *script, Error *error) {
  for (const Node *step = script ? script->first : NULL; step; step = step->next) {
    const Node *tones = node_find(step, "tones");
    for (const Node *item = tones ? tones->first : NULL; item; item = item->next)
      if (strcmp(item->key, INTENT_WHOLE_BODY) != 0 && lookup_part(item->key, character->body, item, error) < 0)
        return false;
  }
  return true;
}

// Whether a script's jumps are possible: on level ground, in the present gravity.
static bool check_jumps(const SceneDef *def, const CharacterDef *character, const Node *script, Error *error) {
  const double gravity = -def->world.gravity[1];
  for (int i = 0; i < character->script.count; i++) {
    const IntentStep *step = &character->script.steps[i];
    if (!step->jumps)
      continue;
    const Node *node = node_find(node_at(script, i), "jump");
    JumpArc arc;
    if (!character->jump)
      return node_error(node, error, "a jump needs a clip: animation: {jump: clips/jump.yaml}");
    if (character->balance.enabled || character->planner || character->skill_count > 0)
      return node_error(node, error, "who balances by himself, has a skill or a planner cannot jump");
    if (!(gravity > 0))
      return node_error(node, error, "a jump needs a world.gravity that pulls down");
    if (jump_arc_find(&step->jump, 0, gravity, &arc) != JUMP_POSSIBLE)
      return node_error(node, error, "people cannot jump so: it takes %.2f m/s at take-off, allowed are %g",
                        hypot(arc.ahead, arc.up), JUMP_FASTEST);
  }
  return true;
}

// Reads {def, policy, goals: [[x, z], ...]}.
static bool read_planner(SceneDef *def, CharacterDef *character, const Node *map, Error *error) {
  static const char *const keys[] = {"def", "policy", "goals", NULL};
  const Node *planner = node_find(map, "planner");
  if (!planner)
    return true;
  if (!scene_expect_kind(planner, NODE_MAP, "planner", error) || !node_check_keys(planner, keys, error))
    return false;
  const Node *file = node_find(planner, "def"), *policy = node_find(planner, "policy");
  const Node *goals = node_find(planner, "goals");
  if (!file)
    return node_error(planner, error, "a planner needs a 'def', its file");
  if (character->graph || character->move)
    return node_error(planner, error, "a planner plays clips of its own: no 'animation' beside it");
  if (character->balance.enabled)
    return node_error(planner, error, "a character that balances by itself cannot have a planner");
  character->planner = scene_planner(def, file, &character->body->skeleton, error);
  if (!character->planner)
    return false;
  if (policy && !(character->policy = scene_policy(def, policy, character->planner, error)))
    return false;
  if (!goals)
    return true;
  if (goals->kind != NODE_LIST || goals->count > CHARACTER_MAX_GOALS)
    return node_error(goals, error, "'goals' must be a list of at most %d places [x, z]", CHARACTER_MAX_GOALS);
  for (const Node *goal = goals->first; goal; goal = goal->next)
    if (!node_reals(goal, character->goals[character->goal_count++], 2, error))
      return false;
  return true;
}

bool scene_character_plays(const CharacterDef *character, const Clip *clip) {
  bool plays = clip == character->move || clip == character->stand;
  for (int i = 0; i < GET_UP_COUNT; i++)
    plays = plays || clip == character->get_up[i];
  return plays;
}

// There is one skill for a clip at most, so there are never too many.
static_assert((int)CHARACTER_MAX_SKILLS > (int)GET_UP_COUNT + 1, "a skill for each clip");

static bool read_skill(SceneDef *def, CharacterDef *character, const Node *node, Error *error) {
  const SkillDef *skill = scene_skill(def, node, character->body, error);
  if (!skill)
    return false;
  if (!scene_character_plays(character, skill->clip))
    return node_error(node, error, "the skill '%s' is for the clip '%s', which the character never plays", skill->name,
                      skill->clip->name);
  if (character_skill_index(character, skill->clip) >= 0)
    return node_error(node, error, "there is a skill for the clip '%s' already", skill->clip->name);
  character->skills[character->skill_count++] = skill;
  return true;
}

// Reads the file of a skill, or a list of such files.
static bool read_skills(SceneDef *def, CharacterDef *character, const Node *map, Error *error) {
  const Node *node = node_find(map, "skill");
  if (!node)
    return true;
  if (node->kind != NODE_LIST)
    return read_skill(def, character, node, error);
  for (const Node *item = node->first; item; item = item->next)
    if (!read_skill(def, character, item, error))
      return false;
  return true;
}

// Height of the lowest point of a body in its bind pose, m; at least 0.
static double lowest_point(const BodyDef *body) {
  double lowest = HUGE_VAL;
  for (int i = 0; i < body->part_count; i++)
    for (int k = 0; k < body->parts[i].shape_count; k++) {
      const ShapeDef *shape = &body->parts[i].shapes[k];
      lowest = fmin(lowest, shape->center_m[1] - shape_half_size(shape, 1));
    }
  return isfinite(lowest) ? fmax(lowest, 0) : 0;
}

// A character must not start inside the ground; soles may be pressed into it slightly.
static bool check_start(const CharacterDef *character, const Node *map, Error *error) {
  const double pressed = 0.05, least = -lowest_point(character->body), depth = least - character->start.position[1];
  return depth <= pressed || node_error(node_find(node_find(map, "start"), "position"), error,
                                        "%s would start %g m in the ground: y counts from the ground, allowed is %.3g "
                                        "m or more",
                                        character->name, depth, least < 0 ? least : 0);
}

// A character that plays one clip goes as fast as the clip was made for, unless the scene says how fast.
static void take_speed_of_clip(CharacterDef *character, const Node *map) {
  const Node *intent = node_find(map, "intent");
  if (!character->move || node_find(intent, "speed") || node_find(intent, "strafe") || node_find(map, "script"))
    return;
  const vec3s own = character->move->root_velocity_l;
  if (hypot((double)own.x, (double)own.z) > SLOWEST_GOING) {
    character->intent.speed = (double)own.z;
    character->intent.strafe = (double)own.x;
  }
}

static bool read_layers(const SceneDef *def, CharacterDef *character, const Node *map, Error *error) {
  const Node *list = node_find(map, "layers");
  return layer_list_read(&character->layers, list, &character->body->skeleton, error) &&
         target_def_find(&character->layers, list, def->targets, def->target_count, error) &&
         check_fades(character, node_find(map, "script"), error);
}

bool scene_character_read(SceneDef *def, CharacterDef *character, const Node *map, Error *error) {
  if (!scene_expect_kind(map, NODE_MAP, "characters", error) || !node_check_keys(map, character_keys, error))
    return false;
  const Node *name = node_find(map, "name"), *body = node_find(map, "body");
  if (!name || !body)
    return node_error(map, error, "a character needs a '%s'", !name ? "name" : "body");
  if (!node_text(name, character->name, sizeof character->name, error) ||
      !check_name(def, character->name, name, error))
    return false;
  character->body = scene_body(def, body, error);
  if (!character->body)
    return false;

  character->hit_reaction = hit_reaction_def_default();
  bool good = true;
  for (int i = 0; i < character_section_count; i++) {
    const SceneSection *section = &character_sections[i];
    param_defaults(section->table, (char *)character + section->offset);
    const char *const *more = section->table == &hit_reaction_params ? hit_reaction_keys
                              : section->table == &fall_params       ? fall_keys
                                                                     : NULL;
    if (scene_read_section(section, (char *)character, map, more, error))
      continue;
    good = false;
    if (!error_next(error))
      return false;
  }
  good = good && check_start(character, map, error) &&
         intent_script_read(&character->script, node_find(map, "script"), error) &&
         hit_reaction_read(&character->hit_reaction, node_find(map, "hit_reaction"), character->body, error) &&
         read_fall(def, character, map, error) && check_tones(character, node_find(map, "script"), error) &&
         check_assist(character, map, error) && read_animation(def, character, node_find(map, "animation"), error) &&
         read_layers(def, character, map, error) && read_planner(def, character, map, error) &&
         read_skills(def, character, map, error) && check_jumps(def, character, node_find(map, "script"), error);
  if (good)
    take_speed_of_clip(character, map);
  return good;
}

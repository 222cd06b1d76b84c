// stagger inspect: describes a skill by its description, and by the file of its network with the record of its
// training.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "anim/planner/policy.h"
#include "ragdoll/skill/skill.h"
#include "scenes/cli/cli.h"
#include "scenes/cli/inspect.h"
#include "scenes/description/scene_skill.h"
#include "sim/base/safetensors.h"

// ---- Descriptions ----

static void print_description(const SkillDef *skill, const char *network) {
  printf("  for the body %s, leads while the clip %s plays\n", skill->body->name, skill->clip->name);
  printf("  network in %s: %d inputs, %d actions\n", network, skill->table.input_count, skill->table.action_count);
  inspect_section("control", &skill_params, &skill->params);
}

// The rotation of a joint's goal by an action of 1; the last action changes the pace instead.
static void print_unit(const SkillDef *skill, int action) {
  bool pace = action == skill->table.action_count - 1;
  printf(" %9.4f %s", pace ? skill->params.pace : (double)skill->table.action_unit[action], pace ? "-" : "rad");
}

// skill: NULL when the description is not at hand.
static void print_action(const SkillDef *skill, int index, const char *name, int length) {
  printf("  %4d  %-28.*s", index, length, name);
  if (skill)
    print_unit(skill, index);
  putchar('\n');
}

static void print_actions_head(const SkillDef *skill) {
  printf("\nActions%s\n", skill ? ", and what an action of 1 changes: the goal of the joint, or the clip's pace" : "");
}

static void print_channels(const SkillDef *skill) {
  const SkillTable *table = &skill->table;
  printf("\nInputs\n");
  for (int i = 0; i < table->input_count; i++)
    printf("  %4d  %s\n", i, table->inputs[i].name);
  print_actions_head(skill);
  for (int i = 0; i < table->action_count; i++)
    print_action(skill, i, table->actions[i].name, SKILL_NAME_SIZE);
}

int inspect_skill(const char *path) {
  Error error = {0};
  SkillDef *skill;
  char network[512];
  SceneDef *def = scene_skill_alone(path, &skill, network, &error);
  if (!def)
    return cli_error(&error);
  printf("%s: skill %s\n", path, skill->name);
  print_description(skill, network);
  int code = EXIT_DONE;
  const File *file = files_read(&def->files, network, NULL);
  if (file) {
    putchar('\n');
    code = inspect_tensors(file->path);
  } else {
    printf("  which does not exist yet: stagger train %s -o FILE\n", path);
    print_channels(skill);
  }
  scene_skill_free(skill);
  scene_def_free(def);
  return code;
}

// ---- Files of the training ----

// Reads "0123456789abcdef name"; the name ends with the line.
static bool read_file_line(const char *line, uint64_t *hash, char name[512]) {
  int length = (int)strcspn(line, "\n"), at = 0;
  return sscanf(line, "%" SCNx64 " %n", hash, &at) == 1 && at > 0 && at < length &&
         snprintf(name, 512, "%.*s", length - at, line + at) < 512;
}

// Looks for a file beside the network, in the working folder and among those that come with Stagger. The path is that
// of a file with the same content, if there is one. Returns what is to be said of it.
static const char *compare_file(const char *folder, const char *name, uint64_t hash, char path[FILES_PATH_SIZE]) {
  const char *const folders[] = {folder, ""};
  const char *found = "not found";
  path[0] = '\0';
  for (int i = 0; i < 2 && path[0] == '\0'; i++) {
    FileSet files = {0};
    snprintf(files.folder, sizeof files.folder, "%s", folders[i]);
    const File *file = files_read(&files, name, NULL);
    if (file && policy_hash(file->bytes, file->size) == hash)
      snprintf(path, FILES_PATH_SIZE, "%s", file->path);
    found = path[0] != '\0' ? "unchanged" : file ? "changed since" : found;
    files_free(&files);
  }
  return found;
}

// Prints the files with which the skill was trained. description: the path of the first of them, if it is unchanged.
static void print_files(const char *text, const char *folder, char description[FILES_PATH_SIZE]) {
  printf("\nFiles of the training, and what they are now\n");
  for (const char *line = text; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
    uint64_t hash;
    char name[512], path[FILES_PATH_SIZE];
    if (!read_file_line(line, &hash, name))
      continue;
    printf("  %016" PRIx64 "  %-14s %s\n", hash, compare_file(folder, name, hash, path), name);
    if (line == text)
      memcpy(description, path, sizeof path);
  }
}

// ---- Networks ----

static const Tensor *find_tensor(const Tensors *tensors, const char *name) {
  for (int i = 0; i < tensors->count; i++)
    if (strcmp(tensors->tensors[i].name, name) == 0)
      return &tensors->tensors[i];
  return NULL;
}

// Prints "127 inputs, 256 and 128 hidden units, 28 actions", if the file has the layers of a skill.
static void print_shape(const Tensors *tensors) {
  const Tensor *mean = find_tensor(tensors, "mean");
  int units[NETWORK_LAYERS];
  size_t weights = 0;
  for (int i = 0; i < NETWORK_LAYERS; i++) {
    char name[TENSOR_NAME_SIZE];
    snprintf(name, sizeof name, "actor.%d.weight", i);
    const Tensor *layer = find_tensor(tensors, name);
    if (!layer || !mean)
      return;
    units[i] = layer->shape[0];
    weights += (size_t)layer->shape[0] * ((size_t)(layer->rank == 2 ? layer->shape[1] : 1) + 1);
  }
  printf("  %-20s %d inputs, %d and %d hidden units, %d actions: %zu weights\n", "network", mean->shape[0], units[0],
         units[1], units[2], weights);
}

static void print_tensors(const Tensors *tensors) {
  printf("\nTensors\n");
  for (int i = 0; i < tensors->count; i++) {
    const Tensor *tensor = &tensors->tensors[i];
    printf("  %-28s %d", tensor->name, tensor->shape[0]);
    if (tensor->rank == 2)
      printf(" x %d", tensor->shape[1]);
    putchar('\n');
  }
}

// Texts of the record that are not printed as one line.
static bool is_list(const char *key) {
  return strcmp(key, "files") == 0 || strcmp(key, "inputs") == 0 || strcmp(key, "actions") == 0;
}

static const char *unit_of(const char *key) {
  static const char *const units[][2] = {{"wall_minutes", " min"},
                                         {"seconds_to_failure", " s, mean at the end of the training, with its noise"}};
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    if (strcmp(key, units[i][0]) == 0)
      return units[i][1];
  return "";
}

static void print_record(const Tensors *tensors) {
  for (int i = 0; i < tensors->metadata_count; i++) {
    const TensorText *text = &tensors->metadata[i];
    if (!is_list(text->key))
      printf("  %-20s %s%s\n", text->key, text->value, unit_of(text->key));
  }
}

// Prints each input with its mean and standard deviation, by which the network scales it.
static void print_inputs(const Tensors *tensors, const char *names) {
  const Tensor *mean = find_tensor(tensors, "mean"), *scale = find_tensor(tensors, "scale");
  if (!mean || !scale || mean->shape[0] != scale->shape[0])
    return;
  printf("\nInputs, with mean and standard deviation during the training\n");
  for (int i = 0; i < mean->shape[0]; i++) {
    int length = (int)strcspn(names, "\n");
    printf("  %4d  %-28.*s %9.4f %9.4f\n", i, length, names, (double)mean->values[i], 1 / (double)scale->values[i]);
    names += length + (names[length] == '\n');
  }
}

static void print_actions(const SkillDef *skill, const char *names) {
  print_actions_head(skill);
  for (int i = 0; *names != '\0'; i++) {
    int length = (int)strcspn(names, "\n");
    print_action(skill && i < skill->table.action_count ? skill : NULL, i, names, length);
    names += length + (names[length] == '\n');
  }
}

// What a file says of the training: its files, inputs and actions. Units of actions are those of the description, if it
// is the one of the training.
static void print_training(const Tensors *tensors, const char *path) {
  const char *files = tensors_metadata(tensors, "files"), *inputs = tensors_metadata(tensors, "inputs");
  const char *actions = tensors_metadata(tensors, "actions");
  char folder[512] = "", description[FILES_PATH_SIZE] = "", network[512];
  SkillDef *skill = NULL;
  SceneDef *def = NULL;
  if (files && scene_folder(path, folder, sizeof folder))
    print_files(files, folder, description);
  if (description[0] != '\0')
    def = scene_skill_alone(description, &skill, network, NULL);
  if (inputs)
    print_inputs(tensors, inputs);
  if (actions)
    print_actions(skill, actions);
  scene_skill_free(skill);
  scene_def_free(def);
}

int inspect_tensors(const char *path) {
  Error error = {0};
  FileSet files = {0};
  Tensors tensors = {0};
  const File *file = files_read(&files, path, &error);
  bool good = file && tensors_read(&tensors, file->bytes, file->size, path, &error);
  if (good) {
    const char *name = tensors_metadata(&tensors, "skill");
    printf("%s: network of %s%s\n", file->path, name ? "the skill " : "no known skill", name ? name : "");
    print_shape(&tensors);
    print_record(&tensors);
    print_tensors(&tensors);
    print_training(&tensors, file->path);
  }
  tensors_free(&tensors);
  files_free(&files);
  return good ? EXIT_DONE : cli_error(&error);
}

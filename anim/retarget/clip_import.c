// Loads a clip from a motion file or from a YAML file that names one: reads the motion and retargets it. Errors name
// the place of the mistake.
#include "anim/retarget/clip_import.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double FOR_A_WHILE = 0.1;    // of the keys
static const double WORTH_NAMING = 0.262; // rad, 15 deg

typedef enum LoopKind { LOOP_NO, LOOP_YES, LOOP_CYCLE, LOOP_IF_CYCLE } LoopKind;

typedef struct ImportDef {
  char file[512], name[SKELETON_NAME_SIZE];
  const Node *file_node, *from_node, *loop_node, *joints;
  MotionOptions motion;
  RetargetOptions retarget;
  LoopKind loop;
  bool force; // plays what does not fit
} ImportDef;

static ImportDef import_def_default(void) {
  return (ImportDef){.motion = motion_options_default(), .retarget = retarget_options_default(), .loop = LOOP_IF_CYCLE};
}

// ---- The YAML ----

static bool read_choice(const Node *node, const char *const *names, int count, int *choice, Error *error) {
  char text[32];
  if (!node_text(node, text, sizeof text, error))
    return false;
  for (int i = 0; i < count; i++) {
    if (strcmp(text, names[i]) == 0) {
      *choice = i;
      return true;
    }
  }
  return node_error(node, error, "there is no '%s'%s", text, name_hint(text, names, count).text);
}

static bool read_number(const Node *root, const char *key, double least, double most, double *value, Error *error) {
  const Node *node = node_find(root, key);
  if (!node)
    return true;
  if (!node_real(node, value, error))
    return false;
  return (*value >= least && *value <= most) ||
         node_error(node, error, "'%s' must lie within %g .. %g, not %g", key, least, most, *value);
}

static bool read_flag(const Node *root, const char *key, bool *value, Error *error) {
  const Node *node = node_find(root, key);
  return !node || node_bool(node, value, error);
}

static bool read_text(const Node *root, const char *key, char *text, size_t size, Error *error) {
  const Node *node = node_find(root, key);
  return !node || node_text(node, text, size, error);
}

static bool read_axes(ImportDef *def, const Node *root, Error *error) {
  static const char *const ups[] = {"x", "y", "z"}, *const fronts[] = {"x", "y", "z", "-x", "-y", "-z"};
  const Node *up = node_find(root, "up"), *front = node_find(root, "front");
  if (up && !read_choice(up, ups, 3, &def->motion.up_axis, error))
    return false;
  if (front && !read_choice(front, fronts, 6, &def->motion.front_axis, error))
    return false;
  return !up || !front || def->motion.front_axis % 3 != def->motion.up_axis ||
         node_error(front, error, "the front cannot lie along the same axis as 'up'");
}

static bool read_loop(ImportDef *def, const Node *root, Error *error) {
  def->loop_node = node_find(root, "loop");
  bool part = node_find(root, "from") || node_find(root, "to"), yes;
  if (!def->loop_node) {
    def->loop = part ? LOOP_YES : LOOP_IF_CYCLE;
    return true;
  }
  if (def->loop_node->kind == NODE_SCALAR && strcmp(def->loop_node->text, "cycle") == 0) {
    def->loop = LOOP_CYCLE;
    return true;
  }
  Error not_bool = {0};
  if (!node_bool(def->loop_node, &yes, &not_bool))
    return node_error(def->loop_node, error, "expected true, false or cycle");
  def->loop = yes ? LOOP_YES : LOOP_NO;
  return true;
}

static bool read_reference_time(RetargetOptions *options, const Node *node, Error *error) {
  if (node->kind == NODE_SCALAR && strcmp(node->text, "rest") == 0) {
    options->reference = RETARGET_REST;
    return true;
  }
  return node_real(node, &options->reference, error) &&
         (options->reference >= 0 || node_error(node, error, "expected rest, or a time of the motion in s"));
}

// A joint's turn in the reference pose: deg about x, z, y in this order, as in keyframe clips.
static bool read_reference_turn(RetargetOptions *options, const Skeleton *skeleton, const Node *node, Error *error) {
  double angles[3];
  int joint = skeleton_find(skeleton, node->key);
  if (joint < 0)
    return node_key_error(node, error, "'%s' has no joint '%s'%s", skeleton->name, node->key,
                          skeleton_joint_hint(skeleton, node->key).text);
  if (!node_reals(node, angles, 3, error))
    return false;
  for (int i = 0; i < 3; i++)
    if (!(fabs(angles[i]) <= 180))
      return node_error(node, error, "an angle must lie within -180 .. 180 deg, not %g", angles[i]);
  const float rad = (float)(M_PI / 180);
  versors x = quat_exp((vec3s){{(float)angles[0] * rad, 0, 0}}), y = quat_exp((vec3s){{0, (float)angles[1] * rad, 0}}),
          z = quat_exp((vec3s){{0, 0, (float)angles[2] * rad}});
  options->reference_turn[joint] = glms_quat_mul(glms_quat_mul(x, z), y);
  return true;
}

static bool read_reference(ImportDef *def, const Node *root, const Skeleton *skeleton, Error *error) {
  const Node *node = node_find(root, "reference");
  if (!node || node->kind == NODE_SCALAR)
    return !node || read_reference_time(&def->retarget, node, error);
  if (node->kind != NODE_MAP)
    return node_error(node, error, "expected rest, a time in s, or a map of time and joints");
  for (const Node *entry = node->first; entry; entry = entry->next)
    if (strcmp(entry->key, "time") == 0 ? !read_reference_time(&def->retarget, entry, error)
                                        : !read_reference_turn(&def->retarget, skeleton, entry, error))
      return false;
  return true;
}

static bool read_import(ImportDef *def, const Node *root, const Skeleton *skeleton, Error *error) {
  static const char *const keys[] = {"import", "name",      "animation", "unit",       "up",        "front",
                                     "from",   "to",        "loop",      "loop_blend", "rate",      "keep_root",
                                     "plant",  "clearance", "joints",    "force",      "reference", NULL};
  const double longest = 86400; // s: a day
  const Node *name = node_find(root, "name");
  def->file_node = node_find(root, "import");
  def->from_node = node_find(root, "to") ? node_find(root, "to") : node_find(root, "from");
  def->joints = node_find(root, "joints");
  RetargetOptions *retarget_options = &def->retarget;
  bool good = node_check_keys(root, keys, error) && read_text(root, "import", def->file, sizeof def->file, error) &&
              read_text(root, "name", def->name, sizeof def->name, error) &&
              (!name || node_check_name(name, def->name, error)) &&
              read_text(root, "animation", def->motion.animation, sizeof def->motion.animation, error) &&
              read_number(root, "unit", 1e-6, 1e3, &def->motion.unit, error) && read_axes(def, root, error) &&
              read_number(root, "from", 0, longest, &retarget_options->from, error) &&
              read_number(root, "to", 0, longest, &retarget_options->to, error) && read_loop(def, root, error) &&
              read_number(root, "loop_blend", 0, 10, &retarget_options->loop_blend, error) &&
              read_number(root, "clearance", 0, 0.5, &retarget_options->clearance, error) &&
              read_number(root, "rate", 1, 1000, &retarget_options->rate, error) &&
              read_flag(root, "keep_root", &retarget_options->keep_root, error) &&
              read_flag(root, "plant", &retarget_options->plant, error) &&
              read_flag(root, "force", &def->force, error) && read_reference(def, root, skeleton, error);
  if (!good)
    return false;
  if (node_find(root, "to") && retarget_options->to <= retarget_options->from)
    return node_error(node_find(root, "to"), error, "'to' must lie behind 'from', %g s", retarget_options->from);
  return true;
}

// ---- The motion ----

// Looks beside the YAML file that names it, then where the scene looks for files.
static const File *find_motion_file(FileSet *files, const char *yaml_name, const ImportDef *def, Error *error) {
  char beside[1024];
  const char *slash = strrchr(yaml_name, '/');
  if (slash && def->file[0] != '/') {
    snprintf(beside, sizeof beside, "%.*s/%s", (int)(slash - yaml_name), yaml_name, def->file);
    Error ignored = {0};
    const File *file = files_read(files, beside, &ignored);
    if (file)
      return file;
  }
  Error cause = {0};
  const File *file = files_read(files, def->file, &cause);
  if (!file)
    node_error(def->file_node, error, "%s", cause.text);
  return file;
}

// Of a motion without instructions only a gait is cut to a cycle. Others play whole: as a loop if their ends meet.
static bool takes_cycle(const ImportDef *def, const Motion *motion, const RetargetMap *map, const Skeleton *skeleton,
                        double from, double to) {
  const RetargetOptions *options = &def->retarget;
  double length = (motion->frame_count - 1) / motion->frame_rate;
  double end = options->to > options->from ? fmin(options->to, length) : length;
  bool whole = from == options->from && to == end;
  return def->loop == LOOP_CYCLE || whole ||
         motion_cycle_is_gait(motion, map, skeleton, options->from, options->to, from, to);
}

static bool check_reference(const ImportDef *def, const Motion *motion, Error *error) {
  double length = (motion->frame_count - 1) / motion->frame_rate;
  return def->retarget.reference <= length + 0.5 / motion->frame_rate ||
         error_set(error, "`reference` is %g s, but the motion ends at %g s", def->retarget.reference, length);
}

static bool choose_span(ImportDef *def, const Motion *motion, const RetargetMap *map, const Skeleton *skeleton,
                        bool *is_cut, Error *error) {
  RetargetOptions *options = &def->retarget;
  double length = (motion->frame_count - 1) / motion->frame_rate, from, to;
  if (def->from_node && fmax(options->from, options->to) > length + 0.5 / motion->frame_rate)
    return node_error(def->from_node, error, "the motion ends at %g s", length);
  options->loop = def->loop == LOOP_YES;
  if (def->loop == LOOP_NO || def->loop == LOOP_YES)
    return true;
  if (def->loop == LOOP_IF_CYCLE && motion->repeats != 0) {
    options->loop = motion->repeats > 0;
    return true;
  }
  if (motion_find_cycle(motion, map, skeleton, options->from, options->to, &from, &to) &&
      takes_cycle(def, motion, map, skeleton, from, to)) {
    options->loop = true;
    *is_cut = def->loop != LOOP_CYCLE && to - from < length - 0.5 / motion->frame_rate;
    options->from = from;
    options->to = to;
    return true;
  }
  return def->loop == LOOP_IF_CYCLE || node_error(def->loop_node, error, "nothing in this motion repeats");
}

// ---- Whether it fits ----

static const char REMEDY[] =
    "choose a body that is built like it, name the joints that match (`joints: {thigh_l: ...}`)";

// Refuses a figure that stands otherwise than the body, as one on four legs.
static bool check_posture(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton, Error *error) {
  char how[RETARGET_HOW_SIZE];
  if (retarget_posture_fits(motion, map, skeleton, how))
    return true;
  return error_set(
      error, "its figure stands otherwise than '%s': %s; %s, or play it nonetheless: `force: true` in a clip file",
      skeleton->name, how, REMEDY);
}

// Refuses a motion in which joints are far beyond their ranges for a while.
static bool check_ranges(const RetargetReport *report, const Skeleton *skeleton, Error *error) {
  char joints[400];
  bool fits = true;
  for (int i = 0; i < skeleton->count; i++)
    fits = fits && report->joint_far[i] < FOR_A_WHILE;
  if (fits)
    return true;
  retarget_excess_text(report, skeleton, WORTH_NAMING, joints, sizeof joints);
  return error_set(error,
                   "it goes so far beyond the ranges of '%s' that joints must be mismatched: %s; %s or its pose for "
                   "our bind pose (`reference`), or play it nonetheless: `force: true` in a clip file",
                   skeleton->name, joints, REMEDY);
}

// The file's name without folder and ending, for clips whose animation has no name.
static void name_after(char *name, size_t size, const char *path) {
  const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path, *dot = strrchr(start, '.');
  snprintf(name, size, "%.*s", dot ? (int)(dot - start) : (int)strlen(start), start);
}

static Clip *import_clip(FileSet *files, ImportDef *def, const File *found, const Skeleton *skeleton,
                         const RetargetLimits *limits, RetargetReport *report, Error *error) {
  const File *file = motion_gather(files, found, error);
  Motion *motion = file ? motion_read(file, &def->motion, error) : NULL;
  if (!motion)
    return NULL;
  RetargetMap map;
  Clip *clip = NULL;
  Error cause = {0};
  bool is_cut = false, good = check_reference(def, motion, &cause) &&
                              retarget_map(&map, motion, skeleton, def->joints, &cause) &&
                              (def->force || check_posture(motion, &map, skeleton, &cause)) &&
                              choose_span(def, motion, &map, skeleton, &is_cut, &cause);
  if (good)
    clip = retarget(motion, &map, skeleton, limits, &def->retarget, report, &cause);
  report->is_cut = is_cut;
  if (clip && !def->force && !check_ranges(report, skeleton, &cause)) {
    clip_free(clip);
    clip = NULL;
  }
  const char *yaml = def->file_node ? def->file_node->file : NULL;
  if (!clip && yaml && strncmp(cause.text, yaml, strlen(yaml)) == 0)
    error_set(error, "%s", cause.text); // the cause names the place already
  else if (!clip)
    error_at(error, file->path, 0, 0, "%s", cause.text);
  if (clip && def->name[0])
    snprintf(clip->name, sizeof clip->name, "%s", def->name);
  else if (clip && !clip->name[0])
    name_after(clip->name, sizeof clip->name, file->name);
  motion_free(motion);
  return clip;
}

static Clip *import_yaml(FileSet *files, const File *yaml, const Node *root, const Skeleton *skeleton,
                         const RetargetLimits *limits, RetargetReport *report, Error *error) {
  ImportDef def = import_def_default();
  if (!read_import(&def, root, skeleton, error))
    return NULL;
  const File *file = find_motion_file(files, yaml->name, &def, error);
  if (!file)
    return NULL;
  return import_clip(files, &def, file, skeleton, limits, report, error);
}

Clip *clip_load(FileSet *files, const char *name, const Skeleton *skeleton, const RetargetLimits *limits,
                RetargetReport *report, Error *error) {
  RetargetReport ignored;
  report = report ? report : &ignored;
  *report = (RetargetReport){0};
  const File *file = files_read(files, name, error);
  if (!file)
    return NULL;
  if (motion_is_known(name)) {
    ImportDef def = import_def_default();
    name_after(def.name, sizeof def.name, name);
    return import_clip(files, &def, file, skeleton, limits, report, error);
  }
  Document document;
  if (!motion_check_ending(name, error) || !document_read(&document, file->path, file, error))
    return NULL;
  Clip *clip = node_find(document.root, "import")
                   ? import_yaml(files, file, document.root, skeleton, limits, report, error)
                   : clip_read(files, name, skeleton, error);
  document_free(&document);
  return clip;
}

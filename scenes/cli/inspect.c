// stagger inspect: describes a scene, study, body, clip, skill, trace or motion file.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "anim/motion/motion.h"
#include "scenes/cli/cli.h"
#include "scenes/cli/inspect.h"
#include "scenes/description/scene_assets.h"
#include "scenes/description/scene_def.h"
#include "scenes/description/scene_list.h"
#include "scenes/description/scene_skill.h"
#include "scenes/output/explanations.h"
#include "scenes/run/trace_states.h"
#include "scenes/sweep/study.h"
#include "scenes/sweep/sweep_folder.h"
#include "sim/base/numbers.h"
#include "sim/trace/columns_hdf5.h"

#define DEFAULT_BODY "bodies/human.yaml" // of clips

static const UsageOption OPTIONS[] = {
    {.name = "body", .code = 'b', .value = "FILE.yaml", .doc = "body for a clip (default: " DEFAULT_BODY ")"},
    {.name = "animation",
     .code = 'a',
     .value = "NAME",
     .doc = "animation to describe, of a motion file with several (default: the first)"},
    {.name = "unit",
     .code = 'u',
     .value = "METRES",
     .doc = "unit of length of a motion file, m (default: derived from the height of the figure)"},
    {.name = "keys",
     .code = 'k',
     .doc = "of a scene: the keys that --set takes, each with value, range and meaning; of an event those of its kind"},
    USAGE_HELP_ROW,
};

const Usage inspect_usage = {
    .name = "stagger inspect",
    .summary = "describes the contents of a scene, study, body, clip, skill or trace",
    .forms = {"FILE [OPTION...]"},
    .argument = "SCENE|STUDY|SKILL|FILE",
    .text =
        "Describes the contents of a scene, study, body, clip, skill, trace or motion file (.bvh, .fbx, .gltf,\n"
        ".glb, .dae, .json, .npz), of a skill's network (.safetensors), of the folder of a study's results, or of its\n"
        "trials.h5. Of the files that come with Stagger a part of the name will do.",
    USAGE_OPTIONS(OPTIONS),
    .examples = {"stagger inspect hit_run.h5", "stagger inspect hit_run --keys | grep friction"},
};

// ---- Bodies ----

static void print_part(const BodyDef *body, const PartDef *part) {
  static const char *const kinds[] = {"root", "ball", "universal", "hinge"};
  printf("  %-14s %-14s %8.3f  %-9s", part->name, part->parent >= 0 ? body->parts[part->parent].name : "-", part->mass,
         kinds[part->joint.kind]);
  if (part->parent >= 0)
    printf(" %8.0f %9.0f %9.1f", part->joint.strength, part->joint.stiffness, part->joint.damping);
  if (part->joint.turned)
    printf("  turned by %.3g deg", length3(part->joint.turn));
  if (length3(part->joint.axis_strength) > 0)
    printf("  by axis %g, %g, %g N m", part->joint.axis_strength[0], part->joint.axis_strength[1],
           part->joint.axis_strength[2]);
  if (joint_has_armature(&part->joint))
    printf("  armature %g, %g, %g kg m^2", part->joint.armature[0], part->joint.armature[1], part->joint.armature[2]);
  putchar('\n');
}

static int inspect_body(FileSet *files, const char *path) {
  Error error = {0};
  BodyDef *body = body_read(files, path, &error);
  if (!body)
    return cli_error(&error);
  printf("%s: body %s\n  %.3f kg, %d parts, %d legs\n\n", path, body->name, body->mass, body->part_count,
         body->skeleton.leg_count);
  printf("  %-14s %-14s %8s  %-9s %8s %9s %9s\n", "part", "parent", "mass", "joint", "strength", "stiffness",
         "damping");
  printf("  %-14s %-14s %8s  %-9s %8s %9s %9s\n", "", "", "kg", "", "N m", "N m/rad", "N m s/rad");
  for (int i = 0; i < body->part_count; i++)
    print_part(body, &body->parts[i]);
  if (body->mass_warnings[0] != '\0' || body->warnings[0] != '\0')
    printf("\nWarnings\n%s%s\n", body->mass_warnings, body->warnings);
  body_free(body);
  return EXIT_DONE;
}

// ---- Clips ----

// For a recording that is longer than its clip, prints the part that the clip has.
static void print_part_taken(const Clip *clip, const RetargetReport *report) {
  const double taken = report->to - report->from;
  if (report->recorded - taken <= 1e-3)
    return;
  printf("  takes %.3f s of the recording's %.3f s: from %.3f to %.3f s%s\n", taken, report->recorded, report->from,
         report->to, clip->loop ? ", which repeat" : "");
  puts("  another part: a clip file with `import: FILE`, `from: S` and `to: S`, or `loop: false` for all of it");
}

// Prints any clip as the body plays it, including recorded motion.
static bool print_clip(FileSet *files, const char *path, const char *body_path, Error *error) {
  BodyDef *body = body_read(files, body_path, error);
  RetargetReport report = {0};
  RetargetLimits limits = {0};
  if (body)
    limits = scene_limits(body);
  Clip *clip = body ? clip_load(files, path, &body->skeleton, &limits, &report, error) : NULL;
  if (!clip) {
    body_free(body);
    return false;
  }
  printf("%s: clip %s for %s\n", path, clip->name, body->name);
  printf("  %.4f s, %s, %d keys\n", (double)clip->duration, clip->loop ? "loops" : "plays once", clip->key_count);
  const vec3s v = clip->root_velocity_l;
  printf("  root velocity %.3f left, %.3f up, %.3f forward m/s, turn rate %.3f deg/s\n", (double)v.x, (double)v.y,
         (double)v.z, (double)clip->root_turn_rate * 180 / M_PI);
  printf("  may be left from %.3f to %.3f s\n", (double)clip->safe_from, (double)clip->safe_to);
  if (clip->change_to > clip->change_from)
    printf("  changes the root's velocity from %.3f to %.3f s\n", (double)clip->change_from, (double)clip->change_to);
  for (int i = 0; i < clip->contact_count; i++)
    printf("  leg %s stands from %.3f to %.3f s\n", body->skeleton.legs[clip->contacts[i].leg].name,
           (double)clip->contacts[i].begin, (double)clip->contacts[i].end);
  for (int i = 0; i < clip->mark_count; i++)
    printf("  mark %s at %.3f s\n", clip->marks[i].name, (double)clip->marks[i].time);
  print_part_taken(clip, &report);
  if (report.scale > 0)
    printf("  recorded: way scaled by %.3f, standing feet slip at most %.1f mm and stand within %.1f mm of the ground, "
           "joints were up to %.0f deg beyond their ranges\n",
           report.scale, 1e3 * report.slip_max, 1e3 * report.ground_gap_max, report.limit_excess_max * 180 / M_PI);
  char joints[1024];
  if (retarget_excess_text(&report, &body->skeleton, 1 * M_PI / 180, joints, sizeof joints))
    printf("  joints beyond their ranges: %s\n", joints);
  clip_free(clip);
  body_free(body);
  return true;
}

static int inspect_clip(FileSet *files, const char *path, const char *body_path) {
  Error error = {0};
  if (print_clip(files, path, body_path, &error))
    return EXIT_DONE;
  const int code = cli_error(&error);
  if (strcmp(body_path, DEFAULT_BODY) == 0)
    fputs("this was read as a clip of " DEFAULT_BODY "; of another body: --body FILE\n", stderr);
  return code;
}

// ---- Traces ----

// Writes the shape of a dataset: rows and the values of a row, "361 x 16 x 3", or "361" for single values.
static void write_shape(TraceReader *reader, const char *path, char *text, size_t size) {
  long rows = 0;
  int row_size = 0, shape[2];
  trace_shape(reader, path, &rows, &row_size);
  if (!trace_channel_shape(reader, path, shape)) { // a list
    shape[0] = row_size > 1 ? row_size : 0;
    shape[1] = 0;
  }
  size_t length = (size_t)snprintf(text, size, "%8ld", rows);
  for (int i = 0; i < 2 && shape[i] > 0 && length < size; i++)
    length += (size_t)snprintf(text + length, size - length, " x %d", shape[i]);
}

static void print_dataset(void *context, const char *path) {
  TraceReader *reader = context;
  char shape[48], unit[32] = "", description[256] = "";
  write_shape(reader, path, shape, sizeof shape);
  trace_describe(reader, path, unit, description);
  printf("  %-48s %-18s %-6s %s\n", path, shape, unit, description);
}

static int inspect_trace(const char *path) {
  Error error = {0};
  TraceReader *reader = trace_open(path, &error);
  if (!reader)
    return cli_error(&error);
  printf("%s: trace\n", path);
  static const char *const attributes[] = {"scene_name", "seed",  "dt",     "frame_rate",
                                           "up_axis",    "units", "status", "stagger_version"};
  for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
    printf("  %-16s %s\n", attributes[i], trace_text(reader, attributes[i]));
  int frames = trace_frame_count(reader);
  double last = 0;
  if (frames > 0)
    trace_read_column(reader, "/time", TRACE_FLOAT64, frames - 1, 1, &last, &error);
  printf("  %-16s %d, up to %.4f s\n", "frames", frames, last);
  double first_state, last_state;
  const int states = trace_states_count(reader, &first_state, &last_state);
  if (states > 0)
    printf("  %-16s %d, from %.4f s to %.4f s: stagger run --from %s@%.4g\n", "states", states, first_state, last_state,
           path, last_state);
  inspect_states(reader);
  putchar('\n');
  trace_visit(reader, print_dataset, reader);
  trace_reader_close(reader);
  return EXIT_DONE;
}

// ---- Motion files ----

enum { MAX_ANIMATIONS = 256, MAX_TREE_DEPTH = 40 };

static void print_joints(const Motion *motion, int parent, int depth) {
  for (int j = parent + 1; j < motion->joint_count; j++) {
    if (motion->joints[j].parent != parent)
      continue;
    const vec3s p = motion->joints[j].bind_position_l;
    printf("  %*s%-*s %8.3f %8.3f %8.3f\n", 2 * depth, "", 40 - (depth < 15 ? 2 * depth : 30), motion->joints[j].name,
           (double)p.x, (double)p.y, (double)p.z);
    if (depth < MAX_TREE_DEPTH)
      print_joints(motion, j, depth + 1);
  }
}

// The bounding box of all joints in the rest pose and in all frames.
typedef struct Extent {
  vec3s low, high;
} Extent;

static Extent motion_box(const Motion *motion, int first, int last) {
  Extent box = {{{INFINITY, INFINITY, INFINITY}}, {{-INFINITY, -INFINITY, -INFINITY}}};
  vec3s positions[MOTION_MAX_JOINTS];
  versors rotations[MOTION_MAX_JOINTS];
  for (int f = first; f <= last; f++) {
    motion_place(motion, f, positions, rotations);
    for (int j = 0; j < motion->joint_count; j++) {
      box.low = glms_vec3_minv(box.low, positions[j]);
      box.high = glms_vec3_maxv(box.high, positions[j]);
    }
  }
  return box;
}

static void print_motion(const char *path, const Motion *motion) {
  static const char *const axes[] = {"+x", "+y", "+z", "-x", "-y", "-z"};
  const int last = motion->frame_count - 1;
  const Extent start = motion_box(motion, 0, 0), all = motion_box(motion, 0, last);
  const vec3s from = motion->position_l[0], to = motion->position_l[(size_t)last * (size_t)motion->joint_count];
  printf("%s: motion, %s\n", path, motion->format);
  printf("  animation  %s\n", motion->name[0] != '\0' ? motion->name : "(without a name)");
  printf("  frames     %d at %.6g Hz, %.4f s\n", motion->frame_count, motion->frame_rate, last / motion->frame_rate);
  printf("  joints     %d\n", motion->joint_count);
  printf("  unit       %.6g m: %s\n", motion->found.unit, motion->unit_reason);
  printf("  up         %s: %s\n", axes[motion->found.up_axis], motion->up_reason);
  printf("  front      %s: %s\n", axes[motion->found.front_axis], motion->front_reason);
  printf("  size       %.2f m wide, %.2f m high, %.2f m deep in the first frame; %.2f to %.2f m high in all\n",
         (double)(start.high.x - start.low.x), (double)(start.high.y - start.low.y),
         (double)(start.high.z - start.low.z), (double)all.low.y, (double)all.high.y);
  printf("  way        %.2f m left, %.2f m up, %.2f m forward, of joint %s\n", (double)(to.x - from.x),
         (double)(to.y - from.y), (double)(to.z - from.z), motion->joints[0].name);
}

static int inspect_motion(FileSet *files, const char *path, const char *body, const MotionOptions *wanted) {
  Error error = {0};
  static char names[MAX_ANIMATIONS][MOTION_NAME_SIZE];
  const File *file = motion_gather(files, files_read(files, path, &error), &error);
  Motion *motion = file ? motion_read(file, wanted, &error) : NULL;
  const int count = motion ? motion_list(file, names, MAX_ANIMATIONS, &error) : 0;
  if (!motion || count < 0) {
    motion_free(motion);
    return cli_error(&error);
  }
  print_motion(path, motion);
  if (count > 1) {
    printf("\nAnimations in the file (--animation NAME)\n");
    for (int i = 0; i < count; i++)
      printf("  %s\n", names[i]);
  }
  printf("\nJoints, and where they are in their parent's frame in the rest pose, m\n");
  print_joints(motion, -1, 0);
  if (motion->warnings[0] != '\0')
    printf("\nWarnings\n%s", motion->warnings);
  motion_free(motion);
  putchar('\n');
  Error problem = {0};
  if (!print_clip(files, path, body, &problem))
    printf("Not for the body of %s: %s\n", body, problem.text);
  return EXIT_DONE;
}

// ---- Choice by content ----

// Writes the names of the files that come with Stagger and have a text in their names. Returns their number.
static int names_with(const char *text, char *names, size_t size) {
  static const char *const folders[] = {"bodies", "clips", "graphs", "planners", "skills"};
  enum { LISTS = 2 + sizeof folders / sizeof folders[0] };
  int count = 0;
  size_t length = 0;
  for (int i = 0; i < LISTS && text[0] != '\0'; i++) {
    SceneList list = {0};
    const bool good = i == 0   ? scene_list_read(&list, NULL)
                      : i == 1 ? study_list_read(&list, NULL)
                               : asset_list_read(&list, folders[i - 2], NULL);
    for (int k = 0; k < list.count && good; k++) {
      if (!strcasestr(list.entries[k].name, text))
        continue;
      if (length < size)
        length += (size_t)snprintf(names + length, size - length, "%s%s", count ? ", " : "", list.entries[k].name);
      count++;
    }
    scene_list_free(&list);
  }
  return count;
}

static int inspect_yaml(const char *path, const char *body_path) {
  Error error = {0};
  FileSet files = {0};
  Document document;
  const File *file = scene_find(&files, path, &error);
  int code = EXIT_BAD_INPUT, similar;
  char names[4096];
  if (study_is_study(path)) {
    code = inspect_study(path);
  } else if (!file && (similar = names_with(path, names, sizeof names)) > 0) {
    Error several = {0};
    error_set(&several, "%s: there is no such file; %d have it in their names: %s", path, similar, names);
    code = similar == 1 ? inspect_yaml(names, body_path) : cli_error(&several);
  } else if (!file || !document_read(&document, path, file, &error)) {
    cli_error(&error);
  } else {
    const Node *root = document.root;
    if (node_find(root, "characters") || node_find(root, "output") || node_find(root, "fuzzy") ||
        node_find(root, "policy"))
      code = inspect_scene(path); // describes the last three kinds as such: a graph, a planner, a policy
    else if (scene_skill_describes(root))
      code = inspect_skill(path);
    else if (node_find(root, "parts"))
      code = inspect_body(&files, path);
    else if (node_find(root, "root_position") || node_find(root, "import") || node_find(root, "joints") != NULL)
      code = inspect_clip(&files, path, body_path);
    else
      explained_printf(stderr,
                       "%s: is not a scene (characters), a study (axes), a body (parts), a clip (joints), a skill "
                       "(network) or a trace (HDF5)",
                       path);
    document_free(&document);
  }
  files_free(&files);
  return code;
}

// Reads a unit in m; false when the text is not one.
static bool read_unit(const char *text, double *unit) {
  char *end;
  *unit = strtod(text, &end);
  return end != text && *end == '\0' && *unit >= 1e-6 && *unit <= 1e6;
}

int command_inspect(int argc, char **argv) {
  const char *body = DEFAULT_BODY;
  MotionOptions motion = motion_options_default();
  bool keys = false;
  for (int option; (option = cli_option(argc, argv, &inspect_usage)) != -1;) {
    if (option == 'b')
      body = optarg;
    else if (option == 'a')
      snprintf(motion.animation, sizeof motion.animation, "%s", optarg);
    else if (option == 'k')
      keys = true;
    else if (option == 'u' && !read_unit(optarg, &motion.unit))
      return cli_usage_error(argv[0], "--unit %s is no length in m, allowed: 1e-6 to 1e6", optarg);
    else if (option == 'h')
      usage_print(&inspect_usage, stdout);
    if (option == 'h' || option == '?')
      return option == 'h' ? EXIT_DONE : EXIT_BAD_INPUT;
  }
  if (argc - optind != 1)
    return cli_usage_error(argv[0], argc == optind ? "a file is missing" : "more than one file");
  const char *path = argv[optind];
  if (keys)
    return inspect_keys(path);
  Error error = {0};
  if (!motion_check_ending(path, &error))
    return cli_error(&error);
  if (motion_is_known(path)) {
    FileSet files = {0};
    const int code = inspect_motion(&files, path, body, &motion);
    files_free(&files);
    return code;
  }
  struct stat found;
  if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
    return inspect_folder(path);
  const char *suffix = strrchr(path, '.');
  if (suffix && strcmp(suffix, ".safetensors") == 0)
    return inspect_tensors(path);
  if (!trace_is_hdf5(path) && (!suffix || strcmp(suffix, ".h5") != 0)) {
    char folder[SWEEP_PATH_SIZE];
    return sweep_folder_of(path, folder) ? inspect_folder(folder) : inspect_yaml(path, body);
  }
  return columns_are_hdf5(path, TABLE_FORMAT) ? inspect_trials(path) : inspect_trace(path);
}

// stagger body: makes a body file of a rigged character or of a model of MuJoCo, and models of MuJoCo and glTF with
// rigid bodies of bodies.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ragdoll/body/body_mjcf.h"
#include "ragdoll/body/body_rig.h"
#include "ragdoll/body/body_write.h"
#include "ragdoll/body/link_body.h"
#include "ragdoll/body/mjcf_read.h"
#include "ragdoll/body/urdf_read.h"
#include "scenes/cli/cli.h"
#include "scenes/export/body_glb.h"
#include "scenes/output/output_file.h"

static const UsageOption OPTIONS[] = {
    {.name = "out",
     .code = 'o',
     .letter = true,
     .value = "FILE",
     .doc = "body file (.yaml), model of MuJoCo (.xml) or glTF with rigid bodies (.glb) to write; an older one that "
            "Stagger has written is replaced"},
    {.name = "height",
     .code = 'H',
     .value = "METRES",
     .doc = "height to which the character is scaled, 0.3 to 10 (default: its own)"},
    {.name = "mass",
     .code = 'm',
     .value = "KG",
     .doc = "mass, 1 to 3000 (default: 75 kg at 1.75 m, in proportion to the height squared)"},
    {.name = "joints",
     .code = 'j',
     .value = "FILE",
     .doc = "YAML file with `joints: {thigh_l: Bone_017}`, a part and the rig's joint or the model's link, for those "
            "not found by "
            "their names; clips have the same table"},
    {.name = "base",
     .code = 'b',
     .value = "FILE",
     .doc = "body that is changed, or whose names a model's parts get (default: bodies/human.yaml)"},
    {.name = "unit",
     .code = 'u',
     .value = "METRES",
     .doc = "unit of length of the file (default: estimated from the height of the figure)"},
    {.name = "as-is",
     .code = 'a',
     .doc =
         "of a model, keeps the names, the pose and each link with a joint: nothing is fitted to a human, and robots' "
         "hinges are not joined"},
    USAGE_HELP_ROW,
};

const Usage body_usage = {
    .name = "stagger body",
    .summary = "makes a body of a rigged character (glTF, FBX, Collada) or of a model of MuJoCo; writes bodies as such",
    .forms = {"RIG -o BODY.yaml [OPTION...]", "MODEL.xml|MODEL.urdf -o BODY.yaml [--base FILE | --as-is]",
              "BODY.yaml -o MODEL.xml|MODEL.glb"},
    .argument = "FILE",
    .text =
        "Makes a body of a rigged character with a skin (.glb, .gltf, .vrm, .fbx, .dae): the human with the "
        "character's\n"
        "lengths and thickness, standing with hanging arms. It has the parts of bodies/human.yaml, so that clips,\n"
        "graphs, hits and balance apply to it. Of the skin only sizes are taken, not the looks.\n"
        "Of a model of MuJoCo (MJCF, .xml) or a robot (.urdf) the masses, inertias, joints, ranges, strengths and "
        "shapes are taken. One\n"
        "with a human's limbs gets the names of bodies/human.yaml and hanging arms, unless it is taken --as-is. What "
        "is\n"
        "changed is told.\n"
        "A written model of MuJoCo has the masses, inertias, joints, limits, strengths, stiffness, damping and shapes\n"
        "of a body, or of the one made of a rig. A ball joint is three hinges there, and reflexes are left out. A "
        "glTF\n"
        "binary has the same for game engines, by the extensions KHR_physics_rigid_bodies and KHR_implicit_shapes.",
    USAGE_OPTIONS(OPTIONS),
    .notes = "exit status: 0 written, 2 bad usage or input, nothing was written, 3 the file could not be written",
    .examples = {"stagger body knight.glb -o knight.yaml --height 1.8",
                 "stagger run stand_push --set characters.man.body=$PWD/knight.yaml",
                 "stagger body humanoid.xml -o humanoid.yaml", "stagger body bodies/human.yaml -o human.glb"},
};

typedef struct Options {
  const char *rig, *out, *joints, *base;
  RigOptions figure;
  double unit; // m; 0: estimated
  bool as_is;
} Options;

static bool read_number(const char *text, const char *command, const char *name, double least, double most,
                        double *value) {
  char *end;
  *value = strtod(text, &end);
  if (*text != '\0' && *end == '\0' && *value >= least && *value <= most)
    return true;
  cli_usage_error(command, "%s is '%s', allowed are numbers from %g to %g", name, text, least, most);
  return false;
}

// Whether a file is a model of the simulation world.
static bool is_model(const char *path) {
  return output_has_ending(path, ".xml") || output_has_ending(path, ".urdf") || output_has_ending(path, ".xacro");
}

// What is to be written, by the file's ending.
static OutputKind output_kind(const Options *options) {
  return output_has_ending(options->out, ".xml")   ? OUTPUT_MJCF
         : output_has_ending(options->out, ".glb") ? OUTPUT_GLB
                                                   : OUTPUT_BODY;
}

// True to continue; otherwise *code is the exit code.
static bool read_options(Options *options, int argc, char **argv, int *code) {
  *code = EXIT_BAD_INPUT;
  bool good = true;
  for (int option; good && (option = cli_option(argc, argv, &body_usage)) != -1;) {
    if (option == 'o')
      options->out = optarg;
    else if (option == 'j')
      options->joints = optarg;
    else if (option == 'b')
      options->base = optarg;
    else if (option == 'a')
      options->as_is = true;
    else if (option == 'H')
      good = read_number(optarg, argv[0], "--height", 0.3, 10, &options->figure.height);
    else if (option == 'm')
      good = read_number(optarg, argv[0], "--mass", 1, 3000, &options->figure.mass);
    else if (option == 'u')
      good = read_number(optarg, argv[0], "--unit", 1e-6, 1e3, &options->unit);
    else
      good = false;
    if (option == 'h') {
      usage_print(&body_usage, stdout);
      *code = EXIT_DONE;
    }
  }
  options->rig = good ? cli_only_argument(argc, argv, "rig") : NULL;
  if (options->rig && !options->out)
    cli_usage_error(argv[0], "-o BODY.yaml is missing");
  if (!options->rig || !options->out)
    return false;
  const bool is_body = output_has_ending(options->rig, ".yaml");
  if (options->as_is && !is_model(options->rig)) {
    cli_usage_error(argv[0], "--as-is is for models (.xml, .urdf), and %s is none", options->rig);
    return false;
  }
  if (!is_body && !is_model(options->rig))
    return true;
  if (is_body && output_kind(options) == OUTPUT_BODY) {
    cli_usage_error(argv[0],
                    "%s is a body already: of it a model of MuJoCo can be made, -o MODEL.xml, or a glTF with rigid "
                    "bodies, -o MODEL.glb",
                    options->rig);
    return false;
  }
  if (options->joints && (is_body || options->as_is)) {
    cli_usage_error(argv[0], "--joints is for rigs and for models that are fitted to a human, and %s is %s",
                    options->rig, is_body ? "a body" : "taken --as-is");
    return false;
  }
  if (options->figure.height > 0 || options->figure.mass > 0 || options->unit > 0) {
    cli_usage_error(argv[0], "--height, --mass and --unit are for rigs, and %s is a %s", options->rig,
                    is_body ? "body" : "model");
    return false;
  }
  return true;
}

// The file's name without folder and ending, with letters that names may have.
static void name_after(char name[SKELETON_NAME_SIZE], const char *path) {
  const char *slash = strrchr(path, '/');
  size_t length = 0;
  for (const char *c = slash ? slash + 1 : path; *c != '\0' && *c != '.' && length < SKELETON_NAME_SIZE - 8; c++) {
    if (length == 0 && !isalpha((unsigned char)*c))
      continue;
    name[length++] = isalnum((unsigned char)*c) ? *c : '_';
  }
  name[length] = '\0';
  if (length == 0)
    snprintf(name, SKELETON_NAME_SIZE, "figure");
}

static Motion *read_rig(FileSet *files, const Options *options, Error *error) {
  MotionOptions how = motion_options_default();
  how.skin = true;
  how.unit = options->unit;
  if (!motion_is_known(options->rig)) {
    error_set(error, "%s: is not of a known format: a rig is a .glb, .gltf, .vrm, .fbx or .dae file", options->rig);
    return NULL;
  }
  const File *file = motion_gather(files, files_read(files, options->rig, error), error);
  return file ? motion_read(file, &how, error) : NULL;
}

// Finds the rig's joints and changes the body. Errors name the rig, unless they name the file of joints.
static bool make_body(BodyDef *body, const Motion *rig, const Node *joints, const Options *options, Error *error) {
  RetargetMap map;
  Error cause = {0};
  if (retarget_map(&map, rig, &body->skeleton, joints, &cause) &&
      body_from_rig(body, rig, &map, &options->figure, &cause))
    return true;
  if (joints && strncmp(cause.text, options->joints, strlen(options->joints)) == 0)
    return error_set(error, "%s", cause.text);
  return error_at(error, options->rig, 0, 0, "%s", cause.text);
}

static bool write_glb(const BodyDef *body, const Options *options, Error *error) {
  char *bytes;
  size_t size;
  const bool good = body_write_glb(body, &bytes, &size) ? output_write(options->out, bytes, size, error)
                                                        : error_set(error, "%s: out of memory", options->out);
  free(bytes);
  return good;
}

static bool write_body(const BodyDef *body, const Options *options, Error *error) {
  if (output_kind(options) == OUTPUT_GLB)
    return write_glb(body, options, error);
  TextBuffer text = {0};
  if (output_kind(options) == OUTPUT_MJCF)
    body_write_mjcf(body, &text);
  else
    body_write(
        body,
        is_model(options->rig)
            ? "A body made by `stagger body` from a model of another program.\n"
              "Frame: X left, Y up, Z forward; m, kg, kg m^2, deg."
            : "A body made by `stagger body` from a rigged character. Lengths are those of its bones and its skin; "
              "shares "
              "of\n"
              "mass (de Leva 1996), strengths, stiffness and ranges of motion are those of bodies/human.yaml, scaled.\n"
              "Frame: X left, Y up, Z forward; m, kg, kg m^2, deg.",
        &text);
  const bool good = text.failed ? error_set(error, "%s: out of memory", options->out)
                                : output_write(options->out, text.bytes, text.size, error);
  text_free(&text);
  return good;
}

// rig: NULL for a body that was none.
static void print_result(const BodyDef *body, const Motion *rig, const Options *options) {
  double top = 0;
  for (int i = 0; i < body->part_count; i++)
    for (int k = 0; k < body->parts[i].shape_count; k++)
      top = fmax(top, body->parts[i].shapes[k].center_m[1] + shape_half_size(&body->parts[i].shapes[k], 1));
  printf("%s: body %s, %.2f m, %.1f kg", options->out, body->name, top, body->mass);
  if (rig)
    printf(", legs of %.3f m; from %d joints and %d vertices",
           (double)skeleton_leg_length(&body->skeleton, &body->skeleton.legs[0]), rig->joint_count, rig->vertex_count);
  printf("\n");
}

// Reads the table of joints, if there is one. document: to be freed by the caller, also on error.
static bool read_joints(FileSet *files, const char *path, Document *document, const Node **joints, Error *error) {
  *joints = NULL;
  if (!path)
    return true;
  const File *file = files_read(files, path, error);
  if (!file || !document_read(document, path, file, error))
    return false;
  *joints = node_find(document->root, "joints");
  return *joints || node_error(document->root, error, "missing 'joints', a table such as {thigh_l: Bone_017}");
}

static bool make_of_rig(const Options *options, FileSet *files, const Node *joints, Error *error) {
  Motion *rig = read_rig(files, options, error);
  BodyDef *body = rig ? body_read(files, options->base, error) : NULL;
  bool good = body && make_body(body, rig, joints, options, error);
  if (good) {
    name_after(body->name, options->rig);
    good = write_body(body, options, error);
  }
  if (good)
    print_result(body, rig, options);
  body_free(body);
  motion_free(rig);
  return good;
}

static bool make_of_body(const Options *options, FileSet *files, Error *error) {
  BodyDef *body = body_read(files, options->rig, error);
  const bool good = body && write_body(body, options, error);
  if (good)
    print_result(body, NULL, options);
  body_free(body);
  return good;
}

// Warns of what the model's notes tell.
static void print_notes(const Options *options, const LinkModel *model) {
  for (const char *note = model->notes.bytes; note && *note != '\0';) {
    const size_t length = strcspn(note, "\n");
    fprintf(stderr, "%s: note: %.*s\n", options->rig, (int)length, note);
    note += length + (note[length] == '\n');
  }
}

// By the first element, whatever the ending is.
static bool read_model(LinkModel *model, XmlDocument *document, FileSet *files, Error *error) {
  return xml_is(document->root, "robot")
             ? urdf_read(model, document, error)
             : (!xml_is(document->root, "mujoco") || mjcf_include(model, document, files, error)) &&
                   mjcf_read(model, document, error);
}

static bool make_of_model(const Options *options, FileSet *files, const Node *joints, Error *error) {
  const File *file = files_read(files, options->rig, error);
  BodyDef *human = file ? body_read(files, options->base, error) : NULL;
  LinkModel *model = human ? calloc(1, sizeof *model) : NULL;
  XmlDocument document = {0};
  BodyDef *body = NULL;
  if (human && !model)
    error_set(error, "out of memory");
  if (model) {
    model->as_is = options->as_is;
    model->joints = joints;
  }
  if (model && xml_parse(&document, options->rig, file->bytes, file->size, error) &&
      read_model(model, &document, files, error)) {
    name_after(model->name, options->rig);
    Error cause = {0};
    body = link_body(model, options->as_is ? NULL : human, &cause);
    const bool has_place = strncmp(cause.text, options->rig, strlen(options->rig)) == 0 ||
                           (options->joints && strncmp(cause.text, options->joints, strlen(options->joints)) == 0);
    if (!body && has_place)
      error_set(error, "%s", cause.text);
    else if (!body)
      error_at(error, options->rig, 0, 0, "%s", cause.text);
    print_notes(options, model);
  }
  const bool good = body && write_body(body, options, error);
  if (good)
    print_result(body, NULL, options);
  body_free(body);
  body_free(human);
  if (model)
    text_free(&model->notes);
  free(model);
  xml_free(&document);
  return good;
}

static bool make(const Options *options, FileSet *files, const Node *joints, Error *error) {
  if (is_model(options->rig))
    return make_of_model(options, files, joints, error);
  return output_has_ending(options->rig, ".yaml") ? make_of_body(options, files, error)
                                                  : make_of_rig(options, files, joints, error);
}

int command_body(int argc, char **argv) {
  Options options = {.base = "bodies/human.yaml"};
  int code;
  if (!read_options(&options, argc, argv, &code))
    return code;
  Error error = {0};
  FileSet files = {0};
  Document document = {0};
  const Node *joints;
  const bool good = output_check(options.out, output_kind(&options), &error) &&
                    read_joints(&files, options.joints, &document, &joints, &error) &&
                    make(&options, &files, joints, &error);
  if (document.root)
    document_free(&document);
  files_free(&files);
  return good ? EXIT_DONE : cli_error(&error);
}

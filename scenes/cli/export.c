// stagger export: converts a trace for other programs.
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "scenes/cli/cli.h"
#include "scenes/cli/export_traces.h"
#include "scenes/description/lookup.h"
#include "scenes/export/export.h"
#include "scenes/export/export_rig.h"

// The formats of files, for the table of options.
static const char *format_name(int index, const char **meaning) {
  *meaning = export_formats[index].doc;
  return export_formats[index].name;
}

static const UsageOption OPTIONS[] = {
    {.name = "out",
     .code = 'o',
     .letter = true,
     .value = "FILE",
     .doc = "file to write; an older file of the same kind is replaced"},
    {.name = "to",
     .code = 't',
     .value = "FORMAT",
     .doc = "format; may be left out if FILE ends in it:",
     .choice = format_name},
    {.name = "character",
     .code = 'c',
     .value = "NAME",
     .doc = "character to export; default: all (glb, csv, mcap) or the first"},
    {.name = "pose",
     .code = 'p',
     .value = "output|target|measured",
     .doc = "output: the pose that is shown (default); target: the pose that the drives aim at; measured: the joint "
            "angles and root of the physical body. csv has all three"},
    {.name = "table",
     .code = 'b',
     .value = "NAME",
     .doc = "table of csv: joints (default), parts, character, contacts, ... or all"},
    {.name = "rig",
     .code = 'r',
     .value = "RIG.glb",
     .doc = "write the motion onto the bones of this rig (.glb, or .gltf with its buffers in it or beside it), as a "
            "glTF binary"},
    {.name = "joints",
     .code = 'j',
     .value = "FILE",
     .doc = "with --rig: YAML file with `joints: {thigh_l: Bone_017}` for joints that are not found by their names, as "
            "`stagger body` takes it"},
    USAGE_HELP_ROW,
};

const Usage export_usage = {
    .name = "stagger export",
    .summary = "writes the motion of a trace for other programs: glTF, BVH, CSV, OpenSim, C3D, NumPy, MCAP",
    .forms = {"TRACE.h5 -o FILE [options]", "TRACE.h5|FOLDER --rig RIG.glb -o FILE.glb [options]"},
    .argument = "TRACE.h5",
    .text = "Writes the motion in a trace to a file for other programs, then reads the file back and prints the\n"
            "differences from the trace. The file has the frames of the trace.",
    USAGE_OPTIONS(OPTIONS),
    .notes =
        "Lengths are in metres (bvh: centimetres; trc, c3d: millimetres); Y is up, Z forward, X left (sto, mot,\n"
        "trc: X forward, Z right, as in OpenSim; c3d, mcap: X forward, Y left, Z up). Bones keep their length: gaps "
        "of\n"
        "a few mm that a hit opens between two parts of the physical body are not in the measured pose. Positions\n"
        "of parts are in the table parts of csv. Markers of trc, c3d and npz: PART is the joint by which a part\n"
        "hangs on its parent, FOOT.heel and FOOT.toe are the edges of a sole, PART.end is the far end of a last\n"
        "part. Ground forces are in sto, and in c3d as those of force plates of type 2 under each foot, mean since "
        "the\n"
        "frame before: N and N mm in axes x forward, y right, z down, of the ground on the body, so that Fz is\n"
        "negative. The arrays poses and trans of npz are those of AMASS: Z is up.\n"
        "Of an incomplete trace the frames that it has are written.\n"
        "A rig keeps its nodes, meshes, skins and materials; its animations give way to one of each trace. The traces "
        "of\n"
        "a study (FOLDER) come in one file, by their names. Bones that no part stands for keep their rest pose. The "
        "rig's\n"
        "size is its own: positions are scaled by the length of the legs, and its soles stand on the ground.\n\n"
        "exit status: 0 written, 2 bad usage or input, nothing was written, 3 the file could not be written",
    .examples = {"stagger export hit_run.h5 -o hit_run.glb",
                 "stagger export hit_run.h5 -o runner.bvh --character runner --pose measured",
                 "stagger export hit_run.h5 -o markers.c3d --pose measured",
                 "stagger export terrain_100 --rig knight.glb -o reactions.glb"},
};

typedef struct Options {
  const char *trace, *to, *out, *pose, *rig, *joints;
  ExportOptions export;
} Options;

// True to continue; otherwise *code is the exit code.
static bool read_options(Options *options, int argc, char **argv, int *code) {
  *code = EXIT_BAD_INPUT;
  for (int option; (option = cli_option(argc, argv, &export_usage)) != -1;) {
    switch (option) {
    case 't':
      options->to = optarg;
      break;
    case 'o':
      options->out = optarg;
      break;
    case 'p':
      options->pose = optarg;
      break;
    case 'c':
      options->export.character = optarg;
      break;
    case 'b':
      options->export.table = optarg;
      break;
    case 'r':
      options->rig = optarg;
      break;
    case 'j':
      options->joints = optarg;
      break;
    case 'h':
      usage_print(&export_usage, stdout);
      *code = EXIT_DONE;
      return false;
    default:
      return false;
    }
  }
  options->trace = cli_only_argument(argc, argv, "trace");
  if (options->trace && !options->out)
    cli_usage_error(argv[0], "-o FILE is missing");
  return options->trace && options->out;
}

// The format, by its name or by the ending of the file.
static const ExportFormat *find_format(const Options *options, Error *error) {
  const char *names[16] = {NULL};
  for (int i = 0; i < export_format_count; i++)
    names[i] = export_formats[i].name;
  if (options->to) {
    const int index = lookup_name("format", options->to, "", names, export_format_count, error);
    return index >= 0 ? &export_formats[index] : NULL;
  }
  const char *ending = strrchr(options->out, '.');
  for (int i = 0; i < export_format_count && ending; i++)
    if (strcasecmp(ending + 1, names[i]) == 0)
      return &export_formats[i];
  char all[128] = "";
  for (int i = 0; i < export_format_count; i++)
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "", names[i]);
  error_set(error, "%s: the extension is not that of a format: give one with --to (%s)", options->out, all);
  return NULL;
}

static bool find_pose(Options *options, Error *error) {
  options->export.pose = TRACE_POSE_OUTPUT;
  if (!options->pose)
    return true;
  const int index = lookup_name("pose", options->pose, "", trace_pose_names, TRACE_POSE_COUNT, error);
  options->export.pose = (TracePose)index;
  return index >= 0;
}

// A recorded motion that the run has used must not be overwritten by an export of the run.
static bool check_source(const Options *options, const SceneDef *def, Error *error) {
  for (int i = 0; i < def->files.count; i++)
    if (output_is_same(options->out, def->files.files[i].name))
      return error_set(error, "%s: is a file that the scene of the trace names, so it is not replaced", options->out);
  return true;
}

static bool make(const Options *options, const ExportFormat *format, ExportResult *result, Error *error) {
  TraceReader *reader = trace_open(options->trace, error);
  SceneDef *def = reader ? scene_def_from_trace(reader, error) : NULL;
  const bool good =
      def && check_source(options, def, error) && format->make(reader, def, &options->export, result, error);
  if (good && strncmp(trace_text(reader, "status"), "complete", strlen("complete")) != 0)
    fprintf(stderr, "%s: the run's status is '%s': the recorded part is exported\n", options->trace,
            trace_text(reader, "status"));
  scene_def_free(def);
  trace_reader_close(reader);
  return good;
}

// Prints what was written to standard output, unless the file itself goes there.
static int write_result(const Options *options, const ExportFormat *format, const ExportResult *result) {
  Error error = {0};
  if (!(result->file ? output_copy(options->out, result->file, &error)
                     : output_write(options->out, result->bytes, result->size, &error))) {
    cli_error(&error);
    return EXIT_STOPPED;
  }
  FILE *stream = output_is_same(options->out, "/dev/stdout") ? stderr : stdout;
  fprintf(stream, "%s: %s of %.1f kB%s%s\n", options->out, format->file_kind, (double)result->size / 1000,
          result->contents[0] != '\0' ? ": " : "", result->contents);
  if (result->round_trip[0] != '\0')
    fprintf(stream, "%s\n", result->round_trip);
  return EXIT_DONE;
}

// ---- Onto a rig ----

static bool make_on_rig(const Options *options, ExportTraces *traces, ExportResult *result, Error *error) {
  const RigExport rig = {.rig = options->rig,
                         .joints = options->joints,
                         .character = options->export.character,
                         .pose = options->export.pose};
  struct stat found;
  if (stat(options->trace, &found) != 0 || !S_ISDIR(found.st_mode))
    return export_rig(&options->trace, NULL, 1, &rig, result, error);
  return export_traces_find(traces, options->trace, error) &&
         export_rig((const char *const *)traces->paths, (const char *const *)traces->settings, traces->count, &rig,
                    result, error);
}

static void print_settings(const ExportTraces *traces) {
  for (int i = 0; i < traces->count; i++) {
    const char *name = strrchr(traces->paths[i], '/') + 1;
    if (traces->settings[i][0] != '\0')
      printf("%.*s: %s\n", (int)(strlen(name) - strlen(".h5")), name, traces->settings[i]);
  }
}

int command_export(int argc, char **argv) {
  Options options = {0};
  int code;
  if (!read_options(&options, argc, argv, &code))
    return code;
  Error error = {0};
  const ExportFormat *format = find_format(&options, &error);
  const bool is_table = format && strcmp(format->name, "csv") == 0;
  if (format && options.export.table && !is_table)
    return cli_usage_error(argv[0], "--table is for csv, not for %s", format->name);
  if (is_table && options.pose)
    return cli_usage_error(argv[0], "--pose is not for csv, whose tables have all poses");
  if (format && options.rig && strcmp(format->name, "glb") != 0)
    return cli_usage_error(argv[0], "--rig is for glb, not for %s", format->name);
  if (options.joints && !options.rig)
    return cli_usage_error(argv[0], "--joints needs --rig RIG.glb");
  if (options.rig && output_is_same(options.out, options.rig))
    return cli_usage_error(argv[0], "%s is the rig, so it is not replaced", options.out);
  ExportResult result = {0};
  ExportTraces traces = {0};
  if (format && find_pose(&options, &error) && output_check(options.out, format->output, &error) &&
      (options.rig ? make_on_rig(&options, &traces, &result, &error) : make(&options, format, &result, &error)))
    code = write_result(&options, format, &result);
  else
    code = cli_error(&error);
  if (code == EXIT_DONE)
    print_settings(&traces);
  export_traces_free(&traces);
  free(result.bytes);
  if (result.file)
    fclose(result.file);
  return code;
}

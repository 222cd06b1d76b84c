// stagger inspect: what is in a scene, body, clip or trace.
#include <math.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/scene_def.h"

static const char HELP[] = "usage: stagger inspect FILE [--body BODY.yaml]\n\n"
                           "Tells what is in a scene, body, clip or trace; which one it is shows in its content.\n\n"
                           "  --body FILE   body that a clip is meant for (default: bodies/human.yaml)\n"
                           "  --help        this text\n\n"
                           "example: stagger inspect hit_run.h5\n";

// Scenes.

// Every parameter that is not at its default.
static void print_section(const char *title, const ParamTable *table, const void *values) {
  _Alignas(max_align_t) char defaults[1 << 14] = {0};
  if (table->size > sizeof defaults)
    return;
  param_defaults(table, defaults);
  for (int i = 0; i < table->count; i++) {
    char value[PARAM_TEXT_SIZE + 32], standard[PARAM_TEXT_SIZE + 32];
    param_write_row(&table->rows[i], values, value, sizeof value);
    param_write_row(&table->rows[i], defaults, standard, sizeof standard);
    const char *unit = table->rows[i].type == PARAM_CHOICE ? "" : table->rows[i].unit;
    if (strcmp(value, standard) != 0)
      printf("  %s%s%s = %s%s%s\n", title, title[0] != '\0' ? "." : "", table->rows[i].name, value,
             unit[0] != '\0' ? " " : "", unit);
  }
}

static void print_character(const CharacterDef *character) {
  printf("  character %s: body %s, %.2f kg, %d parts\n", character->name, character->body->name, character->body->mass,
         character->body->part_count);
  if (character->move != NULL)
    printf("    plays %s, %.3f s\n", character->move->name, (double)character->move->duration);
  for (int i = 0; i < character_section_count; i++) {
    char title[96];
    snprintf(title, sizeof title, "  %s", character_sections[i].key);
    print_section(title, character_sections[i].table, (const char *)character + character_sections[i].offset);
  }
}

static int inspect_scene(const char *path) {
  Error error = {0};
  SceneDef *def = scene_def_read(path, NULL, 0, &error);
  if (def == NULL)
    return cli_error(&error);
  printf("%s: scene\n", path);
  printf("  %ld steps of %.6g s, a frame every %d steps\n", def->step_count, def->world.dt, def->steps_per_frame);
  print_section("", &run_params, &def->run);
  for (int i = 0; i < scene_section_count; i++)
    print_section(scene_sections[i].key, scene_sections[i].table, (const char *)def + scene_sections[i].offset);
  for (int i = 0; i < def->character_count; i++)
    print_character(&def->characters[i]);
  for (int i = 0; i < def->event_count; i++) {
    char title[32];
    snprintf(title, sizeof title, "events.%d", i);
    print_section(title, &event_params, &def->events[i]);
  }
  for (int i = 0; i < def->camera_count; i++) {
    char title[32];
    snprintf(title, sizeof title, "cameras.%d", i);
    print_section(title, &camera_params, &def->cameras[i]);
  }
  for (int i = 0; i < def->expect_count; i++)
    printf("  expects %s\n", def->expects[i].text);
  for (int i = 0; i < def->files.count; i++)
    printf("  file %s, %zu bytes\n", def->files.files[i].name, def->files.files[i].size);
  scene_def_free(def);
  return EXIT_DONE;
}

// Bodies.

static void print_part(const BodyDef *body, const PartDef *part) {
  static const char *const kinds[] = {"root", "ball", "universal", "hinge"};
  printf("  %-14s %-14s %8.3f  %-9s", part->name, part->parent >= 0 ? body->parts[part->parent].name : "-", part->mass,
         kinds[part->joint.kind]);
  if (part->parent >= 0)
    printf(" %8.0f %9.0f %9.1f", part->joint.strength, part->joint.stiffness, part->joint.damping);
  putchar('\n');
}

static int inspect_body(FileSet *files, const char *path) {
  Error error = {0};
  BodyDef *body = body_read(files, path, &error);
  if (body == NULL)
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

// Clips.

static int inspect_clip(FileSet *files, const char *path, const char *body_path) {
  Error error = {0};
  BodyDef *body = body_read(files, body_path, &error);
  Clip *clip = body != NULL ? clip_read(files, path, &body->skeleton, &error) : NULL;
  if (clip == NULL) {
    body_free(body);
    return cli_error(&error);
  }
  printf("%s: clip %s for %s\n", path, clip->name, body->name);
  printf("  %.4f s, %s, %d keys\n", (double)clip->duration, clip->loop ? "loops" : "plays once", clip->key_count);
  const vec3s v = clip->root_velocity_l;
  printf("  root velocity %.3f left, %.3f up, %.3f forward m/s, turn rate %.3f deg/s\n", (double)v.x, (double)v.y,
         (double)v.z, (double)clip->root_turn_rate * 180 / M_PI);
  printf("  may be left from %.3f to %.3f s\n", (double)clip->safe_from, (double)clip->safe_to);
  for (int i = 0; i < clip->contact_count; i++)
    printf("  leg %s stands from %.3f to %.3f s\n", body->skeleton.legs[clip->contacts[i].leg].name,
           (double)clip->contacts[i].begin, (double)clip->contacts[i].end);
  for (int i = 0; i < clip->mark_count; i++)
    printf("  mark %s at %.3f s\n", clip->marks[i].name, (double)clip->marks[i].time);
  clip_free(clip);
  body_free(body);
  return EXIT_DONE;
}

// Traces.

static void print_dataset(void *context, const char *path) {
  TraceReader *reader = context;
  long rows = 0;
  int row_size = 0;
  char unit[32] = "", description[256] = "";
  trace_shape(reader, path, &rows, &row_size);
  trace_describe(reader, path, unit, description);
  printf("  %-48s %8ld x %-4d %-6s %s\n", path, rows, row_size, unit, description);
}

static int inspect_trace(const char *path) {
  Error error = {0};
  TraceReader *reader = trace_open(path, &error);
  if (reader == NULL)
    return cli_error(&error);
  printf("%s: trace\n", path);
  static const char *const attributes[] = {"scene_name", "seed",  "dt",     "frame_rate",
                                           "up_axis",    "units", "status", "stagger_version"};
  for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
    printf("  %-16s %s\n", attributes[i], trace_text(reader, attributes[i]));
  int frames = trace_frame_count(reader);
  double last = 0;
  if (frames > 0)
    trace_read(reader, "/time", TRACE_FLOAT64, frames - 1, 1, &last, &error);
  printf("  %-16s %d, up to %.4f s\n\n", "frames", frames, last);
  trace_visit(reader, print_dataset, reader);
  trace_reader_close(reader);
  return EXIT_DONE;
}

// By content.

static int inspect_yaml(const char *path, const char *body_path) {
  Error error = {0};
  FileSet files = {0};
  Document document;
  const File *file = scene_find(&files, path, &error);
  int code = EXIT_BAD_INPUT;
  if (file == NULL || !document_parse(&document, path, file->bytes, &error)) {
    cli_error(&error);
  } else {
    const Node *root = document.root;
    if (node_find(root, "characters") != NULL)
      code = inspect_scene(path);
    else if (node_find(root, "parts") != NULL)
      code = inspect_body(&files, path);
    else if (node_find(root, "root_position") != NULL || node_find(root, "joints") != NULL)
      code = inspect_clip(&files, path, body_path);
    else
      fprintf(stderr, "%s: is not a scene (characters), a body (parts), a clip (joints) or a trace (HDF5)\n", path);
    document_free(&document);
  }
  files_free(&files);
  return code;
}

int command_inspect(int argc, char **argv) {
  static const struct option options[] = {
      {"body", required_argument, NULL, 'b'}, {"help", no_argument, NULL, 'h'}, {0}};
  const char *body = "bodies/human.yaml";
  for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
    if (option == 'b')
      body = optarg;
    else if (option == 'h')
      fputs(HELP, stdout);
    if (option != 'b')
      return option == 'h' ? EXIT_DONE : EXIT_BAD_INPUT;
  }
  if (argc - optind != 1)
    return cli_usage_error(argv[0], argc == optind ? "a file is missing" : "more than one file");
  return trace_is_hdf5(argv[optind]) ? inspect_trace(argv[optind]) : inspect_yaml(argv[optind], body);
}

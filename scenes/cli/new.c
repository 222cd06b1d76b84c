// stagger new: writes a commented file to begin with.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenes/cli/cli.h"
#include "scenes/cli/manual.h"
#include "scenes/output/output_file.h"
#include "sim/base/document.h"

// What can be begun, by the name of its starting point in the manual's folder `new`; NAME stands for the given name.
typedef struct NewKind {
  const char *name, *what, *next;
} NewKind;

static const NewKind KINDS[] = {
    {"scene", "a scene", "stagger run NAME.yaml"},
    {"study", "a study", "stagger sweep NAME.yaml"},
    {"body", "a body", "stagger run stand --set expect=[] --set characters.stander.body=$PWD/NAME.yaml"},
    {"clip", "a clip", "stagger-view NAME.yaml"},
    {"layer", "a scene with layers", "stagger-view NAME.yaml --show feet,ik,look"},
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0], LONGEST_NAME = 31 };

static const UsageOption OPTIONS[] = {USAGE_HELP_ROW};

const Usage new_usage = {
    .name = "stagger new",
    .summary = "writes a commented scene, study, body, clip or scene with layers to begin with",
    .forms = {"scene|study|body|clip|layer NAME"},
    .argument = "scene|study|body|clip|layer",
    .text =
        "Writes NAME.yaml into the working folder: a commented file of that kind, which runs as it is, and says the\n"
        "next step. A file that exists is not replaced.",
    USAGE_OPTIONS(OPTIONS),
    .notes = "exit status: 0 written, 2 bad usage, or the file exists, 3 it could not be written",
    .examples = {"stagger new scene shove"},
};

static const NewKind *find_kind(const char *command, const char *name) {
  const char *names[KIND_COUNT];
  for (int i = 0; i < KIND_COUNT; i++) {
    names[i] = KINDS[i].name;
    if (strcmp(name, names[i]) == 0)
      return &KINDS[i];
  }
  cli_usage_error(command, "'%s' cannot be begun%s", name, name_hint(name, names, KIND_COUNT).text);
  return NULL;
}

// Copies the name without ".yaml". False: it is not a letter, then letters, digits, '_' or '-'.
static bool read_name(const char *command, const char *text, char name[LONGEST_NAME + 1]) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  size_t length = strlen(text);
  if (length > 5 && strcmp(text + length - 5, ".yaml") == 0)
    length -= 5;
  if (length >= 1 && length <= LONGEST_NAME && strspn(text, letters) >= length && !strchr("0123456789_-", text[0])) {
    snprintf(name, LONGEST_NAME + 1, "%.*s", (int)length, text);
    return true;
  }
  cli_usage_error(command, "'%s' is no name: allowed are a letter, then letters, digits, '_' and '-', at most %d", text,
                  LONGEST_NAME);
  return false;
}

// Writes the text with the name in the place of each NAME.
static void write_text(const char *text, const char *name, FILE *out) {
  for (const char *found; (found = strstr(text, "NAME")) != NULL; text = found + strlen("NAME")) {
    fwrite(text, 1, (size_t)(found - text), out);
    fputs(name, out);
  }
  fputs(text, out);
}

// Writes the whole file or nothing. Returns an exit code.
static int write_file(const char *path, const char *text, const char *name) {
  Error error = {0};
  if (access(path, F_OK) == 0) {
    error_set(&error, "%s: exists, so it is not replaced", path);
    return cli_error(&error);
  }
  char *whole = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&whole, &size);
  if (memory)
    write_text(text, name, memory);
  const bool made = memory && fclose(memory) == 0;
  const bool good = made ? output_write(path, whole, size, &error) : error_set(&error, "%s: out of memory", path);
  free(whole);
  return good ? EXIT_DONE : cli_error(&error);
}

int command_new(int argc, char **argv) {
  int code;
  char name[LONGEST_NAME + 1], path[LONGEST_NAME + 8], from[64];
  if (!cli_arguments(argc, argv, &new_usage, 2, 2, &code))
    return code;
  const NewKind *kind = find_kind(argv[0], argv[optind]);
  if (!kind || !read_name(argv[0], argv[optind + 1], name))
    return EXIT_BAD_INPUT;
  snprintf(path, sizeof path, "%s.yaml", name);
  snprintf(from, sizeof from, "new/%s.yaml", kind->name);
  FileSet files = {0};
  Error error = {0};
  const File *file = manual_read(&files, from, &error);
  code = file ? write_file(path, file->bytes, name) : cli_error(&error);
  files_free(&files);
  if (code == EXIT_DONE) {
    printf("%s: %s to begin with. Next:\n  ", path, kind->what);
    write_text(kind->next, name, stdout);
    putchar('\n');
  }
  return code;
}

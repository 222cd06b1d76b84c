// Prints the help of a command and reads its options, both from its table.
#include "scenes/usage/usage.h"

#include <getopt.h>
#include <string.h>

#include "sim/base/document.h"

enum { LINE_WIDTH = 115, WIDEST_LABEL = 24 }; // characters

const char *usage_command(const Usage *usage) {
  const char *space = strrchr(usage->name, ' ');
  return space ? space + 1 : "";
}

// ---- Help ----

// "-o, --out FILE"
static void write_label(const UsageOption *option, char *text, size_t size) {
  char letter[8] = "";
  if (option->letter && strcmp(option->name, "help") != 0)
    snprintf(letter, sizeof letter, "-%c, ", option->code);
  snprintf(text, size, "%s--%s%s%s", letter, option->name, option->value ? " " : "",
           option->value ? option->value : "");
}

static int label_width(const Usage *usage) {
  int widest = 0;
  for (int i = 0; i < usage->option_count; i++) {
    char label[128] = "";
    if (usage->options[i].name)
      write_label(&usage->options[i], label, sizeof label);
    const int width = (int)strlen(label);
    if (width > widest && width <= WIDEST_LABEL)
      widest = width;
  }
  return widest;
}

// Prints words from the present column on, in lines that begin at `indent`.
static void print_wrapped(const char *text, int column, int indent, FILE *out) {
  for (bool first = true; *text != '\0'; first = false) {
    const int length = (int)strcspn(text, " ");
    if (!first && column + 1 + length > LINE_WIDTH) {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
    } else if (!first) {
      fputc(' ', out);
      column++;
    }
    fprintf(out, "%.*s", length, text);
    column += length;
    text += length;
    text += strspn(text, " ");
  }
  fputc('\n', out);
}

static void print_option(const UsageOption *option, int width, FILE *out) {
  const int indent = 2 + width + 2;
  char label[128];
  write_label(option, label, sizeof label);
  fprintf(out, "  %-*s  ", width, label);
  if ((int)strlen(label) > width)
    fprintf(out, "\n%*s", indent, "");
  print_wrapped(option->doc, indent, indent, out);
  const char *meaning = "", *value;
  for (int i = 0; option->choice && (value = option->choice(i, &meaning)) != NULL; i++) {
    fprintf(out, "%*s%-5s ", indent, "", value);
    print_wrapped(meaning, indent + 6, indent + 6, out);
  }
}

void usage_print(const Usage *usage, FILE *out) {
  for (int i = 0; i < USAGE_MAX_FORMS && usage->forms[i]; i++)
    fprintf(out, "%s%s%s%s\n", i == 0 ? "usage: " : "       ", usage->name, usage->forms[i][0] ? " " : "",
            usage->forms[i]);
  fprintf(out, "\n%s\n", usage->text);
  const int width = label_width(usage);
  for (int i = 0; i < usage->option_count; i++) {
    const UsageOption *option = &usage->options[i];
    if (!option->name)
      fprintf(out, "\n%s\n", option->doc);
    else {
      if (i == 0)
        fputc('\n', out);
      print_option(option, width, out);
    }
  }
  if (usage->notes)
    fprintf(out, "\n%s\n", usage->notes);
  for (int i = 0; i < USAGE_MAX_EXAMPLES && usage->examples[i]; i++)
    fprintf(out, "%s%s\n", i == 0 ? "\nexample: " : "         ", usage->examples[i]);
}

// ---- Reading ----

int usage_next(const Usage *usage, int argc, char **argv) {
  struct option known[USAGE_MAX_OPTIONS + 1] = {0};
  char letters[2 * USAGE_MAX_OPTIONS + 2] = ":"; // a value that is missing gives ':'
  size_t used = 1;
  int count = 0;
  for (int i = 0; i < usage->option_count && count < USAGE_MAX_OPTIONS; i++) {
    const UsageOption *option = &usage->options[i];
    if (!option->name)
      continue;
    known[count++] = (struct option){option->name, option->value ? required_argument : no_argument, NULL, option->code};
    if (option->letter)
      letters[used++] = (char)option->code;
    if (option->letter && option->value)
      letters[used++] = ':';
  }
  opterr = 0;
  return getopt_long(argc, argv, letters, known, NULL);
}

static const char *name_of(const Usage *usage, int code) {
  for (int i = 0; i < usage->option_count; i++)
    if (usage->options[i].name && usage->options[i].code == code)
      return usage->options[i].name;
  return NULL;
}

// A wrong long option is before argv[optind], and optopt is 0 unless its name is known.
bool usage_bad_option(const Usage *usage, int result, char **argv, Error *error) {
  const char *text = argv[optind - 1];
  if (result == ':')
    return error_set(error, "'%s' needs a value", text);
  if (optopt != 0 && name_of(usage, optopt))
    return error_set(error, "'--%s' takes no value", name_of(usage, optopt));
  if (optopt != 0)
    return error_set(error, "there is no option '-%c'", optopt);
  const char *names[USAGE_MAX_OPTIONS];
  int count = 0;
  for (int i = 0; i < usage->option_count; i++)
    if (usage->options[i].name)
      names[count++] = usage->options[i].name;
  const char *close = closest_name(text + strspn(text, "-"), names, count);
  return error_set(error, "there is no option '%s'%s%s%s", text, close ? ", did you mean '--" : "", close ? close : "",
                   close ? "'?" : "");
}

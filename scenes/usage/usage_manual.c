// Prints manual pages as roff, from the tables of options.
#include <ctype.h>
#include <string.h>

#include "scenes/usage/usage.h"

// Text of a line or of several; roff fills lines itself, an empty one begins a paragraph. What it takes as a command is
// escaped.
static void print_text(const char *text, FILE *out) {
  bool begin = true;
  for (; *text != '\0'; text++) {
    if (begin && *text == '\n') {
      fputs(".PP\n", out);
      continue;
    }
    if (begin && (*text == '.' || *text == '\''))
      fputs("\\&", out);
    if (begin && *text == ' ')
      continue;
    if (*text == '\\')
      fputs("\\e", out);
    else if (*text == '-')
      fputs("\\-", out);
    else
      fputc(*text, out);
    begin = *text == '\n';
  }
  fputc('\n', out);
}

static void print_option(const UsageOption *option, FILE *out) {
  fputs(".TP\n", out);
  if (option->letter)
    fprintf(out, "\\fB\\-%c\\fR, ", option->code);
  fprintf(out, "\\fB\\-\\-");
  for (const char *c = option->name; *c != '\0'; c++)
    fputs(*c == '-' ? "\\-" : (char[]){*c, '\0'}, out);
  fprintf(out, "\\fR%s%s%s\n", option->value ? " \\fI" : "", option->value ? option->value : "",
          option->value ? "\\fR" : "");
  print_text(option->doc, out);
  const char *meaning = "", *value;
  for (int i = 0; option->choice && (value = option->choice(i, &meaning)) != NULL; i++) {
    fprintf(out, ".br\n\\fB%s\\fR:\n", value);
    print_text(meaning, out);
  }
}

static void print_command(const Usage *usage, FILE *out) {
  if (usage->text)
    print_text(usage->text, out);
  for (int i = 0; i < usage->option_count; i++) {
    if (usage->options[i].name) {
      print_option(&usage->options[i], out);
    } else {
      fputs(".PP\n", out);
      print_text(usage->options[i].doc, out);
    }
  }
  if (usage->notes) {
    fputs(".PP\n", out);
    print_text(usage->notes, out);
  }
  if (usage->examples[0])
    fputs(".PP\n.nf\n", out);
  for (int i = 0; i < USAGE_MAX_EXAMPLES && usage->examples[i]; i++)
    print_text(usage->examples[i], out);
  if (usage->examples[0])
    fputs(".fi\n", out);
}

static void print_synopsis(const UsageProgram *program, FILE *out) {
  for (int i = 0; i < program->command_count; i++) {
    const Usage *usage = program->commands[i];
    for (int form = 0; form < USAGE_MAX_FORMS && usage->forms[form]; form++) {
      if (i > 0 || form > 0)
        fputs(".br\n", out);
      char line[256];
      snprintf(line, sizeof line, "%s %s", usage->name, usage->forms[form]);
      print_text(line, out);
    }
  }
}

void usage_manual(const UsageProgram *program, FILE *out) {
  const bool has_commands = usage_command(program->commands[0])[0] != '\0';
  fputs(".TH ", out);
  for (const char *c = program->name; *c != '\0'; c++)
    fputc(toupper((unsigned char)*c), out);
  fputs(" 1 \"\" \"Stagger " STAGGER_VERSION "\" \"Stagger\"\n.SH NAME\n", out);
  char line[256];
  snprintf(line, sizeof line, "%s - %s", program->name, program->summary);
  print_text(line, out);
  fputs(".SH SYNOPSIS\n", out);
  print_synopsis(program, out);
  fputs(has_commands ? ".SH COMMANDS\n" : ".SH DESCRIPTION\n", out);
  for (int i = 0; i < program->command_count; i++) {
    if (has_commands)
      fprintf(out, ".SS %s\n", usage_command(program->commands[i]));
    print_command(program->commands[i], out);
  }
  if (program->notes) {
    fputs(".SH NOTES\n", out);
    print_text(program->notes, out);
  }
  fputs(".SH ENVIRONMENT\n.TP\n\\fBSTAGGER_SCENES\\fR\n"
        "A folder of scenes in place of those that come with Stagger.\n",
        out);
}

// Options, arguments and errors common to all subcommands: messages begin with the command's name, and exit codes have
// the same meaning everywhere.
#include "scenes/cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/output/explanations.h"

int cli_option(int argc, char **argv, const Usage *usage) {
  const int option = usage_next(usage, argc, argv);
  if (option != '?' && option != ':')
    return option;
  Error error = {0};
  usage_bad_option(usage, option, argv, &error);
  cli_usage_error(argv[0], "%s", error.text);
  return '?';
}

bool cli_arguments(int argc, char **argv, const Usage *usage, int least, int most, int *code) {
  for (int option; (option = cli_option(argc, argv, usage)) != -1;) {
    if (option == 'h')
      usage_print(usage, stdout);
    else if (option != '?')
      cli_usage_error(argv[0], "no option goes with these arguments: %s", argv[optind - 1]);
    *code = option == 'h' ? EXIT_DONE : EXIT_BAD_INPUT;
    return false;
  }
  int count = argc - optind;
  if (count >= least && count <= most)
    return true;
  *code = count < least ? cli_usage_error(argv[0], "an argument is missing: %s %s", usage->name, usage->forms[0])
                        : cli_usage_error(argv[0], "too many arguments: %s", argv[optind + most]);
  return false;
}

char *cli_command_line(int argc, char **argv) {
  size_t size = 1;
  for (int i = 0; i < argc; i++)
    size += strlen(argv[i]) + 3;
  char *text = calloc(size, 1);
  for (int i = 0; i < argc && text; i++) {
    const char *quote = i > 0 && strpbrk(argv[i], " \t\n\"'*?$") ? "'" : "";
    snprintf(text + strlen(text), size - strlen(text), "%s%s%s%s", i > 0 ? " " : "", quote, argv[i], quote);
  }
  return text;
}

int cli_usage_error(const char *command, const char *format, ...) {
  char text[ERROR_TEXT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  explained_printf(stderr, "%s: %s", command, text);
  fprintf(stderr, "see '%s --help'\n", command);
  return EXIT_BAD_INPUT;
}

const char *cli_only_argument(int argc, char **argv, const char *what) {
  if (argc - optind == 1)
    return argv[optind];
  if (argc == optind)
    cli_usage_error(argv[0], "the %s is missing", what);
  else
    cli_usage_error(argv[0], "more than one %s: %s", what, argv[argc - 1]);
  return NULL;
}

int cli_error(const Error *error) {
  explained_print(stderr, error->text);
  return error->unwritten ? EXIT_STOPPED : EXIT_BAD_INPUT;
}

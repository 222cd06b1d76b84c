// stagger help: prints a page of the manual, or the help of a command.
#include <stdlib.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/cli/manual.h"
#include "sim/base/document.h"

static const UsageOption OPTIONS[] = {
    {.name = "man", .code = 'm', .doc = "prints the manual page of the program, as roff"},
    USAGE_HELP_ROW,
};

const Usage help_usage = {
    .name = "stagger help",
    .summary = "prints a page of the manual",
    .forms = {"[TOPIC|COMMAND]", "--man"},
    .argument = "TOPIC",
    .text = "Prints a page of the manual, or the options of a command. Without either it lists the pages.",
    USAGE_OPTIONS(OPTIONS),
    .examples = {"stagger help first_study", "stagger help run"},
};

enum { MOST_TOPICS = 64, NAME_SIZE = 32 };

typedef struct Topic {
  char name[NAME_SIZE];
  char about[128];
} Topic;

typedef struct Topics {
  Topic list[MOST_TOPICS];
  int count;
} Topics;

// Reads the pages and their order from the lines "- [NAME](NAME.md): what it is about" of the manual's README.
static bool read_topics(Topics *topics, Error *error) {
  FileSet files = {0};
  const File *file = manual_read(&files, "README.md", error);
  for (const char *line = file ? file->bytes : NULL; line && topics->count < MOST_TOPICS;) {
    Topic *topic = &topics->list[topics->count];
    topics->count += sscanf(line, "- [%31[a-z_]](%*[a-z_].md): %127[^\n]", topic->name, topic->about) == 2;
    line = strchr(line, '\n');
    line = line ? line + 1 : NULL;
  }
  files_free(&files);
  return file != NULL;
}

static int print_topics(const Topics *topics) {
  puts("Pages of the manual:\n");
  for (int i = 0; i < topics->count; i++)
    printf("  %-12s %s\n", topics->list[i].name, topics->list[i].about);
  puts("\n`stagger help PAGE` prints one, `stagger help COMMAND` the options of a command, and `stagger reference` "
       "every\n"
       "parameter.");
  return EXIT_DONE;
}

static int print_page(const char *topic) {
  char name[NAME_SIZE + 8];
  snprintf(name, sizeof name, "%s.md", topic);
  FileSet files = {0};
  Error error = {0};
  const File *file = manual_read(&files, name, &error);
  if (file)
    fwrite(file->bytes, 1, file->size, stdout);
  const int code = file ? EXIT_DONE : cli_error(&error);
  files_free(&files);
  return code;
}

static int unknown_topic(const Topics *topics, const char *name) {
  const char *names[MOST_TOPICS];
  char all[MOST_TOPICS * (NAME_SIZE + 2)] = "";
  for (int i = 0; i < topics->count; i++) {
    const size_t used = strlen(all);
    names[i] = topics->list[i].name;
    snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", names[i]);
  }
  const char *close = closest_name(name, names, topics->count);
  return cli_usage_error("stagger help", "there is no page or command '%s'%s%s%s; the pages are %s", name,
                         close ? ", did you mean '" : "", close ? close : "", close ? "'?" : "", all);
}

static int help_with(const char *name) {
  static Topics topics;
  Error error = {0};
  topics.count = 0;
  if (!read_topics(&topics, &error))
    return cli_error(&error);
  if (!name)
    return print_topics(&topics);
  for (int i = 0; i < topics.count; i++)
    if (strcmp(topics.list[i].name, name) == 0)
      return print_page(name);
  for (int i = 0; i < cli_program.command_count; i++)
    if (strcmp(usage_command(cli_program.commands[i]), name) == 0) {
      usage_print(cli_program.commands[i], stdout);
      return EXIT_DONE;
    }
  return unknown_topic(&topics, name);
}

int command_help(int argc, char **argv) {
  for (int option; (option = cli_option(argc, argv, &help_usage)) != -1;) {
    if (option == 'm')
      usage_manual(&cli_program, stdout);
    else if (option == 'h')
      usage_print(&help_usage, stdout);
    return option == '?' ? EXIT_BAD_INPUT : EXIT_DONE;
  }
  if (argc - optind > 1)
    return cli_usage_error(argv[0], "more than one page: %s", argv[optind + 1]);
  return help_with(argv[optind]);
}

// stagger help: prints a page of the manual, the help of a command, or the explanation of a message's code.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/cli/explain.h"
#include "scenes/cli/manual.h"
#include "scenes/output/explanations.h"
#include "sim/base/document.h"

static const UsageOption OPTIONS[] = {
    {.name = "man", .code = 'm', .doc = "prints the manual page of the program, as roff"},
    USAGE_HELP_ROW,
};

const Usage help_usage = {
    .name = "stagger help",
    .summary = "prints a page of the manual",
    .forms = {"[TOPIC|COMMAND|CODE]", "--man"},
    .argument = "TOPIC",
    .text =
        "Prints a page of the manual, the options of a command, or cause and cure of a message by its code. Without a\n"
        "word it lists the pages.",
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

// Whether a page contains the word as a whole, in capitals or not.
static bool speaks_of(const char *topic, const char *word) {
  char name[NAME_SIZE + 8];
  snprintf(name, sizeof name, "%s.md", topic);
  FileSet files = {0};
  const File *file = manual_read(&files, name, NULL);
  const size_t length = strlen(word);
  bool found = false;
  for (const char *at = file ? file->bytes : NULL; at && !found && (at = strcasestr(at, word)) != NULL; at++)
    found = (at == file->bytes || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[length]);
  files_free(&files);
  return found;
}

// The pages that contain the word, with commas between them; "": none, or word is "".
static void list_pages(const Topics *topics, const char *word, char *list, size_t size) {
  list[0] = '\0';
  for (int i = 0; i < topics->count && word[0] != '\0'; i++) {
    const size_t used = strlen(list);
    if (speaks_of(topics->list[i].name, word))
      snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", topics->list[i].name);
  }
}

static int unknown_topic(const Topics *topics, const char *name) {
  const char *names[MOST_TOPICS];
  for (int i = 0; i < topics->count; i++)
    names[i] = topics->list[i].name;
  char pages[MOST_TOPICS * (NAME_SIZE + 2)];
  const char *close = closest_name(name, names, topics->count);
  list_pages(topics, name, pages, sizeof pages);
  if (pages[0] != '\0')
    return cli_usage_error("stagger help", "there is no page or command '%s', but it is written of in %s", name, pages);
  return cli_usage_error("stagger help", "there is no page or command '%s'%s%s%s; 'stagger help' lists the pages", name,
                         close ? ", did you mean '" : "", close ? close : "", close ? "'?" : "");
}

// Prints the page, the help of a command or the explanation of a code that the name is. False: it is none.
static bool print_named(const Topics *topics, const char *name, int *code) {
  for (int i = 0; i < topics->count; i++)
    if (strcmp(topics->list[i].name, name) == 0) {
      *code = print_page(name);
      return true;
    }
  for (int i = 0; i < cli_program.command_count; i++)
    if (strcmp(usage_command(cli_program.commands[i]), name) == 0) {
      usage_print(cli_program.commands[i], stdout);
      *code = EXIT_DONE;
      return true;
    }
  for (int i = 0; i < explanation_row_count; i++)
    if (strcmp(explanation_rows[i].code, name) == 0) {
      *code = explain_print("stagger help", name);
      return true;
    }
  return false;
}

// "SCENE.md" as "scene"; of "clip", a page "clips" also.
static int help_with(const char *text) {
  static Topics topics;
  Error error = {0};
  topics.count = 0;
  if (!read_topics(&topics, &error))
    return cli_error(&error);
  if (!text)
    return print_topics(&topics);
  char name[NAME_SIZE];
  int code;
  snprintf(name, sizeof name - 1, "%s", text);
  for (char *at = name; *at != '\0'; at++)
    *at = (char)tolower((unsigned char)*at);
  if (strlen(name) > 3 && strcmp(name + strlen(name) - 3, ".md") == 0)
    name[strlen(name) - 3] = '\0';
  if (print_named(&topics, name, &code))
    return code;
  const size_t length = strlen(name);
  memcpy(name + length, "s", 2);
  return print_named(&topics, name, &code) ? code : unknown_topic(&topics, text);
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

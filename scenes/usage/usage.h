// How a program or one of its commands is used: one table from which its help, its reading of options, the completion
// in shells and its manual page are made.
#ifndef STAGGER_SCENES_USAGE_USAGE_H
#define STAGGER_SCENES_USAGE_USAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/base/error.h"

enum { USAGE_MAX_FORMS = 3, USAGE_MAX_EXAMPLES = 4, USAGE_MAX_OPTIONS = 40 };

// An option, or a heading between options.
typedef struct UsageOption {
  const char *name;  // "trace", without its dashes; NULL: a heading, which is in `doc`
  int code;          // what getopt returns for it; not 0, '?' or ':'
  bool letter;       // whether `code` is its short form, too
  const char *value; // what follows it: its kind as in Usage.argument, or a word for it; NULL: nothing
  const char *kind;  // its kind where `value` is a word; NULL: `value`
  const char *doc;   // a sentence, wrapped where it is printed
  // The values that are allowed, from index 0 on, with their meanings; NULL beyond the last. NULL: see `value`.
  const char *(*choice)(int index, const char **meaning);
} UsageOption;

// Texts are in lines of at most 115 characters, as they are printed; an empty line begins a paragraph.
typedef struct Usage {
  const char *name;                   // "stagger run", or a program without commands: "stagger-view"
  const char *summary;                // for the list of commands
  const char *forms[USAGE_MAX_FORMS]; // what follows the name, each on its own line
  // What kind of words it takes, alternatives with '|' between them: SCENE, STUDY, SKILL, TOPIC, CODE (of a message);
  // FILE and DIR; with an ending, such as TRACE.h5, files that end so; words in small letters, themselves. NULL: none.
  const char *argument;
  const char *text;
  const UsageOption *options;
  int option_count; // at most USAGE_MAX_OPTIONS
  const char *notes;
  const char *examples[USAGE_MAX_EXAMPLES];
} Usage;

// The last row of the options of every command.
#define USAGE_HELP_ROW                                                                                                 \
  { .name = "help", .code = 'h', .letter = true, .doc = "this text" }

#define USAGE_OPTIONS(rows) .options = (rows), .option_count = (int)(sizeof(rows) / sizeof((rows)[0]))

// A program: its commands, or the program itself as the only one.
typedef struct UsageProgram {
  const char *name, *summary; // "stagger", "a physics-coupled ragdoll and locomotion simulator"
  const Usage *const *commands;
  int command_count;
  const char *notes; // exit status and the like, of all commands; NULL: none
} UsageProgram;

// The word by which a command is called: "run" of "stagger run"; "" of a program without commands.
const char *usage_command(const Usage *usage);

// Prints the help.
void usage_print(const Usage *usage, FILE *out);

// The next option of argv by the rows of the usage, as getopt_long, which sets optarg and optind: its code, -1 beyond
// the last, '?' for one that is not known or ':' for one without its value. Nothing is printed.
int usage_next(const Usage *usage, int argc, char **argv);

// After '?' or ':' of usage_next: sets the error "there is no option '--sed', did you mean '--seed'?". Returns false.
bool usage_bad_option(const Usage *usage, int result, char **argv, Error *error);

// Prints a script that completes the program's command lines; shell: "bash" or "zsh". False: another shell.
bool usage_complete(const UsageProgram *program, const char *shell, FILE *out);

// Prints the manual page (section 1) as roff.
void usage_manual(const UsageProgram *program, FILE *out);

#endif

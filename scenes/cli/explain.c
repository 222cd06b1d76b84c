// Prints causes and cures of messages, by their code or their words.
#include "scenes/cli/explain.h"

#include <stdio.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/output/explanations.h"
#include "sim/base/document.h"

enum { MOST_ROWS = 128 };

static void print_row(const Explanation *row) {
  printf("## %s\n\n", row->code);
  for (int i = 0; i < EXPLANATION_WORDS && row->words[i]; i++)
    printf("Message: ... %s ...\n", row->words[i]);
  printf("\nCause: %s\n\nCure: %s\n", row->cause, row->cure);
}

int explain_print(const char *command, const char *text) {
  const char *names[MOST_ROWS];
  const int count = explanation_row_count < MOST_ROWS ? explanation_row_count : MOST_ROWS;
  const bool all = strcmp(text, "all") == 0;
  const Explanation *row = NULL;
  for (int i = 0; i < count; i++) {
    names[i] = explanation_rows[i].code;
    if (all && i > 0)
      putchar('\n');
    if (all)
      print_row(&explanation_rows[i]);
    if (strcmp(text, names[i]) == 0)
      row = &explanation_rows[i];
  }
  if (!row && !all)
    row = explanation_of(text);
  if (row)
    print_row(row);
  if (row || all)
    return EXIT_DONE;
  const char *close = closest_name(text, names, count);
  return cli_usage_error(command, "--explain: '%s' is no code and no message that has one%s%s%s; 'all' explains all",
                         text, close ? ", did you mean '" : "", close ? close : "", close ? "'?" : "");
}

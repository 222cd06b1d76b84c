// Says of each message that ends a run, of each warning and of errors why it comes and what helps: one row for each.
// The code of a message is found by its words, so that the places that raise errors need not know of codes.
#include "scenes/output/explanations.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

// Whether the message contains the words. A conversion among them, such as "%s" or "%d", stands for anything.
static bool contains(const char *message, const char *words) {
  const char *gap = strchr(words, '%');
  if (!gap)
    return strstr(message, words) != NULL;
  char begin[64];
  snprintf(begin, sizeof begin, "%.*s", (int)(gap - words), words);
  const char *found = strstr(message, begin);
  const char *rest = gap + strcspn(gap, "sdgzl") + 1;
  return found && contains(found + strlen(begin), rest + (rest[-1] == 'z' || rest[-1] == 'l'));
}

const Explanation *explanation_of(const char *message) {
  for (int i = 0; i < explanation_row_count; i++)
    for (int k = 0; k < EXPLANATION_WORDS && explanation_rows[i].words[k]; k++)
      if (contains(message, explanation_rows[i].words[k]))
        return &explanation_rows[i];
  return NULL;
}

void explained_print(FILE *out, const char *message) {
  const Explanation *row = explanation_of(message);
  if (row)
    fprintf(out, "%s [%s]\n", message, row->code);
  else
    fprintf(out, "%s\n", message);
}

void explained_printf(FILE *out, const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  explained_print(out, message);
}

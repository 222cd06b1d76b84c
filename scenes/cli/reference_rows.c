// Finds rows of the reference's tables by their words or by the path of a key.
#include "scenes/cli/reference_rows.h"

#include <stdio.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/output/explanations.h"

// Writes a path as the headings of tables have it: characters.man.balance.delay as characters.NAME.balance.delay,
// events.0.impulse as events.impulse.
static void write_general_path(const char *path, char *general, size_t size) {
  size_t written = 0;
  bool names = false; // the next word is a character's name
  for (const char *word = path; *word != '\0' && written < size; word += *word == '.') {
    const size_t length = strcspn(word, ".");
    if (strspn(word, "0123456789") < length)
      written += (size_t)snprintf(general + written, size - written, "%s%.*s", written > 0 ? "." : "",
                                  names ? 4 : (int)length, names ? "NAME" : word);
    names = length == 10 && strncmp(word, "characters", length) == 0;
    word += length;
  }
}

// Whether a path, or the end of it, is that of a row: heading and key.
static bool is_path_of(const char *path, const char *heading, const char *line) {
  char own[512], asked[512] = "";
  const char *key = strchr(line, '`');
  if (!key || !strchr(path, '.'))
    return false;
  snprintf(own, sizeof own, "%s.%.*s", heading + strspn(heading, "# "), (int)strcspn(key + 1, "`"), key + 1);
  write_general_path(path, asked, sizeof asked);
  const size_t whole = strlen(own), part = strlen(asked);
  return part <= whole && strcmp(own + whole - part, asked) == 0 && (part == whole || own[whole - part - 1] == '.');
}

int reference_print_rows(const char *text, char *reference) {
  const char *heading = "", *columns = "", *rule = NULL; // rule: the line below the columns; NULL: not in a table
  bool any = false, begun = false;                       // begun: of this table there are rows
  for (char *line = strtok(reference, "\n"), *before = ""; line; before = line, line = strtok(NULL, "\n")) {
    if (line[0] == '#')
      heading = line;
    if (line[0] != '|')
      rule = NULL;
    if (strncmp(line, "|---", 4) == 0) {
      columns = before;
      rule = line;
      begun = false;
    } else if (rule && (strcasestr(line, text) || strcasestr(heading, text) || is_path_of(text, heading, line))) {
      if (!begun)
        printf("%s%s\n\n%s\n%s\n", any ? "\n" : "", heading, columns, rule);
      any = begun = true;
      puts(line);
    }
  }
  if (!any)
    explained_printf(stderr, "stagger reference: no row of a table contains '%s'", text);
  return any ? EXIT_DONE : EXIT_BAD_INPUT;
}

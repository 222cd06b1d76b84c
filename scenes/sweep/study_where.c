// Conditions on the rows of a study's table, such as 'man.fell == 0'.
#include <stdio.h>
#include <string.h>

#include "scenes/description/lookup.h"
#include "scenes/sweep/study_internal.h"

static const char FORM[] = "expected 'column op value' with one of < <= > >= == !=, e.g. 'man.fell == 1'";

int study_column_find(const StudyDef *study, const char *name, const Node *node, Error *error) {
  char full[2 * TABLE_NAME_SIZE];
  snprintf(full, sizeof full, "%s.%s", study->scene->characters[0].name, name);
  for (int i = 0; i < study->column_count; i++)
    if (strcmp(study->columns[i].name, name) == 0 ||
        (study->scene->character_count == 1 && strcmp(study->columns[i].name, full) == 0))
      return i;
  const char *names[STUDY_MAX_COLUMNS];
  for (int i = 0; i < study->column_count; i++)
    names[i] = study->columns[i].name;
  Error cause = {0};
  lookup_name("column", name, "", names, study->column_count, &cause);
  node_error(node, error, "%s", cause.text);
  return -1;
}

bool study_where_read(const StudyDef *study, const Node *node, StudyWhere *where, Error *error) {
  char text[PARAM_TEXT_SIZE], name[PARAM_TEXT_SIZE];
  const char *value;
  if (!node_text(node, text, sizeof text, error))
    return false;
  if (!expect_split(text, name, sizeof name, &where->op, &value))
    return node_error(node, error, "'%s': %s", text, FORM);
  where->column = study_column_find(study, name, node, error);
  if (where->column < 0)
    return false;
  if (study->columns[where->column].kind == TABLE_NUMBER)
    return expect_number(value, &where->value) || node_error(node, error, "'%s': %s", text, FORM);
  if (where->op != EXPECT_EQUAL && where->op != EXPECT_NOT)
    return node_error(node, error, "'%s': texts are compared by == and != only", text);
  snprintf(where->label, sizeof where->label, "%s", value);
  for (size_t end = strlen(where->label); end > 0 && where->label[end - 1] == ' '; end--)
    where->label[end - 1] = '\0';
  return true;
}

static bool has_label(const StudyWhere *where, const char *text) {
  size_t length = strlen(where->label);
  bool same = strncmp(text, where->label, length) == 0 && (text[length] == '\0' || text[length] == ':');
  return same == (where->op == EXPECT_EQUAL);
}

bool study_where_holds(const StudyWhere *where, const Table *table, long row) {
  if (table->columns[where->column].kind == TABLE_TEXT)
    return has_label(where, table_text(table, row, where->column));
  return expect_holds(&(Expect){.op = where->op, .value = where->value}, table_number(table, row, where->column));
}

void study_where_text(const StudyDef *study, const StudyWhere *where, char *text, size_t size) {
  static const char *const operators[] = {"<", "<=", ">", ">=", "==", "!="};
  char number[TABLE_CELL_SIZE];
  table_number_text(where->value, number);
  snprintf(text, size, "%s %s %s", study->columns[where->column].name, operators[where->op],
           where->label[0] != '\0' ? where->label : number);
}

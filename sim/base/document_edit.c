// Makes assignments in the text of a document and keeps the author's comments. The result is always parsed again as a
// check: where this file does not handle some YAML, the whole text is written anew from the tree.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/document.h"

// The remaining steps of an assignment's path, and its value.
typedef struct Rest {
  const char *step; // after `end` when no step is left
  const char *end;  // the '=' between path and value
  const char *ends; // characters that end a step: '.' and '='
  const char *value;
} Rest;

static Rest rest_of_assignment(const char *assignment) {
  bool is_option = strncmp(assignment, "--", 2) == 0;
  const char *step = assignment + (is_option ? 2 : 0), *end = strchr(step, is_option ? ' ' : '=');
  return (Rest){step, end, is_option ? ". " : ".=", end + 1};
}

static int step_length(const Rest *rest) { return (int)strcspn(rest->step, rest->ends); }

static bool is_done(const Rest *rest) { return rest->step > rest->end; }

static bool appends(const Rest *rest) { return rest->step[0] == '+' && step_length(rest) == 1; }

static Rest behind_step(const Rest *rest) {
  Rest behind = *rest;
  behind.step += step_length(rest) + 1;
  return behind;
}

// Prints the value inside the flow maps and lists that the remaining path requires: {drive: {strength: 0.3}}
static void print_rest(FILE *out, Rest rest) {
  const Rest whole = rest;
  for (; !is_done(&rest); rest = behind_step(&rest))
    if (appends(&rest))
      fputc('[', out);
    else
      fprintf(out, "{%.*s: ", step_length(&rest), rest.step);
  fputs(rest.value, out);
  char closing[64];
  size_t depth = 0;
  for (rest = whole; !is_done(&rest) && depth < sizeof closing; rest = behind_step(&rest))
    closing[depth++] = appends(&rest) ? ']' : '}';
  while (depth > 0)
    fputc(closing[--depth], out);
}

// The offset of a place. Columns count UTF-8 characters.
static size_t byte_at(const char *text, int line, int column) {
  const char *c = text;
  for (int i = 1; i < line && *c != '\0'; i++) {
    c += strcspn(c, "\n");
    c += *c == '\n';
  }
  for (int i = 1; i < column && *c != '\0'; i++)
    for (c++; ((unsigned char)*c & 0xc0) == 0x80;)
      c++;
  return (size_t)(c - text);
}

// The offset just after a node; false when the tree does not have it.
static bool end_of(const char *text, const Node *node, size_t *end) {
  while (node && node->end_line == 0 && node->kind != NODE_SCALAR)
    node = node->last;
  if (!node || node->end_line == 0)
    return false;
  *end = byte_at(text, node->end_line, node->end_column);
  return true;
}

// Prints a new item or key, on a line of its own, for the end of a map or list in block style.
static void print_line(FILE *out, const Node *parent, Rest rest) {
  bool is_item = parent->kind == NODE_LIST;
  int indent = (is_item ? parent->column : parent->first->key_column) - 1;
  fprintf(out, "\n%*s", indent, "");
  if (is_item)
    fputs("-", out);
  else
    fprintf(out, "%.*s:", step_length(&rest), rest.step);
  Rest behind = behind_step(&rest), last = is_done(&behind) ? behind : behind_step(&behind);
  if (!is_item && !is_done(&behind) && appends(&behind) && is_done(&last)) { // the first item of a new list
    fprintf(out, "\n%*s  - %s", indent, "", rest.value);
  } else {
    fputc(' ', out);
    print_rest(out, behind);
  }
}

// Finds the place of the assignment: the bytes [begin, end) of the text are replaced by what is printed. False: there
// is none.
static bool plan_edit(const char *text, const Node *node, Rest rest, size_t *begin, size_t *end, FILE *out) {
  for (const Node *child; !is_done(&rest); node = child, rest = behind_step(&rest)) {
    child = node_step(node, rest.step, (size_t)step_length(&rest));
    if (!child)
      break;
  }
  *begin = byte_at(text, node->line, node->column);
  if (is_done(&rest) || (node->kind == NODE_SCALAR && node->text[0] == '\0')) { // a new value, or the first one
    if (!end_of(text, node, end))
      return false;
    if (*begin == *end)
      fputc(' ', out);
    else if (node->key && node->line > node->key_line && node->column <= node->key_column)
      fprintf(out, "%*s", node->key_column - node->column + 2,
              ""); // values in flow style are further in than their key
    print_rest(out, rest);
    return true;
  }
  if (node->kind != NODE_MAP && !(node->kind == NODE_LIST && appends(&rest)))
    return false;
  if (!node->last)
    *end = *begin + 1; // after the bracket
  else if (!end_of(text, node->last, end))
    return false;
  if (node->flow) {
    Rest behind = behind_step(&rest);
    fputs(node->last ? ", " : "", out);
    if (node->kind == NODE_MAP)
      fprintf(out, "%.*s: ", step_length(&rest), rest.step);
    print_rest(out, behind);
  } else if (node->last) {
    *end += strcspn(text + *end, "\r\n"); // after a comment
    print_line(out, node, rest);
  }
  *begin = *end;
  return true;
}

// The text with the assignment in it, unchecked. NULL: not possible.
static char *splice(const char *text, const char *assignment) {
  Document document;
  if (!document_parse(&document, "", text, NULL))
    return NULL;
  char *inserted = NULL, *spliced = NULL;
  size_t length = 0, begin = 0, end = 0;
  FILE *out = open_memstream(&inserted, &length);
  bool good = out && plan_edit(text, document.root, rest_of_assignment(assignment), &begin, &end, out);
  if (out)
    good = fclose(out) == 0 && good;
  if (good && begin <= end && end <= strlen(text)) // YAML has more kinds of line breaks, so places may be wrong
    spliced = malloc(strlen(text) - (end - begin) + length + 1);
  if (spliced) {
    memcpy(spliced, text, begin);
    memcpy(spliced + begin, inserted, length);
    memcpy(spliced + begin + length, text + end, strlen(text + end) + 1);
  }
  free(inserted);
  document_free(&document);
  return spliced;
}

static bool is_same_number(const Node *a, const Node *b) {
  double x, y;
  return !a->quoted && !b->quoted && node_real(a, &x, NULL) && node_real(b, &y, NULL) && x == y;
}

// Quotes matter only for texts that would be a number or a boolean without them.
static bool is_same_text(const Node *a, const Node *b) {
  if (is_same_number(a, b))
    return true;
  if (strcmp(a->text, b->text) != 0)
    return false;
  Node plain = *a;
  plain.quoted = false;
  double real;
  bool truth;
  return a->quoted == b->quoted || !(node_real(&plain, &real, NULL) || node_bool(&plain, &truth, NULL));
}

// Recursive; a document has at most 32 levels. Of two maps all entries have keys, of two lists none.
static bool says_the_same(const Node *a, const Node *b) {
  if (a->kind != b->kind || a->count != b->count || (a->key && strcmp(a->key, b->key) != 0))
    return false;
  if (a->kind == NODE_SCALAR)
    return is_same_text(a, b);
  for (const Node *x = a->first, *y = b->first; x; x = x->next, y = y->next)
    if (!says_the_same(x, y))
      return false;
  return true;
}

static bool reads_back(const char *text, const Document *wanted) {
  Document document;
  if (!text || !document_parse(&document, "", text, NULL))
    return false;
  bool same = says_the_same(document.root, wanted->root);
  document_free(&document);
  return same;
}

// ---- Lists and maps that keep their shape ----

// Whether two trees differ in nothing but plain scalars.
static bool has_shape_of(const Node *a, const Node *b) {
  if (a->kind != b->kind || a->count != b->count || (a->key && strcmp(a->key, b->key) != 0))
    return false;
  if (a->kind == NODE_SCALAR)
    return !a->quoted && !b->quoted;
  for (const Node *x = a->first, *y = b->first; x; x = x->next, y = y->next)
    if (!has_shape_of(x, y))
      return false;
  return true;
}

// Splices those scalars below `path` in which the new tree differs from the old one. Takes the text over; NULL: not
// possible.
static char *splice_scalars(char *text, const char *path, const Node *old, const Node *new) {
  char longer[512];
  if (old->kind == NODE_SCALAR) {
    if (is_same_text(old, new))
      return text;
    char *next =
        snprintf(longer, sizeof longer, "%s=%s", path, new->text) < (int)sizeof longer ? splice(text, longer) : NULL;
    free(text);
    return next;
  }
  int index = 0;
  for (const Node *x = old->first, *y = new->first; x &&text; x = x->next, y = y->next, index++) {
    const int length = x->key ? snprintf(longer, sizeof longer, "%s.%s", path, x->key)
                              : snprintf(longer, sizeof longer, "%s.%d", path, index);
    if (length < (int)sizeof longer) {
      text = splice_scalars(text, longer, x, y);
    } else {
      free(text);
      text = NULL;
    }
  }
  return text;
}

// For an assignment of a list or map that differs from the present one only in numbers and words: the text in which
// just these are replaced, so that the layout between them stays. NULL: it is no such assignment.
static char *splice_within(const char *text, const Document *present, const char *assignment) {
  const char *equals = strchr(assignment, '=');
  char path[256], *spliced = NULL;
  if (strncmp(assignment, "--", 2) == 0 || !equals ||
      snprintf(path, sizeof path, "%.*s", (int)(equals - assignment), assignment) >= (int)sizeof path)
    return NULL;
  const Node *old = node_path(present->root, path);
  const size_t size = strlen(equals) + sizeof "value: ";
  char *wrapped = old && old->kind != NODE_SCALAR ? malloc(size) : NULL;
  Document value;
  if (!wrapped)
    return NULL;
  snprintf(wrapped, size, "value: %s", equals + 1);
  if (document_parse(&value, "", wrapped, NULL)) {
    Node new = *node_find(value.root, "value");
    new.key = old->key;
    if (has_shape_of(old, &new)) {
      char *copy = strdup(text);
      spliced = copy ? splice_scalars(copy, path, old, &new) : NULL;
    }
    document_free(&value);
  }
  free(wrapped);
  return spliced;
}

char *document_edit(const char *name, const char *text, const char *const *assignments, int count, Error *error) {
  Document wanted;
  if (strncmp(text, "\xef\xbb\xbf", 3) == 0) // a byte order mark has no column
    text += 3;
  if (!document_parse(&wanted, name, text, error))
    return NULL;
  char *edited = strdup(text);
  bool good = edited != NULL;
  for (int i = 0; i < count && good; i++) {
    char *next = splice_within(edited, &wanted, assignments[i]);
    good = document_set(&wanted, assignments[i], error);
    if (good && !next)
      next = splice(edited, assignments[i]);
    if (!reads_back(next, &wanted) || !good) {
      free(next);
      next = good ? document_write(&wanted) : NULL;
      good = next != NULL;
    }
    free(edited);
    edited = next;
  }
  document_free(&wanted);
  if (!good)
    error_set(error, "%s: out of memory", name);
  return edited;
}

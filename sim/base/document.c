// Parses YAML with libyaml into a tree of nodes that store their places, and sets values in it by path.
#include "sim/base/document.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum {
  LARGEST_TEXT = 16 << 20, // bytes
  LONGEST_KEY = 120,       // bytes; the emitter writes longer keys in another form
  DEEPEST_NESTING = 32,
  ARENA_BLOCK_SIZE = 1 << 16, // bytes
};

static const char MARK[] = "\xef\xbb\xbf"; // the UTF-8 byte order mark, with which some editors begin a text

// ---- Memory: nodes and texts are in one arena and are freed together ----

typedef struct ArenaBlock {
  struct ArenaBlock *previous;
  size_t used, size;
  max_align_t bytes[];
} ArenaBlock;

static void *arena_alloc(Document *document, size_t size) {
  ArenaBlock *block = document->memory;
  size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
  if (!block || block->size - block->used < size) {
    size_t block_size = size > ARENA_BLOCK_SIZE ? size : ARENA_BLOCK_SIZE;
    ArenaBlock *added = malloc(sizeof *added + block_size);
    if (!added)
      return NULL;
    *added = (ArenaBlock){.previous = block, .size = block_size};
    document->memory = block = added;
  }
  void *memory = (char *)block->bytes + block->used;
  block->used += size;
  return memory;
}

static char *arena_text(Document *document, const char *text, size_t length) {
  char *copy = arena_alloc(document, length + 1);
  if (copy) {
    memcpy(copy, text, length);
    copy[length] = '\0';
  }
  return copy;
}

void document_free(Document *document) {
  ArenaBlock *block = document->memory;
  while (block) {
    ArenaBlock *previous = block->previous;
    free(block);
    block = previous;
  }
  *document = (Document){0};
}

static void node_append(Node *parent, Node *child) {
  if (!parent->last)
    parent->first = child;
  else
    parent->last->next = child;
  parent->last = child;
  parent->count++;
}

// ---- Reading: libyaml's events become nodes; open containers are on a stack ----

typedef struct Builder {
  Document *document;
  Error *error;
  const char *file;
  bool override; // an override, which has no lines
  Node *open[DEEPEST_NESTING];
  int depth, deepest;
  char *key; // the key that has been read and waits for its value
  int key_line, key_column;
  Node *root;
  bool done;
} Builder;

static int mark_line(const Builder *builder, yaml_mark_t mark) {
  if (builder->override)
    return 0;
  return mark.line < INT_MAX ? (int)mark.line + 1 : INT_MAX;
}

static int mark_column(const Builder *builder, yaml_mark_t mark) {
  return builder->override ? 0 : (int)mark.column + 1;
}

static bool builder_error(Builder *builder, yaml_mark_t mark, const char *message) {
  return error_at(builder->error, builder->file, mark_line(builder, mark), mark_column(builder, mark), "%s", message);
}

// Whether the emitter writes a word without quotes in any context, so that the written text parses to the same node.
// Other plain text counts as quoted; nothing is lost, as such text is never a number or a boolean.
static bool text_is_plain(const char *text, bool in_flow) {
  if (text[0] == '\0' || strchr("?:", text[0]) || strncmp(text, "---", 3) == 0 || strncmp(text, "...", 3) == 0)
    return false;
  if (text[0] == '-' && (text[1] == '\0' || text[1] == ' '))
    return false;
  for (const char *c = text; *c != '\0'; c++)
    if (*c < ' ' || *c > '~' || (in_flow && strchr(",?:[]{}", *c)))
      return false;
  return true;
}

// Makes the node for an event and appends it to the open container. NULL when memory runs out.
static Node *builder_add(Builder *builder, NodeKind kind, yaml_mark_t mark) {
  Node *node = arena_alloc(builder->document, sizeof *node);
  if (!node) {
    builder_error(builder, mark, "out of memory");
    return NULL;
  }
  *node = (Node){
      .kind = kind, .file = builder->file, .line = mark_line(builder, mark), .column = mark_column(builder, mark)};
  if (builder->depth == 0) {
    builder->root = node;
    return node;
  }
  Node *parent = builder->open[builder->depth - 1];
  if (parent->kind == NODE_MAP) {
    node->key = builder->key;
    node->key_line = builder->key_line;
    node->key_column = builder->key_column;
    builder->key = NULL;
  }
  node_append(parent, node);
  return node;
}

static bool builder_expects_key(const Builder *builder) {
  return builder->depth > 0 && builder->open[builder->depth - 1]->kind == NODE_MAP && !builder->key;
}

static bool builder_open(Builder *builder, NodeKind kind, bool flow, yaml_mark_t mark) {
  if (builder_expects_key(builder))
    return builder_error(builder, mark, "a key must be a word, not a list or a map");
  if (builder->depth >= builder->deepest)
    return builder_error(builder, mark, "nested too deeply, at most 32 levels are allowed");
  Node *node = builder_add(builder, kind, mark);
  if (!node)
    return false;
  node->flow = flow;
  builder->open[builder->depth++] = node;
  return true;
}

static void builder_end(const Builder *builder, Node *node, yaml_mark_t mark) {
  node->end_line = mark_line(builder, mark);
  node->end_column = mark_column(builder, mark);
}

static bool key_is_valid(const char *key, size_t length) {
  if (length == 0 || length > LONGEST_KEY)
    return false;
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)key[i] < ' ')
      return false;
  return true;
}

static bool builder_scalar(Builder *builder, const yaml_event_t *event) {
  const char *value = (const char *)event->data.scalar.value;
  size_t length = event->data.scalar.length;
  yaml_mark_t mark = event->start_mark;
  if (memchr(value, '\0', length))
    return builder_error(builder, mark, "text must not hold a zero byte");
  bool is_key = builder_expects_key(builder);
  if (is_key && !key_is_valid(value, length))
    return builder_error(builder, mark, "a key must have 1 to 120 characters and no control characters");
  char *text = arena_text(builder->document, value, length);
  if (!text)
    return builder_error(builder, mark, "out of memory");
  if (is_key) {
    builder->key = text;
    builder->key_line = mark_line(builder, mark);
    builder->key_column = mark_column(builder, mark);
    return true;
  }
  Node *node = builder_add(builder, NODE_SCALAR, mark);
  if (!node)
    return false;
  bool in_flow = builder->depth > 0 && builder->open[builder->depth - 1]->flow;
  node->text = text;
  if (event->data.scalar.style != YAML_LITERAL_SCALAR_STYLE && event->data.scalar.style != YAML_FOLDED_SCALAR_STYLE)
    builder_end(builder, node, event->end_mark);
  node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE || !text_is_plain(text, in_flow);
  return true;
}

static int compare_keys(const void *a, const void *b) {
  const Node *x = *(const Node *const *)a, *y = *(const Node *const *)b;
  int order = strcmp(x->key, y->key);
  if (order == 0)
    order = (x->key_line > y->key_line) - (x->key_line < y->key_line);
  return order != 0 ? order : (x->key_column > y->key_column) - (x->key_column < y->key_column);
}

// Sorted first, since a file may have a million keys.
static bool map_check_duplicates(const Node *map, Error *error) {
  if (map->count < 2)
    return true;
  const Node **sorted = malloc((size_t)map->count * sizeof *sorted);
  if (!sorted)
    return node_error(map, error, "out of memory");
  int count = 0;
  for (const Node *child = map->first; child; child = child->next)
    sorted[count++] = child;
  qsort(sorted, (size_t)count, sizeof *sorted, compare_keys);
  bool ok = true;
  for (int i = 1; i < count && ok; i++)
    if (strcmp(sorted[i - 1]->key, sorted[i]->key) == 0)
      ok = sorted[i]->key_line == 0 ? node_key_error(sorted[i], error, "key '%s' appears twice", sorted[i]->key)
                                    : node_key_error(sorted[i], error, "key '%s' appears twice, first in line %d",
                                                     sorted[i]->key, sorted[i - 1]->key_line);
  free(sorted);
  return ok;
}

static bool builder_close(Builder *builder, yaml_mark_t mark) {
  Node *node = builder->open[--builder->depth];
  if (node->flow)
    builder_end(builder, node, mark);
  return node->kind != NODE_MAP || map_check_duplicates(node, builder->error);
}

static bool event_has_tag_or_anchor(const yaml_event_t *event) {
  switch (event->type) {
  case YAML_SCALAR_EVENT:
    return event->data.scalar.tag || event->data.scalar.anchor;
  case YAML_SEQUENCE_START_EVENT:
    return event->data.sequence_start.tag || event->data.sequence_start.anchor;
  case YAML_MAPPING_START_EVENT:
    return event->data.mapping_start.tag || event->data.mapping_start.anchor;
  default:
    return event->type == YAML_ALIAS_EVENT;
  }
}

static bool builder_event(Builder *builder, const yaml_event_t *event) {
  if (event_has_tag_or_anchor(event))
    return builder_error(builder, event->start_mark, "anchors (&), aliases (*) and tags (!) are not allowed");
  switch (event->type) {
  case YAML_DOCUMENT_START_EVENT:
    return !builder->root || builder_error(builder, event->start_mark, "only one document is allowed in a file");
  case YAML_MAPPING_START_EVENT:
    return builder_open(builder, NODE_MAP, event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE,
                        event->start_mark);
  case YAML_SEQUENCE_START_EVENT:
    return builder_open(builder, NODE_LIST, event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE,
                        event->start_mark);
  case YAML_MAPPING_END_EVENT:
  case YAML_SEQUENCE_END_EVENT:
    return builder_close(builder, event->end_mark);
  case YAML_SCALAR_EVENT:
    return builder_scalar(builder, event);
  case YAML_STREAM_END_EVENT:
    builder->done = true;
    return true;
  default:
    return true;
  }
}

// The line and column of the byte at an offset.
static yaml_mark_t mark_in_text(const char *text, size_t offset) {
  yaml_mark_t mark = {0};
  for (size_t i = 0; i < offset && text[i] != '\0'; i++) {
    mark.line += text[i] == '\n';
    // columns count characters, not bytes of UTF-8
    mark.column = text[i] == '\n' ? 0 : mark.column + ((text[i] & 0xc0) != 0x80);
  }
  return mark;
}

// The first byte of the character at a mark, whose index counts UTF-8 characters.
static char byte_at(const char *text, yaml_mark_t mark) {
  for (size_t i = 0; *text != '\0'; text++)
    if (((unsigned char)*text & 0xc0) != 0x80 && i++ == mark.index)
      break;
  return *text;
}

// Sets the error that libyaml reports.
static bool parser_error(Builder *builder, const yaml_parser_t *parser, const char *text) {
  yaml_mark_t mark = parser->problem_mark, end = mark_in_text(text, strlen(text));
  if (parser->error == YAML_READER_ERROR) // only the byte is known
    mark = mark_in_text(text, parser->problem_offset);
  else if (mark.line > end.line) // the end of a text without a final line break counts as a line of its own
    mark = end;
  const char *problem = parser->problem ? parser->problem : "out of memory";
  if (strcmp(problem, "mapping values are not allowed in this context") == 0)
    problem = "mapping values are not allowed in this context, quote a text that contains ': '";
  if (strcmp(problem, "found character that cannot start any token") == 0 &&
      byte_at(text, parser->problem_mark) == '\t')
    return builder_error(builder, mark, "a tab cannot indent, use spaces");
  return error_at(builder->error, builder->file, mark_line(builder, mark), mark_column(builder, mark),
                  "not valid YAML: %s%s%s", problem, parser->context ? " " : "",
                  parser->context ? parser->context : "");
}

static bool builder_run(Builder *builder, const char *text) {
  text += strncmp(text, MARK, sizeof MARK - 1) == 0 ? sizeof MARK - 1 : 0;
  size_t size = strlen(text);
  if (size > LARGEST_TEXT)
    return error_at(builder->error, builder->file, 1, 1, "too large, at most 16 MiB are allowed");
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser))
    return error_at(builder->error, builder->file, 1, 1, "out of memory");
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  bool ok = true;
  while (ok && !builder->done) {
    yaml_event_t event;
    if (yaml_parser_parse(&parser, &event)) {
      ok = builder_event(builder, &event);
      yaml_event_delete(&event);
    } else {
      ok = parser_error(builder, &parser, text);
    }
  }
  yaml_parser_delete(&parser);
  return ok;
}

bool document_parse(Document *document, const char *name, const char *text, Error *error) {
  *document = (Document){0};
  const char *file = arena_text(document, name, strlen(name));
  if (!file)
    return error_set(error, "%s: out of memory", name);
  Builder builder = {.document = document, .error = error, .file = file, .deepest = DEEPEST_NESTING};
  bool ok = builder_run(&builder, text);
  if (ok && !builder.root)
    ok = error_at(error, name, 1, 1, "the file is empty, expected keys and values (key: value)");
  else if (ok && builder.root->kind != NODE_MAP)
    ok = node_error(builder.root, error, "expected keys and values (key: value)");
  if (!ok)
    document_free(document);
  document->root = ok ? builder.root : NULL;
  return ok;
}

bool document_is_text(const char *name, const File *file, Error *error) {
  const char *bytes = file->bytes, *zero = memchr(bytes, '\0', file->size);
  if (file->size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0))
    return error_at(error, name, 1, 1, "the text is in UTF-16 or UTF-32, allowed is UTF-8");
  if (!zero)
    return true;
  const yaml_mark_t mark = mark_in_text(bytes, (size_t)(zero - bytes));
  return error_at(error, name, mark.line < INT_MAX ? (int)mark.line + 1 : INT_MAX, (int)mark.column + 1,
                  "a zero byte: allowed is text in UTF-8");
}

bool document_read(Document *document, const char *name, const File *file, Error *error) {
  *document = (Document){0};
  return document_is_text(name, file, error) && document_parse(document, name, file->bytes, error);
}

// ---- Overrides ----

enum { LONGEST_PLACE = 200 }; // bytes of an assignment that messages name

typedef struct Assignment {
  const char *place; // its name in messages: --set world.dt=1/240, or --seed 7
  const char *path;
  const char *equals; // the '=' between path and value
  char ends[3];       // characters that end a step: '.' and '='
  const char *step;   // beginning of the present step
  size_t length;      // length of the present step
  int depth;          // steps so far
  Document *document;
  Error *error;
} Assignment;

// Appends an empty text to the map or list; the next step converts it to the kind that it needs.
static Node *assignment_new_child(Assignment *set, Node *parent) {
  bool is_key = parent->kind == NODE_MAP;
  for (size_t i = 0; i < set->length && is_key; i++)
    if (set->step[i] < ' ' || set->step[i] > '~') {
      error_at(set->error, set->place, 0, 0, "a new key must be made of printable ASCII characters");
      return NULL;
    }
  Node *child = arena_alloc(set->document, sizeof *child);
  char *key = arena_text(set->document, set->step, set->length), *text = arena_text(set->document, "", 0);
  if (!child || !key || !text) {
    error_at(set->error, set->place, 0, 0, "out of memory");
    return NULL;
  }
  *child = (Node){.kind = NODE_SCALAR, .file = set->place, .key = is_key ? key : NULL, .text = text, .quoted = true};
  node_append(parent, child);
  return child;
}

static bool assignment_no_item(const Assignment *set, const Node *list) {
  const char *names[64];
  int count = 0;
  for (const Node *item = list->first; item && count < 64; item = item->next) {
    const Node *name = node_find(item, "name");
    name = name ? name : node_find(item, "kind");
    if (name && name->kind == NODE_SCALAR)
      names[count++] = name->text;
  }
  char step[LONGEST_KEY + 1];
  snprintf(step, sizeof step, "%.*s", (int)set->length, set->step);
  const char *guess = closest_name(step, names, count);
  if (guess)
    return error_at(set->error, set->place, 0, 0, "no item '%s' in the list, did you mean '%s'?", step, guess);
  return error_at(
      set->error, set->place, 0, 0,
      "no item '%s' in the list, it has %d; an item is named by its index from 0, by its name or by its kind", step,
      list->count);
}

// Goes one step down the path and adds what a map lacks. NULL and an error when the step is not possible.
static Node *assignment_descend(Assignment *set, Node *parent) {
  bool appends = set->length == 1 && set->step[0] == '+';
  if (parent->kind == NODE_SCALAR && parent->text[0] == '\0') { // `key:` without a value
    parent->kind = appends ? NODE_LIST : NODE_MAP;
    parent->text = NULL;
    parent->quoted = false;
  }
  if (parent->kind == NODE_SCALAR) {
    error_at(set->error, set->place, 0, 0, "'%s' is a plain value and has no keys",
             parent->key ? parent->key : parent->text);
    return NULL;
  }
  Node *child = (Node *)node_step(parent, set->step, set->length);
  if (!child && (parent->kind == NODE_MAP || appends))
    child = assignment_new_child(set, parent);
  else if (!child)
    assignment_no_item(set, parent);
  if (child)
    parent->flow = false; // in flow style not every value could be written without quotes
  return child;
}

// Parses the value as a tree of its own.
static Node *assignment_value(const Assignment *set) {
  Builder builder = {.document = set->document, .error = set->error, .file = set->place, .override = true};
  builder.deepest = DEEPEST_NESTING - set->depth;
  if (!builder_run(&builder, set->equals + 1))
    return NULL;
  if (!builder.root) { // nothing after the '=': empty text
    builder.done = false;
    builder_run(&builder, "''");
  }
  return builder.root;
}

// "--set world.dt=1/240" for messages, shortened if it is very long; an assignment in the form of an option is
// unchanged.
static const char *assignment_place(Document *document, const char *assignment, bool is_option) {
  size_t length = strlen(assignment);
  bool cut = length > LONGEST_PLACE;
  if (cut)
    for (length = LONGEST_PLACE; ((unsigned char)assignment[length] & 0xc0) == 0x80;) // not within a UTF-8 character
      length--;
  char place[LONGEST_PLACE + 16];
  int size =
      snprintf(place, sizeof place, "%s%.*s%s", is_option ? "" : "--set ", (int)length, assignment, cut ? "..." : "");
  return arena_text(document, place, (size_t)size);
}

bool document_set(Document *document, const char *assignment, Error *error) {
  bool is_option = strncmp(assignment, "--", 2) == 0;
  Assignment set = {.path = assignment + (is_option ? 2 : 0), .document = document, .error = error};
  set.ends[0] = '.';
  set.ends[1] = is_option ? ' ' : '=';
  set.equals = strchr(set.path, set.ends[1]);
  set.place = assignment_place(document, assignment, is_option);
  if (!set.place)
    return error_set(error, "--set: out of memory");
  if (!set.equals || set.equals == set.path)
    return error_at(error, set.place, 0, 0, "expected path=value, as in world.dt=1/240");
  if (strlen(assignment) > LARGEST_TEXT)
    return error_at(error, set.place, 0, 0, "too large, at most 16 MiB are allowed");
  for (set.step = set.path; set.step <= set.equals; set.step += set.length + 1, set.depth++) {
    set.length = strcspn(set.step, set.ends);
    if (set.length == 0 || set.length > LONGEST_KEY)
      return error_at(error, set.place, 0, 0, "expected keys of 1 to 120 characters, separated by dots");
  }
  if (set.depth > DEEPEST_NESTING)
    return error_at(error, set.place, 0, 0, "nested too deeply, at most 32 levels are allowed");

  // The value is read first, so that a wrong one changes nothing.
  const Node *value = assignment_value(&set);
  Node *target = !value ? NULL : document->root;
  set.step = set.path;
  while (target && set.step <= set.equals) {
    set.length = strcspn(set.step, set.ends);
    target = assignment_descend(&set, target);
    set.step += set.length + 1;
  }
  if (!target)
    return false;

  const Node place = *target;
  *target = *value;
  target->key = place.key;
  target->next = place.next;
  return true;
}

// A YAML file as a tree in which every node stores its file, line and column (read with libyaml). Anchors, aliases,
// tags and several documents in one file are errors, since our files do not need them.
#ifndef STAGGER_SIM_BASE_DOCUMENT_H
#define STAGGER_SIM_BASE_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/error.h"
#include "sim/base/files.h"

typedef enum NodeKind { NODE_SCALAR, NODE_LIST, NODE_MAP } NodeKind;

typedef struct Node {
  NodeKind kind;
  const char *file;         // as given to document_parse; "--set world.dt=1/240" for overrides
  int line, column;         // counted from 1; of the value; 0 for overrides, which have no lines
  int end_line, end_column; // just after the value; 0 for lists and maps in block style and for texts in | or > style
  char *key;                // for a child of a map; otherwise NULL
  int key_line, key_column;
  char *text;  // for a scalar
  bool quoted; // certainly a text: in quotes, empty, over several lines, or with characters that require quotes
  bool flow;   // written on one line, [a, b] or {a: 1}
  struct Node *first, *last, *next;
  int count; // number of children
} Node;

typedef struct Document {
  Node *root; // always a map
  void *memory;
} Document;

// Parses YAML text into a tree; name: what error messages call it. The root must be a map. Duplicate keys, keys that
// are empty or longer than 120 bytes, nesting deeper than 32 and text over 16 MiB are errors. A UTF-8 byte order mark
// at the beginning is skipped. On failure the document is empty and need not be freed.
bool document_parse(Document *document, const char *name, const char *text, Error *error);

// The same for a file, which is first checked to be text.
bool document_read(Document *document, const char *name, const File *file, Error *error);

// Whether a file contains text. Errors, with line and column: UTF-16, a zero byte.
bool document_is_text(const char *name, const File *file, Error *error);
void document_free(Document *document);

// Applies "path=value". The steps of the path are separated by dots; each is a key of a map, an index of a list, the
// `name:` of a list's item or, if only one item without a name has it, its `kind:`, e.g.
// characters.runner.layers.stepper.scale=0.1. The value is YAML. Missing maps and keys are added, missing list items
// are errors; a step + appends an item to a list. "--path value" has the same effect, for messages that name an option
// such as --seed 7 as the user has written it.
bool document_set(Document *document, const char *assignment, Error *error);

// The tree as YAML text that parses to the same tree (comments are lost). The caller frees it. NULL when memory runs
// out.
char *document_write(const Document *document);

// Makes the assignments (see document_set) in the text itself, so that comments and layout are kept; where that is not
// possible the whole text is written anew. The result parses to what document_set gives. name: what error messages call
// the text. The caller frees the result. NULL and an error when document_parse or document_set would fail.
char *document_edit(const char *name, const char *text, const char *const *assignments, int count, Error *error);

const Node *node_find(const Node *map, const char *key); // NULL when absent or when map is NULL or not a map
const Node *node_at(const Node *list, int index);

// The child for one step of a document_set path, and the node at the end of such a path; NULL when there is none.
const Node *node_step(const Node *parent, const char *step, size_t length);
const Node *node_path(const Node *root, const char *path);

// Sets the error "file:line:column: ..." at the value, or at the key (for unknown keys). Returns false.
bool node_error(const Node *node, Error *error, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool node_key_error(const Node *node, Error *error, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Values. Each returns false with an error at the node that says what is expected. Numbers must be finite; "a/b" is
// also a number (dt: 1/240).
bool node_real(const Node *node, double *value, Error *error);
bool node_int(const Node *node, int *value, Error *error);
bool node_bool(const Node *node, bool *value, Error *error);
bool node_text(const Node *node, char *text, size_t size, Error *error);
bool node_reals(const Node *node, double *values, int count, Error *error); // a list of exactly `count` numbers

// Errors unless every key of the map is one of `keys` (NULL-terminated); for unknown keys a similar one is suggested.
bool node_check_keys(const Node *map, const char *const *keys, Error *error);

// Checks that a text can be a name: names are parts of paths in traces, of overrides and of expectations.
bool node_check_name(const Node *node, const char *name, Error *error);
bool node_check_key_name(const Node *node, Error *error); // the same for a node's key

// The entry of `names` closest to `word` by edit distance, or NULL when none is close enough to suggest.
const char *closest_name(const char *word, const char *const *names, int count);

// The end of an error about an unknown name: ", did you mean 'chest'?" or, when none is similar, ", allowed are neck,
// head", as many as there is room for.
typedef struct NameHint {
  char text[320];
} NameHint;
NameHint name_hint(const char *word, const char *const *names, int count);

#endif

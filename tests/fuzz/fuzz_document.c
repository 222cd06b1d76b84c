// How to run: ./dev fuzz
// Any bytes are read as a document, and those after the first zero byte as an override of it. An accepted document must
// be written and read again as the same tree, a refused one must come with an error, and an override can be made in the
// text exactly if it can be made in the tree.
#include <stdlib.h>
#include <string.h>

#include "fuzzer.h"

#include "tests/document_trees.h"

static void check_round_trip(const Document *document) {
  char *text = document_write(document);
  check(text != NULL);
  Document again;
  check(document_parse(&again, "again", text, NULL));
  check(trees_are_equal(document->root, again.root));
  document_free(&again);
  free(text);
}

// Turns every node into every kind of value.
static void read_values(const Node *node) {
  static const char *const KEYS[] = {"name", "seed", NULL};
  double reals[3];
  int number;
  bool flag;
  char text[16];
  Error error = {0};
  node_real(node, reals, &error);
  node_reals(node, reals, 3, &error);
  node_int(node, &number, &error);
  node_bool(node, &flag, &error);
  node_text(node, text, sizeof text, &error);
  check(node_check_keys(node, KEYS, &error) || error.text[0] != '\0');
  for (const Node *child = node->first; child; child = child->next)
    read_values(child);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  check(text != NULL);
  memcpy(text, data, size);
  text[size] = '\0';
  Document document;
  Error error = {0};
  if (document_parse(&document, "fuzz", text, &error)) {
    read_values(document.root);
    check_round_trip(&document);
    size_t length = strlen(text);
    const char *assignment = length < size ? text + length + 1 : "characters.runner.drive.strength=0.5";
    bool is_set = document_set(&document, assignment, &error);
    if (is_set)
      check_round_trip(&document);
    else
      check(error.text[0] != '\0');
    char *edited = document_edit("fuzz", text, &assignment, 1, NULL);
    check((edited != NULL) == is_set);
    Document again;
    check(!edited || document_parse(&again, "again", edited, NULL));
    if (edited)
      document_free(&again);
    free(edited);
    document_free(&document);
  } else {
    check(error.text[0] != '\0');
  }
  free(text);
  return 0;
}

// Whether two documents have the same contents.
#ifndef STAGGER_TESTS_DOCUMENT_TREES_H
#define STAGGER_TESTS_DOCUMENT_TREES_H

#include <string.h>

#include "sim/base/document.h"

static inline bool trees_are_equal(const Node *a, const Node *b) {
  if (a->kind != b->kind || a->count != b->count || a->flow != b->flow || a->quoted != b->quoted)
    return false;
  if ((!a->key) != (!b->key) || (a->key && strcmp(a->key, b->key) != 0))
    return false;
  if (a->kind == NODE_SCALAR)
    return strcmp(a->text, b->text) == 0;
  const Node *x = a->first, *y = b->first;
  for (; x && y; x = x->next, y = y->next)
    if (!trees_are_equal(x, y))
      return false;
  return !x && !y;
}

#endif

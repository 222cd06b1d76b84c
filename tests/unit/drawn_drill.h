// What is drawn for debugging, in a sum that depends on every item.
#ifndef STAGGER_TESTS_DRAWN_DRILL_H
#define STAGGER_TESTS_DRAWN_DRILL_H

#include "sim/base/debug_draw.h"
#include "tests/unit/drill.h"
#include "tests/unit/text_digest.h"

static inline void drill_add_drawn(DrillSum *sum, const DebugDraw *draw) {
  drill_add(sum, draw->count);
  for (int i = 0; i < draw->count; i++) {
    const DebugItem *item = &draw->items[i];
    const double looks[] = {(double)item->shape, (double)item->group, 1e-9 * item->color, 100 * (double)item->size,
                            (double)(text_digest(item->text) % 1000) / 1000};
    drill_add_all(sum, looks, 5);
    drill_add_floats(sum, item->a, 3);
    drill_add_floats(sum, item->b, 3);
  }
}

#endif

// Keyed curves: functions of one variable.
#ifndef STAGGER_ANIM_CURVE_H
#define STAGGER_ANIM_CURVE_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/document.h"

enum { CURVE_MAX_KEYS = 16 };

typedef struct Curve {
  int count;                                   // 1 .. CURVE_MAX_KEYS
  bool smooth;                                 // false: linear; true: smooth (zero slope at the keys)
  double x[CURVE_MAX_KEYS], y[CURVE_MAX_KEYS]; // x strictly increasing
} Curve;

// The value at x; constant beyond the first and the last key.
double curve_value(const Curve *curve, double x);

// Reads `[[x, y], [x, y], ...]` or `{smooth: true, keys: [...]}`; y must be in [min, max].
bool curve_read(Curve *curve, const Node *node, double min, double max, Error *error);

// A curve that is a key of a file's section: one row says where it is kept and what is allowed.
typedef struct CurveRow {
  const char *name;          // the key, "offset"; or, with others in a map, "blend.dv"
  size_t offset;             // bytes into the struct
  double x_min, x_max;       // where x has a meaning, x_max may be INFINITY; keys beyond it are allowed, without effect
  double y_min, y_max;       // allowed
  bool arch;                 // must begin with [x_min, 0] and end with [x_max, 0]
  const char *x_doc, *y_doc; // what the axes are, with units
} CurveRow;

typedef struct CurveTable {
  const CurveRow *rows;
  int count;
} CurveTable;

// Reads the curves of a section, of which those without a key are unchanged. Of the rows "blend.dv" and
// "blend.direction" the first one may also stand in place of the map: `blend: [[x, y], ...]`.
bool curve_table_read(const CurveTable *table, void *values, const Node *map, Error *error);

// The curve of a row in the struct.
Curve *curve_at(const CurveRow *row, void *values);

// Whether two curves have the same keys and the same kind of line between them.
bool curve_is_equal(const Curve *a, const Curve *b);

// The curve as YAML that reads back to the same one. Room for CURVE_TEXT_SIZE bytes is enough.
enum { CURVE_TEXT_SIZE = 64 + CURVE_MAX_KEYS * 56 };
void curve_write(const Curve *curve, char *text, size_t size);

#endif

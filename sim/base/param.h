// Parameter tables: one row for each parameter gives the field of the struct, its default, the YAML key, the range
// check with file, line and column, --set, the sweep axis, the viewer's slider and the line of the generated reference.
//
//   #define WORLD_PARAMS(ROW, T)  [each line but the last continued with a backslash]
//     ROW(T, REAL, dt, "1/240", 1e-4, 0.05, "s", "Length of one physics step.")
//     ROW(T, CHOICE, solver, "step", 0, 0, "step|iterative", "ODE's stepper: exact or iterative.")
//   typedef struct WorldDef { WORLD_PARAMS(PARAM_FIELD, WorldDef) } WorldDef;
//   // in the .c file:
//   PARAM_TABLE(world_params, WorldDef, WORLD_PARAMS, "world", "The physical world.")
//
// The default is written as it would be in YAML. For TEXT, min and max are 0. For CHOICE, the unit column lists the
// names, separated by |, and the field holds the index.
#ifndef STAGGER_SIM_BASE_PARAM_H
#define STAGGER_SIM_BASE_PARAM_H

#include <stddef.h>

#include "sim/base/document.h"

enum { PARAM_TEXT_SIZE = 128 };

typedef enum ParamType {
  PARAM_BOOL,   // bool
  PARAM_INT,    // int
  PARAM_REAL,   // double
  PARAM_RANGE,  // double[2]: [low, high], or one number for both
  PARAM_VECTOR, // double[3]
  PARAM_CHOICE, // int
  PARAM_TEXT,   // char[PARAM_TEXT_SIZE]
} ParamType;

typedef struct Param {
  const char *name;
  ParamType type;
  size_t offset; // bytes into the struct
  const char *default_text;
  double min, max; // inclusive; for RANGE and VECTOR of every component
  const char *unit;
  const char *doc; // one sentence
} Param;

typedef struct ParamTable {
  const char *name; // the YAML section, e.g. "world"; "" at the top level
  const char *doc;  // one sentence
  const Param *rows;
  int count;
  size_t size; // sizeof the struct
} ParamTable;

#define PARAM_FIELD_BOOL(name) bool name;
#define PARAM_FIELD_INT(name) int name;
#define PARAM_FIELD_REAL(name) double name;
#define PARAM_FIELD_RANGE(name) double name[2];
#define PARAM_FIELD_VECTOR(name) double name[3];
#define PARAM_FIELD_CHOICE(name) int name;
#define PARAM_FIELD_TEXT(name) char name[PARAM_TEXT_SIZE];
#define PARAM_FIELD(T, type, name, default_text, min, max, unit, doc) PARAM_FIELD_##type(name)
#define PARAM_ROW(T, type, name, default_text, min, max, unit, doc)                                                    \
  {#name, PARAM_##type, offsetof(T, name), default_text, min, max, unit, doc},
#define PARAM_TABLE(table, T, PARAMS, section, doc)                                                                    \
  static const Param table##_rows[] = {PARAMS(PARAM_ROW, T)};                                                          \
  const ParamTable table = {section, doc, table##_rows, (int)(sizeof table##_rows / sizeof table##_rows[0]), sizeof(T)};

// Sets every parameter of the struct to its default; other fields are left alone.
void param_defaults(const ParamTable *table, void *values);

// Reads the keys of a map into the struct; keys that are absent keep their value. other_keys (NULL-terminated, may be
// NULL) are keys of the map that somebody else reads. Unknown keys, wrong types and values out of range are errors.
bool param_read(const ParamTable *table, void *values, const Node *map, const char *const *other_keys, Error *error);

// Reads the map that stands in `map` under the table's name into the struct, over the defaults.
bool param_read_section(const ParamTable *table, void *values, const Node *map, Error *error);

// One row: the value at the node into the struct, checked.
bool param_read_row(const Param *row, void *values, const Node *node, Error *error);

// Bytes of a row's value, whether two structs agree in it, and its value from one to the other.
size_t param_size(const Param *row);
bool param_is_equal(const Param *row, const void *a, const void *b);
void param_copy(const Param *row, void *to, const void *from);

// The value as YAML text, and the row by name (NULL when there is none).
void param_write_row(const Param *row, const void *values, char *text, size_t size);
const Param *param_find(const ParamTable *table, const char *name);

#endif

// Parameter tables: one row for each parameter defines the field of the struct, its default, the YAML key, the range
// check with file, line and column, --set, the sweep axis, the viewer's slider and the line of the generated reference.
//
//   #define WORLD_PARAMS(ROW, T)  [each line but the last continued with a backslash]
//     ROW(T, REAL, dt, "1/240", 1e-4, 0.05, "s", "Length of one physics step.")
//     ROW(T, CHOICE, solver, "step", 0, 0, "step|iterative", "ODE's stepper: exact or iterative.")
//   typedef struct WorldDef { WORLD_PARAMS(PARAM_FIELD, WorldDef) } WorldDef;
//   // in the .c file:
//   PARAM_TABLE(world_params, WorldDef, WORLD_PARAMS, "world", "The physical world.")
//
// The default is written as in YAML. For TEXT, min and max are 0. For CHOICE, the column of the unit lists the names,
// separated by |, and the field contains the index.
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
  double min, max; // inclusive; for RANGE and VECTOR they apply to every component
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

// Sets every parameter of the struct to its default; other fields are unchanged.
void param_defaults(const ParamTable *table, void *values);

// Reads the keys of a map into the struct; parameters without a key are unchanged. other_keys (NULL-terminated, may be
// NULL): keys of the map that are read elsewhere. Unknown keys, wrong types and values out of range are errors.
bool param_read(const ParamTable *table, void *values, const Node *map, const char *const *other_keys, Error *error);

// Sets the defaults, then reads the section of `map` with the table's name, if there is one.
bool param_read_section(const ParamTable *table, void *values, const Node *map, Error *error);

// Reads and checks the value of one row at the node.
bool param_read_row(const Param *row, void *values, const Node *node, Error *error);

// Size of a row's value in bytes; whether two structs have equal values; copies a value.
size_t param_size(const Param *row);
bool param_is_equal(const Param *row, const void *a, const void *b);
void param_copy(const Param *row, void *to, const void *from);

// param_write_row: the value as YAML text. param_find: the row with that name (NULL when there is none).
void param_write_row(const Param *row, const void *values, char *text, size_t size);
const Param *param_find(const ParamTable *table, const char *name);

#endif

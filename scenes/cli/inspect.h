// Output of `stagger inspect` for scenes, studies and their results, and skills, and common functions.
#ifndef STAGGER_SCENES_CLI_INSPECT_H
#define STAGGER_SCENES_CLI_INSPECT_H

#include "sim/base/param.h"
#include "sim/trace/trace.h"

enum { INSPECT_VALUE_SIZE = 2 * PARAM_TEXT_SIZE + 32 };

// Writes the value of a row as YAML; a range of a single value as that value.
void inspect_value(const Param *row, const void *values, char *text, size_t size);

// Whether values of a row have a unit that is worth a word.
bool inspect_has_unit(const Param *row);

// Writes what a row may be, without its unit: "0 to 10", "flat|slope", "true, false", "text".
void inspect_range(const Param *row, char *text, size_t size);

// Prints every parameter that is not at its default.
void inspect_section(const char *title, const ParamTable *table, const void *values);

// Prints a line for each character of a trace that was ever down: when it fell, lay, got up and stood again.
void inspect_states(TraceReader *reader);

// Each prints the content of the path and returns the exit code.
int inspect_scene(const char *path);
int inspect_keys(const char *path); // the keys of a scene that --set takes
int inspect_study(const char *path);
int inspect_folder(const char *path);  // of a study's results
int inspect_trials(const char *path);  // a table of trials in HDF5
int inspect_skill(const char *path);   // a skill's description, and its network if there is one
int inspect_tensors(const char *path); // the file of a skill's network

#endif

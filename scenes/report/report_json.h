// Building the data of a report: arrays as base64, see report_data.h.
#ifndef STAGGER_SCENES_REPORT_REPORT_JSON_H
#define STAGGER_SCENES_REPORT_REPORT_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum ArrayType { ARRAY_F32, ARRAY_I16, ARRAY_I32 } ArrayType;

// Adds an ARRAY of shape [rows, a, b], without b where it is 0, without a where both are. False: no memory.
bool json_add_array(cJSON *object, const char *name, ArrayType type, long rows, int a, int b, double scale,
                    const void *values);

// null where the number is not finite. False: no memory.
bool json_add_number(cJSON *object, const char *name, double value);

bool json_add_numbers(cJSON *object, const char *name, const double *values, int count);
bool json_add_integers(cJSON *object, const char *name, const int *values, int count);

// The same with nine digits and little memory, for many numbers.
bool json_add_list(cJSON *object, const char *name, const double *values, long count);

bool json_add_text(cJSON *object, const char *name, const char *text);

#endif

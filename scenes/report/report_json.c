// Adds numbers, texts and arrays to the JSON of a report; arrays are base64 of little-endian bytes.
#include "scenes/report/report_json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/report/html.h"
#include "sim/base/base64.h"

// Little endian bytes of numbers that are `width` bytes wide, wherever this runs.
static unsigned char *little_endian(const void *values, size_t count, size_t width) {
  unsigned char *bytes = malloc(count * width + 1);
  for (size_t i = 0; bytes && i < count; i++) {
    uint32_t number = 0;
    if (width == 2) {
      uint16_t half;
      memcpy(&half, (const char *)values + i * width, sizeof half);
      number = half;
    } else {
      memcpy(&number, (const char *)values + i * width, sizeof number);
    }
    for (size_t k = 0; k < width; k++)
      bytes[i * width + k] = (unsigned char)(number >> 8 * k & 0xff);
  }
  return bytes;
}

bool json_add_array(cJSON *object, const char *name, ArrayType type, long rows, int a, int b, double scale,
                    const void *values) {
  static const char *const names[] = {"f32", "i16", "i32"};
  const size_t width = type == ARRAY_I16 ? 2 : 4;
  const size_t count = (size_t)rows * (size_t)(a > 0 ? a : 1) * (size_t)(b > 0 ? b : 1);
  unsigned char *bytes = little_endian(values, count, width);
  char *text = bytes ? base64_text(bytes, count * width) : NULL;
  free(bytes);
  const double shape[] = {(double)rows, a, b};
  cJSON *array = cJSON_CreateObject();
  bool good = text && json_add_text(array, "type", names[type]) &&
              cJSON_AddItemToObject(array, "shape",
                                    cJSON_CreateDoubleArray(shape, b > 0   ? 3
                                                                   : a > 0 ? 2
                                                                           : 1)) &&
              json_add_number(array, "scale", scale) && json_add_text(array, "data", text) &&
              cJSON_AddItemToObject(object, name, array);
  free(text);
  if (!good)
    cJSON_Delete(array);
  return good;
}

bool json_add_number(cJSON *object, const char *name, double value) {
  return (isfinite(value) ? cJSON_AddNumberToObject(object, name, value) : cJSON_AddNullToObject(object, name)) != NULL;
}

bool json_add_numbers(cJSON *object, const char *name, const double *values, int count) {
  cJSON *list = cJSON_AddArrayToObject(object, name);
  bool good = list != NULL;
  for (int i = 0; good && i < count; i++)
    good = cJSON_AddItemToArray(list, isfinite(values[i]) ? cJSON_CreateNumber(values[i]) : cJSON_CreateNull());
  return good;
}

bool json_add_integers(cJSON *object, const char *name, const int *values, int count) {
  return cJSON_AddItemToObject(object, name, cJSON_CreateIntArray(values, count));
}

bool json_add_list(cJSON *object, const char *name, const double *values, long count) {
  TextBuffer text = {0};
  html_add(&text, "[");
  for (long i = 0; i < count; i++) {
    html_add(&text, i > 0 ? "," : "");
    if (isfinite(values[i]))
      text_print(&text, "%.9g", values[i]);
    else
      html_add(&text, "null");
  }
  html_add(&text, "]");
  const bool good = !text.failed && cJSON_AddRawToObject(object, name, text.bytes);
  text_free(&text);
  return good;
}

bool json_add_text(cJSON *object, const char *name, const char *text) {
  return cJSON_AddStringToObject(object, name, text) != NULL;
}

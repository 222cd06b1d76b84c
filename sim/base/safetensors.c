// Reads and writes safetensors files in memory.
#include "sim/base/safetensors.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "sim/base/text_buffer.h"

enum { SIZE_BYTES = 8, ALIGNMENT = 8 }; // bytes: the size of the header; the values begin at a multiple of it
static const char METADATA[] = "__metadata__";
static const double EXACT_MOST = 9007199254740992; // 2^53: numbers of JSON are doubles, whole ones exact up to here

// ---- Reading ----

// A file while it is read.
typedef struct Source {
  Tensors *tensors;
  const char *data;            // behind the header
  size_t size;                 // of the data, bytes
  size_t begins[TENSORS_MOST]; // of the values of each tensor, bytes from `data`
  size_t ends[TENSORS_MOST];
  Error *error;
} Source;

static bool refuse(const Source *source, const char *name, const char *problem) {
  return error_set(source->error, "%s: tensor '%s' %s", source->tensors->file, name, problem);
}

// A whole number from 0 to most.
static bool read_count(const cJSON *item, double most, size_t *count) {
  if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= most) ||
      item->valuedouble != floor(item->valuedouble))
    return false;
  *count = (size_t)item->valuedouble;
  return true;
}

static bool read_shape(const Source *source, Tensor *tensor, const cJSON *shape) {
  tensor->rank = cJSON_GetArraySize(shape);
  if (!cJSON_IsArray(shape) || tensor->rank < 1 || tensor->rank > 2)
    return refuse(source, tensor->name, "has no shape of one or two lengths");
  for (int i = 0; i < tensor->rank; i++) {
    size_t length;
    if (!read_count(cJSON_GetArrayItem(shape, i), INT32_MAX, &length) || length == 0)
      return refuse(source, tensor->name, "has a shape that is not of whole numbers from 1");
    tensor->shape[i] = (int)length;
  }
  return true;
}

static size_t value_count(const Tensor *tensor) {
  return (size_t)tensor->shape[0] * (tensor->rank == 2 ? (size_t)tensor->shape[1] : 1);
}

static bool read_place(Source *source, const Tensor *tensor, const cJSON *offsets) {
  size_t *begin = &source->begins[source->tensors->count], *end = &source->ends[source->tensors->count];
  if (!cJSON_IsArray(offsets) || cJSON_GetArraySize(offsets) != 2 ||
      !read_count(cJSON_GetArrayItem(offsets, 0), EXACT_MOST, begin) ||
      !read_count(cJSON_GetArrayItem(offsets, 1), EXACT_MOST, end) || *begin > *end)
    return refuse(source, tensor->name, "has no data_offsets of a beginning and an end");
  if (*end > source->size)
    return refuse(source, tensor->name, "reaches beyond the end of the file");
  if ((*end - *begin) % sizeof(float) != 0 || (*end - *begin) / sizeof(float) != value_count(tensor))
    return refuse(source, tensor->name, "has another number of values than its shape says");
  return true;
}

static bool read_tensor(Source *source, const cJSON *item) {
  Tensors *tensors = source->tensors;
  if (tensors->count == TENSORS_MOST)
    return error_set(source->error, "%s: more than %d tensors", tensors->file, TENSORS_MOST);
  Tensor *tensor = &tensors->tensors[tensors->count];
  const char *name = item->string;
  if (strlen(name) >= sizeof tensor->name)
    return refuse(source, name, "has a name that is too long");
  for (int i = 0; i < tensors->count; i++)
    if (strcmp(tensors->tensors[i].name, name) == 0)
      return refuse(source, name, "is there twice");
  snprintf(tensor->name, sizeof tensor->name, "%s", name);
  const char *type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "dtype"));
  if (!type || strcmp(type, "F32") != 0)
    return error_set(source->error, "%s: tensor '%s' has the dtype %s, allowed is F32", tensors->file, name,
                     type ? type : "of no text");
  if (!read_shape(source, tensor, cJSON_GetObjectItemCaseSensitive(item, "shape")) ||
      !read_place(source, tensor, cJSON_GetObjectItemCaseSensitive(item, "data_offsets")))
    return false;
  tensors->count++;
  return true;
}

static bool read_metadata(const Source *source, const cJSON *metadata) {
  Tensors *tensors = source->tensors;
  if (!cJSON_IsObject(metadata))
    return error_set(source->error, "%s: %s is not an object of texts", tensors->file, METADATA);
  for (const cJSON *item = metadata->child; item; item = item->next) {
    if (!cJSON_IsString(item))
      return error_set(source->error, "%s: '%s' in %s is not a text", tensors->file, item->string, METADATA);
    if (tensors_metadata(tensors, item->string))
      return error_set(source->error, "%s: '%s' is twice in %s", tensors->file, item->string, METADATA);
    if (tensors->metadata_count == TENSORS_MOST)
      return error_set(source->error, "%s: more than %d texts in %s", tensors->file, TENSORS_MOST, METADATA);
    tensors->metadata[tensors->metadata_count++] = (TensorText){item->string, item->valuestring};
  }
  return true;
}

// Puts the tensors into the order of their values, a handful by insertion.
static void sort_tensors(Source *source) {
  for (int i = 1; i < source->tensors->count; i++) {
    const Tensor tensor = source->tensors->tensors[i];
    const size_t begin = source->begins[i], end = source->ends[i];
    int k = i;
    for (; k > 0 && source->begins[k - 1] > begin; k--) {
      source->tensors->tensors[k] = source->tensors->tensors[k - 1];
      source->begins[k] = source->begins[k - 1];
      source->ends[k] = source->ends[k - 1];
    }
    source->tensors->tensors[k] = tensor;
    source->begins[k] = begin;
    source->ends[k] = end;
  }
}

// Every byte of the data belongs to exactly one tensor, as the format demands.
static bool check_places(const Source *source) {
  const Tensors *tensors = source->tensors;
  size_t end = 0;
  for (int i = 0; i < tensors->count; i++) {
    if (source->begins[i] < end)
      return refuse(source, tensors->tensors[i].name, "overlaps another one");
    if (source->begins[i] > end)
      return refuse(source, tensors->tensors[i].name, "begins after bytes that belong to none");
    end = source->ends[i];
  }
  if (end < source->size)
    return error_set(source->error, "%s: the last %zu bytes belong to no tensor", tensors->file, source->size - end);
  return true;
}

static bool read_values(const Source *source) {
  Tensors *tensors = source->tensors;
  if (source->size == 0)
    return true;
  tensors->values = malloc(source->size);
  if (!tensors->values)
    return error_set(source->error, "%s: out of memory", tensors->file);
  memcpy(tensors->values, source->data, source->size); // where the bytes may lie at any address
  for (int i = 0; i < tensors->count; i++) {
    Tensor *tensor = &tensors->tensors[i];
    const float *values = tensors->values + source->begins[i] / sizeof(float);
    tensor->values = values;
    for (size_t k = 0; k < value_count(tensor); k++)
      if (!isfinite(values[k]))
        return error_set(source->error, "%s: value %zu of tensor '%s' is not finite", tensors->file, k, tensor->name);
  }
  return true;
}

static bool parse_header(Source *source, const char *header, size_t size) {
  const char *end = NULL;
  cJSON *root = cJSON_ParseWithLengthOpts(header, size, &end, false);
  source->tensors->header = root;
  while (root && end < header + size && *end == ' ')
    end++;
  if (!root || !cJSON_IsObject(root) || end != header + size)
    return error_set(source->error, "%s: the header is not a JSON object", source->tensors->file);
  for (const cJSON *item = root->child; item; item = item->next) {
    bool good = strcmp(item->string, METADATA) == 0 ? read_metadata(source, item) : read_tensor(source, item);
    if (!good)
      return false;
  }
  return true;
}

static bool read_file(Source *source, const char *bytes, size_t size) {
  if (size < SIZE_BYTES)
    return error_set(source->error, "%s: no safetensors file, it has %zu bytes only", source->tensors->file, size);
  uint64_t header_size = 0;
  for (int i = 0; i < SIZE_BYTES; i++)
    header_size |= (uint64_t)(unsigned char)bytes[i] << 8 * i;
  if (header_size > size - SIZE_BYTES)
    return error_set(source->error, "%s: no safetensors file, or cut off: its header of %llu bytes ends behind it",
                     source->tensors->file, (unsigned long long)header_size);
  source->data = bytes + SIZE_BYTES + header_size;
  source->size = size - SIZE_BYTES - header_size;
  if (!parse_header(source, bytes + SIZE_BYTES, header_size))
    return false;
  sort_tensors(source);
  return check_places(source) && read_values(source);
}

bool tensors_read(Tensors *tensors, const char *bytes, size_t size, const char *file, Error *error) {
  *tensors = (Tensors){0};
  snprintf(tensors->file, sizeof tensors->file, "%s", file);
  Source source = {.tensors = tensors, .error = error};
  bool good = read_file(&source, bytes, size);
  if (!good)
    tensors_free(tensors);
  return good;
}

// ---- Looking up ----

static void print_shape(char *text, size_t size, int rank, const int shape[]) {
  if (rank == 1)
    snprintf(text, size, "%d", shape[0]);
  else
    snprintf(text, size, "%d x %d", shape[0], shape[1]);
}

const Tensor *tensors_find(const Tensors *tensors, const char *name, int rank, const int shape[], Error *error) {
  for (int i = 0; i < tensors->count; i++) {
    const Tensor *tensor = &tensors->tensors[i];
    if (strcmp(tensor->name, name) != 0)
      continue;
    if (tensor->rank == rank && memcmp(tensor->shape, shape, (size_t)rank * sizeof *shape) == 0)
      return tensor;
    char is[32], wanted[32];
    print_shape(is, sizeof is, tensor->rank, tensor->shape);
    print_shape(wanted, sizeof wanted, rank, shape);
    error_set(error, "%s: tensor '%s' has the shape %s, wanted is %s", tensors->file, name, is, wanted);
    return NULL;
  }
  error_set(error, "%s: there is no tensor '%s'", tensors->file, name);
  return NULL;
}

const char *tensors_metadata(const Tensors *tensors, const char *key) {
  for (int i = 0; i < tensors->metadata_count; i++)
    if (strcmp(tensors->metadata[i].key, key) == 0)
      return tensors->metadata[i].value;
  return NULL;
}

// ---- Writing ----

static bool add_numbers(cJSON *item, const char *key, const double *numbers, int count) {
  cJSON *array = cJSON_CreateDoubleArray(numbers, count);
  if (array && cJSON_AddItemToObject(item, key, array))
    return true;
  cJSON_Delete(array);
  return false;
}

static bool add_tensor(cJSON *header, const Tensor *tensor, size_t begin) {
  cJSON *item = cJSON_AddObjectToObject(header, tensor->name);
  const double shape[] = {tensor->shape[0], tensor->shape[1]};
  const double offsets[] = {(double)begin, (double)(begin + value_count(tensor) * sizeof(float))};
  return item && cJSON_AddStringToObject(item, "dtype", "F32") && add_numbers(item, "shape", shape, tensor->rank) &&
         add_numbers(item, "data_offsets", offsets, 2);
}

static bool add_metadata(cJSON *header, const Tensors *tensors) {
  if (tensors->metadata_count == 0)
    return true;
  cJSON *metadata = cJSON_AddObjectToObject(header, METADATA);
  for (int i = 0; i < tensors->metadata_count; i++)
    if (!metadata || !cJSON_AddStringToObject(metadata, tensors->metadata[i].key, tensors->metadata[i].value))
      return false;
  return true;
}

static char *header_text(const Tensors *tensors) {
  cJSON *header = cJSON_CreateObject();
  bool good = header && add_metadata(header, tensors);
  size_t begin = 0;
  for (int i = 0; good && i < tensors->count; i++) {
    good = add_tensor(header, &tensors->tensors[i], begin);
    begin += value_count(&tensors->tensors[i]) * sizeof(float);
  }
  char *text = good ? cJSON_PrintUnformatted(header) : NULL;
  cJSON_Delete(header);
  return text;
}

char *tensors_write(const Tensors *tensors, size_t *size) {
  char *header = header_text(tensors);
  if (!header)
    return NULL;
  const size_t length = strlen(header), padding = (ALIGNMENT - length % ALIGNMENT) % ALIGNMENT;
  TextBuffer file = {0};
  char size_bytes[SIZE_BYTES];
  for (int i = 0; i < SIZE_BYTES; i++)
    size_bytes[i] = (char)((uint64_t)(length + padding) >> 8 * i & 0xff);
  text_append(&file, size_bytes, sizeof size_bytes);
  text_append(&file, header, length);
  text_append(&file, "        ", padding);
  for (int i = 0; i < tensors->count; i++)
    text_append(&file, (const char *)tensors->tensors[i].values, value_count(&tensors->tensors[i]) * sizeof(float));
  cJSON_free(header);
  if (file.failed) {
    text_free(&file);
    return NULL;
  }
  *size = file.size;
  return file.bytes;
}

void tensors_free(Tensors *tensors) {
  cJSON_Delete(tensors->header);
  free(tensors->values);
  *tensors = (Tensors){0};
}

// How to run: ./dev fuzz
// Any bytes are read as a safetensors file. A refused file must come with an error and leave nothing behind; an
// accepted one is the same when written and read again, to the bit, and so are its bytes when written twice.
#include <math.h>
#include <string.h>

#include "fuzzer.h"

#include "sim/base/safetensors.h"

static size_t value_bytes(const Tensor *tensor) {
  return (size_t)tensor->shape[0] * (tensor->rank == 2 ? (size_t)tensor->shape[1] : 1) * sizeof(float);
}

static void check_same(const Tensors *a, const Tensors *b) {
  check(a->count == b->count && a->metadata_count == b->metadata_count);
  for (int i = 0; i < a->count; i++) {
    const Tensor *tensor = &a->tensors[i];
    const Tensor *other = tensors_find(b, tensor->name, tensor->rank, tensor->shape, NULL);
    check(other && memcmp(tensor->values, other->values, value_bytes(tensor)) == 0);
    for (size_t k = 0; k < value_bytes(tensor) / sizeof(float); k++)
      check(isfinite(tensor->values[k]));
  }
  for (int i = 0; i < a->metadata_count; i++) {
    const char *value = tensors_metadata(b, a->metadata[i].key);
    check(value && strcmp(value, a->metadata[i].value) == 0);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Tensors tensors, again;
  Error error = {0};
  bool good = tensors_read(&tensors, (const char *)data, size, "fuzz.safetensors", &error);
  check(good == (error.text[0] == '\0'));
  if (!good) {
    check(tensors.count == 0 && !tensors.values && !tensors.header);
    return 0;
  }
  size_t written_size, rewritten_size;
  char *written = tensors_write(&tensors, &written_size);
  check(written && tensors_read(&again, written, written_size, "again.safetensors", NULL));
  check_same(&tensors, &again);
  char *rewritten = tensors_write(&again, &rewritten_size);
  check(rewritten && written_size == rewritten_size && memcmp(written, rewritten, written_size) == 0);
  free(rewritten);
  free(written);
  tensors_free(&again);
  tensors_free(&tensors);
  return 0;
}

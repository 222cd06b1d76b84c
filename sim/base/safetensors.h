// Named arrays of 32-bit floats in the safetensors format (huggingface.co/docs/safetensors): the size of the header as
// a little-endian u64, a header in JSON, then the values without gaps. The header gives for each tensor its type
// ("dtype"), its "shape", and where its values begin and end ("data_offsets", bytes from the end of the header), and
// texts under "__metadata__".
#ifndef STAGGER_SIM_BASE_SAFETENSORS_H
#define STAGGER_SIM_BASE_SAFETENSORS_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/error.h"

enum { TENSORS_MOST = 64, TENSOR_NAME_SIZE = 64, TENSORS_FILE_SIZE = 256 };

typedef struct Tensor {
  char name[TENSOR_NAME_SIZE];
  int rank;            // 1 or 2
  int shape[2];        // lengths from 1; of rank 2 rows and columns, of rank 1 the second is not used
  const float *values; // [shape[0]] or [shape[0]][shape[1]], finite
} Tensor;

typedef struct TensorText {
  const char *key, *value;
} TensorText;

// To be written: zero-initialise, add tensors and metadata with different names; their pointers remain the caller's.
typedef struct Tensors {
  int count;
  Tensor tensors[TENSORS_MOST]; // in the order of their values in the file
  int metadata_count;
  TensorText metadata[TENSORS_MOST];
  char file[TENSORS_FILE_SIZE]; // for errors: where they were read from

  struct cJSON *header; // what tensors_read allocates: the header that metadata point into, and all values
  float *values;
} Tensors;

// Reads a whole file in memory; nothing points to the bytes afterwards. file: its name for errors. False and an error
// when it is cut off or no such file, when a tensor has another type than F32, another rank than 1 or 2, values that
// are not finite or not exactly as many as its shape says, when the values of two overlap or some belong to none, or
// when it has more than TENSORS_MOST tensors or metadata; the result is then empty.
bool tensors_read(Tensors *tensors, const char *bytes, size_t size, const char *file, Error *error);

// The tensor of that name and shape[rank]. NULL and an error that names it, and both shapes if it has another one.
const Tensor *tensors_find(const Tensors *tensors, const char *name, int rank, const int shape[], Error *error);

const char *tensors_metadata(const Tensors *tensors, const char *key); // NULL: there is none

// The bytes of a file, which the caller frees: the same for the same tensors. NULL: no memory.
char *tensors_write(const Tensors *tensors, size_t *size);

void tensors_free(Tensors *tensors);

#endif

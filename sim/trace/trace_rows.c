// Datasets that grow by blocks of rows, with the rows that wait in memory for the writer thread.
#include "sim/trace/trace_rows.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LIST_CHUNK_BYTES = 16384, // chunk of a list: as many rows as fit, at most LIST_CHUNK_ROWS
  LIST_CHUNK_ROWS = 1024,
  LIST_BLOCK_BYTES = 65536, // room for a list's rows in a block; it doubles, and is kept, when a block needs more
};

void dataset_free(Dataset *dataset) {
  for (int slot = 0; slot < RING; slot++) {
    free(dataset->frames[slot]);
    free(dataset->appended[slot].bytes);
  }
  free(dataset->chunk);
}

bool dataset_allocate(Dataset *dataset, bool is_list) {
  bool ok = true;
  for (int slot = 0; slot < RING; slot++) {
    if (is_list) {
      size_t capacity = dataset->row_size > LIST_BLOCK_BYTES ? dataset->row_size : LIST_BLOCK_BYTES;
      dataset->appended[slot] = (ListRows){malloc(capacity), 0, capacity};
      ok = ok && dataset->appended[slot].bytes;
    } else {
      dataset->frames[slot] = calloc(BLOCK_FRAMES, dataset->row_size);
      ok = ok && dataset->frames[slot];
    }
  }
  if (is_list)
    dataset->chunk = calloc(dataset->chunk_rows, dataset->row_size);
  return ok && (!is_list || dataset->chunk);
}

static void set_shape(Dataset *dataset, const TraceChannel *channel, bool is_list, size_t value_size) {
  assert(channel->shape[0] >= 0 && channel->shape[1] >= 0);
  hsize_t rows = (hsize_t)(channel->shape[0] > 0 ? channel->shape[0] : 1);
  hsize_t columns = (hsize_t)(channel->shape[1] > 0 ? channel->shape[1] : 1);
  dataset->type = channel->type;
  dataset->rank = channel->shape[0] == 0 ? 1 : channel->shape[1] == 0 ? 2 : 3;
  dataset->dims[1] = rows;
  dataset->dims[2] = columns;
  dataset->row_size = value_size * rows * columns;
  size_t list_rows = LIST_CHUNK_BYTES / dataset->row_size;
  list_rows = list_rows < 1 ? 1 : list_rows > LIST_CHUNK_ROWS ? LIST_CHUNK_ROWS : list_rows;
  dataset->chunk_rows = is_list ? list_rows : BLOCK_FRAMES;
}

static bool describe(const Dataset *dataset, bool is_list, const TraceChannel *channel) {
  return trace_write_text(dataset->id, "unit", channel->unit) &&
         trace_write_text(dataset->id, "description", channel->description) &&
         trace_write_text(dataset->id, TRACE_ROWS, is_list ? TRACE_ROWS_LIST : TRACE_ROWS_FRAME) &&
         (!channel->row_names || channel->shape[0] <= 0 ||
          trace_write_texts(dataset->id, "names", channel->shape[0], channel->row_names));
}

const char *dataset_create(Dataset *dataset, hid_t hdf5, bool is_list, const TraceChannel *channel, hid_t type,
                           hsize_t rows_before) {
  *dataset = (Dataset){.id = H5I_INVALID_HID};
  set_shape(dataset, channel, is_list, H5Tget_size(type));
  dataset->id =
      trace_create_rows(hdf5, channel->path, type, dataset->rank, dataset->dims, dataset->chunk_rows, rows_before > 0);
  if (dataset->id < 0)
    return "is not a path, declared twice, or there is no memory for it";
  const char *problem = NULL;
  dataset->dims[0] = rows_before;
  if (!describe(dataset, is_list, channel))
    problem = "HDF5 refused its attributes (64 KB at most), or memory is short";
  else if (rows_before > 0 && H5Dset_extent(dataset->id, dataset->dims) < 0)
    problem = "HDF5 refused its rows";
  else if (!dataset_allocate(dataset, is_list))
    problem = "out of memory";
  if (problem) {
    dataset_free(dataset);
    H5Dclose(dataset->id);
  }
  return problem;
}

void dataset_miss(Dataset *channel, int slot, int count) {
  size_t bytes = (size_t)count * channel->row_size;
  if (channel->type == TRACE_FLOAT32)
    for (size_t i = 0; i < bytes / sizeof(float); i++)
      ((float *)(void *)channel->frames[slot])[i] = NAN;
  else if (channel->type == TRACE_FLOAT64)
    for (size_t i = 0; i < bytes / sizeof(double); i++)
      ((double *)(void *)channel->frames[slot])[i] = (double)NAN;
}

// Makes `count` rows from `first` part of the dataset; they are at the beginning of one chunk.
static bool write_chunk(Dataset *dataset, hsize_t first, hsize_t count, const char *chunk) {
  dataset->dims[0] = first + count;
  return H5Dset_extent(dataset->id, dataset->dims) >= 0 &&
         H5Dwrite_chunk(dataset->id, H5P_DEFAULT, 0, (hsize_t[]){first, 0, 0}, dataset->chunk_rows * dataset->row_size,
                        chunk) >= 0;
}

bool dataset_write_frames(Dataset *channel, int slot, long first, int count) {
  return write_chunk(channel, (hsize_t)first, (hsize_t)count, channel->frames[slot]);
}

bool dataset_write_list(Dataset *list, int slot) {
  const ListRows *rows = &list->appended[slot];
  bool ok = true;
  for (size_t done = 0; ok && done < rows->size;) {
    hsize_t in_chunk = list->dims[0] % list->chunk_rows;
    size_t room = (size_t)(list->chunk_rows - in_chunk) * list->row_size;
    size_t size = rows->size - done < room ? rows->size - done : room;
    memcpy(list->chunk + in_chunk * list->row_size, rows->bytes + done, size);
    done += size;
    ok = write_chunk(list, list->dims[0] - in_chunk, in_chunk + size / list->row_size, list->chunk);
  }
  return ok;
}

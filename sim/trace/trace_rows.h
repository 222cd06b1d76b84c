// The datasets of a trace being written: they grow by rows, which wait in memory, block by block, for the writer
// thread.
#ifndef STAGGER_SIM_TRACE_TRACE_ROWS_H
#define STAGGER_SIM_TRACE_TRACE_ROWS_H

#include "sim/trace/trace_hdf5.h"

enum {
  BLOCK_FRAMES = 60, // frames in a block, rows in a channel's chunk
  RING = 4,          // number of blocks: one being filled, up to three being written
};

// Rows of a list in one block.
typedef struct ListRows {
  char *bytes;
  size_t size, capacity; // bytes
} ListRows;

// A dataset that grows by rows: a channel (one row per frame) or a list.
typedef struct Dataset {
  hid_t id;
  TraceType type;  // of a channel
  size_t row_size; // bytes
  int rank;
  hsize_t dims[TRACE_MAX_RANK]; // [0] grows
  hsize_t chunk_rows;
  char *frames[RING];      // channel: the rows of each block
  ListRows appended[RING]; // list: the rows of each block
  char *chunk;             // list: the last chunk, which is incomplete
} Dataset;

// Creates the dataset in the file, with its description, and its memory. rows_before: number of frames before a channel
// was added, whose rows read as missing. type: in the file. Returns NULL, or the problem; nothing needs to be freed
// then.
const char *dataset_create(Dataset *dataset, hid_t hdf5, bool is_list, const TraceChannel *channel, hid_t type,
                           hsize_t rows_before);

// Allocates only the memory for a channel's rows. False: no memory.
bool dataset_allocate(Dataset *dataset, bool is_list);
void dataset_free(Dataset *dataset);

// Marks rows [0, count) of a block of a channel as missing: NaN, or 0 for integers.
void dataset_miss(Dataset *channel, int slot, int count);

// Adds a block's frames [first, first + count) to a channel; `first` begins a chunk.
bool dataset_write_frames(Dataset *channel, int slot, long first, int count);

// Appends a block's rows to a list. They fill up its last chunk, which is written again with each block until it is
// full.
bool dataset_write_list(Dataset *list, int slot);

#endif

// The datasets of a trace that is written: they grow by rows, which wait in memory, block by block, for the thread that
// writes them.
#ifndef STAGGER_SIM_TRACE_TRACE_ROWS_H
#define STAGGER_SIM_TRACE_TRACE_ROWS_H

#include "sim/trace/trace_hdf5.h"

enum {
  BLOCK_FRAMES = 60, // frames of a block, rows of a channel's chunk
  RING = 4,          // blocks: one being filled, up to three on their way to the file
};

// Rows of a list in one block.
typedef struct ListRows {
  char *bytes;
  size_t size, capacity; // bytes
} ListRows;

// A dataset that grows by rows: a channel (one row a frame) or a list.
typedef struct Dataset {
  hid_t id;
  TraceType type;  // of a channel
  size_t row_size; // bytes
  int rank;
  hsize_t dims[TRACE_MAX_RANK]; // [0] grows
  hsize_t chunk_rows;
  char *frames[RING];      // channel: the rows of each block
  ListRows appended[RING]; // list: the rows of each block
  char *chunk;             // list: the last chunk, which is not full yet
} Dataset;

// Makes the dataset in the file, with its description, and room in memory. rows_before: frames that a channel has
// missed, whose rows read as missing. type: of the file. Returns NULL, or what is wrong; nothing is to be freed then.
const char *dataset_create(Dataset *dataset, hid_t hdf5, bool is_list, const TraceChannel *channel, hid_t type,
                           hsize_t rows_before);

// The memory for a channel's rows alone. False: none.
bool dataset_allocate(Dataset *dataset, bool is_list);
void dataset_free(Dataset *dataset);

// Rows [0, count) of a block of a channel become missing ones: NaN, and 0 of whole numbers.
void dataset_miss(Dataset *channel, int slot, int count);

// Makes a block's frames [first, first + count) part of a channel; `first` begins a chunk.
bool dataset_write_frames(Dataset *channel, int slot, long first, int count);

// Appends a block's rows to a list. They fill up its last chunk, which is written again with each block until it is
// full.
bool dataset_write_list(Dataset *list, int slot);

#endif

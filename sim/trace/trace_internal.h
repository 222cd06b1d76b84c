// An open trace, for the files that read and compare.
#ifndef STAGGER_SIM_TRACE_TRACE_INTERNAL_H
#define STAGGER_SIM_TRACE_TRACE_INTERNAL_H

#include "sim/trace/trace_hdf5.h"

typedef struct ReaderDataset {
  char *path;
  hid_t id;
  long rows;      // rows that can be read: for a channel, the frames of the trace
  int row_size;   // values
  int row_values; // values for each of its named rows: row_size / shape[0]
  bool is_channel;
} ReaderDataset;

// The text of a root attribute, stored for the caller of trace_text.
typedef struct ReaderText {
  char *name, *text;
} ReaderText;

struct TraceReader {
  hid_t hdf5;
  ReaderDataset *datasets; // sorted by path
  int dataset_count, dataset_capacity;
  int frame_count;
  ReaderText *texts;
  int text_count;
};

// The dataset with that path, NULL when there is none.
const ReaderDataset *trace_find_dataset(const TraceReader *reader, const char *path);

// Reads `count` rows from `first` on, every step-th, converted to an HDF5 type. False when HDF5 fails.
bool trace_read_rows(const ReaderDataset *dataset, hid_t type, long first, long step, long count, void *values);

#endif

// An open trace from within: what reading and comparing share.
#ifndef STAGGER_SIM_TRACE_TRACE_INTERNAL_H
#define STAGGER_SIM_TRACE_TRACE_INTERNAL_H

#include "sim/trace/trace_hdf5.h"

typedef struct ReaderDataset {
  char *path;
  hid_t id;
  long rows;      // that can be read: of a channel, the frames of the trace
  int row_size;   // values
  int row_values; // values of each of its named rows: row_size / shape[0]
  bool is_channel;
} ReaderDataset;

// The text of a root attribute, kept for the caller of trace_text.
typedef struct ReaderText {
  char *name, *text;
} ReaderText;

struct TraceReader {
  hid_t hdf5;
  ReaderDataset *datasets; // in alphabetical order of path
  int dataset_count, dataset_capacity;
  int frame_count;
  ReaderText *texts;
  int text_count;
};

// The dataset of that path, NULL when there is none.
const ReaderDataset *trace_find_dataset(const TraceReader *reader, const char *path);

// Reads rows in a type of HDF5. False when HDF5 cannot.
bool trace_read_rows(const ReaderDataset *dataset, hid_t type, long first, long count, void *values);

#endif

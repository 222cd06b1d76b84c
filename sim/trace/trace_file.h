// The file under a trace: an HDF5 file driver whose flush is safe against a kill at any moment.
//
// HDF5 flushes its metadata in an order of its own, and a run that is killed in the middle of it can leave a file that
// does not open. This driver writes data at once (nothing refers to it yet) and holds metadata back until the flush. It
// then writes new metadata first, the end of the file next, then the indices of the chunks from the root down, and the
// headers with the lengths of the datasets and the members of growing groups last, in the order in which these were
// made, but for one that is the very last. After every single write the file is a valid one; no dataset is shorter than
// the last one, and an object that joins a group is complete when it appears there.
//
// A write that fails freezes the file as it was at the last flush: HDF5 carries on with its copy in memory and is
// closed as usual, `error` tells the cause. Each flush leaves some room after the end that the file names, so that a
// frozen file can still be told why it ends.
#ifndef STAGGER_SIM_TRACE_TRACE_FILE_H
#define STAGGER_SIM_TRACE_TRACE_FILE_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

// A write of metadata that waits for the flush.
typedef struct HeldWrite {
  haddr_t address;
  size_t size, offset; // bytes, and where they start in `held_bytes`
  H5FD_mem_t type;
  int rank, sequence; // order of writing
} HeldWrite;

typedef struct TraceFile {
  H5FD_t base; // first, since HDF5 passes a pointer to it
  int descriptor;
  int error;           // errno of the first write that failed, 0 while all is well
  haddr_t allocated;   // bytes that HDF5 has given out
  haddr_t size;        // bytes in the file
  haddr_t committed;   // `allocated` at the last flush: what lies above it is not referred to yet
  haddr_t named_end;   // of the file, as far as the file itself may name it
  haddr_t room;        // bytes kept after that end
  haddr_t last_header; // of the dataset that is to grow last
  HeldWrite *held;
  int held_count, held_capacity;
  char *held_bytes;
  size_t held_size, held_bytes_capacity;
} TraceFile;

// Creates or empties the file and locks it. False, with errno set, when that is not possible: EBUSY while another run
// writes it, which is then left alone.
bool trace_file_open(TraceFile *file, const char *path);

// A property list with which H5Fcreate writes to this file (the name given to H5Fcreate is not used then). Close it
// with H5Pclose. Negative on failure.
hid_t trace_file_access(TraceFile *file);

// Whether nobody can find the file any more.
bool trace_file_is_removed(const TraceFile *file);

// Makes a file that is frozen, and closed by H5Fclose, ready to be opened once more. What was written since the last
// flush is cut off but for the room kept, which may be used now.
bool trace_file_thaw(TraceFile *file);

// Closes and frees, after H5Fclose.
void trace_file_close(TraceFile *file);

#endif

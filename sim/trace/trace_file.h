// The file under a trace: an HDF5 file driver whose flush is safe against a kill at any moment.
//
// HDF5 flushes its metadata in an order of its own, and a run killed in the middle of that can leave a file that cannot
// be opened. This driver writes data at once (nothing refers to it yet) and holds metadata until the flush. It then
// writes new metadata first, next the end of the file, then the indices of the chunks from the root down, and last the
// headers with the lengths of the datasets and the members of growing groups, in the order in which these were made,
// except for one that is always the very last. After every single write the file is valid; no dataset is shorter than
// that last one, and an object is complete when it becomes a member of a group.
//
// A write that fails freezes the file as it was at the last flush: HDF5 continues with its copy in memory and is closed
// as usual; `error` has the cause. Each flush leaves some room after the end of the file, so that a status with the
// cause can still be written to a frozen file.
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
  size_t size, offset; // bytes, and index of the first one in `held_bytes`
  H5FD_mem_t type;
  int rank, sequence; // order of writing
} HeldWrite;

typedef struct TraceFile {
  H5FD_t base; // first, since HDF5 passes a pointer to it
  int descriptor;
  int error;           // errno of the first write that failed, 0: none
  haddr_t allocated;   // bytes that HDF5 has allocated
  haddr_t size;        // bytes in the file
  haddr_t committed;   // `allocated` at the last flush: the file does not refer to anything above it yet
  haddr_t named_end;   // end of the file that may be named in the file itself
  haddr_t room;        // bytes reserved after that end
  haddr_t last_header; // of the dataset that must grow last
  HeldWrite *held;
  int held_count, held_capacity;
  char *held_bytes;
  size_t held_size, held_bytes_capacity;
} TraceFile;

// Creates or empties the file and locks it. False with errno when that is not possible: EBUSY while another run writes
// to it, in which case it is not changed.
bool trace_file_open(TraceFile *file, const char *path);

// A property list with which H5Fcreate writes to this file (H5Fcreate's file name is then ignored). Close it with
// H5Pclose. Negative on failure.
hid_t trace_file_access(TraceFile *file);

// Whether the file has been removed from its folder.
bool trace_file_is_removed(const TraceFile *file);

// Prepares a file that is frozen, and closed by H5Fclose, for being opened again. What was written after the last flush
// is removed; the reserved room may now be used.
bool trace_file_thaw(TraceFile *file);

// Closes and frees, after H5Fclose.
void trace_file_close(TraceFile *file);

#endif

// The HDF5 file driver of traces: metadata is written to the disk in an order such that a kill at any moment leaves a
// readable file.
#define _GNU_SOURCE // F_OFD_SETLK
#include "sim/trace/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/reserve.h"

// Bytes for a status with the cause of a stop: a text in HDF5 may need a new heap of 4096 bytes.
enum { ROOM = 8192 };

// Writes all bytes, unless a write has failed before.
static void put_bytes(TraceFile *file, haddr_t address, const char *bytes, size_t size) {
  while (size > 0 && !file->error) {
    ssize_t count = pwrite(file->descriptor, bytes, size, (off_t)address);
    if (count < 0 && errno != EINTR)
      file->error = errno;
    else if (count == 0)
      file->error = ENOSPC;
    else if (count > 0) {
      address += (haddr_t)count;
      bytes += count;
      size -= (size_t)count;
    }
  }
  if (!file->error && file->size < address)
    file->size = address;
}

// Makes room for another held write of `size` bytes.
static bool reserve_held(TraceFile *file, size_t size) {
  if (!reserve(&file->held, &file->held_capacity, file->held_count + 1, sizeof *file->held))
    return false;
  if (file->held_bytes_capacity - file->held_size < size) {
    size_t capacity = 2 * (file->held_bytes_capacity + size);
    char *bytes = realloc(file->held_bytes, capacity);
    if (!bytes)
      return false;
    file->held_bytes = bytes;
    file->held_bytes_capacity = capacity;
  }
  return true;
}

static void hold_write(TraceFile *file, H5FD_mem_t type, haddr_t address, const char *bytes, size_t size) {
  // Most entries occur once per flush; a repeated one replaces the older bytes.
  for (int i = file->held_count - 1; i >= 0; --i) {
    const HeldWrite *write = &file->held[i];
    if (write->address == address && write->size == size) {
      memcpy(file->held_bytes + write->offset, bytes, size);
      return;
    }
  }
  if (!reserve_held(file, size)) {
    file->error = file->error ? file->error : ENOMEM;
    return;
  }
  memcpy(file->held_bytes + file->held_size, bytes, size);
  file->held[file->held_count] = (HeldWrite){address, size, file->held_size, type, 0, file->held_count};
  file->held_size += size;
  file->held_count++;
}

// The order in which held writes go to the file, lowest first. Level of a B-tree node: HDF5 File Format Specification
// 3.0, III.A.1, byte 5 of a node that starts with "TREE".
static int held_rank(const TraceFile *file, const HeldWrite *write) {
  enum { RANK_NEW, RANK_END_OF_FILE, RANK_NAMES, RANK_INDEX, RANK_LENGTHS = RANK_INDEX + 256, RANK_LAST };
  if (write->address >= file->committed)
    return RANK_NEW;
  if (write->type == H5FD_MEM_SUPER)
    return RANK_END_OF_FILE;
  if (write->type == H5FD_MEM_OHDR)
    return write->address == file->last_header ? RANK_LAST : RANK_LENGTHS;
  const char *bytes = file->held_bytes + write->offset;
  if (write->type == H5FD_MEM_BTREE && write->size > 6 && memcmp(bytes, "TREE", 4) == 0)
    return RANK_INDEX + 255 - (unsigned char)bytes[5];
  return RANK_NAMES;
}

static int compare_held(const void *left, const void *right) {
  const HeldWrite *a = left, *b = right;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  return a->sequence - b->sequence;
}

// Extends the file to `end`, with disk space reserved if the file system supports that.
static bool reach(TraceFile *file, haddr_t end) {
  if (file->size >= end)
    return true;
  if (fallocate(file->descriptor, 0, (off_t)file->size, (off_t)(end - file->size)) != 0 &&
      ((errno != EOPNOTSUPP && errno != ENOSYS) || ftruncate(file->descriptor, (off_t)end) != 0))
    return false;
  file->size = end;
  return true;
}

// Writes what has been held. After a failed write nothing more is written; what is held is kept, since HDF5 may read it
// again.
static void commit(TraceFile *file) {
  if (file->error)
    return;
  // The file must extend to the end that the superblock names, plus the room for a last status.
  if (!reach(file, file->allocated + file->room)) {
    file->error = errno;
    return;
  }
  file->named_end = file->allocated;
  for (int i = 0; i < file->held_count; i++)
    file->held[i].rank = held_rank(file, &file->held[i]);
  if (file->held_count > 1)
    qsort(file->held, (size_t)file->held_count, sizeof *file->held, compare_held);
  for (int i = 0; i < file->held_count; i++)
    put_bytes(file, file->held[i].address, file->held_bytes + file->held[i].offset, file->held[i].size);
  if (file->error)
    return;
  file->committed = file->allocated;
  file->held_count = 0;
  file->held_size = 0;
}

// ---- The functions that HDF5 calls ----

typedef struct AccessInfo {
  TraceFile *file;
} AccessInfo;

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t max_address) {
  (void)name, (void)flags, (void)max_address;
  const AccessInfo *info = H5Pget_driver_info(access);
  return info ? &info->file->base : NULL;
}

static herr_t driver_close(H5FD_t *base) {
  TraceFile *file = (TraceFile *)base;
  commit(file);
  return 0;
}

static herr_t driver_query(const H5FD_t *base, unsigned long *features) {
  (void)base;
  // No aggregation: space is allocated only at the end of the file, so that an address shows whether it is new.
  *features = H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t driver_get_end(const H5FD_t *base, H5FD_mem_t type) {
  (void)type;
  return ((const TraceFile *)base)->allocated;
}

static herr_t driver_set_end(H5FD_t *base, H5FD_mem_t type, haddr_t address) {
  (void)type;
  ((TraceFile *)base)->allocated = address;
  return 0;
}

static haddr_t driver_get_size(const H5FD_t *base, H5FD_mem_t type) {
  (void)type;
  const TraceFile *file = (const TraceFile *)base;
  return file->size > file->allocated ? file->size : file->allocated;
}

static herr_t driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *buffer) {
  (void)type, (void)transfer;
  const TraceFile *file = (const TraceFile *)base;
  char *bytes = buffer;
  size_t done = 0;
  while (done < size) {
    ssize_t count = pread(file->descriptor, bytes + done, size - done, (off_t)(address + done));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    done += (size_t)count;
  }
  memset(bytes + done, 0, size - done); // beyond the end of the file: not written yet

  // Held writes are newer than the file.
  for (int i = 0; i < file->held_count; i++) {
    const HeldWrite *write = &file->held[i];
    haddr_t from = write->address > address ? write->address : address;
    haddr_t to = write->address + write->size < address + size ? write->address + write->size : address + size;
    if (from < to)
      memcpy(bytes + (from - address), file->held_bytes + write->offset + (from - write->address), (size_t)(to - from));
  }
  return 0;
}

static herr_t driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                           const void *bytes) {
  (void)transfer;
  TraceFile *file = (TraceFile *)base;
  if (type == H5FD_MEM_DRAW || type == H5FD_MEM_GHEAP)
    put_bytes(file, address, bytes, size);
  else
    hold_write(file, type, address, bytes, size);
  return 0;
}

static herr_t driver_flush(H5FD_t *base, hid_t transfer, hbool_t closing) {
  (void)transfer, (void)closing;
  commit((TraceFile *)base);
  return 0;
}

static const H5FD_class_t DRIVER = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600, // a number that HDF5 reserves for other drivers
#endif
    .name = "stagger_trace",
    .maxaddr = HADDR_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(AccessInfo),
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_get_end,
    .set_eoa = driver_set_end,
    .get_eof = driver_get_size,
    .read = driver_read,
    .write = driver_write,
    .flush = driver_flush,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

// Only one run may write a trace at a time. HDF5's readers use flock, which does not interact with this kind of lock,
// so a trace can be read while it is written. On file systems without locks there is no check.
static bool lock_file(int descriptor) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

bool trace_is_written(const char *path) {
  int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  bool locked = descriptor >= 0 && fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  if (descriptor >= 0)
    close(descriptor);
  return locked;
}

bool trace_file_open(TraceFile *file, const char *path) {
  *file = (TraceFile){
      .descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666), .room = ROOM, .last_header = HADDR_UNDEF};
  if (file->descriptor < 0)
    return false;
  struct stat status;
  if (fstat(file->descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    errno = ENOTSUP; // a device or a pipe
  else if (!lock_file(file->descriptor))
    errno = EBUSY;
  else if (ftruncate(file->descriptor, 0) == 0)
    return true;
  int cause = errno;
  close(file->descriptor);
  file->descriptor = -1;
  errno = cause;
  return false;
}

hid_t trace_file_access(TraceFile *file) {
  static hid_t driver = H5I_INVALID_HID;
  if (driver < 0)
    driver = H5FDregister(&DRIVER);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  AccessInfo info = {file};
  if (driver < 0 || access < 0 || H5Pset_driver(access, driver, &info) < 0) {
    H5Pclose(access);
    return H5I_INVALID_HID;
  }
  return access;
}

bool trace_file_is_removed(const TraceFile *file) {
  struct stat status;
  return fstat(file->descriptor, &status) == 0 && status.st_nlink == 0;
}

bool trace_file_thaw(TraceFile *file) {
  haddr_t end = file->named_end + file->room;
  if (file->named_end == 0 || ftruncate(file->descriptor, (off_t)end) != 0)
    return false;
  file->size = end;
  file->allocated = file->named_end;
  file->room = 0;
  file->error = 0;
  file->held_count = 0;
  file->held_size = 0;
  return true;
}

void trace_file_close(TraceFile *file) {
  if (file->descriptor >= 0 && file->named_end > 0 && ftruncate(file->descriptor, (off_t)file->named_end) != 0 &&
      !file->error)
    file->error = errno;
  if (file->descriptor >= 0 && close(file->descriptor) != 0 && !file->error)
    file->error = errno;
  file->descriptor = -1;
  free(file->held);
  free(file->held_bytes);
  file->held = NULL;
  file->held_bytes = NULL;
}

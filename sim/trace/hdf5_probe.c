// Tries to read a file in a child process, so that a crash of HDF5 becomes an error.
#include "sim/trace/hdf5_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/trace/hdf5_open.h"
#include "sim/trace/trace_hdf5.h"

enum { PROBE_SECONDS = 2, BYTES_PER_SECOND = 10000000 }; // of processor time, more for large files

static herr_t read_attribute(hid_t object, const char *name, const H5A_info_t *info, void *context) {
  (void)info, (void)context;
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  void *values = count > 0 ? calloc((size_t)count, H5Tget_size(type)) : NULL;
  if (values && H5Aread(attribute, type, values) >= 0)
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, values);
  free(values);
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
  return 0;
}

#if !H5_VERSION_GE(1, 12, 0)
typedef H5O_info_t H5O_info1_t;
#endif

static herr_t read_object(hid_t hdf5, const char *name, const H5O_info1_t *info, void *context) {
  const hid_t object = H5Oopen(hdf5, name, H5P_DEFAULT);
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, read_attribute, context);
  if (info->type == H5O_TYPE_DATASET) {
    const hid_t type = H5Dget_type(object);
    H5Dget_storage_size(object); // traverses the index of its chunks
    H5Tclose(type);
  }
  H5Oclose(object);
  return 0;
}

// The child must not print messages, dump core, or run too long.
static void be_quiet(off_t size) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU};
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
    signal(signals[i], SIG_DFL);
  const rlim_t seconds = PROBE_SECONDS + (rlim_t)(size / BYTES_PER_SECOND);
  setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds});
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0)
    dup2(nowhere, STDERR_FILENO);
}

static void probe(const char *path, void (*attempt)(const char *path)) {
  struct stat status = {0};
  stat(path, &status);
  be_quiet(status.st_size);
  if (attempt)
    attempt(path);
  const hid_t file = hdf5_open(path, NULL); // files that refer to others are refused, here and by the caller
  if (file >= 0) {
    H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, read_object, NULL, H5O_INFO_BASIC);
    H5Fclose(file);
  }
  H5close();
  _exit(0);
}

bool hdf5_survives(const char *path, void (*attempt)(const char *path)) {
  const pid_t child = trace_is_writing_here() ? -1 : fork();
  if (child < 0)
    return true;
  if (child == 0)
    probe(path, attempt);
  int status = 0;
  pid_t ended;
  while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
    continue;
  return ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

bool hdf5_has_format(const char *path, const char *format) {
  char found[64] = "";
  const hid_t file = hdf5_is_file(path) && hdf5_survives(path, NULL) ? hdf5_open(path, NULL) : H5I_INVALID_HID;
  const hid_t root = file >= 0 ? H5Gopen2(file, "/", H5P_DEFAULT) : H5I_INVALID_HID;
  if (root >= 0) {
    hdf5_text(root, "format", found, sizeof found);
    H5Gclose(root);
  }
  if (file >= 0)
    H5Fclose(file);
  return strcmp(found, format) == 0;
}

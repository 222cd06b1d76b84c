// Tells what kind of HDF5 file a path is: a trace, a study's table, or something else.
#include "sim/trace/hdf5_format.h"

#include <hdf5.h>
#include <string.h>

#include "sim/trace/hdf5_open.h"
#include "sim/trace/hdf5_probe.h"

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

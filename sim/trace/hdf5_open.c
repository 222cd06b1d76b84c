// Opens HDF5 files for reading, and refuses those whose objects refer to other files.
#include "sim/trace/hdf5_open.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/trace/trace_hdf5.h"

bool hdf5_is_file(const char *path) {
  static const unsigned char SIGNATURE[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  unsigned char bytes[sizeof SIGNATURE] = {0};
  struct stat found;
  if (stat(path, &found) != 0 || !S_ISREG(found.st_mode))
    return false;
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  size_t count = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  return count == sizeof bytes && memcmp(bytes, SIGNATURE, sizeof bytes) == 0;
}

typedef struct Check {
  const char *path;
  Error *error;
  bool refused; // refused, with an error
} Check;

static herr_t refuse(Check *check, const char *name, const char *reason) {
  error_set(check->error, "%s: /%s %s", check->path, name, reason);
  check->refused = true;
  return -1;
}

static herr_t check_filters(Check *check, const char *name, hid_t options) {
  const int count = H5Pget_nfilters(options);
  for (int i = 0; i < count; i++) {
    unsigned flags, config;
    size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(options, (unsigned)i, &flags, &values, NULL, 0, NULL, &config);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
      return refuse(check, name, "is stored through a filter other than deflate, shuffle and fletcher32: not read");
  }
  return count < 0 ? -1 : 0;
}

// The layout is examined first: to determine the size of a virtual dataset HDF5 would open its sources.
static herr_t check_dataset(Check *check, hid_t file, const char *name) {
  const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t options = H5Dget_create_plist(dataset); // fails where there is no dataset
  herr_t result = options >= 0 ? 0 : -1;
  if (options >= 0 && H5Pget_layout(options) == H5D_VIRTUAL)
    result = refuse(check, name, "is a virtual dataset, with data of other files: not read");
  else if (options >= 0 && H5Pget_external_count(options) != 0)
    result = refuse(check, name, "is a dataset with external storage, with data of other files: not read");
  else if (options >= 0)
    result = check_filters(check, name, options);
  if (options >= 0)
    H5Pclose(options);
  if (dataset >= 0)
    H5Dclose(dataset);
  return result;
}

#if !H5_VERSION_GE(1, 12, 0)
typedef H5O_info_t H5O_info1_t;
#endif

static herr_t check_link(hid_t file, const char *name, const H5L_info_t *link, void *context) {
  Check *check = context;
  if (!trace_is_printable(name))
    return refuse(check, "", "has an object whose name has control characters: not read");
  if (link->type == H5L_TYPE_EXTERNAL)
    return refuse(check, name, "is an external link, to another file: not followed");
  if (link->type != H5L_TYPE_HARD)
    return refuse(check, name, "is a soft link or one of an unknown kind: not followed");
  H5O_info1_t object;
  if (H5Oget_info_by_name2(file, name, &object, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
    return -1;
  return object.type == H5O_TYPE_DATASET ? check_dataset(check, file, name) : 0;
}

static bool is_contained(hid_t file, const char *path, Error *error) {
  Check check = {.path = path, .error = error};
  unsigned plugins = 0; // bit mask of allowed plugins
  H5PLget_loading_state(&plugins);
  H5PLset_loading_state(0);
  const bool good = H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, check_link, &check) >= 0;
  H5PLset_loading_state(plugins);
  return good || (check.refused ? false : error_set(error, "%s: the file is damaged, HDF5 cannot read it", path));
}

// HDF5's caches are small, since files are read from the first row to the last: of chunks, which have up to some 30 kB,
// for each open dataset, of which a trace has some 50 for each character; and of the file's index, which takes several
// times that memory.
enum { CACHE_SLOTS = 101, CHUNK_BYTES = 1 << 16, LARGEST_CHUNK = 1 << 20, INDEX_BYTES = 1 << 19 };

static hid_t make_access(void) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5AC_cache_config_t index = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  H5Pset_cache(access, 0, CACHE_SLOTS, CHUNK_BYTES, 1); // 1: chunks that have been read whole go first
  H5Pget_mdc_config(access, &index);
  index.set_initial_size = true;
  index.initial_size = index.min_size = index.max_size = INDEX_BYTES;
  H5Pset_mdc_config(access, &index);
  return access;
}

// 0: the dataset has no chunks.
static size_t chunk_size(hid_t dataset) {
  hsize_t dims[H5S_MAX_RANK];
  const hid_t options = H5Dget_create_plist(dataset), type = H5Dget_type(dataset);
  const int rank = H5Pget_layout(options) == H5D_CHUNKED ? H5Pget_chunk(options, H5S_MAX_RANK, dims) : 0;
  size_t size = rank > 0 ? H5Tget_size(type) : 0;
  for (int i = 0; i < rank; i++)
    size *= (size_t)dims[i];
  H5Tclose(type);
  H5Pclose(options);
  return size;
}

hid_t hdf5_open_dataset(hid_t file, const char *name) {
  const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  const size_t size = dataset >= 0 ? chunk_size(dataset) : 0;
  if (size <= CHUNK_BYTES || size > LARGEST_CHUNK)
    return dataset;
  // Others than Stagger may have written the trace anew: their chunks would be unpacked for every row.
  H5Dclose(dataset);
  const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_chunk_cache(access, CACHE_SLOTS, size, 1);
  const hid_t opened = H5Dopen2(file, name, access);
  H5Pclose(access);
  return opened;
}

hid_t hdf5_open(const char *path, Error *error) {
  trace_silence_hdf5();
  const hid_t access = make_access();
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
  H5Pclose(access);
  if (file < 0) {
    error_set(error, "%s: the file is cut short or damaged, HDF5 cannot open it", path);
    return H5I_INVALID_HID;
  }
  if (is_contained(file, path, error))
    return file;
  H5Fclose(file);
  return H5I_INVALID_HID;
}

void hdf5_text(hid_t object, const char *attribute, char *text, size_t size) {
  text[0] = '\0';
  if (H5Aexists(object, attribute) <= 0)
    return;
  hid_t opened = H5Aopen(object, attribute, H5P_DEFAULT), kept = H5Aget_type(opened), type = trace_text_type();
  char *value = NULL;
  H5Tset_cset(type, H5Tget_cset(kept));
  if (H5Tis_variable_str(kept) > 0 && H5Aread(opened, type, &value) >= 0 && value) {
    strncat(text, value, size - 1);
    H5free_memory(value);
  }
  H5Tclose(type);
  H5Tclose(kept);
  H5Aclose(opened);
}

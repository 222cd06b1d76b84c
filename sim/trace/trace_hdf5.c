// HDF5 types, attributes and embedded files of traces, for the writer and the reader.
#include "sim/trace/trace_hdf5.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  INDEX_ENTRIES = 8,   // half the entries of a node of a chunk index; small nodes make a flush fast
  CACHE_BYTES = 65536, // of HDF5's cache of headers and indices
  CACHE_DATASET_BYTES = 4096,
  GROUP_MEMBERS = 64, // for which a group's header has room from the beginning
  MEMBER_NAME = 16,   // approximate length of their names, bytes
};

const TraceChannel trace_files_channel = {
    .path = "/files/...", .type = TRACE_UINT8, .unit = "byte", .description = "A file that the scene names"};

const TraceAttribute trace_attributes[] = {
    {"/", "format", "text", "", "\"" TRACE_FORMAT "\""},
    {"/", "format_version", "int32", "", "Version of the layout; readers of a version also read all older ones"},
    {"/", "stagger_version", "text", "", "Version of the program that wrote the trace"},
    {"/", "scene_name", "text", "", "File name of the scene"},
    {"/", "scene", "text", "", "Full text of the scene file after all overrides"},
    {"/", "seed", "uint64", "", "Seed of all random numbers"},
    {"/", "dt", "float64", "s", "Length of a physics step"},
    {"/", "frame_rate", "float64", "Hz", "Frames per second; 1 / (frame_rate * dt) is the number of steps per frame"},
    {"/", "up_axis", "text", "", "Y; for a character with heading 0, Z is forward and X is left"},
    {"/", "units", "text", "", "SI; rotations are quaternions x y z w"},
    {"/", "status", "text", "",
     "running (or killed), complete, interrupted, or stopped: reason; and the time since which a user has intervened, "
     "if any"},
    {"every dataset", "unit", "text", "",
     "Unit of the values; empty for rotations and unit vectors, - for numbers without unit"},
    {"every dataset", "description", "text", "", "Meaning of the values"},
    {"every dataset but /files/...", TRACE_ROWS, "text", "",
     TRACE_ROWS_FRAME ": one row for each frame, as in /time; " TRACE_ROWS_LIST ": a list with a length of its own"},
    {"joints, parts, feet, nodes, rows, layers, ropes", "names", "text x rows", "", "Names along the second axis"},
    {"/files/...", "name", "text", "", "Name of the file as in the scene"},
    {"/metrics", "CHARACTER.METRIC", "float64", "see Metrics", "Metrics of the whole run, NaN when one does not apply"},
    {"/metrics", "CHARACTER.recovery_strategy", "text", "", "Recovery strategy of the worst hit, empty without hits"},
};
const int trace_attribute_count = (int)(sizeof trace_attributes / sizeof trace_attributes[0]);

const TraceAttribute trace_event_fields[] = {
    {TRACE_EVENTS, "time", "float64", "s", "Time at which the step begins in which the impulse acts"},
    {TRACE_EVENTS, "kind", "text", "",
     "impulse: a bullet; push: one step of a push; drag: one step of the user's pull; projectile: impulse of a thrown "
     "ball by its contacts, which is also in /contacts and must not be added twice"},
    {TRACE_EVENTS, "character", "text", "", "Character on which the impulse acts, empty for an object"},
    {TRACE_EVENTS, "part", "text", "", "Part on which the impulse acts"},
    {TRACE_EVENTS, "point", "float32 x 3", "m", "Point at which the impulse acts, world"},
    {TRACE_EVENTS, "impulse", "float32 x 3", "N s", "Impulse, world"},
};
const int trace_event_field_count = (int)(sizeof trace_event_fields / sizeof trace_event_fields[0]);

hid_t trace_native_type(TraceType type) {
  switch (type) {
  case TRACE_FLOAT32:
    return H5T_NATIVE_FLOAT;
  case TRACE_FLOAT64:
    return H5T_NATIVE_DOUBLE;
  case TRACE_UINT8:
    return H5T_NATIVE_UINT8;
  case TRACE_INT32:
    return H5T_NATIVE_INT32;
  case TRACE_UINT64:
    return H5T_NATIVE_UINT64;
  }
  return H5I_INVALID_HID;
}

hid_t trace_text_type(void) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

hid_t trace_event_type(void) {
  hid_t name = H5Tcopy(H5T_C_S1);
  H5Tset_size(name, TRACE_NAME_SIZE);
  H5Tset_cset(name, H5T_CSET_UTF8);
  hid_t vector = H5Tarray_create2(H5T_NATIVE_FLOAT, 1, &(hsize_t){3});
  hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(TraceEvent));
  H5Tinsert(type, "time", HOFFSET(TraceEvent, time), H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "kind", HOFFSET(TraceEvent, kind), name);
  H5Tinsert(type, "character", HOFFSET(TraceEvent, character), name);
  H5Tinsert(type, "part", HOFFSET(TraceEvent, part), name);
  H5Tinsert(type, "point", HOFFSET(TraceEvent, point), vector);
  H5Tinsert(type, "impulse", HOFFSET(TraceEvent, impulse), vector);
  H5Tclose(vector);
  H5Tclose(name);
  return type;
}

bool trace_is_printable(const char *name) {
  for (const char *c = name; *c != '\0'; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      return false;
  return true;
}

void trace_silence_hdf5(void) { H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

bool trace_write_attribute(hid_t object, const char *name, hid_t type, int count, const void *values) {
  hsize_t size = (hsize_t)count;
  hid_t space = count ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool ok = H5Awrite(attribute, type, values) >= 0;
  H5Aclose(attribute);
  H5Sclose(space);
  return ok;
}

bool trace_write_texts(hid_t object, const char *name, int count, const char *const *texts) {
  hid_t type = trace_text_type();
  bool ok = trace_write_attribute(object, name, type, count, texts);
  H5Tclose(type);
  return ok;
}

bool trace_write_text(hid_t object, const char *name, const char *text) {
  text = text ? text : "";
  return trace_write_texts(object, name, 0, &text);
}

hid_t trace_create_hdf5(TraceFile *file, const char *path) {
  trace_silence_hdf5();
  hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_istore_k(creation, INDEX_ENTRIES);
  hid_t access = trace_file_access(file);
  hid_t hdf5 = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
  H5Pclose(access);
  H5Pclose(creation);
  return hdf5;
}

hid_t trace_reopen_hdf5(TraceFile *file, const char *path) {
  if (!trace_file_thaw(file))
    return H5I_INVALID_HID;
  hid_t access = trace_file_access(file);
  hid_t hdf5 = H5Fopen(path, H5F_ACC_RDWR, access);
  H5Pclose(access);
  file->committed = file->allocated; // HDF5 has read the end of the file
  return hdf5;
}

bool trace_limit_cache(hid_t hdf5, int datasets) {
  H5AC_cache_config_t config = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
  H5Fget_mdc_config(hdf5, &config);
  config.set_initial_size = true;
  config.initial_size = config.min_size = config.max_size = CACHE_BYTES + (size_t)datasets * CACHE_DATASET_BYTES;
  config.incr_mode = H5C_incr__off;
  config.flash_incr_mode = H5C_flash_incr__off;
  config.decr_mode = H5C_decr__off;
  return H5Fset_mdc_config(hdf5, &config) >= 0;
}

static bool write_root(hid_t hdf5, const TraceInfo *info) {
  int version = TRACE_FORMAT_VERSION;
  hid_t root = H5Gopen2(hdf5, "/", H5P_DEFAULT);
  bool ok = trace_write_text(root, "format", TRACE_FORMAT) &&
            trace_write_attribute(root, "format_version", H5T_NATIVE_INT, 0, &version) &&
            trace_write_text(root, "stagger_version", STAGGER_VERSION) &&
            trace_write_text(root, "scene_name", info->scene_name) && trace_write_text(root, "scene", info->scene) &&
            trace_write_attribute(root, "seed", H5T_NATIVE_UINT64, 0, &info->seed) &&
            trace_write_attribute(root, "dt", H5T_NATIVE_DOUBLE, 0, &info->dt) &&
            trace_write_attribute(root, "frame_rate", H5T_NATIVE_DOUBLE, 0, &info->frame_rate) &&
            trace_write_text(root, "up_axis", "Y") &&
            trace_write_text(root, "units", "SI (m, kg, s, N, rad); rotations are quaternions x y z w") &&
            trace_write_text(root, "status", "running");
  H5Gclose(root);
  return ok;
}

// Groups on the path of a dataset are created as needed.
static hid_t create_links(void) {
  hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  H5Pset_char_encoding(links, H5T_CSET_UTF8);
  return links;
}

// Without creation times, which would make equal runs differ.
static hid_t create_options(void) {
  hid_t options = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(options, false);
  return options;
}

static hid_t create_file_dataset(hid_t hdf5, const char *path, size_t size) {
  hid_t links = create_links(), options = create_options();
  hid_t space = H5Screate_simple(1, &(hsize_t){size}, NULL);
  hid_t id = H5Dcreate2(hdf5, path, H5T_NATIVE_UINT8, space, links, options, H5P_DEFAULT);
  H5Sclose(space);
  H5Pclose(options);
  H5Pclose(links);
  return id;
}

// The path contains the file's name; a name that HDF5 cannot use as a path (taken already, or a group), or with control
// characters, gets a number. The attribute `name` is the name in the scene.
static bool write_file(hid_t hdf5, const File *file, int index) {
  char path[1024];
  snprintf(path, sizeof path, "/files/%s", file->name);
  hid_t id = trace_is_printable(file->name) ? create_file_dataset(hdf5, path, file->size) : H5I_INVALID_HID;
  if (id < 0) {
    snprintf(path, sizeof path, "/files/file_%d", index);
    id = create_file_dataset(hdf5, path, file->size);
  }
  bool ok = id >= 0 && trace_write_text(id, "name", file->name) &&
            trace_write_text(id, "unit", trace_files_channel.unit) &&
            trace_write_text(id, "description", trace_files_channel.description) &&
            (!file->size || H5Dwrite(id, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, file->bytes) >= 0);
  H5Dclose(id);
  return ok;
}

bool trace_write_info(hid_t hdf5, const TraceInfo *info) {
  hid_t metrics = H5Gcreate2(hdf5, "/metrics", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool ok = write_root(hdf5, info) && H5Gclose(metrics) >= 0;
  for (int i = 0; ok && info->files && i < info->files->count; i++)
    ok = write_file(hdf5, &info->files->files[i], i);
  return ok;
}

hid_t trace_create_rows(hid_t hdf5, const char *path, hid_t type, int rank, const hsize_t dims[TRACE_MAX_RANK],
                        hsize_t chunk_rows, bool missing) {
  hsize_t most[TRACE_MAX_RANK] = {H5S_UNLIMITED, dims[1], dims[2]},
          chunk[TRACE_MAX_RANK] = {chunk_rows, dims[1], dims[2]};
  hid_t links = create_links(), options = create_options();
  // A filter (shuffle, deflate) could be set here; the writer thread would apply it to each chunk.
  H5Pset_chunk(options, rank, chunk);
  const double nothing = (double)NAN;
  if (missing && H5Tget_class(type) == H5T_FLOAT)
    H5Pset_fill_value(options, H5T_NATIVE_DOUBLE, &nothing);
  hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_chunk_cache(access, 1, 0, 0); // whole chunks bypass the cache
  hid_t space = H5Screate_simple(rank, (hsize_t[]){0, dims[1], dims[2]}, most);
  hid_t id = H5Dcreate2(hdf5, path, type, space, links, options, access);
  H5Sclose(space);
  H5Pclose(access);
  H5Pclose(options);
  H5Pclose(links);
  return id;
}

bool trace_create_group(hid_t hdf5, const char *path) {
  hid_t links = create_links(), options = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_obj_track_times(options, false);
  H5Pset_link_creation_order(options, H5P_CRT_ORDER_TRACKED); // HDF5 then stores the links as messages of the header
  H5Pset_link_phase_change(options, UINT16_MAX, 0);           // for any number of links
  H5Pset_est_link_info(options, GROUP_MEMBERS, MEMBER_NAME);
  hid_t group = H5Gcreate2(hdf5, path, links, options, H5P_DEFAULT);
  H5Pclose(options);
  H5Pclose(links);
  return H5Gclose(group) >= 0;
}

bool trace_can_grow(hid_t hdf5, const char *path) {
  char parent[256];
  const char *slash = strrchr(path, '/');
  if (!slash || slash == path || (size_t)(slash - path) >= sizeof parent)
    return false;
  snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
  hid_t group = H5Gopen2(hdf5, parent, H5P_DEFAULT), options = H5Gget_create_plist(group);
  unsigned order = 0;
  bool can_grow = H5Pget_link_creation_order(options, &order) >= 0 && (order & H5P_CRT_ORDER_TRACKED);
  H5Pclose(options);
  H5Gclose(group);
  return can_grow;
}

#if !H5_VERSION_GE(1, 12, 0)
typedef H5O_info_t H5O_info1_t;
#endif

bool trace_header_address(hid_t object, haddr_t *address) {
  H5O_info1_t info;
  bool ok = H5Oget_info2(object, &info, H5O_INFO_BASIC) >= 0;
  *address = ok ? info.addr : HADDR_UNDEF;
  return ok;
}

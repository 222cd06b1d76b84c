// Reads arrays from .npz files: finds the member in the zip's directory, inflates it, and reads its header.
#include "anim/motion/npz.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { STORED = 0, DEFLATED = 8, END_SIZE = 22, ENTRY_SIZE = 46, LOCAL_SIZE = 30, LONGEST_COMMENT = 65535 };
enum { MAGIC_SIZE = 6, LONGEST_HEADER = 4096 };

// A member of the zip.
typedef struct Member {
  int method;
  size_t packed, size; // bytes
  const unsigned char *bytes;
} Member;

static unsigned read_16(const unsigned char *p) { return (unsigned)p[0] | (unsigned)p[1] << 8; }

static size_t read_32(const unsigned char *p) { return read_16(p) | (size_t)read_16(p + 2) << 16; }

static bool fail(const File *file, const char *name, const char *cause, Error *error) {
  return error_at(error, file->name, 0, 0, "array '%s' %s", name, cause);
}

// ---- The zip ----

// The end of the directory, which stands before a comment at the end of the file; NULL: none.
static const unsigned char *find_end(const unsigned char *bytes, size_t size) {
  for (size_t back = END_SIZE; back <= size && back <= END_SIZE + LONGEST_COMMENT; back++)
    if (memcmp(bytes + size - back, "PK\5\6", 4) == 0)
      return bytes + size - back;
  return NULL;
}

static bool is_named(const unsigned char *text, size_t length, const char *name) {
  const size_t bare = strlen(name);
  return length == bare + 4 && memcmp(text, name, bare) == 0 && memcmp(text + bare, ".npy", 4) == 0;
}

// Finds where a member's bytes lie, from its entry in the directory. NULL, or the cause of the failure.
static const char *open_member(const File *file, const unsigned char *entry, Member *member) {
  const unsigned char *bytes = (const unsigned char *)file->bytes;
  const size_t offset = read_32(entry + 42);
  *member = (Member){.method = (int)read_16(entry + 10), .packed = read_32(entry + 20), .size = read_32(entry + 24)};
  if (offset == UINT32_MAX || member->packed == UINT32_MAX || member->size == UINT32_MAX)
    return "is larger than 4 GB, which is not read";
  if (file->size < LOCAL_SIZE || offset > file->size - LOCAL_SIZE || memcmp(bytes + offset, "PK\3\4", 4) != 0)
    return "lies outside the file";
  const size_t start = offset + LOCAL_SIZE + read_16(bytes + offset + 26) + read_16(bytes + offset + 28);
  if (start > file->size || member->packed > file->size - start)
    return "is cut off by the end of the file";
  if (read_16(entry + 8) & 1)
    return "is encrypted";
  member->bytes = bytes + start;
  return NULL;
}

// Finds a member by its name. False: there is none (*cause NULL), or it is damaged.
static bool find_member(const File *file, const char *name, Member *member, const char **cause) {
  const unsigned char *bytes = (const unsigned char *)file->bytes, *end = find_end(bytes, file->size);
  *cause = end ? NULL : "cannot be found: the file is no whole zip file";
  if (!end)
    return false;
  size_t at = read_32(end + 16);
  for (unsigned left = read_16(end + 10); left > 0; left--) {
    if (file->size < ENTRY_SIZE || at > file->size - ENTRY_SIZE || memcmp(bytes + at, "PK\1\2", 4) != 0)
      break;
    const size_t length = read_16(bytes + at + 28);
    if (length > file->size - at - ENTRY_SIZE)
      break;
    if (is_named(bytes + at + ENTRY_SIZE, length, name)) {
      *cause = open_member(file, bytes + at, member);
      return !*cause;
    }
    at += ENTRY_SIZE + length + read_16(bytes + at + 30) + read_16(bytes + at + 32);
  }
  return false;
}

bool npz_has(const File *file, const char *name) {
  Member member;
  const char *cause;
  return find_member(file, name, &member, &cause) || cause;
}

// The member's bytes, which the caller frees. NULL, and the cause.
static unsigned char *unpack(const Member *member, const char **cause) {
  *cause = member->method != STORED && member->method != DEFLATED       ? "is compressed in a way other than deflate"
           : member->size > (size_t)NPZ_MAX_VALUES * 8 + LONGEST_HEADER ? "is too large"
           : member->method == STORED && member->size != member->packed ? "has two different sizes"
                                                                        : NULL;
  unsigned char *bytes = *cause ? NULL : malloc(member->size + 1);
  if (!bytes) {
    *cause = *cause ? *cause : "needs more memory than there is";
    return NULL;
  }
  if (member->method == STORED) {
    memcpy(bytes, member->bytes, member->size);
    return bytes;
  }
  z_stream stream = {.next_in = (unsigned char *)(uintptr_t)member->bytes,
                     .avail_in = (uInt)member->packed,
                     .next_out = bytes,
                     .avail_out = (uInt)member->size};
  const bool good = inflateInit2(&stream, -MAX_WBITS) == Z_OK && inflate(&stream, Z_FINISH) == Z_STREAM_END &&
                    stream.total_out == member->size;
  inflateEnd(&stream);
  if (good)
    return bytes;
  *cause = "is damaged: it cannot be inflated";
  free(bytes);
  return NULL;
}

// ---- The array ----

typedef struct Header {
  char type;    // f, i, u or b
  size_t width; // bytes of a value
  bool by_columns;
  size_t start; // of the values
} Header;

// The text behind a key of the header's dictionary, NULL: none.
static const char *value_of(const char *text, const char *key) {
  const char *at = strstr(text, key);
  at = at ? strchr(at + strlen(key), ':') : NULL;
  return at ? at + 1 + strspn(at + 1, " ") : NULL;
}

static bool read_shape(const char *text, NpzArray *array) {
  if (!text || *text++ != '(')
    return false;
  array->count = 1;
  for (text += strspn(text, " "); *text != ')'; text += strspn(text, ", ")) {
    char *end;
    if (*text < '0' || *text > '9' || array->rank == NPZ_MAX_RANK)
      return false;
    const unsigned long long length = strtoull(text, &end, 10);
    if (length > NPZ_MAX_VALUES || (length > 0 && array->count > NPZ_MAX_VALUES / length))
      return false;
    array->shape[array->rank++] = (size_t)length;
    array->count *= (size_t)length;
    text = end;
  }
  return true;
}

// Reads a dictionary such as {'descr': '<f8', 'fortran_order': False, 'shape': (120, 156), }. NULL, or the cause of the
// failure.
static const char *read_header(const unsigned char *bytes, size_t size, Header *header, NpzArray *array) {
  if (size < MAGIC_SIZE + 6 || memcmp(bytes, "\x93NUMPY", MAGIC_SIZE) != 0)
    return "is no array of NumPy";
  const bool is_short = bytes[MAGIC_SIZE] == 1;
  const size_t length = is_short ? read_16(bytes + 8) : read_32(bytes + 8), begin = is_short ? 10 : 12;
  char text[LONGEST_HEADER];
  if (length >= sizeof text || length > size - begin)
    return "has a header that is cut off";
  memcpy(text, bytes + begin, length);
  text[length] = '\0';
  header->start = begin + length;
  const char *type = value_of(text, "'descr'"), *order = value_of(text, "'fortran_order'");
  if (!type || !order || !read_shape(value_of(text, "'shape'"), array))
    return "has a header without a type, an order or a shape that can be read";
  if (*type++ != '\'' || (*type != '<' && *type != '|') || !strchr("fiub", type[1]) || type[1] == '\0')
    return "is not of little-endian numbers";
  header->type = type[1];
  header->width = (size_t)(type[2] - '0');
  header->by_columns = strncmp(order, "True", 4) == 0;
  if (type[3] != '\'' || (header->width != 1 && header->width != 2 && header->width != 4 && header->width != 8) ||
      (header->type == 'f' && header->width < 4))
    return "has numbers of a size that is not read";
  if (header->by_columns && array->rank > 1)
    return "is stored by columns, which is not read: save it with numpy.ascontiguousarray";
  return array->count <= (size - header->start) / header->width ? NULL : "has fewer values than its shape says";
}

static double read_value(const unsigned char *p, const Header *header) {
  uint64_t bits = 0;
  for (size_t i = 0; i < header->width; i++)
    bits |= (uint64_t)p[i] << (8 * i);
  if (header->type == 'f' && header->width == 8) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (header->type == 'f') {
    const uint32_t half = (uint32_t)bits;
    float value;
    memcpy(&value, &half, sizeof value);
    return (double)value;
  }
  const unsigned spare = 64 - 8 * (unsigned)header->width;
  return header->type == 'i' ? (double)((int64_t)(bits << spare) >> spare) : (double)bits;
}

static const char *read_values(const unsigned char *bytes, size_t size, NpzArray *array) {
  Header header = {0};
  const char *cause = read_header(bytes, size, &header, array);
  if (cause)
    return cause;
  array->values = malloc((array->count + 1) * sizeof *array->values);
  if (!array->values)
    return "needs more memory than there is";
  for (size_t i = 0; i < array->count; i++) {
    array->values[i] = read_value(bytes + header.start + i * header.width, &header);
    if (!isfinite(array->values[i]))
      return "has a value that is not finite";
  }
  return NULL;
}

bool npz_read(const File *file, const char *name, NpzArray *array, Error *error) {
  *array = (NpzArray){0};
  Member member;
  const char *cause;
  if (!find_member(file, name, &member, &cause))
    return fail(file, name, cause ? cause : "is not in the file", error);
  unsigned char *bytes = unpack(&member, &cause);
  if (bytes)
    cause = read_values(bytes, member.size, array);
  free(bytes);
  if (!cause)
    return true;
  npz_free(array);
  return fail(file, name, cause, error);
}

void npz_free(NpzArray *array) {
  free(array->values);
  *array = (NpzArray){0};
}

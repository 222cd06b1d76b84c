// Writes arrays into .npz files: each is a member of a zip, stored as it is, whose entry the directory at the end
// repeats.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "anim/motion/npz.h"

enum { HEADER_STEP = 64, LONGEST_HEADER = 4 * HEADER_STEP, ZIP_VERSION = 20, FIRST_OF_1980 = 33 };

static void put_16(TextBuffer *bytes, unsigned value) {
  text_append(bytes, (const char[]){(char)(value & 0xff), (char)(value >> 8 & 0xff)}, 2);
}

static void put_32(TextBuffer *bytes, size_t value) {
  put_16(bytes, (unsigned)(value & 0xffff));
  put_16(bytes, (unsigned)(value >> 16 & 0xffff));
}

// ---- The array ----

static size_t count_values(int rank, const size_t *shape) {
  size_t count = 1;
  for (int i = 0; i < rank; i++)
    count *= shape[i];
  return count;
}

// A header such as {'descr': '<f8', 'fortran_order': False, 'shape': (120, 156), }, filled with spaces so that the
// values begin at a multiple of 64 bytes. Returns its size.
static size_t make_header(char header[LONGEST_HEADER], const char *type, int rank, const size_t *shape) {
  enum { FIRST = 10 }; // magic, version, length
  char text[LONGEST_HEADER], lengths[LONGEST_HEADER] = "";
  size_t used = 0;
  for (int i = 0; i < rank; i++)
    used += (size_t)snprintf(lengths + used, sizeof lengths - used, "%zu,%s", shape[i], i < rank - 1 ? " " : "");
  const size_t length =
      (size_t)snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, lengths);
  const size_t size = (FIRST + length + 1 + HEADER_STEP - 1) / HEADER_STEP * HEADER_STEP;
  memset(header, ' ', size);
  memcpy(header, "\x93NUMPY\1\0", FIRST - 2);
  header[FIRST - 2] = (char)((size - FIRST) & 0xff);
  header[FIRST - 1] = (char)((size - FIRST) >> 8);
  memcpy(header + FIRST, text, length);
  header[size - 1] = '\n';
  return size;
}

// ---- The zip ----

// What a member's own header and its entry in the directory have in common.
static void put_description(TextBuffer *bytes, const char *name, uLong sum, size_t size) {
  put_16(bytes, ZIP_VERSION);
  put_16(bytes, 0); // no flags
  put_16(bytes, 0); // stored
  put_16(bytes, 0); // midnight
  put_16(bytes, FIRST_OF_1980);
  put_32(bytes, sum);
  put_32(bytes, size);
  put_32(bytes, size);
  put_16(bytes, (unsigned)strlen(name) + 4); // with its ending
  put_16(bytes, 0);                          // no extra field
}

void npz_put(NpzWriter *writer, const char *name, const char *type, int rank, const size_t *shape, const void *values) {
  char header[LONGEST_HEADER];
  const size_t width = type[1] == 'U' ? 4 * strtoul(type + 2, NULL, 10) : strtoul(type + 2, NULL, 10);
  const size_t header_size = make_header(header, type, rank, shape), size = count_values(rank, shape) * width;
  const size_t offset = writer->file.size;
  uLong sum = crc32_z(0, (const Bytef *)header, header_size);
  sum = crc32_z(sum, values, size);
  text_append(&writer->file, "PK\3\4", 4);
  put_description(&writer->file, name, sum, header_size + size);
  text_print(&writer->file, "%s.npy", name);
  text_append(&writer->file, header, header_size);
  text_append(&writer->file, values, size);

  text_append(&writer->directory, "PK\1\2", 4);
  put_16(&writer->directory, ZIP_VERSION);
  put_description(&writer->directory, name, sum, header_size + size);
  put_16(&writer->directory, 0); // no comment
  put_16(&writer->directory, 0); // first disk
  put_16(&writer->directory, 0); // no attributes
  put_32(&writer->directory, 0);
  put_32(&writer->directory, offset);
  text_print(&writer->directory, "%s.npy", name);
  writer->count++;
}

// NumPy's texts have one length, 4 bytes for each character, and are filled with zeros.
static void put_texts(NpzWriter *writer, const char *name, int rank, size_t count, const char *const *texts) {
  TextBuffer wide = {0};
  char type[32];
  size_t longest = 1;
  for (size_t i = 0; i < count; i++)
    longest = strlen(texts[i]) > longest ? strlen(texts[i]) : longest;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < longest; k++)
      put_32(&wide, k < strlen(texts[i]) ? (unsigned char)texts[i][k] : 0);
  snprintf(type, sizeof type, "<U%zu", longest);
  if (wide.failed)
    writer->file.failed = true;
  else
    npz_put(writer, name, type, rank, &count, wide.bytes);
  text_free(&wide);
}

void npz_put_texts(NpzWriter *writer, const char *name, size_t count, const char *const *texts) {
  put_texts(writer, name, 1, count, texts);
}

void npz_put_text(NpzWriter *writer, const char *name, const char *text) { put_texts(writer, name, 0, 1, &text); }

bool npz_finish(NpzWriter *writer, Error *error) {
  const size_t start = writer->file.size;
  if (writer->file.failed || writer->directory.failed)
    return error_set(error, "out of memory");
  if (start > UINT32_MAX - writer->directory.size)
    return error_set(error, "the arrays have %.1f GB, more than the 4 that a file can have", (double)start / 1e9);
  text_append(&writer->file, writer->directory.bytes, writer->directory.size);
  text_append(&writer->file, "PK\5\6\0\0\0\0", 8);
  put_16(&writer->file, writer->count);
  put_16(&writer->file, writer->count);
  put_32(&writer->file, writer->directory.size);
  put_32(&writer->file, start);
  put_16(&writer->file, 0); // no comment
  return !writer->file.failed || error_set(error, "out of memory");
}

void npz_writer_free(NpzWriter *writer) {
  text_free(&writer->file);
  text_free(&writer->directory);
  *writer = (NpzWriter){.count = 0};
}

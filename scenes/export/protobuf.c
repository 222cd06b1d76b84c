// Writes messages of Protocol Buffers.
#include "scenes/export/protobuf.h"

#include <string.h>

typedef enum WireType { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2 } WireType;

// Seven bits in each byte, the lowest first; all but the last have their highest bit set.
static void put_varint(TextBuffer *message, uint64_t value) {
  char bytes[10];
  size_t size = 0;
  for (; value > 127; value >>= 7)
    bytes[size++] = (char)((value & 127) | 128);
  bytes[size++] = (char)value;
  text_append(message, bytes, size);
}

static void put_tag(TextBuffer *message, int field, WireType type) {
  put_varint(message, (uint64_t)field << 3 | (uint64_t)type);
}

static void put_bytes(TextBuffer *message, int field, const char *bytes, size_t size) {
  put_tag(message, field, WIRE_BYTES);
  put_varint(message, size);
  text_append(message, bytes, size);
}

void protobuf_integer(TextBuffer *message, int field, uint64_t value) {
  put_tag(message, field, WIRE_VARINT);
  put_varint(message, value);
}

void protobuf_double(TextBuffer *message, int field, double value) {
  put_tag(message, field, WIRE_64);
  text_append(message, (const char *)&value, sizeof value); // machines are little-endian
}

void protobuf_text(TextBuffer *message, int field, const char *text) { put_bytes(message, field, text, strlen(text)); }

void protobuf_message(TextBuffer *message, int field, TextBuffer *part) {
  message->failed = message->failed || part->failed;
  put_bytes(message, field, part->bytes ? part->bytes : "", part->size);
  text_free(part);
}

// Writes messages of Protocol Buffers field by field (protobuf.dev, Encoding). Zero values are written, too.
#ifndef STAGGER_SCENES_EXPORT_PROTOBUF_H
#define STAGGER_SCENES_EXPORT_PROTOBUF_H

#include <stdint.h>

#include "sim/base/text_buffer.h"

void protobuf_integer(TextBuffer *message, int field, uint64_t value); // also bool and enum
void protobuf_double(TextBuffer *message, int field, double value);
void protobuf_text(TextBuffer *message, int field, const char *text);

// Appends a finished message as a field of another one, and frees it.
void protobuf_message(TextBuffer *message, int field, TextBuffer *part);

#endif

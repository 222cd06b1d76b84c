// Foxglove's MCAP container (mcap.dev/spec), version 0, without chunks: messages with times on named channels, whose
// schemas are in the file.
#ifndef STAGGER_SCENES_EXPORT_MCAP_FILE_H
#define STAGGER_SCENES_EXPORT_MCAP_FILE_H

#include <stdint.h>

#include "sim/base/text_buffer.h"

enum { MCAP_MAX_CHANNELS = 512 };

// Zero-initialise, begin, add, finish; `file` is then the whole file. Free with mcap_free.
typedef struct McapWriter {
  TextBuffer file, schemas, channels; // the last two are repeated in the file's summary
  unsigned schema_count, channel_count;
  uint64_t messages[MCAP_MAX_CHANNELS + 1]; // by the channel's number, from 1
  uint64_t first, last;                     // times, ns
} McapWriter;

void mcap_begin(McapWriter *writer);

// Both return their number. A file has at most MCAP_MAX_CHANNELS channels.
unsigned mcap_schema(McapWriter *writer, const char *name, const char *encoding, const TextBuffer *schema);
unsigned mcap_channel(McapWriter *writer, unsigned schema, const char *topic, const char *encoding);

// Messages come in the order of their times, ns.
void mcap_message(McapWriter *writer, unsigned channel, uint64_t time, const TextBuffer *message);
void mcap_finish(McapWriter *writer); // file.failed: out of memory
void mcap_free(McapWriter *writer);

// Finds the next message of a channel in a file's data. at: where to begin, 0 at first; then behind the message. NULL:
// there is none.
const char *mcap_next(const TextBuffer *file, unsigned channel, size_t *at, size_t *size);

#endif

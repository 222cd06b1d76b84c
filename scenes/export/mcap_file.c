// Writes and reads MCAP files: records of a kind, a length of 64 bits, and the content.
#include "scenes/export/mcap_file.h"

#include <string.h>

enum { HEADER = 1, FOOTER, SCHEMA, CHANNEL, MESSAGE, STATISTICS = 11, DATA_END = 15 };
enum { RECORD_SIZE = 9, MESSAGE_SIZE = 22, MAGIC_SIZE = 8 }; // bytes before a record's content and a message's

static const char MAGIC[] = "\x89MCAP0\r\n";

static void put(TextBuffer *bytes, uint64_t value, size_t size) {
  text_append(bytes, (const char *)&value, size); // machines are little-endian
}

static void put_text(TextBuffer *bytes, const char *text) {
  put(bytes, strlen(text), 4);
  text_append(bytes, text, strlen(text));
}

static void put_buffer(TextBuffer *bytes, const TextBuffer *more) {
  bytes->failed = bytes->failed || more->failed;
  if (more->size > 0)
    text_append(bytes, more->bytes, more->size);
}

// Puts a record and frees its content.
static void put_record(TextBuffer *bytes, int kind, TextBuffer *content) {
  put(bytes, (uint64_t)kind, 1);
  put(bytes, content->size, 8);
  put_buffer(bytes, content);
  text_free(content);
}

void mcap_begin(McapWriter *writer) {
  TextBuffer header = {0};
  text_append(&writer->file, MAGIC, MAGIC_SIZE);
  put_text(&header, ""); // no profile
  put_text(&header, "Stagger " STAGGER_VERSION);
  put_record(&writer->file, HEADER, &header);
}

unsigned mcap_schema(McapWriter *writer, const char *name, const char *encoding, const TextBuffer *schema) {
  TextBuffer content = {0}, record = {0};
  put(&content, ++writer->schema_count, 2);
  put_text(&content, name);
  put_text(&content, encoding);
  put(&content, schema->size, 4);
  put_buffer(&content, schema);
  put_record(&record, SCHEMA, &content);
  put_buffer(&writer->file, &record);
  put_buffer(&writer->schemas, &record);
  text_free(&record);
  return writer->schema_count;
}

unsigned mcap_channel(McapWriter *writer, unsigned schema, const char *topic, const char *encoding) {
  TextBuffer content = {0}, record = {0};
  put(&content, ++writer->channel_count, 2);
  put(&content, schema, 2);
  put_text(&content, topic);
  put_text(&content, encoding);
  put(&content, 0, 4); // no metadata
  put_record(&record, CHANNEL, &content);
  put_buffer(&writer->file, &record);
  put_buffer(&writer->channels, &record);
  text_free(&record);
  return writer->channel_count;
}

static uint64_t count_messages(const McapWriter *writer) {
  uint64_t count = 0;
  for (unsigned c = 1; c <= writer->channel_count; c++)
    count += writer->messages[c];
  return count;
}

void mcap_message(McapWriter *writer, unsigned channel, uint64_t time, const TextBuffer *message) {
  writer->first = count_messages(writer) == 0 ? time : writer->first;
  writer->last = time;
  put(&writer->file, MESSAGE, 1);
  put(&writer->file, MESSAGE_SIZE + message->size, 8);
  put(&writer->file, channel, 2);
  put(&writer->file, writer->messages[channel]++, 4);
  put(&writer->file, time, 8); // recorded
  put(&writer->file, time, 8); // published
  put_buffer(&writer->file, message);
}

static void put_statistics(McapWriter *writer) {
  TextBuffer content = {0};
  put(&content, count_messages(writer), 8);
  put(&content, writer->schema_count, 2);
  put(&content, writer->channel_count, 4);
  for (int i = 0; i < 3; i++)
    put(&content, 0, 4); // attachments, metadata, chunks
  put(&content, writer->first, 8);
  put(&content, writer->last, 8);
  put(&content, 10 * writer->channel_count, 4); // bytes of the pairs that follow
  for (unsigned c = 1; c <= writer->channel_count; c++) {
    put(&content, c, 2);
    put(&content, writer->messages[c], 8);
  }
  put_record(&writer->file, STATISTICS, &content);
}

// Checksums are 0, which says that there is none.
void mcap_finish(McapWriter *writer) {
  TextBuffer end = {0}, footer = {0};
  put(&end, 0, 4);
  put_record(&writer->file, DATA_END, &end);
  put(&footer, writer->file.size, 8); // where the summary begins
  put(&footer, 0, 8);                 // no offsets of the summary
  put(&footer, 0, 4);
  put_buffer(&writer->file, &writer->schemas);
  put_buffer(&writer->file, &writer->channels);
  put_statistics(writer);
  put_record(&writer->file, FOOTER, &footer);
  text_append(&writer->file, MAGIC, MAGIC_SIZE);
}

void mcap_free(McapWriter *writer) {
  text_free(&writer->file);
  text_free(&writer->schemas);
  text_free(&writer->channels);
}

const char *mcap_next(const TextBuffer *file, unsigned channel, size_t *at, size_t *size) {
  if (*at == 0)
    *at = MAGIC_SIZE;
  while (*at + RECORD_SIZE <= file->size) {
    const char *record = file->bytes + *at;
    uint64_t length;
    uint16_t found;
    memcpy(&length, record + 1, sizeof length);
    if (record[0] == DATA_END || length > file->size - *at - RECORD_SIZE)
      return NULL;
    *at += RECORD_SIZE + length;
    memcpy(&found, record + RECORD_SIZE, sizeof found);
    if (record[0] != MESSAGE || length < MESSAGE_SIZE || found != channel)
      continue;
    *size = length - MESSAGE_SIZE;
    return record + RECORD_SIZE + MESSAGE_SIZE;
  }
  return NULL;
}

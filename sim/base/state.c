// The stream that states are saved into and restored from. Every read is checked against the buffer's end, so that a
// short or foreign buffer makes an error and nothing else.
#include "sim/base/state.h"

#include <string.h>

StateStream state_counter(void) { return (StateStream){.mode = STATE_COUNT}; }

StateStream state_saver(void *buffer, size_t size) {
  return (StateStream){.mode = STATE_SAVE, .out = buffer, .size = size};
}

StateStream state_restorer(const void *buffer, size_t size) {
  return (StateStream){.mode = STATE_RESTORE, .in = buffer, .size = size};
}

uint64_t state_hash(uint64_t hash, const void *bytes, size_t size) {
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ byte[i]) * UINT64_C(0x100000001B3);
  return hash;
}

void state_fail(StateStream *stream, const char *what) {
  error_set(&stream->error, "the state does not fit: %s %s", stream->section ? stream->section : "it", what);
}

// Whether so many bytes can be taken from, or put into, the buffer.
static bool has_room(StateStream *stream, size_t size) {
  if (state_failed(stream))
    return false;
  if (stream->mode == STATE_COUNT || size <= stream->size - stream->at)
    return true;
  state_fail(stream, "is longer than the buffer");
  return false;
}

void state_bytes(StateStream *stream, void *data, size_t size) {
  if (!has_room(stream, size) || size == 0)
    return;
  if (stream->mode == STATE_SAVE)
    memcpy(stream->out + stream->at, data, size);
  else if (stream->mode == STATE_RESTORE)
    memcpy(data, stream->in + stream->at, size);
  stream->at += size;
}

void state_section(StateStream *stream, const char *name, size_t size) {
  stream->section = name;
  uint64_t tag = state_hash(state_hash(STATE_HASH, name, strlen(name)), &size, sizeof size), found = tag;
  STATE(stream, found);
  if (found != tag)
    state_fail(stream, "is not there, or of another kind");
}

// Where a field of a struct is among the bytes that the struct was saved as.
static size_t place_of(const void *thing, const StateKept *kept) {
  return (size_t)((const char *)kept->field - (const char *)thing);
}

void state_struct(StateStream *stream, void *thing, size_t size, const StateKept kept[], int count) {
  if (!has_room(stream, size))
    return;
  if (stream->mode == STATE_SAVE) {
    unsigned char *out = stream->out + stream->at;
    memcpy(out, thing, size);
    for (int i = 0; i < count; i++)
      memset(out + place_of(thing, &kept[i]), 0, kept[i].size);
  } else if (stream->mode == STATE_RESTORE) {
    // Stretch by stretch, each from the end of a kept field to the beginning of the one that comes next.
    size_t from = 0;
    while (from < size) {
      size_t to = size, next = size;
      for (int i = 0; i < count; i++) {
        size_t begin = place_of(thing, &kept[i]), end = begin + kept[i].size;
        if (begin <= from && from < end) { // inside of a kept field
          to = from;
          next = end;
          break;
        }
        if (begin > from && begin < to) {
          to = begin;
          next = end;
        }
      }
      memcpy((char *)thing + from, stream->in + stream->at + from, to - from);
      from = next;
    }
  }
  stream->at += size;
}

int state_number(StateStream *stream, int number, int low, int high) {
  int32_t value = number;
  STATE(stream, value);
  if (state_restores(stream) && !state_failed(stream) && (value < low || value > high))
    state_fail(stream, "has a number out of its range");
  return state_failed(stream) ? low : value;
}

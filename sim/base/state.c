// The stream used by all saved states: bounds are checked at every read, so that a damaged buffer results in an error
// that names the section, and never in an access outside the buffer.
#include "sim/base/state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/reserve.h"

enum { SECTION_NAME_SIZE = 12 };

StateStream state_stream_count(void) { return (StateStream){.mode = STATE_COUNT, .section = "head"}; }

StateStream state_stream_save(void *bytes, size_t size, Error *error) {
  return (StateStream){.mode = STATE_SAVE, .bytes = bytes, .size = size, .section = "head", .error = error};
}

StateStream state_stream_restore(const void *bytes, size_t size, Error *error) {
  return (StateStream){
      .mode = STATE_RESTORE, .bytes = (unsigned char *)bytes, .size = size, .section = "head", .error = error};
}

bool state_fail(StateStream *stream, const char *format, ...) {
  if (stream->failed)
    return false;
  stream->failed = true;
  char what[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return error_set(stream->error, "the state %s in section %s: %s",
                   state_restores(stream) ? "is damaged" : "cannot be saved", stream->section, what);
}

// Whether `size` more bytes are available.
static bool take(StateStream *stream, size_t size) {
  if (stream->failed)
    return false;
  if (stream->mode != STATE_COUNT && size > stream->size - stream->at)
    return state_fail(stream, "it ends after %zu bytes, in the middle of a value", stream->size);
  return true;
}

void state_bytes(StateStream *stream, void *bytes, size_t size) {
  if (!take(stream, size))
    return;
  if (size > 0 && stream->mode == STATE_SAVE)
    memcpy(stream->bytes + stream->at, bytes, size);
  if (size > 0 && stream->mode == STATE_RESTORE)
    memcpy(bytes, stream->bytes + stream->at, size);
  stream->at += size;
}

void state_pass(StateStream *stream, size_t size) {
  if (take(stream, size))
    stream->at += size;
}

void state_section(StateStream *stream, const char *name, int version) {
  char tag[SECTION_NAME_SIZE + sizeof version] = {0}, found[sizeof tag];
  snprintf(tag, SECTION_NAME_SIZE, "%s", name);
  memcpy(tag + SECTION_NAME_SIZE, &version, sizeof version);
  memcpy(found, tag, sizeof tag);
  stream->section = name;
  state_bytes(stream, found, sizeof found);
  if (!stream->failed && memcmp(found, tag, SECTION_NAME_SIZE) != 0)
    state_fail(stream, "something else stands where it should begin");
  else if (!stream->failed && memcmp(found, tag, sizeof tag) != 0)
    state_fail(stream, "it is of another version than %d", version);
}

void state_bools(StateStream *stream, void *bools, size_t size) {
  if (!take(stream, size))
    return;
  for (size_t i = 0; stream->mode == STATE_RESTORE && i < size; i++)
    if (stream->bytes[stream->at + i] > 1) {
      state_fail(stream, "%d is neither true nor false", stream->bytes[stream->at + i]);
      return;
    }
  state_bytes(stream, bools, size);
}

void state_finite(StateStream *stream, double *numbers, int count) {
  for (int i = 0; i < count; i++) {
    double number = numbers[i];
    state_bytes(stream, &number, sizeof number);
    if (stream->mode != STATE_RESTORE || stream->failed)
      continue;
    if (!isfinite(number))
      state_fail(stream, "a number is not finite");
    else
      numbers[i] = number;
  }
}

void state_int(StateStream *stream, int *value, int least, int most) {
  int number = *value;
  state_bytes(stream, &number, sizeof number);
  if (stream->mode != STATE_RESTORE || stream->failed)
    return;
  if (number < least || number > most)
    state_fail(stream, "%d is out of range, allowed is %d to %d", number, least, most);
  else
    *value = number;
}

void state_choice(StateStream *stream, void *value, size_t size, int count) {
  int number = 0;
  memcpy(&number, value, size < sizeof number ? size : sizeof number);
  state_int(stream, &number, 0, count - 1);
  if (stream->mode == STATE_RESTORE && !stream->failed)
    memcpy(value, &number, size < sizeof number ? size : sizeof number);
}

void state_text(StateStream *stream, char *text, size_t size) {
  int length = (int)strnlen(text, size - 1);
  state_int(stream, &length, 0, (int)size - 1);
  state_bytes(stream, text, (size_t)length);
  if (stream->mode == STATE_RESTORE && !stream->failed)
    text[length] = '\0';
}

void state_same(StateStream *stream, long fact, const char *what) {
  int64_t found = fact;
  state_bytes(stream, &found, sizeof found);
  if (!stream->failed && found != fact)
    state_fail(stream, "%s: %ld there, %ld here", what, (long)found, fact);
}

int state_count(StateStream *stream, int *count, int most, size_t item) {
  int number = *count;
  state_int(stream, &number, 0, most);
  if (stream->mode == STATE_RESTORE && !stream->failed && (size_t)number > (stream->size - stream->at) / item)
    state_fail(stream, "a list of %d cannot be there", number);
  if (stream->failed)
    number = 0;
  if (stream->mode == STATE_RESTORE)
    *count = number;
  return number;
}

void state_array(StateStream *stream, void *array, int *count, int *capacity, size_t item) {
  int number = state_count(stream, count, INT32_MAX, item);
  if (stream->mode == STATE_RESTORE && !reserve(array, capacity, number, item)) {
    state_fail(stream, "out of memory");
    *count = 0;
    return;
  }
  void *items;
  memcpy(&items, array, sizeof items);
  state_bytes(stream, items, (size_t)number * item);
}

// FNV-1a over words, in four lanes so that multiplications are independent of each other.
uint64_t state_checksum(const void *bytes, size_t size) {
  uint64_t lanes[4] = {UINT64_C(0xCBF29CE484222325), 1, 2, 3}, sum = size;
  const unsigned char *from = bytes;
  for (size_t at = 0; at < size; at += sizeof lanes) {
    uint64_t words[4] = {0};
    memcpy(words, from + at, size - at < sizeof words ? size - at : sizeof words);
    for (int i = 0; i < 4; i++) {
      lanes[i] = (lanes[i] ^ words[i]) * UINT64_C(0x100000001B3);
      lanes[i] ^= lanes[i] >> 29; // lets high bits affect low ones
    }
  }
  for (int i = 0; i < 4; i++)
    sum = (sum ^ lanes[i]) * UINT64_C(0x9E3779B97F4A7C15) + (sum >> 31);
  return sum;
}

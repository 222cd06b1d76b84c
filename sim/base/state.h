// Saving and restoring running objects. Each module has a function `void thing_state(Thing *thing, StateStream
// *stream)` that lists, once for both directions, all state on which the future of the thing depends. The stream counts
// the bytes, writes them to a buffer, or reads them back.
//
// Pointers are never written; instead of a pointer, a function writes an index of the object. Plain data is written
// field by field, so that the padding of structs is not included and equal states give equal bytes.
//
// While a stream counts or saves, the thing is not changed. While it restores, the first error ends the stream: all
// further calls leave their values unchanged, and counts and indices stay within the given limits.
#ifndef STAGGER_SIM_BASE_STATE_H
#define STAGGER_SIM_BASE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/error.h"
#include "sim/base/rng.h"

typedef enum StateMode { STATE_COUNT, STATE_SAVE, STATE_RESTORE } StateMode;

typedef struct StateStream {
  StateMode mode;
  unsigned char *bytes; // buffer; NULL while counting
  size_t size, at;      // size of the buffer, and present position
  const char *section;  // present section, for errors
  bool failed;
  Error *error; // may be NULL
} StateStream;

StateStream state_stream_count(void);
StateStream state_stream_save(void *bytes, size_t size, Error *error);
StateStream state_stream_restore(const void *bytes, size_t size, Error *error);

static inline bool state_restores(const StateStream *stream) { return stream->mode == STATE_RESTORE; }

// Ends the stream with an error that names the section and the problem; an earlier error is kept. Returns false.
bool state_fail(StateStream *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Begins the section of a module. Its name and the version of its format are checked when it is read.
void state_section(StateStream *stream, const char *name, int version);

// Plain bytes: numbers and arrays of numbers, without padding, pointers, booleans or enumerations.
void state_bytes(StateStream *stream, void *bytes, size_t size);
// Skips bytes; only while restoring.
void state_pass(StateStream *stream, size_t size);
// When read, only 0 and 1 are accepted.
void state_bools(StateStream *stream, void *bools, size_t size);
// Numbers that must be finite.
void state_finite(StateStream *stream, double *numbers, int count);
// An integer from least to most.
void state_int(StateStream *stream, int *value, int least, int most);
// An enumeration with values 0 to count - 1, or an unsigned number below count.
void state_choice(StateStream *stream, void *value, size_t size, int count);
// A text that ends within `size` bytes.
void state_text(StateStream *stream, char *text, size_t size);
// A value that is not state but must be the same when reading as when writing; `what` describes it.
void state_same(StateStream *stream, long fact, const char *what);
// The length of a list, 0 .. most. Returns the number of items that follow, which is 0 once the stream has ended. A
// list that is longer than the rest of the buffer, at `item` bytes or more for each item, is an error and becomes
// empty.
int state_count(StateStream *stream, int *count, int most, size_t item);

// A growing array (see sim/base/reserve.h) of plain numbers: reads or writes its length and items, and makes room for
// them.
void state_array(StateStream *stream, void *array, int *count, int *capacity, size_t item);

// A checksum that changes with any change of a few bytes.
uint64_t state_checksum(const void *bytes, size_t size);

static inline void state_rng(Rng *rng, StateStream *stream) { state_bytes(stream, rng->state, sizeof rng->state); }

// ---- Lists of fields: STATE(stream, thing->a, thing->b ...), up to 16 of them ----

#define STATE_ONE(stream, x)                                                                                           \
  _Generic((x), bool : state_bools, bool * : state_bools, default : state_bytes)((stream), &(x), sizeof(x));

#define STATE_1(s, x) STATE_ONE(s, x)
#define STATE_2(s, x, ...) STATE_ONE(s, x) STATE_1(s, __VA_ARGS__)
#define STATE_3(s, x, ...) STATE_ONE(s, x) STATE_2(s, __VA_ARGS__)
#define STATE_4(s, x, ...) STATE_ONE(s, x) STATE_3(s, __VA_ARGS__)
#define STATE_5(s, x, ...) STATE_ONE(s, x) STATE_4(s, __VA_ARGS__)
#define STATE_6(s, x, ...) STATE_ONE(s, x) STATE_5(s, __VA_ARGS__)
#define STATE_7(s, x, ...) STATE_ONE(s, x) STATE_6(s, __VA_ARGS__)
#define STATE_8(s, x, ...) STATE_ONE(s, x) STATE_7(s, __VA_ARGS__)
#define STATE_9(s, x, ...) STATE_ONE(s, x) STATE_8(s, __VA_ARGS__)
#define STATE_10(s, x, ...) STATE_ONE(s, x) STATE_9(s, __VA_ARGS__)
#define STATE_11(s, x, ...) STATE_ONE(s, x) STATE_10(s, __VA_ARGS__)
#define STATE_12(s, x, ...) STATE_ONE(s, x) STATE_11(s, __VA_ARGS__)
#define STATE_13(s, x, ...) STATE_ONE(s, x) STATE_12(s, __VA_ARGS__)
#define STATE_14(s, x, ...) STATE_ONE(s, x) STATE_13(s, __VA_ARGS__)
#define STATE_15(s, x, ...) STATE_ONE(s, x) STATE_14(s, __VA_ARGS__)
#define STATE_16(s, x, ...) STATE_ONE(s, x) STATE_15(s, __VA_ARGS__)
#define STATE_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, NAME, ...) NAME

#define STATE(stream, ...)                                                                                             \
  do {                                                                                                                 \
    STATE_PICK(__VA_ARGS__, STATE_16, STATE_15, STATE_14, STATE_13, STATE_12, STATE_11, STATE_10, STATE_9, STATE_8,    \
               STATE_7, STATE_6, STATE_5, STATE_4, STATE_3, STATE_2, STATE_1, )                                        \
    (stream, __VA_ARGS__)                                                                                              \
  } while (0)

#define STATE_CHOICE(stream, x, count) state_choice((stream), &(x), sizeof(x), (int)(count))

#endif

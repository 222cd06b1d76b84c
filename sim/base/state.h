// The state of a simulation as bytes: what a scene's future depends on, saved and restored to the bit.
//
// Each module has one function `thing_state(thing, stream)` that lists its state once, for both directions. A struct is
// listed whole, but for the fields that are kept: pointers, and what belongs to the description and not to the state.
// So a new field is part of the state without a word.
//
// A stream that has failed goes on without doing anything; its error is looked at in the end. The bytes hold for one
// build of the program on one kind of machine.
#ifndef STAGGER_SIM_BASE_STATE_H
#define STAGGER_SIM_BASE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/error.h"

typedef enum StateMode { STATE_COUNT, STATE_SAVE, STATE_RESTORE } StateMode;

typedef struct StateStream {
  StateMode mode;
  unsigned char *out;      // saving
  const unsigned char *in; // restoring
  size_t size, at;         // bytes; counting: size is no limit
  const char *section;     // the one under way
  Error error;
} StateStream;

// A stream that counts, that saves into a buffer, that restores from one.
StateStream state_counter(void);
StateStream state_saver(void *buffer, size_t size);
StateStream state_restorer(const void *buffer, size_t size);

static inline bool state_restores(const StateStream *stream) { return stream->mode == STATE_RESTORE; }
static inline bool state_failed(const StateStream *stream) { return stream->error.text[0] != '\0'; }

// Begins a section. When restoring, the bytes must have it here, of things of the same size: a number that says so,
// such as the size of the struct. Otherwise the stream fails, and names the section.
void state_section(StateStream *stream, const char *name, size_t size);

// Fails with a sentence about what the present section holds.
void state_fail(StateStream *stream, const char *what);

// Bytes as they are. Nothing is restored when the buffer ends before them.
void state_bytes(StateStream *stream, void *data, size_t size);
#define STATE(stream, thing) state_bytes(stream, &(thing), sizeof(thing))

// A field of a struct that is no part of its state: saved as zeros, and restored as it was.
typedef struct StateKept {
  void *field;
  size_t size;
} StateKept;

#define STATE_KEEP(thing)                                                                                              \
  { &(thing), sizeof(thing) }

// A struct but for `count` of its fields.
void state_struct(StateStream *stream, void *thing, size_t size, const StateKept kept[], int count);

// A whole number that has to be in a range, of any value when saving: a count, or an index. Returns what it is now;
// `low` when the stream has failed.
int state_number(StateStream *stream, int number, int low, int high);

// FNV-1a of some bytes, continued from `hash` (STATE_HASH at first).
#define STATE_HASH UINT64_C(0xCBF29CE484222325)
uint64_t state_hash(uint64_t hash, const void *bytes, size_t size);

#endif

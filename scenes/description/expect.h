// Expectations: sentences of a scene like `runner.distance > 60` that its metrics must fulfil at the end of a run.
#ifndef STAGGER_SCENES_DESCRIPTION_EXPECT_H
#define STAGGER_SCENES_DESCRIPTION_EXPECT_H

#include "ragdoll/character/character.h"
#include "sim/base/document.h"
#include "sim/metrics/metrics.h"

typedef enum ExpectOp { EXPECT_LESS, EXPECT_AT_MOST, EXPECT_MORE, EXPECT_AT_LEAST, EXPECT_EQUAL, EXPECT_NOT } ExpectOp;

typedef struct Expect {
  char text[PARAM_TEXT_SIZE];
  int character; // index
  char metric[METRICS_NAME_SIZE];
  ExpectOp op;
  double value; // in the metric's unit
} Expect;

// Reads `<character>.<metric> op value`, or `<metric> op value` when there is one character. op: < <= > >= == !=;
// value: a number, true or false. Errors: no such character or metric, not of that form.
bool expect_read(Expect *expect, const Node *node, const CharacterDef *characters, int count, Error *error);

// The pieces of `name op value`: the name, the operator, and where the value begins in the text. False: not of that
// form.
bool expect_split(const char *text, char *name, size_t size, ExpectOp *op, const char **value);

// A number, true (1) or false (0), and nothing behind it.
bool expect_number(const char *text, double *value);

// Whether a measured value fulfils the expectation. A metric that does not apply to the run (NAN) fulfils none.
bool expect_holds(const Expect *expect, double measured);

#endif

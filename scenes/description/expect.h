// Expectations: conditions such as `runner.distance > 60` that a scene's metrics must fulfil at the end of a run.
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

// Reads `<character>.<metric> op value`, or `<metric> op value` if there is only one character. op: < <= > >= == !=;
// value: a number, true or false. Errors: unknown character or metric, or another form.
bool expect_read(Expect *expect, const Node *node, const CharacterDef *characters, int count, Error *error);

// Splits `name op value` into the name, the operator, and the beginning of the value in the text. False when the text
// has another form.
bool expect_split(const char *text, char *name, size_t size, ExpectOp *op, const char **value);

// Reads a number, true (1) or false (0); false if anything follows it.
bool expect_number(const char *text, double *value);

// Whether a measured value fulfils the expectation. A metric that does not apply to the run (NAN) never does.
bool expect_holds(const Expect *expect, double measured);

#endif

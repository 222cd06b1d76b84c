// Causes and cures of what can end a run early, of warnings and of errors.
#ifndef STAGGER_SCENES_OUTPUT_EXPLANATIONS_H
#define STAGGER_SCENES_OUTPUT_EXPLANATIONS_H

#include <stdio.h>

enum { EXPLANATION_WORDS = 48 };

typedef struct Explanation {
  const char *code;
  const char *words[EXPLANATION_WORDS]; // a message of this code contains one of them, as they stand in the source; the
                                        // others are NULL
  const char *cause, *cure;
} Explanation;

// The table, see explanation_rows.c.
extern const Explanation explanation_rows[];
extern const int explanation_row_count;

// The explanation of a message, or of a text that contains one; NULL: it has none.
const Explanation *explanation_of(const char *message);

// Prints an error with its code, if it has one: "scene.yaml:1:1: unknown key 'seeed', did you mean 'seed'?
// [key_unknown]". `stagger run --explain CODE` prints cause and cure.
void explained_print(FILE *out, const char *message);

// The same of a message that is formatted first: a line of at most 1023 bytes.
void explained_printf(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

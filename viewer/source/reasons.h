// Why a character is where it is at a moment: who leads its root, what acts on its body, and what was refused.
#ifndef STAGGER_VIEWER_SOURCE_REASONS_H
#define STAGGER_VIEWER_SOURCE_REASONS_H

#include "viewer/source/source.h"

enum { REASONS_MAX = 12, REASON_SIZE = 192 };

typedef struct Reason {
  const char *what;       // "root", "assist"
  const char *doc;        // what this line shows, one sentence
  char text[REASON_SIZE]; // "296 of 600 N, 63 of 150 N m"
  bool notable;           // help from outside, a fall, a refusal
} Reason;

typedef struct Reasons {
  Reason rows[REASONS_MAX];
  int count;
  bool present; // the controllers' state is known: the present of a run; otherwise only what traces contain
} Reasons;

// Finds the reasons for the frame nearest to a time. character: of the source's scene. What a trace does not contain
// is left out: skills, responses, the cause of a fall.
void reasons_find(const Source *source, int character, double time, Reasons *reasons);

#endif

// Writes bodies as body files.
#ifndef STAGGER_RAGDOLL_BODY_BODY_WRITE_H
#define STAGGER_RAGDOLL_BODY_BODY_WRITE_H

#include "ragdoll/body/body_def.h"
#include "sim/base/text_buffer.h"

// The text of a body file that reads back as this body, to seven digits. Parts with a mirror image right after them are
// written once. about: lines of comment at its head, without '#', may be NULL.
void body_write(const BodyDef *body, const char *about, TextBuffer *text);

#endif

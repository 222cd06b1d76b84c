// Moments of a trace drawn by stagger-view, when it is there and can draw.
#ifndef STAGGER_SCENES_REPORT_FILM_STRIP_H
#define STAGGER_SCENES_REPORT_FILM_STRIP_H

#include <stdbool.h>
#include <stddef.h>

// A PNG with 4 x 2 moments evenly from `from` to `to` s, with a character in the middle. The caller frees it. NULL:
// there is none; why (size bytes): the reason. Waits at most a minute.
char *film_strip(const char *trace, const char *character, double from, double to, size_t *size, char *why,
                 size_t why_size);

#endif

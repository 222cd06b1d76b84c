// Texts that are held to the letter by a number of theirs: what is printed for people, whatever it is about.
#ifndef STAGGER_TESTS_TEXT_DIGEST_H
#define STAGGER_TESTS_TEXT_DIGEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// FNV-1a.
static inline uint64_t text_digest(const char *text) {
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  for (; text && *text != '\0'; text++)
    digest = (digest ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return digest;
}

// Whether a text is the one that is kept; prints it if it is another.
static inline bool text_is_kept(const char *what, const char *text, uint64_t kept) {
  const uint64_t digest = text_digest(text);
  if (digest != kept)
    printf("%s: 0x%016llx, not 0x%016llx\n%s\n", what, (unsigned long long)digest, (unsigned long long)kept, text);
  return digest == kept;
}

#endif

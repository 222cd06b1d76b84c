// Repairs faults of text files that assimp cannot handle, in a copy, before assimp reads them.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "anim/motion/motion_internal.h"

static bool ends_with(const char *name, const char *ending) {
  const size_t length = strlen(name), tail = strlen(ending);
  return length >= tail && strcasecmp(name + length - tail, ending) == 0;
}

static const char *skip_space(const char *at) { return at + strspn(at, " \t\r\n"); }
static const char *skip_word(const char *at) { return at + strcspn(at, " \t\r\n"); }

// The text after a keyword such as "Frames:", or NULL. Case is ignored; blanks between its words may be repeated.
static const char *after_keyword(const char *at, const char *first, const char *second) {
  const size_t length = strlen(first);
  if (strncasecmp(at, first, length) != 0)
    return NULL;
  if (!second)
    return at + length;
  const char *next = skip_space(at + length);
  return strncasecmp(next, second, strlen(second)) == 0 ? next + strlen(second) : NULL;
}

typedef struct BvhFacts {
  const char *frames, *frames_end; // the number after "Frames:"
  const char *rows;                // start of the numbers of the first frame
  long channels, said, numbers;
  int depth_max;
} BvhFacts;

static BvhFacts bvh_measure(const char *text) {
  BvhFacts facts = {0};
  int depth = 0;
  for (const char *at = skip_space(text); *at != '\0'; at = skip_space(skip_word(at))) {
    const char *value;
    if (facts.rows) {
      facts.numbers++;
    } else if ((value = after_keyword(at, "CHANNELS", NULL))) {
      facts.channels += strtol(value, NULL, 10);
    } else if ((value = after_keyword(at, "Frames:", NULL))) {
      char *end;
      facts.frames = skip_space(value);
      facts.said = strtol(facts.frames, &end, 10);
      facts.frames_end = end;
    } else if ((value = after_keyword(at, "Frame", "Time:"))) {
      facts.rows = skip_word(skip_space(value));
      at = facts.rows;
    } else if (*at == '{') {
      facts.depth_max = ++depth > facts.depth_max ? depth : facts.depth_max;
    } else if (*at == '}') {
      depth--;
    }
  }
  return facts;
}

// A wrong number after "Frames:" makes assimp fail, leave frames out, or allocate all memory for frames that do not
// exist. The rows of numbers are counted instead.
static char *repair_frames(const File *file, char *notes, size_t notes_size, Error *error) {
  const BvhFacts facts = bvh_measure(file->bytes);
  const char *trouble = NULL;
  if (strlen(file->bytes) != file->size)
    trouble = "not a BVH file: it contains zero bytes";
  else if (!facts.frames || !facts.rows)
    trouble = "not a whole BVH file: 'Frames:' or 'Frame Time:' is missing";
  else if (facts.channels < 1 || facts.channels > 16L * MOTION_MAX_JOINTS)
    trouble = "not a BVH file: it has no channels, or too many";
  else if (facts.depth_max > MOTION_MAX_JOINTS)
    trouble = "its joints are nested too deeply";
  else if (facts.numbers < facts.channels)
    trouble = "has no whole frame of numbers after 'Frame Time:'";
  else if (facts.numbers / facts.channels > MOTION_MAX_FRAMES)
    trouble = "has too many frames, at most 360000 are allowed";
  if (trouble) {
    error_at(error, file->name, 0, 0, "%s", trouble);
    return NULL;
  }
  const long rows = facts.numbers / facts.channels;
  if (facts.said == rows)
    return NULL;
  const int written = snprintf(notes, notes_size, "'Frames:' says %ld, there are %ld%s: those are read.\n", facts.said,
                               rows, facts.numbers % facts.channels != 0 ? " whole ones and a part" : "");
  (void)written;
  const size_t size = file->size + 32;
  char *text = malloc(size);
  if (!text)
    error_at(error, file->name, 0, 0, "out of memory");
  else
    snprintf(text, size, "%.*s%ld%s", (int)(facts.frames - file->bytes), file->bytes, rows, facts.frames_end);
  return text;
}

static char *repair_bvh(const File *file, char *notes, size_t notes_size, Error *error) {
  File tidied = *file;
  char *tidy = strlen(file->bytes) == file->size ? motion_tidy_bvh(file->bytes, notes, notes_size) : NULL;
  if (tidy) {
    tidied.bytes = tidy;
    tidied.size = strlen(tidy);
  }
  const size_t used = strlen(notes);
  char *repaired = repair_frames(&tidied, notes + used, notes_size - used, error);
  if (!repaired && error->text[0] == '\0')
    return tidy;
  free(tidy);
  return repaired;
}

// assimp 5.2 refuses numbers with white space around them: <float_array> 0 1 </float_array>.
static char *repair_collada(const File *file, Error *error) {
  char *text = malloc(file->size + 1);
  if (!text) {
    error_at(error, file->name, 0, 0, "out of memory");
    return NULL;
  }
  memcpy(text, file->bytes, file->size);
  text[file->size] = '\0';
  // First the white space after '>', then that before '<'.
  char *to = text;
  for (const char *from = text; *from != '\0';) {
    *to++ = *from;
    if (*from++ == '>')
      from = skip_space(from);
  }
  *to = '\0';
  char *out = text;
  for (const char *from = text; *from != '\0'; from++) {
    if (*from == '<')
      while (out > text && isspace((unsigned char)out[-1]))
        out--;
    *out++ = *from;
  }
  *out = '\0';
  return text;
}

char *motion_repair(const File *file, char *notes, size_t notes_size, Error *error) {
  notes[0] = '\0';
  if (ends_with(file->name, ".bvh"))
    return repair_bvh(file, notes, notes_size, error);
  if (ends_with(file->name, ".dae") && strlen(file->bytes) == file->size)
    return repair_collada(file, error);
  return NULL;
}

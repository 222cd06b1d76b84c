// Rewrites BVH files of writers that assimp does not read into its dialect: names with blanks, channels in another
// case, named end sites, comments, a byte order mark, several figures, no blank after a colon.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "anim/motion/motion_internal.h"

enum { MOST_FIGURES = 64 };

typedef struct Figures {
  size_t start[MOST_FIGURES + 1]; // in the text that is written, of each ROOT; and of the end
  long channels[MOST_FIGURES], joints[MOST_FIGURES];
  int count;
} Figures;

typedef struct Tidy {
  TextBuffer text;
  Figures figures;
  bool changed, failed; // failed: there are too many figures
} Tidy;

typedef struct Line {
  const char *at;
  size_t length; // without blanks at its ends
} Line;

// The next line, and how far the text is read.
static const char *take_line(const char *text, Line *line) {
  const size_t whole = strcspn(text, "\r\n");
  const size_t blank = strspn(text, " \t");
  line->at = text + (blank < whole ? blank : whole);
  line->length = whole - (size_t)(line->at - text);
  while (line->length > 0 && strchr(" \t", line->at[line->length - 1]))
    line->length--;
  text += whole;
  return *text == '\0' ? text : text + (text[0] == '\r' && text[1] == '\n' ? 2 : 1);
}

// Whether a line begins with a word, in any case, and then has nothing or a blank or an opening brace.
static bool begins(const Line *line, const char *word) {
  const size_t length = strlen(word);
  return line->length >= length && strncasecmp(line->at, word, length) == 0 &&
         (line->length == length || strchr(" \t{", line->at[length]));
}

static void put_text(Tidy *tidy, const char *text, size_t length) { text_append(&tidy->text, text, length); }

static void put_line(Tidy *tidy, const Line *line) {
  put_text(tidy, line->at, line->length);
  put_text(tidy, "\n", 1);
}

// ROOT and JOINT with their name, in which blanks become underscores. A brace on the same line gets its own.
static void put_joint(Tidy *tidy, const Line *line, const char *word) {
  const char *at = line->at + strlen(word), *end = line->at + line->length;
  while (at < end && strchr(" \t", *at))
    at++;
  const bool opens = end > at && end[-1] == '{';
  end -= opens;
  while (end > at && strchr(" \t", end[-1]))
    end--;
  text_print(&tidy->text, "%s ", word);
  for (const char *c = at; c < end; c++) {
    const bool blank = strchr(" \t{}", *c) != NULL;
    tidy->changed |= blank;
    put_text(tidy, blank ? "_" : c, 1);
  }
  if (end == at)
    text_print(&tidy->text, "joint");
  tidy->changed |= end == at || opens || strncmp(line->at, word, strlen(word)) != 0;
  text_print(&tidy->text, opens ? "\n{\n" : "\n");
}

static void put_end(Tidy *tidy, const Line *line) {
  const bool opens = line->at[line->length - 1] == '{';
  tidy->changed |= line->length != 8 || strncmp(line->at, "End Site", 8) != 0;
  text_print(&tidy->text, opens ? "End Site\n{\n" : "End Site\n");
}

// CHANNELS 3 xRotation ...: Xrotation.
static void put_channels(Tidy *tidy, const Line *line, long *count) {
  char *end;
  *count = strtol(line->at + 8, &end, 10);
  text_print(&tidy->text, "CHANNELS %ld", *count);
  tidy->changed |= strncmp(line->at, "CHANNELS", 8) != 0;
  const char *last = line->at + line->length;
  for (const char *at = end; at < last;) {
    const size_t blank = strspn(at, " \t"), word = strcspn(at + blank, " \t\r\n");
    at += blank;
    if (word == 0)
      break;
    text_print(&tidy->text, " ");
    for (size_t i = 0; i < word; i++) {
      const char c = (char)(i == 0 ? toupper((unsigned char)at[i]) : tolower((unsigned char)at[i]));
      tidy->changed |= c != at[i];
      put_text(tidy, &c, 1);
    }
    at += word;
  }
  text_print(&tidy->text, "\n");
}

static void begin_figure(Tidy *tidy) {
  Figures *figures = &tidy->figures;
  if (figures->count == MOST_FIGURES)
    tidy->failed = true;
  else
    figures->start[figures->count++] = tidy->text.size;
}

static void put_hierarchy_line(Tidy *tidy, const Line *line) {
  Figures *figures = &tidy->figures;
  const bool root = begins(line, "ROOT");
  if (root)
    begin_figure(tidy);
  const int last = figures->count - 1;
  if (root || begins(line, "JOINT")) {
    put_joint(tidy, line, root ? "ROOT" : "JOINT");
    if (last >= 0)
      figures->joints[last]++;
  } else if (begins(line, "End") || (line->length > 8 && strncasecmp(line->at, "End Site", 8) == 0)) {
    put_end(tidy, line);
  } else if (begins(line, "CHANNELS")) {
    long count;
    put_channels(tidy, line, &count);
    if (last >= 0)
      figures->channels[last] += count;
  } else if (begins(line, "OFFSET") && strncmp(line->at, "OFFSET", 6) != 0) {
    tidy->changed = true;
    text_print(&tidy->text, "OFFSET%.*s\n", (int)line->length - 6, line->at + 6);
  } else {
    put_line(tidy, line);
  }
}

// The lines up to MOTION. Returns what follows; NULL: there is no such line.
static const char *tidy_hierarchy(Tidy *tidy, const char *text) {
  bool begun = false;
  while (*text != '\0') {
    Line line;
    text = take_line(text, &line);
    if (begins(&line, "MOTION")) {
      tidy->figures.start[tidy->figures.count] = tidy->text.size;
      tidy->changed |= strncmp(line.at, "MOTION", 6) != 0;
      return text;
    }
    const bool comment = line.length > 0 && (line.at[0] == '#' || strncmp(line.at, "//", 2) == 0);
    tidy->changed |= comment;
    if (begins(&line, "HIERARCHY")) {
      tidy->changed |= strncmp(line.at, "HIERARCHY", 9) != 0;
      text_print(&tidy->text, "HIERARCHY\n");
      begun = true;
    } else if (begun && line.length > 0 && !comment) {
      put_hierarchy_line(tidy, &line);
    }
  }
  return NULL;
}

// "Frames:131" and "Frame Time:.03" get a blank. Returns what follows the second one; NULL: there is none.
static const char *tidy_heads(Tidy *tidy, const char *text) {
  static const char *const heads[] = {"Frames:", "Frame Time:"};
  for (int i = 0; i < 2; i++) {
    Line line = {0};
    while (*text != '\0' && line.length == 0)
      text = take_line(text, &line);
    const size_t length = strlen(heads[i]);
    if (line.length <= length || strncasecmp(line.at, heads[i], length) != 0)
      return NULL;
    const bool blank = strchr(" \t", line.at[length]) != NULL;
    tidy->changed |= !blank || strncmp(line.at, heads[i], length) != 0;
    text_print(&tidy->text, "%s%s%.*s\n", heads[i], blank ? "" : " ", (int)(line.length - length), line.at + length);
  }
  return text;
}

// The columns of one figure of the rows' numbers.
static void put_columns(Tidy *tidy, const char *text, long before, long count, long all) {
  long column = 0;
  for (text += strspn(text, " \t\r\n"); *text != '\0'; text += strspn(text, " \t\r\n")) {
    const size_t length = strcspn(text, " \t\r\n");
    if (column >= before && column < before + count) {
      put_text(tidy, text, length);
      put_text(tidy, column + 1 == before + count ? "\n" : " ", 1);
    }
    text += length;
    column = column + 1 == all ? 0 : column + 1;
  }
}

// The name of the figure whose ROOT stands at a place of the text.
static void note_figure(const Tidy *tidy, int figure, char *notes, size_t size) {
  const char *name = tidy->text.bytes + tidy->figures.start[figure] + 5;
  snprintf(notes, size, "There are %d figures: that of '%.*s', which has the most joints, is read.\n",
           tidy->figures.count, (int)strcspn(name, "\n"), name);
}

// Leaves the figure with the most joints. text: the rows.
static void keep_one_figure(Tidy *tidy, size_t motion_start, const char *rows, char *notes, size_t notes_size) {
  Figures *figures = &tidy->figures;
  int best = 0;
  long before = 0, all = 0;
  for (int i = 1; i < figures->count; i++)
    if (figures->joints[i] > figures->joints[best])
      best = i;
  for (int i = 0; i < figures->count; i++) {
    before += i < best ? figures->channels[i] : 0;
    all += figures->channels[i];
  }
  note_figure(tidy, best, notes, notes_size);
  Tidy one = {0};
  put_text(&one, tidy->text.bytes, figures->start[0]);
  put_text(&one, tidy->text.bytes + figures->start[best], figures->start[best + 1] - figures->start[best]);
  put_text(&one, tidy->text.bytes + motion_start, tidy->text.size - motion_start);
  if (all > 0)
    put_columns(&one, rows, before, figures->channels[best], all);
  tidy->failed |= one.text.failed;
  text_free(&tidy->text);
  tidy->text = one.text;
  tidy->changed = true;
}

char *motion_tidy_bvh(const char *text, char *notes, size_t notes_size) {
  Tidy tidy = {0};
  if (strncmp(text, "\xef\xbb\xbf", 3) == 0) {
    text += 3;
    tidy.changed = true;
  }
  const char *motion = tidy_hierarchy(&tidy, text);
  const size_t motion_start = tidy.text.size;
  text_print(&tidy.text, "MOTION\n");
  const char *rows = motion && tidy.figures.count > 0 ? tidy_heads(&tidy, motion) : NULL;
  if (rows && !tidy.failed && tidy.figures.count > 1)
    keep_one_figure(&tidy, motion_start, rows, notes, notes_size);
  else if (rows && tidy.changed)
    put_text(&tidy, rows, strlen(rows));
  if (rows && tidy.changed && !tidy.failed && !tidy.text.failed)
    return tidy.text.bytes;
  text_free(&tidy.text);
  return NULL;
}

// Films: frames go through a pipe into the program ffmpeg, which is looked up in PATH and run without a shell. The film
// is written into a temporary file and takes its name only when it is whole.
#ifndef STAGGER_VIEWER_DRAW_FILM_H
#define STAGGER_VIEWER_DRAW_FILM_H

#include <stdint.h>

#include "scenes/output/output_file.h"

typedef enum FilmKind { FILM_MP4, FILM_MKV, FILM_WEBM, FILM_GIF, FILM_KIND_COUNT } FilmKind;

enum { FILM_GIF_MAX_FPS = 50 }; // browsers slow down what is faster

// By the ending of the name. False when there is no film of that kind.
bool film_kind_from_path(const char *path, FilmKind *kind);

// Whether a film can be made there: ffmpeg is there and has an encoder, and nothing is replaced but an older film of
// the same kind. Writes nothing.
bool film_check(const char *path, Error *error);

typedef struct Film Film;

// A film of frames of width x height pixels (even numbers, but for a GIF), fps of them a second. The same frames give
// the same file, byte for byte. NULL and an error as in film_check.
Film *film_open(const char *path, int width, int height, int fps, Error *error);

// One frame: RGB, row by row from the top left. False with ffmpeg's own words once it has given up.
bool film_add(Film *film, const uint8_t *pixels, Error *error);

// Finishes the film and puts it in its place, and frees it. On error there is no new file.
bool film_close(Film *film, Error *error);

// Frees a film that was not finished and leaves no file. film may be NULL.
void film_abort(Film *film);

#endif

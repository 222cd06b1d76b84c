// Films: frames are sent to the program ffmpeg, which is looked up in PATH and run without a shell. The film is written
// to a temporary file, which gets its name only when it is complete.
#ifndef STAGGER_VIEWER_DRAW_FILM_H
#define STAGGER_VIEWER_DRAW_FILM_H

#include <stdint.h>

#include "scenes/output/output_file.h"

typedef enum FilmKind { FILM_MP4, FILM_MKV, FILM_WEBM, FILM_GIF, FILM_KIND_COUNT } FilmKind;

enum { FILM_GIF_MAX_FPS = 50 }; // browsers play faster GIFs slowly

// The kind for the ending of a name. False when there is none.
bool film_kind_from_path(const char *path, FilmKind *kind);

// Checks whether a film can be made: ffmpeg exists and has an encoder, and no file is replaced except an older film of
// the same kind. Writes nothing.
bool film_check(const char *path, Error *error);

typedef struct Film Film;

// Begins a film of frames of width x height pixels (even numbers, except for a GIF), with fps frames per second. The
// same frames give the same file, byte for byte. NULL and an error as in film_check.
Film *film_open(const char *path, int width, int height, int fps, Error *error);

// Adds one frame: RGB, row by row from the top left. False with ffmpeg's message if it has failed.
bool film_add(Film *film, const uint8_t *pixels, Error *error);

// Finishes the film, gives it its name, and frees it. On error there is no new file.
bool film_close(Film *film, Error *error);

// Frees a film that was not finished and leaves no file. film may be NULL.
void film_abort(Film *film);

#endif

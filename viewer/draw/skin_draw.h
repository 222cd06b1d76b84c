// Draws the skins of a picture: triangles whose vertices have been placed by the processor.
#ifndef STAGGER_VIEWER_DRAW_SKIN_DRAW_H
#define STAGGER_VIEWER_DRAW_SKIN_DRAW_H

#include "viewer/draw/gl.h"
#include "viewer/draw/picture.h"

typedef struct SkinDraw {
  GLuint vertex_array, vertices, indices;
} SkinDraw;

void skin_draw_open(SkinDraw *draw);
void skin_draw_close(SkinDraw *draw);

// Draws all skins by the program in use; returns the number of triangles.
long skin_draw(const SkinDraw *draw, const Picture *picture);

#endif

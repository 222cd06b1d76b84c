// Uploads and draws the triangles of skins, which change with every picture.
#include "viewer/draw/skin_draw.h"

#include <stddef.h>

void skin_draw_open(SkinDraw *draw) {
  static const size_t OFFSETS[3] = {offsetof(PictureSkinVertex, position_w), offsetof(PictureSkinVertex, normal),
                                    offsetof(PictureSkinVertex, color)};
  glGenVertexArrays(1, &draw->vertex_array);
  glGenBuffers(1, &draw->vertices);
  glGenBuffers(1, &draw->indices);
  glBindVertexArray(draw->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, draw->vertices);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, draw->indices);
  for (GLuint i = 0; i < 3; i++) {
    glVertexAttribPointer(i, 3, GL_FLOAT, GL_FALSE, sizeof(PictureSkinVertex), (const void *)OFFSETS[i]);
    glEnableVertexAttribArray(i);
  }
}

void skin_draw_close(SkinDraw *draw) {
  if (!draw->vertex_array)
    return;
  glDeleteVertexArrays(1, &draw->vertex_array);
  glDeleteBuffers(1, &draw->vertices);
  glDeleteBuffers(1, &draw->indices);
  *draw = (SkinDraw){0};
}

long skin_draw(const SkinDraw *draw, const Picture *picture) {
  long triangles = 0;
  glBindVertexArray(draw->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, draw->vertices);
  for (int i = 0; i < picture->skin_count; i++) {
    const PictureSkin *skin = &picture->skins[i];
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)skin->vertex_count * sizeof *skin->vertices), skin->vertices,
                 GL_STREAM_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)skin->index_count * sizeof *skin->indices),
                 skin->indices, GL_STREAM_DRAW);
    glDrawElements(GL_TRIANGLES, skin->index_count, GL_UNSIGNED_INT, NULL);
    triangles += skin->index_count / 3;
  }
  return triangles;
}

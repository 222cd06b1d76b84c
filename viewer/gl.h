// The thin layer over OpenGL 3.3 core: context, programs, meshes, framebuffers.
#ifndef STAGGER_VIEWER_GL_H
#define STAGGER_VIEWER_GL_H

#include <SDL2/SDL.h>
#include <cglm/struct.h>
#include <epoxy/gl.h>
#include <stdbool.h>

#include "sim/error.h"

typedef struct GlContext {
  SDL_Window *window;
  SDL_GLContext context;
} GlContext;

// Opens a hidden window and makes its OpenGL 3.3 core context current. offscreen: works without a display.
// The error says what is missing. Close with gl_close, also after an error.
bool gl_open(GlContext *gl, bool offscreen, Error *error);
void gl_close(GlContext *gl);

// Compiles the version line, common (may be NULL; fragment stage only) and the two stages. 0 and an error with the
// driver's words.
GLuint gl_program(const char *vertex, const char *common, const char *fragment, Error *error);

// Uniforms of the program in use; names that the program does not use are ignored.
void gl_set_int(GLuint program, const char *name, int value);
void gl_set_float(GLuint program, const char *name, float value);
void gl_set_vec3(GLuint program, const char *name, vec3s value);
void gl_set_vec4(GLuint program, const char *name, vec4s value);
void gl_set_mat4(GLuint program, const char *name, mat4s value);

typedef struct GlMesh {
  GLuint vertex_array, vertices, indices;
  GLsizei index_count;
} GlMesh;

// An indexed triangle mesh. Vertices are floats, two attributes of `first` and `second` numbers (second may be 0).
GlMesh gl_mesh(const float *vertices, int vertex_count, int first, int second, const GLuint *indices, int index_count);
void gl_mesh_draw(const GlMesh *mesh);
void gl_mesh_free(GlMesh *mesh);

// A picture to draw into: colour RGBA and depth, several samples for each pixel, and a plain copy of it.
typedef struct GlTarget {
  int width, height;
  GLuint framebuffer, color, depth;        // multisampled
  GLuint plain_framebuffer, plain_texture; // after gl_target_resolve
} GlTarget;

bool gl_target_create(GlTarget *target, int width, int height, Error *error);
void gl_target_free(GlTarget *target);
void gl_target_resolve(const GlTarget *target);

#endif

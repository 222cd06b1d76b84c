// The thin layer over OpenGL 3.3 core: context, programs, meshes, framebuffers.
#ifndef STAGGER_VIEWER_DRAW_GL_H
#define STAGGER_VIEWER_DRAW_GL_H

#include <SDL2/SDL.h>
#include <cglm/struct.h>
#include <epoxy/gl.h>
#include <stdbool.h>

#include "sim/base/error.h"

typedef struct GlContext {
  SDL_Window *window;
  SDL_GLContext context;
  bool vsync;        // gl_swap waits for the display's refresh
  bool tells_resets; // the driver reports a lost context
} GlContext;

// Opens a hidden window and makes its OpenGL 3.3 core context current. offscreen: works without a display. The error
// says what is missing. Close with gl_close, also after an error.
bool gl_open(GlContext *gl, bool offscreen, Error *error);

// The same for a visible window of that size in points, which the user may resize; on a display of high density it has
// more pixels than points. Synchronises with the display's refresh if the driver can.
bool gl_open_window(GlContext *gl, const char *title, int width, int height, Error *error);

// Creates a new context for the same window after the old one was lost. All OpenGL objects are lost, too; their owners
// must discard them (drawer_close and the like may be called before or after this) and create them anew.
bool gl_reopen(GlContext *gl, Error *error);
void gl_close(GlContext *gl);

// Whether the driver has lost the context, for example because the graphics card was reset. To be called once per
// frame.
bool gl_lost(const GlContext *gl);

// The window's size in pixels (at least 1), pixels per point, and the end of a frame.
void gl_window_size(const GlContext *gl, int *width, int *height);
float gl_window_density(const GlContext *gl);
void gl_swap(const GlContext *gl);

// Whether the current context draws on the processor (llvmpipe, softpipe, SwiftShader, ...).
bool gl_is_software(void);

// Compiles the version line, common (may be NULL; fragment stage only) and the two stages. 0 and an error with the
// driver's message.
GLuint gl_program(const char *vertex, const char *common, const char *fragment, Error *error);

typedef struct GlMesh {
  GLuint vertex_array, vertices, indices;
  GLsizei index_count;
} GlMesh;

// An indexed triangle mesh. Vertices are floats, two attributes of `first` and `second` numbers (second may be 0).
GlMesh gl_mesh(const float *vertices, int vertex_count, int first, int second, const GLuint *indices, int index_count);
void gl_mesh_free(GlMesh *mesh);

// A part of a target, pixels from its top left corner.
typedef struct GlRect {
  int x, y, width, height;
} GlRect;

// A framebuffer: colour RGBA and depth, with one or several samples per pixel, and a copy with one sample.
typedef struct GlTarget {
  int width, height, samples;
  GLuint framebuffer, color, depth;        // color: renderbuffer; 0 with one sample, where the plain texture takes it
  GLuint plain_framebuffer, plain_texture; // after gl_target_resolve
} GlTarget;

enum { GL_TARGET_SAMPLES = 4 }; // for antialiasing

// width, height in pixels, >= 1; samples 1 .. GL_TARGET_SAMPLES, fewer if the driver has no more.
bool gl_target_init(GlTarget *target, int width, int height, int samples, Error *error);
void gl_target_free(GlTarget *target);

// Recreates the target if its size or samples have changed: for targets as large as a window.
bool gl_target_fit(GlTarget *target, int width, int height, int samples, Error *error);

GlRect gl_target_rect(const GlTarget *target); // all of it
void gl_target_resolve(const GlTarget *target);
void gl_target_resolve_part(const GlTarget *target, GlRect part);

// Sets the viewport of the bound framebuffer to that part of the target.
void gl_target_viewport(const GlTarget *target, GlRect part);

// Shows the target in the current window: resolves it and copies it to the default framebuffer, which is bound
// afterwards; a target of another size than the window's is enlarged.
void gl_target_show(const GlTarget *target, int window_width, int window_height);

#endif

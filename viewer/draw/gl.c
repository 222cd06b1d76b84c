// Opens OpenGL with and without a window, and creates programs, meshes and framebuffers.
#include "viewer/draw/gl.h"

#include <stdlib.h>
#include <string.h>

#include "viewer/draw/shaders.h"

enum { OPENGL_NEEDED = 33 };

// ---- Context ----

static bool make_context(GlContext *gl, Error *error) {
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, OPENGL_NEEDED / 10);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, OPENGL_NEEDED % 10);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);

  // Asks for notification of graphics resets, which not every driver supports.
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, SDL_GL_CONTEXT_ROBUST_ACCESS_FLAG);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_RESET_NOTIFICATION, SDL_GL_CONTEXT_RESET_LOSE_CONTEXT);
  gl->context = SDL_GL_CreateContext(gl->window);
  if (!gl->context) {
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, 0);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_RESET_NOTIFICATION, SDL_GL_CONTEXT_RESET_NO_NOTIFICATION);
    gl->context = SDL_GL_CreateContext(gl->window);
  }
  if (!gl->context)
    return error_set(error,
                     "OpenGL 3.3 is missing: %s; Mesa's software driver will do (Debian: libegl1 libgl1-mesa-dri)",
                     SDL_GetError());
  int version = epoxy_gl_version();
  if (version < OPENGL_NEEDED)
    return error_set(error, "OpenGL 3.3 is needed, the driver has %d.%d", version / 10, version % 10);
  GLint strategy = GL_NO_RESET_NOTIFICATION;
  if (version >= 45 || epoxy_has_gl_extension("GL_KHR_robustness") || epoxy_has_gl_extension("GL_ARB_robustness"))
    glGetIntegerv(GL_RESET_NOTIFICATION_STRATEGY, &strategy);
  gl->tells_resets = strategy == GL_LOSE_CONTEXT_ON_RESET;
  return true;
}

// SDL falls back to drivers without output; these are used only on request.
static bool is_unwanted(const char *driver) {
  const char *asked = SDL_getenv("SDL_VIDEODRIVER");
  bool shows = strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0 && strcmp(driver, "evdev") != 0;
  return !shows && !(asked && strstr(asked, driver));
}

static bool open_context(GlContext *gl, const char *title, int width, int height, Uint32 flags, const char *hint,
                         Error *error) {
  if (SDL_Init(SDL_INIT_VIDEO) != 0)
    return error_set(error, "no video driver: %s%s", SDL_GetError(), hint);
  if (is_unwanted(SDL_GetCurrentVideoDriver()))
    return error_set(error, "there is no display%s", hint);
  gl->window = SDL_CreateWindow(title, SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, width, height,
                                SDL_WINDOW_OPENGL | flags);
  if (!gl->window)
    return error_set(error, "no window for OpenGL: %s%s", SDL_GetError(), hint);
  return make_context(gl, error);
}

bool gl_open(GlContext *gl, bool offscreen, Error *error) {
  *gl = (GlContext){0};
  if (offscreen) {
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
    SDL_setenv("SDL_VIDEODRIVER", "offscreen", 1);
  }
  const char *hint = offscreen ? "; drawing without a display needs EGL (Debian: libegl1 libgl1-mesa-dri)"
                               : "; without a display, use --offscreen";
  return open_context(gl, "Stagger", 64, 64, SDL_WINDOW_HIDDEN, hint, error);
}

bool gl_open_window(GlContext *gl, const char *title, int width, int height, Error *error) {
  *gl = (GlContext){0};
  Uint32 flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
  if (!open_context(gl, title, width, height, flags, "; pictures without a display: --offscreen", error))
    return false;
  gl->vsync = SDL_GL_SetSwapInterval(1) == 0;
  return true;
}

bool gl_reopen(GlContext *gl, Error *error) {
  if (gl->context)
    SDL_GL_DeleteContext(gl->context);
  gl->context = NULL;
  if (!make_context(gl, error))
    return false;
  gl->vsync = gl->vsync && SDL_GL_SetSwapInterval(1) == 0;
  return true;
}

void gl_close(GlContext *gl) {
  if (gl->context)
    SDL_GL_DeleteContext(gl->context);
  if (gl->window)
    SDL_DestroyWindow(gl->window);
  SDL_Quit();
  *gl = (GlContext){0};
}

bool gl_lost(const GlContext *gl) {
  if (!gl->tells_resets)
    return false;
  if (epoxy_gl_version() >= 45)
    return glGetGraphicsResetStatus() != GL_NO_ERROR;
  if (epoxy_has_gl_extension("GL_KHR_robustness"))
    return glGetGraphicsResetStatusKHR() != GL_NO_ERROR;
  return glGetGraphicsResetStatusARB() != GL_NO_ERROR;
}

void gl_window_size(const GlContext *gl, int *width, int *height) {
  SDL_GL_GetDrawableSize(gl->window, width, height);
  *width = *width > 1 ? *width : 1;
  *height = *height > 1 ? *height : 1;
}

float gl_window_density(const GlContext *gl) {
  int pixels, height, points;
  gl_window_size(gl, &pixels, &height);
  SDL_GetWindowSize(gl->window, &points, &height);
  return points > 0 ? (float)pixels / (float)points : 1;
}

void gl_swap(const GlContext *gl) { SDL_GL_SwapWindow(gl->window); }

bool gl_is_software(void) {
  static const char *const NAMES[] = {"llvmpipe", "softpipe", "swrast", "SwiftShader", "Software Rasterizer", "GDI"};
  const char *renderer = (const char *)glGetString(GL_RENDERER);
  for (size_t i = 0; renderer && i < sizeof NAMES / sizeof NAMES[0]; i++) {
    if (strstr(renderer, NAMES[i]))
      return true;
  }
  return false;
}

// ---- Programs ----

static GLuint compile_stage(GLenum stage, const char *common, const char *source, Error *error) {
  GLuint shader = glCreateShader(stage);
  const char *parts[] = {SHADER_VERSION, common ? common : "", source};
  glShaderSource(shader, 3, parts, NULL);
  glCompileShader(shader);
  GLint compiled;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled)
    return shader;
  char log[512] = "";
  glGetShaderInfoLog(shader, sizeof log, NULL, log);
  error_set(error, "the driver does not compile a shader: %s", log);
  glDeleteShader(shader);
  return 0;
}

GLuint gl_program(const char *vertex, const char *common, const char *fragment, Error *error) {
  GLuint stages[2] = {compile_stage(GL_VERTEX_SHADER, NULL, vertex, error),
                      compile_stage(GL_FRAGMENT_SHADER, common, fragment, error)};
  GLuint program = 0;
  if (stages[0] && stages[1]) {
    program = glCreateProgram();
    glAttachShader(program, stages[0]);
    glAttachShader(program, stages[1]);
    glLinkProgram(program);
    GLint linked;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked) {
      char log[512] = "";
      glGetProgramInfoLog(program, sizeof log, NULL, log);
      error_set(error, "the driver does not link a shader: %s", log);
      glDeleteProgram(program);
      program = 0;
    }
  }
  glDeleteShader(stages[0]);
  glDeleteShader(stages[1]);
  return program;
}

// ---- Meshes ----

GlMesh gl_mesh(const float *vertices, int vertex_count, int first, int second, const GLuint *indices, int index_count) {
  GlMesh mesh = {.index_count = index_count};
  GLsizei stride = (GLsizei)sizeof(float) * (first + second);
  glGenVertexArrays(1, &mesh.vertex_array);
  glGenBuffers(1, &mesh.vertices);
  glGenBuffers(1, &mesh.indices);
  glBindVertexArray(mesh.vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, mesh.vertices);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)stride * vertex_count, vertices, GL_STATIC_DRAW);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh.indices);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)sizeof(GLuint) * index_count, indices, GL_STATIC_DRAW);
  glVertexAttribPointer(0, first, GL_FLOAT, GL_FALSE, stride, NULL);
  glEnableVertexAttribArray(0);
  if (second > 0) {
    glVertexAttribPointer(1, second, GL_FLOAT, GL_FALSE, stride, (const void *)(sizeof(float) * (size_t)first));
    glEnableVertexAttribArray(1);
  }
  return mesh;
}

void gl_mesh_free(GlMesh *mesh) {
  glDeleteVertexArrays(1, &mesh->vertex_array);
  glDeleteBuffers(1, &mesh->vertices);
  glDeleteBuffers(1, &mesh->indices);
  *mesh = (GlMesh){0};
}

// ---- Targets ----

static GLuint make_renderbuffer(GLenum format, int samples, int width, int height) {
  GLuint buffer;
  glGenRenderbuffers(1, &buffer);
  glBindRenderbuffer(GL_RENDERBUFFER, buffer);
  if (samples > 1)
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
  else
    glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
  return buffer;
}

static GLuint make_texture(int width, int height) {
  GLuint texture;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  return texture;
}

bool gl_target_init(GlTarget *target, int width, int height, int samples, Error *error) {
  GLint most = 1;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  *target = (GlTarget){.width = width, .height = height, .samples = samples < most ? samples : most};
  target->plain_texture = make_texture(width, height);
  target->depth = make_renderbuffer(GL_DEPTH_COMPONENT24, target->samples, width, height);
  glGenFramebuffers(1, &target->framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, target->depth);
  if (target->samples > 1) {
    target->color = make_renderbuffer(GL_RGBA8, target->samples, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->color);
  } else {
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->plain_texture, 0);
  }
  bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;

  glGenFramebuffers(1, &target->plain_framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, target->plain_framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->plain_texture, 0);
  complete = complete && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  return complete || error_set(error, "the driver cannot draw a picture of %d x %d pixels", width, height);
}

void gl_target_free(GlTarget *target) {
  if (!target->framebuffer)
    return;
  glDeleteFramebuffers(1, &target->framebuffer);
  glDeleteFramebuffers(1, &target->plain_framebuffer);
  glDeleteRenderbuffers(1, &target->color);
  glDeleteRenderbuffers(1, &target->depth);
  glDeleteTextures(1, &target->plain_texture);
  *target = (GlTarget){0};
}

bool gl_target_fit(GlTarget *target, int width, int height, int samples, Error *error) {
  GLint most = 1;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  samples = samples < most ? samples : most;
  if (target->framebuffer && target->width == width && target->height == height && target->samples == samples)
    return true;
  gl_target_free(target);
  return gl_target_init(target, width, height, samples, error);
}

GlRect gl_target_rect(const GlTarget *target) { return (GlRect){0, 0, target->width, target->height}; }

void gl_target_resolve(const GlTarget *target) { gl_target_resolve_part(target, gl_target_rect(target)); }

void gl_target_resolve_part(const GlTarget *target, GlRect part) {
  if (target->samples <= 1)
    return;
  int left = part.x, right = left + part.width, top = target->height - part.y, bottom = top - part.height;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->plain_framebuffer);
  glBlitFramebuffer(left, bottom, right, top, left, bottom, right, top, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void gl_target_viewport(const GlTarget *target, GlRect part) {
  glViewport(part.x, target->height - part.y - part.height, part.width, part.height);
}

void gl_target_show(const GlTarget *target, int window_width, int window_height) {
  int w = target->width, h = target->height;
  gl_target_resolve(target);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target->plain_framebuffer);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  bool as_it_is = w == window_width && h == window_height;
  glBlitFramebuffer(0, 0, w, h, 0, 0, window_width, window_height, GL_COLOR_BUFFER_BIT,
                    as_it_is ? GL_NEAREST : GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, window_width, window_height);
}

#include "viewer/gl.h"

#include "viewer/shaders.h"

enum { SAMPLES = 4 };

bool gl_open(GlContext *gl, bool offscreen, Error *error) {
  *gl = (GlContext){0};
  if (offscreen) {
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
    SDL_setenv("SDL_VIDEODRIVER", "offscreen", 1);
  }
  if (SDL_Init(SDL_INIT_VIDEO) != 0)
    return error_set(error, "no video driver: %s%s", SDL_GetError(),
                     offscreen ? "; drawing without a display needs EGL (Debian: libegl1 libgl1-mesa-dri)"
                               : "; without a display, use --offscreen");
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
  gl->window = SDL_CreateWindow("Stagger", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, 64, 64,
                                SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
  if (gl->window)
    gl->context = SDL_GL_CreateContext(gl->window);
  if (!gl->context)
    return error_set(error,
                     "OpenGL 3.3 is missing: %s; Mesa's software driver will do (Debian: libegl1 libgl1-mesa-dri)",
                     SDL_GetError());
  if (epoxy_gl_version() < 33)
    return error_set(error, "OpenGL 3.3 is needed, the driver has %d.%d", epoxy_gl_version() / 10,
                     epoxy_gl_version() % 10);
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

void gl_set_int(GLuint program, const char *name, int value) {
  glUniform1i(glGetUniformLocation(program, name), value);
}

void gl_set_float(GLuint program, const char *name, float value) {
  glUniform1f(glGetUniformLocation(program, name), value);
}

void gl_set_vec3(GLuint program, const char *name, vec3s value) {
  glUniform3fv(glGetUniformLocation(program, name), 1, value.raw);
}

void gl_set_vec4(GLuint program, const char *name, vec4s value) {
  glUniform4fv(glGetUniformLocation(program, name), 1, value.raw);
}

void gl_set_mat4(GLuint program, const char *name, mat4s value) {
  glUniformMatrix4fv(glGetUniformLocation(program, name), 1, GL_FALSE, &value.raw[0][0]);
}

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

void gl_mesh_draw(const GlMesh *mesh) {
  glBindVertexArray(mesh->vertex_array);
  glDrawElements(GL_TRIANGLES, mesh->index_count, GL_UNSIGNED_INT, NULL);
}

void gl_mesh_free(GlMesh *mesh) {
  glDeleteVertexArrays(1, &mesh->vertex_array);
  glDeleteBuffers(1, &mesh->vertices);
  glDeleteBuffers(1, &mesh->indices);
  *mesh = (GlMesh){0};
}

static GLuint renderbuffer(GLenum format, int samples, int width, int height) {
  GLuint buffer;
  glGenRenderbuffers(1, &buffer);
  glBindRenderbuffer(GL_RENDERBUFFER, buffer);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
  return buffer;
}

bool gl_target_create(GlTarget *target, int width, int height, Error *error) {
  *target = (GlTarget){.width = width, .height = height};
  GLint most = 0;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  int samples = most < SAMPLES ? most : SAMPLES;

  target->color = renderbuffer(GL_RGBA8, samples, width, height);
  target->depth = renderbuffer(GL_DEPTH_COMPONENT24, samples, width, height);
  glGenFramebuffers(1, &target->framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->color);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, target->depth);
  bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;

  glGenTextures(1, &target->plain_texture);
  glBindTexture(GL_TEXTURE_2D, target->plain_texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glGenFramebuffers(1, &target->plain_framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, target->plain_framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->plain_texture, 0);
  complete = complete && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  return complete || error_set(error, "the driver cannot draw a picture of %d x %d pixels", width, height);
}

void gl_target_free(GlTarget *target) {
  glDeleteFramebuffers(1, &target->framebuffer);
  glDeleteFramebuffers(1, &target->plain_framebuffer);
  glDeleteRenderbuffers(1, &target->color);
  glDeleteRenderbuffers(1, &target->depth);
  glDeleteTextures(1, &target->plain_texture);
  *target = (GlTarget){0};
}

void gl_target_resolve(const GlTarget *target) {
  int w = target->width, h = target->height;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->plain_framebuffer);
  glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

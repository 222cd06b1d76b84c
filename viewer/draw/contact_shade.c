// Renders a map of the bodies' heights from above and darkens the ground beneath bodies that are close to it.
#include "viewer/draw/contact_shade.h"

#include <math.h>

#include "viewer/draw/shaders.h"

static const float STRENGTH = 0.75f;  // of the sky that a shape hides from a point that it touches
static const float SLOPE_ARM = 0.25f; // m to each side, over which the slope of the ground is measured

bool contact_shade_open(ContactShade *shade, Error *error) {
  shade->size = shade->count = 0;
  shade->program = gl_program(SHADER_CONTACT_VERTEX, NULL, SHADER_CONTACT_FRAGMENT, error);
  if (!shade->program)
    return false;
  shade->area_place = glGetUniformLocation(shade->program, "area");
  glGenTextures(1, &shade->map);
  glGenFramebuffers(1, &shade->framebuffer);
  glGenBuffers(1, &shade->buffer);
  glGenVertexArrays(1, &shade->vertex_array);
  glBindVertexArray(shade->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, shade->buffer);
  for (GLuint i = 0; i < 3; i++) {
    glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, sizeof(ContactShape), (const void *)(i * sizeof(vec4s)));
    glEnableVertexAttribArray(i);
    glVertexAttribDivisor(i, 1);
  }
  return true;
}

void contact_shade_close(ContactShade *shade) {
  if (!shade->program)
    return;
  glDeleteProgram(shade->program);
  glDeleteTextures(1, &shade->map);
  glDeleteFramebuffers(1, &shade->framebuffer);
  glDeleteBuffers(1, &shade->buffer);
  glDeleteVertexArrays(1, &shade->vertex_array);
  shade->program = 0;
}

// The map's values are multiplied many times; 16 bits avoid visible steps.
static void resize(ContactShade *shade, int size) {
  static const float OPEN[4] = {1, 1, 1, 1};
  glBindTexture(GL_TEXTURE_2D, shade->map);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R16, size, size, 0, GL_RED, GL_UNSIGNED_SHORT, NULL);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, OPEN);
  glBindFramebuffer(GL_FRAMEBUFFER, shade->framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, shade->map, 0);
  shade->size = size;
}

// The plane of the ground under a point, with the mean slope of its surroundings.
static bool find_ground(const Terrain *terrain, vec3s point, vec4s *plane) {
  double x = (double)point.x, z = (double)point.z, arm = (double)SLOPE_ARM, height, sides[4];
  if (!terrain_height_below(terrain, x, z, (double)point.y, &height, NULL))
    return false;
  const double steps[4][2] = {{arm, 0}, {-arm, 0}, {0, arm}, {0, -arm}};
  for (int i = 0; i < 4; i++) {
    if (!terrain_height_below(terrain, x + steps[i][0], z + steps[i][1], (double)point.y, &sides[i], NULL))
      sides[i] = height;
  }
  vec3s normal = {{(float)(sides[1] - sides[0]), 2 * SLOPE_ARM, (float)(sides[3] - sides[2])}};
  normal = glms_vec3_normalize(normal);
  vec3s foot = {{point.x, (float)height, point.z}};
  *plane = glms_vec4(normal, glms_vec3_dot(normal, foot));
  return true;
}

// A shape as a capsule along its longest axis.
static void to_capsule(const PictureShape *shape, vec3s *a, vec3s *b, float *radius) {
  int axis = 0;
  for (int k = 1; k < 3; k++) {
    if (shape->half_size.raw[k] > shape->half_size.raw[axis])
      axis = k;
  }
  *radius = 0.5f * (shape->half_size.raw[(axis + 1) % 3] + shape->half_size.raw[(axis + 2) % 3]);
  vec3s along = glms_vec3_zero();
  along.raw[axis] = fmaxf(shape->half_size.raw[axis] - *radius, 0);
  along = glms_quat_rotatev(shape->rotation, along);
  *a = glms_vec3_sub(shape->position_w, along);
  *b = glms_vec3_add(shape->position_w, along);
}

// The horizontal distance at which a sphere of that radius, between two heights above the ground, darkens by `weakest`;
// 0: nowhere. At height h and distance d it hides STRENGTH r^2 h / (h^2 + d^2)^(3/2).
static float find_reach(float radius, float low, float high, float weakest) {
  float k = STRENGTH * radius * radius / weakest;
  float widest = powf(powf(k, 2 / 3.0f) / 3, 0.75f); // the height with the largest distance
  float h = fmaxf(fminf(fmaxf(widest, low), high), 1e-4f);
  float square = powf(k * h, 2 / 3.0f) - h * h;
  return square > 0 ? sqrtf(square) : 0;
}

static void add_shape(ContactShade *shade, const Terrain *terrain, const PictureShape *shape, float weakest) {
  ContactShape contact;
  vec3s a, b;
  float radius;
  if (!find_ground(terrain, shape->position_w, &contact.plane))
    return;
  to_capsule(shape, &a, &b, &radius);
  vec3s normal = glms_vec3(contact.plane);
  float heights[2] = {glms_vec3_dot(normal, a) - contact.plane.w, glms_vec3_dot(normal, b) - contact.plane.w};
  float reach = find_reach(radius, fminf(heights[0], heights[1]), fmaxf(heights[0], heights[1]), weakest);
  if (reach <= 0)
    return;
  contact.a_radius = glms_vec4(a, radius);
  contact.b_reach = glms_vec4(b, reach);
  shade->shapes[shade->count++] = contact;
}

long contact_shade_draw(ContactShade *shade, const Picture *picture, ContactArea area, int size, float weakest) {
  shade->count = 0;
  for (int i = 0; picture && i < picture->shape_count && shade->count < CONTACT_MAX_SHAPES; i++) {
    if (picture->shapes[i].layer == LAYER_OUTPUT)
      add_shape(shade, picture->terrain, &picture->shapes[i], weakest);
  }
  if (shade->size != size)
    resize(shade, size);

  glBindFramebuffer(GL_FRAMEBUFFER, shade->framebuffer);
  glViewport(0, 0, size, size);
  glClearColor(1, 1, 1, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ZERO, GL_SRC_COLOR);
  glUseProgram(shade->program);
  glUniform4f(shade->area_place, area.x, area.z, area.half_side, weakest);
  glBindVertexArray(shade->vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, shade->buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(ContactShape) * shade->count, shade->shapes, GL_STREAM_DRAW);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, shade->count);
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
  return 2L * shade->count;
}

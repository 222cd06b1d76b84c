#include "viewer/draw.h"

#include <math.h>

#include "anim/pose.h"
#include "viewer/shaders.h"

enum {
  SHADOW_SIZE = 2048, // pixels
  PATCHES = 10,       // of the sphere mesh along an edge of the cube it is made of
};
static const float SHADOW_RADIUS = 3.2f; // m around the subject

// A cube blown up to a sphere, cut along its octants so that the shape shader can push them apart.
static GlMesh make_shape_mesh(void) {
  enum { SIDE = PATCHES + 2, VERTICES = 6 * SIDE * SIDE, INDICES = 6 * (SIDE - 1) * (SIDE - 1) * 6 };
  static float vertices[VERTICES][6];
  static GLuint indices[INDICES];
  int vertex_count = 0, index_count = 0;
  for (int face = 0; face < 6; face++) {
    int axis = face % 3;
    float front = face < 3 ? 1 : -1;
    GLuint first = (GLuint)vertex_count;
    for (int r = 0; r < SIDE; r++) {
      for (int c = 0; c < SIDE; c++) {
        // The middle row and column are there twice: one for each octant.
        int steps[2] = {r <= PATCHES / 2 ? r : r - 1, c <= PATCHES / 2 ? c : c - 1};
        float u = tanf(((float)steps[0] / PATCHES - 0.5f) * 1.57079633f);
        float v = tanf(((float)steps[1] / PATCHES - 0.5f) * 1.57079633f);
        vec3s direction, corner;
        direction.raw[axis] = front;
        direction.raw[(axis + 1) % 3] = u;
        direction.raw[(axis + 2) % 3] = v * front;
        corner.raw[axis] = front;
        corner.raw[(axis + 1) % 3] = r <= PATCHES / 2 ? -1 : 1;
        corner.raw[(axis + 2) % 3] = (c <= PATCHES / 2 ? -1 : 1) * front;
        direction = glms_vec3_normalize(direction);
        for (int i = 0; i < 3; i++) {
          vertices[vertex_count][i] = direction.raw[i];
          vertices[vertex_count][3 + i] = corner.raw[i];
        }
        vertex_count++;
      }
    }
    for (GLuint r = 0; r + 1 < SIDE; r++) {
      for (GLuint c = 0; c + 1 < SIDE; c++) {
        GLuint a = first + r * SIDE + c;
        const GLuint cell[6] = {a, a + SIDE, a + 1, a + 1, a + SIDE, a + SIDE + 1};
        for (int i = 0; i < 6; i++)
          indices[index_count++] = cell[i];
      }
    }
  }
  return gl_mesh(vertices[0], vertex_count, 3, 3, indices, index_count);
}

static bool make_shadow_map(Drawer *drawer, Error *error) {
  glGenTextures(1, &drawer->shadow_map);
  glBindTexture(GL_TEXTURE_2D, drawer->shadow_map);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE, 0, GL_DEPTH_COMPONENT, GL_FLOAT, NULL);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  glGenFramebuffers(1, &drawer->shadow_framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, drawer->shadow_framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, drawer->shadow_map, 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
  bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  return complete || error_set(error, "the driver cannot draw shadow maps");
}

bool drawer_open(Drawer *drawer, Error *error) {
  *drawer = (Drawer){0};
  drawer->sky = gl_program(SHADER_SCREEN_VERTEX, SHADER_LIGHT, SHADER_SKY_FRAGMENT, error);
  drawer->solid = gl_program(SHADER_SHAPE_VERTEX, SHADER_LIGHT, SHADER_SOLID_FRAGMENT, error);
  drawer->ghost = gl_program(SHADER_SHAPE_VERTEX, SHADER_LIGHT, SHADER_GHOST_FRAGMENT, error);
  drawer->terrain = gl_program(SHADER_TERRAIN_VERTEX, SHADER_LIGHT, SHADER_TERRAIN_FRAGMENT, error);
  drawer->shape_depth = gl_program(SHADER_SHAPE_VERTEX, NULL, SHADER_DEPTH_FRAGMENT, error);
  drawer->terrain_depth = gl_program(SHADER_TERRAIN_VERTEX, NULL, SHADER_DEPTH_FRAGMENT, error);
  drawer->copy = gl_program(SHADER_SCREEN_VERTEX, NULL, SHADER_COPY_FRAGMENT, error);
  if (!drawer->sky || !drawer->solid || !drawer->ghost || !drawer->terrain || !drawer->shape_depth ||
      !drawer->terrain_depth || !drawer->copy)
    return false;
  drawer->shape = make_shape_mesh();
  glGenVertexArrays(1, &drawer->empty_vertex_array);
  return make_shadow_map(drawer, error);
}

void drawer_close(Drawer *drawer) {
  GLuint programs[] = {drawer->sky,         drawer->solid,         drawer->ghost, drawer->terrain,
                       drawer->shape_depth, drawer->terrain_depth, drawer->copy};
  for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
    glDeleteProgram(programs[i]);
  gl_mesh_free(&drawer->shape);
  terrain_mesh_free(&drawer->ground);
  glDeleteFramebuffers(1, &drawer->shadow_framebuffer);
  glDeleteTextures(1, &drawer->shadow_map);
  glDeleteVertexArrays(1, &drawer->empty_vertex_array);
  gl_target_free(&drawer->ghost_target);
  *drawer = (Drawer){0};
}

// Everything that the parts of one picture share.
typedef struct Frame {
  const Picture *picture;
  unsigned layers;
  const GlTarget *target;
  mat4s view_projection, light_view_projection;
  vec3s eye, to_sun;
} Frame;

static bool layer_is_shown(const Frame *frame, PictureLayer layer) { return (frame->layers >> layer & 1u) != 0; }

// The sun stands over the viewer's left shoulder, as a studio's main light does.
static vec3s find_sun(const Camera *camera) {
  vec3s back = glms_vec3_sub(camera->eye_w, camera->target_w);
  float azimuth = atan2f(back.x, back.z) - 0.9f;
  return glms_vec3_normalize((vec3s){{sinf(azimuth), 1.35f, cosf(azimuth)}});
}

static mat4s light_matrix(const Subject *subject, vec3s to_sun) {
  vec3s eye = glms_vec3_add(subject->center_w, glms_vec3_scale(to_sun, 20));
  float r = fmaxf(SHADOW_RADIUS, 1.2f * subject->height);
  mat4s view = glms_lookat(eye, subject->center_w, (vec3s){{0, 0, 1}});
  return glms_mat4_mul(glms_ortho(-r, r, -r, r, 1, 40), view);
}

static void use_program(const Frame *frame, GLuint program) {
  glUseProgram(program);
  gl_set_mat4(program, "view_projection", frame->view_projection);
  gl_set_mat4(program, "light_view_projection", frame->light_view_projection);
  gl_set_vec3(program, "eye", frame->eye);
  gl_set_vec3(program, "to_sun", frame->to_sun);
  gl_set_int(program, "shadow_map", 0);
}

static void draw_shape(const Drawer *drawer, GLuint program, const PictureShape *shape) {
  gl_set_vec3(program, "position", shape->position_w);
  gl_set_vec4(program, "rotation",
              (vec4s){{shape->rotation.x, shape->rotation.y, shape->rotation.z, shape->rotation.w}});
  gl_set_vec3(program, "half_size", shape->half_size);
  gl_set_vec3(program, "radius", shape->radius);
  gl_set_float(program, "taper", shape->taper);
  gl_set_vec4(program, "tint", shape->color);
  gl_mesh_draw(&drawer->shape);
}

// A ghost's shapes that lie on the output's are left out while that is shown.
static void draw_layer(const Drawer *drawer, const Frame *frame, GLuint program, PictureLayer layer) {
  for (int i = 0; i < frame->picture->shape_count; i++) {
    const PictureShape *shape = &frame->picture->shapes[i];
    if (shape->layer == layer && !(shape->on_output && layer_is_shown(frame, LAYER_OUTPUT)))
      draw_shape(drawer, program, shape);
  }
}

static void draw_shadow_map(const Drawer *drawer, const Frame *frame) {
  Frame light = *frame;
  light.view_projection = frame->light_view_projection;
  glBindFramebuffer(GL_FRAMEBUFFER, drawer->shadow_framebuffer);
  glViewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.5f, 2);
  if (drawer->ground.terrain) {
    use_program(&light, drawer->terrain_depth);
    gl_mesh_draw(&drawer->ground.mesh);
  }
  if (layer_is_shown(frame, LAYER_OUTPUT)) {
    use_program(&light, drawer->shape_depth);
    draw_layer(drawer, &light, drawer->shape_depth, LAYER_OUTPUT);
  }
  glDisable(GL_POLYGON_OFFSET_FILL);
}

static void draw_sky(const Drawer *drawer, const Frame *frame) {
  glDisable(GL_DEPTH_TEST);
  use_program(frame, drawer->sky);
  gl_set_mat4(drawer->sky, "from_clip", glms_mat4_inv(frame->view_projection));
  glBindVertexArray(drawer->empty_vertex_array);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnable(GL_DEPTH_TEST);
}

// Solid shapes as capsules along their longest axis.
static int collect_occluders(const Frame *frame, vec4s a[SHADER_MAX_OCCLUDERS], vec4s b[SHADER_MAX_OCCLUDERS]) {
  int count = 0;
  for (int i = 0; i < frame->picture->shape_count && count < SHADER_MAX_OCCLUDERS; i++) {
    const PictureShape *shape = &frame->picture->shapes[i];
    if (shape->layer != LAYER_OUTPUT || !layer_is_shown(frame, LAYER_OUTPUT))
      continue;
    int axis = 0;
    for (int k = 1; k < 3; k++) {
      if (shape->half_size.raw[k] > shape->half_size.raw[axis])
        axis = k;
    }
    float radius = 0.5f * (shape->half_size.raw[(axis + 1) % 3] + shape->half_size.raw[(axis + 2) % 3]);
    vec3s along = glms_vec3_zero();
    along.raw[axis] = fmaxf(shape->half_size.raw[axis] - radius, 0);
    along = glms_quat_rotatev(shape->rotation, along);
    vec3s ends[2] = {glms_vec3_sub(shape->position_w, along), glms_vec3_add(shape->position_w, along)};
    a[count] = (vec4s){{ends[0].x, ends[0].y, ends[0].z, radius}};
    b[count] = (vec4s){{ends[1].x, ends[1].y, ends[1].z, radius}};
    count++;
  }
  return count;
}

static void draw_ground(const Drawer *drawer, const Frame *frame) {
  vec4s a[SHADER_MAX_OCCLUDERS], b[SHADER_MAX_OCCLUDERS];
  int count = collect_occluders(frame, a, b);
  use_program(frame, drawer->terrain);
  gl_set_int(drawer->terrain, "occluder_count", count);
  glUniform4fv(glGetUniformLocation(drawer->terrain, "occluder_a"), count, a[0].raw);
  glUniform4fv(glGetUniformLocation(drawer->terrain, "occluder_b"), count, b[0].raw);
  gl_mesh_draw(&drawer->ground.mesh);
}

// A ghost is drawn on its own, so that its parts hide each other, and then laid over the scene. It is pushed back by
// about 1/300 of the eye's distance (2 cm for a man): where it all but coincides with the solid body, the body is seen.
static void draw_ghost(const Drawer *drawer, const Frame *frame, PictureLayer layer) {
  const GlTarget *target = frame->target, *ghost = &drawer->ghost_target;
  int w = target->width, h = target->height;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, ghost->framebuffer);
  glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, ghost->framebuffer);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(2, 1200);
  use_program(frame, drawer->ghost);
  draw_layer(drawer, frame, drawer->ghost, layer);
  glDisable(GL_POLYGON_OFFSET_FILL);
  gl_target_resolve(ghost);

  glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glUseProgram(drawer->copy);
  gl_set_int(drawer->copy, "source", 0);
  glBindTexture(GL_TEXTURE_2D, ghost->plain_texture);
  glBindVertexArray(drawer->empty_vertex_array);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindTexture(GL_TEXTURE_2D, drawer->shadow_map);
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
}

// A rod, or a cone, of that thickness from a to b.
static PictureShape make_rod(vec3s a, vec3s b, float thickness, float taper, vec4s color) {
  vec3s along = glms_vec3_sub(b, a);
  float length = glms_vec3_norm(along), radius = 0.5f * thickness;
  vec3s direction = length > 0 ? glms_vec3_scale(along, 1 / length) : (vec3s){{0, 1, 0}};
  float round = fmaxf(fminf(radius, 0.1f * length), 1e-4f);
  return (PictureShape){
      .layer = LAYER_DEBUG,
      .position_w = glms_vec3_scale(glms_vec3_add(a, b), 0.5f),
      .rotation = quat_shortest_arc((vec3s){{0, 1, 0}}, direction),
      .half_size = {{radius, fmaxf(0.5f * length, 1e-4f), radius}},
      .radius = {{radius, round, radius}},
      .taper = taper,
      .color = color,
  };
}

static void draw_debug_item(const Drawer *drawer, GLuint program, const DebugItem *item, float opacity) {
  vec3s a = {{item->a[0], item->a[1], item->a[2]}}, b = {{item->b[0], item->b[1], item->b[2]}};
  vec4s color = picture_hex_color(item->color);
  color.w *= opacity;
  float size = fmaxf(item->size, 1e-3f);
  if (item->shape == DEBUG_POINT) {
    PictureShape ball = make_rod(a, a, 2 * size, 1, color);
    ball.half_size = ball.radius = (vec3s){{size, size, size}};
    draw_shape(drawer, program, &ball);
    return;
  }
  if (item->shape == DEBUG_ARROW) {
    vec3s along = glms_vec3_sub(b, a);
    float length = glms_vec3_norm(along);
    float head = fminf(5 * size, 0.6f * length);
    vec3s neck = length > 0 ? glms_vec3_sub(b, glms_vec3_scale(along, head / length)) : a;
    PictureShape cone = make_rod(neck, b, 3.2f * size, 0.02f, color);
    draw_shape(drawer, program, &cone);
    b = neck;
  }
  PictureShape rod = make_rod(a, b, size, 1, color);
  draw_shape(drawer, program, &rod);
}

static void draw_debug_items(const Drawer *drawer, const Frame *frame, float opacity) {
  for (int i = 0; i < frame->picture->debug.count; i++)
    draw_debug_item(drawer, drawer->solid, &frame->picture->debug.items[i], opacity);
}

// What lies behind or inside something shines through weakly.
static void draw_debug(const Drawer *drawer, const Frame *frame) {
  use_program(frame, drawer->solid);
  gl_set_float(drawer->solid, "glow", 0.6f);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  glDepthFunc(GL_GREATER);
  draw_debug_items(drawer, frame, 0.2f);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LEQUAL);
  draw_debug_items(drawer, frame, 1);
  glDisable(GL_BLEND);
}

bool draw_picture(Drawer *drawer, const Picture *picture, const Camera *camera, unsigned layers, const GlTarget *target,
                  Error *error) {
  Frame frame = {
      .picture = picture,
      .layers = layers,
      .target = target,
      .view_projection = glms_mat4_mul(camera_projection(camera), camera_view(camera)),
      .eye = camera->eye_w,
      .to_sun = find_sun(camera),
  };
  frame.light_view_projection = light_matrix(&picture->subject, frame.to_sun);

  GlTarget *ghost = &drawer->ghost_target;
  if (ghost->width != target->width || ghost->height != target->height) {
    gl_target_free(ghost);
    if (!gl_target_create(ghost, target->width, target->height, error))
      return false;
  }
  vec3s center = picture->subject.center_w;
  if (picture->terrain && !terrain_mesh_update(&drawer->ground, picture->terrain, center.x, center.z))
    return error_set(error, "out of memory for the ground's triangles");

  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glActiveTexture(GL_TEXTURE0);
  draw_shadow_map(drawer, &frame);

  glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
  glViewport(0, 0, target->width, target->height);
  glClear(GL_DEPTH_BUFFER_BIT);
  glBindTexture(GL_TEXTURE_2D, drawer->shadow_map);
  draw_sky(drawer, &frame);
  if (picture->terrain)
    draw_ground(drawer, &frame);
  if (layer_is_shown(&frame, LAYER_OUTPUT)) {
    use_program(&frame, drawer->solid);
    gl_set_float(drawer->solid, "glow", 0);
    draw_layer(drawer, &frame, drawer->solid, LAYER_OUTPUT);
  }
  if (layer_is_shown(&frame, LAYER_TARGET))
    draw_ghost(drawer, &frame, LAYER_TARGET);
  if (layer_is_shown(&frame, LAYER_MEASURED))
    draw_ghost(drawer, &frame, LAYER_MEASURED);
  if (layer_is_shown(&frame, LAYER_DEBUG))
    draw_debug(drawer, &frame);
  return true;
}

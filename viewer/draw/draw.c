// Draws a picture in passes: shadows, ground, bodies, ghosts, lines.
#include "viewer/draw/draw.h"

#include <math.h>

#include "anim/pose.h"
#include "viewer/draw/shaders.h"
#include "viewer/draw/sun.h"

static const float FOG_RANGE = 40;                   // m; for cameras at a larger distance, scaled up
static const float FOG_REACH = 2.5f, FAR_REACH = 10; // fog and far plane, relative to the camera's distance
static const float HIDDEN_OPACITY = 0.2f;            // of debug items behind another object
static const float DEBUG_GLOW = 0.6f;                // of debug items: an unlit colour is easier to recognise
enum { MAP_UNIT = 1 };                               // texture unit of the contact map; the shadow map has unit 0

DrawQuality draw_quality_best(void) {
  return (DrawQuality){.samples = GL_TARGET_SAMPLES,
                       .shadow_size = 2048,
                       .shadow_taps = 5,
                       .contact_size = 512,
                       .outline_error = 0.15f,
                       .ground_shadows = true};
}

DrawQuality draw_quality_window(void) {
  DrawQuality quality = draw_quality_best();
  quality.sun_stands_still = true;
  quality.outline_error = 0.3f;
  if (gl_is_software()) {
    quality.samples = 1;
    quality.shadow_size = 1024;
    quality.shadow_taps = 2;
    quality.contact_size = 128;
    quality.outline_error = 0.5f;
    quality.ground_shadows = false;
  }
  return quality;
}

// ---- Objects ----

static bool make_program(DrawProgram *made, const char *vertex, const char *common, const char *fragment,
                         Error *error) {
  GLuint program = made->program = gl_program(vertex, common, fragment, error);
  if (!program)
    return false;
  made->view_projection = glGetUniformLocation(program, "view_projection");
  made->light_view_projection = glGetUniformLocation(program, "light_view_projection");
  made->eye = glGetUniformLocation(program, "eye");
  made->to_sun = glGetUniformLocation(program, "to_sun");
  made->fog_range = glGetUniformLocation(program, "fog_range");
  made->shadow_map = glGetUniformLocation(program, "shadow_map");
  made->shadow_taps = glGetUniformLocation(program, "shadow_taps");
  made->shadow_rect = glGetUniformLocation(program, "shadow_rect");
  made->shadow_step = glGetUniformLocation(program, "shadow_step");
  made->shadow_offset = glGetUniformLocation(program, "shadow_offset");
  made->contact_map = glGetUniformLocation(program, "contact_map");
  made->contact_area = glGetUniformLocation(program, "contact_area");
  made->from_clip = glGetUniformLocation(program, "from_clip");
  made->glow = glGetUniformLocation(program, "glow");
  made->opacity = glGetUniformLocation(program, "opacity");
  made->source = glGetUniformLocation(program, "source");
  return true;
}

bool drawer_open(Drawer *drawer, Error *error) {
  *drawer = (Drawer){.quality = draw_quality_best()};
  if (!make_program(&drawer->sky, SHADER_SCREEN_VERTEX, SHADER_LIGHT, SHADER_SKY_FRAGMENT, error) ||
      !make_program(&drawer->solid, SHADER_SHAPE_VERTEX, SHADER_LIGHT, SHADER_SOLID_FRAGMENT, error) ||
      !make_program(&drawer->ghost, SHADER_SHAPE_VERTEX, SHADER_LIGHT, SHADER_GHOST_FRAGMENT, error) ||
      !make_program(&drawer->terrain, SHADER_TERRAIN_VERTEX, SHADER_LIGHT, SHADER_TERRAIN_FRAGMENT, error) ||
      !make_program(&drawer->shape_depth, SHADER_SHAPE_VERTEX, NULL, SHADER_DEPTH_FRAGMENT, error) ||
      !make_program(&drawer->terrain_depth, SHADER_TERRAIN_VERTEX, NULL, SHADER_DEPTH_FRAGMENT, error) ||
      !make_program(&drawer->skin, SHADER_SKIN_VERTEX, SHADER_LIGHT, SHADER_SOLID_FRAGMENT, error) ||
      !make_program(&drawer->skin_depth, SHADER_SKIN_VERTEX, NULL, SHADER_DEPTH_FRAGMENT, error) ||
      !make_program(&drawer->copy, SHADER_SCREEN_VERTEX, NULL, SHADER_COPY_FRAGMENT, error) ||
      !contact_shade_open(&drawer->contact, error))
    return false;
  glGenVertexArrays(1, &drawer->empty_vertex_array);
  skin_draw_open(&drawer->skins);
  return instances_open(&drawer->instances) || error_set(error, "out of memory for drawing");
}

void drawer_close(Drawer *drawer) {
  const DrawProgram *programs[] = {&drawer->sky,     &drawer->solid,       &drawer->ghost,
                                   &drawer->terrain, &drawer->shape_depth, &drawer->terrain_depth,
                                   &drawer->copy,    &drawer->skin,        &drawer->skin_depth};
  for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
    if (programs[i]->program)
      glDeleteProgram(programs[i]->program);
  }
  drawer_forget(drawer);
  contact_shade_close(&drawer->contact);
  instances_close(&drawer->instances);
  skin_draw_close(&drawer->skins);
  if (drawer->shadow_map) {
    glDeleteFramebuffers(1, &drawer->shadow_framebuffer);
    glDeleteTextures(1, &drawer->shadow_map);
  }
  if (drawer->empty_vertex_array)
    glDeleteVertexArrays(1, &drawer->empty_vertex_array);
  gl_target_free(&drawer->ghost_target);
  *drawer = (Drawer){0};
}

void drawer_set_quality(Drawer *drawer, DrawQuality quality) { drawer->quality = quality; }

void drawer_forget(Drawer *drawer) {
  for (int i = 0; i < DRAW_MAX_TERRAINS; i++) {
    terrain_mesh_free(&drawer->grounds[i].mesh);
    drawer->grounds[i].used = 0;
  }
  drawer->sun_is_placed = false;
}

long drawer_triangles(const Drawer *drawer) { return drawer->triangles; }

static bool fit_shadow_map(Drawer *drawer, Error *error) {
  int size = drawer->quality.shadow_size;
  if (drawer->shadow_size == size)
    return true;
  if (!drawer->shadow_map) {
    glGenTextures(1, &drawer->shadow_map);
    glGenFramebuffers(1, &drawer->shadow_framebuffer);
  }
  glBindTexture(GL_TEXTURE_2D, drawer->shadow_map);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT, GL_FLOAT, NULL);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  glBindFramebuffer(GL_FRAMEBUFFER, drawer->shadow_framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, drawer->shadow_map, 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
  drawer->shadow_size = size;
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE ||
         error_set(error, "the driver cannot draw shadow maps");
}

// ---- Contents of an image ----

// Data shared by all passes of one image.
typedef struct Frame {
  const Picture *picture;
  const Camera *camera;
  unsigned layers;
  const GlTarget *target;
  GlRect part; // of the target, pixels from the top left
  mat4s view_projection;
  float pixel; // m: size of a pixel at a distance of 1 m
  float fog_range;
  Sun sun;
  vec4s shadow_rect;
  const TerrainMesh *ground; // NULL: none
  ContactArea contact;
  InstanceBatch output, ghosts[2], debug;
  GlRect ghost_parts[2]; // of the target, pixels from the bottom left
} Frame;

static bool layer_is_shown(const Frame *frame, int layer) { return (frame->layers >> layer & 1u) != 0; }

// Finds the mesh of the image's terrain, or makes it in place of the one that was not used for longest.
static bool find_ground(Drawer *drawer, Frame *frame, Error *error) {
  const Picture *picture = frame->picture;
  if (!picture->terrain)
    return true;
  DrawGround *ground = &drawer->grounds[0];
  for (int i = 0; i < DRAW_MAX_TERRAINS; i++) {
    DrawGround *other = &drawer->grounds[i];
    if (terrain_mesh_shows(&other->mesh, picture->terrain)) {
      ground = other;
      break;
    }
    if (other->used < ground->used)
      ground = other;
  }
  ground->used = drawer->picture_count;
  frame->ground = &ground->mesh;
  vec3s center = picture->subject.center_w;
  return terrain_mesh_update(&ground->mesh, picture->terrain, center.x, center.z) ||
         error_set(error, "out of memory for the ground's triangles");
}

// Adds a shape with the level of detail that its size in the image requires.
static void add_shape(Drawer *drawer, const Frame *frame, const PictureShape *shape) {
  float distance = glms_vec3_distance(shape->position_w, frame->camera->eye_w) - glms_vec3_norm(shape->half_size);
  float pixel = frame->pixel * fmaxf(distance, frame->camera->near_plane);
  instances_add(&drawer->instances, shape, instances_level(shape, drawer->quality.outline_error * pixel));
}

// Widens a rectangle of clip space (x0, y0, x1, y1) by a shape's bounding sphere.
static void widen(const Frame *frame, const PictureShape *shape, vec4s *bounds) {
  vec4s clip = glms_mat4_mulv(frame->view_projection, glms_vec4(shape->position_w, 1));
  float reach = glms_vec3_norm(shape->half_size), nearest = clip.w - reach;
  float scale = 1.5f / tanf(0.5f * frame->camera->fov_y), wide = fmaxf(1, 1 / frame->camera->aspect);
  for (int axis = 0; axis < 2; axis++) {
    bool near = nearest < frame->camera->near_plane;
    float middle = near ? 0 : clip.raw[axis] / clip.w, half = near ? 1 : scale * wide * reach / nearest;
    bounds->raw[axis] = fminf(bounds->raw[axis], fmaxf(middle - half, -1));
    bounds->raw[2 + axis] = fmaxf(bounds->raw[2 + axis], fminf(middle + half, 1));
  }
}

static GlRect to_pixels(const Frame *frame, vec4s bounds) {
  float w = (float)frame->part.width, h = (float)frame->part.height;
  int left = frame->part.x, bottom = frame->target->height - frame->part.y - frame->part.height;
  int x0 = (int)floorf((0.5f + 0.5f * bounds.x) * w), x1 = (int)ceilf((0.5f + 0.5f * bounds.z) * w);
  int y0 = (int)floorf((0.5f + 0.5f * bounds.y) * h), y1 = (int)ceilf((0.5f + 0.5f * bounds.w) * h);
  return (GlRect){left + x0, bottom + y0, x1 > x0 ? x1 - x0 : 0, y1 > y0 ? y1 - y0 : 0};
}

// Adds the shapes of one pose, and finds the pixels that they cover. A ghost's shapes that coincide with the output's
// are left out while the output is shown.
static InstanceBatch add_pose(Drawer *drawer, const Frame *frame, PictureLayer layer, GlRect *pixels) {
  vec4s bounds = {{1, 1, -1, -1}};
  for (int i = 0; i < frame->picture->shape_count && layer_is_shown(frame, layer); i++) {
    const PictureShape *shape = &frame->picture->shapes[i];
    if (shape->layer != layer || (shape->on_output && layer_is_shown(frame, LAYER_OUTPUT)) ||
        (shape->under_skin && layer_is_shown(frame, LAYER_SKIN)))
      continue;
    add_shape(drawer, frame, shape);
    widen(frame, shape, &bounds);
  }
  *pixels = to_pixels(frame, bounds);
  return instances_close_batch(&drawer->instances);
}

// A rod or a cone of that thickness from a to b.
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

static void add_debug_item(Drawer *drawer, const Frame *frame, const DebugItem *item) {
  vec3s a = {{item->a[0], item->a[1], item->a[2]}}, b = {{item->b[0], item->b[1], item->b[2]}};
  vec4s color = picture_hex_color(item->color);
  float size = fmaxf(item->size, 1e-3f);
  PictureShape shape;
  if (item->shape == DEBUG_POINT) {
    shape = make_rod(a, a, 2 * size, 1, color);
    shape.half_size = shape.radius = (vec3s){{size, size, size}};
    add_shape(drawer, frame, &shape);
    return;
  }
  if (item->shape == DEBUG_ARROW) {
    vec3s along = glms_vec3_sub(b, a);
    float length = glms_vec3_norm(along);
    float head = fminf(5 * size, 0.6f * length);
    vec3s neck = length > 0 ? glms_vec3_sub(b, glms_vec3_scale(along, head / length)) : a;
    shape = make_rod(neck, b, 3.2f * size, 0.02f, color);
    add_shape(drawer, frame, &shape);
    b = neck;
  }
  shape = make_rod(a, b, size, 1, color);
  add_shape(drawer, frame, &shape);
}

static InstanceBatch add_debug(Drawer *drawer, const Frame *frame) {
  for (int i = 0; i < frame->picture->debug.count; i++) {
    const DebugItem *item = &frame->picture->debug.items[i];
    if (item->shape != DEBUG_LABEL && layer_is_shown(frame, LAYER_DEBUG + (int)item->group))
      add_debug_item(drawer, frame, item);
  }
  return instances_close_batch(&drawer->instances);
}

static void gather(Drawer *drawer, Frame *frame) {
  GlRect unused;
  instances_clear(&drawer->instances);
  frame->output = add_pose(drawer, frame, LAYER_OUTPUT, &unused);
  frame->ghosts[0] = add_pose(drawer, frame, LAYER_TARGET, &frame->ghost_parts[0]);
  frame->ghosts[1] = add_pose(drawer, frame, LAYER_MEASURED, &frame->ghost_parts[1]);
  frame->debug = add_debug(drawer, frame);
  instances_upload(&drawer->instances);
}

// ---- Passes ----

static void use_program(const Drawer *drawer, const Frame *frame, const DrawProgram *use) {
  const Sun *sun = &frame->sun;
  vec4s rect = frame->shadow_rect;
  float blur = (float)drawer->quality.shadow_taps;
  glUseProgram(use->program);
  glUniformMatrix4fv(use->view_projection, 1, GL_FALSE, &frame->view_projection.raw[0][0]);
  glUniformMatrix4fv(use->light_view_projection, 1, GL_FALSE, &sun->view_projection.raw[0][0]);
  glUniform3fv(use->eye, 1, frame->camera->eye_w.raw);
  glUniform3fv(use->to_sun, 1, sun->to_sun.raw);
  glUniform1f(use->fog_range, frame->fog_range);
  glUniform1i(use->shadow_map, 0);
  glUniform1i(use->shadow_taps, drawer->quality.shadow_taps);
  glUniform4f(use->shadow_rect, rect.x, rect.y, rect.z, rect.w);
  glUniform1f(use->shadow_step, (blur > 2 ? 1.7f : 1.0f) / (float)drawer->quality.shadow_size);
  glUniform1f(use->shadow_offset, 0.012f * sqrtf(fmaxf(1, 320 * sun->pixel)));
  glUniform1i(use->contact_map, MAP_UNIT);
  glUniform3f(use->contact_area, frame->contact.x, frame->contact.z, frame->contact.half_side);
  glUniform1f(use->glow, 0);
  glUniform1f(use->opacity, 1);
}

static void draw_skins(Drawer *drawer, const Frame *frame, const DrawProgram *use) {
  if (frame->picture->skin_count == 0 || !layer_is_shown(frame, LAYER_SKIN) || !layer_is_shown(frame, LAYER_OUTPUT))
    return;
  use_program(drawer, frame, use);
  drawer->triangles += skin_draw(&drawer->skins, frame->picture);
}

static void draw_shadow_map(Drawer *drawer, Frame *frame) {
  Frame light = *frame;
  light.view_projection = frame->sun.view_projection;
  bool ground = drawer->quality.ground_shadows && frame->ground && !frame->ground->flat;
  glBindFramebuffer(GL_FRAMEBUFFER, drawer->shadow_framebuffer);
  glViewport(0, 0, drawer->shadow_size, drawer->shadow_size);
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.5f, 2);
  if (ground) {
    TerrainView view = {.view_projection = light.view_projection, .tolerance = 0.002f};
    use_program(drawer, &light, &drawer->terrain_depth);
    drawer->triangles += terrain_mesh_draw(frame->ground, &view);
  }
  use_program(drawer, &light, &drawer->shape_depth);
  drawer->triangles += instances_draw(&drawer->instances, &frame->output, drawer->shadow_size < 2048 ? 2 : 1);
  draw_skins(drawer, &light, &drawer->skin_depth);
  glDisable(GL_POLYGON_OFFSET_FILL);

  // Nothing outside this rectangle casts shadows, so they need not be looked up there.
  static const float BORDER = 0.005f;
  frame->shadow_rect = (vec4s){{BORDER, BORDER, 1 - BORDER, 1 - BORDER}};
  if (!ground) {
    vec4s casters = layer_is_shown(frame, LAYER_OUTPUT) ? frame->sun.casters : (vec4s){{1, 1, 0, 0}};
    frame->shadow_rect.x = fmaxf(BORDER, casters.x);
    frame->shadow_rect.y = fmaxf(BORDER, casters.y);
    frame->shadow_rect.z = fminf(1 - BORDER, casters.z);
    frame->shadow_rect.w = fminf(1 - BORDER, casters.w);
  }
}

static void draw_contact_shade(Drawer *drawer, Frame *frame) {
  const Sun *sun = &frame->sun;
  bool best = drawer->quality.contact_size >= 256;
  unsigned output = frame->layers & 1u << LAYER_OUTPUT;
  frame->contact = (ContactArea){sun->center.x, sun->center.z, 0.8f * sun->radius};
  drawer->triangles += contact_shade_draw(&drawer->contact, output ? frame->picture : NULL, frame->contact,
                                          drawer->quality.contact_size, best ? 0.002f : 0.01f);
}

static void draw_ground(Drawer *drawer, const Frame *frame) {
  TerrainView view = {.view_projection = frame->view_projection,
                      .eye = frame->camera->eye_w,
                      .slope = drawer->quality.outline_error * frame->pixel};
  glActiveTexture(GL_TEXTURE0 + MAP_UNIT);
  glBindTexture(GL_TEXTURE_2D, drawer->contact.map);
  glActiveTexture(GL_TEXTURE0);
  use_program(drawer, frame, &drawer->terrain);
  drawer->triangles += terrain_mesh_draw(frame->ground, &view);
}

// The last opaque pass, so that only the visible part of the sky is computed.
static void draw_sky(Drawer *drawer, const Frame *frame) {
  use_program(drawer, frame, &drawer->sky);
  mat4s from_clip = glms_mat4_inv(frame->view_projection);
  glUniformMatrix4fv(drawer->sky.from_clip, 1, GL_FALSE, &from_clip.raw[0][0]);
  glBindVertexArray(drawer->empty_vertex_array);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  drawer->triangles++;
}

// A ghost is drawn separately, so that its parts hide each other, and then blended over the scene. It is moved back by
// about 1/300 of the eye's distance (2 cm for a man): where it nearly coincides with the solid body, the body is
// visible.
static void draw_ghost(Drawer *drawer, const Frame *frame, const InstanceBatch *batch, GlRect part) {
  const GlTarget *target = frame->target, *ghost = &drawer->ghost_target;
  if (part.width == 0 || part.height == 0)
    return;
  // One pixel more on every side than is blended below: Mesa's software driver, with multisampling, blends one too
  // many.
  int x0 = part.x - (part.x > 0), x1 = part.x + part.width, y0 = part.y - (part.y > 0), y1 = part.y + part.height;
  x1 += x1 < target->width;
  y1 += y1 < target->height;
  glEnable(GL_SCISSOR_TEST);
  glScissor(x0, y0, x1 - x0, y1 - y0);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, ghost->framebuffer);
  glBlitFramebuffer(x0, y0, x1, y1, x0, y0, x1, y1, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, ghost->framebuffer);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(2, 1200);
  use_program(drawer, frame, &drawer->ghost);
  glEnable(GL_CULL_FACE);
  drawer->triangles += instances_draw(&drawer->instances, batch, 0);
  glDisable(GL_CULL_FACE);
  glDisable(GL_POLYGON_OFFSET_FILL);
  gl_target_resolve_part(ghost, (GlRect){x0, ghost->height - y1, x1 - x0, y1 - y0});

  glScissor(part.x, part.y, part.width, part.height);
  glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glUseProgram(drawer->copy.program);
  glUniform1i(drawer->copy.source, 0);
  glBindTexture(GL_TEXTURE_2D, ghost->plain_texture);
  glBindVertexArray(drawer->empty_vertex_array);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  drawer->triangles++;
  glBindTexture(GL_TEXTURE_2D, drawer->shadow_map);
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
}

// Items behind or inside other objects are drawn weakly.
static void draw_debug(Drawer *drawer, const Frame *frame) {
  use_program(drawer, frame, &drawer->solid);
  glUniform1f(drawer->solid.glow, DEBUG_GLOW);
  glUniform1f(drawer->solid.opacity, HIDDEN_OPACITY);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  glDepthFunc(GL_GREATER);
  drawer->triangles += instances_draw(&drawer->instances, &frame->debug, 0);
  glUniform1f(drawer->solid.opacity, 1);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LEQUAL);
  drawer->triangles += instances_draw(&drawer->instances, &frame->debug, 0);
  glDisable(GL_BLEND);
}

// ---- Images ----

// The far plane of a camera at a large distance is moved away.
static Camera reach_far(const Camera *camera) {
  Camera result = *camera;
  result.far_plane = fmaxf(camera->far_plane, FAR_REACH * glms_vec3_distance(camera->eye_w, camera->target_w));
  return result;
}

static float place_sun(Drawer *drawer, const Camera *camera) {
  if (!drawer->quality.sun_stands_still || !drawer->sun_is_placed)
    drawer->sun_azimuth = sun_azimuth(camera);
  drawer->sun_is_placed = true;
  return drawer->sun_azimuth;
}

static void draw_scene(Drawer *drawer, const Frame *frame) {
  glBindFramebuffer(GL_FRAMEBUFFER, frame->target->framebuffer);
  gl_target_viewport(frame->target, frame->part);
  GlRect all = to_pixels(frame, (vec4s){{-1, -1, 1, 1}});
  glEnable(GL_SCISSOR_TEST);
  glScissor(all.x, all.y, all.width, all.height);
  glClear(GL_DEPTH_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
  glBindTexture(GL_TEXTURE_2D, drawer->shadow_map);
  use_program(drawer, frame, &drawer->solid);
  glEnable(GL_CULL_FACE);
  drawer->triangles += instances_draw(&drawer->instances, &frame->output, 0);
  glDisable(GL_CULL_FACE);
  draw_skins(drawer, frame, &drawer->skin);
  if (frame->ground)
    draw_ground(drawer, frame);
  draw_sky(drawer, frame);
  for (int i = 0; i < 2; i++)
    draw_ghost(drawer, frame, &frame->ghosts[i], frame->ghost_parts[i]);
  draw_debug(drawer, frame);
}

bool draw_picture(Drawer *drawer, const Picture *picture, const Camera *camera, unsigned layers, const GlTarget *target,
                  Error *error) {
  return draw_picture_part(drawer, picture, camera, layers, target, gl_target_rect(target), error);
}

bool draw_picture_part(Drawer *drawer, const Picture *picture, const Camera *camera, unsigned layers,
                       const GlTarget *target, GlRect part, Error *error) {
  Camera far = reach_far(camera);
  Frame frame = {
      .picture = picture,
      .camera = &far,
      .layers = layers,
      .target = target,
      .part = part,
      .view_projection = glms_mat4_mul(camera_projection(&far), camera_view(&far)),
      .pixel = 2 * tanf(0.5f * camera->fov_y) / (float)part.height,
      .fog_range = fmaxf(FOG_RANGE, FOG_REACH * glms_vec3_distance(camera->eye_w, camera->target_w)),
      .sun = sun_shine(place_sun(drawer, camera), picture, camera, drawer->quality.shadow_size),
  };
  drawer->picture_count++;
  drawer->triangles = 0;
  glActiveTexture(GL_TEXTURE0);
  if (!find_ground(drawer, &frame, error) || !fit_shadow_map(drawer, error) ||
      !gl_target_fit(&drawer->ghost_target, target->width, target->height, target->samples, error))
    return false;
  gather(drawer, &frame);

  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  draw_shadow_map(drawer, &frame);
  if (frame.ground)
    draw_contact_shade(drawer, &frame);
  draw_scene(drawer, &frame);
  return true;
}

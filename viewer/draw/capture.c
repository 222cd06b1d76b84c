// Draws panels into a framebuffer, arranges them in an image, and writes PNG files.
#include "viewer/draw/capture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/output/output_file.h"

enum { GAP = 4, SMALLEST_PANEL = 16 }; // pixels

bool capture_open(Capture *capture, int width, int height, int columns, int rows, Error *error) {
  *capture = (Capture){.width = width, .height = height, .columns = columns, .rows = rows};
  int strip = columns * rows > 1 ? overlay_strip_height(width) : 0;
  int panel_width = (width - (columns - 1) * GAP) / columns;
  int panel_height = (height - strip - (rows - 1) * GAP) / rows;
  if (panel_width < SMALLEST_PANEL || panel_height < SMALLEST_PANEL) {
    int least_width = columns * (SMALLEST_PANEL + GAP) - GAP,
        least_height = rows * (SMALLEST_PANEL + GAP) - GAP + strip;
    return error_set(error, "%d x %d pictures need at least %dx%d pixels, %dx%d are too few", columns, rows,
                     least_width, least_height, width, height);
  }
  size_t size = 3 * (size_t)width * (size_t)height;
  capture->pixels = malloc(size);
  if (!capture->pixels)
    return error_set(error, "out of memory for a picture of %d x %d pixels", width, height);
  memset(capture->pixels, 0xff, size);
  if (strip > 0 && !gl_target_init(&capture->strip, width, strip, 1, error))
    return false;
  return gl_target_init(&capture->target, panel_width, panel_height, GL_TARGET_SAMPLES, error) &&
         drawer_open(&capture->drawer, error) && overlay_open(&capture->overlay, error);
}

void capture_close(Capture *capture) {
  free(capture->pixels);
  if (capture->strip.framebuffer)
    gl_target_free(&capture->strip);
  if (capture->target.framebuffer) {
    gl_target_free(&capture->target);
    drawer_close(&capture->drawer);
    overlay_close(&capture->overlay);
  }
  *capture = (Capture){0};
}

float capture_panel_aspect(const Capture *capture) {
  return (float)capture->target.width / (float)capture->target.height;
}

// Copies a finished target into the image. Rows go up in OpenGL and down in the image.
static void copy_pixels(Capture *capture, const GlTarget *target, int left, int top) {
  gl_target_resolve(target);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target->plain_framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  for (int y = 0; y < target->height; y++) {
    size_t start = (size_t)(top + y) * (size_t)capture->width + (size_t)left;
    glReadPixels(0, target->height - 1 - y, target->width, 1, GL_RGB, GL_UNSIGNED_BYTE, capture->pixels + 3 * start);
  }
}

bool capture_panel(Capture *capture, int panel, const Picture *picture, const Camera *camera, unsigned layers,
                   Error *error) {
  const GlTarget *target = &capture->target, *strip = &capture->strip;
  if (!draw_picture(&capture->drawer, picture, camera, layers, target, error))
    return false;
  overlay_draw_labels(&capture->overlay, picture, camera, layers, target, gl_target_rect(target));
  overlay_draw(&capture->overlay, picture, camera, layers, strip->height == 0, target);
  int column = panel % capture->columns, row = panel / capture->columns;
  copy_pixels(capture, target, column * (target->width + GAP), row * (target->height + GAP));
  if (panel == 0 && strip->height > 0) {
    overlay_draw_strip(&capture->overlay, picture->scene, layers, strip);
    copy_pixels(capture, strip, 0, capture->height - strip->height);
  }
  return true;
}

// pixels: RGB, from the top left.
static bool write_png(const char *path, int width, int height, const uint8_t *pixels, Error *error) {
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)width,
                     .height = (png_uint_32)height,
                     .format = PNG_FORMAT_RGB};
  png_alloc_size_t size = 0;
  if (!png_image_write_get_memory_size(image, size, 0, pixels, 0, NULL))
    return error_set(error, "%s: PNG: %s", path, image.message);
  void *bytes = malloc(size);
  if (!bytes || !png_image_write_to_memory(&image, bytes, &size, 0, pixels, 0, NULL)) {
    free(bytes);
    return error_set(error, "%s: PNG: %s", path, bytes ? image.message : "out of memory");
  }
  bool written = output_write(path, bytes, size, error);
  free(bytes);
  return written;
}

bool capture_write(const Capture *capture, const char *path, Error *error) {
  return write_png(path, capture->width, capture->height, capture->pixels, error);
}

void capture_read_window(int width, int height, uint8_t *pixels) {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels);
  size_t size = 3 * (size_t)width;
  for (int y = 0; y < height / 2; y++) { // rows go up in OpenGL and down in the image
    uint8_t *upper = pixels + (size_t)y * size, *lower = pixels + (size_t)(height - 1 - y) * size;
    for (size_t i = 0; i < size; i++) {
      uint8_t kept = upper[i];
      upper[i] = lower[i];
      lower[i] = kept;
    }
  }
}

bool capture_window(int width, int height, const char *path, Error *error) {
  if (!output_check(path, OUTPUT_PNG, error))
    return false;
  uint8_t *pixels = malloc(3 * (size_t)width * (size_t)height);
  if (!pixels)
    return error_set(error, "%s: out of memory", path);
  capture_read_window(width, height, pixels);
  bool written = write_png(path, width, height, pixels, error);
  free(pixels);
  return written;
}

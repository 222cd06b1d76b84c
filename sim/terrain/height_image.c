// Reads PNG files as height maps and interpolates between their pixels.
#include "sim/terrain/height_image.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIDE = 16384 }; // pixels
#define MAX_PIXELS 16e6

// All data that must survive a longjmp out of libpng.
typedef struct Reader {
  const File *file;
  size_t position; // bytes read
  png_structp png;
  png_infop info;
  png_bytep rows_data;
  png_bytep *rows;
  int channels;
  HeightImage image;
  char cause[128];
} Reader;

static void fail_read(png_structp png, png_const_charp cause) {
  Reader *reader = png_get_error_ptr(png);
  size_t length = strlen(cause);
  if (length >= sizeof reader->cause)
    length = sizeof reader->cause - 1;
  memcpy(reader->cause, cause, length);
  reader->cause[length] = '\0';
  png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp text) { (void)png, (void)text; }

static void read_bytes(png_structp png, png_bytep bytes, size_t count) {
  Reader *reader = png_get_io_ptr(png);
  if (count > reader->file->size - reader->position)
    png_error(png, "the file ends too early");
  memcpy(bytes, reader->file->bytes + reader->position, count);
  reader->position += count;
}

static void *allocate(png_structp png, size_t size) {
  void *memory = malloc(size);
  if (!memory)
    png_error(png, "not enough memory for the pixels");
  return memory;
}

// Converts big-endian 16-bit samples to grey, colours by their luma (ITU-R BT.709).
static void convert_pixels(Reader *reader) {
  const double luma[3] = {0.2126, 0.7152, 0.0722};
  for (int y = 0; y < reader->image.height; y++) {
    const png_byte *sample = reader->rows[y];
    for (int x = 0; x < reader->image.width; x++) {
      double grey = 0;
      for (int channel = 0; channel < reader->channels; channel++, sample += 2)
        grey += (reader->channels == 1 ? 1 : luma[channel]) * (sample[0] * 256 + sample[1]);
      reader->image.grey[(size_t)y * (size_t)reader->image.width + (size_t)x] = (uint16_t)lround(grey);
    }
  }
}

// Errors leave by png_longjmp.
static void read_pixels(Reader *reader) {
  png_structp png = reader->png;
  png_set_read_fn(png, reader, read_bytes);
  png_set_user_limits(png, MAX_SIDE, MAX_SIDE);
  png_read_info(png, reader->info);
  png_set_expand(png);
  png_set_expand_16(png);
  png_set_strip_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, reader->info);

  reader->image.width = (int)png_get_image_width(png, reader->info);
  reader->image.height = (int)png_get_image_height(png, reader->info);
  reader->channels = png_get_channels(png, reader->info);
  if ((double)reader->image.width * reader->image.height > MAX_PIXELS)
    png_error(png, "more than 16 million pixels");
  if (reader->channels != 1 && reader->channels != 3)
    png_error(png, "neither grey nor colour");

  size_t row_size = png_get_rowbytes(png, reader->info), height = (size_t)reader->image.height;
  reader->rows_data = allocate(png, row_size * height);
  reader->rows = allocate(png, sizeof *reader->rows * height);
  reader->image.grey = allocate(png, sizeof *reader->image.grey * (size_t)reader->image.width * height);
  for (size_t y = 0; y < height; y++)
    reader->rows[y] = reader->rows_data + y * row_size;
  png_read_image(png, reader->rows);
  png_read_end(png, NULL);
  convert_pixels(reader);
}

bool height_image_read(const File *file, HeightImage *image, Error *error) {
  if (file->size < 8 || png_sig_cmp((png_const_bytep)file->bytes, 0, 8) != 0)
    return error_set(error, "%s: not a PNG image", file->name);
  // On the heap, so that its fields keep their values across the longjmp.
  Reader *reader = calloc(1, sizeof *reader);
  if (!reader)
    return error_set(error, "%s: not enough memory", file->name);
  reader->file = file;
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, fail_read, ignore_warning);
  reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
  if (!reader->info)
    strcpy(reader->cause, "not enough memory");
  else if (setjmp(png_jmpbuf(reader->png)) == 0)
    read_pixels(reader);

  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader->rows);
  free(reader->rows_data);
  bool done = reader->cause[0] == '\0';
  if (done)
    *image = reader->image;
  else {
    height_image_free(&reader->image);
    error_set(error, "%s: broken PNG image: %s", file->name, reader->cause);
  }
  free(reader);
  return done;
}

void height_image_free(HeightImage *image) {
  free(image->grey);
  *image = (HeightImage){0};
}

double height_image_sample(const HeightImage *image, double u, double v) {
  double x = u * (image->width - 1), y = v * (image->height - 1);
  int left = (int)x, top = (int)y;
  int right = left + 1 < image->width ? left + 1 : left, bottom = top + 1 < image->height ? top + 1 : top;
  const uint16_t *upper = image->grey + (size_t)top * (size_t)image->width;
  const uint16_t *lower = image->grey + (size_t)bottom * (size_t)image->width;
  double across = x - left;
  double above = upper[left] + (upper[right] - upper[left]) * across;
  double below = lower[left] + (lower[right] - lower[left]) * across;
  return (above + (below - above) * (y - top)) / 65535;
}

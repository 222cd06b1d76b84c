// Grey images as height maps. PNG of any kind: 1 to 16 bits, grey, colour (converted to grey) or palette; transparency
// is ignored.
#ifndef STAGGER_SIM_TERRAIN_HEIGHT_IMAGE_H
#define STAGGER_SIM_TERRAIN_HEIGHT_IMAGE_H

#include <stdint.h>

#include "sim/base/files.h"

typedef struct HeightImage {
  int width, height; // pixels
  uint16_t *grey;    // [height * width], 0 black to 65535 white, first row first
} HeightImage;

// False and an error with the file and the cause when the bytes are not a usable PNG.
bool height_image_read(const File *file, HeightImage *image, Error *error);
void height_image_free(HeightImage *image);

// The brightness, 0..1, at u, v in 0..1 (from the first to the last column and row), bilinear.
double height_image_sample(const HeightImage *image, double u, double v);

#endif

// Which axes of a file's nodes are no rotation, so that a warning says that the scale is not kept: each a little off
// and a little more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "anim/motion/motion.h"

// The columns of a node's matrix.
static const struct {
  const char *what;
  double x[3], y[3], z[3];
  bool is_skewed;
} NODES[] = {
    {"even", {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, false},
    {"larger", {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, false},
    {"turned", {0, 0, -1}, {0, 1, 0}, {1, 0, 0}, false},
    {"x toward y a little", {1, 0.015, 0}, {0, 1, 0}, {0, 0, 1}, false},
    {"x toward y", {1, 0.03, 0}, {0, 1, 0}, {0, 0, 1}, true},
    {"x away from y", {1, -0.03, 0}, {0, 1, 0}, {0, 0, 1}, true},
    {"x toward y, large", {3, 0.045, 0}, {0, 3, 0}, {0, 0, 3}, false},
    {"z toward y a little", {1, 0, 0}, {0, 1, 0}, {0, 0.015, 1}, false},
    {"z toward y", {1, 0, 0}, {0, 1, 0}, {0, 0.03, 1}, true},
    {"z away from y", {1, 0, 0}, {0, 1, 0}, {0, -0.03, 1}, true},
    {"z toward y, large", {1.5, 0, 0}, {0, 1.5, 0}, {0, 0.0225, 1.5}, false},
    {"z toward x a little", {1, 0, 0}, {0, 1, 0}, {0.015, 0, 1}, false},
    {"z toward x", {1, 0, 0}, {0, 1, 0}, {0.03, 0, 1}, true},
    {"z away from x", {1, 0, 0}, {0, 1, 0}, {-0.03, 0, 1}, true},
    {"x toward z, small", {0.5, 0, 0.015}, {0, 0.5, 0}, {0, 0, 0.5}, true},
    {"x toward z, large", {3, 0, 0.045}, {0, 3, 0}, {0, 0, 3}, false},
    {"y longer a little", {1, 0, 0}, {0, 1.015, 0}, {0, 0, 1}, false},
    {"y longer", {1, 0, 0}, {0, 1.03, 0}, {0, 0, 1}, true},
    {"y shorter", {1, 0, 0}, {0, 0.97, 0}, {0, 0, 1}, true},
    {"z longer a little", {1, 0, 0}, {0, 1, 0}, {0, 0, 1.015}, false},
    {"z longer", {1, 0, 0}, {0, 1, 0}, {0, 0, 1.03}, true},
    {"z shorter", {1, 0, 0}, {0, 1, 0}, {0, 0, 0.97}, true},
    {"z longer, large", {3, 0, 0}, {0, 3, 0}, {0, 0, 3.045}, false},
    {"y longer, small", {0.1, 0, 0}, {0, 0.103, 0}, {0, 0, 0.1}, true},
    {"mirrored", {1, 0, 0}, {0, 1, 0}, {0, 0, -1}, true},
    {"flat in x", {0, 0, 0}, {0, 1, 0}, {0, 0, 1}, true},
    {"flat in y", {1, 0, 0}, {0, 0, 0}, {0, 0, 1}, true},
    {"flat in z", {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, true},
};

// Times 0 and 1 s and two rotations by nothing, of the knee.
#define ANIMATION                                                                                                      \
  "\"buffers\":[{\"byteLength\":40,\"uri\":\"data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/"    \
  "AAAAAAAAAAAAAAAAAACAPw==\"}],"                                                                                      \
  "\"bufferViews\":[{\"buffer\":0,\"byteLength\":40}],\"accessors\":["                                                 \
  "{\"bufferView\":0,\"byteOffset\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"                        \
  "{\"bufferView\":0,\"byteOffset\":8,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"}],"                         \
  "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}}],"                     \
  "\"samplers\":[{\"input\":0,\"output\":1}]}]}"

static void uneven_nodes_are_told(void **state) {
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof NODES / sizeof *NODES; i++) {
    const double *x = NODES[i].x, *y = NODES[i].y, *z = NODES[i].z;
    char text[1600], name[] = "node.gltf";
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
             "{\"name\":\"hip\",\"matrix\":[%g,%g,%g,0,%g,%g,%g,0,%g,%g,%g,0,0,1,0,1],\"children\":[1]},"
             "{\"name\":\"knee\",\"translation\":[0,-0.4,0]}]," ANIMATION,
             x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]);
    const File file = {.name = name, .path = name, .bytes = text, .size = strlen(text)};
    const MotionOptions as_it_is = {.unit = 1, .up_axis = 1, .front_axis = 2};
    Error error = {0};
    Motion *motion = motion_read(&file, &as_it_is, &error);
    if (!motion) {
      fail_msg("%s: %s", NODES[i].what, error.text);
      return;
    }
    const bool is_told = strstr(motion->warnings, "scaled unevenly") != NULL;
    if (is_told != NODES[i].is_skewed)
      printf("%s: is %stold\n", NODES[i].what, is_told ? "" : "not ");
    wrong += is_told != NODES[i].is_skewed;
    motion_free(motion);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(uneven_nodes_are_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// Matrix products: the same bits as plain loops, for sizes that fill tiles and blocks and sizes that do not.
#include "scenes/train/matrix.h"
#include "sim/base/rng.h"
#include "tests/fixture.h"

enum { MOST = 300 };

typedef struct Matrices {
  float a[MOST * MOST], b[MOST * MOST], c[MOST * MOST + 1], plain[MOST * MOST + 1];
} Matrices;

static void fill(float numbers[], int count, Rng *rng) {
  for (int i = 0; i < count; i++)
    numbers[i] = (float)rng_range(rng, -1, 1);
}

// Entry by entry, in the order of the depth.
static void add_plainly(int rows, int columns, int depth, MatrixView a, MatrixView b, float *c) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      volatile float sum = c[i * columns + j];
      for (int k = 0; k < depth; k++)
        sum += a.at[(size_t)i * a.row + (size_t)k * a.column] * b.at[(size_t)k * b.row + (size_t)j * b.column];
      c[i * columns + j] = sum;
    }
}

static MatrixView view(const float *at, int rows, int columns, bool transposed) {
  return transposed ? (MatrixView){at, 1, (size_t)rows} : (MatrixView){at, (size_t)columns, 1};
}

static void test_products_have_the_bits_of_plain_loops(void **state) {
  (void)state;
  static Matrices matrices;
  Matrices *m = &matrices;
  const int sizes[][3] = {{1, 1, 1}, {6, 16, 256}, {7, 17, 3}, {133, 27, 257}, {300, 15, 20}, {5, 300, 40}, {7, 5, 0}};
  Rng rng = rng_make(1, "matrices");
  for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++)
    for (int kind = 0; kind < 4; kind++) { // whether a, whether b is transposed
      const int rows = sizes[n][0], columns = sizes[n][1], depth = sizes[n][2], count = rows * columns;
      const MatrixView a = view(m->a, rows, depth, kind % 2 == 1), b = view(m->b, depth, columns, kind > 1);
      fill(m->a, rows * depth, &rng);
      fill(m->b, depth * columns, &rng);
      fill(m->c, count + 1, &rng); // one more than it may change
      memcpy(m->plain, m->c, sizeof m->c);
      matrix_add_product(rows, columns, depth, a, b, m->c);
      add_plainly(rows, columns, depth, a, b, m->plain);
      assert_memory_equal(m->c, m->plain, (size_t)(count + 1) * sizeof m->c[0]);
      matrix_set_product(rows, columns, depth, a, b, m->c);
      memset(m->plain, 0, (size_t)count * sizeof m->plain[0]);
      add_plainly(rows, columns, depth, a, b, m->plain);
      assert_memory_equal(m->c, m->plain, (size_t)(count + 1) * sizeof m->c[0]);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_products_have_the_bits_of_plain_loops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

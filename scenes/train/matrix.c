// Matrix products in tiles that stay in registers. Sixteen columns of b at a time are copied to a panel, and six rows
// of a to a strip, both without gaps, since steps of a power of two would use a small part of the cache only.
#include "scenes/train/matrix.h"

#include <stdbool.h>
#include <string.h>

#include "sim/base/wide.h"

enum { TILE_ROWS = 6, LANES = 8, TILE_COLUMNS = 2 * LANES, DEPTH = 256, BLOCK_ROWS = 22 * TILE_ROWS };

static int smaller(int a, int b) { return a < b ? a : b; }

// The panel's entry [k][j] is b's entry of row k and column j; missing columns are 0.
WIDE static void pack_panel(MatrixView b, int depth, int columns, float *restrict panel) {
  if (b.column == 1 && columns == TILE_COLUMNS) {
    for (int k = 0; k < depth; k++)
      memcpy(panel + (size_t)k * TILE_COLUMNS, b.at + (size_t)k * b.row, TILE_COLUMNS * sizeof *panel);
    return;
  }
  for (int k = 0; k < depth; k++)
    for (int j = 0; j < TILE_COLUMNS; j++)
      panel[(size_t)k * TILE_COLUMNS + (size_t)j] = j < columns ? b.at[(size_t)k * b.row + (size_t)j * b.column] : 0;
}

// Strips of six rows, one after the other; the strip's entry [k][i] is a's entry of row i and column k. Missing rows
// are 0.
WIDE static void pack_strips(MatrixView a, int rows, int depth, float *restrict strips) {
  for (int first = 0; first < rows; first += TILE_ROWS) {
    for (int k = 0; k < depth; k++)
      for (int i = 0; i < TILE_ROWS; i++)
        *strips++ = first + i < rows ? a.at[(size_t)(first + i) * a.row + (size_t)k * a.column] : 0;
  }
}

// Adds a strip times a panel to a tile of c, whose rows are `stride` apart. is_new: what c was counts as 0.
WIDE_PART void add_tile(int depth, const float *restrict strip, const float *restrict panel, float *restrict c,
                        size_t stride, bool is_new) {
  Octet sum[TILE_ROWS][2] = {{{0}}};
  for (int i = 0; i < TILE_ROWS && !is_new; i++)
    for (int j = 0; j < 2; j++)
      sum[i][j] = OCTET_AT(c + (size_t)i * stride + j * LANES);
  for (int k = 0; k < depth; k++, strip += TILE_ROWS, panel += TILE_COLUMNS) {
    const Octet left = OCTET_AT(panel), right = OCTET_AT(panel + LANES);
    for (int i = 0; i < TILE_ROWS; i++) {
      sum[i][0] += left * strip[i];
      sum[i][1] += right * strip[i];
    }
  }
  for (int i = 0; i < TILE_ROWS; i++)
    for (int j = 0; j < 2; j++)
      OCTET_PUT(c + (size_t)i * stride + j * LANES, sum[i][j]);
}

// Copies a part of a matrix.
static void copy_part(int rows, int columns, const float *from, size_t from_stride, float *to, size_t to_stride) {
  for (int i = 0; i < rows; i++)
    memcpy(to + (size_t)i * to_stride, from + (size_t)i * from_stride, (size_t)columns * sizeof *to);
}

// Adds strips times a panel to some columns of c.
WIDE static void add_panel(int rows, int columns, int depth, const float *strips, const float *panel, float *c,
                           size_t stride, bool is_new) {
  for (int i = 0; i < rows; i += TILE_ROWS, strips += (size_t)depth * TILE_ROWS, c += TILE_ROWS * stride) {
    if (rows - i >= TILE_ROWS && columns == TILE_COLUMNS) {
      add_tile(depth, strips, panel, c, stride, is_new);
      continue;
    }
    float edge[TILE_ROWS * TILE_COLUMNS] = {0};
    const int edge_rows = smaller(rows - i, TILE_ROWS);
    if (!is_new)
      copy_part(edge_rows, columns, c, stride, edge, TILE_COLUMNS);
    add_tile(depth, strips, panel, edge, TILE_COLUMNS, false);
    copy_part(edge_rows, columns, edge, TILE_COLUMNS, c, stride);
  }
}

static void multiply(int rows, int columns, int depth, MatrixView a, MatrixView b, float *c, bool adds) {
  float panel[DEPTH * TILE_COLUMNS], strips[DEPTH * BLOCK_ROWS];
  for (int k = 0; k < depth; k += DEPTH)
    for (int i = 0; i < rows; i += BLOCK_ROWS) {
      const int block_depth = smaller(depth - k, DEPTH), block_rows = smaller(rows - i, BLOCK_ROWS);
      const MatrixView block = {a.at + (size_t)i * a.row + (size_t)k * a.column, a.row, a.column};
      pack_strips(block, block_rows, block_depth, strips);
      for (int j = 0; j < columns; j += TILE_COLUMNS) {
        const int block_columns = smaller(columns - j, TILE_COLUMNS);
        pack_panel((MatrixView){b.at + (size_t)k * b.row + (size_t)j * b.column, b.row, b.column}, block_depth,
                   block_columns, panel);
        add_panel(block_rows, block_columns, block_depth, strips, panel, c + (size_t)i * (size_t)columns + j,
                  (size_t)columns, k == 0 && !adds);
      }
    }
}

void matrix_add_product(int rows, int columns, int depth, MatrixView a, MatrixView b, float *c) {
  multiply(rows, columns, depth, a, b, c, true);
}

void matrix_set_product(int rows, int columns, int depth, MatrixView a, MatrixView b, float *c) {
  if (depth == 0)
    memset(c, 0, (size_t)rows * (size_t)columns * sizeof *c);
  multiply(rows, columns, depth, a, b, c, false);
}

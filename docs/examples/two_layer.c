// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls the model of two_layer.mlir and compares what it gives with plain loops.
 *
 *   tune compile two_layer.mlir --device simt -o libtwo_layer.so
 *   cc two_layer.c -o two_layer -I. -I$PREFIX/include -L. -ltwo_layer -L$PREFIX/lib -lmmtune_runtime
 *   LD_LIBRARY_PATH=.:$PREFIX/lib ./two_layer
 */
#include <stdio.h>
#include <stdlib.h>

#include "libtwo_layer.h"
#include "mmtune_runtime.h"

enum { ROWS = 32, INPUTS = 64, HIDDEN = 48, OUTPUTS = 16 };

static float x[ROWS * INPUTS], w1[INPUTS * HIDDEN], b1[HIDDEN], w2[HIDDEN * OUTPUTS];

/* Small integers: every sum is exact, so the results have to be equal. */
static void fill(float *values, int count, int step) {
  for (int i = 0; i < count; ++i) values[i] = (float)(i * step % 7 - 3);
}

static float expected(int row, int column) {
  float sum = 0;
  for (int h = 0; h < HIDDEN; ++h) {
    float hidden = b1[h];
    for (int i = 0; i < INPUTS; ++i) hidden += x[row * INPUTS + i] * w1[i * HIDDEN + h];
    if (hidden > 0) sum += hidden * w2[h * OUTPUTS + column];
  }
  return sum;
}

int main(void) {
  fill(x, ROWS * INPUTS, 3);
  fill(w1, INPUTS * HIDDEN, 5);
  fill(b1, HIDDEN, 2);
  fill(w2, HIDDEN * OUTPUTS, 4);

  mmtune_memref_2d_f32 x_memref = mmtune_memref_2d_f32_dense(x, ROWS, INPUTS);
  mmtune_memref_2d_f32 w1_memref = mmtune_memref_2d_f32_dense(w1, INPUTS, HIDDEN);
  mmtune_memref_1d_f32 b1_memref = mmtune_memref_1d_f32_dense(b1, HIDDEN);
  mmtune_memref_2d_f32 w2_memref = mmtune_memref_2d_f32_dense(w2, HIDDEN, OUTPUTS);
  mmtune_memref_2d_f32 y;
  _mlir_ciface_forward(&y, &x_memref, &w1_memref, &b1_memref, &w2_memref);

  const char *error = mmtune_take_error();
  if (error != NULL) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  for (int row = 0; row < ROWS; ++row) {
    for (int column = 0; column < OUTPUTS; ++column) {
      const float value = y.aligned[y.offset + row * y.strides[0] + column * y.strides[1]];
      if (value == expected(row, column)) continue;
      fprintf(stderr, "y[%d][%d] is %g, not %g\n", row, column, value, expected(row, column));
      return 1;
    }
  }
  free(y.allocated);

  mmtune_counters counters;
  mmtune_get_counters(&counters);
  printf("%d results are right; %d kernels ran on %s\n", ROWS * OUTPUTS, (int)counters.launches, mmtune_device_name());
  return counters.allocations == counters.frees ? 0 : 1;
}

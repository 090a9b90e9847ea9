// RUN: mmtune-opt %s --widen-accumulators=remarks=false --split-input-file | FileCheck %s
// RUN: mmtune-opt %s --widen-accumulators --split-input-file 2>&1 >/dev/null | FileCheck %s --check-prefix=SAYS
// SAYS: accumulators.mlir:{{.*}}: remark: the operation accumulates in f32 and rounds once to 'f16' (--sums-as-written keeps the type of the sums)

// From zeros: the buffer of f32 is filled, the output only written.
// CHECK-LABEL: func.func @zeros
// CHECK-SAME: (%[[A:.*]]: memref<64x32xf16>, %[[B:.*]]: memref<32x48xf16>, %[[C:.*]]: memref<64x48xf16>)
// CHECK: %[[WIDE:.*]] = memref.alloc() : memref<64x48xf32>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[WIDE]] : memref<64x48xf32>)
// CHECK-NOT: linalg.fill
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[A]], %[[B]] : memref<64x32xf16>, memref<32x48xf16>) outs(%[[WIDE]] : memref<64x48xf32>)
// CHECK: ^bb0(%[[X:.*]]: f16, %[[Y:.*]]: f16, %[[SUM:.*]]: f32):
// CHECK: %[[XW:.*]] = arith.extf %[[X]]
// CHECK: %[[YW:.*]] = arith.extf %[[Y]]
// CHECK: %[[TERM:.*]] = arith.mulf %[[XW]], %[[YW]] : f32
// CHECK: arith.addf %[[SUM]], %[[TERM]] : f32
// CHECK: linalg.generic {{.*}} ins(%[[WIDE]] : memref<64x48xf32>) outs(%[[C]] : memref<64x48xf16>)
// CHECK: arith.truncf
// CHECK: memref.dealloc %[[WIDE]]
func.func @zeros(%a: memref<64x32xf16>, %b: memref<32x48xf16>, %c: memref<64x48xf16>) {
  %zero = arith.constant 0.0 : f16
  linalg.fill ins(%zero : f16) outs(%c : memref<64x48xf16>)
  linalg.matmul ins(%a, %b : memref<64x32xf16>, memref<32x48xf16>) outs(%c : memref<64x48xf16>)
  return
}

// -----

// From what the output held, of any size; the batch keeps its maps.
// CHECK-LABEL: func.func @old_contents
// CHECK-SAME: %[[C:[^ ]*]]: memref<3x?x48xbf16>)
// CHECK: %[[ROWS:.*]] = memref.dim %[[C]], %c1
// CHECK: %[[WIDE:.*]] = memref.alloc(%[[ROWS]]) : memref<3x?x48xf32>
// CHECK: linalg.generic {{.*}} ins(%[[C]] : memref<3x?x48xbf16>) outs(%[[WIDE]] : memref<3x?x48xf32>)
// CHECK: arith.extf
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK: arith.truncf
func.func @old_contents(%a: memref<3x?x32xbf16>, %b: memref<3x32x48xbf16>, %c: memref<3x?x48xbf16>) {
  linalg.batch_matmul ins(%a, %b : memref<3x?x32xbf16>, memref<3x32x48xbf16>) outs(%c : memref<3x?x48xbf16>)
  return
}

// -----

// f32 sums and outputs that are inputs stay as they are; so do operations that are no sum, or use the accumulator
// for more than adding to it.
// CHECK-LABEL: func.func @others
// CHECK-NOT: memref.alloc
func.func @others(%a: memref<32x32xf16>, %b: memref<32x32xf16>, %c: memref<32x32xf32>, %y: memref<32xf16>) {
  linalg.matmul ins(%a, %b : memref<32x32xf16>, memref<32x32xf16>) outs(%c : memref<32x32xf32>)
  linalg.matmul ins(%c, %c : memref<32x32xf32>, memref<32x32xf32>) outs(%c : memref<32x32xf32>)
  linalg.matmul ins(%a, %b : memref<32x32xf16>, memref<32x32xf16>) outs(%a : memref<32x32xf16>)
  linalg.reduce ins(%a : memref<32x32xf16>) outs(%y : memref<32xf16>) dimensions = [1]
    (%in: f16, %out: f16) {
      %max = arith.maximumf %in, %out : f16
      linalg.yield %max : f16
    }
  linalg.reduce ins(%a : memref<32x32xf16>) outs(%y : memref<32xf16>) dimensions = [1]
    (%in: f16, %out: f16) {
      %term = arith.mulf %in, %out : f16
      %sum = arith.addf %term, %out : f16
      linalg.yield %sum : f16
    }
  return
}

// -----

// The terms of other sums are rounded as they were, and their buffer lives as long as others do.
// CHECK-LABEL: func.func @squares
// CHECK-SAME: (%[[A:.*]]: memref<4x32xbf16>, %[[Y:.*]]: memref<4xbf16>, %[[X:.*]]: memref<32xbf16>)
// CHECK: %[[WIDE:.*]] = memref.alloc() : memref<4xf32>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[WIDE]] : memref<4xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[A]] : memref<4x32xbf16>) outs(%[[WIDE]] : memref<4xf32>)
// CHECK: ^bb0(%[[IN:.*]]: bf16, %[[SUM:.*]]: f32):
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[IN]], %[[IN]] : bf16
// CHECK: %[[TERM:.*]] = arith.extf %[[SQUARE]] : bf16 to f32
// CHECK: arith.addf %[[SUM]], %[[TERM]] : f32
// CHECK: linalg.generic {{.*}} ins(%[[WIDE]] : memref<4xf32>) outs(%[[Y]] : memref<4xbf16>)
// CHECK: arith.truncf
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[X]] : memref<4x32xbf16>, memref<32xbf16>) outs(%{{.*}} : memref<4xf32>)
// CHECK: arith.mulf %{{.*}} : bf16
// CHECK: memref.dealloc %[[WIDE]]
func.func @squares(%a: memref<4x32xbf16>, %y: memref<4xbf16>, %x: memref<32xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%y : memref<4xbf16>)
  linalg.reduce ins(%a : memref<4x32xbf16>) outs(%y : memref<4xbf16>) dimensions = [1]
    (%in: bf16, %out: bf16) {
      %square = arith.mulf %in, %in : bf16
      %sum = arith.addf %square, %out : bf16
      linalg.yield %sum : bf16
    }
  linalg.matvec ins(%a, %x : memref<4x32xbf16>, memref<32xbf16>) outs(%y : memref<4xbf16>)
  return
}

// -----

// A convolution, whoever computes it, and a pooling.
// CHECK-LABEL: func.func @convolution
// CHECK: %[[WIDE:.*]] = memref.alloc() : memref<1x4x4x4xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : memref<1x6x6x4xf16>, memref<3x3x4xf16>) outs(%[[WIDE]] : memref<1x4x4x4xf32>)
// CHECK: arith.truncf
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : memref<1x6x6x4xf16>, memref<3x3xf16>) outs(%{{.*}} : memref<1x4x4x4xf32>)
// CHECK: arith.truncf
func.func @convolution(%x: memref<1x6x6x4xf16>, %w: memref<3x3x4xf16>, %c: memref<1x4x4x4xf16>, %window: memref<3x3xf16>, %d: memref<1x4x4x4xf16>) {
  linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : memref<1x6x6x4xf16>, memref<3x3x4xf16>) outs(%c : memref<1x4x4x4xf16>)
  linalg.pooling_nhwc_sum ins(%x, %window : memref<1x6x6x4xf16>, memref<3x3xf16>) outs(%d : memref<1x4x4x4xf16>)
  return
}

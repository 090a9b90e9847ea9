// RUN: mmtune-opt %s --fold-matmul-operands --canonicalize --split-input-file | FileCheck %s

// nn.Linear's weight.
// CHECK: #[[K_N:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @transposed_weight
// CHECK-SAME: (%[[A:.*]]: tensor<33x20xf32>, %[[B:.*]]: tensor<17x20xf32>)
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {indexing_maps = [{{.*}}, #[[K_N]], {{.*}}], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[A]], %[[B]]
func.func @transposed_weight(%a: tensor<33x20xf32>, %b: tensor<17x20xf32>) -> tensor<33x17xf32> {
  %zero = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<20x17xf32>
  %t = linalg.transpose ins(%b : tensor<17x20xf32>) outs(%te : tensor<20x17xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<33x17xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<33x17xf32>) -> tensor<33x17xf32>
  %r = linalg.matmul ins(%a, %t : tensor<33x20xf32>, tensor<20x17xf32>) outs(%f : tensor<33x17xf32>) -> tensor<33x17xf32>
  return %r : tensor<33x17xf32>
}

// -----

// Both operands; one by a linalg.generic, the other extended behind it, in batches.
#id = affine_map<(b, m, n) -> (b, m, n)>
#turned = affine_map<(b, m, n) -> (b, n, m)>
// CHECK-LABEL: func.func @both_of_a_batch
// CHECK-SAME: (%[[A:.*]]: tensor<3x20x33xf32>, %[[B:.*]]: tensor<3x17x20xf16>,
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<3x17x20xf16>) outs(%{{.*}} : tensor<3x17x20xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.extf
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[WIDE]] : tensor<3x20x33xf32>, tensor<3x17x20xf32>)
// CHECK-NOT: linalg.generic
func.func @both_of_a_batch(%a: tensor<3x20x33xf32>, %b: tensor<3x17x20xf16>, %c: tensor<3x33x17xf32>) -> tensor<3x33x17xf32> {
  %ae = tensor.empty() : tensor<3x33x20xf32>
  %at = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : tensor<3x20x33xf32>) outs(%ae : tensor<3x33x20xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x33x20xf32>
  %be = tensor.empty() : tensor<3x20x17xf16>
  %bt = linalg.transpose ins(%b : tensor<3x17x20xf16>) outs(%be : tensor<3x20x17xf16>) permutation = [0, 2, 1]
  %we = tensor.empty() : tensor<3x20x17xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%bt : tensor<3x20x17xf16>) outs(%we : tensor<3x20x17xf32>) {
  ^bb0(%in: f16, %out: f32):
    %x = arith.extf %in : f16 to f32
    linalg.yield %x : f32
  } -> tensor<3x20x17xf32>
  %r = linalg.batch_matmul ins(%at, %w : tensor<3x33x20xf32>, tensor<3x20x17xf32>) outs(%c : tensor<3x33x17xf32>) -> tensor<3x33x17xf32>
  return %r : tensor<3x33x17xf32>
}

// -----

// One weight for a whole batch: its rows are those of all.
// CHECK-LABEL: func.func @one_weight
// CHECK-SAME: (%[[A:.*]]: tensor<3x33x20xf32>, %[[B:.*]]: tensor<20x17xf32>
// CHECK-NOT: linalg.broadcast
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[B]] : tensor<3x33x20xf32>, tensor<20x17xf32>)
func.func @one_weight(%a: tensor<3x33x20xf32>, %b: tensor<20x17xf32>, %c: tensor<3x33x17xf32>) -> tensor<3x33x17xf32> {
  %be = tensor.empty() : tensor<3x20x17xf32>
  %bb = linalg.broadcast ins(%b : tensor<20x17xf32>) outs(%be : tensor<3x20x17xf32>) dimensions = [0]
  %r = linalg.batch_matmul ins(%a, %bb : tensor<3x33x20xf32>, tensor<3x20x17xf32>) outs(%c : tensor<3x33x17xf32>) -> tensor<3x33x17xf32>
  return %r : tensor<3x33x17xf32>
}

// -----

// Heads between rows and columns. A sum of two is no operand of another.
// CHECK: #[[HEADS:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
// CHECK-LABEL: func.func @heads
// CHECK-SAME: (%[[A:.*]]: tensor<33x3x20xf32>, %[[B:.*]]: tensor<3x20x17xf32>
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {indexing_maps = [#[[HEADS]], {{.*}} ins(%[[A]], %[[B]]
// CHECK: linalg.generic
// CHECK: linalg.matmul
#id = affine_map<(m, n) -> (m, n)>
#turned = affine_map<(m, n) -> (n, m)>
func.func @heads(%a: tensor<33x3x20xf32>, %b: tensor<3x20x17xf32>, %c: tensor<3x33x17xf32>, %x: tensor<8x8xf32>) -> (tensor<3x33x17xf32>, tensor<8x8xf32>) {
  %ae = tensor.empty() : tensor<3x33x20xf32>
  %at = linalg.transpose ins(%a : tensor<33x3x20xf32>) outs(%ae : tensor<3x33x20xf32>) permutation = [1, 0, 2]
  %r = linalg.batch_matmul ins(%at, %b : tensor<3x33x20xf32>, tensor<3x20x17xf32>) outs(%c : tensor<3x33x17xf32>) -> tensor<3x33x17xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %in : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %p = linalg.matmul ins(%x, %s : tensor<8x8xf32>, tensor<8x8xf32>) outs(%x : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r, %p : tensor<3x33x17xf32>, tensor<8x8xf32>
}

// -----

// A turned input times a weight for each of nine rows (nn.MultiheadAttention): larger matrices, of one weight.
#all = affine_map<(b, k, n) -> (b, k, n)>
#weight = affine_map<(b, k, n) -> (k, n)>
// CHECK-LABEL: func.func @weight_of_turned
// CHECK-SAME: (%[[X:.*]]: tensor<2x9x48xf32>, %[[W:.*]]: tensor<48x16xf32>)
// CHECK: linalg.generic {{.*}}"reduction"]} ins(%[[X]], %[[W]] : tensor<2x9x48xf32>, tensor<48x16xf32>)
func.func @weight_of_turned(%x: tensor<2x9x48xf32>, %w: tensor<48x16xf32>) -> tensor<9x2x16xf32> {
  %zero = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<9x2x48xf32>
  %t = linalg.transpose ins(%x : tensor<2x9x48xf32>) outs(%te : tensor<9x2x48xf32>) permutation = [1, 0, 2]
  %we = tensor.empty() : tensor<9x48x16xf32>
  %ws = linalg.generic {indexing_maps = [#weight, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<48x16xf32>) outs(%we : tensor<9x48x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<9x48x16xf32>
  %e = tensor.empty() : tensor<9x2x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9x2x16xf32>) -> tensor<9x2x16xf32>
  %r = linalg.batch_matmul ins(%t, %ws : tensor<9x2x48xf32>, tensor<9x48x16xf32>) outs(%f : tensor<9x2x16xf32>) -> tensor<9x2x16xf32>
  return %r : tensor<9x2x16xf32>
}

// RUN: mmtune-opt %s --assert-sizes | FileCheck %s
// What fits and what does not is run by run_time_sizes_test. Here: what is seen to hold is not asserted.

// Sizes of the operand itself, also by way of i64, of reshapes, slices and of what is written into.
// CHECK-LABEL: func.func @as_exported(
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @as_exported(%x: tensor<?x?x16xf32>, %w: tensor<16x8xf32>) -> tensor<?x?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %x, %c0 : tensor<?x?x16xf32>
  %s = tensor.dim %x, %c1 : tensor<?x?x16xf32>
  %b64 = arith.index_cast %b : index to i64
  %s64 = arith.index_cast %s : index to i64
  %bs64 = arith.muli %s64, %b64 : i64
  %bs = arith.index_cast %bs64 : i64 to index
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x16xf32> into tensor<?x16xf32>
  %e = tensor.empty(%bs) : tensor<?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %p = linalg.matmul ins(%flat, %w : tensor<?x16xf32>, tensor<16x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  %part = tensor.extract_slice %p[0, 0] [%bs, 4] [1, 1] : tensor<?x8xf32> to tensor<?x4xf32>
  %whole = tensor.insert_slice %part into %p[0, 4] [%bs, 4] [1, 1] : tensor<?x4xf32> into tensor<?x8xf32>
  %r = tensor.expand_shape %whole [[0, 1], [2]] output_shape [%b, %s, 8] : tensor<?x8xf32> into tensor<?x?x8xf32>
  %doubled = arith.addf %r, %r : tensor<?x?x8xf32>
  return %doubled : tensor<?x?x8xf32>
}

// A multiple, and what that is divided by.
// CHECK-LABEL: func.func @multiple(
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @multiple(%x: tensor<?x8x4xf32>) -> tensor<?x8x4xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %x, %c0 : tensor<?x8x4xf32>
  %rows = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%n]
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x8x4xf32> into tensor<?x4xf32>
  %e = tensor.empty(%rows) : tensor<?x4xf32>
  %y = linalg.exp ins(%flat : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %m = arith.divsi %rows, %c8 : index
  %z = tensor.expand_shape %y [[0, 1], [2]] output_shape [%m, 8, 4] : tensor<?x4xf32> into tensor<?x8x4xf32>
  return %z : tensor<?x8x4xf32>
}

// One assertion for an operation. Kernels are left alone.
// CHECK-LABEL: func.func @product(
// CHECK-COUNT-1: cf.assert %{{.*}}, "linalg.matmul: sizes at run time do not fit"
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c1 = arith.constant 1 : index
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  gpu.launch blocks(%i, %j, %k) in (%l = %c1, %m = %c1, %n = %c1) threads(%o, %p, %q) in (%r = %c1, %s = %c1, %t = %c1) {
    linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
    gpu.terminator
  }
  return
}

// What an index can be is not known by the ends of its loops.
// CHECK-LABEL: func.func @other_indices(
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @other_indices(%a: memref<?xf32>, %c: memref<8x8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> ((i + j) mod 8)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]} ins(%a : memref<?xf32>) outs(%c : memref<8x8xf32>) {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  }
  return
}

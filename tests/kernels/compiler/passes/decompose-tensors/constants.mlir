// RUN: mmtune-opt %s --decompose-tensors --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @transposed() -> tensor<3x2xf32>
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// CHECK:         return %[[W]]
func.func @transposed() -> tensor<3x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%w : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
  return %t : tensor<3x2xf32>
}

// -----

// Three dimensions that go round, by the input's map and by the output's.
// CHECK-LABEL: func.func @rotated()
// CHECK-DAG:     arith.constant dense<{{\[\[\[}}0, 3], [1, 4], [2, 5]]]> : tensor<1x3x2xi32>
// CHECK-DAG:     arith.constant dense<{{\[\[\[}}0, 1, 2]], {{\[\[}}3, 4, 5]]]> : tensor<2x1x3xi32>
// CHECK-NOT:     linalg.generic
func.func @rotated() -> (tensor<1x3x2xi32>, tensor<2x1x3xi32>) {
  %w = arith.constant dense<[[[0, 1, 2]], [[3, 4, 5]]]> : tensor<2x1x3xi32>
  %e = tensor.empty() : tensor<1x3x2xi32>
  %t = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (c, a, b)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x1x3xi32>) outs(%e : tensor<1x3x2xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<1x3x2xi32>
  %v = arith.constant dense<[[[0, 3], [1, 4], [2, 5]]]> : tensor<1x3x2xi32>
  %f = tensor.empty() : tensor<2x1x3xi32>
  %u = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (c, a, b)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%v : tensor<1x3x2xi32>) outs(%f : tensor<2x1x3xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<2x1x3xi32>
  return %t, %u : tensor<1x3x2xi32>, tensor<2x1x3xi32>
}

// -----

// Two copies of a weight would take twice the memory.
// CHECK-LABEL: func.func @used_twice
// CHECK:         linalg.transpose
func.func @used_twice() -> (tensor<2x3xf32>, tensor<3x2xf32>) {
  %w = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%w : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
  return %w, %t : tensor<2x3xf32>, tensor<3x2xf32>
}

// -----

// CHECK-LABEL: func.func @booleans
// CHECK:         arith.constant dense<[true, false, true]> : tensor<3xi1>
func.func @booleans() -> tensor<3xi1> {
  %m = arith.constant dense_resource<mask> : tensor<3xi1>
  return %m : tensor<3xi1>
}
{-#
  dialect_resources: { builtin: { mask: "0x01000000010001" } }
#-}

// -----

// CHECK-LABEL: func.func @resource() -> tensor<2x2xf16>
// CHECK:         %[[W:.*]] = arith.constant dense_resource<[[NAME:.*]]> : tensor<2x2xf16>
// CHECK:         return %[[W]]
// CHECK:         [[NAME]]: "0x{{........}}0100030002000400"
func.func @resource() -> tensor<2x2xf16> {
  %w = arith.constant dense_resource<weight> : tensor<2x2xf16>
  %e = tensor.empty() : tensor<2x2xf16>
  %t = linalg.transpose ins(%w : tensor<2x2xf16>) outs(%e : tensor<2x2xf16>) permutation = [1, 0]
  return %t : tensor<2x2xf16>
}
{-#
  dialect_resources: { builtin: { weight: "0x020000000100020003000400" } }
#-}

// -----

// As torch-mlir writes a roll: casts hide the sizes of the parts.
// CHECK-LABEL: func.func @rolled(
// CHECK-SAME:    %[[X:.*]]: tensor<2x8xf32>
// CHECK:         tensor.extract_slice %[[X]][0, 6]
// CHECK:         tensor.extract_slice %[[X]][0, 0]
// CHECK-NOT:     tensor.insert_slice
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<2x8xf32>)
// CHECK-COUNT-2: tensor.extract %{{.*}} : tensor<2x{{[26]}}xf32>
func.func @rolled(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %a = tensor.extract_slice %x[0, 6] [2, 2] [1, 1] : tensor<2x8xf32> to tensor<2x2xf32>
  %ac = tensor.cast %a : tensor<2x2xf32> to tensor<2x?xf32>
  %b = tensor.extract_slice %x[0, 0] [2, 6] [1, 1] : tensor<2x8xf32> to tensor<2x6xf32>
  %bc = tensor.cast %b : tensor<2x6xf32> to tensor<2x?xf32>
  %y = tensor.concat dim(1) %ac, %bc : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

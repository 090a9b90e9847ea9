// RUN: mmtune-opt %s --separate-outputs --split-input-file | FileCheck %s

#id = affine_map<(m, n) -> (m, n)>

// One tensor.empty and one fill for all: each matmul gets its own, and so does an operation that only writes.
// CHECK-LABEL: func.func @shared_fill
// CHECK: %[[E2:.*]] = tensor.empty() : tensor<8x8xf32>
// CHECK: %[[E1:.*]] = tensor.empty() : tensor<8x8xf32>
// CHECK: %[[F1:.*]] = linalg.fill {{.*}} outs(%[[E1]]
// CHECK: %[[E0:.*]] = tensor.empty() : tensor<8x8xf32>
// CHECK: %[[F0:.*]] = linalg.fill {{.*}} outs(%[[E0]]
// CHECK: %[[P0:.*]] = linalg.matmul ins(%{{.*}}, %arg1 {{.*}} outs(%[[F0]]
// CHECK: %[[R0:.*]] = linalg.generic {{.*}} ins(%[[P0]] : {{.*}} outs(%[[E2]]
// CHECK: %[[P1:.*]] = linalg.matmul ins(%[[R0]], %arg2 {{.*}} outs(%[[F1]]
// CHECK: return %[[P1]]
func.func @shared_fill(%x: tensor<8x8xf32>, %w0: tensor<8x8xf32>, %w1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %zero : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%1, %w1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// What is not read is not filled in. What is filled in for others stays.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @written_only
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>, %[[N:.*]]: index)
// CHECK: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x8xf32>
// CHECK: %[[F:.*]] = linalg.fill {{.*}} outs(%[[E]]
// CHECK: %[[OWN:.*]] = tensor.empty(%[[N]]) : tensor<?x8xf32>
// CHECK: %[[R:.*]] = linalg.exp ins(%[[X]] : {{.*}} outs(%[[OWN]]
// CHECK: return %[[R]], %[[F]]
func.func @written_only(%x: tensor<?x8xf32>, %n: index) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = linalg.exp ins(%x : tensor<?x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r, %f : tensor<?x8xf32>, tensor<?x8xf32>
}

// -----

// A tensor of the caller's, or one that has contents, stays the output.
// CHECK-LABEL: func.func @contents
// CHECK-SAME: (%[[A:.*]]: tensor<8x8xf32>, %[[C:.*]]: tensor<8x8xf32>)
// CHECK: linalg.matmul {{.*}} outs(%[[C]]
// CHECK: linalg.exp {{.*}} outs(%[[C]]
func.func @contents(%a: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.exp ins(%a : tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// What a fill gave stays where elements are left out, and where a reduction may have no iterations.
// CHECK-LABEL: func.func @diagonal
// CHECK: %[[F:.*]] = linalg.fill
// CHECK: linalg.generic {{.*}} outs(%[[F]]
// CHECK-LABEL: func.func @last_of_none
// CHECK: %[[F:.*]] = linalg.fill
// CHECK: linalg.generic {{.*}} outs(%[[F]]
func.func @diagonal(%a: tensor<4xf32>) -> tensor<4x4xf32> {
  %seven = arith.constant 7.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%seven : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%f : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @last_of_none(%a: tensor<4x?xf32>) -> tensor<4xf32> {
  %seven = arith.constant 7.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%seven : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x?xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

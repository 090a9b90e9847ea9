// RUN: mmtune-opt %s --decompose-tensors --split-input-file | FileCheck %s

#column = affine_map<(a, b) -> (a, b)>

// Two results of one operation beside each other, as torch-mlir writes the places of a scatter.
// CHECK-LABEL: func.func @whole
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[TWO:.*]]:2 = linalg.generic
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<8x2xi64>)
// CHECK-DAG: tensor.extract %[[TWO]]#0
// CHECK-DAG: tensor.extract %[[TWO]]#1
// CHECK-NOT: tensor.insert_slice
func.func @whole(%zeros: tensor<8x2xi64>, %e: tensor<8x1xi64>) -> tensor<8x2xi64> {
  %two:2 = linalg.generic {indexing_maps = [#column, #column], iterator_types = ["parallel", "parallel"]} outs(%e, %e : tensor<8x1xi64>, tensor<8x1xi64>) {
  ^bb0(%x: i64, %y: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %m = arith.addi %n, %n : i64
    linalg.yield %n, %m : i64, i64
  } -> (tensor<8x1xi64>, tensor<8x1xi64>)
  %left = tensor.insert_slice %two#0 into %zeros[0, 0] [8, 1] [1, 1] : tensor<8x1xi64> into tensor<8x2xi64>
  %both = tensor.insert_slice %two#1 into %left[0, 1] [8, 1] [1, 1] : tensor<8x1xi64> into tensor<8x2xi64>
  return %both : tensor<8x2xi64>
}

// -----

// A part of the tensor stays as it was.
// CHECK-LABEL: func.func @part
// CHECK-COUNT-2: tensor.insert_slice
func.func @part(%old: tensor<8x3xf32>, %x: tensor<8x1xf32>) -> tensor<8x3xf32> {
  %e = tensor.empty() : tensor<8x1xf32>
  %n = linalg.negf ins(%x : tensor<8x1xf32>) outs(%e : tensor<8x1xf32>) -> tensor<8x1xf32>
  %left = tensor.insert_slice %n into %old[0, 0] [8, 1] [1, 1] : tensor<8x1xf32> into tensor<8x3xf32>
  %right = tensor.insert_slice %n into %left[0, 2] [8, 1] [1, 1] : tensor<8x1xf32> into tensor<8x3xf32>
  return %right : tensor<8x3xf32>
}

// -----

// A product writes its slice itself.
// CHECK-LABEL: func.func @products
// CHECK-COUNT-2: tensor.insert_slice
func.func @products(%old: tensor<8x8xf32>, %x: tensor<8x4xf32>, %y: tensor<4x4xf32>, %z: tensor<8x4xf32>) -> tensor<8x8xf32> {
  %p = linalg.matmul ins(%x, %y : tensor<8x4xf32>, tensor<4x4xf32>) outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
  %left = tensor.insert_slice %p into %old[0, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x8xf32>
  %right = tensor.insert_slice %p into %left[0, 4] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x8xf32>
  return %right : tensor<8x8xf32>
}

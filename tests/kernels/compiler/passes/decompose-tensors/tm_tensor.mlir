// RUN: mmtune-opt %s --decompose-tensors --split-input-file | FileCheck %s

// One key goes to its place in the cache of the caller, which is copied in any case.
// CHECK-LABEL: @into_an_argument
// CHECK-SAME: (%[[CACHE:.*]]: tensor<4x8x12xf32>, %[[KEY:.*]]: tensor<1x1x12xf32>, %[[PLACE:.*]]: tensor<1x2xi64>)
// CHECK-NOT: tm_tensor
// CHECK: linalg.generic {{.*}} ins(%[[CACHE]] : tensor<4x8x12xf32>)
// CHECK: ^bb0(%[[OLD:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: arith.cmpi eq, %[[I]]
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: arith.cmpi eq, %[[J]]
// CHECK: %[[HERE:.*]] = arith.andi
// CHECK: %[[K:.*]] = linalg.index 2
// CHECK: %[[NEW:.*]] = tensor.extract %[[KEY]][%{{.*}}, %{{.*}}, %[[K]]]
// CHECK: arith.select %[[HERE]], %[[NEW]], %[[OLD]]
func.func @into_an_argument(%cache: tensor<4x8x12xf32>, %key: tensor<1x1x12xf32>, %place: tensor<1x2xi64>) -> tensor<4x8x12xf32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(true) ins(%key, %place : tensor<1x1x12xf32>, tensor<1x2xi64>) outs(%cache : tensor<4x8x12xf32>) {
  ^bb0(%new: f32, %old: f32):
    tm_tensor.yield %new : f32
  } -> tensor<4x8x12xf32>
  return %0 : tensor<4x8x12xf32>
}

// -----

// In order, each combined with what the one before left.
// CHECK-LABEL: @two
// CHECK: ^bb0(%[[OLD:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[FIRST:.*]] = arith.addf %{{.*}}, %[[OLD]]
// CHECK: %[[ONE:.*]] = arith.select %{{.*}}, %[[FIRST]], %[[OLD]]
// CHECK: %[[SECOND:.*]] = arith.addf %{{.*}}, %[[ONE]]
// CHECK: %[[BOTH:.*]] = arith.select %{{.*}}, %[[SECOND]], %[[ONE]]
// CHECK: linalg.yield %[[BOTH]]
func.func @two(%x: tensor<8xf32>, %new: tensor<2x3xf32>, %place: tensor<2x1xi32>) -> tensor<8xf32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%new, %place : tensor<2x3xf32>, tensor<2x1xi32>) outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tm_tensor.yield %sum : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// What may be written in place is: an argument of which its caller says so, and what a loop carries. So is what gets many.
// CHECK-LABEL: @in_place
// CHECK-COUNT-3: tm_tensor.scatter
func.func @in_place(%x: tensor<8xf32> {bufferization.writable = true}, %y: tensor<8xf32>, %new: tensor<1xf32>, %place: tensor<1x1xi64>, %five: tensor<5xf32>, %places: tensor<5x1xi64>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%new, %place : tensor<1xf32>, tensor<1x1xi64>) outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<8xf32>
  %1 = scf.for %i = %c0 to %c2 step %c1 iter_args(%carried = %y) -> tensor<8xf32> {
    %next = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%new, %place : tensor<1xf32>, tensor<1x1xi64>) outs(%carried : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      tm_tensor.yield %a : f32
    } -> tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  %2 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%five, %places : tensor<5xf32>, tensor<5x1xi64>) outs(%y : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// What is sorted is an input; the outputs are new. What a scan's output is filled with is not read; where its accumulator
// starts the scan, that is.
// CHECK-LABEL: @apart
// CHECK: %[[SORTED:.*]] = tensor.empty
// CHECK: tm_tensor.sort dimension(0) ins(%arg0 : tensor<?xf32>) outs(%[[SORTED]] : tensor<?xf32>)
// CHECK: %[[LAST:.*]] = linalg.fill {{.*}} tensor<f32>
// CHECK: %[[OUT:.*]] = tensor.empty() : tensor<8xf32>
// CHECK: tm_tensor.scan dimension(0) inclusive(false) ins(%arg1 : tensor<8xf32>) outs(%[[OUT]], %[[LAST]] :
func.func @apart(%x: tensor<?xf32>, %y: tensor<8xf32>) -> (tensor<?xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tm_tensor.sort dimension(0) outs(%x : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %less = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %less : i1
  } -> tensor<?xf32>
  %shape = tensor.empty() : tensor<8xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%shape : tensor<8xf32>) -> tensor<8xf32>
  %one = tensor.empty() : tensor<f32>
  %last = linalg.fill ins(%zero : f32) outs(%one : tensor<f32>) -> tensor<f32>
  %1:2 = tm_tensor.scan dimension(0) inclusive(false) ins(%y : tensor<8xf32>) outs(%filled, %last : tensor<8xf32>, tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tm_tensor.yield %sum : f32
  } -> tensor<8xf32>, tensor<f32>
  return %0, %1#0 : tensor<?xf32>, tensor<8xf32>
}

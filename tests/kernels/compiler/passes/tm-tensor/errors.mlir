// RUN: mmtune-opt %s --split-input-file --verify-diagnostics

func.func @two_updates(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{needs updates and their indices as inputs, and one output}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @map(%x: tensor<4xf32>, %i: tensor<2x1xi64>, %u: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @below {{has an invalid dimension map: dimension 1 of the output does not exist or is named twice}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 1>} unique_indices(true) ins(%u, %i : tensor<2xf32>, tensor<2x1xi64>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @uncovered(%x: tensor<4x4xf32>, %i: tensor<2x1xi64>, %u: tensor<2xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{has neither indices nor updates for dimension 1 of the output}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<2xf32>, tensor<2x1xi64>) outs(%x : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @numbers(%x: tensor<4xf32>, %i: tensor<3x1xi64>, %u: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @below {{has indices of type 'tensor<3x1xi64>' for updates of type 'tensor<2xf32>'}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<2xf32>, tensor<3x1xi64>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @too_wide(%x: tensor<4x2xf32>, %i: tensor<2x1xi64>, %u: tensor<2x3xf32>) -> tensor<4x2xf32> {
  // expected-error @below {{has updates of type 'tensor<2x3xf32>' for an output of type 'tensor<4x2xf32>'}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<2x3xf32>, tensor<2x1xi64>) outs(%x : tensor<4x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func @dimension(%x: tensor<4xf32>, %y: tensor<4xf32>, %a: tensor<f32>) -> tensor<4xf32> {
  // expected-error @below {{has dimension 1, which 'tensor<4xf32>' does not have}}
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<4xf32>) outs(%y, %a : tensor<4xf32>, tensor<f32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %p : f32
  } -> tensor<4xf32>, tensor<f32>
  return %0#0 : tensor<4xf32>
}

// -----

func.func @accumulator(%x: tensor<4x3xf32>, %y: tensor<4x3xf32>, %a: tensor<3xf32>) -> tensor<4x3xf32> {
  // expected-error @below {{has an output of type 'tensor<3xf32>' for an input of type 'tensor<4x3xf32>'}}
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<4x3xf32>) outs(%y, %a : tensor<4x3xf32>, tensor<3xf32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %p : f32
  } -> tensor<4x3xf32>, tensor<3xf32>
  return %0#0 : tensor<4x3xf32>
}

// -----

func.func @region(%x: tensor<4xf32>, %y: tensor<4xi32>) -> tensor<4xf32> {
  // expected-error @below {{has a region with arguments of type 'f32', 'f32', not 'f32', 'f32', 'i32', 'i32'}}
  %0:2 = tm_tensor.sort dimension(0) outs(%x, %y : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %1 : i1
  } -> tensor<4xf32>, tensor<4xi32>
  return %0#0 : tensor<4xf32>
}

// -----

func.func @no_condition(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{has a region that does not yield one value of type 'i1'}}
  %0 = tm_tensor.sort dimension(0) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @shapes(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4xf32> {
  // expected-error @below {{has operands of different shapes: 'tensor<5xf32>' and 'tensor<4xf32>'}}
  %0:2 = tm_tensor.sort dimension(0) outs(%x, %y : tensor<4xf32>, tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %1 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %1 : i1
  } -> tensor<4xf32>, tensor<5xf32>
  return %0#0 : tensor<4xf32>
}

// -----

func.func @reads(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tm_tensor.sort dimension(0) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    // expected-error @below {{in a region of tm_tensor, which may only compute with elements}}
    %1 = tensor.extract %y[%c0] : tensor<4xf32>
    %2 = arith.cmpf ole, %1, %b : f32
    tm_tensor.yield %2 : i1
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @mixed(%x: tensor<4xf32>, %y: memref<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{must have only tensors or only buffers as operands}}
  %0 = tm_tensor.sort dimension(0) ins(%y : memref<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %1 : i1
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

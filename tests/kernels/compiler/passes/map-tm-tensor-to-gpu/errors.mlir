// RUN: mmtune-opt %s --map-tm-tensor-to-gpu --split-input-file --verify-diagnostics

func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{has operands that are tensors; bufferize first (bufferize-tensors)}}
  %0 = tm_tensor.sort dimension(0) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %1 : i1
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @in_place(%x: memref<4xf32>) {
  // expected-error @below {{sorts in place, but GPU threads need another buffer for the result: sort a tensor}}
  tm_tensor.sort dimension(0) outs(%x : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %1 : i1
  }
  return
}

// -----

func.func @wide(%x: memref<4xi128>, %y: memref<4xi128>, %a: memref<i128>) {
  // expected-error @below {{device code cannot have elements of type 'i128'}}
  tm_tensor.scan dimension(0) inclusive(true) ins(%x : memref<4xi128>) outs(%y, %a : memref<4xi128>, memref<i128>) {
  ^bb0(%p: i128, %q: i128):
    %0 = arith.addi %p, %q : i128
    tm_tensor.yield %0 : i128
  }
  return
}

// RUN: mmtune-opt %s --map-linalg-to-gpu --split-input-file --verify-diagnostics

func.func @one_thread(%a: memref<8xf32>, %sum: memref<f32>) {
  // expected-remark @below {{the operation has only reduction iterators, so that it runs on one thread}}
  linalg.reduce { arith.addf } ins(%a : memref<8xf32>) outs(%sum : memref<f32>) dimensions = [0]
  return
}

// -----

func.func @tensors(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{has operands that are tensors; bufferize first}}
  %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @complex(%a: memref<8xcomplex<f32>>, %b: memref<8xcomplex<f32>>) {
  // expected-error @below {{device code cannot have elements of type 'complex<f32>'}}
  linalg.copy ins(%a : memref<8xcomplex<f32>>) outs(%b : memref<8xcomplex<f32>>)
  return
}

// -----

func.func @wide(%a: memref<8xi64>) {
  // expected-error @below {{device code cannot have values of type 'i128', as 'arith.extsi' in its body has}}
  linalg.map ins(%a : memref<8xi64>) outs(%a : memref<8xi64>)
    (%x: i64, %y: i64) {
      %0 = arith.extsi %x : i64 to i128
      %1 = arith.trunci %0 : i128 to i64
      linalg.yield %1 : i64
    }
  return
}

// -----

func.func @no_body(%a: memref<2x8xf32>, %b: memref<2x8xf32>) {
  // expected-error @below {{has no body for threads to execute: decompose it first}}
  linalg.softmax dimension(1) ins(%a : memref<2x8xf32>) outs(%b : memref<2x8xf32>)
  return
}

// RUN: mmtune-opt %s --pass-pipeline="builtin.module(gpu.module(lower-kernel-linalg))" --split-input-file --verify-diagnostics

gpu.module @kernels {
  gpu.func @bodyless(%a: memref<2x8xf32>, %b: memref<2x8xf32>) kernel {
    // expected-error @below {{cannot be loops in a kernel: use an operation with a body, on memrefs}}
    linalg.softmax dimension(1) ins(%a : memref<2x8xf32>) outs(%b : memref<2x8xf32>)
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @tensors(%a: memref<8xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    // expected-error @below {{cannot be loops in a kernel}}
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    gpu.return
  }
}

// RUN: mmtune-opt %s --pass-pipeline="builtin.module(gpu.module(lower-kernel-linalg))" | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @product
  // CHECK-COUNT-3: scf.for
  // CHECK:         arith.mulf
  // CHECK-NOT:     linalg
  gpu.func @product(%a: memref<16x4xf32>, %b: memref<4x8xf32>, %c: memref<16x8xf32>) kernel {
    linalg.matmul ins(%a, %b : memref<16x4xf32>, memref<4x8xf32>) outs(%c : memref<16x8xf32>)
    gpu.return
  }
}

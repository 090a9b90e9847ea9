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

gpu.module @copies {
  // A function of the host would copy it.
  // CHECK-LABEL: gpu.func @strided
  // CHECK:         scf.for
  // CHECK:         memref.load %arg0
  // CHECK:         memref.store %{{.*}}, %arg1
  // CHECK-NOT:     memref.copy
  // CHECK:         gpu.return
  gpu.func @strided(%a: memref<8xf32, strided<[?], offset: ?>>, %b: memref<8xf32>) kernel {
    memref.copy %a, %b : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @dense
  // CHECK:         memref.copy
  gpu.func @dense(%a: memref<8xf32>, %b: memref<8xf32>) kernel {
    memref.copy %a, %b : memref<8xf32> to memref<8xf32>
    gpu.return
  }
}

// RUN: mmtune-opt %s --mmtune-host-to-llvm --split-input-file --verify-diagnostics

func.func @strided(%a: memref<4xf32, strided<[2]>>, %v: f32) {
  %t = gpu.wait async
  // expected-error @below {{'gpu.memset' in host code has no lowering here for these types: use dense memrefs}}
  %u = gpu.memset async [%t] %a, %v : memref<4xf32, strided<[2]>>, f32
  gpu.wait [%u]
  return
}

// -----

func.func @dma(%a: memref<4xf32>, %n: index, %tag: memref<1xi32>) {
  // expected-error @below {{'memref.dma_start' in host code has no lowering here}}
  memref.dma_start %a[%n], %a[%n], %n, %tag[%n] : memref<4xf32>, memref<4xf32>, memref<1xi32>
  return
}

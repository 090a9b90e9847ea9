// RUN: mmtune-opt %s \
// RUN:   --pass-pipeline='builtin.module(map-linalg-to-gpu,gpu-kernel-outlining,gpu.module(convert-scf-to-cf,convert-gpu-to-nvvm))' \
// RUN:   | FileCheck %s

// Descriptors, not bare pointers: buffers with dynamic sizes and strides arrive whole.
// CHECK: gpu.launch_func @strided_kernel::@strided_kernel
// CHECK: llvm.func @strided_kernel(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64
// CHECK-NOT: memref
// CHECK-NOT: unrealized_conversion_cast
func.func @strided(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<?x?xf32>) {
  linalg.copy ins(%a : memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%b : memref<?x?xf32>)
  return
}

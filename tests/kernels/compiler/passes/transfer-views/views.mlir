// RUN: mmtune-opt %s --pass-pipeline='builtin.module(func.func(linearize-gpu-tokens),transfer-views)' | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(func.func(linearize-gpu-tokens),mmtune-host-to-llvm)' | FileCheck %s --check-prefix=LLVM
// Values are compared by CompileCasesTest and the fuzzer of convert-memcpy-to-gpu.

// Both descriptors go with the copy. The token of what came before is that of the copy, too.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[X:.*]]: memref<2x8xf16>) {
// CHECK:         %[[DEVICE:.*]], %[[TOKEN:.*]] = gpu.alloc async
// CHECK:         %[[PART:.*]] = memref.subview %[[DEVICE]]
// CHECK:         %[[STACK:.*]] = llvm.intr.stacksave
// CHECK:         %[[RANK:.*]] = llvm.mlir.constant(2 : i64)
// CHECK:         memref.cast %[[PART]] : {{.*}} to memref<*xf16>
// CHECK:         %[[TO:.*]] = llvm.extractvalue
// CHECK:         memref.cast %[[X]] : memref<2x8xf16> to memref<*xf16>
// CHECK:         %[[FROM:.*]] = llvm.extractvalue
// CHECK:         %[[STREAM:.*]] = builtin.unrealized_conversion_cast %[[TOKEN]] : !gpu.async.token to !llvm.ptr
// CHECK:         llvm.call @mgpuMemcpyMemRef(%[[RANK]], %[[TO]], %[[FROM]], %{{.*}}, %[[STREAM]])
// CHECK:         llvm.intr.stackrestore %[[STACK]]
// CHECK:         gpu.dealloc async [%[[TOKEN]]] %[[DEVICE]]
// LLVM-LABEL:  llvm.func internal @mmtune.rows(
// LLVM:          llvm.call @mgpuMemcpyMemRef(
// LLVM-NOT:      unrealized_conversion_cast
func.func @rows(%x: memref<2x8xf16>) {
  %device = gpu.alloc () : memref<6x8xf16>
  %part = memref.subview %device[3, 0] [2, 8] [1, 1] : memref<6x8xf16> to memref<2x8xf16, strided<[8, 1], offset: 24>>
  gpu.memcpy %part, %x : memref<2x8xf16, strided<[8, 1], offset: 24>>, memref<2x8xf16>
  gpu.dealloc %device : memref<6x8xf16>
  return
}

// What gpu-to-llvm does rightly is left to it.
// CHECK-LABEL: func.func @dense(
// CHECK-NOT:     mgpuMemcpyMemRef
// CHECK:         gpu.memcpy async
func.func @dense(%x: memref<?xf32>, %n: index) {
  %device = gpu.alloc (%n) : memref<?xf32>
  gpu.memcpy %device, %x : memref<?xf32>, memref<?xf32>
  gpu.dealloc %device : memref<?xf32>
  return
}

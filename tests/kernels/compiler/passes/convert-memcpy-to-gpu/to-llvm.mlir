// What the pass makes lowers to the runtime's calls, with a kernel as the families emit it.
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(convert-memcpy-to-gpu,func.func(linearize-gpu-tokens),gpu-to-llvm{use-bare-pointers-for-kernels=1},reconcile-unrealized-casts)' \
// RUN:   | FileCheck %s
// RUN: mmtune-opt %s --pass-pipeline='builtin.module(convert-memcpy-to-gpu,func.func(gpu-async-region,linearize-gpu-tokens),gpu-to-llvm{use-bare-pointers-for-kernels=1},reconcile-unrealized-casts)' \
// RUN:   | FileCheck %s --check-prefix=REGION

// CHECK-LABEL: llvm.func @matmul(
// CHECK:       %[[STREAM:.*]] = llvm.call @mgpuStreamCreate()
// CHECK:       %[[A:.*]] = llvm.call @mgpuMemAlloc(%{{.*}}, %[[STREAM]],
// CHECK:       llvm.call @mgpuMemcpy(%{{.*}}, %{{.*}}, %{{.*}}, %[[STREAM]])
// CHECK:       %[[B:.*]] = llvm.call @mgpuMemAlloc(%{{.*}}, %[[STREAM]],
// CHECK:       llvm.call @mgpuMemcpy(
// CHECK:       %[[C:.*]] = llvm.call @mgpuMemAlloc(%{{.*}}, %[[STREAM]],
// CHECK:       gpu.launch_func <%[[STREAM]] : !llvm.ptr> @kernels::@gemm
// CHECK-SAME:    : i64 dynamic_shared_memory_size %{{.*}} args(%{{.*}} : !llvm.ptr, %{{.*}} : !llvm.ptr, %{{.*}} : !llvm.ptr)
// CHECK-COUNT-2: llvm.call @mgpuMemFree(
// CHECK:       llvm.call @malloc
// CHECK:       llvm.call @mgpuMemcpy(
// CHECK:       llvm.call @mgpuMemFree(
// CHECK:       llvm.call @mgpuStreamSynchronize(%[[STREAM]])
// CHECK:       llvm.call @mgpuStreamDestroy(%[[STREAM]])
// CHECK-NOT:   llvm.call @mgpu
// CHECK:       llvm.func @_mlir_ciface_matmul(
// CHECK-NOT:   unrealized_conversion_cast

// REGION-LABEL: llvm.func @matmul(
// REGION:       gpu.launch_func <
// REGION-NOT:   unrealized_conversion_cast

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @gemm(%a: !llvm.ptr {llvm.noalias, llvm.readonly}, %b: !llvm.ptr {llvm.noalias, llvm.readonly},
                    %c: !llvm.ptr {llvm.noalias})
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>} {
      llvm.return
    }
  }
  func.func @matmul(%a: memref<256x96xf32>, %b: memref<96x192xf32>) -> memref<256x192xf32>
      attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %bytes = arith.constant 55296 : i32
    %c = memref.alloc() {alignment = 64 : i64} : memref<256x192xf32>
    gpu.launch_func @kernels::@gemm blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)
        dynamic_shared_memory_size %bytes
        args(%a : memref<256x96xf32>, %b : memref<96x192xf32>, %c : memref<256x192xf32>)
    return %c : memref<256x192xf32>
  }
}

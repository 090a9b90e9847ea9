// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm,replace-libdevice-calls,reconcile-unrealized-casts,convert-nvvm-to-simt))' | FileCheck %s

// Mathematical functions stay calls of what a GPU's code is linked with, too: without the thread's context.
// CHECK-LABEL: gpu.module @kernels
// CHECK-DAG:   llvm.func @__nv_erff(f32) -> f32
// CHECK-LABEL: llvm.func internal @kernel(
// CHECK:       llvm.call @__nv_expf(%{{[^,]*}}) : (f32) -> f32
// CHECK:       llvm.call_intrinsic "llvm.sqrt.f32"
// CHECK:       llvm.call @__nv_erff(%{{[^,]*}}) : (f32) -> f32
// CHECK:       llvm.call @__nv_powf(%{{[^,]*}}, %{{[^,]*}}) : (f32, f32) -> f32
gpu.module @kernels {
  gpu.func @kernel(%x: memref<?xf32>) kernel {
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<?xf32>
    %1 = math.exp %0 : f32
    %2 = math.sqrt %1 : f32
    %3 = math.erf %2 : f32
    %4 = math.powf %3, %0 : f32
    memref.store %4, %x[%i] : memref<?xf32>
    gpu.return
  }
}

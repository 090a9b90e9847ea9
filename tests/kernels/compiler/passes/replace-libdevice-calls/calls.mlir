// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm,replace-libdevice-calls))' | FileCheck %s

// What PTX has instructions for, which round as IEEE 754 says. The rest is linked when code is generated.
// CHECK-LABEL: gpu.module @kernels
// CHECK-DAG:   llvm.func @__nv_fmodf(f32, f32) -> f32
// CHECK-DAG:   llvm.func @__nv_exp(f64) -> f64
// CHECK-NOT:   llvm.func @__nv_
// CHECK:       llvm.func @kernel(
// CHECK:       llvm.call_intrinsic "llvm.sqrt.f32"
// CHECK:       llvm.call_intrinsic "llvm.fabs.f32"
// CHECK:       llvm.call_intrinsic "llvm.fma.f32"
// CHECK:       %[[ROOT:.*]] = llvm.call_intrinsic "llvm.sqrt.f32"
// CHECK:       llvm.fdiv %{{.*}}, %[[ROOT]]
// CHECK:       llvm.call @__nv_fmodf
// CHECK:       llvm.call_intrinsic "llvm.rint.f64"
// CHECK:       llvm.call @__nv_exp(
// CHECK:       "llvm.intr.abs"
// CHECK:       "llvm.intr.is.fpclass"(%{{.*}}) <{bit = 3 : i32}>
// CHECK-NOT:   llvm.call @__nv_
gpu.module @kernels {
  gpu.func @kernel(%x: memref<?xf32>, %y: memref<?xf64>, %z: memref<?xi32>, %b: memref<?xi1>) kernel {
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<?xf32>
    %1 = math.sqrt %0 : f32
    %2 = math.absf %1 : f32
    %3 = math.fma %2, %1, %0 : f32
    %4 = math.rsqrt %3 : f32
    %5 = arith.remf %4, %0 : f32
    memref.store %5, %x[%i] : memref<?xf32>
    %d = memref.load %y[%i] : memref<?xf64>
    %e = math.roundeven %d : f64
    %f = math.exp %e : f64
    memref.store %f, %y[%i] : memref<?xf64>
    %n = memref.load %z[%i] : memref<?xi32>
    %abs = math.absi %n : i32
    memref.store %abs, %z[%i] : memref<?xi32>
    %nan = math.isnan %0 : f32
    memref.store %nan, %b[%i] : memref<?xi1>
    gpu.return
  }
}

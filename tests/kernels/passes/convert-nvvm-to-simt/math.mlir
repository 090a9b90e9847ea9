// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm,reconcile-unrealized-casts,convert-nvvm-to-simt))' --split-input-file \
// RUN:   --verify-diagnostics | FileCheck %s

// What convert-gpu-to-nvvm gets from libdevice comes from LLVM or the host's math library.
// CHECK-LABEL: gpu.module @kernels
// CHECK-NOT:   __nv_
// CHECK-DAG:   llvm.func @erff(f32) -> f32
// CHECK-DAG:   llvm.func @log1p(f64) -> f64
// CHECK-NOT:   __nv_
// CHECK-LABEL: llvm.func internal @kernel(
// CHECK:       llvm.call_intrinsic "llvm.exp.f32"
// CHECK:       llvm.call_intrinsic "llvm.tanh.f32"
// CHECK:       llvm.call_intrinsic "llvm.sqrt.f32"
// CHECK:       llvm.call @erff(%{{.*}}) : (f32) -> f32
// CHECK:       %[[ROOT:.*]] = llvm.call_intrinsic "llvm.sqrt.f32"
// CHECK:       llvm.fdiv %{{.*}}, %[[ROOT]]
// CHECK:       llvm.call_intrinsic "llvm.pow.f32"
// CHECK:       llvm.frem
// CHECK:       llvm.call_intrinsic "llvm.exp.f32"
// CHECK:       llvm.call_intrinsic "llvm.rint.f32"
// CHECK:       llvm.sitofp
// CHECK:       llvm.call_intrinsic "llvm.pow.f32"
// CHECK:       llvm.call_intrinsic "llvm.exp.f64"
// CHECK:       llvm.call @log1p(%{{.*}}) : (f64) -> f64
// CHECK:       "llvm.intr.abs"
// CHECK:       "llvm.intr.is.fpclass"(%{{.*}}) <{bit = 3 : i32}>
// CHECK-NOT:   __nv_
gpu.module @kernels {
  gpu.func @kernel(%x: memref<?xf32>, %y: memref<?xf64>, %z: memref<?xi32>, %b: memref<?xi1>) kernel {
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<?xf32>
    %n = memref.load %z[%i] : memref<?xi32>
    %1 = math.exp %0 : f32
    %2 = math.tanh %1 : f32
    %3 = math.sqrt %2 : f32
    %4 = math.erf %3 : f32
    %5 = math.rsqrt %4 : f32
    %6 = math.powf %5, %0 : f32
    %7 = arith.remf %6, %0 : f32
    %8 = math.exp %7 fastmath<fast> : f32
    %9 = math.roundeven %8 : f32
    %10 = math.fpowi %9, %n : f32, i32
    memref.store %10, %x[%i] : memref<?xf32>
    %d = memref.load %y[%i] : memref<?xf64>
    %e = math.exp %d : f64
    %f = math.log1p %e : f64
    memref.store %f, %y[%i] : memref<?xf64>
    %abs = math.absi %n : i32
    memref.store %abs, %z[%i] : memref<?xi32>
    %nan = math.isnan %0 : f32
    memref.store %nan, %b[%i] : memref<?xi1>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @__nv_unheard_of(f32) -> f32
  llvm.func @kernel(%x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %0 = llvm.load %x : !llvm.ptr -> f32
    // expected-error @below {{a call of '__nv_unheard_of', which is no function that a host's math library has, is not supported on the SIMT device}}
    %1 = llvm.call @__nv_unheard_of(%0) : (f32) -> f32
    llvm.store %1, %x : f32, !llvm.ptr
    llvm.return
  }
}

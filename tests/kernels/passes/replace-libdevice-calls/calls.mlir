// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm,replace-libdevice-calls))' --split-input-file \
// RUN:   --verify-diagnostics | FileCheck %s

// CHECK-LABEL: gpu.module @kernels
// CHECK-NOT:   __nv_
// CHECK:       llvm.call_intrinsic "llvm.sqrt.f32"
// CHECK:       llvm.call_intrinsic "llvm.fabs.f32"
// CHECK:       llvm.call_intrinsic "llvm.fma.f32"
// CHECK:       %[[ROOT:.*]] = llvm.call_intrinsic "llvm.sqrt.f32"
// CHECK:       llvm.fdiv %{{.*}}, %[[ROOT]]
// CHECK:       llvm.frem
// CHECK:       llvm.call_intrinsic "llvm.rint.f64"
// CHECK-NOT:   __nv_
gpu.module @kernels {
  gpu.func @kernel(%x: memref<?xf32>, %y: memref<?xf64>) kernel {
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
    memref.store %e, %y[%i] : memref<?xf64>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @__nv_erff(f32) -> f32
  llvm.func @__nv_expf(f32) -> f32
  llvm.func @kernel(%x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %0 = llvm.load %x : !llvm.ptr -> f32
    // expected-error @below {{a call of '__nv_expf', which is part of libdevice and has no instruction in PTX}}
    %1 = llvm.call @__nv_expf(%0) : (f32) -> f32
    // expected-error @below {{a call of '__nv_erff', which is part of libdevice and has no instruction in PTX}}
    %2 = llvm.call @__nv_erff(%1) : (f32) -> f32
    llvm.store %2, %x : f32, !llvm.ptr
    llvm.return
  }
}

// RUN: mmtune-opt %s --pass-pipeline='builtin.module(gpu.module(expand-kernel-ops{ptx-math=true}))' --split-input-file --verify-diagnostics

gpu.module @kernels {
  gpu.func @kernel(%x: memref<?xf64>) kernel {
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<?xf64>
    // expected-error @below {{'math.exp' op has neither an instruction nor an approximation for 'f64' in PTX: use f32, or compute it on the host}}
    %1 = math.exp %0 : f64
    // expected-error @below {{'math.sin' op has neither an instruction nor an approximation for 'f64' in PTX: use f32, or compute it on the host}}
    %2 = math.sin %1 : f64
    memref.store %2, %x[%i] : memref<?xf64>
    gpu.return
  }
}

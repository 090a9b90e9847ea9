// RUN: mmtune-opt %s --mmtune-gpu-to-binary --split-input-file --verify-diagnostics
// RUN: mmtune-opt %s --mmtune-gpu-to-binary="arch=sm_80" --split-input-file --verify-diagnostics

gpu.module @kernels {
  gpu.func @transfer(%in: memref<64xf32>, %out: memref<64xf32>) kernel {
    %x = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    // expected-error @below {{'vector.transfer_read' in a kernel has no lowering here}}
    %v = vector.transfer_read %in[%x], %zero : memref<64xf32>, vector<4xf32>
    // expected-error @below {{'vector.transfer_write' in a kernel has no lowering here}}
    vector.transfer_write %v, %out[%x] : vector<4xf32>, memref<64xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @print(%in: memref<64xf32>) kernel {
    %x = gpu.thread_id x
    %v = memref.load %in[%x] : memref<64xf32>
    // expected-error @below {{'vector.print' in a kernel has no lowering here: it prints on the host; store the value}}
    vector.print %v : f32
    gpu.return
  }
}

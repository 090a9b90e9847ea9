// RUN: mmtune-opt %s --mmtune-gpu-to-binary --split-input-file --verify-diagnostics
// RUN: mmtune-opt %s --mmtune-gpu-to-binary="arch=sm_80" --split-input-file --verify-diagnostics

gpu.module @kernels {
  gpu.func @reduce(%in: memref<64xvector<4x4xf32>>, %out: memref<64xvector<4x4xf32>>) kernel {
    %x = gpu.thread_id x
    %v = memref.load %in[%x] : memref<64xvector<4x4xf32>>
    %zero = arith.constant dense<0.0> : vector<4xf32>
    // expected-error @below {{'vector.multi_reduction' in a kernel has no lowering here}}
    %sums = vector.multi_reduction <add>, %v, %zero [1] : vector<4x4xf32> to vector<4xf32>
    // expected-error @below {{'vector.outerproduct' in a kernel has no lowering here}}
    %w = vector.outerproduct %sums, %sums : vector<4xf32>, vector<4xf32>
    memref.store %w, %out[%x] : memref<64xvector<4x4xf32>>
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

// -----

gpu.module @kernels {
  // expected-error @below {{a constant or global of 4398046511104 bytes is too large for an object file, which allows 2147483647 bytes: pass it as an argument, or compute it}}
  memref.global "private" constant @ones : memref<1048576x1048576xf32> = dense<1.0>
  gpu.func @load(%out: memref<32xf32>) kernel {
    %x = gpu.thread_id x
    %ones = memref.get_global @ones : memref<1048576x1048576xf32>
    %v = memref.load %ones[%x, %x] : memref<1048576x1048576xf32>
    memref.store %v, %out[%x] : memref<32xf32>
    gpu.return
  }
}

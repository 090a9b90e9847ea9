// RUN: mmtune-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(expand-kernel-ops))' --verify-diagnostics

gpu.module @kernels {
  gpu.func @wide(%out: memref<1xf32>, %v: f32) kernel {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 64 : i32
    // expected-error @below {{a shuffle over 64 lanes: a warp has 32}}
    %w, %valid = gpu.shuffle xor %v, %one, %width : f32
    memref.store %w, %out[%zero] : memref<1xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @sums(%a: vector<4x2xbf16>, %b: vector<2x2xbf16>, %c: vector<2x2xbf16>, %out: memref<1xvector<2x2xbf16>>) kernel {
    %zero = arith.constant 0 : index
    // expected-error @below {{nvgpu.mma.sync of bf16 must accumulate in f32, not in 'bf16'}}
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xbf16>) -> vector<2x2xbf16>
    memref.store %d, %out[%zero] : memref<1xvector<2x2xbf16>>
    gpu.return
  }
}

// An intrinsic of NVVM that the SIMT device has no model of.
gpu.module @kernels {
  gpu.func @power(%in: memref<64xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.thread_id x
    %value = memref.load %in[%x] : memref<64xf32>
    // 2 to the power of the value.
    %power = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f"(%value) : (f32) -> f32
    memref.store %power, %out[%x] : memref<64xf32>
    gpu.return
  }
}

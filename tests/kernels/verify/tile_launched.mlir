// The right kernel, launched by a function.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @tile(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>)
        workgroup(%tile_a: memref<16x16xf32, #gpu.address_space<workgroup>>,
                  %tile_b: memref<16x16xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 16, 16, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %extent = arith.constant 16 : index
      %nothing = arith.constant 0.0 : f32
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %value_a = memref.load %a[%y, %x] : memref<16x16xf32>
      %value_b = memref.load %b[%y, %x] : memref<16x16xf32>
      memref.store %value_a, %tile_a[%y, %x] : memref<16x16xf32, #gpu.address_space<workgroup>>
      memref.store %value_b, %tile_b[%y, %x] : memref<16x16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %sum = scf.for %k = %zero to %extent step %one iter_args(%total = %nothing) -> (f32) {
        %v_a = memref.load %tile_a[%y, %k] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %v_b = memref.load %tile_b[%k, %x] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %product = arith.mulf %v_a, %v_b : f32
        %after = arith.addf %total, %product : f32
        scf.yield %after : f32
      }
      memref.store %sum, %c[%y, %x] : memref<16x16xf32>
      gpu.return
    }
  }

  func.func @multiply(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    gpu.launch_func @kernels::@tile blocks in (%c1, %c1, %c1) threads in (%c16, %c16, %c1)
        args(%a : memref<16x16xf32>, %b : memref<16x16xf32>, %c : memref<16x16xf32>)
    return
  }
}

// An asynchronous copy, ldmatrix and mma.sync, written in nvgpu: C of the first kernel is right, the second does not wait for its copy.
gpu.module @kernels {
  gpu.func @mma(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %c: memref<16x8xf32>)
      workgroup(%sa: memref<16x16xf16, #gpu.address_space<workgroup>>, %sb: memref<16x8xf16, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %x = gpu.thread_id x
    %r = arith.divui %x, %c2 : index
    %h = arith.remui %x, %c2 : index
    %col = arith.muli %h, %c8 : index
    %t0 = nvgpu.device_async_copy %a[%r, %col], %sa[%r, %col], 8 {bypassL1} : memref<16x16xf16> to memref<16x16xf16, #gpu.address_space<workgroup>>
    %in = arith.cmpi ult, %x, %c16 : index
    scf.if %in {
      %v = vector.load %b[%x, %c0] : memref<16x8xf16>, vector<8xf16>
      vector.store %v, %sb[%x, %c0] : memref<16x8xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    }
    %g = nvgpu.device_async_create_group %t0
    nvgpu.device_async_wait %g {numGroups = 0 : i32}
    gpu.barrier
    %row = arith.remui %x, %c16 : index
    %half = arith.divui %x, %c16 : index
    %acol = arith.muli %half, %c8 : index
    %fa = nvgpu.ldmatrix %sa[%row, %acol] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
    %fb = nvgpu.ldmatrix %sb[%row, %c0] {numTiles = 2 : i32, transpose = true} : memref<16x8xf16, #gpu.address_space<workgroup>> -> vector<2x2xf16>
    %zero = arith.constant dense<0.0> : vector<2x2xf32>
    %d = nvgpu.mma.sync (%fa, %fb, %zero) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %quad = arith.divui %x, %c4 : index
    %lane = arith.remui %x, %c4 : index
    %dcol = arith.muli %lane, %c2 : index
    %lower = arith.addi %quad, %c8 : index
    %d0 = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    %d1 = vector.extract %d[1] : vector<2xf32> from vector<2x2xf32>
    vector.store %d0, %c[%quad, %dcol] : memref<16x8xf32>, vector<2xf32>
    vector.store %d1, %c[%lower, %dcol] : memref<16x8xf32>, vector<2xf32>
    gpu.return
  }
  gpu.func @mma_without_wait(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %c: memref<16x8xf32>)
      workgroup(%sa: memref<16x16xf16, #gpu.address_space<workgroup>>, %sb: memref<16x8xf16, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %x = gpu.thread_id x
    %r = arith.divui %x, %c2 : index
    %h = arith.remui %x, %c2 : index
    %col = arith.muli %h, %c8 : index
    %t0 = nvgpu.device_async_copy %a[%r, %col], %sa[%r, %col], 8 {bypassL1} : memref<16x16xf16> to memref<16x16xf16, #gpu.address_space<workgroup>>
    %in = arith.cmpi ult, %x, %c16 : index
    scf.if %in {
      %v = vector.load %b[%x, %c0] : memref<16x8xf16>, vector<8xf16>
      vector.store %v, %sb[%x, %c0] : memref<16x8xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    }
    %g = nvgpu.device_async_create_group %t0
    gpu.barrier
    %row = arith.remui %x, %c16 : index
    %half = arith.divui %x, %c16 : index
    %acol = arith.muli %half, %c8 : index
    %fa = nvgpu.ldmatrix %sa[%row, %acol] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
    %fb = nvgpu.ldmatrix %sb[%row, %c0] {numTiles = 2 : i32, transpose = true} : memref<16x8xf16, #gpu.address_space<workgroup>> -> vector<2x2xf16>
    %zero = arith.constant dense<0.0> : vector<2x2xf32>
    %d = nvgpu.mma.sync (%fa, %fb, %zero) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %quad = arith.divui %x, %c4 : index
    %lane = arith.remui %x, %c4 : index
    %dcol = arith.muli %lane, %c2 : index
    %lower = arith.addi %quad, %c8 : index
    %d0 = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    %d1 = vector.extract %d[1] : vector<2xf32> from vector<2x2xf32>
    vector.store %d0, %c[%quad, %dcol] : memref<16x8xf32>, vector<2xf32>
    vector.store %d1, %c[%lower, %dcol] : memref<16x8xf32>, vector<2xf32>
    gpu.return
  }
}

// Transfers of vectors in a kernel: into shared memory and back, past the end, transposed, along columns, masked.
func.func @main(%x: memref<40x7xf32>, %y: memref<40x7xf32>, %d: memref<?x?xf32>, %t: memref<7x40xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant -1.0 : f32
  gpu.launch blocks(%bx,%by,%bz) in (%gx=%c1,%gy=%c1,%gz=%c1) threads(%tx,%ty,%tz) in (%sx=%c10,%sy=%c1,%sz=%c1)
      workgroup(%s: memref<40x8xf32, #gpu.address_space<workgroup>>) {
    %r = arith.muli %tx, %c4 : index
    %v = vector.transfer_read %x[%r, %c0], %pad : memref<40x7xf32>, vector<4x8xf32>
    vector.transfer_write %v, %s[%r, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<40x8xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %u = vector.transfer_read %s[%r, %c0], %pad {in_bounds = [true, true]} : memref<40x8xf32, #gpu.address_space<workgroup>>, vector<4x8xf32>
    %two = arith.addf %u, %u : vector<4x8xf32>
    vector.transfer_write %two, %y[%r, %c0] : vector<4x8xf32>, memref<40x7xf32>
    vector.transfer_write %two, %d[%r, %c0] : vector<4x8xf32>, memref<?x?xf32>
    %h = arith.truncf %two : vector<4x8xf32> to vector<4x8xf16>
    vector.transfer_write %h, %t[%c0, %r] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf16>, memref<7x40xf16>
    %row = vector.transfer_read %x[%r, %c0], %pad {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<40x7xf32>, vector<3xf32>
    %m = vector.create_mask %c1 : vector<3xi1>
    vector.transfer_write %row, %y[%r, %c0], %m {permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<3xf32>, memref<40x7xf32>
    gpu.terminator
  }
  return
}

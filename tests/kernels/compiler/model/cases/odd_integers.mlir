// Constants whose elements are larger in memory than their bits.
memref.global "private" constant @i24 : memref<8xi24> = dense<[1, 2, 3, 4, 5, 6, 7, -8]>
memref.global "private" constant @i40 : memref<8xi40> = dense<[8, 7, 6, 5, 4, 3, 2, -1]>
func.func @f(%a: memref<8xi32>, %b: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %w = memref.get_global @i24 : memref<8xi24>
  %v = memref.get_global @i40 : memref<8xi40>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1)  {
    %0 = memref.load %w[%tx] : memref<8xi24>
    %1 = memref.load %v[%tx] : memref<8xi40>
    %2 = arith.extsi %0 : i24 to i32
    %3 = arith.trunci %1 : i40 to i32
    memref.store %2, %a[%tx] : memref<8xi32>
    memref.store %3, %b[%tx] : memref<8xi32>
    gpu.terminator
  }
  return
}

// Warps of a block of three dimensions, the last of them not full.
func.func @main(%ids: memref<90xi32>, %counts: memref<90xi32>, %sizes: memref<90xi32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1) threads(%x, %y, %z) in (%w = %c6, %h = %c5, %t = %c3) {
    %zh = arith.muli %z, %h : index
    %zy = arith.addi %zh, %y : index
    %row = arith.muli %zy, %w : index
    %thread = arith.addi %row, %x : index
    %id = gpu.subgroup_id : index
    %count = gpu.num_subgroups : index
    %size = gpu.subgroup_size : index
    %i = arith.index_cast %id : index to i32
    %n = arith.index_cast %count : index to i32
    %s = arith.index_cast %size : index to i32
    memref.store %i, %ids[%thread] : memref<90xi32>
    memref.store %n, %counts[%thread] : memref<90xi32>
    memref.store %s, %sizes[%thread] : memref<90xi32>
    gpu.terminator
  }
  return
}

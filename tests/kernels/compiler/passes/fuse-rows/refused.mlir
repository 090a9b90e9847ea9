// RUN: mmtune-opt %s --fuse-rows --split-input-file | FileCheck %s

// What stays as it is, each for one reason, after one that has none.

// Without any of the reasons.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#turned = affine_map<(m, n) -> (n, m)>
// CHECK-LABEL: func.func @fused
// CHECK: gpu.launch blocks
// CHECK-NOT: linalg
// CHECK: return
func.func @fused(%x: memref<8x40xf32>, %sum: memref<8xf32>, %y: memref<8x40xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x40xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : memref<8x40xf32>, memref<8xf32>) outs(%y : memref<8x40xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.subf %in, %s : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// A call in between may read the sums.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#turned = affine_map<(m, n) -> (n, m)>
func.func private @other(memref<8xf32>)
// CHECK-LABEL: func.func @call_between
// CHECK-NOT: gpu.launch blocks
// CHECK: return
func.func @call_between(%x: memref<8x40xf32>, %sum: memref<8xf32>, %y: memref<8x40xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x40xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  func.call @other(%sum) : (memref<8xf32>) -> ()
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : memref<8x40xf32>, memref<8xf32>) outs(%y : memref<8x40xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.subf %in, %s : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// What the reduction reads is written in between.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#turned = affine_map<(m, n) -> (n, m)>
// CHECK-LABEL: func.func @written_between
// CHECK-NOT: gpu.launch blocks
// CHECK: return
func.func @written_between(%x: memref<8x40xf32>, %sum: memref<8xf32>, %y: memref<8x40xf32>, %z: memref<8x40xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x40xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  memref.copy %z, %x : memref<8x40xf32> to memref<8x40xf32>
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : memref<8x40xf32>, memref<8xf32>) outs(%y : memref<8x40xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.subf %in, %s : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// The order of the terms matters too much.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#turned = affine_map<(m, n) -> (n, m)>
// CHECK-LABEL: func.func @sum_of_16_bits
// CHECK-NOT: gpu.launch blocks
// CHECK: return
func.func @sum_of_16_bits(%x: memref<8x40xf16>, %sum: memref<8xf16>, %y: memref<8x40xf16>) {
  %zero = arith.constant 0.0 : f16
  linalg.fill ins(%zero : f16) outs(%sum : memref<8xf16>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x40xf16>) outs(%sum : memref<8xf16>) {
  ^bb0(%in: f16, %out: f16):
    %r = arith.addf %in, %out : f16
    linalg.yield %r : f16
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : memref<8x40xf16>, memref<8xf16>) outs(%y : memref<8x40xf16>) {
  ^bb0(%in: f16, %s: f16, %out: f16):
    %r = arith.subf %in, %s : f16
    linalg.yield %r : f16
  }
  return
}

// -----

// Other threads still need the old value of the row, when the first one stores the new one.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#turned = affine_map<(m, n) -> (n, m)>
// CHECK-LABEL: func.func @no_first_value
// CHECK-NOT: gpu.launch blocks
// CHECK: return
func.func @no_first_value(%x: memref<8x40xf32>, %sum: memref<8xf32>, %y: memref<8x40xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x40xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : memref<8x40xf32>, memref<8xf32>) outs(%y : memref<8x40xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.subf %in, %s : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Threads would read what others write: the elements are turned.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#turned = affine_map<(m, n) -> (n, m)>
// CHECK-LABEL: func.func @turned
// CHECK-NOT: gpu.launch blocks
// CHECK: return
func.func @turned(%x: memref<8x8xf32>, %sum: memref<8xf32>, %y: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x8xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#turned, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : memref<8x8xf32>, memref<8xf32>) outs(%x : memref<8x8xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.subf %in, %s : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// The sum of each row is taken from all elements of a column.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#turned = affine_map<(m, n) -> (n, m)>
// CHECK-LABEL: func.func @value_of_the_column
// CHECK-NOT: gpu.launch blocks
// CHECK: return
func.func @value_of_the_column(%x: memref<8x8xf32>, %sum: memref<8xf32>, %y: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x8xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : memref<8x8xf32>, memref<8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.subf %in, %s : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Rows of which the elements lie apart stay with the threads of columns.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#turned = affine_map<(m, n) -> (n, m)>
// CHECK-LABEL: func.func @over_columns
// CHECK-NOT: gpu.launch blocks
// CHECK: return
func.func @over_columns(%x: memref<30x8xf32>, %sum: memref<8xf32>, %y: memref<30x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : memref<30x8xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : memref<30x8xf32>, memref<8xf32>) outs(%y : memref<30x8xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.subf %in, %s : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// A difference has an order.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#turned = affine_map<(m, n) -> (n, m)>
// CHECK-LABEL: func.func @no_combination
// CHECK-NOT: gpu.launch blocks
// CHECK: return
func.func @no_combination(%x: memref<8x40xf32>, %sum: memref<8xf32>, %y: memref<8x40xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x40xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.subf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : memref<8x40xf32>, memref<8xf32>) outs(%y : memref<8x40xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.subf %in, %s : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// A body that does more than compute a value.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#turned = affine_map<(m, n) -> (n, m)>
// CHECK-LABEL: func.func @side_effect
// CHECK-NOT: gpu.launch blocks
// CHECK: return
func.func @side_effect(%x: memref<8x40xf32>, %sum: memref<8xf32>, %y: memref<8x40xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x40xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : memref<8x40xf32>, memref<8xf32>) outs(%y : memref<8x40xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    memref.store %s, %sum[%c0] : memref<8xf32>
    %r = arith.subf %in, %s : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// The output may be the input under another name.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#turned = affine_map<(m, n) -> (n, m)>
// CHECK-LABEL: func.func @may_overlap
// CHECK-NOT: gpu.launch blocks
// CHECK: return
func.func @may_overlap(%x: memref<8x40xf32>, %sum: memref<8xf32>, %p: i1, %z: memref<8x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %y = arith.select %p, %x, %z : memref<8x40xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x40xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : memref<8x40xf32>, memref<8xf32>) outs(%y : memref<8x40xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.subf %in, %s : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// A reduction alone.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#turned = affine_map<(m, n) -> (n, m)>
// CHECK-LABEL: func.func @alone
// CHECK-NOT: gpu.launch blocks
// CHECK: return
func.func @alone(%x: memref<8x40xf32>, %sum: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x40xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Sizes that are not known to be the same: the reduction goes alone.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
#turned = affine_map<(m, n) -> (n, m)>
// CHECK-LABEL: func.func @unknown_sizes
// CHECK: gpu.launch blocks
// CHECK: linalg.generic
// CHECK-NOT: gpu.launch blocks
// CHECK: return
func.func @unknown_sizes(%x: memref<?x?xf32>, %sum: memref<?xf32>, %z: memref<?x?xf32>, %t: memref<?xf32>, %y: memref<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sum : memref<?xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<?x?xf32>) outs(%sum : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%z, %t : memref<?x?xf32>, memref<?xf32>) outs(%y : memref<?x?xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.subf %in, %s : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// What is done to the elements has more threads alone than beside a reduction across them.
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @elements_across
// CHECK-NOT: gpu.launch blocks
// CHECK: return
func.func @elements_across(%x: memref<8x40xf32>, %y: memref<8x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<40xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<40xf32>)
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : memref<8x40xf32>) outs(%sum : memref<40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : memref<8x40xf32>, memref<40xf32>) outs(%y : memref<8x40xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.subf %in, %s : f32
    linalg.yield %r : f32
  }
  memref.dealloc %sum : memref<40xf32>
  return
}

// -----

// The sum reads itself: each turn sees the sum so far.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @reads_its_sum
// CHECK-NOT: gpu.launch blocks
// CHECK: return
func.func @reads_its_sum(%x: memref<2x5xf32>, %y: memref<2x5xf32>) {
  %one = arith.constant 1.0 : f32
  %sum = memref.alloc() : memref<2xf32>
  linalg.fill ins(%one : f32) outs(%sum : memref<2xf32>)
  linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %sum : memref<2x5xf32>, memref<2xf32>) outs(%sum : memref<2xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %p = arith.mulf %in, %s : f32
    %r = arith.addf %p, %out : f32
    linalg.yield %r : f32
  }
  memref.dealloc %sum : memref<2xf32>
  return
}

// -----

// The elements cannot be computed from a value of the first columns again: what that was computed from is overwritten.
#id = affine_map<(m, n, k) -> (m, n, k)>
#row = affine_map<(m, n, k) -> (m)>
#first = affine_map<(m, n, k) -> (m, n)>
#rowOfFirst = affine_map<(m, n) -> (m)>
#pair = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @overwritten_first_columns
// CHECK: gpu.launch blocks
// CHECK-NOT: gpu.launch blocks
// CHECK: linalg.generic
// CHECK-NOT: gpu.launch blocks
// CHECK: return
func.func @overwritten_first_columns(%x: memref<8x10x64xf32>, %g: memref<8x10xf32>, %scaled: memref<8x10xf32>, %y: memref<8x10x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<8xf32>
  %squares = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : memref<8x10x64xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%zero : f32) outs(%squares : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x, %sum : memref<8x10x64xf32>, memref<8xf32>) outs(%squares : memref<8xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %d = arith.subf %in, %m : f32
    %q = arith.mulf %d, %d : f32
    %r = arith.addf %q, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#rowOfFirst, #pair, #pair], iterator_types = ["parallel", "parallel"]} ins(%squares, %g : memref<8xf32>, memref<8x10xf32>) outs(%scaled : memref<8x10xf32>) {
  ^bb0(%in: f32, %factor: f32, %out: f32):
    %r = arith.mulf %in, %factor : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#rowOfFirst, #pair], iterator_types = ["parallel", "parallel"]} ins(%sum : memref<8xf32>) outs(%g : memref<8x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  linalg.generic {indexing_maps = [#id, #first, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %scaled : memref<8x10x64xf32>, memref<8x10xf32>) outs(%y : memref<8x10x64xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.mulf %in, %s : f32
    linalg.yield %r : f32
  }
  memref.dealloc %sum : memref<8xf32>
  memref.dealloc %squares : memref<8xf32>
  return
}

// -----

// The elements that are computed before are other threads' than the values of the first columns.
#id = affine_map<(m, n, k) -> (m, n, k)>
#row = affine_map<(m, n, k) -> (m)>
#first = affine_map<(m, n, k) -> (m, n)>
#rowOfFirst = affine_map<(m, n) -> (m)>
#pair = affine_map<(m, n) -> (m, n)>
#scale = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @first_columns_of_elements
// CHECK: linalg.generic
// CHECK-SAME: ["parallel", "parallel"]
// CHECK: gpu.launch blocks
// CHECK-NOT: linalg
// CHECK: return
func.func @first_columns_of_elements(%x: memref<8x10x64xf32>, %g: memref<10xf32>, %before: memref<8xf32>, %scaled: memref<8x10xf32>, %sum: memref<8xf32>, %y: memref<8x10x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#rowOfFirst, #scale, #pair], iterator_types = ["parallel", "parallel"]} ins(%before, %g : memref<8xf32>, memref<10xf32>) outs(%scaled : memref<8x10xf32>) {
  ^bb0(%in: f32, %factor: f32, %out: f32):
    %r = arith.mulf %in, %factor : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #first, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %scaled : memref<8x10x64xf32>, memref<8x10xf32>) outs(%y : memref<8x10x64xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.mulf %in, %s : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction", "reduction"]} ins(%y : memref<8x10x64xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%zero : f32) outs(%before : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction", "reduction"]} ins(%y, %sum : memref<8x10x64xf32>, memref<8xf32>) outs(%before : memref<8xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %d = arith.subf %in, %m : f32
    %q = arith.mulf %d, %d : f32
    %r = arith.addf %q, %out : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Few long rows are reduced in parts, and a part has no first columns.
#id = affine_map<(m, n, k) -> (m, n, k)>
#row = affine_map<(m, n, k) -> (m)>
#first = affine_map<(m, n, k) -> (m, n)>
#rowOfFirst = affine_map<(m, n) -> (m)>
#pair = affine_map<(m, n) -> (m, n)>
#scale = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @first_columns_of_parts
// CHECK: gpu.launch blocks
// CHECK: gpu.launch blocks
// CHECK: linalg.generic
// CHECK: return
func.func @first_columns_of_parts(%x: memref<2x10x65536xf32>, %g: memref<10xf32>, %scaled: memref<2x10xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<2xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<2xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : memref<2x10x65536xf32>) outs(%sum : memref<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#rowOfFirst, #scale, #pair], iterator_types = ["parallel", "parallel"]} ins(%sum, %g : memref<2xf32>, memref<10xf32>) outs(%scaled : memref<2x10xf32>) {
  ^bb0(%in: f32, %factor: f32, %out: f32):
    %r = arith.mulf %in, %factor : f32
    linalg.yield %r : f32
  }
  memref.dealloc %sum : memref<2xf32>
  return
}

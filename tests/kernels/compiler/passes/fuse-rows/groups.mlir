// RUN: mmtune-opt %s --fuse-rows --split-input-file | FileCheck %s

// One kernel; what the reductions give is in no memory, and the elements in between are in shared memory.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @softmax
// CHECK-NOT: linalg
// CHECK: gpu.launch {{.*}} workgroup(%[[S:.*]] : memref<1x1000xf32, #gpu.address_space<workgroup>>)
// CHECK: scf.for
// CHECK: arith.maximumf
// CHECK: gpu.all_reduce maximumf
// CHECK: scf.for
// CHECK: math.exp
// CHECK: memref.store {{.*}}, %[[S]]
// CHECK: gpu.all_reduce add
// CHECK: scf.for
// CHECK: memref.load %[[S]]
// CHECK: memref.store {{.*}} : memref<8x1000xf32>
// CHECK-NOT: linalg
// CHECK: return
func.func @softmax(%x: memref<8x1000xf32>, %y: memref<8x1000xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = memref.alloc() : memref<8xf32>
  %sum = memref.alloc() : memref<8xf32>
  %e = memref.alloc() : memref<8x1000xf32>
  linalg.fill ins(%low : f32) outs(%max : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x1000xf32>) outs(%max : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %max : memref<8x1000xf32>, memref<8xf32>) outs(%e : memref<8x1000xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %d = arith.subf %in, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<8x1000xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%e, %sum : memref<8x1000xf32>, memref<8xf32>) outs(%y : memref<8x1000xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.divf %in, %s : f32
    linalg.yield %r : f32
  }
  memref.dealloc %max : memref<8xf32>
  memref.dealloc %sum : memref<8xf32>
  memref.dealloc %e : memref<8x1000xf32>
  return
}

// -----

// Four rows to a warp; the row's value is for the caller, too.
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func.func @short_rows
// CHECK: gpu.subgroup_reduce add {{.*}} cluster(size = 8)
// CHECK: scf.if
// CHECK-NEXT: memref.store {{.*}} : memref<100xf32>
// CHECK-NOT: linalg
// CHECK: return
func.func @short_rows(%x: memref<100x7xf32>, %sum: memref<100xf32>, %y: memref<100x7xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sum : memref<100xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<100x7xf32>) outs(%sum : memref<100xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  %z = memref.alloc() : memref<100x7xf32>
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : memref<100x7xf32>, memref<100xf32>) outs(%z : memref<100x7xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.divf %in, %s : f32
    linalg.yield %r : f32
  }
  linalg.copy ins(%z : memref<100x7xf32>) outs(%y : memref<100x7xf32>)
  return
}

// -----

// Elementwise operations on the same elements, one of which reads what the other one makes.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @two_results
// CHECK: gpu.launch
// CHECK: %[[A:.*]] = arith.addf
// CHECK: memref.store %[[A]]
// CHECK: %[[B:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK: memref.store %[[B]]
// CHECK-NOT: linalg
// CHECK-NOT: gpu.launch
// CHECK: return
func.func @two_results(%x: memref<4x6xf32>) -> (memref<4x6xf32>, memref<4x6xf32>) {
  %a = memref.alloc() : memref<4x6xf32>
  %b = memref.alloc() : memref<4x6xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x6xf32>) outs(%a : memref<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %in : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x6xf32>) outs(%b : memref<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %in : f32
    linalg.yield %r : f32
  }
  return %a, %b : memref<4x6xf32>, memref<4x6xf32>
}

// -----

// An assertion between them, as exporters write for dynamic sizes, keeps nothing apart.
// CHECK-LABEL: func.func @assertion
// CHECK-NOT: linalg
// CHECK: cf.assert
// CHECK-NOT: linalg
// CHECK: gpu.launch
// CHECK-NOT: linalg
// CHECK: return
func.func @assertion(%x: memref<8x32xf32>, %y: memref<8x32xf32>, %known: i1) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x32xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  cf.assert %known, "mismatched size for broadcast"
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : memref<8x32xf32>, memref<8xf32>) outs(%y : memref<8x32xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.divf %in, %s : f32
    linalg.yield %r : f32
  }
  memref.dealloc %sum : memref<8xf32>
  return
}

// -----

// A reduction that goes along rows chooses first, though one across memory, and what is done to its sums, come before.
#id = affine_map<(m, n) -> (m, n)>
#turned = affine_map<(m, n) -> (n, m)>
#row = affine_map<(m, n) -> (m)>
#sums = affine_map<(m) -> (m)>
// CHECK-LABEL: func.func @turned_first
// CHECK-NOT: linalg
// CHECK: gpu.launch
// CHECK-NOT: gpu.launch
// CHECK-NOT: linalg
// CHECK: return
func.func @turned_first(%x: memref<40x8xf32>, %mean: memref<8xf32>, %y: memref<8x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant 40.0 : f32
  %sum = memref.alloc() : memref<8xf32>
  %d = memref.alloc() : memref<8x40xf32>
  %squares = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#turned, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<40x8xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#sums, #sums], iterator_types = ["parallel"]} ins(%sum : memref<8xf32>) outs(%mean : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %width : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#turned, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : memref<40x8xf32>, memref<8xf32>) outs(%d : memref<8x40xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %m = arith.divf %s, %width : f32
    %r = arith.subf %in, %m : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%zero : f32) outs(%squares : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%d : memref<8x40xf32>) outs(%squares : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %q, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %squares : memref<8x40xf32>, memref<8xf32>) outs(%y : memref<8x40xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.divf %in, %s : f32
    linalg.yield %r : f32
  }
  memref.dealloc %sum : memref<8xf32>
  memref.dealloc %d : memref<8x40xf32>
  memref.dealloc %squares : memref<8xf32>
  return
}

// -----

// Values of the first columns, as the scales and shifts of a group norm's channels, have a loop of their own.
#id = affine_map<(m, n, k) -> (m, n, k)>
#row = affine_map<(m, n, k) -> (m)>
#first = affine_map<(m, n, k) -> (m, n)>
#rowOfFirst = affine_map<(m, n) -> (m)>
#pair = affine_map<(m, n) -> (m, n)>
#scale = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @first_columns
// CHECK-NOT: linalg
// CHECK: gpu.launch blocks
// CHECK-NOT: gpu.launch blocks
// CHECK: gpu.all_reduce add
// CHECK: gpu.all_reduce add
// CHECK-NOT: gpu.launch blocks
// CHECK: scf.for
// CHECK: arith.mulf
// CHECK: memref.store %[[SCALE:[0-9]+]], {{.*}} : memref<8x10xf32>
// CHECK: arith.subf {{.*}}, %[[SCALE]]
// CHECK: memref.store {{.*}} : memref<8x10xf32>
// CHECK-NOT: gpu.launch blocks
// CHECK-NOT: linalg
// CHECK: return
func.func @first_columns(%x: memref<8x10x64xf32>, %g: memref<10xf32>, %scaled: memref<8x10xf32>, %shifted: memref<8x10xf32>) {
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
  linalg.generic {indexing_maps = [#rowOfFirst, #scale, #pair], iterator_types = ["parallel", "parallel"]} ins(%squares, %g : memref<8xf32>, memref<10xf32>) outs(%scaled : memref<8x10xf32>) {
  ^bb0(%in: f32, %factor: f32, %out: f32):
    %r = arith.mulf %in, %factor : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#rowOfFirst, #pair, #pair], iterator_types = ["parallel", "parallel"]} ins(%sum, %scaled : memref<8xf32>, memref<8x10xf32>) outs(%shifted : memref<8x10xf32>) {
  ^bb0(%in: f32, %factor: f32, %out: f32):
    %r = arith.subf %in, %factor : f32
    linalg.yield %r : f32
  }
  memref.dealloc %sum : memref<8xf32>
  memref.dealloc %squares : memref<8xf32>
  return
}

// -----

// Elements are computed from a value of the first columns, whose threads are others, in the loop over all columns.
#id = affine_map<(m, n, k) -> (m, n, k)>
#row = affine_map<(m, n, k) -> (m)>
#first = affine_map<(m, n, k) -> (m, n)>
#rowOfFirst = affine_map<(m, n) -> (m)>
#pair = affine_map<(m, n) -> (m, n)>
#scale = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @elements_of_first_columns
// CHECK-NOT: linalg
// CHECK: gpu.launch blocks
// CHECK: gpu.all_reduce
// CHECK: gpu.all_reduce
// CHECK: %[[SQUARES:.*]] = arith.addf
// CHECK: scf.for
// CHECK: %[[SCALE:.*]] = arith.mulf %[[SQUARES]]
// CHECK: memref.store %[[SCALE]], {{.*}} : memref<8x10xf32>
// CHECK: scf.for
// CHECK: %[[AGAIN:.*]] = arith.mulf %[[SQUARES]]
// CHECK: %[[Y:.*]] = arith.mulf {{.*}}, %[[AGAIN]]
// CHECK: memref.store %[[Y]], {{.*}} : memref<8x10x64xf32>
// CHECK-NOT: gpu.launch blocks
// CHECK-NOT: linalg
// CHECK: return
func.func @elements_of_first_columns(%x: memref<8x10x64xf32>, %g: memref<10xf32>, %scaled: memref<8x10xf32>, %y: memref<8x10x64xf32>) {
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
  linalg.generic {indexing_maps = [#rowOfFirst, #scale, #pair], iterator_types = ["parallel", "parallel"]} ins(%squares, %g : memref<8xf32>, memref<10xf32>) outs(%scaled : memref<8x10xf32>) {
  ^bb0(%in: f32, %factor: f32, %out: f32):
    %r = arith.mulf %in, %factor : f32
    linalg.yield %r : f32
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

// Loops that are joined or split go over the same elements: rows of 40 are 5 by 8 here, and rows themselves 2 by 4.
#id = affine_map<(m, k) -> (m, k)>
#row = affine_map<(m, k) -> (m)>
#all = affine_map<(a, b, c, d) -> (a, b, c, d)>
#rows = affine_map<(a, b, c, d) -> (a, b)>
// CHECK-LABEL: func.func @reshaped
// CHECK-NOT: linalg
// CHECK: gpu.launch blocks
// CHECK: scf.for %[[COLUMN:.*]] =
// CHECK: %[[D:.*]] = arith.divui
// CHECK: %[[E:.*]] = arith.remui
// CHECK: memref.store {{.*}}, {{.*}}, {{.*}}, {{.*}}, {{.*}}] : memref<2x4x5x8xf32>
// CHECK-NOT: gpu.launch blocks
// CHECK-NOT: linalg
// CHECK: return
func.func @reshaped(%x: memref<8x40xf32>, %y: memref<2x4x5x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x40xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  %split = memref.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 4, 5, 8] : memref<8x40xf32> into memref<2x4x5x8xf32>
  %pairs = memref.expand_shape %sum [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%split, %pairs : memref<2x4x5x8xf32>, memref<2x4xf32>) outs(%y : memref<2x4x5x8xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.divf %in, %s : f32
    linalg.yield %r : f32
  }
  memref.dealloc %sum : memref<8xf32>
  return
}

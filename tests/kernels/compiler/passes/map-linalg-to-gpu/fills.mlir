// RUN: mmtune-opt %s --map-linalg-to-gpu --split-input-file | FileCheck %s

// A reduction starts from what its output is filled with: one launch, and nothing is loaded.
#id = affine_map<(m, k) -> (m, k)>
#rows = affine_map<(m, k) -> (m)>
// CHECK-LABEL: func.func @sum
// CHECK-SAME: (%[[A:.*]]: memref<?x16xf32>, %[[N:.*]]: index)
// CHECK: %[[ONE:.*]] = arith.constant 1.0{{.*}} : f32
// CHECK: %[[C:.*]] = memref.alloc
// CHECK: gpu.launch
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[ONE]]) -> (f32)
// CHECK: memref.store %{{.*}}, %[[C]]
// CHECK-NOT: gpu.launch
// CHECK: memref.expand_shape %[[C]]
func.func @sum(%a: memref<?x16xf32>, %n: index) -> memref<?x1xf32> {
  %one = arith.constant 1.0 : f32
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%c : memref<?xf32>)
  linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : memref<?x16xf32>) outs(%c : memref<?xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %s = arith.addf %x, %sum : f32
    linalg.yield %s : f32
  }
  %r = memref.expand_shape %c [[0, 1]] output_shape [%n, 1] : memref<?xf32> into memref<?x1xf32>
  return %r : memref<?x1xf32>
}

// -----

// Of two outputs that are filled, each has its own start.
#id = affine_map<(m, k) -> (m, k)>
#rows = affine_map<(m, k) -> (m)>
// CHECK-LABEL: func.func @largest
// CHECK-DAG: %[[LOW:.*]] = arith.constant 0xFF800000
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: gpu.launch
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[LOW]], %{{.*}} = %[[ZERO]]) -> (f32, i64)
// CHECK-NOT: gpu.launch
func.func @largest(%a: memref<8x16xf32>) -> (memref<8xf32>, memref<8xi64>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %c = memref.alloc() : memref<8xf32>
  %d = memref.alloc() : memref<8xi64>
  linalg.fill ins(%low : f32) outs(%c : memref<8xf32>)
  linalg.fill ins(%zero : i64) outs(%d : memref<8xi64>)
  linalg.generic {indexing_maps = [#id, #rows, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : memref<8x16xf32>) outs(%c, %d : memref<8xf32>, memref<8xi64>) {
  ^bb0(%x: f32, %max: f32, %at: i64):
    %s = arith.maximumf %x, %max : f32
    %k = linalg.index 1 : index
    %i = arith.index_cast %k : index to i64
    %above = arith.cmpf ogt, %x, %max : f32
    %j = arith.select %above, %i, %at : i64
    linalg.yield %s, %j : f32, i64
  }
  return %c, %d : memref<8xf32>, memref<8xi64>
}

// -----

// One column, as a sum that keeps its dimensions has.
// CHECK-LABEL: func.func @keeps_dimensions
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %cst) -> (f32)
// CHECK-NOT: gpu.launch
func.func @keeps_dimensions(%a: memref<8x16xf32>) -> memref<8x1xf32> {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<8x1xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<8x1xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, 0)>], iterator_types = ["parallel", "reduction"]} ins(%a : memref<8x16xf32>) outs(%c : memref<8x1xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %s = arith.addf %x, %sum : f32
    linalg.yield %s : f32
  }
  return %c : memref<8x1xf32>
}

// -----

// A use in between, another name for the memory, memory that the caller may look at, a fill that others need: it stays.
#id = affine_map<(m, k) -> (m, k)>
#rows = affine_map<(m, k) -> (m)>
// CHECK-LABEL: func.func @read_between
// CHECK-COUNT-2: gpu.launch blocks
func.func @read_between(%a: memref<8x16xf32>) -> (memref<8xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
  %old = memref.load %c[%c0] : memref<8xf32>
  linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : memref<8x16xf32>) outs(%c : memref<8xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %s = arith.addf %x, %sum : f32
    linalg.yield %s : f32
  }
  return %c, %old : memref<8xf32>, f32
}

// CHECK-LABEL: func.func @another_name
// CHECK-COUNT-2: gpu.launch blocks
func.func @another_name(%a: memref<8x16xf32>) -> (memref<8xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c = memref.alloc() : memref<8xf32>
  %view = memref.expand_shape %c [[0, 1]] output_shape [8, 1] : memref<8xf32> into memref<8x1xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
  %old = memref.load %view[%c0, %c0] : memref<8x1xf32>
  linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : memref<8x16xf32>) outs(%c : memref<8xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %s = arith.addf %x, %sum : f32
    linalg.yield %s : f32
  }
  return %c, %old : memref<8xf32>, f32
}

// CHECK-LABEL: func.func @argument
// CHECK-COUNT-2: gpu.launch blocks
func.func @argument(%a: memref<8x16xf32>, %c: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : memref<8x16xf32>) outs(%c : memref<8xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %s = arith.addf %x, %sum : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @some_elements
// CHECK-COUNT-2: gpu.launch blocks
func.func @some_elements(%a: memref<8x16xf32>) -> memref<8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<8x2xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<8x2xf32>)
  linalg.generic {indexing_maps = [#id, affine_map<(m, k) -> (m, 1)>], iterator_types = ["parallel", "reduction"]} ins(%a : memref<8x16xf32>) outs(%c : memref<8x2xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %s = arith.addf %x, %sum : f32
    linalg.yield %s : f32
  }
  return %c : memref<8x2xf32>
}

// RUN: mmtune-opt %s --map-linalg-to-gpu --cse --split-input-file | FileCheck %s
// RUN: mmtune-opt %s --map-linalg-to-gpu=block-size=64 --cse --split-input-file | FileCheck %s --check-prefix=SMALL

// A grid of enough blocks, every thread's number checked by the loop over strides of the grid.
// CHECK-LABEL: func.func @vector_addition
// CHECK-SAME: (%[[A:.*]]: memref<1000xf32>, %[[B:.*]]: memref<1000xf32>, %[[C:.*]]: memref<1000xf32>)
// CHECK-DAG: %[[POINTS:.*]] = arith.constant 1000 : index
// CHECK-DAG: %[[GRID:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[BLOCK:.*]] = arith.constant 256 : index
// CHECK: gpu.launch blocks(%[[BX:.*]], %{{.*}}, %{{.*}}) in (%[[GX:.*]] = %[[GRID]], %{{.*}}, %{{.*}}) threads(%[[TX:.*]], %{{.*}}, %{{.*}}) in (%[[THREADS:.*]] = %[[BLOCK]], %{{.*}}, %{{.*}})
// CHECK: %[[BASE:.*]] = arith.muli %[[BX]], %[[THREADS]]
// CHECK: %[[FIRST:.*]] = arith.addi %[[BASE]], %[[TX]]
// CHECK: %[[STRIDE:.*]] = arith.muli %[[GX]], %[[THREADS]]
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %[[POINTS]] step %[[STRIDE]]
// CHECK: %[[X:.*]] = memref.load %[[A]][%[[I]]]
// CHECK: %[[Y:.*]] = memref.load %[[B]][%[[I]]]
// CHECK: %[[SUM:.*]] = arith.addf %[[X]], %[[Y]]
// CHECK: memref.store %[[SUM]], %[[C]][%[[I]]]
// CHECK: gpu.terminator
// CHECK-NOT: linalg
// SMALL-LABEL: func.func @vector_addition
// SMALL-DAG: arith.constant 16 : index
// SMALL-DAG: arith.constant 64 : index
func.func @vector_addition(%a: memref<1000xf32>, %b: memref<1000xf32>, %c: memref<1000xf32>) {
  linalg.add ins(%a, %b : memref<1000xf32>, memref<1000xf32>) outs(%c : memref<1000xf32>)
  return
}

// -----

// Few points get a block of whole warps.
// CHECK-LABEL: func.func @few_points
// CHECK-DAG: arith.constant 64 : index
// CHECK-NOT: arith.constant 256 : index
// CHECK: gpu.launch
func.func @few_points(%a: memref<50xf32>, %b: memref<50xf32>) {
  linalg.exp ins(%a : memref<50xf32>) outs(%b : memref<50xf32>)
  return
}

// -----

#window = affine_map<(i, w) -> (i + w)>
#out = affine_map<(i, w) -> (i)>
#weights = affine_map<(i, w) -> (w)>
// The accumulator is loaded once and stored once.
// CHECK-LABEL: func.func @windowed_sum
// CHECK-SAME: (%[[IN:.*]]: memref<18xf32>, %[[W:.*]]: memref<3xf32>, %[[OUT:.*]]: memref<16xf32>)
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[OLD:.*]] = memref.load %[[OUT]][%[[I]]]
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %[[OLD]])
// CHECK-DAG: %[[AT:.*]] = arith.addi %[[I]], %[[K]]
// CHECK-DAG: memref.load %[[IN]][%[[AT]]]
// CHECK-DAG: memref.load %[[W]][%[[K]]]
// CHECK: scf.yield
// CHECK: memref.store %[[SUM]], %[[OUT]][%[[I]]]
func.func @windowed_sum(%in: memref<18xf32>, %weights: memref<3xf32>, %out: memref<16xf32>) {
  linalg.generic {indexing_maps = [#window, #weights, #out], iterator_types = ["parallel", "reduction"]}
    ins(%in, %weights : memref<18xf32>, memref<3xf32>) outs(%out : memref<16xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %0 = arith.mulf %x, %w : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Sizes that are known only when the program runs: at least one block, and threads that find nothing.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: (%[[A:.*]]: memref<?x?xf64>, %[[B:.*]]: memref<?x?xf64>)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[ROWS:.*]] = memref.dim %[[A]], %[[C1]]
// CHECK-DAG: %[[COLUMNS:.*]] = memref.dim %[[A]], %[[C0]]
// CHECK: %[[POINTS:.*]] = arith.muli
// CHECK: arith.divui
// CHECK: arith.maxui
// CHECK: arith.minui
// CHECK: gpu.launch
// CHECK: scf.for %[[P:.*]] = %{{.*}} to %[[POINTS]]
// CHECK: %[[J:.*]] = arith.remui %[[P]], %[[COLUMNS]]
// CHECK: %[[I:.*]] = arith.divui %[[P]], %[[COLUMNS]]
// CHECK: memref.load %[[A]][%[[J]], %[[I]]]
// CHECK: memref.store %{{.*}}, %[[B]][%[[I]], %[[J]]]
func.func @dynamic(%a: memref<?x?xf64>, %b: memref<?x?xf64>) {
  linalg.transpose ins(%a : memref<?x?xf64>) outs(%b : memref<?x?xf64>) permutation = [1, 0]
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func.func @indices
// CHECK: scf.for %[[P:.*]] =
// CHECK: %[[J:.*]] = arith.remui %[[P]]
// CHECK: %[[I:.*]] = arith.divui %[[P]]
// CHECK: %[[SUM:.*]] = arith.addi %[[I]], %[[J]]
// CHECK: %[[INT:.*]] = arith.index_cast %[[SUM]]
// CHECK: memref.store %[[INT]], %{{.*}}[%[[I]], %[[J]]]
func.func @indices(%out: memref<4x8xi32, strided<[16, 1], offset: ?>>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
    outs(%out : memref<4x8xi32, strided<[16, 1], offset: ?>>) {
  ^bb0(%old: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %sum = arith.addi %i, %j : index
    %int = arith.index_cast %sum : index to i32
    linalg.yield %int : i32
  }
  return
}

// -----

// A scalar operand is captured, and there is nothing to do for no points.
// CHECK-LABEL: func.func @fills
// CHECK-SAME: %[[X:.*]]: f32
// CHECK: gpu.launch
// CHECK: memref.store %[[X]]
// CHECK-NOT: gpu.launch
// CHECK: return
func.func @fills(%x: f32, %a: memref<8xf32>, %none: memref<4x0xf32>) {
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%x : f32) outs(%none : memref<4x0xf32>)
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
// An output that the reduction indexes, or that is an input too, is stored in every turn.
// CHECK-LABEL: func.func @stored_each_turn
// CHECK: gpu.launch
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: memref.store
// CHECK-NEXT: }
func.func @stored_each_turn(%a: memref<4x8xf32>, %b: memref<4x8xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "reduction"]}
    ins(%a : memref<4x8xf32>) outs(%b : memref<4x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What is in device code already is left, and so are loops.
// CHECK-LABEL: func.func @left_alone
// CHECK: scf.parallel
// CHECK: gpu.launch
// CHECK: linalg.fill
// CHECK-NOT: gpu.launch
func.func @left_alone(%x: f32, %a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %x, %a[%i] : memref<8xf32>
    scf.reduce
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
    gpu.terminator
  }
  return
}

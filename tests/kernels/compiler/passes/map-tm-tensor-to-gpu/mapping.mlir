// RUN: mmtune-opt %s --map-tm-tensor-to-gpu --split-input-file --canonicalize | FileCheck %s
// RUN: mmtune-opt %s --map-tm-tensor-to-gpu=loops --split-input-file | FileCheck %s --check-prefix=LOOPS

// A thread for each row, with the steps in a loop.
// CHECK-LABEL: @scan
// CHECK: gpu.launch {{.*}} threads({{.*}} = %c32
// CHECK: scf.for
// CHECK:   scf.for {{.*}} to %c7
// CHECK:     memref.load %arg0
// CHECK:     arith.addi
// CHECK:     memref.store {{.*}}, %arg1
// CHECK:   memref.store {{.*}}, %arg2
// CHECK-NOT: gpu.launch
// LOOPS-LABEL: @scan
// LOOPS-NOT: gpu
func.func @scan(%x: memref<2x7xi64>, %y: memref<2x7xi64>, %a: memref<2xi64>) {
  tm_tensor.scan dimension(1) inclusive(true) ins(%x : memref<2x7xi64>) outs(%y, %a : memref<2x7xi64>, memref<2xi64>) {
  ^bb0(%p: i64, %q: i64):
    %0 = arith.addi %p, %q : i64
    tm_tensor.yield %0 : i64
  }
  return
}

// -----

// A thread for each element of updates whose places differ.
// CHECK-LABEL: @unique
// CHECK: gpu.launch {{.*}} threads({{.*}} = %c64
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: scf.if
// CHECK: memref.store {{.*}}, %arg2
func.func @unique(%u: memref<5x12xf32>, %i: memref<5x1xi64>, %x: memref<9x12xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : memref<5x12xf32>, memref<5x1xi64>) outs(%x : memref<9x12xf32>) {
  ^bb0(%new: f32, %old: f32):
    tm_tensor.yield %new : f32
  }
  return
}

// -----

// A thread for each column, which takes the updates in their order.
// CHECK-LABEL: @ordered
// CHECK: gpu.launch {{.*}} threads({{.*}} = %c32
// CHECK: scf.for
// CHECK:   scf.for {{.*}} to %c5
// CHECK:     scf.if
// CHECK:       arith.addf
func.func @ordered(%u: memref<5x12xf32>, %i: memref<5x1xi64>, %x: memref<9x12xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : memref<5x12xf32>, memref<5x1xi64>) outs(%x : memref<9x12xf32>) {
  ^bb0(%new: f32, %old: f32):
    %0 = arith.addf %new, %old : f32
    tm_tensor.yield %0 : f32
  }
  return
}

// -----

// Slices may overlap, though no two begin at one place.
// CHECK-LABEL: @overlapping
// CHECK: gpu.launch {{.*}} threads({{.*}} = %c1
// CHECK: scf.for
// CHECK:   scf.for {{.*}} to %c5
// CHECK:     scf.for {{.*}} to %c3
func.func @overlapping(%u: memref<5x3xf32>, %i: memref<5x1xi64>, %x: memref<9xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : memref<5x3xf32>, memref<5x1xi64>) outs(%x : memref<9xf32>) {
  ^bb0(%new: f32, %old: f32):
    tm_tensor.yield %new : f32
  }
  return
}

// -----

// A thread for each element. NaN comes last.
// CHECK-LABEL: @sort
// CHECK: gpu.launch {{.*}} threads({{.*}} = %c256
// CHECK: scf.for
// CHECK:   scf.for {{.*}} to %c24
// CHECK:     arith.cmpf oge
// CHECK:   memref.store {{.*}}, %arg2
// CHECK:   memref.store {{.*}}, %arg3
func.func @sort(%x: memref<30x24xf32>, %i: memref<30x24xi64>, %y: memref<30x24xf32>, %j: memref<30x24xi64>) {
  tm_tensor.sort dimension(1) ins(%x, %i : memref<30x24xf32>, memref<30x24xi64>) outs(%y, %j : memref<30x24xf32>, memref<30x24xi64>) {
  ^bb0(%a: f32, %b: f32, %c: i64, %d: i64):
    %0 = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %0 : i1
  }
  return
}

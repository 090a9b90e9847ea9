// Matmuls of i8 with accumulators of i32, and of f64.
// RUN: mmtune-opt %s --schedule-matmul --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @bytes
// CHECK-SAME: (%[[A:.*]]: memref<64x32xi8>, %[[B:.*]]: memref<32x48xi8>, %[[C:.*]]: memref<64x48xi32>)
// CHECK-NOT: linalg
// CHECK: gpu.launch_func @matmul_64x48x32_0::{{.*}} args(%[[A]] : memref<64x32xi8>, %[[B]] : memref<32x48xi8>, %[[C]] : memref<64x48xi32>)
// CHECK: mmtune.problem = "64x48x32 s8", mmtune.schedule = "mma
func.func @bytes(%a: memref<64x32xi8>, %b: memref<32x48xi8>, %c: memref<64x48xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<64x48xi32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xi8>, memref<32x48xi8>) outs(%c : memref<64x48xi32>)
  return
}

// -----

// Extended by operations before it, which nobody else needs. What follows is no step of a kernel's.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @extended
// CHECK-SAME: (%[[A:.*]]: memref<64x32xi8>, %[[B:.*]]: memref<32x48xi8>,
// CHECK: gpu.launch_func {{.*}} args(%[[A]] : memref<64x32xi8>, %[[B]] : memref<32x48xi8>, %{{.*}} : memref<64x48xi32>)
// CHECK: arith.maxsi
// CHECK: mmtune.problem = "64x48x32 s8"
func.func @extended(%a: memref<64x32xi8>, %b: memref<32x48xi8>, %out: memref<64x48xi32>) {
  %zero = arith.constant 0 : i32
  %aw = memref.alloc() : memref<64x32xi32>
  %bw = memref.alloc() : memref<32x48xi32>
  %c = memref.alloc() : memref<64x48xi32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<64x32xi8>) outs(%aw : memref<64x32xi32>) {
  ^bb0(%x: i8, %old: i32):
    %0 = arith.extsi %x : i8 to i32
    linalg.yield %0 : i32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%b : memref<32x48xi8>) outs(%bw : memref<32x48xi32>) {
  ^bb0(%x: i8, %old: i32):
    %0 = arith.extsi %x : i8 to i32
    linalg.yield %0 : i32
  }
  linalg.fill ins(%zero : i32) outs(%c : memref<64x48xi32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%aw, %bw : memref<64x32xi32>, memref<32x48xi32>) outs(%c : memref<64x48xi32>)
  // expected-remark @below {{is not fused into the matmul before it}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%c : memref<64x48xi32>) outs(%out : memref<64x48xi32>) {
  ^bb0(%x: i32, %old: i32):
    %0 = arith.maxsi %x, %zero : i32
    linalg.yield %0 : i32
  }
  memref.dealloc %aw : memref<64x32xi32>
  memref.dealloc %bw : memref<32x48xi32>
  memref.dealloc %c : memref<64x48xi32>
  return
}

// -----

// Steps in f64; a factor that f32 has.
#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @doubles
// CHECK-NOT: linalg
// CHECK: mmtune.problem = "64x48x32 f64 epilogue=bias,scale:0.5,relu", mmtune.schedule = "mma
func.func @doubles(%a: memref<64x32xf64>, %b: memref<32x48xf64>, %bias: memref<48xf64>, %c: memref<64x48xf64>) {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  linalg.fill ins(%zero : f64) outs(%c : memref<64x48xf64>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf64>, memref<32x48xf64>) outs(%c : memref<64x48xf64>)
  linalg.generic {indexing_maps = [#columns, #id], iterator_types = ["parallel", "parallel"]}
    ins(%bias : memref<48xf64>) outs(%c : memref<64x48xf64>) {
  ^bb0(%x: f64, %old: f64):
    %0 = arith.addf %old, %x : f64
    %1 = arith.mulf %0, %half : f64
    %2 = arith.maximumf %1, %zero : f64
    linalg.yield %2 : f64
  }
  return
}

// -----

// One that f32 does not have.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @fine_factor
// CHECK: mmtune.problem = "64x48x32 f64", mmtune.schedule
func.func @fine_factor(%a: memref<64x32xf64>, %b: memref<32x48xf64>, %c: memref<64x48xf64>) {
  %zero = arith.constant 0.0 : f64
  %tenth = arith.constant 0.1 : f64
  linalg.fill ins(%zero : f64) outs(%c : memref<64x48xf64>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf64>, memref<32x48xf64>) outs(%c : memref<64x48xf64>)
  // expected-remark @below {{is not fused into the matmul before it}}
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%c : memref<64x48xf64>) {
  ^bb0(%old: f64):
    %0 = arith.mulf %old, %tenth : f64
    linalg.yield %0 : f64
  }
  return
}

// -----

// Extended from f32, which is multiplied in f64 here, as by no kernel of f32.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @extended_to_f64
// CHECK: mmtune.problem = "64x48x32 f64"
func.func @extended_to_f64(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf64>) {
  %zero = arith.constant 0.0 : f64
  %aw = memref.alloc() : memref<64x32xf64>
  %bw = memref.alloc() : memref<32x48xf64>
  linalg.copy ins(%a : memref<64x32xf32>) outs(%aw : memref<64x32xf64>)
  linalg.copy ins(%b : memref<32x48xf32>) outs(%bw : memref<32x48xf64>)
  linalg.fill ins(%zero : f64) outs(%c : memref<64x48xf64>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%aw, %bw : memref<64x32xf64>, memref<32x48xf64>) outs(%c : memref<64x48xf64>)
  memref.dealloc %aw : memref<64x32xf64>
  memref.dealloc %bw : memref<32x48xf64>
  return
}

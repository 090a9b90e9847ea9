// RUN: mmtune-opt %s --narrow-f64 --split-input-file --verify-diagnostics | FileCheck %s
// Chains that something could tell from those of f32 stay as they are.

// A comparison sees what f64 has more.
// CHECK-LABEL: func.func @compared
// CHECK: arith.truncf {{.*}} : f64 to
func.func @compared(%x: f32) -> (f32, i1) {
  %one = arith.constant 1.0 : f64
  %e = arith.extf %x : f32 to f64
  %s = arith.addf %e, %one : f64
  %c = arith.cmpf ogt, %s, %one : f64
  %t = arith.truncf %s : f64 to f32
  return %t, %c : f32, i1
}

// -----

// So does a conversion to an integer.
// CHECK-LABEL: func.func @to_integer
// CHECK: arith.truncf {{.*}} : f64 to
func.func @to_integer(%x: f32) -> (f32, i64) {
  %e = arith.extf %x : f32 to f64
  %s = arith.mulf %e, %e : f64
  %c = arith.fptosi %s : f64 to i64
  %t = arith.truncf %s : f64 to f32
  return %t, %c : f32, i64
}

// -----

// An integer beyond 2^24.
// CHECK-LABEL: func.func @from_integer
// CHECK: arith.truncf {{.*}} : f64 to
func.func @from_integer(%x: f32, %n: i64) -> f32 {
  %e = arith.extf %x : f32 to f64
  %w = arith.sitofp %n : i64 to f64
  %s = arith.addf %e, %w : f64
  %t = arith.truncf %s : f64 to f32
  return %t : f32
}

// -----

// Values of f64 from elsewhere.
// CHECK-LABEL: func.func @given
// CHECK: arith.truncf {{.*}} : f64 to
func.func @given(%x: f32, %y: f64) -> f32 {
  %e = arith.extf %x : f32 to f64
  %s = arith.addf %e, %y : f64
  %t = arith.truncf %s : f64 to f32
  return %t : f32
}

// -----

// The caller sees it.
// CHECK-LABEL: func.func @returned
// CHECK: arith.truncf {{.*}} : f64 to
func.func @returned(%x: f32) -> (f32, f64) {
  %e = arith.extf %x : f32 to f64
  %s = arith.addf %e, %e : f64
  %t = arith.truncf %s : f64 to f32
  return %t, %s : f32, f64
}

// -----

// What the chain is computed with further on is compared.
// CHECK-LABEL: func.func @seen_far_off
// CHECK: arith.truncf {{.*}} : f64 to
func.func @seen_far_off(%x: f32) -> (f32, i1) {
  %e = arith.extf %x : f32 to f64
  %s = arith.addf %e, %e : f64
  %t = arith.truncf %s : f64 to f32
  %p = arith.mulf %s, %s : f64
  %c = arith.cmpf ogt, %p, %e : f64
  return %t, %c : f32, i1
}

// -----

// f32 has no room for the constant.
// CHECK-LABEL: func.func @large
// CHECK: arith.truncf {{.*}} : f64 to
func.func @large(%x: f32) -> f32 {
  %c = arith.constant 1.0e+300 : f64
  %e = arith.extf %x : f32 to f64
  %s = arith.mulf %e, %c : f64
  %t = arith.truncf %s : f64 to f32
  return %t : f32
}

// -----

// Nor for one so small.
// CHECK-LABEL: func.func @small
// CHECK: arith.truncf {{.*}} : f64 to
func.func @small(%x: f32) -> f32 {
  %c = arith.constant 1.0e-300 : f64
  %e = arith.extf %x : f32 to f64
  %s = arith.mulf %e, %c : f64
  %t = arith.truncf %s : f64 to f32
  return %t : f32
}

// -----

// 2^24 + 1.
// CHECK-LABEL: func.func @odd
// CHECK: arith.truncf {{.*}} : f64 to
func.func @odd(%x: f32) -> f32 {
  %c = arith.constant 16777217.0 : f64
  %e = arith.extf %x : f32 to f64
  %s = arith.mulf %e, %c : f64
  %t = arith.truncf %s : f64 to f32
  return %t : f32
}

// -----

// The sine of a large number depends on its last digits.
// CHECK-LABEL: func.func @sine
// CHECK: arith.truncf {{.*}} : f64 to
func.func @sine(%x: f32) -> f32 {
  %e = arith.extf %x : f32 to f64
  %s = arith.mulf %e, %e : f64
  %p = math.sin %s : f64
  %t = arith.truncf %p : f64 to f32
  return %t : f32
}

// -----

// Nothing comes from f32.
// CHECK-LABEL: func.func @constants
// CHECK: arith.truncf {{.*}} : f64 to
func.func @constants(%x: f32) -> f32 {
  %c = arith.constant 2.0 : f64
  %s = math.sqrt %c : f64
  %t = arith.truncf %s : f64 to f32
  return %t : f32
}

// -----

// Rounded otherwise.
// CHECK-LABEL: func.func @rounded
// CHECK: arith.truncf {{.*}} : f64 to
func.func @rounded(%x: f32) -> f32 {
  %e = arith.extf %x : f32 to f64
  %s = arith.addf %e, %e : f64
  %t = arith.truncf %s toward_zero : f64 to f32
  return %t : f32
}

// -----

// Carried by a loop.
// CHECK-LABEL: func.func @loop
// CHECK: arith.truncf {{.*}} : f64 to
func.func @loop(%x: f32, %n: index) -> f32 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = arith.extf %x : f32 to f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> f64 {
    %b = arith.addf %a, %e : f64
    scf.yield %b : f64
  }
  %t = arith.truncf %s : f64 to f32
  return %t : f32
}

// -----

// Memory.
// CHECK-LABEL: func.func @memory
// CHECK: arith.truncf {{.*}} : f64 to
func.func @memory(%x: memref<4xf32>, %m: memref<4xf64>, %y: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %m : memref<4xf32>, memref<4xf64>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %w: f64, %out: f32):
    %e = arith.extf %in : f32 to f64
    %s = arith.addf %e, %w : f64
    %t = arith.truncf %s : f64 to f32
    linalg.yield %t : f32
  }
  return
}

// -----

// f32 sums of so many terms are inaccurate.
// CHECK-LABEL: func.func @many
// CHECK: arith.truncf {{.*}} : f64 to
func.func @many(%x: tensor<65537xf32>) -> f32 {
  %zero = arith.constant 0.0 : f64
  %none = tensor.empty() : tensor<f64>
  %zeros = linalg.fill ins(%zero : f64) outs(%none : tensor<f64>) -> tensor<f64>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<65537xf32>) outs(%zeros : tensor<f64>) {
  ^bb0(%in: f32, %out: f64):
    %e = arith.extf %in : f32 to f64
    %a = arith.addf %e, %out : f64
    linalg.yield %a : f64
  } -> tensor<f64>
  %narrow = tensor.empty() : tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%sum : tensor<f64>) outs(%narrow : tensor<f32>) {
  ^bb0(%in: f64, %out: f32):
    %t = arith.truncf %in : f64 to f32
    linalg.yield %t : f32
  } -> tensor<f32>
  %f = tensor.extract %r[] : tensor<f32>
  return %f : f32
}

// -----

// And of nobody knows how many.
// CHECK-LABEL: func.func @who_knows
// CHECK: arith.truncf {{.*}} : f64 to
func.func @who_knows(%x: tensor<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f64
  %none = tensor.empty() : tensor<f64>
  %zeros = linalg.fill ins(%zero : f64) outs(%none : tensor<f64>) -> tensor<f64>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<?xf32>) outs(%zeros : tensor<f64>) {
  ^bb0(%in: f32, %out: f64):
    %e = arith.extf %in : f32 to f64
    %a = arith.addf %e, %out : f64
    linalg.yield %a : f64
  } -> tensor<f64>
  %narrow = tensor.empty() : tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%sum : tensor<f64>) outs(%narrow : tensor<f32>) {
  ^bb0(%in: f64, %out: f32):
    %t = arith.truncf %in : f64 to f32
    linalg.yield %t : f32
  } -> tensor<f32>
  %f = tensor.extract %r[] : tensor<f32>
  return %f : f32
}

// -----

// Other operations on tensors of f64.
// CHECK-LABEL: func.func @product
// CHECK: arith.truncf {{.*}} : f64 to
func.func @product(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %wide = tensor.empty() : tensor<4x4xf64>
  %narrow = tensor.empty() : tensor<4x4xf32>
  %zero = arith.constant 0.0 : f64
  %zeros = linalg.fill ins(%zero : f64) outs(%wide : tensor<4x4xf64>) -> tensor<4x4xf64>
  %e = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%wide : tensor<4x4xf64>) {
  ^bb0(%in: f32, %out: f64):
    %w = arith.extf %in : f32 to f64
    linalg.yield %w : f64
  } -> tensor<4x4xf64>
  %p = linalg.matmul ins(%e, %e : tensor<4x4xf64>, tensor<4x4xf64>) outs(%zeros : tensor<4x4xf64>) -> tensor<4x4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x4xf64>) outs(%narrow : tensor<4x4xf32>) {
  ^bb0(%in: f64, %out: f32):
    %t = arith.truncf %in : f64 to f32
    linalg.yield %t : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

// A kernel's own.
// CHECK-LABEL: gpu.func @kernel
// CHECK: arith.truncf {{.*}} : f64 to
gpu.module @kernels {
  gpu.func @kernel(%x: f32, %m: memref<f32>) kernel {
    %e = arith.extf %x : f32 to f64
    %s = arith.addf %e, %e : f64
    %t = arith.truncf %s : f64 to f32
    memref.store %t, %m[] : memref<f32>
    gpu.return
  }
}

// -----

// A constant that f32 would make an integer keeps a logarithm finite; and logarithms magnify what is lost before.
// CHECK-LABEL: func.func @guard
// CHECK: arith.truncf {{.*}} : f64 to
func.func @guard(%x: f32) -> f32 {
  %most = arith.constant 0.9999999999 : f64
  %one = arith.constant 1.0 : f64
  %e = arith.extf %x : f32 to f64
  %m = arith.minimumf %e, %most : f64
  %d = arith.subf %one, %m : f64
  %q = arith.divf %one, %d : f64
  %t = arith.truncf %q : f64 to f32
  return %t : f32
}

// -----

// CHECK-LABEL: func.func @logarithm
// CHECK: arith.truncf {{.*}} : f64 to
func.func @logarithm(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f64
  %e = arith.extf %x : f32 to f64
  %x1 = math.exp %e : f64
  %s = arith.addf %one, %x1 : f64
  %l = math.log %s : f64
  %t = arith.truncf %l : f64 to f32
  return %t : f32
}

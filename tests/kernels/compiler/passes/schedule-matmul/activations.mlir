// RUN: mmtune-opt %s --schedule-matmul --split-input-file --verify-diagnostics | FileCheck %s

// gelu, silu and clamp behind a matmul, as exporters write them.

// torch-mlir: x * (1/2 * (1 + erf(x / sqrt(2)))).
// CHECK-LABEL: func.func @gelu_of_torch
// CHECK-NOT: linalg
// CHECK: mmtune.problem = "64x48x32 epilogue=gelu"
func.func @gelu_of_torch(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %sqrt2 = arith.constant 1.41421354 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.divf %x, %sqrt2 : f32
      %1 = math.erf %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.mulf %2, %half : f32
      %4 = arith.mulf %x, %3 : f32
      linalg.yield %4 : f32
    }
  return
}

// -----

// jax: 1/2 * x * erfc(-x * sqrt(1/2)).
// CHECK-LABEL: func.func @gelu_of_jax
// CHECK-NOT: linalg
// CHECK: mmtune.problem = "64x48x32 epilogue=gelu"
func.func @gelu_of_jax(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %sqrth = arith.constant 0.707106769 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.mulf %half, %x : f32
      %1 = arith.negf %x : f32
      %2 = arith.mulf %1, %sqrth : f32
      %3 = math.erfc %2 : f32
      %4 = arith.mulf %0, %3 : f32
      linalg.yield %4 : f32
    }
  return
}

// -----

// The argument of gelu is a product, too: its factors are not those of gelu.
// CHECK-LABEL: func.func @gelu_of_a_scaled
// CHECK-NOT: linalg
// CHECK: mmtune.problem = "64x48x32 epilogue=scale:0.25,gelu"
func.func @gelu_of_a_scaled(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %sqrt2 = arith.constant 1.41421354 : f32
  %quarter = arith.constant 0.25 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %s = arith.mulf %x, %quarter : f32
      %0 = arith.divf %s, %sqrt2 : f32
      %1 = math.erf %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.mulf %s, %half : f32
      %4 = arith.mulf %3, %2 : f32
      linalg.yield %4 : f32
    }
  return
}

// -----

// torch-mlir, with its factor.
// CHECK-LABEL: func.func @gelu_tanh_of_torch
// CHECK-NOT: linalg
// CHECK: mmtune.problem = "64x48x32 epilogue=gelu_tanh"
func.func @gelu_tanh_of_torch(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %c3 = arith.constant 3 : i64
  %beta = arith.constant 4.471500e-02 : f32
  %alpha = arith.constant 7.977240e-01 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{its gelu is computed with sqrt(2/pi), not with 0.797724}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = math.fpowi %x, %c3 : f32, i64
      %1 = arith.mulf %0, %beta : f32
      %2 = arith.addf %x, %1 : f32
      %3 = arith.mulf %2, %alpha : f32
      %4 = math.tanh %3 : f32
      %5 = arith.addf %4, %one : f32
      %6 = arith.mulf %5, %half : f32
      %7 = arith.mulf %x, %6 : f32
      linalg.yield %7 : f32
    }
  return
}

// -----

// jax: the cube as products.
// CHECK-LABEL: func.func @gelu_tanh_of_jax
// CHECK-NOT: linalg
// CHECK: mmtune.problem = "64x48x32 epilogue=gelu_tanh"
func.func @gelu_tanh_of_jax(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %beta = arith.constant 4.471500e-02 : f32
  %alpha = arith.constant 0.797884583 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.mulf %x, %x : f32
      %1 = arith.mulf %0, %x : f32
      %2 = arith.mulf %beta, %1 : f32
      %3 = arith.addf %x, %2 : f32
      %4 = arith.mulf %alpha, %3 : f32
      %5 = math.tanh %4 : f32
      %6 = arith.addf %one, %5 : f32
      %7 = arith.mulf %half, %6 : f32
      %8 = arith.mulf %x, %7 : f32
      linalg.yield %8 : f32
    }
  return
}

// -----

// x * (1 / (1 + exp(-x))).
// CHECK-LABEL: func.func @silu
// CHECK-NOT: linalg
// CHECK: mmtune.problem = "64x48x32 epilogue=silu"
func.func @silu(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.negf %x : f32
      %1 = math.exp %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.divf %one, %2 : f32
      %4 = arith.mulf %3, %x : f32
      linalg.yield %4 : f32
    }
  return
}

// -----

// x / (1 + exp(-x)).
// CHECK-LABEL: func.func @silu_as_a_quotient
// CHECK-NOT: linalg
// CHECK: mmtune.problem = "64x48x32 epilogue=silu"
func.func @silu_as_a_quotient(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.negf %x : f32
      %1 = math.exp %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.divf %x, %2 : f32
      linalg.yield %3 : f32
    }
  return
}

// -----

// The maximum first, as jax writes it.
// CHECK-LABEL: func.func @clamp
// CHECK-NOT: linalg
// CHECK: mmtune.problem = "64x48x32 epilogue=clamp:-1:6"
func.func @clamp(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0 : f32
  %high = arith.constant 6.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.maximumf %low, %x : f32
      %1 = arith.minimumf %0, %high : f32
      linalg.yield %1 : f32
    }
  return
}

// -----

// The minimum first.
// CHECK-LABEL: func.func @clamp_the_other_way
// CHECK-NOT: linalg
// CHECK: mmtune.problem = "64x48x32 epilogue=clamp:-1:6"
func.func @clamp_the_other_way(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0 : f32
  %high = arith.constant 6.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.minimumf %x, %high : f32
      %1 = arith.maximumf %0, %low : f32
      linalg.yield %1 : f32
    }
  return
}

// -----

// With 0 for a bound.
// CHECK-LABEL: func.func @relu6
// CHECK-NOT: linalg
// CHECK: mmtune.problem = "64x48x32 epilogue=clamp:0:6"
func.func @relu6(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %high = arith.constant 6.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.maximumf %x, %zero : f32
      %1 = arith.minimumf %0, %high : f32
      linalg.yield %1 : f32
    }
  return
}

// -----

// Comparisons that keep NaN.
// CHECK-LABEL: func.func @clamp_by_selections
// CHECK-NOT: linalg
// CHECK: mmtune.problem = "64x48x32 epilogue=clamp:-1:6"
func.func @clamp_by_selections(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0 : f32
  %high = arith.constant 6.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.cmpf ole, %x, %low : f32
      %1 = arith.select %0, %low, %x : f32
      %2 = arith.cmpf ugt, %high, %1 : f32
      %3 = arith.select %2, %1, %high : f32
      linalg.yield %3 : f32
    }
  return
}

// -----

// torch-mlir: NaN becomes the lower bound.
// CHECK-LABEL: func.func @clamp_of_torch
// CHECK: linalg.map
// CHECK: mmtune.problem = "64x48x32",
func.func @clamp_of_torch(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0 : f32
  %high = arith.constant 6.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: it replaces NaN by a bound, and kernels keep NaN}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.cmpf ult, %x, %low : f32
      %1 = arith.select %0, %low, %x : f32
      %2 = arith.cmpf ugt, %1, %high : f32
      %3 = arith.select %2, %high, %1 : f32
      linalg.yield %3 : f32
    }
  return
}

// -----

// Not gelu: another factor.
// CHECK-LABEL: func.func @not_half
// CHECK: linalg.map
// CHECK: mmtune.problem = "64x48x32",
func.func @not_half(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.4375 : f32
  %sqrt2 = arith.constant 1.41421354 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.divf %x, %sqrt2 : f32
      %1 = math.erf %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.mulf %2, %half : f32
      %4 = arith.mulf %x, %3 : f32
      linalg.yield %4 : f32
    }
  return
}

// -----

// Not gelu: erf of another multiple.
// CHECK-LABEL: func.func @not_the_root
// CHECK: linalg.map
// CHECK: mmtune.problem = "64x48x32",
func.func @not_the_root(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %sqrt2 = arith.constant 1.5 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.divf %x, %sqrt2 : f32
      %1 = math.erf %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.mulf %2, %half : f32
      %4 = arith.mulf %x, %3 : f32
      linalg.yield %4 : f32
    }
  return
}

// -----

// Not gelu: a square.
// CHECK-LABEL: func.func @not_the_cube
// CHECK: linalg.map
// CHECK: mmtune.problem = "64x48x32",
func.func @not_the_cube(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %c3 = arith.constant 2 : i64
  %beta = arith.constant 4.471500e-02 : f32
  %alpha = arith.constant 0.797884583 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = math.fpowi %x, %c3 : f32, i64
      %1 = arith.mulf %0, %beta : f32
      %2 = arith.addf %x, %1 : f32
      %3 = arith.mulf %2, %alpha : f32
      %4 = math.tanh %3 : f32
      %5 = arith.addf %4, %one : f32
      %6 = arith.mulf %5, %half : f32
      %7 = arith.mulf %x, %6 : f32
      linalg.yield %7 : f32
    }
  return
}

// -----

// Not silu: exp(x).
// CHECK-LABEL: func.func @not_minus
// CHECK: linalg.map
// CHECK: mmtune.problem = "64x48x32",
func.func @not_minus(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %1 = math.exp %x : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.divf %x, %2 : f32
      linalg.yield %3 : f32
    }
  return
}

// -----

// Not silu: the square of x.
// CHECK-LABEL: func.func @not_of_itself
// CHECK: linalg.map
// CHECK: mmtune.problem = "64x48x32",
func.func @not_of_itself(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.negf %x : f32
      %1 = math.exp %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.divf %x, %2 : f32
      %4 = arith.mulf %3, %x : f32
      linalg.yield %4 : f32
    }
  return
}

// -----

// Not clamp: the lower bound is above the upper one.
// CHECK-LABEL: func.func @crossed_bounds
// CHECK: linalg.map
// CHECK: mmtune.problem = "64x48x32",
func.func @crossed_bounds(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0 : f32
  %high = arith.constant 6.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.maximumf %high, %x : f32
      %1 = arith.minimumf %0, %low : f32
      linalg.yield %1 : f32
    }
  return
}

// -----

// Not a clamp: +0 stays below a bound of -0.
// CHECK-LABEL: func.func @signed_zero
// CHECK: linalg.map
// CHECK: mmtune.problem = "64x48x32",
func.func @signed_zero(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -0.0 : f32
  %high = arith.constant 6.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.cmpf ugt, %x, %low : f32
      %1 = arith.select %0, %x, %low : f32
      %2 = arith.minimumf %1, %high : f32
      linalg.yield %2 : f32
    }
  return
}

// -----

// Twice x may overflow where half of it does not.
// CHECK-LABEL: func.func @half_by_way_of_twice
// CHECK: linalg.map
// CHECK: mmtune.problem = "64x48x32",
func.func @half_by_way_of_twice(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %twice = arith.constant 2.0 : f32
  %quarter = arith.constant 0.25 : f32
  %sqrt2 = arith.constant 1.41421354 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.divf %x, %sqrt2 : f32
      %1 = math.erf %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.mulf %x, %twice : f32
      %4 = arith.mulf %3, %quarter : f32
      %5 = arith.mulf %4, %2 : f32
      linalg.yield %5 : f32
    }
  return
}

// -----

// So may a quotient, and 2^-100 of x vanishes where x does not: the constants are not multiplied.
// CHECK-LABEL: func.func @factor_in_parts
// CHECK: linalg.map
// CHECK: mmtune.problem = "64x48x32",
func.func @factor_in_parts(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %sqrt2 = arith.constant 1.41421354 : f32
  %tiny = arith.constant 7.88860905e-31 : f32
  %huge = arith.constant 1.26765060e+30 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.divf %x, %sqrt2 : f32
      %1 = math.erf %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.mulf %x, %half : f32
      %4 = arith.mulf %3, %tiny : f32
      %5 = arith.mulf %4, %huge : f32
      %6 = arith.mulf %5, %2 : f32
      linalg.yield %6 : f32
    }
  return
}

// -----

// The same of a quotient in silu.
// CHECK-LABEL: func.func @silu_of_a_quotient
// CHECK: linalg.map
// CHECK: mmtune.problem = "64x48x32",
func.func @silu_of_a_quotient(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.negf %x : f32
      %1 = math.exp %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.divf %x, %half : f32
      %4 = arith.mulf %3, %half : f32
      %5 = arith.divf %4, %2 : f32
      linalg.yield %5 : f32
    }
  return
}

// -----

// The second operand of C's size is subtracted, or what it is subtracted from.
#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @difference_and_tanh
// CHECK-NOT: linalg
// CHECK: mmtune.problem = "64x48x32 epilogue=bias,sub,tanh"
func.func @difference_and_tanh(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %bias: memref<48xf32>, %y: memref<64x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.generic {indexing_maps = [#columns, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%bias, %y : memref<48xf32>, memref<64x48xf32>) outs(%c : memref<64x48xf32>) {
  ^bb0(%u: f32, %v: f32, %x: f32):
    %0 = arith.addf %x, %u : f32
    %1 = arith.subf %0, %v : f32
    %2 = math.tanh %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// -----

#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @subtracted_from
// CHECK-NOT: linalg
// CHECK: mmtune.problem = "64x48x32 epilogue=scale:-1,bias,scale:-1,scale:-1,add"
func.func @subtracted_from(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %bias: memref<48xf32>, %y: memref<64x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.generic {indexing_maps = [#columns, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%bias, %y : memref<48xf32>, memref<64x48xf32>) outs(%c : memref<64x48xf32>) {
  ^bb0(%u: f32, %v: f32, %x: f32):
    %0 = arith.subf %u, %x : f32
    %1 = arith.negf %0 : f32
    %2 = arith.subf %v, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// -----

// With a bias subtracted a zero would have another sign; a kernel takes one operand of C's size.
#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @no_epilogues
// CHECK: gpu.launch_func
// CHECK: linalg.generic
// CHECK: mmtune.problem = "64x48x32"
func.func @no_epilogues(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %bias: memref<48xf32>, %y: memref<64x48xf32>, %c: memref<64x48xf32>, %d: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it}}
  linalg.generic {indexing_maps = [#columns, #id], iterator_types = ["parallel", "parallel"]}
    ins(%bias : memref<48xf32>) outs(%c : memref<64x48xf32>) {
  ^bb0(%u: f32, %x: f32):
    %0 = arith.subf %x, %u : f32
    linalg.yield %0 : f32
  }
  linalg.fill ins(%zero : f32) outs(%d : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%d : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: the epilogue has 'add' and 'sub', but a kernel reads at most one operand of C's size; remove one}}
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%y, %c : memref<64x48xf32>, memref<64x48xf32>) outs(%d : memref<64x48xf32>) {
  ^bb0(%u: f32, %v: f32, %x: f32):
    %0 = arith.addf %x, %u : f32
    %1 = arith.subf %0, %v : f32
    linalg.yield %1 : f32
  }
  return
}

// RUN: mmtune-opt %s --schedule-matmul --split-input-file --verify-diagnostics | FileCheck %s

// maxnumf drops NaN, the kernel's relu keeps it.
// CHECK-LABEL: func.func @drops_nan
// CHECK: gpu.launch_func
// CHECK: linalg.map
// CHECK: mmtune.problem = "64x48x32",
func.func @drops_nan(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain of bias, add, sub, relu, scale, gelu, silu, tanh and clamp}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.maxnumf %x, %zero : f32
      linalg.yield %0 : f32
    }
  return
}

// -----

// x > 0 ordered: NaN becomes 0. x < 0: minus zero stays.
func.func @other_selects(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule for 64x48x32;}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.cmpf ogt, %x, %zero : f32
      %1 = arith.select %0, %x, %zero : f32
      linalg.yield %1 : f32
    }
  return
}

// -----

func.func @minus_zero(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule for 64x48x32;}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.cmpf olt, %x, %zero : f32
      %1 = arith.select %0, %zero, %x : f32
      linalg.yield %1 : f32
    }
  return
}

// -----

// The matmul is returned, or read later: the consumer has its own launch.
#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @product_is_used
// CHECK: %[[C:.*]] = memref.alloc
// CHECK: gpu.launch_func {{.*}} %[[C]] : memref<64x48xf32>)
// CHECK: linalg.generic
func.func @product_is_used(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %bias: memref<48xf32>, %out: memref<64x48xf32>) -> memref<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<64x48xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: the matmul's result is used elsewhere}}
  linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
    ins(%c, %bias : memref<64x48xf32>, memref<48xf32>) outs(%out : memref<64x48xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return %c : memref<64x48xf32>
}

// -----

// A view made before lets the result be read after.
#id = affine_map<(m, n) -> (m, n)>
func.func @product_has_a_view(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %out: memref<64x48xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c = memref.alloc() : memref<64x48xf32>
  %flat = memref.collapse_shape %c [[0, 1]] : memref<64x48xf32> into memref<3072xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: the matmul's result is used elsewhere}}
  linalg.add ins(%c, %out : memref<64x48xf32>, memref<64x48xf32>) outs(%out : memref<64x48xf32>)
  %x = memref.load %flat[%c0] : memref<3072xf32>
  return %x : f32
}

// -----

func.func @addend_is_output(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %out: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<64x48xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its output may be an operand of the matmul}}
  linalg.add ins(%c, %out : memref<64x48xf32>, memref<64x48xf32>) outs(%out : memref<64x48xf32>)
  memref.dealloc %c : memref<64x48xf32>
  return
}

// -----

#id = affine_map<(m, n) -> (m, n)>
#rows = affine_map<(m, n) -> (m)>
func.func @bias_of_rows(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %bias: memref<64xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain}}
  linalg.generic {indexing_maps = [#rows, #id], iterator_types = ["parallel", "parallel"]}
    ins(%bias : memref<64xf32>) outs(%c : memref<64x48xf32>) {
  ^bb0(%y: f32, %x: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#id = affine_map<(m, n) -> (m, n)>
#transposed = affine_map<(m, n) -> (n, m)>
func.func @transposing(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>, %out: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its indexing maps for the matmul's result and its output are not the identity}}
  linalg.transpose ins(%c : memref<64x64xf32>) outs(%out : memref<64x64xf32>) permutation = [1, 0]
  return
}

// -----

// Between matmul and consumer an operand is written, and the result is read: nothing is tried.
// CHECK-LABEL: func.func @operand_written
// CHECK: gpu.launch_func
// CHECK: memref.store
// CHECK: linalg.map
// CHECK-LABEL: func.func @result_read
// CHECK: gpu.launch_func
// CHECK: memref.load
// CHECK: linalg.map
func.func @operand_written(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  memref.store %zero, %a[%c0, %c0] : memref<64x32xf32>
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.maximumf %x, %zero : f32
      linalg.yield %0 : f32
    }
  return
}
func.func @result_read(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  %y = memref.load %c[%c0, %c0] : memref<64x48xf32>
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.maximumf %x, %zero : f32
      linalg.yield %0 : f32
    }
  return %y : f32
}

// -----

// The second addend would be a second operand.
func.func @two_addends(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %x: memref<64x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule for 64x48x32 epilogue=add;}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  linalg.add ins(%c, %x : memref<64x48xf32>, memref<64x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: kernels support one bias and one addend}}
  linalg.add ins(%c, %x : memref<64x48xf32>, memref<64x48xf32>) outs(%c : memref<64x48xf32>)
  return
}

// -----

// Dividing by a number whose inverse is not exact rounds differently.
func.func @divides(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %three = arith.constant 3.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain}}
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.divf %x, %three : f32
      linalg.yield %0 : f32
    }
  return
}

// -----

// A column of a matrix: its elements do not lie side by side, as a bias does.
#id = affine_map<(m, n) -> (m, n)>
#first_column = affine_map<(m, n) -> (n, 0)>
// CHECK-LABEL: func.func @strided_bias
// CHECK: gpu.launch_func
// CHECK: linalg.generic
// CHECK: mmtune.problem = "64x48x32",
func.func @strided_bias(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %bias: memref<48x4xf32>, %c: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body is not a chain of bias, add, sub, relu, scale, gelu, silu, tanh and clamp}}
  linalg.generic {indexing_maps = [#first_column, #id], iterator_types = ["parallel", "parallel"]}
    ins(%bias : memref<48x4xf32>) outs(%c : memref<64x48xf32>) {
  ^bb0(%y: f32, %x: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What the body stores besides would be lost.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @body_stores
// CHECK: gpu.launch_func
// CHECK: linalg.generic
// CHECK: memref.store
// CHECK: mmtune.problem = "64x48x32",
func.func @body_stores(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>, %log: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{is not fused into the matmul before it: its body does more than compute a value}}
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%c : memref<64x48xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    memref.store %x, %log[%i, %j] : memref<64x48xf32>
    %0 = arith.maximumf %x, %zero : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// The same in the body of a matmul, which is none then.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @product_stores
// CHECK-NOT: gpu.launch_func
// CHECK: linalg.generic
func.func @product_stores(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>, %log: memref<64x48xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    memref.store %sum, %log[%i, %j] : memref<64x48xf32>
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Its caller passes one buffer for %c and %d: the copy in between reads the matmul before the relu.
// CHECK-LABEL: func.func private @read_by_another_name
// CHECK: gpu.launch_func
// CHECK: memref.copy
// CHECK: linalg.map
// CHECK: mmtune.problem = "64x48x32",
func.func private @read_by_another_name(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>, %d: memref<64x48xf32>, %e: memref<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x48xf32>)
  // expected-remark @below {{no tuned schedule}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  memref.copy %d, %e : memref<64x48xf32> to memref<64x48xf32>
  linalg.map ins(%c : memref<64x48xf32>) outs(%c : memref<64x48xf32>)
    (%x: f32, %old: f32) {
      %0 = arith.maximumf %x, %zero : f32
      linalg.yield %0 : f32
    }
  return
}
func.func @passes_it_twice(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>, %e: memref<64x48xf32>) {
  call @read_by_another_name(%a, %b, %c, %c, %e)
    : (memref<64x32xf32>, memref<32x48xf32>, memref<64x48xf32>, memref<64x48xf32>, memref<64x48xf32>) -> ()
  return
}
